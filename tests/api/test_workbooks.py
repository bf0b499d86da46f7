"""Workbooks that people get, fill in and send back: they filter, fit, offer the answers, and an id stays text."""
import zipfile

import openpyxl
import pytest

import hotels
from curating import Desk

pytestmark = pytest.mark.store

RECORDS = hotels.PLACES + hotels.dict_hotels() + [
    hotels.source("0011", "Orkide Resort & Spa Side", **hotels.near(0)), hotels.source("0012", "Quite Another House", lat=36.9, lng=31.0),
    hotels.source("0013", "Zeytin Residence Hotel", **hotels.near(4))]


@pytest.fixture
def queue(data, tmp_path):
    data.ok("match", "--samples", "0")
    file = tmp_path / "queue.xlsx"
    data.ok("match", "queue", "--kind", "hotel", "--output", file)
    return file


def test_a_queue_filters_fits_and_offers_its_answers(queue):
    sheet = openpyxl.load_workbook(queue).active
    titles = [c.value for c in sheet[1]]
    assert sheet.freeze_panes == "A2" and sheet.auto_filter.ref == f"A1:{sheet.cell(sheet.max_row, len(titles)).coordinate}"
    widths = [sheet.column_dimensions[sheet.cell(1, i + 1).column_letter].width for i in range(len(titles))]
    longest = [max(len(str(sheet.cell(r, i + 1).value or "")) for r in range(1, sheet.max_row + 1)) for i in range(len(titles))]
    assert all(w >= min(n, 60) for w, n in zip(widths, longest)) and max(widths) < 80
    (rule,) = sheet.data_validations.dataValidation
    column = sheet.cell(1, titles.index("decision") + 1).column_letter
    assert str(rule.sqref) == f"{column}2:{column}{sheet.max_row}" and rule.formula1 == '"accept,reject,new"'
    xml = zipfile.ZipFile(queue).read("xl/worksheets/sheet1.xml").decode()
    assert "showErrorMessage" not in xml, "another id is an answer too"
    ids = [sheet.cell(r, titles.index("id") + 1) for r in range(2, sheet.max_row + 1)]
    assert ids and all(c.data_type == "s" and c.value.startswith("00") for c in ids)
    assert all(sheet.cell(r, titles.index("asked") + 1).data_type == "n" for r in range(2, sheet.max_row + 1))


@pytest.mark.parametrize("command, numbers", [(("map", "list"), {"lat", "lng"}), (("batch", "list"), {"created", "changed", "removed"})])
def test_numbers_of_records_are_numbers_and_ids_text(data, tmp_path, command, numbers):
    data.ok(*command, "--output", tmp_path / "list.xlsx")
    titles, *rows = openpyxl.load_workbook(tmp_path / "list.xlsx").active
    sorts = {title.value: {row[i].data_type for row in rows if row[i].value is not None} for i, title in enumerate(titles)}
    assert {title for title, sort in sorts.items() if sort == {"n"}} == numbers
    assert all(sort <= {"s"} for title, sort in sorts.items() if title not in numbers) and sorts["id"] == {"s"}


def test_what_is_sent_back_is_taken_and_each_refused_row_named(queue, data):
    book = openpyxl.load_workbook(queue)
    sheet = book.active
    titles = [c.value for c in sheet[1]]
    answers = ["accept", "perhaps", 999]
    for row, answer in zip(range(2, sheet.max_row + 1), answers):
        sheet.cell(row, titles.index("decision") + 1).value = answer
    book.save(queue)
    rows = sheet.max_row - 1
    done = data.run("match", "load", queue)
    assert done.returncode == 1 and done.stdout.count("refused ") == min(rows, 3) - 1
    ids = [sheet.cell(r, titles.index("id") + 1).value for r in range(2, sheet.max_row + 1)]
    assert f"{queue}:3: hotel {ids[1]}: decision: expected accept" in done.stdout


def test_what_a_supplier_has_is_downloaded_with_places_as_numbers(make_server, new_key, data, tmp_path):
    key = new_key(data.path, "b", "--secret", "--role", "curator")
    answer = Desk(make_server(None, data=data.path), key).get("records", adapter_id=1, kind="hotel", format="xlsx")
    file = tmp_path / "records.xlsx"
    file.write_bytes(answer.body)
    sheet = openpyxl.load_workbook(file).active
    titles = [c.value for c in sheet[1]]
    assert sheet.auto_filter.ref and {sheet.cell(r, titles.index("lat") + 1).data_type for r in range(2, sheet.max_row + 1)} == {"n"}
    assert {sheet.cell(r, titles.index("id") + 1).data_type for r in range(2, sheet.max_row + 1)} == {"s"}
