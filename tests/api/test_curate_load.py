"""POST curate/load: decisions C8 and E26. What a load does to records is tested in test_load.py; here, that it is the same one."""
import threading

import pytest

import client
import raw
import sheets
import store
import usage
from client import eventually
from loading import MONTH, NEXT_MONTH, REFERENCE, HOTELS, SUPPLIERS, Loader, text
from test_data_version import seq_of

pytestmark = pytest.mark.store

#: What `data` has, and who asks.
RECORDS, STEPS, DESK = None, SUPPLIERS, Loader


def counts(told):
    return {k["kind"]: (k["new"], k["changed"], k["same"], k["gone"]) for k in told["kinds"]}


def source(desk, id, kind="hotel"):
    answer = desk.get("case", adapter_id=1, kind=kind, id=id)
    return answer.data()["record"] if answer.status == 200 else None


@pytest.mark.store_core
def test_c8_a_dry_run_tells_and_a_load_does_it(desk, data):
    told = desk.load(text(HOTELS), dry_run="1").data()
    assert (told["applied"], told["batch"], told["proposed"], told["rows"], told["rejected"]) == (False, None, True, 3, 0)
    assert (told["kind"], told["header_row"], told["separator"], told["sheet"]) == ("hotel", 1, "semicolon", None)
    assert [(c["name"], c["field"]) for c in told["columns"]] == [
        ("Code", "id"), ("Hotel Name", "name"), ("Country Code", "country_id"), ("Country", "country_name"), ("Latitude", "lat"), ("Note", None)]
    assert told["columns"][0]["examples"] == ["h1", "h2", "h3"]
    assert counts(told) == {"country": (1, 0, 0, 0), "hotel": (3, 0, 0, 0)} and told["brings"] == ["country"]
    assert {n["id"] for n in told["news"] if n["what"] == "new"} >= {"h1", "h2", "h3"}
    assert source(desk, "h1") is None and desk.get("batches").data()["items"] == []

    client.assert_error(desk.load(text(HOTELS)), 422, None, "new_columns")
    done = desk.load(text(HOTELS), accept="1", why="first list", by="olena").data()
    assert done["applied"] and done["batch"] == 1 and counts(done) == counts(told)
    assert eventually(lambda: source(desk, "h3"))["name"] == "Ada Resort"
    batch = desk.get("batches").data()["items"][0]
    assert (batch["what"], batch["by"], batch["why"], batch["files"], batch["created"]) == ("load", "olena", "first list", "hotels.csv", 5)  # and how such files look

    changed = [HOTELS[0], ["h1", "Mavi Koy Beach", *HOTELS[1][2:]], *HOTELS[2:]]
    again = desk.load(text(changed), dry_run="1").data()
    assert not again["proposed"] and counts(again)["hotel"] == (0, 1, 2, 0) and again["fields"] == [{"field": "name", "changed": 1}]
    assert [(n["field"], n["from"], n["to"], n["line"]) for n in again["news"] if n["what"] == "changed"] == [
        ("name", "Mavi Koy", "Mavi Koy Beach", 2)]
    second = desk.load(text(changed)).data()["batch"]
    assert eventually(lambda: source(desk, "h1")["name"] == "Mavi Koy Beach")
    undone = desk.post("batchUndo", {"batch": second}).data()
    assert undone["restored"] == 1
    assert eventually(lambda: source(desk, "h1")["name"] == "Mavi Koy")
    desk.post("batchUndo", {"batch": 1}).data()
    assert eventually(lambda: source(desk, "h2") is None)  # h1 has been changed since, and changed back
    data.is_sound()


