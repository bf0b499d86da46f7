"""The matcher in a running server: decision M36, docs/matching.md."""
import json
import shutil

import pytest

import mapping
import registration
import store
from client import eventually
from conftest import Server
from test_match import PLACES, dict_hotels, near, source


@pytest.fixture
def place(import_file, tmp_path, run):
    import_file(tmp_path, PLACES + dict_hotels())
    return mapping.Data(run, tmp_path)


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


def queue(place):
    return {q["id"]: q for q in map(json.loads, place.ok("match", "queue", "--format", "ndjson").splitlines())}


def shows(server, id):
    """What the server's answers say the hotel is."""
    found = registration.source_info(server, 1, hotel=[id])["hotel"][0]["dict"]
    return found and found["id"]


def add(server, *hotels, **more):
    registration.source_add(server, adapter_id=1, hotel=list(hotels), **more).data()


def test_m36_what_sourceadd_brings_is_mapped(make_server, place):
    server = make_server(None, "--match", "auto", data=place.path)
    add(server, hotel("1", "Orkide Resort"), hotel("2", "Defne Villas"))
    is_matched(server)
    assert place.mapped_to(1, "hotel", "1") == 100
    (event,) = place.of("mapping_event")
    assert event["how"] == "match" and event["by"] == "dragoman serve" and event["why"].startswith("automatic, ")
    assert queue(place)["2"]["dict_id"] == 105
    place.is_sound()
    server.stop()
    place.ok("batch", "undo", event["batch"])
    assert place.mapped_to(1, "hotel", "1") is None


def test_m36_what_was_taken_back_asks(make_server, place):
    server = make_server(None, "--match", "auto", data=place.path)
    add(server, hotel("1", "Orkide Resort"))
    is_matched(server)
    assert place.mapped_to(1, "hotel", "1") == 100
    (event,) = place.of("mapping_event")
    place.ok("batch", "undo", event["batch"])
    is_matched(server)
    assert queue(place)["1"]["reason"] == "sure"
    add(server, hotel("2", "Pamfilya Konak"))
    is_matched(server)
    assert place.mapped_to(1, "hotel", "2") == 101
    assert place.mapped_to(1, "hotel", "1") is None


def test_m36_by_default_it_only_suggests(processes, place, new_key):
    keys = {"a": new_key(place.path, "a"), "b": new_key(place.path, "b", "--secret")}
    server = Server(processes(data=place.path), place.path, keys)
    add(server, hotel("1", "Orkide Resort"))
    is_matched(server)
    assert queue(place)["1"]["reason"] == "sure"
    assert place.mapped_to(1, "hotel", "1") is None and place.of("mapping_event") == []
    place.ok("match", "accept", 1, "hotel", "1")
    assert place.mapped_to(1, "hotel", "1") == 100 and queue(place) == {}
    server.stop()


def test_m36_off(make_server, place):
    """Another server, whose matcher looks, is asked later and has an answer before."""
    server = make_server(None, "--match", "off", data=place.path)
    add(server, hotel("1", "Orkide Resort"))
    other = make_server(None, "--match", "suggest", data=place.path)
    looks(other)
    add(server, hotel("2", "Pamfilya Konak"))
    is_matched(other)
    assert list(queue(place)) == ["2"] and place.of("mapping_event") == [] and matched(server) is None


def test_m36_what_an_import_brings_and_what_uses_it(make_server, place, import_file):
    server = make_server(None, "--match", "auto", data=place.path)
    looks(server)
    import_file(place.path, [{"type": "dict", "kind": "hotel", "id": 500, "name": "Brand New Palas", "country_id": 1, "city_id": 10,
                              "hotel_category_id": 5, "lat": 36.7, "lng": 31.3},
                             source(1, "Brand New Palas"), source(2, "Meridia Beach", adapter=2, **near(3)),
                             {"type": "source", "adapter_id": 1, "kind": "country", "id": "90", "name": "Turkey"}])
    is_matched(server)
    assert place.mapped_to(1, "hotel", "1") == 500
    assert place.mapped_to(2, "hotel", "2") == 103
    assert place.mapped_to(1, "country", "90") == 1


def test_m36_what_people_decided_stands(make_server, place, import_file):
    import_file(place.path, [source(1, "Orkide Resort", dict_id=109), source(2, "Meridia Beach", **near(3))])
    place.map("clear", 1, "hotel", "1")
    place.ok("match", "reject", 1, "hotel", "2", 103)
    server = make_server(None, "--match", "auto", data=place.path)
    looks(server)
    import_file(place.path, [source(1, "Orkide Resort !"), source(2, "Meridia Beach !", **near(3))])
    add(server, hotel("3", "Zeytin Hotel"))
    is_matched(server)
    assert place.mapped_to(1, "hotel", "3") == 104
    assert place.mapped_to(1, "hotel", "1") is None and place.mapped_to(1, "hotel", "2") is None


