"""POST curate/load against what is too large, hostile or in the way: decisions P2, P3, C8 and E26."""
import gzip
import io
import re
import threading
import zipfile

import pytest

import client
import sheets
import usage
from client import eventually
from loading import HOTELS, SUPPLIERS, Loader, text
from raw import Raw

#: What `data` has.
RECORDS, STEPS, DESK = None, SUPPLIERS, Loader


@pytest.fixture
def desk(make_server, templates, data, small_quarantine):
    with small_quarantine():
        return Loader(make_server(None, data=data.path), templates.keys_of(data.path)["desk"])


def message(answer):
    return answer.json()["error"]["message"]


def by_hand(rows, **parts):
    stream = io.BytesIO()
    sheets.by_hand(stream, rows, **parts)
    return stream.getvalue()


HEAD = sheets.inline("Code", "Name")
ROWS = 5_000_000
FULL_ROW = "<row>" + '<c t="s"><v>0</v></c>' * 8 + "</row>"
MEGABYTE = f"<si><t>{'x' * 1_000_000}</t></si>"


# What is too large

def test_p2_a_list_has_so_many_rows(desk):
    most = b"Code;Name\n1;A\n" + b"\n" * (ROWS - 2)
    assert desk.load(most, dry_run="1").data()["rows"] == 1, "as many as there may be"
    answer = desk.load(most + b"2;B\n", dry_run="1", file="many.csv")
    client.assert_error(answer, 413, None, "list_too_large")
    assert message(answer).startswith("many.csv: expected at most 5000000 rows")
    client.assert_error(desk.load(gzip.compress(most + b"2;B\n"), dry_run="1"), 413, None, "list_too_large")


LARGE = {
    "empty rows of a workbook": (lambda: by_hand(HEAD + "<row/>" * ROWS), "5000000 rows"),
    "a text that many cells share": (lambda: by_hand(HEAD + sheets.inline("1", "A") * 40 + FULL_ROW * 280, shared=MEGABYTE), "2 GiB"),
    "first rows": (lambda: by_hand(HEAD + FULL_ROW * 30, shared=MEGABYTE), "first 30 rows"),
    "long texts": (lambda: sheets.many_texts("x" * 100_000, 280), "256 MiB of different texts"),
    "short texts": (lambda: sheets.huge(sheets.SHARED, f'<sst xmlns="{sheets.MAIN}">', "<si/>", 90), "16777216 at most"),
}


@pytest.mark.heavy
@pytest.mark.parametrize("make, words", LARGE.values(), ids=LARGE)
def test_p2_what_unfolds_beyond_the_limits_is_refused_and_changes_nothing(same_desk, make, words):
    body = make()
    assert len(body) < 32 << 20
    assert same_desk.load(text(HOTELS), dry_run="1").status == 200
    answer = same_desk.load(body, file="large.xlsx", accept="1")
    client.assert_error(answer, 413, None, "list_too_large")
    assert words in message(answer) and message(answer).startswith("large.xlsx: "), message(answer)
    assert same_desk.get("batches").data()["items"] == []
    assert same_desk.load(text(HOTELS), dry_run="1").status == 200


def test_p2_names_of_columns_that_nobody_can_keep(desk):
    rows = text([["Code", "Name", "a" * 600_000, "b" * 600_000], ["1", "A", "", ""]])
    client.assert_error(desk.load(rows, accept="1"), 413, None, "list_too_large")


# What is damaged or hostile

def packed_by(method):
    stream = io.BytesIO()
    sheets.by_hand(stream, HEAD + sheets.inline("1", "A"))
    out = io.BytesIO()
    with zipfile.ZipFile(stream) as book, zipfile.ZipFile(out, "w", method) as other:
        for name in book.namelist():
            other.writestr(name, book.read(name))
    return out.getvalue()