@pytest.mark.store_core
def test_p3_an_id_that_means_another_house_now_is_flagged_and_a_mapped_one_asked_again(desk, data, import_file):
    desk.load(text(MONTH), accept="1").data()
    import_file(data.path, REFERENCE)
    for id in ("given", "moved", "renamed"):
        data.map("set", 1, "hotel", id, 100)
    told = desk.load(text(NEXT_MONTH), dry_run="1").data()
    assert (told["other_house"], told["asked_again"], told["unmapped"]) == (2, 1, 0)
    assert [(n["id"], n["field"], n["from"], n["to"], n["line"]) for n in told["news"] if n["what"] == "other"] == [
        ("given", "name", "Mavi Koy Resort", "Grand Bellevue", 2), ("nowhere", "name", "Ada Pansiyon", "Old Mill Inn", 3)]
    assert data.mapped_to(1, "hotel", "given") == 100

    done = desk.load(text(NEXT_MONTH), by="olena").data()
    assert (done["other_house"], done["asked_again"]) == (2, 1)
    assert data.mapped_to(1, "hotel", "given") is None and data.mapped_to(1, "hotel", "moved") == data.mapped_to(1, "hotel", "renamed") == 100
    assert eventually(lambda: desk.case_of("given"))["name"] == "Grand Bellevue"
    event = desk.get("case", adapter_id=1, kind="hotel", id="given").data()["history"][-1]
    assert (event["how"], event["from"], event["to"], event["by"], event["batch"]) == ("undo", 100, None, "olena", done["batch"])
    assert event["why"] == "its id seems to mean another house now"
    again = desk.load(text(NEXT_MONTH), dry_run="1").data()
    assert again["other_house"] == 0

    desk.post("batchUndo", {"batch": done["batch"]}).data()
    assert data.mapped_to(1, "hotel", "given") == 100
    data.is_sound()


def test_p3_a_mapping_that_the_list_gives_itself_stays(desk, data, import_file):
    desk.load(text(MONTH), accept="1").data()
    import_file(data.path, REFERENCE)
    data.map("set", 1, "hotel", "given", 100)
    told = desk.load(text([[*NEXT_MONTH[0], "dict_id"], [*NEXT_MONTH[1], "100"]]), accept="1", map="dict_id=dict_id").data()
    assert (told["other_house"], told["asked_again"]) == (1, 0) and data.mapped_to(1, "hotel", "given") == 100


def test_p10_a_load_tells_the_order_of_coordinates(desk):
    def told(header, *cells):
        rows = [[f"h{i}", f"Creek {i}", *cells] for i in range(5)]
        answer = desk.load(text([["Code", "Hotel Name", *header], *rows]), dry_run="1").data()
        return answer["coordinates"], answer["coordinates_sure"], answer["warned"]
    assert told(["Coordinates"], "116.39,39.91") == ("lng,lat", True, 0)
    assert told(["Coordinates"], "39.91,116.39") == ("lat,lng", True, 0)
    assert told(["Coordinates"], "36.86,30.63") == ("lat,lng", False, 0)
    assert told(["Latitude", "Longitude"], "116.39", "39.91") == ("lng,lat", True, 0)
    assert told(["Latitude", "Longitude"], "39.91", "116.39") == (None, False, 0)
    assert told([]) == (None, False, 0)


def test_c8_what_is_said_once_for_a_list_is_remembered(desk, data):
    body, kind = b"Code,Name\n1001,Brisbane\n1002,Sydney\n", {"kind": "city"}
    said = lambda told: [told[n] for n in ("lang", "country", "category")]
    assert said(desk.load(body, dry_run="1", **kind).data()) == [None, None, None]
    assert said(desk.load(body, dry_run="1", country="Australia", lang="de", **kind).data()) == ["de", "Australia", None]
    assert desk.load(body, accept="1", country="Australia", lang="de", **kind).data()["applied"]
    assert [(r["country_name"], r["lang"]) for r in data.of("source", kind="city")] == [("Australia", "de")] * 2
    assert said(desk.load(body, dry_run="1", **kind).data()) == ["de", "Australia", None]
    assert said(desk.load(body, dry_run="1", country="none", **kind).data()) == ["de", None, None]
    desk.load(body, accept="1", country="none", **kind).data()
    assert said(desk.load(body, dry_run="1", **kind).data()) == ["de", None, None]
    refused = client.assert_error(desk.load(body, dry_run="1", category="5*", **kind), 422, reason="not_processable")
    assert "category: a city has no category" in refused["message"] and "--" not in refused["message"]


