"""dragoman match queue, explain, accept, reject, load: decisions M33 to M35, docs/matching.md."""
import csv
import json

import pytest

import mapping
from hotels import HOTELS, PLACES, dict_hotels, near, source

pytestmark = pytest.mark.store

RECORDS = PLACES + dict_hotels()


def queue(data, *options):
    return [json.loads(line) for line in data.ok("match", "queue", "--format", "ndjson", *options).splitlines()]


def ids(data, *options):
    return [(q["adapter_id"], q["id"]) for q in queue(data, *options)]


RESIDENCE = source(1, "Orkide Residence", **near(0))
TWO = (source(2, "Meridia Beach", **near(3)), source(3, "Meridia Beach Hotel", **near(3)))


def test_m34_what_a_run_does_not_map_waits_with_its_suggestion_and_reason(data, add):
    add(RESIDENCE, source(9, "Zeytin Hotel", **near(4)), source(8, "Xyzzy Plugh", lat=50.0, lng=10.0))
    assert queue(data) == []
    data.ok("match")
    first, second = queue(data)
    assert (first["id"], first["reason"], first["dict_id"], first["dict_name"]) == ("1", "veto_residence", 100, "Orkide Resort & Spa")
    assert first["explanation"].startswith("ask, words that tell sister houses apart differ")
    assert (second["id"], second["reason"], second["dict_id"]) == ("8", "no_candidates", None)


def test_what_is_not_mapped_is_listed_with_what_the_matcher_said(data, add):
    def reasons():
        text = data.ok("map", "list", "--unmapped", "--kind", "hotel", "--excel").lstrip("\ufeff")
        return {row["id"]: row["reason"] for row in csv.DictReader(text.splitlines(), delimiter=";")}

    add(RESIDENCE, source(8, "Xyzzy Plugh", lat=50.0, lng=10.0))
    assert reasons() == {"1": "no candidate: nothing is called so", "8": "no candidate: nothing is called so"}
    data.ok("match")
    assert reasons() == {"1": "words that tell sister houses apart differ: 100", "8": "nothing in the reference is like it"}


def test_m34_a_dry_run_leaves_the_queue_as_it_is(data, add):
    add(RESIDENCE)
    data.ok("match", "--dry-run")
    assert queue(data) == []


def test_m34_what_the_matcher_mapped_and_was_taken_back_is_asked_with_what_it_was_mapped_to(data, add):
    """Though something else was said of the record before."""
    add(source(1, "Xyzzy Plugh", lat=50.0, lng=10.0))
    data.ok("match")
    assert [(q["reason"], q["dict_id"]) for q in queue(data)] == [("no_candidates", None)]
    add(source(1, "Orkide Resort & Spa", **near(0)))
    data.ok("match")
    assert data.mapped_to(1, "hotel", "1") == 100
    batch = next(b["id"] for b in map(json.loads, data.ok("batch", "list", "--format", "ndjson").splitlines()) if b["what"] == "match")
    data.ok("batch", "undo", batch)
    assert [(q["reason"], q["dict_id"]) for q in queue(data)] == [("taken_back", 100)]


def test_m34_filters(data, add):
    add(RESIDENCE, *TWO, source(5, "Orkide Residence", adapter=2, **near(0)),
        {"type": "source", "adapter_id": 1, "kind": "meal", "id": "1", "name": "AI Light"})
    data.ok("match")
    assert len(queue(data)) == 5
    assert ids(data, "--adapter", "other") == [(2, "5")]
    assert ids(data, "--kind", "meal") == [(1, "1")]
    assert sorted(ids(data, "--reason", "veto_claimed")) == [(1, "2"), (1, "3")]
    for command in (("match", "queue"), ("match", "accept", "--above", "0.9", "--dry-run")):
        refused = data.run(*command, "--reason", "foo")
        assert refused.returncode == 2 and "--reason: expected one of no_candidates, below_threshold, " in refused.stderr
        assert ', taken_back, ' in refused.stderr and ', found "foo"' in refused.stderr
    assert ids(data, "--country", 2) == ids(data, "--country", "ES") == []
    assert ids(data, "--country", "TR") == ids(data, "--country", "Türkei") == ids(data, "--country", 1)
    assert len(ids(data, "--country", 1)) == 4
    assert len(ids(data, "--city", 10)) == 4 and ids(data, "--city", 11) == []
    refused = data.run("match", "queue", "--city", "Side")
    assert refused.returncode == 2 and "--city: expected an id of the reference, found" in refused.stderr
    assert len(ids(data, "--limit", 2)) == 2


