"""GET /v1/changes: decisions F1 to F8. The client is that of docs/changes.md."""
import base64
import concurrent.futures
import hashlib
import http.client
import json
import os
import random
import select
import signal
import socket
import threading
import urllib.error

import pytest

import client
import copying
import registration
import store
from browser import Browser
from copying import Waiter, feed, names

pytestmark = pytest.mark.store

SEEDS = range(int(os.environ.get("DRG_SEEDS", "3")))


def now(server):
    return feed(server, "now")["cursor"]


def source(id, adapter=7, kind="hotel", **more):
    return {"type": "source", "adapter_id": adapter, "kind": kind, "id": id, "name": f"name of {id}", **more}


def dict_(id, kind="hotel", name=None, **more):
    return {"type": "dict", "kind": kind, "id": id, "name": name or f"{kind} {id}",
            **({"country_id": 1, "city_id": 331, "hotel_category_id": 5} if kind == "hotel" else {}), **more}


def gone(record):
    return {k: record[k] for k in ("type", "adapter_id", "kind", "id") if k in record} | {"deleted": True}


@pytest.fixture
def changed(own, import_file):
    """changed(record, …): what the feed says after an import of them."""

    def changed(*records, **parameters):
        since = now(own)
        import_file(own.data, list(records))
        page = feed(own, since, **parameters)
        assert not page["more"]
        return page["items"]

    return changed


def one(items):
    assert len(items) == 1, items
    return items[0]


# ---- F1, F2: items --------------------------------------------------------------------------------------------

@pytest.mark.store_core
def test_f1_without_since_everything_comes_as_created(server):
    page = feed(server)
    items, cursor = copying.export(server)
    assert page["cursor"] == cursor and not page["more"]
    shown = [{k: v for k, v in item.items() if k != "what"} for item in page["items"]]
    assert sorted(map(str, shown)) == sorted(map(str, items))
    for item in page["items"]:
        mapped = item["type"] == "source" and item["dict"] is not None
        assert item["what"] == ["created"] + ["mapped"] * mapped


def test_f1_an_item_is_what_source_info_answers(server):
    for lang in ("en", "uk", "de", "xx"):
        for item in feed(server, lang=lang)["items"]:
            if item["type"] != "source":
                continue
            body = {item["kind"]: [item["id"]]}
            answer = registration.source_info(server, item["adapter_id"], lang, **body)[item["kind"]]
            assert one(answer) == {"id": item["id"], "source": item["source"], "dict": item["dict"]}


def test_f1_members_of_an_item(changed):
    items = changed(source("n1", dict_id=55), dict_(60))
    assert [list(item) for item in items] == [
        ["type", "kind", "id", "what", "dict"], ["type", "adapter_id", "kind", "id", "what", "source", "dict"]]
    assert items[0]["dict"]["name"] == "hotel 60" and items[1]["dict"]["id"] == 55


#: Of the hotel of a supplier "n", and the hotel 60.
WHAT = [
    ([], [source("n")], ["created"]),
    ([], [source("n", dict_id=55)], ["created", "mapped"]),
    ([source("n")], [source("n", category_name="5")], ["updated"]),
    ([source("n")], [source("n", dict_id=55)], ["mapped"]),
    ([source("n", dict_id=55)], [source("n", dict_id=56)], ["mapped"]),
    ([source("n", dict_id=55)], [source("n", dict_id=None)], ["unmapped"]),
    ([source("n", dict_id=55)], [source("n", name="other", dict_id=None)], ["updated", "unmapped"]),
    ([source("n", dict_id=55)], [gone(source("n"))], ["deleted"]),
    ([], [dict_(60)], ["created"]),
    ([dict_(60)], [dict_(60, name="other")], ["updated"]),
    ([dict_(60)], [gone(dict_(60))], ["deleted"]),
]


