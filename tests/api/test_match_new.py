"""dragoman match new: decision M40."""
import contextlib
import csv
import json
import re

import pytest

import store
from hotels import PLACES, dict_hotels, near

pytestmark = pytest.mark.store

FOUR = [{"type": "adapter", "id": n, "code": f"s{n}", "name": f"S{n}", "domain": "tour"} for n in (3, 4)]
MAPPED = [{"type": "source", "adapter_id": a, "kind": "hotel_category", "id": "5", "name": "5*", "dict_id": 5} for a in (1, 2, 3, 4)]
#: What `data` has.
RECORDS = PLACES + FOUR + dict_hotels() + MAPPED


def hotel(adapter, id, name, lat=36.9, lng=31.0, **more):
    place = {"lat": lat, "lng": lng} if lat is not None else {}
    return {"type": "source", "adapter_id": adapter, "kind": "hotel", "id": id, "name": name, "country_name": "TURKEY", "city_name": "SIDE",
            "category_id": "5", **place, **more}


MUNDO = [hotel(1, "a", "Villa Mundo Verde", lang="en"), hotel(2, "b", "VILLA MUNDO VERDE 5*", lat=36.9002, lang="en"),
         hotel(3, "c", "Villa Mundo Verde", lat=36.9003, lang="en", address="Liman Cad. 4"), hotel(4, "d", "Вілла Мундо Верде", lat=36.9001, lang="uk")]


@pytest.fixture
def add(data, import_file):
    def add(*records):
        import_file(data.path, list(records))
        data.ok("match", "--samples", "0")
    return add


def proposals(data):
    """The members of each, and what is proposed."""
    found = {}
    for r in map(json.loads, data.ok("match", "new", "--format", "ndjson").splitlines()):
        found.setdefault(r["cluster"], []).append(r)
    return [([(r["adapter_id"], r["id"]) for r in rows], rows[0]) for rows in found.values()]


def made(data):
    return [d for d in data.of("dict", kind="hotel") if d["id"] > 109]


def batch_of(text):
    return re.search(r"batch undo (\d+)", text)[1]


def test_m40_what_two_suppliers_have_and_the_reference_has_not_is_proposed(data, add):
    add(*MUNDO, hotel(1, "e", "Somewhere Else", lat=36.5), hotel(1, "f", "Orkide Resort", **near(0)), hotel(2, "g", "Orkide Resort", **near(0)))
    ((members, first),) = proposals(data)
    assert "left out" not in data.run("match", "new").stderr
    assert members == [(1, "a"), (2, "b"), (3, "c"), (4, "d")], "what one alone has, or the reference, is not"
    assert (first["new_name"], first["suppliers"], first["country"], first["city_id"], first["category"]) == ("Villa Mundo Verde", 4, 1, 10, 5)
    assert first["lat"] == pytest.approx(36.90015) and first["lng"] == 31 and first["lacks"] == "" and first["bits"] > 1.44
    assert made(data) == []


def test_m40_of_several_of_one_supplier_the_nearest_is_it(add, data):
    """Whichever comes first."""
    add(hotel(1, "m", "Villa Mundo Verde"), hotel(2, "a", "Villa Mundo Verde", lat=36.906), hotel(2, "b", "Villa Mundo Verde"),
        hotel(2, "c", "Villa Mundo Verde", lat=36.894))
    ((members, _),) = proposals(data)
    assert members == [(1, "m"), (2, "b")]


@pytest.mark.parametrize("others, wanted", [
    ([], ["abc"]),  # nothing says where c is but its name, and the city has one of that name
    ([hotel(1, "y", "Kaktus Blanco", lat=36.95, address="Deniz Cad. 9"), hotel(4, "z", "Kaktus Blanco", lat=36.95, address="Deniz Cad. 9")], ["ab", "yz"]),
    ([hotel(4, "x", "Kaktus Blanco", None, address="Deniz Cad. 9")], ["ab"]),  # that one may be c as well
])
def test_m40_a_name_places_a_hotel_where_its_city_has_it_once(add, data, others, wanted):
    add(hotel(1, "a", "Kaktus Blanco", address="Lara Caddesi 5"), hotel(2, "b", "Kaktus Blanco", lat=36.9004, address="Lara Cad. 5"),
        hotel(3, "c", "Kaktus Blanco", None), *others)
    assert sorted("".join(i for _, i in members) for members, _ in proposals(data)) == wanted


