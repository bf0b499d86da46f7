"""GET curate/queue: decisions C1, C2, C5, M34."""
import pytest

import client
from client import assert_error, eventually
from curating import OTHERS, RESIDENCE, STRANGE, VILLAS, ZEYTIN, Desk, about
from hotels import PLACES, dict_hotels, near, source

pytestmark = pytest.mark.store

MEAL = {"type": "source", "adapter_id": 1, "kind": "meal", "id": "1", "name": "AI Light"}

#: What `data` has, and what is run on it.
RECORDS = PLACES + dict_hotels() + [RESIDENCE, VILLAS, ZEYTIN, OTHERS, STRANGE, MEAL]
STEPS = [("match",)]


def test_c2_the_queue_is_that_of_the_command_line(same_desk, same_data):
    import json
    said = [json.loads(line) for line in same_data.ok("match", "queue", "--format", "ndjson").splitlines()]
    assert same_desk.cases(limit=500) == [(q["adapter_id"], q["id"]) for q in said] and len(said) == 5
    first = same_desk.queue()["items"][0]
    assert {"adapter_id": 1, "kind": "hotel", "id": "1", "name": "Orkide Residence", "waiting": 2, "asked": 0,
            "outcome": "ask", "reason": "veto_residence", "open_by": []}.items() <= first.items()
    assert first["best"]["id"] == 100 and first["best"]["name"] == "Orkide Resort & Spa"
    assert first["country"] == {"id": 1, "name": "Turkey"} and first["version"] > 0


def test_the_queue_as_a_file_is_that_of_the_command_line(same_desk, same_data, tmp_path):
    same_data.ok("match", "queue", "--output", tmp_path / "q.csv")
    told = same_desk.get("queueFile")
    assert told.body == (tmp_path / "q.csv").read_bytes() and told.headers["Content-Disposition"] == 'attachment; filename="queue.csv"'
    some = same_desk.get("queueFile", suggested=1, sort="supplier", format="xlsx")
    assert some.headers["Content-Disposition"] == 'attachment; filename="queue.xlsx"'
    (tmp_path / "q.xlsx").write_bytes(some.body)
    import openpyxl
    sheet = openpyxl.load_workbook(tmp_path / "q.xlsx").active
    titles, *rows = sheet.iter_rows(values_only=True)
    assert [(row[titles.index("adapter_id")], row[titles.index("id")]) for row in rows] == \
        [(str(a), i) for a, i in same_desk.cases(limit=500, suggested=1, sort="supplier")]
    assert "accept" in sheet.data_validations.dataValidation[0].formula1
    assert_error(same_desk.get("queueFile", format="pdf"), 400, "format", "unknown_word")


@pytest.mark.heavy
def test_a_file_that_has_not_all_cases_says_so(make_server, templates, data, add):
    add(*[{"type": "source", "adapter_id": 2, "kind": "hotel", "id": f"N{i}", "name": f"Nowhere {i}"} for i in range(99_996)])
    data.ok("match")
    desk = Desk(make_server(None, data=data.path), templates.keys_of(data.path)["desk"])
    for more, rows, total, name in (({"suggested": 0}, 99_998, "99998", "queue.csv"), ({}, 100_000, "100001", "queue-first-100000.csv")):
        told = desk.get("queueFile", **more)
        assert told.headers["X-Total-Count"] == total and told.headers["Content-Disposition"] == f'attachment; filename="{name}"'
        assert told.body.count(b"\r\n") == 1 + rows


def test_c2_what_was_asked_for_comes_first(clock, desk):
    body = b'{"hotel":"7"}'
    for _ in range(3):
        desk.server.request("/v1/tour/sourceInfo?adapter_id=1", "POST",
                            {"X-Service-Api-Key": desk.server.key_b, "Content-Type": "application/json"}, body)

    def first():
        clock.advance(31)  # the queue is read anew, whether the store has changed or not
        return desk.queue()["items"][0]
    assert eventually(lambda: (it := first())["asked"] >= 3 and it)["id"] == "7"