def test_m34_that_for_which_more_suppliers_wait_comes_first(data, add):
    add(source(7, "Defne Villas", **near(5)), RESIDENCE, source(5, "Orkide Residence", adapter=2, **near(0)))
    data.ok("match")
    got = queue(data)
    assert [(q["id"], q["suppliers"]) for q in got] == [("1", 2), ("5", 2), ("7", 1)]


def unmapped(id, **more):
    return {"type": "source", "adapter_id": 1, "kind": "hotel", "id": id, "name": f"Hotel {id}", **more}


def test_m34_the_likely_comes_before_what_several_suppliers_wait_for(data, add):
    """Two suppliers whose records are hardly that hotel; one record that nearly surely is."""
    far = [source(5, "Aspendos Palms", adapter=a, lat=36.80, lng=31.43) for a in (1, 2)]
    add(*far, source(9, "Zeytin Hotel Villas", **near(4)))
    data.ok("match")
    got = queue(data)
    assert [float(q["probability"]) for q in got] == sorted((float(q["probability"]) for q in got), reverse=True)
    assert got[0]["id"] == "9" and float(got[0]["probability"]) > 0.5 > float(got[1]["probability"])


def test_m34_a_record_of_a_list_that_is_mostly_mapped_is_likelier(data, add):
    """The same record of two suppliers; of one of them all the others are certain."""
    add(*[source(f"M{i}", name, **near(i)) for i, name in enumerate(HOTELS) if i != 7],
        *[source("W", "Aspendos Palms", adapter=a, lat=36.80, lng=31.43) for a in (1, 2)])
    data.ok("match")
    p = {q["adapter_id"]: float(q["probability"]) for q in queue(data) if q["id"] == "W"}
    assert p[1] > p[2] > 0


def test_m34_one_answer_for_what_is_called_the_same_counts_for_all_of_it(data, add):
    add(*[{"type": "source", "adapter_id": a, "kind": "meal", "id": i, "name": n}
          for a, i, n in ((1, "1", "Half Board Plus"), (1, "2", "half  board PLUS"), (2, "1", "Half board plus"), (1, "9", "Night Bus"))])
    data.ok("match")
    assert {(q["name"], q["settles"]) for q in queue(data)} == \
        {("Half Board Plus", 3), ("half  board PLUS", 3), ("Half board plus", 3), ("Night Bus", 1)}


def test_m34_what_cannot_be_mapped_comes_last_behind_the_country_for_which_it_waits(data, add):
    add({"type": "source", "adapter_id": 1, "kind": "country", "id": "C1", "name": "Xanadu"},
        *[unmapped(str(i), country_id="C1", city_name="Shangdu") for i in (1, 2, 3)], RESIDENCE | {"id": "8"})
    data.ok("match")
    got = queue(data)
    assert [(q["kind"], q["id"], q["settles"]) for q in got][:2] == [("hotel", "8", 1), ("country", "C1", 4)]
    assert {q["reason"] for q in got[2:]} == {"country_unmapped"}
    assert sorted(q["id"] for q in queue(data, "--suggested", "no")) == ["1", "2", "3", "C1"]
    assert ids(data, "--suggested", "yes") == ids(data, "--above", "0.5") == [(1, "8")]
    assert "expected a number from 0 to 1" in data.run("match", "queue", "--above", "2").stderr


def test_m34_accepting_maps_and_ends_the_waiting(data, add):
    add(RESIDENCE, *TWO)
    data.ok("match")
    assert "mapped to 100" in data.ok("match", "accept", 1, "hotel", "1", "--by", "olena")
    assert data.mapped_to(1, "hotel", "1") == 100
    assert data.of("mapping_event")[-1]["by"] == "olena" and "how" not in data.of("mapping_event")[-1]
    data.ok("match", "accept", 1, "hotel", "2", 104)
    assert data.mapped_to(1, "hotel", "2") == 104
    assert ids(data) == [(1, "3")]
    assert "nothing is suggested" in data.fails("match", "accept", 1, "meal", "77")
    data.is_sound()