def test_m40_the_names_of_streets_are_written_in_many_ways(add, data):
    """Failed: "Cad." and "Caddesi" were half of what the two streets say."""
    add(hotel(1, "a", "Kaktus Blanco", None, address="Lara Caddesi 5"), hotel(2, "b", "Kaktus Blanco", address="Lara Cad. 5, Side"))
    assert len(proposals(data)) == 1


@pytest.mark.parametrize("address, wanted", [("Lara Cad.", 0), ("Lara Cad. 5", 1)])
def test_m40_a_common_name_needs_the_houses_number_without_coordinates(add, data, address, wanted):
    """Failed: the street alone was enough."""
    add(hotel(1, "a", "Kaktus Blanco", address="Lara Cad. 5"), hotel(2, "b", "Kaktus Blanco", None, address=address),
        *(hotel(3, str(n), "Kaktus Blanco", lat=37 + n) for n in range(6)))
    assert len(proposals(data)) == wanted


@pytest.mark.parametrize("one, other", [({"address": "Lara Cad. 5", "zip": "07330"}, {"address": "Lara Cad. 5", "zip": "07331"}),
                                        ({"address": "Lara Cad. 5"}, {"address": "Deniz Cad. 9"})], ids=["postcode", "corner"])
def test_m40_an_address_may_differ_where_all_else_agrees(add, data, one, other):
    add(hotel(1, "a", "Kaktus Blanco", **one), hotel(2, "b", "Kaktus Blanco", **other))
    assert len(proposals(data)) == 1


def test_m40_names_in_other_letters_are_heard_in_the_suppliers_words(add, data):
    """Failed: only words of the reference were, which lacks these hotels."""
    add(hotel(1, "a", "Sherwood Meadow"), hotel(4, "b", "Шервуд Медоу", lang="uk"))
    ((members, _),) = proposals(data)
    assert members == [(1, "a"), (4, "b")]


def test_m40_a_common_name_in_one_street_is_one_house(add, data):
    """Failed: a clear lead counted only with the house's number."""
    add(hotel(1, "a", "Kaktus Blanco", address="Lara Cad."), hotel(2, "b", "Kaktus Blanco", lat=36.9036, address="Lara Cad. 5"),
        *(hotel(3, str(n), "Kaktus Blanco", lat=37 + n) for n in range(20)))
    ((members, _),) = proposals(data)
    assert members == [(1, "a"), (2, "b")]


