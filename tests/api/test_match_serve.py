"""The matcher in a running server: decision M36, docs/matching.md."""
import contextlib
import json
import os
import shutil
import signal

import pytest

import registration
import store
from client import eventually, wait_until
from conftest import Server
from curating import Desk, about
from hotels import PLACES, dict_hotels, near, source

pytestmark = pytest.mark.store

#: What `data` has.
RECORDS = PLACES + dict_hotels()


def matched(server):
    """The version up to which the server's matcher has looked; None: it has not, or is off."""
    return server.request("/readyz").json()["matched"]


def is_matched(server):
    """Wait until the server's matcher has looked at what is in the store now."""
    version = int(store.execute(server.data, "SELECT seq FROM clock")[-1][0])
    eventually(lambda: (matched(server) or 0) >= version)


def looks(server):
    """Wait until the matcher has begun: what was there before is not its own."""
    eventually(lambda: matched(server) is not None)


def hotel(id, name, **more):
    return registration.element("hotel", id, name=name, country_name="TURKEY", city_name="SIDE", **more)


def queue(data):
    return {q["id"]: q for q in map(json.loads, data.ok("match", "queue", "--format", "ndjson").splitlines())}


def shows(server, id):
    """What the server's answers say the hotel is."""
    found = registration.source_info(server, 1, hotel=[id])["hotel"][0]["dict"]
    return found and found["id"]


def add(server, *hotels, **more):
    registration.source_add(server, adapter_id=1, hotel=list(hotels), **more).data()


def test_m36_what_sourceadd_brings_is_mapped(make_server, data):
    server = make_server(None, "--match", "auto", data=data.path)
    add(server, hotel("1", "Orkide Resort"), hotel("2", "Defne Villas"))
    is_matched(server)
    assert data.mapped_to(1, "hotel", "1") == 100
    (event,) = data.of("mapping_event")
    assert event["how"] == "match" and event["by"] == "dragoman serve" and event["why"].startswith("automatic, ")
    assert queue(data)["2"]["dict_id"] == 105
    data.is_sound()
    server.stop()
    data.ok("batch", "undo", event["batch"])
    assert data.mapped_to(1, "hotel", "1") is None


def test_m36_what_was_taken_back_asks(make_server, data):
    server = make_server(None, "--match", "auto", data=data.path)
    add(server, hotel("1", "Orkide Resort"))
    is_matched(server)
    assert data.mapped_to(1, "hotel", "1") == 100
    (event,) = data.of("mapping_event")
    data.ok("batch", "undo", event["batch"])
    is_matched(server)
    assert queue(data)["1"]["reason"] == "sure"
    add(server, hotel("2", "Pamfilya Konak"))
    is_matched(server)
    assert data.mapped_to(1, "hotel", "2") == 101
    assert data.mapped_to(1, "hotel", "1") is None


def test_m36_by_default_it_only_suggests(processes, data, new_key):
    keys = {"a": new_key(data.path, "a"), "b": new_key(data.path, "b", "--secret")}
    server = Server(processes(data=data.path), data.path, keys)
    add(server, hotel("1", "Orkide Resort"))
    is_matched(server)
    assert queue(data)["1"]["reason"] == "sure"
    assert data.mapped_to(1, "hotel", "1") is None and data.of("mapping_event") == []
    data.ok("match", "accept", 1, "hotel", "1")
    assert data.mapped_to(1, "hotel", "1") == 100 and queue(data) == {}
    server.stop()


def test_m36_off(make_server, data):
    """Another server, whose matcher looks, is asked later and has an answer before."""
    server = make_server(None, "--match", "off", data=data.path)
    add(server, hotel("1", "Orkide Resort"))
    other = make_server(None, "--match", "suggest", data=data.path)
    looks(other)
    add(server, hotel("2", "Pamfilya Konak"))
    is_matched(other)
    assert list(queue(data)) == ["2"] and data.of("mapping_event") == [] and matched(server) is None


def test_m36_what_an_import_brings_and_what_uses_it(make_server, data, import_file):
    server = make_server(None, "--match", "auto", data=data.path)
    looks(server)
    import_file(data.path, [{"type": "dict", "kind": "hotel", "id": 500, "name": "Brand New Palas", "country_id": 1, "city_id": 10,
                              "hotel_category_id": 5, "lat": 36.7, "lng": 31.3},
                             source(1, "Brand New Palas"), source(2, "Meridia Beach", adapter=2, **near(3)),
                             {"type": "source", "adapter_id": 1, "kind": "country", "id": "90", "name": "Turkey"}])
    is_matched(server)
    assert data.mapped_to(1, "hotel", "1") == 500
    assert data.mapped_to(2, "hotel", "2") == 103
    assert data.mapped_to(1, "country", "90") == 1


