"""dragoman match stats, match doubles: docs/cli.md."""
import datetime
import json

import pytest

import mapping
from test_match import PLACES, dict_hotels, near, source

NAMES = ["Orkide Resort & Spa", "Pamfilya Konak", "Sultan Sahil Palace", "Meridia Beach", "Zeytin Hotel"]


@pytest.fixture
def data(run, import_file, tmp_path):
    import_file(tmp_path, PLACES + dict_hotels())
    return mapping.Data(run, tmp_path)


@pytest.fixture
def add(data, import_file):
    return lambda *records: import_file(data.path, list(records))


def listed(data, *args):
    return [json.loads(line) for line in data.ok("match", *args, "--format", "ndjson").splitlines()]


def test_what_was_automatic_and_what_people_made_of_it(data, add, tmp_path):
    assert listed(data, "stats") == []
    add(*(source(i, name, **near(i)) for i, name in enumerate(NAMES)))
    data.ok("match")
    data.map("set", 1, "hotel", "0", 109)
    data.map("clear", 1, "hotel", "1")
    data.map("set", 1, "hotel", "1", 108)
    file = tmp_path / "audit.csv"
    file.write_text("adapter_id,kind,id,dict_id,decision,drawn\n1,hotel,2,102,accept,audit\n1,hotel,3,103,reject,audit\n", encoding="utf-8")
    data.ok("match", "load", file)
    month = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m")
    row = {"month": month, "automatic": 5, "people": 5, "confirmed": 1, "overruled": 3, "undone": 0}
    (got,) = listed(data, "stats")
    assert got["month"] >= month and {**got, "month": month} == row
    assert listed(data, "stats", "--adapter", "other") == listed(data, "stats", "--kind", "meal") == []
    assert len(listed(data, "stats", "--adapter", "sunny", "--kind", "hotel")) == 1


def test_what_was_taken_back_with_its_batch(data, add):
    add(source(0, NAMES[0], **near(0)))
    data.ok("match")
    batch = json.loads(data.ok("batch", "list", "--format", "ndjson").splitlines()[0])["id"]
    data.ok("batch", "undo", batch)
    data.ok("match")
    (got,) = listed(data, "stats")
    assert (got["automatic"], got["people"], got["overruled"], got["undone"]) == (2, 0, 0, 1)


def test_coverage_by_country(data, add):
    add(source(0, NAMES[0], **near(0)), source(1, "Xyzzy Plugh", lat=36.5, lng=31.0), source(2, "Plugh Toledo", country_name="SPAIN", city_name="TOLEDO"),
        source(3, "Nowhere", country_name="ATLANTIS", city_name="ATLANTIS"), source(4, NAMES[1], adapter=2, **near(1)),
        {"type": "source", "adapter_id": 1, "kind": "city", "id": "c", "name": "Side", "country_name": "TURKEY"})
    data.ok("match")
    got = {(r["supplier"], r["kind"], r["country"]): (r["records"], r["mapped"], r["percent"]) for r in listed(data, "stats", "--by", "country")}
    assert got == {("sunny", "city", "Turkey"): (1, 1, 100.0), ("sunny", "hotel", "Turkey"): (2, 1, 50.0), ("sunny", "hotel", "Spain"): (1, 0, 0.0),
                   ("sunny", "hotel", ""): (1, 0, 0.0), ("other", "hotel", "Turkey"): (1, 1, 100.0)}
    assert len(listed(data, "stats", "--by", "country", "--adapter", "other")) == 1
    assert len(listed(data, "stats", "--by", "country", "--kind", "city")) == 1
    assert data.run("match", "stats", "--by", "week").returncode == 2


def test_hotels_with_several_records_of_one_supplier(data, add):
    at = near(0)
    far = {"lat": at["lat"] + 0.05, "lng": at["lng"]}
    add(source("a", "A", **at, category_id="5", dict_id=100), source("b", "A", **far, category_id="3", dict_id=100),
        source("c", "C", **at, category_id="5", dict_id=101), source("d", "C", **far, category_id="5", dict_id=101),
        source("e", "E", **at, category_id="5", dict_id=102), source("f", "E", **at, category_id="5", dict_id=102), source("g", "E", dict_id=102),
        source("h", "H", **at, dict_id=103), source("i", "H", adapter=2, **far, dict_id=103),
        source("j", "J", category_id="5", dict_id=104), source("k", "J", category_id="4", dict_id=104))
    got = [(r["what"], r["supplier"], r["dict_id"], r["records"], r["ids"], r["metres"]) for r in listed(data, "doubles")]
    assert [g[:5] for g in got] == [("over_merged", "sunny", 100, 2, "a, b"), ("doubtful", "sunny", 101, 2, "c, d"), ("doubtful", "sunny", 104, 2, "j, k"),
                                    ("duplicate", "sunny", 102, 3, "e, f, g")]
    assert 5500 < got[0][5] < 5620 and got[2][5] is None and got[3][5] == 0
    first = listed(data, "doubles", "--limit", 1)
    assert len(first) == 1 and first[0]["categories"] == "5, 3" and first[0]["dict_name"] == "Orkide Resort & Spa"
    assert listed(data, "doubles", "--adapter", "other") == []
