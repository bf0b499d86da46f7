"""GET curate/air, POST curate/airMap: decision C9."""
import pytest

import air
import client
import mapping
from client import eventually
from curating import Desk

pytestmark = pytest.mark.store

PLACES = [air.place(101, "NYC", "New York", "city", "US", weight=20000),
          air.place(102, "JFK", {"en": "John F. Kennedy International Airport"}, city_code="NYC", country_code="US", lat=40.64, lng=-73.78, weight=9000),
          air.place(103, "LGA", {"en": "LaGuardia Airport"}, city_code="NYC", country_code="US", lat=40.78, lng=-73.87, weight=4000)]
ODD = "<b>Kenedy</b> Intl \"NY\""


@pytest.fixture
def data(run, import_file, tmp_path):
    air.import_lines(import_file, tmp_path, tmp_path, *air.COUNTRIES, {"type": "dict", "kind": "country", "id": 3, "name": "United States", "iso_alpha_2": "US"},
                     *air.ADAPTERS, *PLACES)
    return mapping.Data(run, tmp_path)


@pytest.fixture
def keys(new_key, data):
    return {"desk": new_key(data.path, "b", "--secret", "--role", "curator"),
            "other": new_key(data.path, "b", "--secret", "--role", "curator", "--adapter", "21"),
            "reads": new_key(data.path, "b", "--secret", "--role", "curator", "--reads", "aerofeed"),
            "registrar": new_key(data.path, "b", "--secret", "--role", "registrar")}


@pytest.fixture
def desk(make_server, data, keys):
    return Desk(make_server(None, data=data.path), keys["desk"])


def report(desk, **said):
    assert air.match(desk.server, **{"adapter_id": 22, **said}) is None


def items(desk, n=None, **parameters):
    def found():
        told = desk.get("air", **parameters).data()
        return told["items"] if n is None or len(told["items"]) == n else None
    return eventually(found) if n else found()


def set_map(desk, external_id, source_id, adapter=22, **more):
    return desk.post("airMap", {"adapter_id": adapter, "external_id": external_id, "source_id": source_id, **more})


def test_c9_reports_with_candidates(desk, data):
    report(desk, external_id="K-1", title="John F. Kenedy Intl (NY)")
    report(desk, external_id="K-1", title="John F. Kenedy Intl (NY)")
    report(desk, external_id="K-1", title=ODD, lang_code="de")
    report(desk, title="Nowhere at all")
    found = items(desk, 2)
    first, without = sorted(found, key=lambda i: i["external_id"] is None)
    assert (first["adapter_id"], first["adapter"], first["external_id"], first["count"]) == (22, "AeroFeed", "K-1", 3)
    assert [(r["title"], r["lang_code"], r["count"]) for r in first["reports"]] == [("John F. Kenedy Intl (NY)", "en", 2), (ODD, "de", 1)]
    best = first["candidates"][0]
    assert (best["source_id"], best["code"], best["type"], best["city"]["title"], best["country"]["title"]) == (102, "JFK", "apt", "New York", "United States")
    assert best["points"] > 0 and first["outcome"] in ("automatic", "ask") and first["explanation"]
    assert (without["reports"][0]["title"], without["candidates"], without["outcome"]) == ("Nowhere at all", [], None)
    assert items(desk, adapter_id=21) == []
    told = desk.get("air", limit=1).data()
    assert (len(told["items"]), told["more"], told["total"]) == (1, True, 3)


def test_c9_places_by_name(desk, keys):
    def found(q, **more):
        return [p["code"] for p in desk.get("airPlaces", q=q, **more).data()["items"]]

    assert found("kennedy") == ["JFK"] and found("LGA")[0] == "LGA" and found("new york")[0] == "NYC"
    assert len(found("new york", limit=1)) == 1 and found("nowhere at all") == []
    (place,) = desk.get("airPlaces", q="kennedy", lang="en").data()["items"]
    assert (place["source_id"], place["type"], place["city"]["title"], place["country"]["title"]) == (102, "apt", "New York", "United States")
    assert [p["code"] for p in Desk(desk.server, keys["reads"]).get("airPlaces", q="kennedy").data()["items"]] == ["JFK"]
    client.assert_error(desk.get("airPlaces"), 400, "q", "missing_field")
    client.assert_error(desk.get("airPlaces", q="x", limit=101), 400, "limit", "out_of_range")
    client.assert_error(Desk(desk.server, keys["registrar"]).get("airPlaces", q="x"), 403, None, "role_not_allowed")