def test_m36_what_people_decided_stands(make_server, data, import_file):
    import_file(data.path, [source(1, "Orkide Resort", dict_id=109), source(2, "Meridia Beach", **near(3))])
    data.map("clear", 1, "hotel", "1")
    data.ok("match", "reject", 1, "hotel", "2", 103)
    server = make_server(None, "--match", "auto", data=data.path)
    looks(server)
    import_file(data.path, [source(1, "Orkide Resort !"), source(2, "Meridia Beach !", **near(3))])
    add(server, hotel("3", "Zeytin Hotel"))
    is_matched(server)
    assert data.mapped_to(1, "hotel", "3") == 104
    assert data.mapped_to(1, "hotel", "1") is None and data.mapped_to(1, "hotel", "2") is None


def test_m36_a_hotel_that_another_record_of_the_supplier_is_asks(make_server, data, import_file):
    import_file(data.path, [source(1, "Whatever", dict_id=100)])
    server = make_server(None, "--match", "auto", data=data.path)
    add(server, hotel("2", "Orkide Resort"))
    is_matched(server)
    assert queue(data)["2"]["reason"] == "veto_claimed"
    import_file(data.path, [source(3, "Meridia Beach", **near(3)), source(4, "Meridia Beach Hotel", **near(3))])
    is_matched(server)
    assert {id: q["reason"] for id, q in queue(data).items()} == dict.fromkeys("234", "veto_claimed")


@pytest.mark.store_core
def test_m36_two_servers_decide_once(make_server, data):
    first = make_server(None, "--match", "auto", data=data.path)
    second = make_server(None, "--match", "auto", data=data.path)
    names = [h["name"]["en"] if isinstance(h["name"], dict) else h["name"] for h in dict_hotels()]
    for server, ids in ((first, range(5)), (second, range(5, 10))):
        add(server, *(hotel(str(i), names[i]) for i in ids))
    is_matched(first)
    is_matched(second)
    assert {r["id"]: r.get("dict_id") for r in data.of("source", kind="hotel")} == {str(i): 100 + i for i in range(10)}
    assert len(data.of("mapping_event")) == 10
    data.is_sound()


@contextlib.contextmanager
def hanging(server, data, clock):
    """Stopped at a moment when it does not hold the store, which would keep everybody from writing, and for so long that its right to match
    ends and the reference may be read again, but is still kept. That time passes at once, while nobody reads: how long a reading took decides
    when the next may begin."""
    def stopped():
        os.kill(server.pid, signal.SIGSTOP)
        if data.run("key", "create", "--api", "a", "--lock-timeout", "1").returncode == 0:
            return True
        os.kill(server.pid, signal.SIGCONT)
        return False

    assert wait_until(stopped)
    clock.advance(200)
    try:
        yield
    finally:
        os.kill(server.pid, signal.SIGCONT)


@pytest.mark.store_core
def test_m36_what_one_server_does_not_match_another_does_and_nothing_twice(make_server, data, clock):
    """Whoever had the right: in the second turn it is the one that hangs."""
    servers = [make_server(None, "--match", "suggest", data=data.path) for _ in range(2)]
    for n, server in enumerate(servers):
        looks(server)
        add(server, hotel(str(n), "Orkide Resort"))
    for server in servers:
        is_matched(server)
    store.note_written(data.path, "suggestion")
    for n, (hangs, asked) in enumerate([servers, servers[::-1]], 2):
        with hanging(hangs, data, clock):
            add(asked, hotel(str(n), "Defne Villas"))
            eventually(lambda n=n: str(n) in queue(data))
            is_matched(asked)
        is_matched(hangs)
    assert "this server matches new records now" in servers[0].process.stderr()
    add(servers[1], hotel("4", "Pamfilya Konak"))
    for server in servers:
        is_matched(server)
    assert sorted(queue(data)) == list("01234")
    assert store.written(data.path) == 3


@pytest.mark.heavy
def test_m36_who_matches_again_knows_what_came_meanwhile(make_server, data, clock, import_file):
    """A hotel that came while another matched: what was kept of the reference is of before."""
    first, second = [make_server(None, "--match", "suggest", data=data.path) for _ in range(2)]
    looks(first)
    with hanging(second, data, clock):
        add(first, hotel("1", "Orkide Resort"))
        is_matched(first)
    with hanging(first, data, clock):
        import_file(data.path, [{"type": "dict", "kind": "hotel", "id": 500, "name": "Brand New Palas", "country_id": 1, "city_id": 10,
                                  "hotel_category_id": 5, "lat": 36.7, "lng": 31.3}])
        import_file(data.path, [source(n, f"Hotel of the {n} Winds") for n in range(1000, 2200)])  # more than are matched together
        import_file(data.path, [source(2, "Defne Villas")])
        eventually(lambda: "2" in queue(data))
        is_matched(second)
    is_matched(first)
    with hanging(second, data, clock):
        add(first, hotel("3", "Brand New Palas"))
        eventually(lambda: "3" in queue(data))
    assert queue(data)["3"]["dict_id"] == 500


