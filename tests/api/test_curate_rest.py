"""GET curate/search, history, batches, coverage, POST curate/batchUndo: decisions C7, M28."""
import datetime
import json
import threading
import time

import pytest

import client
import store
from client import eventually
from curating import OTHERS, RESIDENCE, STRANGE, VILLAS, ZEYTIN, Desk, about
from hotels import PLACES, dict_hotels, source

pytestmark = pytest.mark.store

#: What `data` has, and what is run on it.
RECORDS = PLACES + dict_hotels() + [RESIDENCE, VILLAS, ZEYTIN, OTHERS, STRANGE]
STEPS = [("match", "--by", "robot")]


def test_d1_equal_versions_promise_nothing_of_what_is_for_people(desk):
    answers = [desk.get("queue"), desk.get("search", q="side"), desk.get("coverage"), desk.get("batches")]
    assert [a.headers["X-Data-Version"][-1] for a in answers] == ["+"] * 4
    assert not desk.get("changes").headers["X-Data-Version"].endswith("+")


def found(desk, q, **more):
    return [(i["kind"], i["id"]) for i in desk.get("search", q=q, **more).data()["items"]]


def test_c7_search_by_any_name(desk, import_file, data):
    assert found(desk, "side") == found(desk, "Сіде") == [("city", 10)]
    assert found(desk, "orkide") == [("hotel", 100)]
    assert found(desk, "t") [:1] == [("country", 1)] or ("country", 1) in found(desk, "t")
    assert found(desk, "t", kind="city") == [("city", 11)]
    assert found(desk, "hotel", country_id=2) == []
    item = desk.get("search", q="side", lang="uk").data()["items"][0]
    assert (item["name"], item["found"], item["country"]) == ("Сіде", "Side", {"id": 1, "name": "Туреччина"})
    import_file(data.path, [{"type": "dict", "kind": "hotel", "id": 900, "name": "Brandneu", "country_id": 1, "city_id": 10, "hotel_category_id": 5}])
    assert eventually(lambda: found(desk, "brandneu")) == [("hotel", 900)]
    client.assert_error(desk.get("search"), 400, "q", "missing_field")
    client.assert_error(desk.get("search", q="x", kind="planet"), 400, "kind", "unknown_kind")


def test_c7_history_by_person_batch_supplier_and_time(desk, data):
    one = desk.decide(about(desk.case_of("1"), "map", dict_id=100, why="a"), by="olena").data()["batch"]
    desk.decided(about(desk.case_of("5", 2), "map", dict_id=100, why="b"), by="ihor")

    def history(**filters):
        return [(e["id"], e["by"], e["why"]) for e in desk.get("history", **filters).data()["items"]]

    ihor, olena = desk.named("ihor"), desk.named("olena")
    assert history()[:2] == [("5", ihor, "b"), ("1", olena, "a")] and history()[2][:2] == ("9", "robot")
    assert history(by=olena) == history(batch=one) == [("1", olena, "a")] and history(by="olena") == []
    assert history(adapter_id=2) == [("5", ihor, "b")]
    assert history(kind="meal") == history(since="2120-01-01T00:00:00Z") == []
    pages, cursor = [], None
    while True:
        page = desk.get("history", limit=1, cursor=cursor).data()
        pages += [(e["id"], e["by"], e["why"]) for e in page["items"]]
        cursor = page["cursor"]
        if cursor is None:
            break
    assert pages == history()
    client.assert_error(desk.get("history", cursor="x"), 400, "cursor", "invalid_cursor")