def test_c9_mapped_and_taken_back(desk, data):
    report(desk, external_id="K-1", title="John F. Kenedy Intl (NY)")
    items(desk, 1)
    done = set_map(desk, "K-1", "102", was=None, by="olena", why="it says so").data()
    assert (done["result"], done["was"], done["is"], done["reports"]) == ("done", None, 102, 1)
    batch = desk.get("batches").data()["items"][0]
    assert (batch["id"], batch["by"], batch["why"], batch["what"]) == (done["batch"], "olena", "it says so", "decide")
    assert items(desk) == []
    assert air.match(desk.server, adapter_id=22, external_id="K-1", title="x") == 102
    client.assert_error(set_map(desk, "K-1", 103, was=None), 409, "external_id", "changed_since")
    assert set_map(desk, "K-1", 102, was=102).data() == {"result": "same", "was": 102, "is": 102, "reports": 0, "batch": None}
    assert set_map(desk, "K-1", 103).data()["was"] == 102
    assert set_map(desk, "K-1", None, was=103).data()["is"] is None
    report(desk, external_id="K-1", title="John F. Kenedy Intl (NY)")
    assert items(desk, 1)[0]["candidates"][0]["source_id"] == 102  # though it was taken away once
    client.assert_error(set_map(desk, "K-1", None), 404, "external_id", "not_found")
    second = set_map(desk, "K-1", 102).data()["batch"]
    undone = desk.post("batchUndo", {"batch": second}).data()
    assert undone["removed"] + undone["restored"] == 1
    assert eventually(lambda: air.match(desk.server, adapter_id=22, external_id="K-1", title="x") is None)
    data.is_sound()


def test_c9_what_is_wrong(desk):
    client.assert_error(set_map(desk, "K-1", 999), 404, "source_id", "not_found")
    client.assert_error(set_map(desk, "K-1", 102, adapter=7), 400, "adapter_id", "unknown_adapter")
    client.assert_error(set_map(desk, "K-1", "K-2"), 400, "source_id", "bad_integer")
    client.assert_error(set_map(desk, "", 102), 400, "external_id")
    client.assert_error(set_map(desk, "K-1", 102, by="x" * 201), 400, "by")
    client.assert_error(desk.post("airMap", {"adapter_id": 22, "external_id": "x"}), 400, "source_id", "missing_field")
    client.assert_error(desk.post("airMap", {"external_id": "x", "source_id": 1}), 400, "adapter_id", "missing_field")
    client.assert_error(desk.post("airMap", [1]), 400, "body", "bad_body")
    client.assert_error(desk.get("air", limit=0), 400, "limit")
    client.assert_error(desk.get("air", adapter_id=7), 400, "adapter_id", "unknown_adapter")


def test_c9_who_may(desk, keys):
    def of(name):
        return Desk(desk.server, keys[name])
    report(desk, external_id="K-1", title="John F. Kenedy Intl (NY)")
    items(desk, 1)
    client.assert_error(set_map(of("other"), "K-1", 102), 403, "adapter_id", "adapter_not_allowed")
    client.assert_error(of("reads").get("air"), 403, "adapter_id", "adapter_not_allowed")
    client.assert_error(of("reads").get("air", adapter_id=21), 403, "adapter_id", "adapter_not_allowed")
    assert len(of("reads").get("air", adapter_id=22).data()["items"]) == 1
    assert of("registrar").get("air").status == set_map(of("registrar"), "K-1", 102).status == 403
    assert items(desk) != []
