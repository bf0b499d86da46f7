"""Batches: what one import or load wrote is taken back as one (decisions M27 to M29)."""
import json

import pytest

import sheets
from test_load import Desk

pytestmark = pytest.mark.store

HOTELS = [{"type": "dict", "kind": "country", "id": 1, "name": "Turkey", "iso_alpha_2": "TR"},
          {"type": "dict", "kind": "city", "id": 1, "name": "Kemer", "country_id": 1},
          {"type": "dict", "kind": "hotel_category", "id": 5, "name": "5*"},
          *({"type": "dict", "kind": "hotel", "id": n, "name": f"Hotel {n}", "country_id": 1, "city_id": 1,
             "hotel_category_id": 5} for n in (10, 11))]


@pytest.fixture
def desk(run, tmp_path):
    desk = Desk(run, tmp_path)
    desk.lines(*HOTELS)
    desk.ok("load", "coral", desk.workbook(sheets.rows(20)), "--accept")
    return desk


def lines(desk, *records):
    path = desk.path / "lines.ndjson"
    path.write_text("".join(json.dumps(r) + "\n" for r in records), "utf-8")
    return desk.ok("import", path)


Desk.lines = lines


def newest(desk):
    return int(desk.ok("batch", "list", "--format", "csv").splitlines()[1].split(",")[0])


def events(desk):
    return [(e["id"], e.get("from"), e.get("to"), e.get("how", "set"), e.get("batch")) for e in
            sorted(desk.records(type="mapping_event"), key=lambda e: e["at"])]


def without_history(desk):
    return [r for r in desk.records() if r["type"] != "mapping_event"]


def mapping_file(desk, pairs, name="map.csv"):
    text = "".join(f"{id},{name},{dict_id}\n" for id, name, dict_id in pairs)
    path = desk.text(("id,name,dict_id\n" + text).encode(), name)
    return desk.ok("import", "--csv", "source:hotel", "--adapter", "1", path, "--by", "olena", "--why", "by hand")


def test_m27_a_mapping_that_comes_by_a_file_is_an_event(desk):
    mapping_file(desk, [("H1", "Hotel 1", 10), ("H2", "Hotel 2", 11), ("NEW", "New", 10)])
    batch = newest(desk)
    assert sorted(events(desk)) == [("H1", None, 10, "import", batch), ("H2", None, 11, "import", batch),
                                    ("NEW", None, 10, "import", batch)]
    (event,) = desk.records(type="mapping_event", id="H1")
    assert (event["by"], event["why"]) == ("olena", "by hand")
    desk.ok("map", "undo", "1", "hotel", "H1")
    assert "dict_id" not in desk.hotels()["H1"]


def test_m27_an_export_brings_its_own_events(desk, run):
    mapping_file(desk, [("H1", "Hotel 1", 10)])
    everything = desk.ok("export")
    (desk.path / "all.ndjson").write_text(everything, "utf-8")
    assert run("import", desk.path / "all.ndjson", "--data", desk.path / "copy", "--create").returncode == 0
    assert run("export", "--data", desk.path / "copy").stdout == everything


@pytest.mark.store_core
def test_m28_a_batch_is_taken_back_exactly_and_that_too(desk):
    before = without_history(desk)
    table = [sheets.hotel(1, **{"Hotel Name": "Other", "Phone": None}), sheets.hotel(99), *sheets.rows(17, 2)]
    desk.ok("load", "coral", desk.workbook(table, "b.xlsx"), "--complete")
    after = without_history(desk)
    assert after != before
    said = desk.ok("batch", "undo", newest(desk))
    assert "2 records as before, 1 removed, 0 left alone" in said or "3 records as before, 1 removed" in said
    assert without_history(desk) == before
    desk.ok("batch", "undo", newest(desk))
    assert without_history(desk) == after
    assert desk.run("check").returncode == 0


def test_m28_mappings_of_a_batch_are_taken_back_as_events(desk):
    desk.ok("map", "set", "1", "hotel", "H1", "11")
    mapping_file(desk, [("H1", "Hotel 1", 10), ("H2", "Hotel 2", 11)])
    desk.ok("batch", "undo", newest(desk), "--by", "ivan")
    assert desk.hotels()["H1"]["dict_id"] == 11 and "dict_id" not in desk.hotels()["H2"]
    assert sorted(e[:4] for e in events(desk) if e[3] == "undo") == [("H1", 10, 11, "undo"), ("H2", 11, None, "undo")]