def test_f2_what_happened(own, import_file, changed):
    """Each with an id of its own."""
    def numbered(n, records):
        return [{**record, "id": 60 + n if record["type"] == "dict" else f"n{n}"} for record in records]

    import_file(own.data, [record for n, (before, _, _) in enumerate(WHAT) for record in numbered(n, before)])
    items = changed(*(record for n, (_, after, _) in enumerate(WHAT) for record in numbered(n, after)))
    found = {item["id"]: item for item in items}
    assert len(items) == len(found) == len(WHAT)
    for n, (_, (after,), what) in enumerate(WHAT):
        item = found[60 + n if after["type"] == "dict" else f"n{n}"]
        assert item["what"] == what, (n, item)
        assert (item["dict" if item["type"] == "dict" else "source"] is None) == (what == ["deleted"]), (n, item)


@pytest.mark.store_core
def test_f2_what_happened_since_the_cursor_not_what_happened_last(own, import_file):
    cursors = [now(own)]
    for step in (source("n"), source("n", dict_id=55), source("n", dict_id=55, name="b"), gone(source("n")),
                 source("n")):
        import_file(own.data, [step])
        cursors.append(now(own))
    import_file(own.data, [source("n", dict_id=56)])
    whats = [one(feed(own, cursor)["items"])["what"] for cursor in cursors]
    assert whats == [["created", "mapped"]] * 5 + [["mapped"]]


def test_f2_created_and_deleted_in_between_is_deleted(own, import_file):
    since = now(own)
    import_file(own.data, [source("n")])
    import_file(own.data, [gone(source("n"))])
    assert one(feed(own, since)["items"])["what"] == ["deleted"]


def test_f2_what_changes_nothing_is_no_change(changed, own, mini, import_file):
    since = now(own)
    import_file(own.data, mini)
    assert feed(own, since)["items"] == []
    assert changed({"type": "adapter", "id": 7, "code": "coral", "name": "Other", "domain": "tour"}) == []


@pytest.mark.store_core
def test_f3_a_merge_is_one_item_and_its_sources(own, run):
    since = now(own)
    assert run("dict", "merge", "hotel", "55", "57", "--data", own.data).returncode == 0
    items = feed(own, since)["items"]
    merged = one([i for i in items if i["type"] == "dict"])
    assert merged == {"type": "dict", "kind": "hotel", "id": 55, "what": ["merged"], "into": 57, "dict": None}
    moved = [i for i in items if i["type"] == "source"]
    assert {i["id"] for i in moved} == {"1001", "1001-B", "9007199254740993"}
    assert all(i["what"] == ["mapped"] and i["dict"]["id"] == 57 for i in moved)
    since = now(own)
    assert run("dict", "split", "hotel", "55", "--data", own.data).returncode == 0
    items = feed(own, since)["items"]
    back = one([i for i in items if i["type"] == "dict"])
    assert back["id"] == 55 and back["what"] == ["created"] and back["dict"]["name"] == "Blue Bay Palace"
    assert {i["dict"]["id"] for i in items if i["type"] == "source"} == {55}


def test_f3_a_merge_that_is_merged_on_comes_again(own, run, import_file):
    import_file(own.data, [dict_(60), dict_(61), dict_(62)])
    assert run("dict", "merge", "hotel", "60", "61", "--data", own.data).returncode == 0
    since = now(own)
    assert run("dict", "merge", "hotel", "61", "62", "--data", own.data).returncode == 0
    assert {(i["id"], i["into"]) for i in feed(own, since)["items"]} == {(60, 62), (61, 62)}


# ---- F4: filters ----------------------------------------------------------------------------------------------

def test_f4_kind_and_adapter(changed):
    records = [source("a"), source("b", adapter=8), source("c", kind="meal"), dict_(60), dict_(7, kind="meal"),
               dict_(1, kind="country", name="Türkiye", iso_alpha_2="TR")]
    cases = {
        "": {"a", "b", "c", 60, 7, 1},
        "hotel": {"a", "b", 60, 1},
        "meal": {"c", 7},
        "country": {1},
        "currency": set(),
    }
    for i, (kind, expected) in enumerate(cases.items()):
        varied = [{**r, "name": f"{r['name']} {i}"} for r in records]
        assert {x["id"] for x in changed(*varied, kind=kind)} == expected, kind
        varied = [{**r, "name": f"{r['name']} again {i}"} for r in records]
        assert {x["id"] for x in changed(*varied, kind=kind, adapter_id=8)} == expected - {"a", "c"}, kind


