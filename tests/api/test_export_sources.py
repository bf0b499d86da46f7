"""GET /v1/export/sources: decisions F9 to F11."""
import contextlib
import http.client
import json
import sqlite3
import subprocess
import tempfile
import threading

import pytest

import client
import copying
import registration
import store
import usage
from conftest import command

pytestmark = pytest.mark.store


def source(id, adapter=7, kind="hotel", **more):
    return {"type": "source", "adapter_id": adapter, "kind": kind, "id": id, "name": f"name of {id}", **more}


def of(items, type):
    return [item for item in items if item["type"] == type]


@pytest.fixture(scope="module")
def large(module_servers, mini, import_file, small_quarantine):
    """Some 20 MB of export."""
    with small_quarantine():
        server = module_servers.make(mini, "--store-connections", "11")  # 8 exports at one time
    import_file(server.data, [source(f"h{n}", category_name="x" * 200, country_name="TURKEY", city_name="ANTALYA",
                                     dict_id=(55, 56, 57, None)[n % 4]) for n in range(30000)])
    client.wait_until(lambda: registration.is_registered(server, "hotel", "h29999"))
    return server


@pytest.mark.store_core
def test_f9_the_whole_mapping_as_source_info_shows_it(server):
    for lang in ("en", "uk"):
        items, _ = copying.export(server, f"?lang={lang}")
        sources = of(items, "source")
        assert len(sources) > 10
        for item in sources:
            assert list(item) == ["type", "adapter_id", "kind", "id", "source", "dict"]
            (shown,) = registration.source_info(server, item["adapter_id"], lang, **{item["kind"]: [item["id"]]})[item["kind"]]
            assert shown == {"id": item["id"], "source": item["source"], "dict": item["dict"]}


def test_f9_dict_records_of_the_seven_kinds_come_first(server):
    items, _ = copying.export(server)
    types = [item["type"] for item in items]
    assert types == sorted(types)
    assert {item["kind"] for item in of(items, "dict")} == {"country", "dep_city", "currency", "city", "meal",
                                                            "hotel_category", "hotel"}
    assert len({(i["kind"], i["id"]) for i in of(items, "dict")}) == len(of(items, "dict"))


def test_f9_merged_ids_are_there(make_server, mini, run):
    server = make_server(mini)
    assert run("dict", "merge", "hotel", "55", "57", "--data", server.data).returncode == 0
    items, _ = copying.export(server, "?kind=hotel")
    assert {"type": "dict", "kind": "hotel", "id": 55, "into": 57, "dict": None} in items
    assert {i["dict"]["id"] for i in of(items, "source") if i["id"].startswith("1001")} == {57}
    assert of(copying.export(server, "?kind=meal")[0], "source") and not any(
        "into" in item for item in copying.export(server, "?kind=meal")[0])


def test_f9_filters(server):
    items, _ = copying.export(server, "?kind=hotel&adapter_id=8")
    assert {(i["adapter_id"], i["kind"]) for i in of(items, "source")} == {(8, "hotel")}
    assert {i["kind"] for i in of(items, "dict")} == {"hotel", "country", "city", "hotel_category"}
    assert of(copying.export(server, "?kind=currency&adapter_id=9")[0], "source") == []


@pytest.mark.parametrize("query, field", [("kind=x", "kind"), ("adapter_id=99", "adapter_id"),
                                          ("adapter_id=21", "adapter_id")])
def test_f9_bad_parameters(server, query, field):
    client.assert_error(server.b("export/sources?" + query), 400, field)


def test_f9_needs_a_key_and_answers_head(server):
    client.assert_error(server.request("/v1/export/sources"), 403)
    head = server.b("export/sources", method="HEAD")
    assert head.status == 200 and head.body == b""
    assert copying.export(server)


def test_f10_one_version_while_writers_go_on(own_pair):
    """Each commit gives two sources the same name: no export shows one of them without the other."""
    server, write, stop = own_pair
    writer = threading.Thread(target=write)
    writer.start()
    for _ in range(30):
        named = {i["id"]: i["source"]["name"] for i in of(copying.export(server, "?adapter_id=8")[0], "source")}
        assert named["first"] == named["last"]
    stop.set()
    writer.join()