def test_m28_what_the_matcher_mapped_since_goes_with_its_list(desk):
    """A wrong list is taken back though the matcher has seen it; what people decided stays."""
    batch = newest(desk)
    desk.ok("match", "coral")
    mapped = {i for i, h in desk.hotels().items() if "dict_id" in h}
    assert len(mapped) == 2
    desk.ok("map", "set", "1", "hotel", "H5", "11")
    desk.ok("map", "clear", "1", "hotel", min(mapped))
    said = desk.ok("batch", "undo", batch)
    assert set(desk.hotels()) == {"H5", min(mapped)} and "2 left alone" in said
    desk.ok("batch", "undo", newest(desk))
    assert len(desk.hotels()) == 20 and "dict_id" in desk.hotels()[max(mapped)]


@pytest.mark.store_core
def test_m28_what_was_decided_since_stays(desk):
    mapping_file(desk, [("H1", "Renamed 1", 10), ("H2", "Renamed 2", 11), ("H3", "Renamed 3", 11)])
    batch = newest(desk)
    desk.ok("map", "set", "1", "hotel", "H1", "11")
    desk.lines({"type": "source", "adapter_id": 1, "kind": "hotel", "id": "H2", "name": "Later"})
    said = desk.ok("batch", "undo", batch)
    assert "left alone: source 1 hotel H1: its mapping was changed since" in said
    assert "left alone: source 1 hotel H2: its data was changed since" in said
    hotels = desk.hotels()
    assert (hotels["H1"]["name"], hotels["H1"]["dict_id"]) == ("Hotel 1", 11)
    assert hotels["H2"]["name"] == "Later" and "dict_id" not in hotels["H2"]
    assert hotels["H3"]["name"] == "Hotel 3" and "dict_id" not in hotels["H3"]


def test_m28_what_a_later_list_removed_and_its_undoing_brought_back_is_listed(desk):
    batch = newest(desk)
    desk.ok("load", "coral", desk.workbook(sheets.rows(18), "b.xlsx"), "--complete")
    desk.ok("batch", "undo", newest(desk))
    said = desk.ok("batch", "undo", batch)
    for id in ("H18", "H19"):
        assert f"left alone: source 1 hotel {id}: it was removed and brought back since" in said
    assert "removed, 2 left alone" in said and set(desk.hotels()) == {"H18", "H19"}


def test_m28_records_that_others_need_stay(desk):
    desk.lines({"type": "dict", "kind": "hotel", "id": 12, "name": "Third", "country_id": 1, "city_id": 1,
                "hotel_category_id": 5})
    batch = newest(desk)
    desk.ok("map", "set", "1", "hotel", "H5", "12")
    assert "left alone: dict hotel 12: something refers to it" in desk.ok("batch", "undo", batch)
    assert desk.hotels()["H5"]["dict_id"] == 12


def test_a_batch_is_taken_back_once(desk):
    batch = newest(desk)
    desk.ok("batch", "undo", batch)
    assert "was already undone" in desk.fails("batch", "undo", batch)
    assert "there is no batch 99" in desk.fails("batch", "undo", "99")
    assert "there is no batch 99" in desk.fails("batch", "show", "99")


def test_a_load_that_changes_nothing_is_no_batch(desk):
    batch = newest(desk)
    assert "batch" not in desk.ok("load", "coral", desk.path / "list.xlsx")
    assert newest(desk) == batch


@pytest.mark.store_core
def test_a_batch_shows_what_was_before(desk):
    mapping_file(desk, [("H1", "Renamed", 10)])
    (was,) = [json.loads(line[4:]) for line in desk.ok("batch", "show", newest(desk)).splitlines()
              if line.startswith("was ")]
    assert (was["id"], was["name"]) == ("H1", "Hotel 1")


@pytest.mark.store_core
def test_m29_what_vanishes_and_returns_has_its_mapping_again(desk):
    desk.ok("map", "set", "1", "hotel", "H19", "10")
    desk.ok("load", "coral", desk.workbook(sheets.rows(19), "b.xlsx"), "--complete")
    assert "H19" not in desk.hotels()
    desk.ok("load", "coral", desk.path / "list.xlsx", "--complete")
    assert desk.hotels()["H19"]["dict_id"] == 10
    assert [e[:4] for e in events(desk)] == [("H19", None, 10, "set"), ("H19", 10, None, "gone"), ("H19", None, 10, "back")]


def test_m29_a_dict_record_that_is_no_more_is_not_mapped_to(desk):
    desk.ok("map", "set", "1", "hotel", "H19", "10")
    desk.ok("load", "coral", desk.workbook(sheets.rows(19), "b.xlsx"), "--complete")
    desk.lines({"type": "dict", "kind": "hotel", "id": 10, "deleted": True})
    desk.ok("load", "coral", desk.path / "list.xlsx")
    assert "dict_id" not in desk.hotels()["H19"]