@pytest.mark.store_core
def test_f4_many_that_are_filtered_out_do_not_hold_up_a_page(own, import_file):
    since = now(own)
    import_file(own.data, [source(f"x{n}") for n in range(25000)] + [source("wanted", adapter=8)])
    items, pages = [], 0
    while True:
        page = feed(own, since, adapter_id=8)
        since, pages = page["cursor"], pages + 1
        items += page["items"]
        if not page["more"]:
            break
    assert names(items) == [("source", 8, "hotel", "wanted")] and pages > 1


# ---- F5, F6: cursors ------------------------------------------------------------------------------------------

def test_f5_a_cursor_is_safe_in_a_url_and_short(server):
    cursor = feed(server)["cursor"]
    assert len(cursor) < 64 and cursor.replace("-", "").replace("_", "").isalnum()


def test_f5_now_is_only_a_cursor(server):
    page = feed(server, "now")
    assert page == {"items": [], "cursor": page["cursor"], "more": False}
    assert feed(server, page["cursor"]) == page


def test_f5_every_other_text_is_a_400(server):
    cursor = now(server)
    for bad in ("0", "abc", cursor[:-1], cursor + "A", cursor[:9] + ("A" if cursor[9] != "A" else "B") + cursor[10:],
                "NOW", "%C3%BC", "x" * 128):
        client.assert_error(server.b(f"changes?since={bad}"), 400, "since", "invalid_cursor")
    client.assert_error(server.b("changes?since=" + "x" * 129), 400, "since")


@pytest.mark.parametrize("query, field", [
    ("limit=0", "limit"), ("limit=10001", "limit"), ("limit=x", "limit"), ("wait=-1", "wait"), ("wait=61", "wait"),
    ("kind=hotels", "kind"), ("kind=hotel_type", "kind"), ("adapter_id=99", "adapter_id"),
    ("adapter_id=21", "adapter_id")])
def test_f5_bad_parameters(server, query, field):
    client.assert_error(server.b("changes?" + query), 400, field)


def test_f5_limits(server):
    assert len(feed(server, limit=1)["items"]) == 1
    assert not feed(server, limit=10000)["more"]
    client.assert_error(server.a("../../v1/changes"), 404)
    client.assert_error(server.request("/v1/changes"), 403)


def test_f5_a_cursor_survives_restarts(make_server, servers, mini, import_file):
    first = make_server(mini)
    since = now(first)
    first.stop()
    import_file(first.data, [source("n")])
    second = make_server(None, data=first.data)
    assert names(feed(second, since)["items"]) == [("source", 7, "hotel", "n")]


@pytest.mark.store_core
def test_f6_paging_by_one_gives_the_same_as_all_at_once(own, import_file):
    since = now(own)
    import_file(own.data, [source(f"s{n}") for n in range(40)] + [dict_(n) for n in range(60, 70)])
    import_file(own.data, [gone(source("s7")), source("s3", dict_id=60)])
    whole = feed(own, since)["items"]
    assert len(whole) == 50
    paged, more = [], True
    while more:
        page = feed(own, since, limit=1)
        since, more = page["cursor"], page["more"]
        paged += page["items"]
        assert len(page["items"]) == 1
    assert paged == whole


def test_f6_what_changes_between_two_pages_comes_later_and_nothing_is_lost(own, import_file):
    since = now(own)
    import_file(own.data, [source(f"s{n}") for n in range(10)])
    page = feed(own, since, limit=5)
    assert [i["id"] for i in page["items"]] == [f"s{n}" for n in range(5)]
    import_file(own.data, [source("s1", name="b"), source("s8", name="b")])
    rest = feed(own, page["cursor"])
    assert [(i["id"], i["what"]) for i in rest["items"]] == [
        (id, ["created"]) for id in ("s5", "s6", "s7", "s9", "s1", "s8")], "s8 was never given as created"
    import_file(own.data, [source("s1", name="c")])
    assert one(feed(own, rest["cursor"])["items"])["what"] == ["updated"]


# ---- F7: 410 --------------------------------------------------------------------------------------------------

