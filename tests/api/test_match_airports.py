"""dragoman match --kind airport: decision A12, docs/matching.md."""
import csv
import json

import pytest

import air
import mapping
from client import eventually

pytestmark = pytest.mark.store

PLACES = [
    {"type": "dict", "kind": "country", "id": 840, "name": {"en": "United States", "de": "Vereinigte Staaten"}, "iso_alpha_2": "US"},
    air.place(101, "NYC", "New York", "city", "US", weight=3000),
    air.place(102, "JFK", {"en": "John F. Kennedy International Airport"}, country_code="US", city_code="NYC", lat=40.6398, lng=-73.7789,
              weight=900, icao_code="KJFK"),
    air.place(103, "LGA", {"en": "LaGuardia Airport"}, country_code="US", city_code="NYC", lat=40.7772, lng=-73.8726, weight=700),
    air.place(104, "FRD", {"en": "Friday Harbor Airport"}, country_code="US", lat=48.5220, lng=-123.0244, weight=100),
    air.place(105, "FBS", {"en": "Friday Harbor Seaplane Base"}, country_code="US", lat=48.5373, lng=-123.0096, weight=40),
    air.place(107, "LWO", {"en": "Lviv", "pl": "Lwow"}, "city"),
    air.place(108, "LWA", {"en": "Lviv", "pl": "Lwow", "uk": "Danylo Halytskyi"}, city_code="LWO"),
    air.place(106, "GUM", {"en": "Guam International Airport"}, country_code="GU", lat=13.4834, lng=144.7960, weight=300),
]


@pytest.fixture
def data(run, import_file, tmp_path):
    air.import_lines(import_file, tmp_path / "data", tmp_path, *air.ADAPTERS, *air.PLACES, *air.MAPS, *PLACES)
    return mapping.Data(run, tmp_path / "data")


@pytest.fixture
def listed(data, tmp_path):
    """Match a list of rows; what the report says by id."""
    def run(*rows, adapter="aerofeed", options=("--dry-run",)):
        path, report = tmp_path / "list.csv", tmp_path / "report.ndjson"
        names = ["external_id", "name", "iata", "icao", "city", "country", "lat", "lng"]
        with open(path, "w", newline="", encoding="utf-8") as f:
            out = csv.DictWriter(f, names)
            out.writeheader()
            out.writerows({"external_id": f"x{i}", **row} for i, row in enumerate(rows))
        data.out = data.ok("match", "--kind", "airport", adapter, "--list", path, "--report", report, *options)
        return {r["id"]: r for r in map(json.loads, report.read_text("utf-8").splitlines())}
    return run


def maps(data):
    return {(r["adapter_id"], r["external_id"]): r["source_id"] for r in data.of("air_map")}


KENNEDY = {"name": "Kennedy Intl", "city": "New York", "country": "US", "lat": 40.64, "lng": -73.78}


def test_a12_a_bare_name_at_its_place_is_enough_and_nothing_far_is(listed):
    at = {"name": "International Airport", "country": "US", "lat": 40.6398, "lng": -73.7789}
    got = listed({**at, "city": "New York"}, at, {**at, "city": "New York", "lat": 40.66},
                 {"name": "Guam"}, {"name": "Guam International Airport", "lat": 14.0, "lng": 144.796},
                 {"name": "Guam International Airport", "lat": 14.04, "lng": 144.796})
    assert [got[f"x{i}"]["reason"] for i in (0, 1, 2)] == ["sure", "lacks_name", "lacks_name"] and got["x0"]["source_id"] == 102
    assert got["x5"]["reason"] == "veto_far" != got["x4"]["reason"]


def test_a12_a_list_is_mapped_in_one_batch_which_one_command_takes_back(data, listed):
    before = maps(data)
    listed(KENNEDY, {"name": "LA GUARDIA", "city": "NEW YORK", "country": "Vereinigte Staaten", "lat": 40.777, "lng": -73.87}, options=())
    assert "2 automatic" in data.out
    assert maps(data) == {**before, (22, "x0"): 102, (22, "x1"): 103}
    data.is_sound()
    batch = data.out.split("batch undo ")[1].split("'")[0]
    data.ok("batch", "undo", batch)
    assert maps(data) == before
    data.is_sound()


def test_a12_a_second_run_decides_nothing_new_and_what_was_taken_away_stays(data, listed):
    listed(KENNEDY, options=())
    listed(KENNEDY, options=())
    assert "1 mapped before" in data.out and "nothing new" in data.out
    data.ok("air", "unmap", 22, "x0")
    listed(KENNEDY, options=())
    assert "1 left as people decided" in data.out and (22, "x0") not in maps(data)


def test_a12_the_points_of_an_explanation_add_up(listed):
    words = listed({**KENNEDY, "icao": "KJFK"})["x0"]["explanation"]
    head, _, rest = words.partition(" points: ")
    parts = [float(p.split()[-1]) for p in rest.split(", ")[:-1]]
    assert sum(parts) == pytest.approx(float(head.split()[-1]), abs=0.31) and "code +12.0" in words