def test_d1_the_version_of_a_load_and_of_an_undo_includes_it(desk):
    seq = [seq_of(desk.get("batches").headers["X-Data-Version"])]

    def shown(answer):
        """The record in the catalog of the version that the answer names, or a later one."""
        assert answer.status == 200
        version = answer.headers["X-Data-Version"]
        seq.append(seq_of(version))
        ask = desk.headers({"X-Min-Data-Version": version, "Content-Type": "application/json"})
        found = desk.server.request("/v1/tour/sourceInfo?adapter_id=1", "POST", ask, b'{"hotel": ["h1"]}')
        return found.data()["hotel"][0]["source"]

    loaded = desk.load(text(HOTELS), accept="1")
    assert shown(loaded)["name"] == "Mavi Koy"
    assert shown(desk.post("batchUndo", {"batch": loaded.data()["batch"]})) is None
    assert seq[0] < seq[1] < seq[2]


def test_c8_a_workbook_with_columns_named_by_the_caller(desk, tmp_path):
    path = tmp_path / "a.xlsx"
    sheets.workbook(path, [["Kod", "Ad", "Santral"], ["1", "Ada", "+90 1"]], header=["Liste"])
    body = path.read_bytes()
    told = desk.load(body, file="otel.xlsx", dry_run="1", map=["phone=Santral", "id=Kod", "name=Ad"]).data()
    assert (told["sheet"], told["header_row"], told["encoding"]) == ("Hotels", 2, None)
    assert {c["name"]: c["field"] for c in told["columns"]} == {"Kod": "id", "Ad": "name", "Santral": "phone"}
    assert desk.load(body, file="otel.xlsx", accept="1", map=["phone=Santral", "id=Kod", "name=Ad"]).data()["applied"]
    assert eventually(lambda: source(desk, "1"))["phone"] == "+90 1"


UNKNOWN = text([["A list of November", "", ""], ["Xx", "Yy", "Zz"], ["1", "Ada", "TR"], ["2", "Deniz", "TR"]])


def test_c8_columns_that_nobody_knows_are_shown_and_named(desk):
    client.assert_error(desk.load(UNKNOWN, dry_run="1"), 422, reason="not_processable")
    told = desk.load(UNKNOWN, dry_run="1", anew="1").data()
    assert (told["header_row"], told["proposed"], told["rows"], told["skipped"]) == (2, True, 2, 2)
    assert [(c["name"], c["field"], c["examples"]) for c in told["columns"]] == [("Xx", None, ["1", "2"]), ("Yy", None, ["Ada", "Deniz"]), ("Zz", None, ["TR", "TR"])]
    assert {"id", "name", "lat", "dict_id"} <= set(told["feeds"]) and not {"kind", "adapter_id"} & set(told["feeds"])
    client.assert_error(desk.load(UNKNOWN, accept="1", anew="1"), 422, reason="not_processable")  # only a look
    maps = ["id=Xx", "name=Yy", "phone="]
    told = desk.load(UNKNOWN, dry_run="1", anew="1", map=maps).data()
    assert counts(told) == {"hotel": (2, 0, 0, 0)} and told["rejected"] == 0
    assert desk.load(UNKNOWN, accept="1", map=maps).data()["applied"]
    assert eventually(lambda: source(desk, "1"))["name"] == "Ada"
    assert desk.load(UNKNOWN, dry_run="1").data()["proposed"] is False  # it is remembered