@pytest.mark.store_core
def test_m36_what_came_while_no_server_ran_is_matched(make_server, data, import_file):
    server = make_server(None, "--match", "suggest", data=data.path)
    looks(server)
    server.stop()
    import_file(data.path, [source(1, "Orkide Resort")])
    server = make_server(None, "--match", "suggest", data=data.path)
    is_matched(server)
    assert list(queue(data)) == ["1"]


@pytest.mark.store_core
def test_m35_a_suggestion_that_is_the_same_is_not_written(data, import_file):
    import_file(data.path, [source(1, "Orkide Resort"), source(2, "Defne Villas")])
    data.ok("match")
    kept = queue(data)
    assert kept
    store.note_written(data.path, "suggestion")
    data.ok("match")
    assert queue(data) == kept and store.written(data.path) == 0


@pytest.mark.skipif(store.POSTGRES is not None, reason="puts another file in data")
def test_m36_a_store_that_was_replaced_is_read_anew(make_server, data, import_file, tmp_path_factory):
    def brand_new(id, name):
        return {**dict_hotels()[0], "id": id, "name": name, "lat": 36.7, "lng": 31.3}

    other = tmp_path_factory.mktemp("other")
    shutil.copy(data.path / "dragoman.db", other)
    import_file(other, [brand_new(500, "Kayalar Otel"), brand_new(501, "Brand New Palas")])
    for n in range(6):  # further than the first will come
        import_file(other, [{**PLACES[1], "name": f"Other {n}"}])
    server = make_server(None, "--match", "auto", data=data.path)
    looks(server)
    import_file(data.path, [brand_new(500, "Brand New Palas"), source(1, "Brand New Palas")])
    is_matched(server)
    assert data.mapped_to(1, "hotel", "1") == 500
    eventually(lambda: shows(server, "1") == 500)  # a commit that is not shown yet keeps the matcher waiting for ten seconds
    for path in data.path.glob("dragoman.db*"):
        if path.suffix != ".lock":
            path.unlink()
    (other / "dragoman.db").rename(data.path / "dragoman.db")
    is_matched(server)
    import_file(data.path, [source(2, "Brand New Palas")])
    is_matched(server)
    assert data.mapped_to(1, "hotel", "2") == 501


@pytest.mark.heavy
def test_m36_a_stop_does_not_wait_for_the_reference(make_server, data, import_file):
    """60,000 hotels are read for a second: a stop after the first leaves it."""
    import_file(data.path, [{**dict_hotels()[0], "id": n, "name": f"Hotel {n} Palace of the {n % 977} Winds"}
                             for n in range(1000, 61000)])
    server = make_server(None, "--match", "suggest", "--log-level", "debug", data=data.path)
    add(server, hotel("1", "Orkide Resort"))
    eventually(lambda: "reading the reference to match with" in server.process.stderr())
    server.stop()
    before, stopping, after = server.process.stderr().partition("stopping:")
    assert stopping and "the reference to match with: read" not in after, "it was read to the end"
    assert queue(data) == {} or "the reference to match with: read" in before


def test_m36_a_record_that_cannot_be_read_keeps_no_other_waiting(make_server, data, import_file):
    server = make_server(None, "--match", "auto", data=data.path)
    add(server, hotel("1", "Orkide Resort"))
    is_matched(server)
    assert data.mapped_to(1, "hotel", "1") == 100
    for kind, id, name, to in ((99, "2", "Meridia Beach", "103"), (-1, "3", "Zeytin Hotel", "104")):
        seq = int(store.execute(data.path, "SELECT seq FROM clock")[-1][0]) + 1
        store.execute(data.path, "INSERT INTO source (deleted, seq, created_seq, data_seq, mapped_seq, adapter_id, kind, id, name) VALUES "
                      f"(0, {seq}, {seq}, {seq}, 0, 1, {kind}, 'x', 'x')", f"UPDATE clock SET seq = {seq}")
        import_file(data.path, [source(id, name, **near(int(to) - 100))])
        is_matched(server)
        assert store.execute(data.path, f"SELECT dict_id FROM source WHERE adapter_id = 1 AND id = '{id}'") == [[to]]