def test_c7_a_batch_is_listed_and_taken_back(desk, data):
    batch = desk.decide(about(desk.case_of("1"), "map", dict_id=100), about(desk.case_of("7"), "map", dict_id=105),
                        by="olena", why="by hand").data()["batch"]
    newest, *older = desk.get("batches").data()["items"]
    assert (newest["id"], newest["what"], newest["by"], newest["why"], newest["changed"], newest["undone"]) == (
        batch, "decide", desk.named("olena"), "by hand", 2, None)
    assert [b["id"] for b in older] == list(range(batch - 1, 0, -1))
    page = desk.get("batches", before=batch, limit=1).data()
    assert [b["id"] for b in page["items"]] == [batch - 1] and page["more"]
    data.map("set", 1, "hotel", "7", 106)
    undone = desk.post("batchUndo", {"batch": batch, "by": "ihor", "why": "wrong list"}).data()
    assert (undone["restored"], undone["removed"], undone["kept"]) == (1, 0, 1) or undone["kept"] == 1
    assert undone["left"][0]["record"]["id"] == "7" and "changed since" in undone["left"][0]["why"]
    assert data.mapped_to(1, "hotel", "1") is None and data.mapped_to(1, "hotel", "7") == 106
    again = desk.post("batchUndo", {"batch": batch})
    client.assert_error(again, 409, reason="undone_already")
    client.assert_error(desk.post("batchUndo", {"batch": 999}), 404, reason="unknown_batch")
    client.assert_error(desk.post("batchUndo", {}), 400, "batch", "missing_field")
    assert desk.get("batches").data()["items"][0]["what"] == "undo"
    data.is_sound()


def test_c7_an_answer_looks_at_so_many_batches(desk, data):
    """However many there are: one of a supplier who has none does not read all."""
    batch = desk.decide(about(desk.case_of("1"), "map", dict_id=100)).data()["batch"]
    columns = "deleted, seq, created_seq, data_seq, mapped_seq"
    store.execute(data.path, f"INSERT INTO batch ({columns}, id, at, what, adapters) WITH RECURSIVE n(i) AS (SELECT {batch + 1} "
                  f"UNION ALL SELECT i + 1 FROM n WHERE i < {batch + 60000}) SELECT {columns}, i, at, what, '424242' FROM batch, n "
                  f"WHERE id = {batch}")
    page = desk.get("batches", adapter_id=1).data()
    assert page == {"items": [], "more": True, "before": batch + 60000 - 50000 + 1}
    page = desk.get("batches", adapter_id=1, before=page["before"], limit=1).data()
    assert [b["id"] for b in page["items"]] == [batch]
    assert [b["id"] for b in desk.get("batches", limit=1).data()["items"]] == [batch + 60000]


def test_m28_batches_of_a_supplier(desk, data, import_file, tmp_path):
    def ids(**filters):
        listed = desk.get("batches", **filters).data()
        return [b["id"] for b in listed["items"]], listed["more"]

    def adapters(batch):
        return next(b["adapters"] for b in desk.get("batches").data()["items"] if b["id"] == batch)

    one = desk.decide(about(desk.case_of("1"), "map", dict_id=100)).data()["batch"]
    both = desk.decide(about(desk.case_of("7"), "map", dict_id=105), about(desk.case_of("5", adapter=2), "map", dict_id=106)).data()["batch"]
    assert adapters(one) == [1] and sorted(adapters(both)) == [1, 2]
    assert ids(adapter_id=1)[0][:2] == [both, one]
    assert both in ids(adapter_id=2)[0] and one not in ids(adapter_id=2)[0]
    assert ids(adapter_id=1, limit=1) == ([both], True) and ids(adapter_id=1, limit=1, before=both) == ([one], True)
    assert ids(adapter_id=77) == ([], False)
    # What was taken back is of the same supplier, and so is the taking back.
    assert desk.post("batchUndo", {"batch": one}).data()["restored"] == 1
    assert adapters(one) == [1] == adapters(ids(adapter_id=1)[0][0])
    listed = data.ok("batch", "list", "--adapter", "2", "--format", "csv").splitlines()[1:]
    assert [int(line.split(",")[0]) for line in listed] == ids(adapter_id=2)[0]
    # Records of nobody, and of too many suppliers.
    data.ok("import", write(tmp_path, [{"type": "dict", "kind": "meal", "id": 9, "name": "HB"}]))
    newest = ids()[0][0]
    assert adapters(newest) == [] and newest not in ids(adapter_id=1)[0]
    for n, kept in ((256, True), (257, False)):
        data.ok("import", write(tmp_path, [{"type": "adapter", "id": 1000 * n + i, "code": f"x{n}-{i}", "name": "X", "domain": "tour"} for i in range(n)]))
        newest = ids()[0][0]
        assert (adapters(newest) == [1000 * n + i for i in range(n)]) if kept else adapters(newest) is None
        assert (newest in ids(adapter_id=1)[0]) is not kept
    data.is_sound()