def test_c8_a_list_that_looks_like_another_kind(desk):
    currencies = text([["Code", "Name", "Currency code"], ["1", "Euro", "EUR"]])
    assert desk.load(currencies, dry_run="1").data()["looks_like"] == "currency"
    assert desk.load(currencies, dry_run="1", kind="currency").data()["looks_like"] is None
    assert desk.load(text(HOTELS), dry_run="1").data()["looks_like"] is None


@pytest.mark.parametrize("separator", ["，", "Ж", "¦", "|", "tab"])
def test_c8_a_separator_of_any_script(desk, separator):
    body = text(HOTELS, "\t" if separator == "tab" else separator)
    told = desk.load(body, dry_run="1", separator=separator).data()
    assert told["rows"] == 3 and told["separator"] == {"|": "bar"}.get(separator, separator)


def test_c8_a_field_that_no_column_feeds(desk):
    def fed(**parameters):
        return {c["field"] for c in desk.load(text(HOTELS), **parameters).data()["columns"]}

    assert fed(dry_run="1") == {"id", "name", "country_id", "country_name", "lat", None}
    assert fed(dry_run="1", map=["country_id=", "lat="]) == {"id", "name", "country_name", None}
    assert fed(accept="1", map=["country_id="]) == {"id", "name", "country_name", "lat", None}
    assert fed(dry_run="1") == {"id", "name", "country_name", "lat", None}  # so it is remembered
    assert fed(dry_run="1", map=["lat="]) == {"id", "name", "country_name", None}  # and for once, over what is
    client.assert_error(desk.load(text(HOTELS), dry_run="1", map="id="), 422)
    client.assert_error(desk.load(text(HOTELS), dry_run="1", map="nothing="), 422)


BAD = {
    "encrypted": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"x" * 100, "encrypted"),
    "not a workbook": (b"PK\3\4" + b"\0" * 200, "a.xlsx"),
    "no header": (b"just some words\nand more of them\n", "header"),
    "no encoding": (b"Code;Name\n\x81\x8d\x8f;\xff\xfe\xfa\n" * 3, "UTF-8"),
    "zeros": (b"\0" * 1000, "a.xlsx"),
}


@pytest.mark.parametrize("body, words", BAD.values(), ids=BAD)
def test_c8_a_bad_file_is_told_by_its_name_and_changes_nothing(same_desk, body, words):
    for parameters in ({"dry_run": "1"}, {"accept": "1"}):
        answer = same_desk.load(body, file="a.xlsx", **parameters)
        error = client.assert_error(answer, 422)
        message = answer.json()["error"]["message"]
        assert words in message and "/proc" not in message and "--" not in message, message
    assert same_desk.get("batches").data()["items"] == []


def test_c8_a_sheet_that_has_to_be_chosen_is_told_as_that(desk, tmp_path):
    path = tmp_path / "two.xlsx"
    sheets.workbook(path, [["Kod", "Ad"], ["1", "Ada"]], sheets=[("Other", [["Kod", "Ad"], ["2", "b"]])])
    answer = desk.load(path.read_bytes(), file="two.xlsx", dry_run="1")
    client.assert_error(answer, 422, "sheet", "not_processable")
    assert answer.json()["error"]["message"].endswith('"Hotels", "Other"')
    told = desk.load(path.read_bytes(), file="two.xlsx", dry_run="1", sheet="Hotels").data()
    assert told["sheet"] == "Hotels"
    assert told["sheets"] == [{"name": "Hotels", "rows": 1, "read": True, "hidden": False}, {"name": "Other", "rows": 2, "read": False, "hidden": False}]


@pytest.mark.parametrize("wanted", ["all", "Hotels/Other", "1/2"])
def test_c8_several_sheets_are_one_list(desk, tmp_path, wanted):
    path = sheets.workbook(tmp_path / "two.xlsx", [["1", "Ada"]], header=["Kod", "Ad"], sheets=[("Other", [["Kod", "Ad"], ["2", "b"]])])
    told = desk.load(path.read_bytes(), file="two.xlsx", dry_run="1", sheet=wanted).data()
    assert counts(told) == {"hotel": (2, 0, 0, 0)} and told["hidden_rows"] == 0
    assert told["sheets"] == [{"name": name, "rows": 1, "read": True, "hidden": False} for name in ("Hotels", "Other")]
    assert [n["line"] for n in told["news"] if n["what"] == "new"] == [2, 2]