REFUSED = {
    "gzip that is cut": (lambda: gzip.compress(text(HOTELS))[:-20], "cut off"),
    "gzip that is damaged": (lambda: gzip.compress(text(HOTELS))[:10] + b"\xff" * 40, "damaged"),
    "gzip of nothing": (lambda: gzip.compress(b""), "the file is empty"),
    "gzip of blanks": (lambda: gzip.compress(text([HOTELS[0]]) + text(HOTELS[1:]) * 10 + (b" " * 999_999 + b"\n") * 70), "1000 times"),
    "a workbook packed by LZMA": (lambda: packed_by(zipfile.ZIP_LZMA), "packed in a way that no spreadsheet program"),
    "a workbook packed by bzip2": (lambda: packed_by(zipfile.ZIP_BZIP2), "packed in a way that no spreadsheet program"),
    "a tag without end": (lambda: by_hand(HEAD + f'<row a="{"x" * (40 << 20)}"/>'), "a tag of more than 1 MiB"),
    "a comment without end": (lambda: by_hand(HEAD + f'<!-- {"x" * (40 << 20)} -->'), "a tag of more than 1 MiB"),
}


@pytest.mark.parametrize("make, words", REFUSED.values(), ids=REFUSED)
def test_c8_a_list_at_fault_is_told_as_that(same_desk, make, words):
    answer = same_desk.load(make(), file="a.xlsx", dry_run="1")
    client.assert_error(answer, 422, None, "not_processable")
    assert words in message(answer) and message(answer).startswith("a.xlsx: ") and message(answer).count("a.xlsx") == 1, message(answer)


@pytest.mark.heavy
def test_c8_a_stop_does_not_wait_for_a_workbook_that_is_unpacked(desk):
    body, answers = sheets.endless_row(2000), []
    thread = threading.Thread(target=lambda: answers.append(desk.its_turn(body, dry_run="1", file="endless.xlsx")))
    thread.start()
    assert client.wait_until(lambda: desk.load(text(HOTELS), dry_run="1").status == 503)
    began = usage.cpu_seconds(desk.server.pid)
    assert client.wait_until(lambda: usage.cpu_seconds(desk.server.pid) > began + 1), "it is in the middle of it"
    desk.server.stop()
    thread.join()
    client.assert_error(answers[0], 503, None, "shutting_down")
    assert "waiting for the lists" not in desk.server.process.stderr() and "hangs" not in desk.server.process.stderr()


@pytest.mark.heavy
def test_c8_a_list_is_read_no_further_when_its_client_leaves(desk):
    body = sheets.endless_row(2000)
    head = "".join(f"{name}: {value}\r\n" for name, value in desk.headers({"Content-Type": "application/octet-stream", "Content-Length": str(len(body))}).items())
    began = usage.cpu_seconds(desk.server.pid)
    with Raw(desk.server.port) as leaver:
        leaver.send(f"POST /v1/curate/load?adapter_id=1&file=endless.xlsx&dry_run=1 HTTP/1.1\r\nHost: a\r\n{head}\r\n".encode() + body)
        assert client.wait_until(lambda: usage.cpu_seconds(desk.server.pid) > began + 1), "it is in the middle of it"
    eventually(lambda: re.search("a list could not be loaded: .*it was stopped", desk.server.process.stderr()))
    assert desk.its_turn(text(HOTELS), dry_run="1").status == 200


def test_c8_an_answer_is_whole_whatever_names_and_cells_there_are(same_desk):
    """A byte of these takes six where it is written as JSON."""
    odd = [f"{i:04}" + "\x01" * 289 + "z" for i in range(1022)]
    told = same_desk.load(text([["Code", "Name", *odd]] + [[str(i), "A", *["a" + "\x02" * 118 + "z"] * 1022] for i in range(5)]), dry_run="1").data()
    assert [c["name"] for c in told["columns"]] == ["Code", "Name", *odd]
    assert all(c["examples"] == ["a" + "\x02" * 118 + "z"] * 5 for c in told["columns"][2:])