def test_c2_filters(same_desk):
    assert same_desk.cases(adapter_id=2) == [(2, "5")]
    assert same_desk.cases(kind="meal") == [(1, "1")]
    assert same_desk.cases(reason="no_candidates") == [(1, "8")]
    assert same_desk.cases(country_id=2) == []
    assert len(same_desk.cases(country_id=1, kind="hotel")) == 4
    assert len(same_desk.cases(since="2020-01-01")) == 5
    assert same_desk.cases(since="2120-01-01T00:00:00Z") == []
    assert same_desk.queue(kind="hotel")["total"] == 4
    assert sorted(same_desk.cases(suggested=0)) == [(1, "1"), (1, "8")] and len(same_desk.cases(suggested=1)) == 3
    assert same_desk.cases(city_id=11) == [] and len(same_desk.cases(city_id=10)) > 0
    assert same_desk.cases(like="1/hotel/1") == [(1, "1"), (2, "5")]
    assert same_desk.cases(like="1/hotel/77") == []


def test_c2_above_a_probability(same_desk):
    for item in same_desk.queue(kind="hotel")["items"]:
        p = (item["best"] or {"probability": 0})["probability"]
        for above, there in ((p - 1e-3, True), (p + 1e-3, False)):
            if 0 < above < 1:
                assert ((item["adapter_id"], item["id"]) in same_desk.cases(kind="hotel", above=f"{above:.5f}")) is there
    assert 0 < len(same_desk.cases(above=0.5)) < len(same_desk.cases())


def test_c2_only_hotels_have_a_probability(make_server, templates, data, add):
    add({"type": "source", "adapter_id": 2, "kind": "country", "id": "TR", "name": "Zzyzx"})
    data.ok("match")
    desk = Desk(make_server(None, data=data.path), templates.keys_of(data.path)["desk"])
    items = desk.queue(suggested=1)["items"]
    assert {item["kind"] for item in items} == {"hotel", "country"}
    for item in items:
        assert (item["best"]["probability"] is None) == (item["kind"] != "hotel"), item
    facets = desk.get("facets").data()
    assert sum(p["cases"] for p in facets["probabilities"]) == len(items) - 1


@pytest.mark.parametrize("sort, key", [
    ("worth", None), ("probability", lambda c: -((c["best"] or {}).get("probability") or 0)), ("asked", lambda c: -c["asked"]),
    ("newest", lambda c: -c["version"]), ("supplier", lambda c: c["adapter_id"]),
    ("country", lambda c: (c["country"] or {"id": -1})["id"]), ("city", None), ("reason", None)])
def test_c2_orders_hold_over_pages(same_desk, sort, key):
    whole, paged, cursor = same_desk.queue(sort=sort)["items"], [], None
    while True:
        page = same_desk.queue(sort=sort, limit=2, cursor=cursor)
        paged += page["items"]
        cursor = page["cursor"]
        if cursor is None:
            break
    assert paged == whole and len(whole) == 5
    if key:
        assert [key(c) for c in whole] == sorted(key(c) for c in whole)


def test_c2_a_cursor_is_for_its_order(same_desk):
    cursor = same_desk.queue(limit=2)["cursor"]
    client.assert_error(same_desk.get("queue", sort="newest", cursor=cursor), 400, "cursor", "invalid_cursor")


@pytest.mark.parametrize("parameters, field, reason", [
    ({"adapter_id": 99}, "adapter_id", "unknown_adapter"),
    ({"kind": "planet"}, "kind", "unknown_kind"),
    ({"reason": "whim"}, "reason", "unknown_word"),
    ({"since": "someday"}, "since", "invalid_time"),
    ({"above": "1.5"}, "above", "out_of_range"),
    ({"above": "much"}, "above", "out_of_range"),
    ({"sort": "size"}, "sort", "unknown_word"),
    ({"like": "1/planet/2"}, "like", "unknown_word"),
    ({"limit": 0}, "limit", "out_of_range"),
    ({"limit": 501}, "limit", "out_of_range"),
    ({"cursor": "abc"}, "cursor", "invalid_cursor"),
    ({"cursor": "A" * 512}, "cursor", "invalid_cursor"),
])
def test_c2_what_is_refused(same_desk, parameters, field, reason):
    client.assert_error(same_desk.get("queue", **parameters), 400, field, reason)