def test_m36_a_hotel_that_another_record_of_the_supplier_is_asks(make_server, place, import_file):
    import_file(place.path, [source(1, "Whatever", dict_id=100)])
    server = make_server(None, "--match", "auto", data=place.path)
    add(server, hotel("2", "Orkide Resort"))
    is_matched(server)
    assert queue(place)["2"]["reason"] == "veto_claimed"
    import_file(place.path, [source(3, "Meridia Beach", **near(3)), source(4, "Meridia Beach Hotel", **near(3))])
    is_matched(server)
    assert {id: q["reason"] for id, q in queue(place).items()} == dict.fromkeys("234", "veto_claimed")


def test_m36_two_servers_decide_once(make_server, place):
    first = make_server(None, "--match", "auto", data=place.path)
    second = make_server(None, "--match", "auto", data=place.path)
    names = [h["name"]["en"] if isinstance(h["name"], dict) else h["name"] for h in dict_hotels()]
    for server, ids in ((first, range(5)), (second, range(5, 10))):
        add(server, *(hotel(str(i), names[i]) for i in ids))
    is_matched(first)
    is_matched(second)
    assert {r["id"]: r.get("dict_id") for r in place.of("source", kind="hotel")} == {str(i): 100 + i for i in range(10)}
    assert len(place.of("mapping_event")) == 10
    place.is_sound()


@pytest.mark.skipif(store.POSTGRES is not None, reason="puts another file in place")
def test_m36_a_store_that_was_replaced_is_read_anew(make_server, place, import_file, tmp_path_factory):
    def brand_new(id, name):
        return {**dict_hotels()[0], "id": id, "name": name, "lat": 36.7, "lng": 31.3}

    other = tmp_path_factory.mktemp("other")
    shutil.copy(place.path / "dragoman.db", other)
    import_file(other, [brand_new(500, "Kayalar Otel"), brand_new(501, "Brand New Palas")])
    for n in range(6):  # further than the first will come
        import_file(other, [{**PLACES[1], "name": f"Other {n}"}])
    server = make_server(None, "--match", "auto", data=place.path)
    looks(server)
    import_file(place.path, [brand_new(500, "Brand New Palas"), source(1, "Brand New Palas")])
    is_matched(server)
    assert place.mapped_to(1, "hotel", "1") == 500
    eventually(lambda: shows(server, "1") == 500)  # a commit that is not shown yet keeps the matcher waiting for ten seconds
    for path in place.path.glob("dragoman.db*"):
        if path.suffix != ".lock":
            path.unlink()
    (other / "dragoman.db").rename(place.path / "dragoman.db")
    is_matched(server)
    import_file(place.path, [source(2, "Brand New Palas")])
    is_matched(server)
    assert place.mapped_to(1, "hotel", "2") == 501


def test_m36_a_stop_does_not_wait_for_the_reference(make_server, place, import_file):
    """60,000 hotels are read for a second: a stop after the first leaves it."""
    import_file(place.path, [{**dict_hotels()[0], "id": n, "name": f"Hotel {n} Palace of the {n % 977} Winds"}
                             for n in range(1000, 61000)])
    server = make_server(None, "--match", "suggest", "--log-level", "debug", data=place.path)
    add(server, hotel("1", "Orkide Resort"))
    eventually(lambda: "reading the reference to match with" in server.process.stderr())
    server.stop()
    before, stopping, after = server.process.stderr().partition("stopping:")
    assert stopping and "the reference to match with: read" not in after, "it was read to the end"
    assert queue(place) == {} or "the reference to match with: read" in before


def test_m36_a_record_that_cannot_be_read_keeps_no_other_waiting(make_server, place, import_file):
    server = make_server(None, "--match", "auto", data=place.path)
    add(server, hotel("1", "Orkide Resort"))
    is_matched(server)
    assert place.mapped_to(1, "hotel", "1") == 100
    for kind, id, name, to in ((99, "2", "Meridia Beach", "103"), (-1, "3", "Zeytin Hotel", "104")):
        seq = int(store.execute(place.path, "SELECT seq FROM clock")[-1][0]) + 1
        store.execute(place.path, "INSERT INTO source (deleted, seq, created_seq, data_seq, mapped_seq, adapter_id, kind, id, name) VALUES "
                      f"(0, {seq}, {seq}, {seq}, 0, 1, {kind}, 'x', 'x')", f"UPDATE clock SET seq = {seq}")
        import_file(place.path, [source(id, name, **near(int(to) - 100))])
        is_matched(server)
        assert store.execute(place.path, f"SELECT dict_id FROM source WHERE adapter_id = 1 AND id = '{id}'") == [[to]]
