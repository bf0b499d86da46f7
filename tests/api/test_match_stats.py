"""dragoman match stats, match doubles: docs/cli.md."""
import datetime
import json

import pytest

import mapping
import store
from hotels import PLACES, dict_hotels, near, source

pytestmark = pytest.mark.store

RECORDS = PLACES + dict_hotels()

NAMES = ["Orkide Resort & Spa", "Pamfilya Konak", "Sultan Sahil Palace", "Meridia Beach", "Zeytin Hotel"]


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
    row = {"month": month, "automatic": 5, "asked": 0, "people": 5, "confirmed": 1, "overruled": 3, "undone": 0}
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


def asked(data, *args):
    rows = listed(data, "stats", *args)
    return sum(row["asked"] for row in rows)


def test_m43_a_record_is_asked_about_once(data, add):
    """Until it was decided about: what is said of it again is no new question, a mapping that is taken back is."""
    add(*(source(i, f"Xyzzy {name}", lat=36.5, lng=31.0) for i, name in enumerate("abc")), source(3, NAMES[0], **near(0)), source(4, "Plugh", adapter=2))
    data.ok("match", "--dry-run")
    assert asked(data) == 0
    data.ok("match")
    assert asked(data) == 4 and asked(data, "--adapter", "other") == 1 and asked(data, "--kind", "meal") == 0
    data.ok("match")
    add(source(5, "Xyzzy d", lat=36.5, lng=31.0))
    data.ok("match", "sunny")
    assert asked(data) == 5
    data.map("set", 1, "hotel", "0", 109)
    data.map("set", 1, "hotel", "1", 109)
    data.map("clear", 1, "hotel", "1")
    data.ok("match")
    assert asked(data) == 5, "a decision asks nobody"
    data.map("undo", 1, "hotel", "0")
    data.ok("match")
    assert asked(data) == 6
    batch = next(b["id"] for b in map(json.loads, data.ok("batch", "list", "--format", "ndjson").splitlines()) if b["what"] == "match")
    data.ok("batch", "undo", batch)
    assert asked(data) == 7
    add({**source(2, "Xyzzy c"), "deleted": True})
    data.ok("match")
    assert asked(data) == 7 and "Xyzzy c" not in data.ok("match", "queue")
    add(source(2, "Xyzzy c", lat=36.5, lng=31.0))
    data.ok("match")
    assert asked(data) == 8, "it was gone, and is there again"


def test_m43_of_a_batch_of_answers_that_is_taken_back(data, add, tmp_path):
    add(*(source(i, f"Xyzzy {name}", lat=36.5, lng=31.0) for i, name in enumerate("ab")))
    data.ok("match")
    file = tmp_path / "answers.csv"
    file.write_text("adapter_id,kind,id,dict_id,decision\n1,hotel,0,,105\n1,hotel,1,,105\n", encoding="utf-8")
    data.ok("match", "load", file)
    assert asked(data) == 2
    batch = json.loads(data.ok("batch", "list", "--format", "ndjson").splitlines()[0])["id"]
    data.ok("batch", "undo", batch)
    assert asked(data) == 4


def url_of(data):
    return store.database_of(data.path) if store.POSTGRES else f"sqlite:{data.path}/dragoman.db"


def test_m43_what_waits_moves_with_its_store_and_is_not_asked_again(data, add, tmp_path):
    add(*(source(i, f"Xyzzy {name}", lat=36.5, lng=31.0) for i, name in enumerate("ab")), source(3, "Orkide Residence", **near(0)))
    data.ok("match")
    waits = data.ok("match", "queue", "--format", "ndjson")
    moved = mapping.Data(data.run_command, tmp_path / "moved")
    done = data.run_command("migrate", "--from", url_of(data), "--to", url_of(moved))
    assert done.returncode == 0, done.stderr
    assert moved.ok("match", "queue", "--format", "ndjson") == waits != ""
    moved.ok("match")
    assert moved.ok("match", "queue", "--format", "ndjson") == waits
    assert asked(moved) == asked(data) == 3


def test_a_month_in_which_nothing_was_decided_is_not_told(data, add):
    event = {"type": "mapping_event", "adapter_id": 1, "kind": "hotel", "id": "0", "from": 100}
    add(source(0, NAMES[0], **near(0)), {**event, "at": "2026-01-02T10:00:00.123Z", "how": "merge", "to": 101},
        {**event, "at": "2026-02-02T10:00:00.123Z", "how": "set", "to": 102, "by": "anna"})
    assert [month["month"] for month in listed(data, "stats")] == ["2026-02"]


def test_decisions_of_one_millisecond_are_in_their_order(data, add):
    """Microseconds come before no microseconds in the order of the bytes."""
    event = {"type": "mapping_event", "adapter_id": 1, "kind": "hotel", "id": "0", "to": 100}
    add(source(0, NAMES[0], **near(0)), {**event, "at": "2026-01-02T10:00:00.123Z", "how": "match"},
        {**event, "at": "2026-01-02T10:00:00.123456Z", "how": "set", "from": 100, "to": 101, "by": "anna"})
    (got,) = listed(data, "stats")
    assert got == {"month": "2026-01", "automatic": 1, "asked": 0, "people": 1, "confirmed": 0, "overruled": 1, "undone": 0}


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
