"""dragoman dict find, map find, coverage, and lists of mappings that go to Excel and back."""
import csv
import io
import json
import os
import re

import openpyxl
import pytest

import store

pytestmark = pytest.mark.store

HOTEL = (7, "hotel", "1002")  # not mapped in mini.ndjson; 1001 is mapped to 55


@pytest.mark.store_core
def test_the_reference_is_found_in_any_language(data):
    assert data.ok("dict", "find", "kyiv").splitlines()[1].split() == ["dep_city", "10", "Kyiv", "-", "Ukraine", "coral"]
    found = data.ok("dict", "find", "БЛЮ").splitlines()[1]
    assert re.split(r" {2,}", found) == ["hotel", "55", "Блю Бей Палас", "Antalya", "Turkey", "coral anex"]
    assert data.ok("dict", "find", "palace", "--kind", "hotel", "--country", "1").count("\n") == 2
    assert data.ok("dict", "find", "palace", "--country", "2").count("\n") == 1
    assert data.ok("dict", "find", "palace", "--country", "tr") == data.ok("dict", "find", "palace", "--country", "1")
    assert data.ok("dict", "find", "palace", "--country", "Türkei") == data.ok("dict", "find", "palace", "--country", "1")
    assert "has the code or name XQ" in data.fails("dict", "find", "palace", "--country", "XQ")
    assert "letters or digits" in data.fails("dict", "find", "...")


def test_the_best_come_first(data):
    names = [json.loads(line)["name"] for line in data.ok("map", "find", "belek", "--format", "ndjson").splitlines()]
    assert names == ["BELEK", "BELEK GOLF", "Belek Golf Resort"]
    assert data.ok("map", "find", "belek", "--limit", "1").count("\n") == 2
    assert data.ok("map", "find", "golf", "--adapter", "coral").splitlines()[1].split()[-1] == "-"


def test_namesakes_of_the_reference_come_by_id(data, import_file):
    categories = [{"type": "dict", "kind": "hotel_category", "id": i, "name": f"{i} keys"} for i in (901, 902)]
    hotels = [{"type": "dict", "kind": "hotel", "id": i, "country_id": 1, "city_id": 331, "hotel_category_id": c, "name": "Namesake Inn"} for i, c in ((801, 902), (802, 901))]
    import_file(data.path, categories + hotels)
    found = [json.loads(line)["id"] for line in data.ok("dict", "find", "namesake inn", "--format", "ndjson").splitlines()]
    assert found == [801, 802]


def test_coverage(data):
    assert re.search(r"^coral +hotel +3 +2 +1 +66.6 +0 +-$", data.ok("coverage"), re.M)
    below = data.run("coverage", "--adapter", "coral", "--kind", "hotel", "--min-coverage", "70")
    assert below.returncode == 1 and "1 of these are below 70 %" in below.stderr
    data.ok("coverage", "--adapter", "coral", "--kind", "hotel", "--min-coverage", "66")


def test_coverage_since_a_day(data):
    header, *rows = [line.split(",") for line in data.ok("coverage", "--since", "2020-01-01", "--format", "csv").splitlines()]
    assert header[-2:] == ["records_since", "mapped_since"]
    assert {(r[0], r[1]): r[-2:] for r in rows}["coral", "hotel"] == ["3", "2"]
    assert data.ok("coverage", "--since", "2100-01-01", "--adapter", "coral", "--kind", "hotel", "--format", "csv").endswith(",0,0\r\n")
    data.map("set", *HOTEL, 55)
    data.map("clear", 7, "hotel", "1001")
    data.map("set", 7, "hotel", "1002", 56)
    assert re.search(r"^coral +hotel +3 +2 +1 ", data.ok("coverage"), re.M)
    data.is_sound()


def test_check_finds_counts_of_what_is_not_there(data):
    data.is_sound()
    store.execute(data.path, "INSERT INTO use_count (sort, number, kind, id, slot, count, mapped, last_day) VALUES (3, 4711, 6, '', 0, 5, 2, 0)")
    done = data.run("check")
    assert done.returncode == 1 and "the counts of coverage are not those of the records" in done.stdout + done.stderr


