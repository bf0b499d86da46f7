"""What the tests of mapping decisions and merges share: commands on a data folder, and what an export says."""
import json


class Data:
    """A data folder and the commands that change it."""

    def __init__(self, run, path):
        self.run_command, self.path = run, path
        path.mkdir(exist_ok=True)

    def run(self, *args):
        """A command that may fail."""
        return self.run_command(*args, "--data", self.path)

    def ok(self, *args):
        """A command that must not: its output."""
        done = self.run(*args)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def fails(self, *args):
        """A command that must: one line on standard error, nothing else, and nothing changed."""
        before = self.export()
        done = self.run(*args)
        assert done.returncode == 1, (done.returncode, done.stderr)
        assert done.stdout == "" and done.stderr.count("\n") == 1, (done.stdout, done.stderr)
        assert done.stderr.startswith("dragoman: ")
        assert self.export() == before
        return done.stderr

    def map(self, what, *args):
        return self.ok("map", what, *args)

    def merge(self, *args):
        return self.ok("dict", "merge", *args)

    def split(self, *args):
        return self.ok("dict", "split", *args)

    def export(self, *options):
        return self.ok("export", *options)

    def records(self, *options):
        return [json.loads(line) for line in self.export(*options).splitlines()]

    def of(self, type, **wanted):
        return [r for r in self.records("--type", type) if all(r.get(k) == v for k, v in wanted.items())]

    def mapped_to(self, adapter, kind, id):
        (source,) = self.of("source", adapter_id=adapter, kind=kind, id=id)
        return source.get("dict_id")

    def dict_ids(self, kind):
        return [r["id"] for r in self.of("dict", kind=kind)]

    def events(self, adapter=None, kind=None, id=None):
        """(from, to, how) of each event, the oldest first."""
        rows = self.of("mapping_event", **({"adapter_id": adapter, "kind": kind, "id": id} if adapter else {}))
        return [(r.get("from"), r.get("to"), r.get("how", "set")) for r in rows]

    def is_sound(self):
        self.ok("check")