OUTCOMES = [
    (KENNEDY, "automatic", 102),
    ({"name": "Kennedy"}, "ask", 102),  # which Kennedy?
    ({"name": "John F Kennedy"}, "automatic", 102),
    ({"name": "Kennedy Intl", "city": "New York", "country": "FR", "lat": 40.64, "lng": -73.78}, "automatic", 102),  # whose it is counts less
    ({"name": "John F Kennedy", "country": "FR"}, "ask", 102),  # another country, and nothing tells where
    ({"name": "Guam", "country": "US", "lat": 13.4835, "lng": 144.797}, "automatic", 106),  # likewise
    ({"name": "New York"}, "ask", None),  # the city, or one of its airports?
    ({"name": "Lviv"}, "ask", 108),  # likewise: the airport has the name of its city,
    ({"name": "Lwow"}, "ask", 108),  # in each language,
    ({"name": "Lwow", "city": "Lviv"}, "automatic", 108),  # and this one says which it is
    ({"name": "Friday Harbor Airport", "country": "US", "lat": 48.5221, "lng": -123.0245}, "automatic", 104),
    ({"name": "Friday Harbor", "country": "US", "lat": 48.53, "lng": -123.017}, "ask", 104),  # of two that are two kilometres apart
    ({"name": "Nowhere Airport", "country": "US", "lat": 0, "lng": 0}, "none", None),  # 0,0 is no place
    ({"name": "Kennedy", "iata": "JFK", "country": "US", "lat": -33.9, "lng": 151.2}, "none", None),  # codes are given again
    ({"name": "JFK", "iata": "JFK", "city": "New York"}, "ask", 102),  # a code alone
    ({"name": "John Kennedy Airport", "iata": "JFK", "city": "New York"}, "automatic", 102),
    ({"name": "..."}, "none", None),
    ({"name": "Airport " * 200, "lat": 40.64, "lng": -73.78, "country": "US"}, "ask", None),
]


def test_a12_outcomes(listed):
    for row, outcome, place in OUTCOMES:
        r = listed(row)["x0"]
        assert (r["outcome"], r["source_id"] if place else None) == (outcome, place), (row, r)


def test_a12_an_airport_is_found_by_its_place_alone_on_whichever_side_it_is(listed, data, import_file, tmp_path):
    """Candidates are looked up by whole degrees: nothing is further than a degree's border away here, and no word is shared."""
    corners = [(north, east) for north in (-0.002, 0.002) for east in (-0.002, 0.002)]
    places = [(10 + 10 * i + north, 20 + east) for i, (north, east) in enumerate(corners)] + [(-17.5, 179.998), (17.5, -179.998)]
    air.import_lines(import_file, data.path, tmp_path, *(
        air.place(200 + i, f"ZZ{i}", f"Reference{i}", country_code="US", lat=lat, lng=lng) for i, (lat, lng) in enumerate(places)))
    asked = {(i, lat, lng): 200 + i for i in range(4) for lat, lng in ((10 + 10 * i + n, 20 + e) for n, e in corners)}
    asked |= {(4, -17.5, -179.998): 204, (5, 17.5, 179.998): 205}
    got = listed(*({"name": f"Supplied{i}", "country": "US", "lat": lat, "lng": lng} for i, lat, lng in asked))
    assert [got[f"x{n}"].get("source_id") for n in range(len(asked))] == list(asked.values())


def test_a12_of_two_that_claim_an_airport_the_clearly_better_one_has_it(listed):
    central = {"name": "Grand Central Station", "city": "New York", "country": "US", "lat": 40.66, "lng": -73.79}
    got = listed(KENNEDY, central)
    assert (got["x0"]["outcome"], got["x1"]["outcome"]) == ("automatic", "ask")
    got = listed(KENNEDY, {**KENNEDY, "lat": 40.641})
    assert [got[i]["reason"] for i in ("x0", "x1")] == ["veto_claimed"] * 2


def test_a12_what_is_mapped_keeps_others_off(data, listed):
    data.ok("air", "map", 22, "mine", 102)
    assert listed(KENNEDY)["x0"]["reason"] == "veto_claimed"


def test_a12_reports_of_avia_compared_are_matched_and_then_answered(data, servers):
    server = servers.make(None, data=data.path)
    said = {"adapter_id": 22, "external_id": "K-1", "title": "John F. Kenedy Intl (NY)"}
    assert air.match(server, **said) is None
    eventually(lambda: '"K-1"' in data.ok("air", "unmatched", "--format", "ndjson"))
    out = data.ok("match", "--kind", "airport")
    assert "1 automatic" in out, out
    assert maps(data)[22, "K-1"] == 102
    assert '"K-1"' not in data.ok("air", "unmatched", "--format", "ndjson")
    eventually(lambda: air.match(server, **said) == 102)


def test_a12_errors(data, tmp_path):
    path = tmp_path / "list.csv"
    path.write_text("id;title\n1;x\n", "utf-8")
    assert "external_id and name" in data.fails("match", "--kind", "airport", "aerofeed", "--list", path)
    path.write_text("external_id;name\n1;x\n", "utf-8")
    assert "not one for air" in data.fails("match", "--kind", "airport", "coral", "--list", path)
    assert "one supplier" in data.run("match", "--kind", "airport", "--list", path).stderr
    assert "--kind airport" in data.run("match", "--list", path).stderr


def test_a12_of_thousands_of_airports_of_one_name_at_one_point_none_is_mapped(data, listed, import_file, tmp_path):
    """That they take no quadratic time is in bench/growth.py."""
    many = [air.place(10000 + i, "ZZZ", "Airport", country_code="US", lat=10.0, lng=10.0) for i in range(2000)]
    air.import_lines(import_file, data.path, tmp_path, *many)
    got = listed(*({"name": "Airport", "country": "US", "lat": 10.0, "lng": 10.0} for _ in range(2000)))
    assert len(got) == 2000 and not [r for r in got.values() if r["outcome"] == "automatic"]
