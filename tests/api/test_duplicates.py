"""dragoman dict duplicates, and the index of names that it shares with dict find."""
import csv
import io
import struct

import pytest

import mapping

pytestmark = pytest.mark.store

PLACES = [
    {"type": "adapter", "id": 1, "code": "sunny", "name": "Sunny", "domain": "tour"},
    {"type": "adapter", "id": 2, "code": "other", "name": "Other", "domain": "tour"},
    {"type": "dict", "kind": "country", "id": 1, "name": {"en": "Turkey"}, "iso_alpha_2": "TR"},
    {"type": "dict", "kind": "city", "id": 10, "name": {"en": "Side"}, "country_id": 1, "lat": 36.767, "lng": 31.389},
    {"type": "dict", "kind": "city", "id": 11, "name": {"en": "Kemer"}, "country_id": 1, "lat": 36.6, "lng": 30.56},
    {"type": "dict", "kind": "hotel_category", "id": 5, "name": "5*"},
]


def hotel(id, name, city=10, **more):
    return {"type": "dict", "kind": "hotel", "id": id, "name": name, "country_id": 1, "city_id": city, "hotel_category_id": 5, **more}


def source(id, dict_id, adapter=1):
    return {"type": "source", "adapter_id": adapter, "kind": "hotel", "id": id, "name": id, "dict_id": dict_id}


@pytest.fixture
def data(run, import_file, tmp_path):
    import_file(tmp_path, PLACES)
    data = mapping.Data(run, tmp_path)
    data.add = lambda *records: import_file(tmp_path, list(records))
    return data


def duplicates(data, *options):
    rows = csv.DictReader(io.StringIO(data.ok("dict", "duplicates", "--format", "csv", *options)))
    return [(r["kind"], int(r["id"]), int(r["into"]), r["metres"], int(r["records"]), int(r["into_records"]), int(r["shared"]))
            for r in rows]


def test_same_name_and_close_by(data):
    data.add(hotel(1, "Blue Bay", lat=36.77, lng=31.39), hotel(2, {"uk": "BLUE-BAY"}, lat=36.772, lng=31.39),
             hotel(3, "Blue Bay", lat=36.80, lng=31.39), hotel(4, "Blue Bay Palace", lat=36.77, lng=31.39))
    assert duplicates(data) == [("hotel", 2, 1, "222", 0, 0, 0)]


@pytest.mark.parametrize("others", [0, 200], ids=["by reading all sources", "by looking up"])
def test_the_worst_come_first_and_the_one_with_most_records_stays(data, others):
    data.add(hotel(100, "Alone"), *(source(f"o{n}", 100) for n in range(others)))
    data.add(*(hotel(n, f"Pair {n // 2}", lat=36.77, lng=31.39) for n in range(2, 8)),
             source("a", 3), source("b", 3), source("c", 3, 2), source("d", 2), source("e", 2, 2), source("f", 4))
    assert duplicates(data) == [("hotel", 2, 3, "0", 2, 3, 2), ("hotel", 5, 4, "0", 0, 1, 0), ("hotel", 7, 6, "0", 0, 0, 0)]
    data.ok("dict", "merge", "hotel", 2, 3)
    assert [d[1] for d in duplicates(data, "--limit", "1")] == [5]


def test_without_coordinates_the_city_decides(data):
    data.add(hotel(1, "Blue Bay", lat=36.77, lng=31.39), hotel(2, "Blue Bay"), hotel(3, "Blue Bay", 11), hotel(4, "Blue Bay", 11))
    assert [d[1:4] for d in duplicates(data)] == [(2, 1, ""), (4, 3, "")]


def test_other_kinds_and_filters(data):
    data.add({"type": "dict", "kind": "city", "id": 12, "name": {"de": "Side"}, "country_id": 1, "lat": 36.78, "lng": 31.4},
             {"type": "dict", "kind": "hotel_category", "id": 6, "name": "5*"}, hotel(1, "Side"), hotel(2, "Side"))
    assert {d[0] for d in duplicates(data)} == {"city", "hotel_category", "hotel"}
    assert [d[0] for d in duplicates(data, "--kind", "city")] == ["city"]
    assert [d[0] for d in duplicates(data, "--country", "2")] == []
    assert duplicates(data, "--country", "TR") == duplicates(data, "--country", "1")


