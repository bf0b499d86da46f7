#!/usr/bin/python3
"""Which test reaches which line of src/: runs each unit test and each file of tests/api by itself on a build that counts
(gcc --coverage), prints the lines that are reached, and keeps build-gcov/reach.json for tools/mutate. Where PostgreSQL is
installed, tests of the store run on it too, each on a server of its own.

tools/reach.py [--jobs N] [--all] [--again] [WORD...]   WORD: only tests whose name has it, added to what is kept;
of files of src/ that have changed since nothing is added"""
import argparse
import collections
import concurrent.futures
import contextlib
import hashlib
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = ROOT / "build-gcov"
KEPT = BUILD / "reach.json"
FAILED = re.compile(r"^(?:FAILED|ERROR) \S*::(\w+)", re.MULTILINE)
#: More than any test takes on a busy machine: only what hangs is ended.
HANGS = 1800


def load(name, path):
    """A program in Python as a module."""
    loader = importlib.machinery.SourceFileLoader(name, str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


postgresql = load("pg_cluster", ROOT / "tests" / "pg_cluster")
HAS_POSTGRES = any(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb")) or shutil.which("initdb") is not None
#: Before the name of a file of tests/api: the tests of it that `make test` runs on PostgreSQL.
ON_POSTGRES = "postgresql:"


class Test:
    """A unit test of meson and what is built for it, or a file of tests/api. A build folder and a root have tests of their own."""

    def __init__(self, name, argv, env, cwd, targets=(), on_postgres=False):
        self.name, self.argv, self.env, self.cwd, self.targets, self.on_postgres = name, argv, env, cwd, targets, on_postgres


class Outcome:
    """How a command ended: its exit status (None: it was ended), what it printed, CPU seconds of all its processes."""

    def __init__(self, status, output, seconds):
        self.status, self.output, self.seconds = status, output, seconds

    def failed(self):
        """Names of the test functions that failed."""
        return sorted(set(FAILED.findall(self.output)))


running, folders, clusters, first_cluster = set(), [], set(), threading.Lock()


def give_up(*_):
    """What was started does not outlive us, nor do its files."""
    for group in list(running):
        os.killpg(group, signal.SIGKILL)
    for cluster in list(clusters):
        cluster.__exit__()
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)


@contextlib.contextmanager
def environment(test):
    """A test's, while its PostgreSQL runs, if it has one."""
    if not test.on_postgres:
        yield test.env
        return
    with first_cluster:  # what others are copies of
        cluster = postgresql.Cluster()
        clusters.add(cluster)
        cluster.init()
    try:
        with cluster:
            yield {**test.env, "DRG_TEST_POSTGRES": cluster.url()}
    finally:
        clusters.discard(cluster)


def scratch_folder():
    """In memory, where there is some; whoever asks for it removes it."""
    folders.append(pathlib.Path(tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)))
    return folders[-1]


def run(argv, env=(), cwd=ROOT, limit=HANGS):
    """Runs a command in a session of its own, which ends with it."""
    with tempfile.TemporaryFile() as output:
        popen = subprocess.Popen([str(word) for word in argv], cwd=cwd, env={**os.environ, **dict(env)}, stdout=output,
                                 stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True)
        running.add(popen.pid)
        end = time.monotonic() + limit
        while True:
            pid, status, usage = os.wait4(popen.pid, os.WNOHANG)
            if pid or time.monotonic() > end:
                break
            time.sleep(0.02)
        running.discard(popen.pid)
        try:
            os.killpg(popen.pid, signal.SIGKILL)  # servers of a test that was ended
        except ProcessLookupError:
            pass
        if not pid:
            usage = os.wait4(popen.pid, 0)[2]
        popen.returncode = 0  # waited for here
        output.seek(0)
        said = output.read().decode("utf-8", "replace")
        return Outcome(os.waitstatus_to_exitcode(status) if pid else None, said, usage.ru_utime + usage.ru_stime)


def must(*argv, cwd=ROOT):
    done = run(argv, cwd=cwd)
    if done.status != 0:
        sys.exit(f"{' '.join(map(str, argv))}: {done.output[-3000:]}")
    return done.output