def test_m34_what_was_mapped_otherwise_waits_no_more(data, add):
    add(RESIDENCE, *TWO)
    data.ok("match")
    data.map("set", 1, "hotel", "1", 105)
    add(source(2, "Meridia Beach", dict_id=103, **near(3)))
    assert ids(data) == [(1, "3")]
    data.map("clear", 1, "hotel", "1")
    assert ids(data) == [(1, "3")], "a person said that it is nothing"


def test_m34_what_a_person_mapped_is_not_changed_by_an_answer_that_names_no_record(data, add):
    add(RESIDENCE)
    data.ok("match")
    data.map("set", 1, "hotel", "1", 104)
    assert "mapped to 104 by now" in data.fails("match", "accept", 1, "hotel", "1")
    assert "mapped to 104 by now" in data.fails("match", "reject", 1, "hotel", "1")
    assert data.mapped_to(1, "hotel", "1") == 104 and not data.of("not_same")
    data.ok("match", "accept", 1, "hotel", "1", 100)
    assert data.mapped_to(1, "hotel", "1") == 100
    data.is_sound()


def test_m34_what_a_list_takes_away_stays_away(data, add):
    add(RESIDENCE, *TWO)
    data.ok("match")
    data.map("set", 1, "hotel", "1", 105)
    add({**RESIDENCE, "dict_id": None})
    assert data.mapped_to(1, "hotel", "1") is None and (1, "1") not in ids(data)


def test_m33_a_rejected_pair_is_not_suggested_again_nor_mapped(data, add):
    add(source(1, "Orkide Resort", **near(0)), source(2, "Meridia Beach", **near(3)))
    assert "it is not 100" in data.ok("match", "reject", 1, "hotel", "1", 100, "--why", "seen it")
    data.ok("match")
    assert data.mapped_to(1, "hotel", "1") is None and data.mapped_to(1, "hotel", "2") == 103
    assert [q["dict_id"] for q in queue(data)] != [100]
    (said,) = data.of("not_same")
    assert (said["adapter_id"], said["kind"], said["id"], said["dict_id"], said["why"]) == (1, "hotel", "1", 100, "seen it")
    assert "as was said before" in data.ok("match", "reject", 1, "hotel", "1", 100)
    data.is_sound()


def test_m33_rejecting_what_is_suggested_leaves_the_next_best(data, add):
    add(RESIDENCE)
    data.ok("match")
    data.ok("match", "reject", 1, "hotel", "1")
    (q,) = queue(data)
    assert q["dict_id"] != 100 and q["reason"] == "veto_not_same" and "it is not 100" in q["explanation"]


def test_m33_it_is_taken_back(data, add):
    add(RESIDENCE)
    data.ok("match")
    (before,) = queue(data)
    data.ok("match", "reject", 1, "hotel", "1", 100)
    assert "can be mapped to this one again" in data.ok("match", "reject", 1, "hotel", "1", 100, "--undo")
    (q,) = queue(data)
    assert (q["dict_id"], q["others"], q["reason"]) == (100, before["others"], "taken_back")
    assert "the rejection of 100 was undone" in q["explanation"] and data.of("not_same") == []
    assert "nobody had said" in data.ok("match", "reject", 1, "hotel", "1", 100, "--undo")
    data.ok("match")
    assert queue(data) == [before]
    data.is_sound()


def test_m33_what_is_taken_back_is_named(data, add):
    add(RESIDENCE)
    data.ok("match")
    data.ok("match", "reject", 1, "hotel", "1")
    assert "name the DICT_ID" in data.fails("match", "reject", 1, "hotel", "1", "--undo")
    assert len(data.of("not_same")) == 1


def test_m33_of_what_is_gone_too(data, add):
    add(RESIDENCE, {"type": "dict", "kind": "hotel", "id": 150, "name": "Gone", "country_id": 1, "city_id": 10, "hotel_category_id": 5})
    data.ok("match", "reject", 1, "hotel", "1", 150)
    add({"type": "dict", "kind": "hotel", "id": 150, "deleted": True})
    assert len(data.of("not_same")) == 1
    assert "can be mapped to this one again" in data.ok("match", "reject", 1, "hotel", "1", 150, "--undo")
    assert data.of("not_same") == []
    assert "150" in data.fails("match", "reject", 1, "hotel", "1", 150, "--undo")