@pytest.mark.parametrize("body, encoding, said", [
    ("Code;Name\n1;Нива\n".encode("cp1251"), None, 'windows-1251 "Нива"'),
    ("Code;Name\n1;Нива\n".encode("cp1251"), "utf-8", "bytes that are not utf-8"),
    ("Code;Name\n1;Нива\n".encode("cp1251"), "windows-9", "windows-9")])
def test_c8_an_encoding_at_fault_is_told_as_that_and_can_be_said(same_desk, body, encoding, said):
    answer = same_desk.load(body, dry_run="1", encoding=encoding)
    client.assert_error(answer, 422, "encoding", "not_processable")
    assert said in answer.json()["error"]["message"]
    told = same_desk.load(body, dry_run="1", encoding="windows-1251").data()
    assert told["encoding"] == "windows-1251" and told["columns"][1]["examples"] == ["Нива"]


def test_c8_an_unpaired_quote_is_told_as_that_and_how_cells_are_quoted_can_be_said(same_desk):
    body = b'"Code","Name"\n"1","Ada"\n"2","Bora, Side"\n"3","Can\n'
    answer = same_desk.load(body, dry_run="1")
    client.assert_error(answer, 422, "quote", "not_processable")
    assert ":4: " in answer.json()["error"]["message"] and "quote none" in answer.json()["error"]["message"]
    assert same_desk.load(body, dry_run="1", quote="none").data()["quote"] == "none"
    assert same_desk.load(b'Code;Name\n1;"Ada\n2;B\n', dry_run="1").data()["quote"] == "none"
    client.assert_error(same_desk.load(body, dry_run="1", quote="single"), 400, "quote", "unknown_word")


@pytest.mark.heavy
def test_c8_a_bomb_is_refused(desk, tmp_path):
    path = tmp_path / "bomb.xlsx"
    sheets.bomb(path, 300)
    assert path.stat().st_size < 1 << 20
    client.assert_error(desk.load(path.read_bytes(), file="bomb.xlsx", dry_run="1"), 422, None, "not_processable")
    assert desk.load(text(HOTELS), dry_run="1").status == 200


def test_c8_bad_rows_another_suppliers_file_and_too_many_gone(desk, data):
    rows = [HOTELS[0]] + [[f"h{i}", f"Hotel {i}", "TR", "Türkiye", "36,8", "x"] for i in range(40)]
    desk.load(text(rows), accept="1").data()
    bad = rows[:3] + [["h3", "Hotel 3", "1.10E+03", "Türkiye", "36,8", "x"], ["", "Nobody", "TR", "Türkiye", "36,8", "x"]] + rows[5:]
    told = desk.load(text(bad), dry_run="1").data()
    assert (told["rejected"], told["skipped"]) == (1, 1)
    assert [(n["what"], n["line"], n["id"]) for n in told["news"] if n["what"] in ("rejected", "skipped")] == [("rejected", 4, "h3"), ("skipped", 5, "")]
    assert "country_id" in [n["to"] for n in told["news"] if n["what"] == "rejected"][0]
    answer = desk.load(text(bad))
    client.assert_error(answer, 422, None, "bad_rows")
    assert answer.json()["error"]["message"].startswith("1 of 40 rows are bad")
    assert desk.load(text(bad), keep_going="1").data()["applied"]
    others = [HOTELS[0]] + [[f"x{i}", f"Other {i}", "TR", "Türkiye", "36,8", "x"] for i in range(40)]
    for dry in (None, "1"):
        client.assert_error(desk.load(text(others), dry_run=dry), 422, None, "other_file")
    assert desk.load(text(others), dry_run="1", accept="1").data()["kinds"][-1]["new"] == 40
    answer = desk.load(text(rows[:21]), complete="1")
    client.assert_error(answer, 422, None, "too_many_gone")
    assert answer.json()["error"]["message"].endswith("raise max_gone; they are h20 Hotel 20, h21 Hotel 21, h22 Hotel 22, ...")
    answer = desk.load(text(bad[:-1]), complete="1")
    client.assert_error(answer, 422, None, "bad_rows")
    assert answer.json()["error"]["message"].endswith(", accept_rejected also removes what no row names")
    assert counts(desk.load(text(rows[:21]), complete="1", max_gone="60", dry_run="1").data())["hotel"][3] == 20
    told = desk.load(text([*rows[:40], ["", "Nobody", "TR", "Türkiye", "36,8", "x"]]), complete="1", dry_run="1").data()
    assert (told["rejected"], told["gone_left"], told["would_go"], counts(told)["hotel"][3]) == (0, True, 1, 0)