def write(tmp_path, records):
    path = tmp_path / "more.ndjson"
    path.write_text("".join(json.dumps(r) + "\n" for r in records))
    return path


def test_c7_an_undo_keeps_by_and_why_as_decisions_do(desk, data):
    batch = desk.decide(about(desk.case_of("1"), "map", dict_id=100)).data()["batch"]
    for field, value, reason in (("by", "a\x01b", None), ("by", "x" * 201, "too_long"), ("why", "a\x01b", None), ("why", "x" * 1025, "too_long")):
        client.assert_error(desk.post("batchUndo", {"batch": batch, field: value}), 400, field, reason)
    assert data.mapped_to(1, "hotel", "1") == 100
    assert desk.post("batchUndo", {"batch": batch, "by": "ї" * 200, "why": "ї" * 1024}).status == 200  # characters, not bytes


def test_c7_an_undo_that_cannot_be_tells_nothing_of_the_store(make_server, new_key, data):
    key = new_key(data.path, "b", "--secret", "--role", "curator")
    desk = Desk(make_server(None, "--lock-timeout", "1", data=data.path), key)
    batch = desk.decide(about(desk.case_of("1"), "map", dict_id=100)).data()["batch"]
    for hold, reason, message in ((store.hold_imports, "import_running", "an import or undo is in progress; try again"),
                                  (store.hold, "store_away", "the store cannot be written at present; try again later")):
        held = hold(data.path)
        try:
            answer = desk.post("batchUndo", {"batch": batch})
        finally:
            held.close()
        client.assert_error(answer, 503, reason=reason)
        assert answer.json()["error"]["message"] == message and "Retry-After" in answer.headers
    assert desk.post("batchUndo", {"batch": batch}).data()["restored"] == 1


@pytest.mark.parametrize("command, path, values", [
    ("coverage", "coverage", {}), ("coverage --since 2020-01-01 --kind hotel", "coverage", {"since": "2020-01-01", "kind": "hotel"}),
    ("batch list", "batches", {})])
def test_commands_list_what_endpoints_show(desk, data, command, path, values):
    desk.decided(about(desk.case_of("1"), "map", dict_id=100))
    listed = [json.loads(line) for line in data.ok(*command.split(), "--format", "ndjson").splitlines()]
    shown = desk.get(path, **values).data()["items"]
    derived = {"unmapped", "percent", "percent_of_requests"}
    assert [[pair for pair in row.items() if pair[0] not in derived] for row in listed] == [list(row.items()) for row in shown] != []


def test_c7_coverage_names_all_suppliers_and_countries(desk, run, data):
    told = desk.get("coverage", kind="hotel", countries="1").data()
    assert [s["adapter_id"] for s in told["suppliers"]] == sorted(s["adapter_id"] for s in told["suppliers"]) != []
    assert {s["adapter_id"] for s in told["suppliers"]} >= {i["adapter_id"] for i in told["items"]}
    by = {(c["adapter_id"], (c["country"] or {}).get("id")): (c["records"], c["mapped"]) for c in told["countries"]}
    assert sum(n for n, _ in by.values()) == sum(i["records"] for i in told["items"])
    assert by[1, 1][1] == 1 and {c["kind"] for c in told["countries"]} == {"hotel"}
    assert "countries" not in desk.get("coverage").data()


def test_c7_coverage(desk, data):
    def hotels(**more):
        return {c["adapter_id"]: c for c in desk.get("coverage", kind="hotel", **more).data()["items"]}

    assert (hotels()[1]["records"], hotels()[1]["mapped"]) == (4, 1)
    desk.decided(about(desk.case_of("1"), "map", dict_id=100))
    assert (hotels()[1]["records"], hotels()[1]["mapped"]) == (4, 2) and "mapped_since" not in hotels()[1]
    today = hotels(since="2020-01-01")
    assert (today[1]["records_since"], today[1]["mapped_since"]) == (4, 2)
    assert list(hotels(adapter_id=2)) == [2]