def test_m40_it_is_made_as_one_batch_and_taken_back(data, add):
    add(*MUNDO, hotel(1, "x", "Kaktus Blanco", lat=37.2), hotel(2, "y", "Kaktus Blanco", lat=37.2))
    before = data.records()
    said = data.ok("match", "new", "--accept", "--by", "olena")
    assert said.startswith("2 new records of 6 suppliers' records, 0 refused\n")
    one, two = made(data)
    assert one["name"] == {"en": "Villa Mundo Verde", "uk": "Вілла Мундо Верде"} and two["name"] == "Kaktus Blanco"
    assert (one["id"], one["country_id"], one["city_id"], one["hotel_category_id"], one["address"]) == (110, 1, 10, 5, "Liman Cad. 4")
    assert one["lat"] == pytest.approx(36.90015)
    assert [data.mapped_to(a, "hotel", i) for a, i in ((1, "a"), (2, "b"), (3, "c"), (4, "d"), (1, "x"), (2, "y"))] == [110] * 4 + [111] * 2
    assert {e["by"] for e in data.of("mapping_event", to=110)} == {"olena"}
    assert proposals(data) == [] and data.ok("match", "queue", "--format", "ndjson") == ""
    data.is_sound()
    data.ok("batch", "undo", batch_of(said))
    assert [r for r in data.records() if r["type"] != "mapping_event"] == [r for r in before if r["type"] != "mapping_event"]
    data.is_sound()
    data.ok("match", "--samples", "0")
    assert len(proposals(data)) == 2


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_m40_what_was_filled_in_is_made(data, add, tmp_path, form):
    add(*MUNDO, hotel(1, "x", "Kaktus Blanco", lat=37.2), hotel(2, "y", "Kaktus Blanco", lat=37.2), hotel(1, "p", "Plain Sail", lat=37.5),
        hotel(2, "q", "Plain Sail", lat=37.5))
    file = tmp_path / f"new.{form}"
    assert "3 new records are proposed, of 8 of 8 hotels" in data.ok("match", "new", "--output", file)
    wanted = {"a", "c", "d", "x"}  # three of four, one of two, none
    if form == "csv":
        with open(file, encoding="utf-8-sig", newline="") as f:
            rows = list(csv.DictReader(f))
        for row in rows:
            row["decision"] = "new" if row["id"] in wanted else ""
        with open(file, "w", encoding="utf-8", newline="") as f:
            w = csv.DictWriter(f, rows[0])
            w.writeheader()
            w.writerows(rows)
    else:
        import openpyxl
        book = openpyxl.load_workbook(file)
        titles = [c.value for c in book.active[1]]
        for row in book.active.iter_rows(min_row=2):
            row[titles.index("decision")].value = "new" if row[titles.index("id")].value in wanted else None
        book.save(file)
    before = data.export()
    look = data.ok("match", "new", file, "--accept", "--dry-run")
    assert "would make of cluster" in look and "dry run, nothing is changed: " in look and "batch" not in look
    assert data.export() == before and "--accept" in data.run("match", "new", "--dry-run").stderr
    said = data.ok("match", "new", file, "--accept")
    assert look.splitlines()[-1].endswith(said.splitlines()[0])
    assert said.startswith("2 new records of 4 suppliers' records, 0 refused\n")
    assert {i: data.mapped_to(a, "hotel", i) for a, i in ((1, "a"), (2, "b"), (3, "c"), (4, "d"), (1, "x"), (2, "y"), (1, "p"))} == {
        "a": 110, "b": None, "c": 110, "d": 110, "x": 111, "y": None, "p": None}
    before = data.export()
    again = data.ok("match", "new", file, "--accept")
    assert "0 new records of 0 suppliers' records, 0 refused\n2 were made before" in again and "batch" not in again
    assert data.export() == before
    data.map("set", 3, "hotel", "c", 100)
    other = data.run("match", "new", file, "--accept")
    assert other.returncode == 1 and "1 were made before" in other.stdout and "1 refused" in other.stdout
    assert "is mapped to 110 by now" in other.stdout and len(made(data)) == 2


@pytest.mark.heavy
def test_m40_a_bad_file_changes_nothing(data, add, tmp_path):
    add(*MUNDO)
    file = tmp_path / "new.csv"
    head = "cluster,adapter_id,kind,id,decision\n"
    for text, says in ((head + "1,1,hotel,a,new\n1,2,hotel,b,accept\n", ":3: hotel b: decision: expected new"), (head + "x,1,hotel,a,new\n", "cluster: expected a number"),
                       (head + "1,x,hotel,a,new\n", "adapter_id"), (head + "1,1,castle,a,new\n", "expected kind and id"), ("a,b\n1,2\n", "there is no adapter_id"),
                       (head + "1,1,hotel,a,new\n1,2,meal,b,new\n", "records of one cluster are of one kind")):
        file.write_text(text, encoding="utf-8")
        done = data.run("match", "new", file, "--accept")
        assert done.returncode == 1 and says in done.stdout + done.stderr and made(data) == [], text
    file.write_text(head + "1,1,hotel,a,new\n" + "x,1,hotel,b,new\n" * 1001 + "2,2,hotel,b,accept\n", encoding="utf-8")
    done = data.run("match", "new", file, "--accept")
    assert f"refused {file}:3: hotel b: cluster: expected a number\n" in done.stdout and f"refused {file}:1002: hotel b" in done.stdout
    assert done.stdout.count("refused /") == 1000 and "... and 2 more are refused\n" in done.stdout
    assert "1002 rows were refused, and nothing was made of their file" in done.stderr and made(data) == []
    file.write_text(head + "1,1,hotel,a,new\n1,1,hotel,zz,new\n2,1,hotel,a,new\n2,2,hotel,nope,new\n3,3,hotel,c,new\n", encoding="utf-8")
    done = data.run("match", "new", file, "--accept")
    assert done.returncode == 1 and "1 new records of 1 suppliers' records, 2 refused" in done.stdout
    assert "refused cluster 1: adapter 1 has no hotel" in done.stdout and "refused cluster 2: adapter 2 has no hotel" in done.stdout
    assert data.run("match", "new", file).returncode == 2
    data.is_sound()