def test_c8_bad_rows_take_no_memory(make_server, new_key, data, small_quarantine):
    key = new_key(data.path, "b", "--secret", "--role", "curator")
    with small_quarantine():
        desk = Loader(make_server(None, data=data.path), key)
    rows = b"Code;Hotel Name\n" + b"1\n" * 500_000
    assert desk.load(b"Code;Hotel Name\n" + b"1\n" * 10, dry_run="1").data()["rejected"] == 10
    before = usage.memory(desk.server.pid, "VmHWM")
    assert desk.load(rows, dry_run="1").data()["rejected"] == 500_000
    assert usage.memory(desk.server.pid, "VmHWM") - before < 32 << 20  # 67 bytes each


@pytest.mark.parametrize("parameters, field, reason", [
    ({"adapter": 99}, "adapter_id", "unknown_adapter"), ({"file": ""}, "file", None), ({"file": "x" * 201}, "file", None),
    ({"kind": "planet"}, "kind", "unknown_kind"), ({"map": ["phone"]}, "map", "bad_list"), ({"max_gone": "101"}, "max_gone", None),
    ({"separator": "ab"}, "separator", "unknown_word"), ({"decimal": "x"}, "decimal", "unknown_word"), ({"dry_run": "maybe"}, "dry_run", "bad_flag"),
    ({"map": ["a=b"] * 65}, "map", "too_many_elements"),
])
def test_c8_bad_parameters(same_desk, parameters, field, reason):
    client.assert_error(same_desk.load(text(HOTELS), **{"dry_run": "1", **parameters}), 400, field, reason)


def test_c8_the_body_is_the_file(desk):
    client.assert_error(desk.load(b""), 400, "body", "missing_field")
    client.assert_error(desk.load(b"--x\r\n", headers={"Content-Type": "multipart/form-data; boundary=x"}), 415)
    assert desk.load(text(HOTELS), headers={"Content-Type": "text/csv"}, dry_run="1").status == 200


def test_e26_a_file_may_be_larger_than_other_bodies_but_not_endless(make_server, new_key, data):
    key = new_key(data.path, "b", "--secret", "--role", "curator")
    desk = Loader(make_server(None, "--max-body", "4096", data=data.path), key)
    wide = [[*row, "n" * 4000] for row in HOTELS]
    assert desk.load(text(wide), dry_run="1").data()["rows"] == 3
    with raw.Raw(desk.server.port) as c:
        head = "".join(f"{name}: {value}\r\n" for name, value in desk.headers().items())
        c.send(f"POST /v1/curate/load?adapter_id=1&file=a HTTP/1.1\r\nHost: a\r\n{head}Content-Length: {(32 << 20) + 1}\r\n\r\n".encode())
        assert c.answer().status == 413
    client.assert_error(desk.server.request("/v1/curate/open", "POST", desk.headers({"Content-Type": "application/json"}), b" " * 5000), 413)