@pytest.fixture
def own_pair(make_server, mini, run, import_file):
    server = make_server(mini)
    stop = threading.Event()

    def pair(n):
        return [source(id, adapter=8, name=f"version {n}") for id in ("first", *(f"m{m}" for m in range(20)), "last")]

    def write():
        n = 0
        while not stop.is_set():
            n += 1
            lines = "".join(json.dumps(record) + "\n" for record in pair(n)).encode()
            assert run("import", "--create", "-", "--data", server.data, stdin=lines).returncode == 0

    import_file(server.data, pair(0))
    yield server, write, stop
    stop.set()


@pytest.mark.store_core
def test_f10_changes_follow_the_cursor_of_the_export(make_server, mini, import_file):
    server = make_server(mini)
    _, cursor = copying.export(server)
    assert server.b(f"changes?since={cursor}").data() == {"items": [], "cursor": cursor, "more": False}
    import_file(server.data, [source("n")])
    assert [i["id"] for i in server.b(f"changes?since={cursor}").data()["items"]] == ["n"]


def test_f11_memory_does_not_grow_with_the_export(large):
    copying.export(large, "?adapter_id=8")
    before = usage.memory(large.pid)
    items, _ = copying.export(large)
    assert len(of(items, "source")) > 30000
    assert usage.memory(large.pid) - before < 48 << 20


class Slow:
    """A client that takes an export at its own pace."""

    def __init__(self, server, key=None):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=client.PATIENCE)
        self.connection.request("GET", "/v1/export/sources", headers={client.HEADER["b"]: key or server.key_b})
        self.answer = self.connection.getresponse()

    def close(self):
        self.connection.close()
        self.answer.close()


@pytest.mark.heavy
def test_f11_two_at_once_and_a_third_is_told_to_come_back(large):
    slow = [Slow(large), Slow(large)]
    assert [s.answer.status for s in slow] == [200, 200]
    response = large.b("export/sources")
    client.assert_error(response, 503, reason="busy")
    assert int(response.headers["Retry-After"]) > 0
    assert large.b("changes?since=now").status == 200, "the feed has readers of its own"
    slow[0].close()
    assert client.wait_until(lambda: large.b("export/sources?kind=meal").status == 200)
    rest = slow[1].answer.read()
    assert json.loads(rest.splitlines()[-1])["type"] == "end"
    slow[1].close()
    items, _ = copying.export(large)
    assert len(rest.splitlines()) == len(items) + 2


def another_key(server, new_key):
    key = new_key(server.data, "b")["key"]
    assert client.wait_until(lambda: server.b("changes?since=now", key=key).status == 200)
    return key


def test_f11_unread_exports_of_a_key_are_its_own_affair(large, new_key):
    slow = [Slow(large), Slow(large)]
    client.assert_error(large.b("export/sources"), 503, reason="busy")
    response = large.b("export/sources?kind=meal", key=another_key(large, new_key))
    assert response.status == 200 and json.loads(response.body.splitlines()[-1])["type"] == "end"
    for s in slow:
        s.close()
    assert client.wait_until(lambda: large.b("export/sources?kind=meal").status == 200)


def test_f11_eight_at_once_in_all(large, new_key):
    slow = [Slow(large, key) for key in [another_key(large, new_key) for _ in range(4)] for _ in range(2)]
    assert [s.answer.status for s in slow] == [200] * 8
    client.assert_error(large.b("export/sources"), 503, reason="busy")
    slow[0].close()
    assert client.wait_until(lambda: large.b("export/sources?kind=meal").status == 200)
    for s in slow:
        s.close()
    assert client.wait_until(lambda: large.b("export/sources?kind=meal").status == 200)


def readers_of(data):
    """How many transactions are open at the store, or whether one keeps SQLite's log from being emptied."""
    if store.POSTGRES is not None:
        return store.manage("SELECT count(*) FROM pg_stat_activity WHERE xact_start IS NOT NULL AND pid <> pg_backend_pid() "
                            f"AND datname = '{store.name_of(data)}'")[0][0]
    with contextlib.closing(sqlite3.connect(data / "dragoman.db", timeout=0, isolation_level=None)) as db:
        return db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]