@pytest.mark.store_core
def test_f7_a_cursor_of_an_older_form_is_over(server):
    """As versions before 0.2.0 made them: well-formed, but not to be read any more. With a typing error it is none."""
    old = bytes([1]) + bytes(range(33))
    text = base64.urlsafe_b64encode(old + hashlib.blake2b(old, digest_size=16).digest()[:4]).decode().rstrip("=")
    for wait in ("", "&wait=60"):
        client.assert_error(server.b(f"changes?since={text}{wait}"), 410, "since", "restored")
    client.assert_error(server.b(f"changes?since={text[:-2]}AA"), 400, "since", "invalid_cursor")


def test_f7_a_restored_backup_is_a_410_that_tells_the_way(make_server, mini, import_file, run):
    first = make_server(mini)
    first.stop()
    data = first.data
    store.backup(data)
    server = make_server(None, data=data)
    copy = copying.copy_of(server)
    copy.load()
    import_file(server.data, [source("lost")])
    copying.catch_up(copy)
    assert copy.look_up(7, "hotel", "lost")["source"] is not None
    server.stop()
    store.restore(data)
    store.execute(data, f"UPDATE clock SET epoch = '{'0' * 32}'")
    restored = make_server(None, data=server.data)
    error = client.assert_error(restored.b(f"changes?since={copy.cursor()}&wait=60"), 410, "since", "restored")
    assert "/v1/export/sources" in error["message"]
    copy.url, copy.headers = restored.url, {"X-Service-Api-Key": restored.key_b}
    with pytest.raises(urllib.error.HTTPError, match="410"):
        copy.follow()
    copy.load()
    copying.catch_up(copy)
    assert copying.differences(copy, copying.export(restored)[0]) == []


@pytest.mark.heavy
def test_f7_a_history_that_is_over_is_a_410_for_ever(make_server, mini, import_file):
    """Only the file was copied back, nobody ran, nothing else was told, and the clock has overtaken the cursor."""
    server = make_server(mini)
    common = client.wait_until(lambda: feed(server)["items"] and now(server))
    server.stop()
    store.backup(server.data)
    again = make_server(None, data=server.data)
    import_file(server.data, [source("lost")])
    assert client.wait_until(lambda: len(feed(again, common)["items"]) >= 1)
    over = now(again)
    again.stop()
    store.restore(server.data)
    restored = make_server(None, data=server.data)
    for n in range(5):
        import_file(server.data, [source(f"new{n}")])
        client.assert_error(restored.b(f"changes?since={over}"), 410, "since", "restored")
        assert restored.b(f"changes?since={now(restored)}").status == 200
    assert restored.b(f"changes?since={common}").status == 200, "the client has nothing that is over"


def test_f7_a_clock_that_went_back_is_a_410_too(make_server, mini, import_file):
    server = make_server(mini)
    import_file(server.data, [source("lost")])
    since = now(server)
    server.stop()
    store.execute(server.data, "UPDATE clock SET seq = seq - 1")
    restored = make_server(None, data=server.data)
    # Making the keys of the new server moves the clock on again: by as many commits.
    store.execute(server.data, "UPDATE clock SET seq = 1")
    client.assert_error(restored.b(f"changes?since={since}"), 410, "since", "restored")


# ---- F8: waiting ----------------------------------------------------------------------------------------------

def test_f8_waiting_ends_with_the_time(clock, make_server, mini):
    own = make_server(mini)
    since = now(own)
    longer, shorter = Waiter(own, since, wait=50), Waiter(own, since, wait=10)
    clock.advance(9)
    client.waits(own.port, 2)
    clock.advance(20)
    assert shorter.items() == []
    client.waits(own.port, 1)
    clock.advance(50)
    assert longer.items() == [] and longer.page["cursor"] == since


@pytest.mark.store_core
def test_f8_a_commit_ends_the_waiting(own):
    """Not the time, which is over for another first."""
    other = Waiter(own, now(own), wait=49, adapter_id=8, kind="meal")
    for n in range(5):
        waiter = Waiter(own, now(own))
        registration.source_add(own, hotel=[registration.element("hotel", f"w{n}")])
        assert waiter.items() == [("source", 7, "hotel", f"w{n}")]
        client.waits(own.port, 1)
    own.stop()
    assert other.items() == []