def test_c7_a_key_for_some_suppliers_sees_theirs(desk, data, new_key):
    narrow = Desk(desk.server, new_key(data.path, "b", "--secret", "--role", "curator", "--reads", "2", "--adapter", "2"))
    eventually(lambda: narrow.get("coverage").status == 200)
    assert {c["adapter_id"] for c in narrow.get("coverage").data()["items"]} == {2}
    assert narrow.get("history").data()["items"] == []
    client.assert_error(narrow.post("batchUndo", {"batch": 1}), 403, reason="adapter_not_allowed")
    client.assert_error(narrow.get("batches"), 403, reason="adapter_not_allowed")


def test_what_others_decide_comes_by_the_feed(desk, data):
    """docs/curating.md: a page waits for it with the change feed."""
    cursor = desk.server.b("changes?since=now").data()["cursor"]
    desk.decided(about(desk.case_of("1"), "map", dict_id=100))
    page = desk.server.b(f"changes?since={cursor}&wait=30").data()
    assert [(c["id"], "mapped" in c["what"]) for c in page["items"] if c["type"] == "source"] == [("1", True)]


def many(desk, import_file, data, n):
    """A batch of n mappings: taking it back takes a while."""
    import_file(data.path, [source(1000 + i, f"House {i}", adapter=2) for i in range(n)])
    rows = data.path / "many.csv"
    rows.write_text("adapter_id,kind,id,dict_id\n" + "".join(f"2,hotel,{1000 + i},100\n" for i in range(n)))
    data.ok("map", "load", rows)
    return desk.get("batches").data()["items"][0]["id"]


def test_c7_batches_are_taken_back_one_at_a_time_and_readers_go_on(make_server, templates, data, import_file):
    desk = Desk(make_server(None, "--match", "off", "--lock-timeout", "600", data=data.path), templates.keys_of(data.path)["desk"])
    batch = many(desk, import_file, data, 40)
    answers, held = [], store.hold(data.path)
    threads = [threading.Thread(target=lambda: answers.append(desk.post("batchUndo", {"batch": batch}))) for _ in range(2)]
    try:  # one waits to be written, the other is refused
        for thread in threads:
            thread.start()
        eventually(lambda: answers)
        client.assert_error(answers[0], 503, reason="import_running")
        assert "Retry-After" in answers[0].headers
        assert desk.get("case", adapter_id=1, kind="hotel", id="1").status == 200 and len(answers) == 1
    finally:
        held.close()
        for thread in threads:
            thread.join()
    assert answers[1].data()["restored"] == 40


@pytest.mark.heavy
def test_c7_a_stop_leaves_an_undo_that_is_completed_and_told_as_one(make_server, new_key, data, import_file):
    key = new_key(data.path, "b", "--secret", "--role", "curator")
    desk = Desk(make_server(None, "--match", "off", data=data.path), key)
    batch = many(desk, import_file, data, 60000)
    data.map("set", 2, "hotel", "1005", 101)
    got = []
    thread = threading.Thread(target=lambda: got.append(desk.post("batchUndo", {"batch": batch})))
    thread.start()
    # The first of them is taken back, the last is not.
    assert client.wait_until(lambda: desk.get("case", adapter_id=2, kind="hotel", id="1000").data()["dict_id"] is None)
    desk.server.stop()
    thread.join()
    client.assert_error(got[0], 503, reason="stopping")
    assert data.mapped_to(2, "hotel", "9999") == 100, "all was done"

    def is_complete():
        left = {r["id"]: r.get("dict_id") for r in data.of("source", adapter_id=2, kind="hotel") if r["id"] != "5"}
        assert left.pop("1005") == 101 and set(left.values()) == {None}
        data.is_sound()

    store.backup(data.path)
    done = data.ok("batch", "undo", batch)
    assert "59999 records as before, 0 removed, 1 left alone" in done and done.count("left alone: ") == 1
    is_complete()
    store.restore(data.path)
    desk = Desk(make_server(None, "--match", "off", data=data.path), key)
    done = desk.post("batchUndo", {"batch": batch}).data()
    assert (done["restored"], done["removed"], done["kept"], [i["record"]["id"] for i in done["left"]]) == (59999, 0, 1, ["1005"])
    desk.server.stop()
    is_complete()