def test_m33_several_are_taken_back_in_any_order(data, add):
    add(RESIDENCE)
    data.ok("match")
    (before,) = queue(data)
    ids = [before["dict_id"]]
    data.ok("match", "reject", 1, "hotel", "1")
    (second,) = queue(data)
    ids.append(second["dict_id"])
    data.ok("match", "reject", 1, "hotel", "1")
    assert queue(data)[0]["dict_id"] not in ids
    for id in ids:
        data.ok("match", "reject", 1, "hotel", "1", id, "--undo")
    (after,) = queue(data)
    assert (after["dict_id"], after["others"]) == (before["dict_id"], before["others"])
    data.is_sound()


def test_m33_names_are_kept_apart_too(data, add):
    add({"type": "source", "adapter_id": 1, "kind": "country", "id": "90", "name": "Turkey"})
    data.ok("match", "reject", 1, "country", "90", 1)
    data.ok("match")
    assert data.mapped_to(1, "country", "90") is None
    assert queue(data)[0]["reason"] == "veto_not_same"


def test_m33_rejecting_what_is_mapped_takes_the_mapping_away(data, add):
    add(source(1, "Orkide Resort", **near(0)))
    data.ok("match")
    assert "taken away" in data.ok("match", "reject", 1, "hotel", "1", 100)
    assert data.mapped_to(1, "hotel", "1") is None
    data.ok("match")
    assert data.mapped_to(1, "hotel", "1") is None


def test_m33_a_later_mapping_warns_and_wins(data, add):
    add(RESIDENCE)
    data.ok("match", "reject", 1, "hotel", "1", 100)
    assert "not the same" in data.ok("map", "set", 1, "hotel", "1", 100)
    assert data.of("not_same") == []
    assert "warning" not in data.ok("map", "set", 1, "hotel", "1", 100)


def test_m33_a_merge_that_puts_together_what_was_kept_apart_warns(data, add):
    add(RESIDENCE, source(2, "Meridia Beach", dict_id=103, **near(3)))
    data.ok("match", "reject", 1, "hotel", "1", 103)
    data.map("set", 1, "hotel", "1", 105)
    assert "warning: of 1 sources" in data.ok("dict", "merge", "hotel", 105, 103)
    data.ok("dict", "split", "hotel", 105)
    assert "warning: of 1 sources" in data.ok("dict", "merge", "hotel", 103, 105)
    assert "not the same" in data.ok("map", "set", 1, "hotel", "1", 100) or data.of("not_same")
    data.is_sound()


def test_m33_what_was_merged_counts_as_what_it_became(data, add):
    add(source(1, "Orkide Resort", **near(0)))
    data.ok("match", "reject", 1, "hotel", "1", 100)
    data.ok("dict", "merge", "hotel", 100, 101)
    add({"type": "dict", "kind": "hotel", "id": 101, "name": HOTEL, "country_id": 1, "city_id": 10, "hotel_category_id": 5,
         "lat": 36.76, "lng": 31.38})
    data.ok("match")
    assert data.mapped_to(1, "hotel", "1") is None


HOTEL = "Orkide Resort & Spa"


@pytest.mark.store_core
def test_m33_it_travels(data, add, run, import_file, tmp_path):
    add(RESIDENCE)
    data.ok("match", "reject", 1, "hotel", "1", 100, "--by", "olena", "--why", "two houses")
    before = data.export()
    other = mapping.Data(run, tmp_path / "other")
    import_file(other.path, [json.loads(line) for line in before.splitlines()])
    assert other.export() == before
    assert "as was said before" in other.ok("match", "reject", 1, "hotel", "1", 100)


def test_m33_no_batch_takes_it_back(data, add):
    add(RESIDENCE)
    add({"type": "not_same", "adapter_id": 1, "kind": "hotel", "id": "1", "dict_id": 100, "at": "2026-11-20T22:30:00.000Z"},
        source(2, "Meridia Beach", **near(3)))
    (batch, *_) = [line.split(",")[0] for line in data.ok("batch", "list", "--format", "csv").splitlines()[1:]]
    data.ok("batch", "undo", batch)
    assert [s["id"] for s in data.of("source")] == ["1"]
    assert [s["dict_id"] for s in data.of("not_same")] == [100]
    data.is_sound()