def filled(path, changes, to):
    """The list as a colleague saves it: `changes` has dict ids by id."""
    book = openpyxl.load_workbook(path)
    header, *rows = book.active.iter_rows()
    at = {cell.value: i for i, cell in enumerate(header)}
    for row in rows:
        if row[at["id"]].value in changes:
            row[at["dict_id"]].value = changes[row[at["id"]].value]
    if to.suffix == ".xlsx":
        book.save(to)
        return to
    text = io.StringIO()
    csv.writer(text, delimiter=";").writerows(book.active.values)
    to.write_bytes(text.getvalue().encode("utf-8-sig"))
    return to


@pytest.mark.parametrize("suffix", ["xlsx", "csv"])
def test_a_list_goes_to_excel_and_back(data, tmp_path, suffix):
    data.ok("map", "list", "--kind", "hotel", "--output", tmp_path / "todo.xlsx")
    done = filled(tmp_path / "todo.xlsx", {"1002": 56, "1001": None}, tmp_path / f"done.{suffix}")
    assert "1 mapped, 1 cleared, 3 as before, 0 refused; nothing applied" in data.ok("map", "load", done, "--dry-run")
    assert data.mapped_to(*HOTEL) is None
    data.ok("map", "load", done, "--by", "olena")
    assert data.mapped_to(*HOTEL) == 56 and data.mapped_to(7, "hotel", "1001") is None
    assert "0 mapped, 0 cleared, 5 as before" in data.ok("map", "load", done)
    batch = data.ok("batch", "list", "--format", "csv").splitlines()[1].split(",")[0]
    data.ok("batch", "undo", batch)
    assert data.mapped_to(*HOTEL) is None and data.mapped_to(7, "hotel", "1001") == 55


def test_a_long_list_in_any_order_is_read_row_by_row(data, import_file, tmp_path):
    n = 1203
    import_file(data.path, [{"type": "source", "adapter_id": 7, "kind": "hotel", "id": f"L{i}", "name": f"L {i}"} for i in range(n)])
    rows = [f"7,hotel,L{i * 7 % n},{55 + i % 3}" for i in range(n)]
    bad = {499: "7,hotel,none,55", 500: "7,hotel,L1,99999", 501: "x,hotel,L2,55", 1000: "7,hotel,L3,five", n - 1: "7,castle,L4,55"}
    for at, row in bad.items():
        rows[at] = row
    rows.append("7,hotel,L0,57")  # mapped to 55 above: a row may come again
    (tmp_path / "long.csv").write_text("\n".join(["adapter_id,kind,id,dict_id", *rows]))
    said = data.run("map", "load", tmp_path / "long.csv")
    assert said.returncode == 1 and f"{n + 1} rows: {n - 4} mapped, 0 cleared, 0 as before, 5 refused" in said.stdout, said.stdout
    assert [int(line.split("long.csv:")[1].split(":")[0]) for line in said.stdout.splitlines() if "long.csv:" in line] == [at + 2 for at in bad]
    mapped = {r["id"]: r.get("dict_id") for r in data.of("source", adapter_id=7, kind="hotel") if r["id"].startswith("L")}
    wanted = {f"L{i * 7 % n}": None if i in bad else 55 + i % 3 for i in range(n)} | {"L0": 57}
    assert mapped == wanted
    before = data.export("--type", "source")
    (tmp_path / "other.csv").write_text("\n".join(["adapter_id,kind,id,dict_id", *(f"7,hotel,L{i * 11 % n},{55 + (i + 1) % 3}" for i in range(n))]))
    data.ok("map", "load", tmp_path / "other.csv")
    batch = data.ok("batch", "list", "--format", "csv").splitlines()[1].split(",")[0]
    data.ok("batch", "undo", batch)
    assert data.export("--type", "source") == before
    data.is_sound()


