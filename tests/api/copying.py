"""The client of docs/changes.md, what a copy is compared with, and who waits for changes."""
import json
import pathlib
import re
import threading

import client

ROOT = pathlib.Path(__file__).resolve().parents[2]


def _client_of_the_manual():
    text = (ROOT / "docs" / "changes.md").read_text("utf-8")
    return re.search(r"^```python\n(.*?)^```$", text, re.M | re.S).group(1)


CODE = _client_of_the_manual()
_scope = {}
exec(compile(CODE, "docs/changes.md", "exec"), _scope)
Copy = _scope["Copy"]


def copy_of(server, path=":memory:", **filters):
    return Copy(path, server.url, server.key_b, **filters)


def export(server, query=""):
    """The lines of an export that is whole: items, cursor."""
    response = server.b("export/sources" + query)
    assert response.status == 200, response
    assert response.headers["Content-Type"] == "application/x-ndjson"
    lines = [json.loads(line, object_pairs_hook=client.no_duplicates) for line in response.body.splitlines()]
    assert lines[0]["type"] == "cursor" and lines[-1]["type"] == "end", (lines[0], lines[-1])
    assert lines[0]["cursor"] == lines[-1]["cursor"]
    assert lines[-1]["items"] == len(lines) - 2
    return lines[1:-1], lines[-1]["cursor"]


def catch_up(copy, limit=1000):
    """Until nothing is left; the writers are still."""
    while copy.follow(wait=0, limit=limit):
        pass


def differences(copy, items):
    """Between a copy and an export, both ways."""
    found, sources, dicts, merged = [], set(), set(), {}
    for item in items:
        if item["type"] == "source":
            key = item["adapter_id"], item["kind"], item["id"]
            sources.add(key)
            mine = copy.look_up(*key)
            if mine != {"source": item["source"], "dict": item["dict"]}:
                found.append((key, mine, item))
        elif "into" in item:
            merged[item["kind"], item["id"]] = item["into"]
        else:
            dicts.add((item["kind"], item["id"]))
    kept = {table: set(copy.db.execute(query)) for table, query in {
        "source": "SELECT adapter_id, kind, id FROM source", "dict": "SELECT kind, id FROM dict WHERE into_id IS NULL",
        "merged": "SELECT kind, id, into_id FROM dict WHERE into_id IS NOT NULL"}.items()}
    found += [("not on the server", key) for key in kept["source"] - sources]
    found += [("not in the copy", key) for key in sources - kept["source"]]
    found += [("dict records", key) for key in kept["dict"] ^ dicts]
    found += [("merged", key) for key in kept["merged"] ^ {(*key, into) for key, into in merged.items()}]
    return found


def feed(server, since=None, **parameters):
    """One page: the data of the answer."""
    query = "&".join(f"{k}={v}" for k, v in {"since": since, **parameters}.items() if v is not None)
    return server.b("changes?" + query).data()


def names(items):
    return [(i["type"], i.get("adapter_id"), i["kind"], i["id"]) for i in items]


class Waiter(threading.Thread):
    """One who waits for changes. Who waits is told of by the server before this one has been made."""

    def __init__(self, server, since, wait=50, **parameters):
        super().__init__(daemon=True)
        self.server, self.since, self.parameters = server, since, {"wait": wait, **parameters}
        before = client.ready(server.port, "waiting")
        self.start()
        client.waits(server.port, before + 1)

    def run(self):
        self.page = feed(self.server, self.since, **self.parameters)

    def items(self):
        """Of the answer, once there is one."""
        self.join(client.PATIENCE)
        assert not self.is_alive(), "never answered"
        return names(self.page["items"])