def test_m40_what_cannot_be_made_says_what_is_lacking(data, add):
    add(*(hotel(a, str(a), "Nowhere Inn Lakota", city_name="ATLANTIS") for a in (1, 2)))
    ((members, first),) = proposals(data)
    assert (first["lacks"], first["city_id"]) == ("city", None)
    done = data.run("match", "new", "--accept")
    assert done.returncode == 1 and "refused cluster 1: its city is not known" in done.stdout and made(data) == []


@pytest.mark.parametrize("one, other", [
    ({"name": "Kaktus Residence"}, {"name": "Kaktus Hotel"}), ({"name": "Kaktus 2"}, {"name": "Kaktus 7"}), ({"lat": 37.2}, {"lat": 37.3}),
    ({"lat": None, "city_name": "?"}, {"lat": None, "city_name": "?"}), ({"country_name": "TURKEY"}, {"country_name": "SPAIN", "city_name": "TOLEDO"}),
    ({"zip": "07330"}, {"zip": "34400"}), ({"address": "Lara Cad. 5"}, {"address": "Deniz Cad. 9", "name": "Kaktus Blanco Resort"})],
    ids=["residence", "numbers", "far", "no place", "country", "postcode", "street"])
def test_m40_what_may_be_two_houses_is_not_proposed(data, add, one, other):
    add(hotel(1, "x", **{"name": "Kaktus Blanco", "lat": 37.2, **one}), hotel(2, "y", **{"name": "Kaktus Blanco", "lat": 37.2, **other}))
    assert proposals(data) == []


def test_m40_two_records_of_a_supplier_are_never_in_one(data, add):
    add(hotel(1, "x1", "Kaktus Blanco", lat=37.2), hotel(1, "x2", "Kaktus Blanco", lat=37.2), hotel(2, "y", "Kaktus Blanco", lat=37.2),
        hotel(3, "z", "Kaktus Blanco", lat=37.2))
    assert [members for members, _ in proposals(data)] == [[(2, "y"), (3, "z")]], "which of the two is ambiguous"


def test_m40_what_people_mapped_or_took_away_is_left(data, add):
    add(*MUNDO)
    data.map("set", 1, "hotel", "a", 100)
    data.map("set", 2, "hotel", "b", 100)
    data.map("clear", 2, "hotel", "b")
    ((members, _),) = proposals(data)
    assert members == [(3, "c"), (4, "d")]


def test_m40_what_has_come_to_the_reference_since_is_not_proposed(data, add, import_file):
    add(*MUNDO, hotel(1, "x", "Kaktus Blanco", lat=37.2), hotel(2, "y", "Kaktus Blanco", lat=37.2))
    assert len(proposals(data)) == 2
    import_file(data.path, [{"type": "dict", "kind": "hotel", "id": 120, "name": "Villa Mundo Verde", "country_id": 1, "city_id": 10,
                             "hotel_category_id": 5, "lat": 36.9, "lng": 31.0}])
    ((members, _),) = proposals(data)
    assert members == [(1, "x"), (2, "y")], "no run of match was between"
    said = data.run("match", "new")
    assert said.returncode == 0 and "\n4 hotels that the last match found nothing for are left out: " in "\n" + said.stderr
    assert data.ok("match", "new", "--accept").startswith("1 new records of 2 suppliers' records, 0 refused\n")
    data.is_sound()


def test_m40_what_people_keep_apart_from_the_reference_is_proposed(data, add, import_file):
    add(*MUNDO)
    house = {"type": "dict", "kind": "hotel", "id": 120, "name": "Villa Mundo Verde", "country_id": 1, "city_id": 10, "hotel_category_id": 5,
             "lat": 36.9, "lng": 31.0}
    import_file(data.path, [house])
    assert proposals(data) == []
    for adapter, id in ((1, "a"), (2, "b")):
        data.ok("match", "reject", adapter, "hotel", id, 120)
    ((members, _),) = proposals(data)
    assert members == [(1, "a"), (2, "b")]


def test_m40_beside_an_import_nothing_is_made_and_it_says_so(data, add, tmp_path):
    add(*MUNDO)
    answers = tmp_path / "answers.csv"
    answers.write_text(data.ok("match", "queue", "--format", "csv").replace(",,", ",new,", 1))
    proposed = tmp_path / "proposed.csv"
    proposed.write_text(data.ok("match", "new", "--format", "csv"))
    with contextlib.closing(store.hold_imports(data.path)):
        for arguments in (["new", "--accept"], ["new", proposed, "--accept"], ["load", answers]):
            assert "right to import into" in data.fails("match", *arguments), arguments
    assert not made(data)