# a new record of the reference, and the open cases that it may be

def roma(id, adapter=1, **more):
    return source(id, "Hotel Roma Antica", adapter, category_name="5*", **more)


def makes_new(desk, id, adapter=1):
    """The id of the record that a person makes of a case."""
    (item,) = desk.decided(about(desk.case_of(id, adapter), "new"))
    assert item["status"] == 200, item
    return item["is"]


@pytest.fixture
def curated(make_server, data, new_key):
    def start(*options):
        key = new_key(data.path, "b", "--secret", "--role", "curator")
        return Desk(make_server(None, *options, data=data.path), key)
    return start


@pytest.mark.store_core
def test_m36_a_new_record_is_a_candidate_of_the_cases_that_fit_it(curated, data, import_file):
    desk = curated("--match", "suggest")
    looks(desk.server)
    import_file(data.path, [roma(1), roma(2, 2), source(3, "Xyzzy Plugh", lat=36.9, lng=31.5), source(4, "ROMA ANTICA", 2, **near(40))])
    is_matched(desk.server)
    assert not any(q["reason"] == "sure" for q in queue(data).values())
    made = makes_new(desk, "1")
    is_matched(desk.server)
    now = queue(data)
    assert (now["2"]["dict_id"], now["2"]["reason"], now["3"]["dict_id"], now["4"]["dict_id"]) == (made, "sure", None, made)
    eventually(lambda: (desk.case_of("2", 2)["best"] or {}).get("id") == made)
    data.is_sound()


def test_m36_a_new_record_is_added_to_the_reference_that_is_in_memory(curated, data, import_file):
    """Reading millions of hotels takes half a minute, so it is not read anew for each."""
    desk = curated("--match", "suggest", "--log-level", "debug")
    looks(desk.server)
    names = [f"Hotel {word} Antica" for word in ("Roma", "Verona", "Siena", "Pisa", "Lucca")]
    import_file(data.path, [source(f"{adapter}{i}", name, adapter, category_name="5*") for adapter in (1, 2) for i, name in enumerate(names)])
    is_matched(desk.server)
    made = {}
    for i in range(len(names)):
        made[i] = makes_new(desk, f"1{i}")
        is_matched(desk.server)
    now = queue(data)
    assert {i: now[f"2{i}"]["dict_id"] for i in made} == made
    assert desk.server.process.stderr().count("the reference to match with: read") == 1


def test_m36_what_is_certain_then_is_mapped(curated, data, import_file):
    desk = curated("--match", "auto")
    looks(desk.server)
    import_file(data.path, [roma(1), roma(2, 2), roma(3)])
    is_matched(desk.server)
    made = makes_new(desk, "1")
    is_matched(desk.server)
    assert data.mapped_to(2, "hotel", "2") == made and queue(data)["3"]["reason"] == "veto_claimed"
    data.is_sound()


def test_m36_a_record_that_is_imported_is_a_candidate_too_and_so_is_one_of_another_kind(curated, data, import_file):
    desk = curated("--match", "suggest")
    looks(desk.server)
    import_file(data.path, [roma(1), {"type": "source", "adapter_id": 1, "kind": "city", "id": "m", "name": "Manavgat", "country_name": "TURKEY"}])
    is_matched(desk.server)
    assert not any(q["reason"] == "sure" for q in queue(data).values())
    import_file(data.path, [{"type": "dict", "kind": "city", "id": 12, "name": {"en": "Manavgat"}, "country_id": 1, "lat": 36.79, "lng": 31.44},
                            {"type": "dict", "kind": "hotel", "id": 900, "name": {"it": "Roma Antica"}, "country_id": 1, "city_id": 10,
                             "hotel_category_id": 5}])
    is_matched(desk.server)
    assert {id: q["dict_id"] for id, q in queue(data).items()} == {"1": 900, "m": 12}


@pytest.mark.heavy
def test_m36_a_record_that_is_gone_again_is_no_candidate(curated, data, import_file):
    desk = curated("--match", "suggest")
    looks(desk.server)
    import_file(data.path, [roma(1), roma(2, 2)])
    is_matched(desk.server)
    (item,) = desk.decided(about(desk.case_of("1"), "new"))
    is_matched(desk.server)
    batch = json.loads(data.ok("batch", "list", "--format", "ndjson").splitlines()[0])["id"]
    data.ok("batch", "undo", batch)
    import_file(data.path, [roma(2, 2, address="1 Some Street")])
    is_matched(desk.server)
    assert queue(data)["2"]["dict_id"] != item["is"] and item["is"] not in data.dict_ids("hotel")