def pages_of(desk, what, **filters):
    """What each page has, from the newest to the last."""
    pages, cursor = [], None
    while not pages or cursor is not None:
        page = desk.get(what, cursor=cursor, **filters).data()
        pages.append(page["items"])
        cursor = page["cursor"]
    return pages


@pytest.mark.heavy
def test_c7_an_answer_looks_at_so_many_decisions_and_its_cursor_goes_on(desk, data, import_file):
    desk.decided(about(desk.case_of("1"), "map", dict_id=100), by="olena")
    many(desk, import_file, data, 51000)
    by = desk.named("olena")
    first, second = pages_of(desk, "history", by=by)
    assert first == [] and [e["id"] for e in second] == ["1"]
    assert [[e["id"] for e in page] for page in pages_of(desk, "history", by=by, adapter_id=1)] == [["1"]]
    # In the order of time, none twice and none left out, whatever the place where a page ends.
    want = sorted((e["at"], e["id"]) for e in data.of("mapping_event", adapter_id=2))
    pages = pages_of(desk, "history", adapter_id=2, limit=1000)
    got = [(e["at"], e["id"]) for page in pages for e in page]
    assert len(pages[0]) == 1000 and len(got) == len(want) and sorted(got) == want
    times = [datetime.datetime.fromisoformat(at.replace("Z", "+00:00")) for at, _ in got]
    assert times == sorted(times, reverse=True)


def event(id, at, adapter=2, kind="hotel"):
    return {"type": "mapping_event", "adapter_id": adapter, "kind": kind, "id": id, "at": at, "how": "set", "to": 100, "by": "anna"}


def test_c7_what_is_looked_at_is_of_every_kind(desk, data, import_file):
    """Few meals behind many hotels: an answer does not look through all of these."""
    import_file(data.path, [event("m", "2026-01-01T00:00:00Z", kind="meal"), event("n", "2026-01-02T00:00:00Z", kind="meal")] +
                [event(str(1000 + i), f"2026-02-01T00:{i // 60000:02}:{i // 1000 % 60:02}.{i % 1000:03}Z") for i in range(51000)])
    first, second = pages_of(desk, "history", kind="meal")
    assert first == [] and [e["id"] for e in second] == ["n", "m"]
    assert [[e["id"] for e in page] for page in pages_of(desk, "history", kind="meal", adapter_id=2)] == [["n", "m"]]


def test_c7_a_place_before_1970_is_one_too(desk, data, import_file):
    import_file(data.path, [event("m", f"19{year}-12-31T23:59:59.999Z", kind="meal") for year in (59, 68, 69, 70)] +
                [event("m", "0000-01-01T00:00:00Z", kind="meal")])
    pages = pages_of(desk, "history", kind="meal", limit=1)
    assert [[e["at"][:4] for e in page] for page in pages] == [["1970"], ["1969"], ["1968"], ["1959"], ["0000"]]
    for cursor in ("-", "--", "5", "-5", "5-", "5--3", "-99999999999999999-0", "-9223372036854775808-0", "253402300800000000-0"):
        client.assert_error(desk.get("history", cursor=cursor), 400, "cursor", "invalid_cursor")


@pytest.mark.concurrent
@pytest.mark.heavy
def test_c7_a_batch_that_cannot_be_taken_back_is_said_so_however_large_the_body(desk):
    """The undoer may be ready before who gave it the batch goes on."""
    for n in range(200):
        client.assert_error(desk.post("batchUndo", {"batch": 10**6, "x": "y" * (0 if n % 2 else 20000)}), 404, reason="unknown_batch")