def test_f11_who_reads_slowly_holds_nothing_of_the_store(large, new_key, import_file):
    """Neither SQLite's log nor PostgreSQL's dead rows wait for a client."""
    slow = [Slow(large, key) for key in [another_key(large, new_key) for _ in range(2)] for _ in range(2)]
    assert [s.answer.status for s in slow] == [200] * 4
    import_file(large.data, [source("written meanwhile")])
    client.wait_until(lambda: registration.is_registered(large, "hotel", "written meanwhile"))
    assert client.wait_until(lambda: readers_of(large.data) == 0)
    for s in slow:
        lines = s.answer.read().splitlines()
        assert json.loads(lines[-1])["type"] == "end" and len(lines) == json.loads(lines[-1])["items"] + 2
        assert b"written meanwhile" not in s.answer.read()
        s.close()


@pytest.mark.heavy
@pytest.mark.files
def test_f11_the_log_has_a_bound_though_exports_always_overlap(make_server, large, new_key, import_file):
    """16 imports write some 500 MB into SQLite's log, which is emptied only while nobody reads. 96 MiB, and what is written until the
    exports have been read that have begun."""
    server = make_server(None, data=large.data)
    keys, over, longest, complete = [another_key(server, new_key) for _ in range(2)], threading.Event(), [], []

    def export(key):
        while not over.is_set():
            complete.append(server.b("export/sources", key=key).body.count(b"\n"))

    def look():
        while not over.wait(0.02):
            longest.append((large.data / "dragoman.db-wal").stat().st_size)

    threads = [threading.Thread(target=export, args=(key,)) for key in [*keys, *keys]] + [threading.Thread(target=look)]
    for thread in threads:
        thread.start()
    try:
        for n in range(16):
            import_file(large.data, [source(f"h{i}", category_name=f"{n}" * 200) for i in range(30000)])
    finally:
        over.set()
        for thread in threads:
            thread.join()
    assert len(complete) > 4 and min(complete) > 30000
    assert max(longest) < 256 << 20, max(longest) >> 20


@pytest.mark.parametrize("what", [("export",), ("map", "list"), ("map", "list", "--format", "csv"), ("map", "list", "--format", "ndjson")])
def test_f11_a_command_holds_nothing_while_its_output_is_not_read(large, what):
    """Its pipe is full, and nobody empties it."""
    call = command(*what, "--data", large.data)
    with subprocess.Popen(call, stdout=subprocess.PIPE) as process:
        first = process.stdout.read(1)
        assert client.wait_until(lambda: readers_of(large.data) == 0)
        assert process.poll() is None, "the output fits into a pipe"
        rest = process.stdout.read()
    assert process.returncode == 0
    with tempfile.TemporaryFile() as file:  # which takes it at once
        subprocess.run(call, check=True, stdout=file)
        file.seek(0)
        assert first + rest == file.read()


@pytest.mark.heavy
def test_f11_exports_take_no_place_of_files_for_curators(large, new_key):
    curator = new_key(large.data, "b", "--role", "curator", "--secret")
    headers = {client.HEADER["b"]: curator["key"], "X-Service-Api-Secret": curator["secret"]}
    assert client.wait_until(lambda: large.request("/v1/curate/changes?since=now", headers=headers).status == 200)
    slow = [Slow(large, key) for key in [another_key(large, new_key) for _ in range(4)] for _ in range(2)]
    assert [s.answer.status for s in slow] == [200] * 8
    client.assert_error(large.b("export/sources"), 503, reason="busy")
    assert large.request("/v1/curate/records?adapter_id=7&kind=meal", headers=headers).status == 200
    for s in slow:
        s.close()


def test_f11_clients_that_go_away_free_their_place(large):
    for _ in range(10):
        slow = Slow(large)
        slow.answer.read(100)
        slow.close()
        assert client.wait_until(lambda: large.b("export/sources?kind=meal").status == 200)
    copying.export(large)


def test_f11_a_cut_export_can_be_told(make_server, large, mini, servers):
    """A stop lets exports go on for a while, then cuts them: the chunks have no end."""
    server = make_server(None, data=large.data)
    slow = Slow(server)
    slow.answer.read(1000)
    server.process.popen.terminate()
    assert server.process.popen.wait(client.PATIENCE) == 0
    with pytest.raises((http.client.IncompleteRead, ConnectionResetError)):
        while slow.answer.read(1 << 16):
            pass
    slow.close()