@pytest.mark.parametrize("n", [100, 128, 600])
def test_p2_the_name_of_a_sheet_is_not_cut_inside_a_character(desk, tmp_path, n):
    name = "x" + "\u20ac" * n
    with zipfile.ZipFile(sheets.by_hand(tmp_path / "a.xlsx", HEAD + sheets.inline("1", "A"))) as book:
        parts = {part: book.read(part).decode() for part in book.namelist()}
    parts["xl/workbook.xml"] = parts["xl/workbook.xml"].replace('name="List"', f'name="{name}"')
    with zipfile.ZipFile(tmp_path / "b.xlsx", "w") as book:
        for part, content in parts.items():
            book.writestr(part, content)
    body = (tmp_path / "b.xlsx").read_bytes()
    told = desk.load(body, dry_run="1").data()["sheet"]
    assert name.startswith(told) and len(told) >= min(len(name), 128)
    if n < 128:
        assert desk.load(body, dry_run="1", sheet=name).data()["sheet"] == name


def test_p2_a_number_of_a_row_that_no_workbook_has(desk):
    rows = HEAD + sheets.inline("1.10E+03", "A").replace("<row>", '<row r="18446744073709551615">')
    told = desk.load(by_hand(rows), dry_run="1").data()
    assert [n["line"] for n in told["news"] if n["what"] == "rejected"] == [2]


# A mapping to what is not there

@pytest.fixture
def mapped(desk, data, run, tmp_path, import_file):
    import_file(data.path, [{"type": "dict", "kind": "meal", "id": i, "name": f"Meal {i}"} for i in (7, 8)])
    return desk


MEALS = [["Code", "Name", "dict_id"], ["a", "All", "7"], ["b", "Half", "999"], ["c", "Bed", ""]]


def test_p3_a_dict_id_that_is_unknown_is_a_bad_row(mapped, data):
    told = mapped.load(text(MEALS), dry_run="1", kind="meal").data()
    assert (told["rows"], told["rejected"], told["kinds"]) == (3, 1, [{"kind": "meal", "new": 2, "changed": 0, "same": 0, "gone": 0}])
    bad = [(n["line"], n["kind"], n["id"], n["to"]) for n in told["news"] if n["what"] == "rejected"]
    assert bad == [(3, "meal", "b", "dict_id: expected a dict meal that exists, found 999")]
    answer = mapped.load(text(MEALS), accept="1", kind="meal")
    client.assert_error(answer, 422, None, "bad_rows")
    assert message(answer).startswith("1 of 3 rows are bad")
    done = mapped.load(text(MEALS), accept="1", kind="meal", keep_going="1").data()
    assert (done["applied"], done["rejected"], done["kinds"]) == (True, 1, told["kinds"])

    def record(id):
        answer = mapped.get("case", adapter_id=1, kind="meal", id=id)
        return answer.data()["record"].get("dict_id") if answer.status == 200 else "none"
    assert eventually(lambda: record("a") == 7) and record("c") is None and record("b") == "none"
    data.is_sound()


def test_p3_a_dict_id_that_was_merged_is_known(mapped, run, data):
    assert run("dict", "merge", "meal", "8", "7", "--data", str(data.path)).returncode == 0
    rows = [MEALS[0], ["a", "All", "8"]]
    assert mapped.load(text(rows), accept="1", kind="meal").data()["rejected"] == 0
    assert eventually(lambda: mapped.get("case", adapter_id=1, kind="meal", id="a").data()["record"]["dict_id"] == 7)
    again = mapped.load(text(rows), kind="meal").data()
    assert (again["batch"], again["kinds"], again["fields"]) == (None, [{"kind": "meal", "new": 0, "changed": 0, "same": 1, "gone": 0}], [])


def test_p4_nothing_is_removed_where_a_mapping_is_bad(mapped):
    mapped.load(text([MEALS[0], ["a", "All", "7"], ["z", "Other", ""]]), accept="1", kind="meal").data()
    told = mapped.load(text(MEALS), kind="meal", complete="1", max_gone="100", keep_going="1").data()
    assert told["gone_left"] and told["rejected"] == 1 and told["kinds"][0]["gone"] == 0