@pytest.mark.store_core
@pytest.mark.parametrize("command", ["key revoke", "key rotate"])
def test_e8_waiting_ends_with_the_right_of_a_key(make_server, mini, new_key, run, command):
    own = make_server(mini)
    key, since = new_key(own.data, "b"), now(own)
    client.eventually(lambda: own.b("tour/reference", key=key["key"]).status == 200)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        others = Waiter(own, since)
        waits = pool.submit(own.b, f"changes?since={since}&wait=60", key=key["key"])
        client.waits(own.port, 2)
        done = run(*command.split(), key["id"], "--data", own.data)
        assert done.returncode == 0, done.stderr
        client.assert_error(waits.result(client.PATIENCE), 403, None, "not_authorized")
        client.waits(own.port, 1)
        registration.source_add(own, hotel=[registration.element("hotel", "w")])
        assert others.items() == [("source", 7, "hotel", "w")]


@pytest.mark.store_core
def test_e8_waiting_ends_with_the_right_of_a_person(make_server, mini, run):
    own = make_server(mini, people=["anna"])
    browser = Browser(own)
    client.eventually(lambda: browser.sign_in().status == 200)
    client.eventually(browser.is_in)
    since = now(own)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        waits = pool.submit(browser.request, "GET", f"/v1/curate/changes?since={since}&wait=60")
        client.waits(own.port, 1)
        done = run("user", "disable", "anna", "--data", own.data)
        assert done.returncode == 0, done.stderr
        client.assert_error(waits.result(client.PATIENCE), 403, None, "not_authorized")


def test_f8_what_the_filter_keeps_out_does_not_wake_but_moves_the_cursor(clock, make_server, mini, import_file):
    own = make_server(mini)
    since = now(own)
    waiter = Waiter(own, since, adapter_id=8, kind="meal")
    for id in ("one", "two"):
        told = Waiter(own, now(own))
        import_file(own.data, [source(id)])
        assert told.items() == [("source", 7, "hotel", id)]
        client.waits(own.port, 1)
    clock.advance(60)
    assert waiter.items() == []
    assert waiter.page["cursor"] == now(own) != since


def test_f8_something_there_is_not_waited_for(own, import_file):
    since = now(own)
    other = Waiter(own, since, wait=49, adapter_id=8, kind="meal")
    import_file(own.data, [source("n")])
    assert names(feed(own, since, wait=50)["items"]) == [("source", 7, "hotel", "n")]
    assert other.is_alive()


def test_f8_five_hundred_wait_and_all_are_told(own, import_file):
    since = now(own)
    with concurrent.futures.ThreadPoolExecutor(500) as pool:
        pages = [pool.submit(feed, own, since, wait=50, **({"adapter_id": 8} if n % 5 == 0 else {}))
                 for n in range(500)]
        client.waits(own.port, 500)
        import_file(own.data, [source("seven")])
        client.waits(own.port, 100)
        import_file(own.data, [source("eight", adapter=8)])
        for n, page in enumerate(pages):
            assert one(page.result()["items"])["id"] == ("eight" if n % 5 == 0 else "seven")


def test_f8_a_stop_answers_those_who_wait(make_server, mini):
    """Who is not answered is cut off, which feed() does not take for an answer."""
    server = make_server(mini)
    since = now(server)
    waiters = [Waiter(server, since) for _ in range(20)]
    server.stop()
    for waiter in waiters:
        assert waiter.items() == []
        assert waiter.page == {"items": [], "cursor": since, "more": False}


class Waiting:
    """Requests that wait, each on a connection from an address of its own choice."""

    def __init__(self, server, n, key, address="127.0.0.1", path="changes", more=""):
        request = (f"GET /v1/{path}?wait=60&since={now(server)} HTTP/1.1\r\nHost: a\r\n"
                   f"X-Service-Api-Key: {key}\r\n{more}\r\n").encode()
        self.connections = [socket.create_connection(("127.0.0.1", server.port), source_address=(address, 0)) for _ in range(n)]
        for connection in self.connections:
            connection.sendall(request)

    def refused(self):
        return select.select(self.connections, [], [], 0)[0]

    def has_refused(self, n):
        assert client.wait_until(lambda: len(self.refused()) == n), len(self.refused())
        for connection in self.refused():
            head, _, body = connection.recv(65536).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 503 ") and b"\r\nRetry-After: " in head, head
            assert json.loads(body)["error"]["reason"] == "queue_full", body

    def close(self):
        for connection in self.connections:
            connection.close()