def test_a_name_on_ten_thousand_records_gives_each_once(data):
    data.add(*(hotel(n, "Central", lat=36.77, lng=31.39) for n in range(10000)), *(hotel(n, "Nowhere") for n in range(20000, 30000)))
    """What it takes is measured by bench/growth.py."""
    assert len(duplicates(data, "--limit", "0")) == 2 * 9999


# ---- the index of names -------------------------------------------------------------------------------------------------------------

MANY = 21000  # fewer have no file
HEAD, RECORD = 120, 48  # bytes


def found(data, *queries):
    return [data.ok("dict", "find", q, "--limit", "50", "--format", "csv") for q in queries]


@pytest.mark.heavy
def test_the_index_is_as_good_as_reading_everything(data):
    index = data.path / "names.index"
    data.add(*(hotel(n, {"en": f"Palace {n}", "uk": f"Палац {n}"}) for n in range(MANY)))
    queries = ("palace 20", "77", "Палац 1234", "kemer", "nothing")
    fresh = found(data, *queries)
    assert index.exists() and [f.count("\n") for f in fresh] == [51, 51, 12, 2, 1]
    assert found(data, *queries) == fresh
    content = index.read_bytes()
    for damaged in (b"", content[:len(content) // 2], content[:100] + bytes(len(content) - 100), b"x" * 500):
        index.write_bytes(damaged)
        assert found(data, *queries[1:3]) == fresh[1:3]


def test_an_index_whose_names_are_of_nothing_has_no_duplicates(data):
    index = data.path / "names.index"
    data.add(*(hotel(n, f"Palace {n // 2}", lat=36.77, lng=31.39) for n in range(MANY)))
    assert len(duplicates(data, "--limit", "0")) == MANY // 2 and index.exists()
    content = index.read_bytes()
    n_records, n_names = struct.unpack_from("=QQ", content, HEAD - 40)
    names = HEAD + RECORD * n_records
    for bad in (b"\xff" * 8, b"\xff" * 4 + bytes(4), bytes(4) + b"\xff" * 4):
        index.write_bytes(content[:names] + bad * n_names + content[names + 8 * n_names:])
        assert duplicates(data) == []
        index.write_bytes(content[:HEAD] + b"\xff" * (names - HEAD) + content[names:])
        assert duplicates(data) == []


@pytest.mark.heavy
def test_the_index_sees_what_was_changed_since(data):
    data.add(*(hotel(n, f"Palace {n}") for n in range(MANY)))
    found(data, "palace")
    data.add(hotel(5, "Vertigo"), {"type": "dict", "kind": "hotel", "id": 6, "deleted": True}, hotel(MANY, "Ὕδρα Palace 5"))
    by_name = {q: [line.split(",")[1] for line in text.splitlines()[1:]] for q, text in
               zip(("palace 5", "vertigo", "palace 6", "ydra"), found(data, "palace 5", "vertigo", "palace 6", "ydra"))}
    assert "5" not in by_name["palace 5"] and by_name["palace 5"][0] == "50"
    assert by_name["vertigo"] == ["5"] and "6" not in by_name["palace 6"] and "60" in by_name["palace 6"] and by_name["ydra"] == [str(MANY)]
    (data.path / "names.index").rename(data.path / "old.index")
    again = found(data, "palace 5", "palace 6", "ydra")
    (data.path / "old.index").rename(data.path / "names.index")
    assert found(data, "palace 5", "palace 6", "ydra") == again
    data.add(*(hotel(n, f"Castle {n}") for n in range(6000)))
    assert found(data, "castle 5999")[0].count("\n") == 2 and found(data, "palace 1001")[0].count("\n") == 11


@pytest.mark.heavy
def test_what_was_made_or_changed_since_the_index_is_a_duplicate_too(data):
    data.add(*(hotel(n, f"Palace {n}", lat=36.77, lng=31.39) for n in range(MANY)))
    assert duplicates(data) == [] and (data.path / "names.index").exists()
    data.add(hotel(MANY, "PALACE 7", lat=36.771, lng=31.39), hotel(MANY + 1, "Roma", lat=36.77, lng=31.39),
             hotel(MANY + 2, "Roma", lat=36.77, lng=31.39), hotel(9, "Palace 8", lat=36.77, lng=31.39),
             source("a", MANY), source("b", MANY + 2), source("c", MANY + 2, 2))
    found = [("hotel", MANY + 1, MANY + 2, "0", 0, 2, 0), ("hotel", 7, MANY, "111", 0, 1, 0), ("hotel", 9, 8, "0", 0, 0, 0)]
    assert duplicates(data) == found
    (data.path / "names.index").unlink()
    assert duplicates(data) == found
    data.ok("dict", "merge", "hotel", MANY + 1, MANY + 2)
    assert duplicates(data) == found[1:]


def test_the_index_of_another_store_is_not_taken(data, run, import_file, tmp_path):
    data.add(*(hotel(n, f"Palace {n}") for n in range(MANY)))
    found(data, "palace")
    other = tmp_path / "other"
    import_file(other, PLACES + [hotel(1, "Alone")])
    (other / "names.index").write_bytes((data.path / "names.index").read_bytes())
    assert "Palace" not in run("dict", "find", "palace", "--data", other).stdout


# ---- suppliers' names ---------------------------------------------------------------------------------------------------------------

def of_supplier(adapter, id, name, kind="hotel", **fields):
    return {"type": "source", "adapter_id": adapter, "kind": kind, "id": str(id), "name": name, **fields}


def sources_found(data, *query):
    return [tuple(row[:4]) for row in csv.reader(io.StringIO(data.ok("map", "find", *query, "--format", "csv")))][1:]


@pytest.mark.heavy
def test_suppliers_names_are_found_by_an_index_too(data):
    index = data.path / "supplier-names.index"
    data.add(*(of_supplier(1 + n % 2, f"h{n}", f"Palace {n}") for n in range(MANY)), of_supplier(2, "h5", "Палац 5"), of_supplier(1, "m", "Palace", "meal"))
    queries = (("palace 20000",), ("palace", "--kind", "meal"), ("палац",), ("5", "--adapter", "other", "--limit", "3"), ("nothing",))
    fresh = [sources_found(data, *q) for q in queries]
    assert index.exists()
    assert fresh[:3] == [[("sunny", "hotel", "h20000", "Palace 20000")], [("sunny", "meal", "m", "Palace")], [("other", "hotel", "h5", "Палац 5")]]
    assert len(fresh[3]) == 3 and {row[0] for row in fresh[3]} == {"other"} and fresh[4] == []
    assert [sources_found(data, *q) for q in queries] == fresh
    content = index.read_bytes()
    n_records, n_names = struct.unpack_from("=QQ", content, HEAD - 40)
    for damaged in (b"", content[:len(content) // 2], content[:100] + bytes(len(content) - 100)):
        index.write_bytes(damaged)
        assert [sources_found(data, *q) for q in queries] == fresh
    index.write_bytes(content[:HEAD] + b"\xff" * RECORD * n_records + content[HEAD + RECORD * n_records:])
    assert sources_found(data, "palace 20000") == []


def test_the_index_of_suppliers_names_sees_what_was_changed_since(data):
    data.add(*(of_supplier(1 + n % 2, n, f"Palace {n}") for n in range(MANY)), {"type": "dict", "kind": "hotel", "id": 1, "name": "P", "country_id": 1,
                                                                           "city_id": 10, "hotel_category_id": 5})
    assert sources_found(data, "palace 5", "--limit", "1") == [("other", "hotel", "5", "Palace 5")]
    data.add(of_supplier(1, 5, "Of another supplier"), of_supplier(2, 5, "Vertigo"), {"type": "source", "adapter_id": 1, "kind": "hotel", "id": "6", "deleted": True})
    data.map("set", 2, "hotel", "7", 1)
    assert [row[:3] for row in sources_found(data, "vertigo")] == [("other", "hotel", "5")]
    assert sources_found(data, "palace 5", "--limit", "1") == [("sunny", "hotel", "50", "Palace 50")]
    assert "6" not in [row[2] for row in sources_found(data, "palace 6")]
    assert data.ok("map", "find", "palace 7", "--limit", "1", "--format", "csv").splitlines()[1].endswith(",1")