def test_c7_agreement_is_that_of_match_stats(desk, data, new_key):
    now = time.strftime("%Y-%m", time.gmtime())
    desk.decided(about(desk.case_of("1"), "map", dict_id=100))
    desk.decided(about(eventually(lambda: desk.case_of("5", 2)), "map", dict_id=100))
    case = desk.get("case", adapter_id=1, kind="hotel", id="9").data()
    desk.decided(about(case, "clear"))
    got = desk.get("agreement").data()
    assert got["more"] is False
    assert [(i["adapter_id"], i["adapter"], i["kind"], i["month"]) for i in got["items"]] == [(1, "Sunny", "hotel", now), (2, "Other", "hotel", now)]
    assert [[i[k] for k in ("automatic", "asked", "people", "confirmed", "overruled", "undone")] for i in got["items"]] == [[1, 3, 2, 0, 1, 0], [0, 1, 1, 0, 0, 0]]
    line = data.ok("match", "stats").splitlines()[-1].split()
    assert line[0] == now and [int(n) for n in line[1:]] == [1, 4, 3, 0, 1, 0]
    assert desk.get("agreement", adapter_id=2).data()["items"] == got["items"][1:]
    assert desk.get("agreement", kind="meal").data() == desk.get("agreement", since="2120-01-01T00:00:00Z").data() == {"items": [], "more": False}
    assert desk.get("agreement", limit=1).data() == {"items": got["items"][:1], "more": True}
    narrow = Desk(desk.server, new_key(data.path, "b", "--secret", "--role", "curator", "--reads", "2", "--adapter", "2"))
    eventually(lambda: narrow.get("queue").status == 200)
    assert narrow.get("agreement", adapter_id=2).data()["items"] == got["items"][1:]
    client.assert_error(narrow.get("agreement"), 400, "adapter_id", "missing_field")
    client.assert_error(narrow.get("agreement", adapter_id=1), 403, reason="adapter_not_allowed")


def test_c7_agreement_follows_what_is_decided(desk, data, import_file):
    """What was counted is brought up to date, by whatever way decisions come: it is what a command that reads all of them says."""
    event = {"type": "mapping_event", "adapter_id": 2, "kind": "hotel", "id": "5"}

    def told():
        items = desk.get("agreement", limit=5000).data()["items"]
        by_month = {}
        for item in items:
            for what in ("automatic", "asked", "people", "confirmed", "overruled", "undone"):
                row = by_month.setdefault(item["month"], {"month": item["month"]})
                row[what] = row.get(what, 0) + item[what]
        return [by_month[month] for month in sorted(by_month)]

    def same():
        rows = [json.loads(line) for line in data.ok("match", "stats", "--format", "ndjson").splitlines()]
        assert told() == rows
        return rows

    before = same()[-1]
    desk.decided(about(desk.case_of("1"), "map", dict_id=100))
    assert same()[-1]["people"] == before["people"] + 1
    import_file(data.path, [{**event, "at": "2025-03-04T10:00:00Z", "how": "set", "to": 100}, {**event, "at": "2025-03-31T23:59:59Z", "how": "undo", "from": 100}])
    (first, *_) = same()
    assert (first["month"], first["automatic"], first["people"], first["overruled"]) == ("2025-03", 0, 2, 0)
    import_file(data.path, [{**event, "at": "2025-02-01T10:00:00Z", "how": "match", "to": 100}, {**event, "at": "2025-02-02T10:00:00Z", "how": "set", "from": 100, "to": 101}])
    (first, second, *_) = same()
    assert (first["month"], first["automatic"], first["overruled"], second["overruled"]) == ("2025-02", 1, 1, 0)
    desk.decided(about(eventually(lambda: desk.case_of("5", 2)), "map", dict_id=100))
    desk.decided(about(desk.get("case", adapter_id=2, kind="hotel", id="5").data(), "undo"))
    assert same()[-1]["asked"] == before["asked"] + 1
    months = [i["month"] for i in desk.get("agreement", since="2025-03-31T23:59:59.9Z", adapter_id=2).data()["items"]]
    assert months[0] == "2025-03", "since is a day"
    assert desk.get("agreement", since="2025-04-01", adapter_id=2).data()["items"][0]["month"] != "2025-03"
