"""The client of docs/changes.md, and what a copy is compared with."""
import json
import pathlib
import re

import client

ROOT = pathlib.Path(__file__).resolve().parents[2]


def _client_of_the_manual():
    text = (ROOT / "docs" / "changes.md").read_text("utf-8")
    code = re.search(r"^```python\n(import json\n.*?)^```$", text, re.M | re.S).group(1)
    scope = {}
    exec(compile(code, "docs/changes.md", "exec"), scope)
    return scope["Copy"]


Copy = _client_of_the_manual()


def copy_of(server, **filters):
    return Copy(server.url, server.key_b, **filters)


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
    found += [("not on the server", key) for key in set(copy.sources) - sources]
    found += [("not in the copy", key) for key in sources - set(copy.sources)]
    found += [("dict records", set(copy.dicts) ^ dicts)] if set(copy.dicts) != dicts else []
    found += [("merged", copy.merged, merged)] if copy.merged != merged else []
    return found
