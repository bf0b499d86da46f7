"""One record never stops the feed (E14): what the catalog cannot take in is refused by an import, and set aside where it
is met all the same."""
import json

import pytest

import client
import store

pytestmark = pytest.mark.store

LIMIT = 65535
MEAL = {"type": "dict", "kind": "meal", "id": 1, "name": "Breakfast"}
FIRST = {"type": "adapter", "id": 1, "code": "a1", "name": "One", "domain": "tour"}


def write(data, *statements):
    """Straight into the store, as a process that knows no limit would; {seq} is that of the commit."""
    seq = int(store.execute(data, "SELECT seq FROM clock")[-1][0]) + 1
    store.execute(data, *(statement.replace("{seq}", str(seq)) for statement in statements), f"UPDATE clock SET seq = {seq}")


def add_adapters(data, first, last):
    write(data, "WITH RECURSIVE n(i) AS (SELECT %d UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
          " INSERT INTO adapter (deleted, seq, created_seq, data_seq, mapped_seq, id, code, name, domain, stage)"
          " SELECT 0, {seq}, {seq}, {seq}, 0, i, 'a' || i, 'Adapter ' || i, 0, 0 FROM n" % (first, last))


def ready(server):
    answer = server.request("/readyz")
    return answer.json() if answer.status == 200 else None


def meals(server):
    return list(server.a("tour/main-references/").json()["data"]["meals"])


def knows(server, key):
    return server.b("tour/reference", key=key).status == 200


@pytest.fixture
def crowded(make_server):
    """65,600 adapters in the store of a running server, with a feed that has met them."""
    server = make_server([FIRST, MEAL])
    add_adapters(server.data, 2, 65600)
    yield server


@pytest.mark.heavy
def test_e14_adapters_beyond_the_limit_stop_nothing(crowded, new_key, run, import_file, processes, seen):
    server = crowded
    assert client.wait_until(lambda: (ready(server) or {}).get("set_aside") == 65), ready(server)
    key = new_key(server.data, "b")
    assert seen(lambda: knows(server, key["key"]))
    assert run("key", "revoke", key["id"], "--data", server.data).returncode == 0
    assert seen(lambda: not knows(server, key["key"]))
    import_file(server.data, [{**MEAL, "id": 2, "name": "Dinner"}])
    assert seen(lambda: "Dinner" in meals(server))
    assert server.process.stderr().count("quarantined, ") == 1
    assert "at most 65535 adapters" in server.process.stderr()
    server.stop()
    starts_as_well(server.data, processes)


def starts_as_well(data, processes):
    process = processes(data=data)
    try:
        answer = client.request(process.port, "/readyz").json()
        assert (answer["status"], answer["set_aside"]) == ("ready", 65)
    finally:
        process.stop()


def test_e14_commands_tell_what_a_server_sets_aside(import_file, run, tmp_path):
    data = tmp_path / "data"
    import_file(data, [FIRST, MEAL])
    add_adapters(data, 2, 65600)
    status = run("status", "--json", "--data", data)
    counted = json.loads(status.stdout)
    assert (counted["adapters"], counted["adapters_limit"]) == (65600, LIMIT)
    assert "65 adapters" in run("status", "--data", data).stdout
    check = run("check", "--data", data)
    assert check.returncode == 1
    assert check.stdout.count("a server sets it aside") == 65
    assert len(check.stdout.splitlines()) == 65, check.stdout[-400:]


def test_e14_room_that_comes_is_used(crowded, import_file):
    server = crowded
    assert client.wait_until(lambda: (ready(server) or {}).get("set_aside") == 65), ready(server)
    import_file(server.data, [{"type": "adapter", "id": i, "deleted": True} for i in range(100, 200)])
    assert client.wait_until(lambda: ready(server)["set_aside"] == 0), ready(server)


def test_e14_an_import_refuses_adapters_beyond_the_limit(tmp_path, run):
    data, path = tmp_path / "data", tmp_path / "adapters.ndjson"

    def imported(ids, *options):
        path.write_text("".join(json.dumps({**FIRST, "id": i, "code": f"a{i}"}) + "\n" for i in ids), "utf-8")
        return run("import", path, "--data", data, "--create", *options)

    def count():
        return json.loads(run("status", "--json", "--data", data).stdout)["adapters"]

    done = imported(range(1, LIMIT + 2))
    assert done.returncode == 1 and "at most 65535" in done.stderr, done.stderr
    assert "nothing was applied" in done.stderr
    assert imported(range(1, LIMIT + 1)).returncode == 0
    assert imported([7]).returncode == 0  # there already
    done = imported([7, LIMIT + 1])
    assert done.returncode == 1 and "at most 65535" in done.stderr, done.stderr
    assert count() == LIMIT
    done = imported([7, LIMIT + 1], "--keep-going")
    assert count() == LIMIT, done.stderr