def set_up(build, *options, root=ROOT):
    """A build folder with the demo data and the viewer that `make` has built, if it has."""
    for name in ("data", "viewer"):
        if (ROOT / "build" / name / "done").exists():
            options += (f"-D{name}={ROOT / 'build' / name}",)
    if not (build / "build.ninja").exists():
        must("meson", "setup", build, "-Dbuildtype=plain", "-Doptimization=1", *options, cwd=root)
    must("ninja", "-C", build, "build.ninja")  # as meson.build says now


def unit_tests(build):
    """By their names in meson."""
    targets = {row["id"]: [os.path.relpath(name, build) for name in row["filename"]]
               for row in json.loads(must("meson", "introspect", "--targets", build))}
    return {row["name"]: Test(row["name"], row["cmd"], row["env"], build, sum((targets[word] for word in row["depends"]), []),
                              HAS_POSTGRES and any(suite.endswith(":store") for suite in row["suite"]))
            for row in json.loads(must("meson", "introspect", "--tests", build))
            if any(suite.endswith(":unit") for suite in row["suite"])}


def targets_of(tests):
    return sorted({word for test in tests for word in test.targets})


def api_test(root, program, name, *options, function=None):
    """A file of tests/api, or a function of it."""
    demo = {"DRG_DEMO": str(BUILD / "demo")} if (BUILD / "demo").exists() else {}
    on_postgres = name.startswith(ON_POSTGRES)
    argv = ["/usr/bin/python3", "-m", "pytest", "-q", "-rfE", "--tb=no", "-p", "no:cacheprovider", *options,
            *(["-m", "store_core"] if on_postgres else []), name.removeprefix(ON_POSTGRES) + (f"::{function}" if function else "")]
    return Test(name, argv, {**demo, "DRG_BIN": str(program)}, root, on_postgres=on_postgres)


def api_tests(root, program, *options):
    """The files of tests/api, as pytest collects them."""
    found = {}
    for before in ("", ON_POSTGRES) if HAS_POSTGRES else ("",):
        said = run(api_test(root, program, f"{before}tests/api", "--collect-only", "-qq", *options).argv, cwd=root).output
        print("".join(f"{line}\n" for line in said.splitlines() if line.startswith("ERROR ")), end="")
        for name in re.findall(r"^(\S+\.py): \d+$", said, re.MULTILINE):
            found[f"{before}tests/api/{name}"] = api_test(root, program, f"{before}tests/api/{name}", *options)
    return found


def digests(*patterns):
    """{file: digest}."""
    return {str(path.relative_to(ROOT)): hashlib.sha256(path.read_bytes()).hexdigest()
            for pattern in patterns for path in sorted(ROOT.glob(pattern)) if path.is_file()}


def sources():
    return digests("src/**/*.[ch]")


def bits_of(mask):
    """The lines of a mask."""
    return {bit for bit in range(mask.bit_length()) if mask >> bit & 1}


