"""Equal X-Data-Version on three nodes: equal bytes and ETags, of every endpoint that answers from data (decision D1)."""
import json
import re

import parts
import registration
from test_campaign import primary, start_nodes, new_store_keys, pytestmark  # noqa: F401 (fixtures)
from test_data_version import CHANGES, HEADER, READS, ask, same_version, state

#: Beside those of tests/api: what a supplier means, where it is known (or it is counted, which is a write).
MORE = [("POST", "/v1/avia/compared", {}, {"adapter_id": 21, "lang_code": "en", "external_id": 301}),
        ("POST", "/v1/avia/compared/uk", {}, {"adapter_id": 22, "lang_code": "en", "external_id": "KBP"})]
#: Writes, and what is about a process or a program and not about data. What is for people tells of them too, and
#: names are looked up in an index that may be of before: those versions have a "+".
WITHOUT = {"POST /v1/tour/sourceAdd", "POST /v1/tour/compared", "GET /healthz", "GET /readyz", "GET /readyz/write", "GET /flags/:ratio/:file",
           "GET /openapi.json", "GET /api/v1/openapi.json", "GET /v1/openapi.json"}

PROMISES_NOTHING = re.compile(r"\w+ /v1/(access/|curate/|session\b|reconcile/)")


def endpoints():
    text = "".join((parts.ROOT / "docs" / name).read_text("utf-8") for name in ("contract.md", "curator-api.md"))
    return re.findall(r"^\| `((?:GET|POST) /[^`]*)` \|", text, re.M)


def asks(read, endpoint):
    method, path = endpoint.split()
    return read[0] == method and re.fullmatch(re.sub(r":\w+", "[^/]+", path), read[1].partition("?")[0])


def test_every_endpoint_is_compared():
    found = endpoints()
    assert len(found) > 15 and WITHOUT < set(found)
    for endpoint in set(found) - WITHOUT:
        if PROMISES_NOTHING.match(endpoint):
            continue
        assert any(asks(read, endpoint) for read in READS + MORE), endpoint


def test_equal_versions_are_equal_bytes_on_three_nodes(primary, start_nodes, run, tmp_path):  # noqa: F811
    store = primary.url("dragoman")
    servers = start_nodes(store)
    ports, before, etags = [server.port for server in servers], None, 0
    for n, change in enumerate([None, *CHANGES, "added"]):
        if change == "added":
            assert registration.source_add(servers[n % 3], hotel=[registration.element("hotel", "eq1")]).status == 200
        elif change is not None:
            records = tmp_path / f"change{n}.ndjson"
            records.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in change), "utf-8")
            done = run("import", records, "--data", tmp_path, "--store", store)
            assert done.returncode == 0, done.stderr
        before = same_version(ports, before)
        for read in READS + MORE:
            one, *others = [ask(servers[0], read, port, X_Min_Data_Version=before) for port in ports]
            assert one.status in (200, 400), (read, one)
            etags += "ETag" in one.headers
            for other in others:
                assert one.headers[HEADER] == other.headers[HEADER] == before, read
                assert state(one) == state(other), read
    assert etags > 0
