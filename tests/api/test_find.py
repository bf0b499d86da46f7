"""dragoman dict find, map find, coverage, and lists of mappings that go to Excel and back."""
import csv
import io
import re

import openpyxl
import pytest

import mapping

HOTEL = (7, "hotel", "1002")  # not mapped in mini.ndjson; 1001 is mapped to 55


@pytest.fixture
def data(run, import_file, mini, tmp_path):
    import_file(tmp_path, mini)
    return mapping.Data(run, tmp_path)


def test_the_reference_is_found_in_any_language(data):
    assert data.ok("dict", "find", "kyiv").split()[:3] == ["dep_city", "10", "Kyiv,"]
    assert data.ok("dict", "find", "БЛЮ") == "hotel                  55  Блю Бей Палас, Antalya, Turkey  [coral anex]\n"
    assert data.ok("dict", "find", "palace", "--kind", "hotel", "--country", "1").count("\n") == 1
    assert data.ok("dict", "find", "palace", "--country", "2") == ""
    assert "letters or digits" in data.fails("dict", "find", "...")


def test_the_best_come_first(data):
    names = [re.split(r" {2,}", line)[1] for line in data.ok("map", "find", "belek").splitlines()]
    assert names[0] == "BELEK, TURKEY" and len(names) == 3
    assert data.ok("map", "find", "belek", "--limit", "1").count("\n") == 1
    assert "(not mapped)" in data.ok("map", "find", "golf", "--adapter", "coral")


def test_coverage(data):
    assert re.search(r"^coral +hotel +3 +2 +1 +66.6 %$", data.ok("coverage"), re.M)
    below = data.run("coverage", "--adapter", "coral", "--kind", "hotel", "--min-coverage", "70")
    assert below.returncode == 1 and "1 of these are below 70 %" in below.stderr
    data.ok("coverage", "--adapter", "coral", "--kind", "hotel", "--min-coverage", "66")


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