def test_f8_who_waits_leaves_places_to_others(make_server, mini, new_key):
    """Of 40 connections 20 may wait, 15 of them for /v1/changes: a key and an address get at most half of those that are free."""
    server = make_server(mini, "--max-connections", "40", "--max-connections-per-address", "40")
    other = new_key(server.data, "b")["key"]
    curator = new_key(server.data, "b", "--role", "curator", "--secret")
    assert client.wait_until(lambda: server.b("changes?since=now", key=other).status == 200)
    secret = f"X-Service-Api-Secret: {curator['secret']}\r\n"
    assert client.wait_until(lambda: server.request("/v1/curate/changes?since=now", headers={
        client.HEADER["b"]: curator["key"], "X-Service-Api-Secret": curator["secret"]}).status == 200)
    first = Waiting(server, 6, server.key_b)
    first.has_refused(1)
    same_key = Waiting(server, 1, server.key_b, "127.0.0.2")
    same_key.has_refused(1)
    same_address = Waiting(server, 1, other)
    same_address.has_refused(1)
    second = Waiting(server, 5, other, "127.0.0.2")
    second.has_refused(1)
    client.waits(server.port, 5 + 4)
    curators = Waiting(server, 1, curator["key"], path="curate/changes", more=secret)
    client.waits(server.port, 5 + 4 + 1)
    assert client.request(server.port, "/healthz").status == 200
    for waiting in (first, same_key, same_address, second, curators):
        waiting.close()
    # They have left, and their places are free.
    client.waits(server.port, 0)
    again = Waiting(server, 6, server.key_b)
    again.has_refused(1)
    again.close()


def test_f8_clients_that_go_away_while_they_wait(own, import_file):
    request = (f"GET /v1/changes?wait=60&since={now(own)} HTTP/1.1\r\nHost: a\r\n"
               f"X-Service-Api-Key: {own.key_b}\r\n\r\n").encode()
    gone = [socket.create_connection(("127.0.0.1", own.port)) for _ in range(50)]
    for connection in gone:
        connection.sendall(request)
    client.waits(own.port, 50)
    for connection in gone:
        connection.close()
    client.waits(own.port, 0)
    import_file(own.data, [source("n")])
    assert own.request("/readyz").status == 200


# ---- a copy is what the server holds --------------------------------------------------------------------------