def test_what_somebody_else_has_mapped_meanwhile_is_refused(data, tmp_path):
    data.ok("map", "list", "--kind", "hotel", "--output", tmp_path / "todo.xlsx")
    done = filled(tmp_path / "todo.xlsx", {"1002": 56, "1001": 57, "77": 99999}, tmp_path / "done.xlsx")
    data.map("set", *HOTEL, 55)
    said = data.run("map", "load", done)
    assert said.returncode == 1 and "2 rows were refused" in said.stderr
    assert "somebody has mapped it since" in said.stdout and "no such record in the reference" in said.stdout
    assert data.mapped_to(*HOTEL) == 55 and data.mapped_to(7, "hotel", "1001") == 57


def test_csv_that_excel_opens(data):
    text = data.ok("map", "list", "--kind", "hotel", "--excel")
    assert text.startswith("\ufeffadapter_id;kind;id;") and text.count("\r\n") == 6


def test_another_file_is_no_list_of_mappings(data, tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    assert "there is no adapter_id" in data.fails("map", "load", tmp_path / "a.csv")


def test_history_by_person_time_supplier_and_batch(data):
    data.map("set", *HOTEL, 55, "--by", "olena")
    data.map("set", 8, "country", "TR", 2, "--by", "ivan")
    assert data.ok("map", "history", "--by", "ivan").count("\n") == 2
    assert data.ok("map", "history", "--adapter", "coral").count("\n") == 2
    assert data.ok("map", "history", "--since", "2100-01-01").count("\n") == 1
    assert data.ok("map", "history", "--since", "2020-01-01T00:00:00Z").count("\n") == 3
    assert data.ok("map", "history", "--batch", "1").count("\n") == 1


LISTINGS = [("coverage",), ("dict", "find", "palace"), ("dict", "duplicates"), ("map", "find", "belek"), ("supplier", "list"), ("supplier", "show", "coral"), ("batch", "show", "1"), ("status",), ("batch", "list"), ("key", "list"),
            ("map", "list"), ("map", "history"), ("air", "list"), ("air", "unmatched"), ("changes", "--since", "2020-01-01")]


@pytest.mark.parametrize("command", LISTINGS, ids=" ".join)
def test_whatever_lists_gives_every_format(data, tmp_path, command):
    data.ok("key", "create", "--api", "a")
    data.map("set", *HOTEL, 55)
    lines = [json.loads(line) for line in data.ok(*command, "--format", "ndjson").splitlines()]
    plain = data.ok(*command, "--format", "csv")
    assert plain.count("\r\n") == len(lines) + 1 and not plain.startswith("\ufeff")
    excel = data.ok(*command, "--excel")
    assert excel.startswith("\ufeff") and excel.count("\r\n") == len(lines) + 1
    for name in ("list.xlsx", "list.csv", "list.ndjson"):
        assert data.ok(*command, "--output", tmp_path / name) == ""
    assert openpyxl.load_workbook(tmp_path / "list.xlsx").active.max_row == len(lines) + 1
    assert (tmp_path / "list.csv").read_bytes().count(b"\r\n") == len(lines) + 1
    assert [json.loads(line) for line in (tmp_path / "list.ndjson").read_text("utf-8").splitlines()] == lines
    assert "cannot write" in data.fails(*command, "--output", tmp_path / "none" / "list.csv")


def test_figures_are_numbers_in_a_workbook_and_ids_are_not(data, tmp_path):
    data.ok("coverage", "--output", tmp_path / "a.xlsx")
    row = [cell.value for cell in list(openpyxl.load_workbook(tmp_path / "a.xlsx").active.rows)[-1]]
    assert row[2:] == [1, 1, 0, 100.0, 0, None]
    data.ok("map", "list", "--kind", "hotel", "--output", tmp_path / "b.xlsx")
    assert openpyxl.load_workbook(tmp_path / "b.xlsx").active["C2"].value == "1001"


@pytest.mark.parametrize("name", [b"caf\xe9.csv", b"bell\x07.csv", "1".encode() + "ж".encode() * 115 + b".csv"], ids=["latin-1", "control", "long"])
def test_p8_a_file_may_be_called_what_no_text_can_be(data, tmp_path, name):
    path = os.fsencode(tmp_path) + b"/" + name
    with open(path, "wb") as file:
        file.write(b"adapter_id,kind,id,dict_id\n7,hotel,1002,55\n")
    assert "1 mapped" in data.ok("map", "load", os.fsdecode(path))
    data.is_sound()