@pytest.mark.store_core
@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_m34_a_queue_that_was_filled_in_is_read_back(data, add, tmp_path, form):
    add(RESIDENCE, *TWO, source(8, "Xyzzy Plugh", lat=50.0, lng=10.0, category_name="5*"), source(9, "Defne Villas", **near(5)))
    data.ok("match")
    file = tmp_path / f"queue.{form}"
    data.ok("match", "queue", "--output", file)
    decisions = {"1": "accept", "2": "reject", "3": "104", "8": "new", "9": ""}
    fill_in(file, decisions)
    before = data.export()
    assert "nothing applied" in data.ok("match", "load", "--dry-run", file) and data.export() == before
    out = data.ok("match", "load", file, "--by", "olena")
    assert "5 rows: 2 accepted, 1 rejected, 1 made new, 1 as before or not answered, 0 refused" in out
    assert (data.mapped_to(1, "hotel", "1"), data.mapped_to(1, "hotel", "3")) == (100, 104)
    assert [s["dict_id"] for s in data.of("not_same")] == [103]
    made = data.mapped_to(1, "hotel", "8")
    (record,) = [d for d in data.of("dict") if d["kind"] == "hotel" and d["id"] == made]
    assert record["name"] == "Xyzzy Plugh" and (record["country_id"], record["city_id"]) == (1, 10)
    data.is_sound()
    before = data.export()
    again = data.ok("match", "load", file, "--by", "ivan")
    assert "5 rows: 0 accepted, 0 rejected, 0 made new, 5 as before or not answered, 0 refused" in again and "batch" not in again
    assert data.export() == before
    batch = out.split("batch undo ")[1].split("'")[0]
    data.ok("batch", "undo", batch)
    assert data.mapped_to(1, "hotel", "1") is None and data.mapped_to(1, "hotel", "8") is None
    assert not [d for d in data.of("dict") if d["kind"] == "hotel" and d["id"] == made]
    data.is_sound()


def test_m34_a_list_that_was_taken_back_is_asked_and_not_mapped(data, add, tmp_path):
    add(source(1, "Orkide Resort & Spa", **near(0)), source(2, "Pamfilya Konak", **near(1)), source(3, "Zeytin Hotel", **near(4)))
    answers = tmp_path / "answers.csv"
    answers.write_text("adapter_id,kind,id,dict_id,decision\n1,hotel,1,100,accept\n1,hotel,2,109,accept\n", encoding="utf-8")
    batch = data.ok("match", "load", answers, "--by", "olena").split("batch undo ")[1].split("'")[0]
    data.ok("batch", "undo", batch)
    data.ok("match")
    assert [data.mapped_to(1, "hotel", i) for i in "123"] == [None, None, 104], "what people took back is no certainty of the matcher's"
    assert sorted(ids(data)) == [(1, "1"), (1, "2")]
    data.ok("match")
    assert data.mapped_to(1, "hotel", "1") is None
    data.ok("match", "load", answers)
    assert [data.mapped_to(1, "hotel", i) for i in "12"] == [100, 109]
    data.is_sound()


def test_m34_a_list_of_mappings_that_was_taken_back_is_asked_too(data, add, tmp_path):
    add(source(1, "Orkide Resort & Spa", **near(0)))
    mappings = tmp_path / "mappings.csv"
    mappings.write_text("adapter_id,kind,id,dict_id\n1,hotel,1,100\n", encoding="utf-8")
    batch = data.ok("map", "load", mappings).split("batch undo ")[1].split("'")[0]
    assert data.mapped_to(1, "hotel", "1") == 100
    data.ok("batch", "undo", batch)
    data.ok("match")
    assert data.mapped_to(1, "hotel", "1") is None and ids(data) == [(1, "1")]


def test_m31_what_a_supplier_says_and_was_taken_back_may_be_mapped(data, add, import_file):
    add(source(1, "Orkide Resort & Spa", **near(0)))
    add(source(1, "Orkide Resort & Spa", dict_id=109, **near(0)))
    assert data.mapped_to(1, "hotel", "1") == 109
    data.ok("batch", "undo", data.ok("batch", "list", "--format", "csv").splitlines()[1].split(",")[0])
    data.ok("match")
    assert data.mapped_to(1, "hotel", "1") == 100