class World:
    """Writers of four sorts, each with sources of its own, and dict records that all refer to. In a turn each makes a step, and
    the one that starts no commands some more."""

    def __init__(self, server, run, seed):
        self.server, self.run, self.seed = server, run, seed
        self.stop, self.up, self.faults = threading.Event(), threading.Event(), []
        self.up.set()
        steps = {self._import: 1, self._add: 8, self._decide: 1, self._rename: 1}
        self.turns = [(threading.Semaphore(0), n) for n in steps.values()]
        self.writers = [threading.Thread(target=self._write, args=(step, n, turn))
                        for n, (step, (turn, _)) in enumerate(zip(steps, self.turns))]

    def begin(self):
        """And has made a first step."""
        for writer in self.writers:
            writer.start()
        since = now(self.server)
        self.turn()
        assert client.wait_until(lambda: feed(self.server, since)["items"])

    def turn(self):
        for turn, steps in self.turns:
            turn.release(steps)

    def _write(self, step, n, turn):
        rng = random.Random(f"{self.seed} {n}")
        try:
            while turn.acquire() and not self.stop.is_set():
                step(rng)
        except Exception as fault:  # for the test's own thread to report
            self.faults.append(fault)

    def import_file(self, records):
        lines = "".join(json.dumps(record) + "\n" for record in records).encode()
        done = self.run("import", "-", "--data", self.server.data, stdin=lines)
        # Imports and decisions about dict records take turns; who comes second is told so.
        assert done.returncode == 0 or "is held by" in done.stderr, done.stderr

    def end(self):
        self.stop.set()
        self.turn()
        for writer in self.writers:
            writer.join()
        assert self.faults == []

    def _import(self, rng):
        records = []
        for n in rng.sample(range(60), 12):
            record = source(f"i{n}", adapter=rng.choice((7, 8)), kind=rng.choice(("hotel", "meal")))
            if rng.random() < 0.25:
                records.append(gone(record))
                continue
            dict_id = rng.choice((55, 57, None) if record["kind"] == "hotel" else (1, 2, None))
            records.append({**record, "name": f"v{rng.random()}",
                            **({"dict_id": dict_id} if rng.random() < 0.7 else {})})
        unique = {(r["adapter_id"], r["kind"], r["id"]): r for r in records}
        self.import_file(list(unique.values()))

    def _add(self, rng):
        try:
            registration.source_add(self.server, hotel=[
                registration.element("hotel", f"a{rng.randrange(10 ** 6)}") for _ in range(rng.randrange(1, 30))])
        except (OSError, http.client.HTTPException):
            self.up.wait(client.PATIENCE)  # the server was killed

    def _decide(self, rng):
        for id in rng.sample(("1001", "1001-B", "1002"), 2):
            what = rng.choice((["set", 7, "hotel", id, rng.choice((55, 57, 58))], ["clear", 7, "hotel", id]))
            self.command("map", *what)

    def _rename(self, rng):
        self.import_file([
            dict_(1, kind="country", name=f"Turkey {rng.random()}", iso_alpha_2="TR"),
            dict_(rng.randrange(100, 110), name=f"hotel {rng.random()}"), gone(dict_(rng.randrange(110, 112)))])
        if rng.random() < 0.3:
            self.import_file([dict_(110), dict_(111)])
            if self.command("dict", "merge", "hotel", "58", "56") and rng.random() < 0.8:
                self.command("dict", "split", "hotel", "58")

    def command(self, *args):
        return self.run(*args, "--data", self.server.data).returncode == 0


@pytest.mark.heavy
@pytest.mark.parametrize("seed", SEEDS)
def test_a_copy_ends_with_exactly_what_the_server_holds(own, run, seed):
    rng = random.Random(seed)
    world = World(own, run, seed)
    world.begin()
    copies = [copying.copy_of(own), copying.copy_of(own, lang="uk"), copying.copy_of(own, kind="hotel"),
              copying.copy_of(own, adapter_id=8)]
    for copy in copies:
        copy.load()
    for _ in range(6):
        world.turn()
        copies[0].follow(wait=1)
        for _ in range(10):
            for copy in copies:
                copy.follow(wait=0, limit=rng.choice((1, 3, 10, 1000)))
    world.end()
    for copy in copies:
        copying.catch_up(copy, rng.choice((1, 7, 1000)))
        query = "?" + "&".join(f"{k}={v}" for k, v in copy.filters.items())
        assert copying.differences(copy, copying.export(own, query)[0]) == []
    fresh = copying.copy_of(own)
    fresh._get = lambda path, since, **more: copying.Copy._get(fresh, path, **({"since": since} if since else {}), **more)
    copying.catch_up(fresh)
    assert copying.differences(fresh, copying.export(own)[0]) == [], "from the beginning, without an export"


@pytest.mark.heavy
@pytest.mark.parametrize("seed", SEEDS)
def test_kills_in_between_lose_nothing(make_server, mini, run, servers, seed):
    server = make_server(mini)
    copy = copying.copy_of(server)
    copy.load()
    world = World(server, run, seed)
    world.begin()
    rng = random.Random(seed)
    for _ in range(4):
        for _ in range(rng.randint(1, 3)):
            world.turn()
            for _ in range(rng.randint(1, 4)):
                copy.follow(wait=1, limit=rng.choice((2, 50)))
        world.up.clear()
        os.kill(server.pid, signal.SIGKILL)
        server.process.popen.wait()
        server.process = servers.start(data=server.data)
        server.port, server.url, server.pid = server.process.port, server.process.url, server.process.pid
        copy.url = server.url
        world.up.set()
    world.end()
    copying.catch_up(copy)
    assert copying.differences(copy, copying.export(server)[0]) == []