ODD = {
    "a key with an odd time": "UPDATE api_key SET seq = {seq}, expires = 'tomorrow' WHERE id = {key}",
    "a key with odd adapters": "UPDATE api_key SET seq = {seq}, adapters = '7,x' WHERE id = {key}",
    "a key of an odd api": "UPDATE api_key SET seq = {seq}, api = 9 WHERE id = {key}",
}


@pytest.mark.store_core
@pytest.mark.parametrize("name", ODD)
def test_e14_a_key_that_cannot_be_read_is_no_key(make_server, new_key, import_file, run, seen, name):
    server = make_server([FIRST, MEAL])
    key = new_key(server.data, "b")
    assert seen(lambda: knows(server, key["key"]))
    write(server.data, ODD[name].replace("{key}", str(key["id"])))
    assert seen(lambda: not knows(server, key["key"]))
    assert seen(lambda: ready(server)["set_aside"] == 1), ready(server) # counted when the whole page of the feed is in
    import_file(server.data, [{**MEAL, "id": 2, "name": "Dinner"}])
    assert seen(lambda: "Dinner" in meals(server))
    assert run("check", "--data", server.data).returncode == 1
    write(server.data, f"UPDATE api_key SET seq = {{seq}}, expires = NULL, adapters = NULL, api = 1 WHERE id = {key['id']}")
    assert seen(lambda: knows(server, key["key"]) and ready(server)["set_aside"] == 0)


def alive_in_feed(server):
    """The ids of the dict records that the change feed has from the beginning."""
    page = server.b("changes").data()
    assert not page["more"]
    return [item["id"] for item in page["items"] if item["type"] == "dict" and item["dict"] is not None]


def exported(server):
    answer = server.b("export/sources")
    lines = [json.loads(line) for line in answer.body.splitlines()]
    assert answer.status == 200 and lines[-1]["type"] == "end", answer
    assert not [line for line in lines if line["type"] == "source"]
    return [line["id"] for line in lines if line["type"] == "dict"]


ODD_ROWS = {
    "a kind that there is not": "INSERT INTO dict (deleted, seq, created_seq, data_seq, mapped_seq, kind, id, name)"
                                " VALUES (0, {seq}, {seq}, {seq}, 0, 99, 1, '{\"en\":\"x\"}')",
    "a negative kind": "INSERT INTO source (deleted, seq, created_seq, data_seq, mapped_seq, adapter_id, kind, id, name)"
                       " VALUES (0, {seq}, {seq}, {seq}, 0, 1, -1, 'x', 'x')",
    "a source too long": "INSERT INTO source (deleted, seq, created_seq, data_seq, mapped_seq, adapter_id, kind, id, name)"
                         " VALUES (0, {seq}, {seq}, {seq}, 0, 1, 6, 'x', '{long}')",
    "an adapter of no domain": "UPDATE adapter SET seq = {seq}, data_seq = {seq}, domain = 12 WHERE id = 1",
    "an adapter with a wide id": "INSERT INTO adapter (deleted, seq, created_seq, data_seq, mapped_seq, id, code, name, domain)"
                                 " VALUES (0, {seq}, {seq}, {seq}, 0, 4294967297, 'x', 'x', 0)",
    "names that are none": "INSERT INTO dict (deleted, seq, created_seq, data_seq, mapped_seq, kind, id, name)"
                           " VALUES (0, {seq}, {seq}, {seq}, 0, 4, 9, '{\"en\":7}')",
    "a stage that is none": "UPDATE adapter SET seq = {seq}, stage = -3 WHERE id = 1",
}


@pytest.mark.store_core
@pytest.mark.parametrize("name", ODD_ROWS)
def test_e14_odd_rows_stop_nothing(make_server, import_file, run, seen, processes, name):
    server = make_server([FIRST, MEAL])
    write(server.data, ODD_ROWS[name].replace("{long}", "n" * 70000))
    assert seen(lambda: ready(server)["set_aside"] == 1), ready(server)
    import_file(server.data, [{**MEAL, "id": 2, "name": "Dinner"}])
    assert seen(lambda: "Dinner" in meals(server))
    assert alive_in_feed(server) == [1, 2]
    assert exported(server) == [1, 2]
    server.stop()
    process = processes(data=server.data)
    try:
        assert client.request(process.port, "/readyz").json()["set_aside"] == 1
    finally:
        process.stop()
    check = run("check", "--data", server.data)
    assert check.returncode == 1 and "a server sets it aside" in check.stdout, check.stdout + check.stderr