def test_m34_a_new_record_refers_to_what_lives_by_now(data, add, tmp_path):
    add({"type": "dict", "kind": "city", "id": 12, "name": "Elsewhere", "country_id": 1},
        {"type": "dict", "kind": "hotel_category", "id": 6, "name": "4*"},
        *(source(n, f"Xyzzy Plugh {n}", lat=50.0 + n, lng=10.0, category_name="4*" if n == 9 else "5*") for n in (7, 8, 9)))
    data.ok("match")
    file = tmp_path / "queue.csv"
    data.ok("match", "queue", "--output", file)
    data.merge("city", 10, 12)
    add({"type": "dict", "kind": "hotel_category", "id": 6, "deleted": True})
    fill_in(file, {"7": "new", "8": "new", "9": "new"})
    done = data.run("match", "load", file)
    assert "2 made new" in done.stdout and "1 refused" in done.stdout
    assert "category is not in the reference any more" in done.stdout
    assert [(d["id"], d["city_id"]) for d in data.of("dict", kind="hotel") if d["id"] > 109] == [(110, 12), (111, 12)]
    data.is_sound()


def test_m34_new_is_refused_where_somebody_has_mapped_the_record_since(data, add, tmp_path):
    add(source(8, "Xyzzy Plugh", lat=50.0, lng=10.0, category_name="5*"))
    data.ok("match")
    file = tmp_path / "queue.csv"
    data.ok("match", "queue", "--output", file)
    fill_in(file, {"8": "new"})
    data.map("set", 1, "hotel", "8", 104)
    done = data.run("match", "load", file)
    assert done.returncode == 1 and "1 refused" in done.stdout and "it is mapped to 104" in done.stdout


def fill_in(file, decisions):
    if file.suffix == ".csv":
        with open(file, encoding="utf-8-sig", newline="") as f:
            rows = list(csv.DictReader(f))
        for row in rows:
            row["decision"] = decisions[row["id"]]
        with open(file, "w", encoding="utf-8", newline="") as f:
            w = csv.DictWriter(f, rows[0])
            w.writeheader()
            w.writerows(rows)
        return
    import openpyxl
    book = openpyxl.load_workbook(file)
    sheet = book.active
    titles = [c.value for c in sheet[1]]
    for row in sheet.iter_rows(min_row=2):
        row[titles.index("decision")].value = decisions[str(row[titles.index("id")].value)]
    book.save(file)


def test_m34_a_bad_row_is_refused_and_changes_nothing(data, add, tmp_path):
    add(RESIDENCE)
    data.ok("match")
    file = tmp_path / "answers.csv"
    file.write_text("adapter_id,kind,id,dict_id,decision\n1,hotel,1,100,maybe\n1,hotel,77,100,accept\n1,hotel,1,9999,accept\n"
                    "x,hotel,1,100,accept\n1,country,1,,new\n")
    before = data.export()
    done = data.run("match", "load", file)
    assert done.returncode == 1 and "5 refused" in done.stdout
    assert "decision: expected accept, reject, new" in done.stdout
    assert data.export() == before
    file.write_text("a,b\n1,2\n")
    assert "expected the columns adapter_id" in data.fails("match", "load", file)


def test_a_queue_is_read_back_from_the_sheet_that_has_it(data, add, tmp_path):
    """People add sheets of notes. Of two sheets with answers neither is passed over in silence."""
    import openpyxl
    add(RESIDENCE)
    data.ok("match")
    file = tmp_path / "queue.xlsx"
    data.ok("match", "queue", "--output", file)
    fill_in(file, {"1": "accept"})
    book = openpyxl.load_workbook(file)
    book.create_sheet("Notes", 0).append(["Ask Olena"])
    book.create_sheet("More").append(["adapter_id", "and more"])
    book.save(file)
    assert "1 rows: 1 accepted" in data.ok("match", "load", file, "--dry-run")
    book.copy_worksheet(book[book.sheetnames[1]])
    book.save(file)
    assert "in one sheet, found them in several" in data.fails("match", "load", file)
    for name in book.sheetnames[1:]:
        del book[name]
    book.create_sheet("More").append(["adapter_id", "and more"])
    book.save(file)
    assert "in one sheet, found them in none" in data.fails("match", "load", file)