def test_c8_who_may_load(make_server, new_key, data):
    keys = [new_key(data.path, "b", "--secret", *more) for more in (["--role", "registrar"], ["--role", "curator", "--adapter", "2"])]
    server = make_server(None, data=data.path)
    for desk in (Loader(server, key) for key in keys):
        for dry in (None, "1"):
            assert desk.load(text(HOTELS), dry_run=dry, accept="1").status == 403
    assert desk.load(text(HOTELS), adapter=2, dry_run="1").status == 200
    reader = Loader(server, {**desk.key, "secret": "drgs_wrong"})
    assert reader.load(text(HOTELS), dry_run="1").status == 403


def test_c8_lists_come_one_at_a_time_and_an_import_keeps_them_out(make_server, templates, data):
    desk = Loader(make_server(None, "--lock-timeout", "600", data=data.path), templates.keys_of(data.path)["desk"])
    answers, held = [], store.hold(data.path)
    first = threading.Thread(target=lambda: answers.append(desk.its_turn(text(HOTELS), accept="1")))
    first.start()
    try:  # the first waits to be written
        busy = eventually(lambda: (answer := desk.load(text(HOTELS), dry_run="1")).status == 503 and answer)
        client.assert_error(busy, 503, None, "import_running")
        assert "Retry-After" in busy.headers and not answers
    finally:
        held.close()
        first.join()
    assert answers[0].data()["kinds"][-1]["new"] == 3
    held = store.hold_imports(data.path)
    try:
        client.assert_error(desk.load(text(HOTELS)), 503, None, "import_running")
        assert desk.load(text(HOTELS), dry_run="1").status == 200
    finally:
        held.close()


@pytest.mark.heavy
def test_c8_a_stop_in_the_middle_is_clean_and_the_same_list_completes_it(make_server, new_key, data):
    key = new_key(data.path, "b", "--secret", "--role", "curator")
    server = make_server(None, data=data.path)
    desk = Loader(server, key)
    rows = [HOTELS[0]] + [[f"h{i}", f"Hotel {i}", "TR", "Türkiye", "36,8", "x"] for i in range(200000)]
    body, answers = text(rows), []

    def load():
        try:
            answers.append(desk.its_turn(body, accept="1"))
        except OSError as e:
            answers.append(e)
    thread = threading.Thread(target=load)
    thread.start()
    assert client.wait_until(lambda: desk.load(text(HOTELS), dry_run="1").status == 503)
    server.stop()
    thread.join()
    assert not hasattr(answers[0], "status") or answers[0].status == 503
    data.is_sound()
    server = make_server(None, data=data.path)
    desk.server = server
    told = desk.load(body, accept="1").data()
    hotels = counts(told)["hotel"]
    assert hotels[0] + hotels[2] == 200000 and hotels[0] > 0
    data.is_sound()


def test_e26_four_files_at_one_time(make_server, new_key, data):
    key = new_key(data.path, "b", "--secret", "--role", "curator")
    desk = Loader(make_server(None, data=data.path), key)
    head = "".join(f"{name}: {value}\r\n" for name, value in desk.headers().items())
    start = (f"POST /v1/curate/load?adapter_id=1&file=a HTTP/1.1\r\nHost: a\r\n{head}Content-Length: 1000000\r\n"
             "Expect: 100-continue\r\n\r\n").encode()
    held = [raw.Raw(desk.server.port) for _ in range(4)]
    try:
        for c in held:
            c.send(start)
            assert c.socket.recv(100).startswith(b"HTTP/1.1 100"), "it has its place"
            c.send(b"Code")
        answer = desk.load(text(HOTELS), dry_run="1")
        client.assert_error(answer, 503, None, "busy")
        assert "Retry-After" in answer.headers
    finally:
        for c in held:
            c.socket.close()
    assert client.wait_until(lambda: desk.load(text(HOTELS), dry_run="1").status == 200)