def test_c2_pages_have_each_case_once_in_the_order_of_the_whole(same_desk):
    whole, paged, cursor = same_desk.cases(), [], None
    while True:
        page = same_desk.queue(limit=2, cursor=cursor)
        assert ("total" in page) == (cursor is None)
        paged += [(c["adapter_id"], c["id"]) for c in page["items"]]
        cursor = page["cursor"]
        if cursor is None:
            break
    assert paged == whole


def test_c2_the_longest_ids_have_a_cursor(desk, data, import_file):
    long = [source("\U0001f3e8" * 63 + end, "Xyzzy Plugh", adapter=2, lat=50.0, lng=10.0) for end in "\U0001f3e8\U0001f3e9"]
    import_file(data.path, long)
    data.ok("match")
    eventually(lambda: desk.queue()["total"] == 7 == len(desk.cases()))
    whole, paged, cursor = desk.cases(), [], None
    for _ in whole:
        page = desk.queue(limit=1, cursor=cursor)
        paged += [(c["adapter_id"], c["id"]) for c in page["items"]]
        cursor = page["cursor"]
    assert paged == whole and cursor is None


def test_c2_a_cursor_holds_though_cases_go(desk, data):
    page = desk.queue(limit=2)
    gone = page["items"][1]
    data.map("set", gone["adapter_id"], "hotel", gone["id"], 105)
    eventually(lambda: (gone["adapter_id"], gone["id"]) not in desk.cases())
    rest = desk.cases(cursor=page["cursor"])
    assert len(rest) == 3 and (gone["adapter_id"], gone["id"]) not in rest


def test_c2_what_a_run_of_the_matcher_finds_comes_by_itself(desk, data, import_file):
    assert desk.cases(kind="hotel", adapter_id=2) == [(2, "5")]
    import_file(data.path, [source(6, "Lykia Garden 3", adapter=2, **near(6))])
    data.ok("match")
    eventually(lambda: len(desk.cases(adapter_id=2)) == 2)


def test_c1_only_curators_with_their_secret(desk, data, new_key):
    assert desk.get("queue").status == 200
    reader, registrar = new_key(data.path, "b"), new_key(data.path, "b", "--secret")
    eventually(lambda: desk.server.b("tour/reference", key=registrar["key"]).status == 200)
    for headers in ({}, {"X-Service-Api-Key": reader["key"]}, {"X-Service-Api-Key": desk.key["key"]},
                    {"X-Service-Api-Key": desk.key["key"], "X-Service-Api-Secret": registrar["secret"]}):
        client.assert_error(desk.server.request("/v1/curate/queue", "GET", headers), 403, reason="not_authorized")
    client.assert_error(Desk(desk.server, registrar).get("queue"), 403, reason="role_not_allowed")


def test_c1_a_key_for_some_suppliers_sees_theirs(desk, data, new_key):
    narrow = new_key(data.path, "b", "--secret", "--role", "curator", "--reads", "2", "--adapter", "2")
    other = Desk(desk.server, narrow)
    assert eventually(lambda: other.get("queue").status == 200 and other.cases()) == [(2, "5")]
    client.assert_error(other.get("queue", adapter_id=1), 403, reason="adapter_not_allowed")
    assert "total" not in other.queue()
    assert (other.queue(adapter_id=2)["total"], desk.queue()["total"]) == (1, 5)


def test_c5_changes_tell_what_is_decided(desk):
    """A page that waits hears of a decision at once."""
    since = desk.get("changes", since="now").data()["cursor"]
    case = eventually(lambda: desk.case_of("7"))
    assert desk.decided(about(case, "map", dict_id=case["best"]["id"]))[0]["result"] == "done"
    changed = desk.get("changes", since=since, wait=30).data()["items"]
    assert [(i["id"], i["what"]) for i in changed if i["type"] == "source"] == [("7", ["mapped"])]
    client.assert_error(desk.server.request("/v1/curate/changes?since=now", "GET"), 403, reason="not_authorized")