def lines_of(folder):
    """{file of src/: (mask of lines with code, mask of lines that were reached)}, from the counters under a folder."""
    counters = sorted(folder.rglob("*.gcda"))
    for counter in counters:
        notes = counter.with_suffix(".gcno").relative_to(folder)
        (folder / notes).symlink_to(BUILD / notes)
    found = collections.defaultdict(lambda: [0, 0])
    if not counters:
        return found
    done = subprocess.run(["gcov", "--json-format", "--stdout", *map(str, counters)], cwd=BUILD, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    for line in done.stdout.splitlines():
        for file in json.loads(line)["files"] if line.startswith(b"{") else ():
            name = os.path.normpath(os.path.join("build", file["file"]))  # as the compiler was told: ../src/...
            if name.startswith("src/"):
                for row in file["lines"]:
                    found[name][0] |= 1 << row["line_number"]
                    found[name][1] |= bool(row["count"]) << row["line_number"]
    return found


def measure(test, scratch):
    """Runs a test. (outcome, lines_of())."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=scratch))
    (folder / "tmp").mkdir()
    argv = test.argv + [f"--basetemp={folder / 'base'}"] * ("pytest" in test.argv)
    with environment(test) as env:
        outcome = run(argv, {**env, "TMPDIR": str(folder / "tmp"), "GCOV_PREFIX": str(folder / "counters"),
                             "GCOV_PREFIX_STRIP": str(len(BUILD.parts) - 1)}, test.cwd)
    lines = lines_of(folder / "counters")
    shutil.rmtree(folder, ignore_errors=True)
    return outcome, lines


def make_demo(scratch):
    """The data folder of the demo fixture, made once."""
    if (BUILD / "demo").exists() or not (ROOT / "build/data/reference.ndjson").exists():
        return
    os.environ["GCOV_PREFIX"] = str(scratch / "not counted")
    program, synthetic = BUILD / "dragoman", scratch / "synthetic.ndjson"
    with open(synthetic, "wb") as out:
        subprocess.run([f"{program}-synth", "--base", ROOT / "build/data/reference.ndjson", "--hotels", "20000",
                        "--adapters", "12", "--seed", "1"], stdout=out, check=True)
    must(program, "import", ROOT / "build/data/reference.ndjson", synthetic, "--data", scratch / "demo", "--create")
    shutil.copytree(scratch / "demo", BUILD / "demo")


def keep(kept, name, outcome, lines):
    """What a test has reached, and what failed in it: that is left out of what tools/mutate runs."""
    for file, (code, _) in lines.items():
        kept["code"][file] = hex(int(kept["code"].get(file, "0"), 16) | code)
    kept["tests"][name] = {"seconds": round(outcome.seconds, 2), "status": outcome.status, "failed": outcome.failed(),
                           "lines": {file: hex(mask) for file, (_, mask) in sorted(lines.items()) if mask}}
    partial = KEPT.with_suffix(".part")
    partial.write_text(json.dumps(kept), "utf-8")
    partial.rename(KEPT)


def report(kept):
    """Lines of src/ without src/cli (its objects are the program's) and without what is generated."""
    rows = collections.defaultdict(lambda: [0, 0])
    masks = collections.Counter()
    for test in kept["tests"].values():
        for file, mask in test["lines"].items():
            masks[file] |= int(mask, 16)
    for file, mask in kept["code"].items():
        for name in (str(pathlib.Path(file).parent), *(["all but src/cli"] if not file.startswith("src/cli/") else [])):
            rows[name][0] += int(mask, 16).bit_count()
            rows[name][1] += (masks[file] & int(mask, 16)).bit_count()
    for name, (code, reached) in sorted(rows.items(), key=lambda row: (not row[0].startswith("src"), row[0])):
        print(f"{name:28} {reached:6} of {code:6} lines  {100 * reached / code:5.1f} %")


def main():
    parser = argparse.ArgumentParser(description="which test reaches which line of src/")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--all", action="store_true", help="the whole black box, not only what `make test` runs of it")
    parser.add_argument("--again", action="store_true", help="also tests that are kept")
    parser.add_argument("--report", action="store_true", help="only print what is kept")
    parser.add_argument("words", nargs="*", help="only tests whose name has one of these")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, give_up)
    signal.signal(signal.SIGINT, give_up)
    kept = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    if not kept or (kept["sources"] != sources() and not given.report and not given.words):
        kept = {"sources": sources(), "options": [], "code": {}, "tests": {}}
    if given.report:
        return report(kept)
    set_up(BUILD, "-Db_coverage=true")
    tests = unit_tests(BUILD)
    must("nice", "ninja", "-C", BUILD, "dragoman", *targets_of(tests.values()))
    kept["options"] = [] if given.all else ["--quick"]
    scratch = scratch_folder()
    try:
        make_demo(scratch)
        tests.update(api_tests(ROOT, BUILD / "dragoman", *kept["options"]))
        wanted = [test for name, test in tests.items() if not given.words or any(word in name for word in given.words)]
        now = sources()
        wanted = [test for test in wanted if given.again or test.name not in kept["tests"]]
        with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
            running = {pool.submit(measure, test, scratch): test for test in wanted}
            for done in concurrent.futures.as_completed(running):
                outcome, lines = done.result()
                lines = {file: masks for file, masks in lines.items() if kept["sources"].get(file) == now.get(file)}
                keep(kept, running[done].name, outcome, lines)
                bad = "" if outcome.status == 0 else f"  exit status {outcome.status} {' '.join(outcome.failed())}"
                print(f"{running[done].name:50} {outcome.seconds:6.1f} s of CPU{bad}", flush=True)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    report(kept)


if __name__ == "__main__":
    main()