@pytest.mark.parametrize("command", [("match", "load"), ("map", "load"), ("match", "new", "--accept")], ids=" ".join)
def test_a_list_is_read_back_in_the_encoding_that_is_said(data, tmp_path, command):
    file = tmp_path / "answers.csv"
    file.write_bytes("adapter_id,kind,id,dict_id,cluster,decision,name\n1,hotel,77,,,,Stra\u00dfe\n1,hotel,78,x,1,maybe,\n".encode("latin-1"))
    assert "--encoding" in data.fails(*command, file)
    done = data.run(*command, file, "--encoding", "windows-1252")
    assert done.returncode == 1 and f"refused {file}:3: " in done.stdout


def test_explain_tells_of_one_record_and_of_a_pair(data, add):
    add(RESIDENCE, source(2, "Meridia Beach", **near(3)))
    out = data.ok("match", "explain", 1, "hotel", "1")
    assert out.startswith("ask, words that tell sister houses apart differ") and 'reference: 100 "Orkide Resort & Spa"' in out
    out = data.ok("match", "explain", 1, "hotel", "1", 109)
    assert 'reference: 109 "Turkuaz Yakamoz", Side, Turkey' in out and "orkide" in out
    data.ok("match")
    assert "it is mapped to 103" in data.ok("match", "explain", 1, "hotel", "2")
    assert "has no such record" in data.fails("match", "explain", 1, "hotel", "77")
    assert "there is no hotel 4 in the reference" in data.fails("match", "explain", 1, "hotel", "1", 4)
    add({"type": "source", "adapter_id": 1, "kind": "meal", "id": "1", "name": "AI Light"}, {"type": "source", "adapter_id": 1, "kind": "meal", "id": "2", "name": "X"})
    out = data.ok("match", "explain", 1, "meal", "1")
    assert out.startswith("ask") and 'supplier:  "AI Light"' in out
    assert 'supplier:  "X"' in data.ok("match", "explain", 1, "meal", "2")


# ---- new records of a name that is there

ROMAS = [source(n, "Hotel Roma Antica", adapter, category_name="5*") for n, adapter in (("r1", 1), ("r2", 2), ("r3", 1))]


def answered(data, rows, *options):
    path = data.path / "answers.csv"
    path.write_text("adapter_id,kind,id,dict_id,decision\n" + "".join(f"{a},hotel,{id},,{word}\n" for a, id, word in rows))
    return data.run("match", "load", path, *options)


@pytest.mark.parametrize("names", [0, 25000], ids=["all names are read", "the names are a file"])
def test_m34_new_of_a_name_that_is_nearby_is_refused_and_made_anyway(data, add, names):
    add(*ROMAS, source("x", "Solitary House", category_name="5*"),
        *({"type": "dict", "kind": "hotel", "id": 10000 + n, "name": f"Palace {n}", "country_id": 2, "city_id": 11, "hotel_category_id": 5}
          for n in range(names)))
    data.ok("match")
    told = answered(data, [(1, "r1", "new"), (2, "r2", "new"), (1, "x", "new")], "--dry-run")
    assert "2 made new" in told.stdout and "1 refused" in told.stdout
    told = answered(data, [(1, "r1", "new"), (2, "r2", "new"), (1, "x", "new")])
    assert told.returncode == 1 and "2 made new" in told.stdout
    assert "answers.csv:3: hotel r2: something else of that name is nearby: the new record of another row" in told.stdout
    assert "1 of these are called like a record of the reference nearby" in told.stdout and "--anyway" in told.stdout
    made = data.mapped_to(1, "hotel", "r1")
    assert made and data.mapped_to(2, "hotel", "r2") is None
    told = answered(data, [(1, "r1", "new"), (1, "r3", "new"), (2, "r2", str(made))])
    assert f"something else of that name is nearby: {made} Hotel Roma Antica of the reference" in told.stdout
    assert data.mapped_to(2, "hotel", "r2") == made and data.mapped_to(1, "hotel", "r3") is None
    assert answered(data, [(1, "r3", "new")], "--anyway").returncode == 0
    assert data.mapped_to(1, "hotel", "r3") not in (None, made)
