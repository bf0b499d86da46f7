"""What changed since a time: GET /v1/changes?since=TIME and dragoman changes (decision F12)."""
import datetime
import json
import urllib.parse

import pytest

import client
import copying
import registration
import store

pytestmark = pytest.mark.store

HOTEL = (7, "hotel", "1002")  # not mapped in mini.ndjson


def stamp(seconds=0):
    now = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return now.strftime("%Y-%m-%dT%H:%M:%SZ")


def next_second():
    """Wait for the next second to begin; its time."""
    before = stamp()
    client.wait_until(lambda: stamp() != before)
    return stamp()


def changes(data, *options):
    return [json.loads(line) for line in data.ok("changes", "--format", "ndjson", *options).splitlines()]


@pytest.mark.store_core
def test_f12_what_changed_since_a_time(data):
    since = next_second()
    data.map("set", *HOTEL, 55)
    data.merge("hotel", 58, 55)
    assert changes(data, "--since", since) == [
        {"what": "mapped", "supplier": "coral", "kind": "hotel", "id": "1002", "name": "BELEK GOLF", "dict_id": 55,
         "dict": "Blue Bay Palace"},
        {"what": "merged", "supplier": None, "kind": "hotel", "id": 58, "name": None, "dict_id": 55, "dict": None}]
    assert [c["id"] for c in changes(data, "--since", since, "--adapter", "coral")] == ["1002"]
    assert changes(data, "--since", since, "--kind", "meal") == []
    later = next_second()
    assert changes(data, "--since", later) == []
    data.map("clear", *HOTEL)
    assert [c["what"] for c in changes(data, "--since", later)] == ["unmapped"]
    assert changes(data, "--since", since, "--kind", "hotel", "--lang", "uk")[1]["what"] == "unmapped"


def test_f12_everything_since_long_ago(data):
    long_ago = changes(data, "--since", "1999-12-31")
    assert {c["what"] for c in long_ago} <= {"created", "created mapped", "merged"} and len(long_ago) > 20
    assert changes(data, "--since", "2020-02-01T00:00:00+02:00") == long_ago


@pytest.mark.parametrize("since, said", [
    ("someday", "is not a time"), ("2026-02-30", "is not a time"), ("2026-1-1", "is not a time"), ("", "is not a time"),
    ("2026-11-20T10:00:00", "has no zone"), ("2026-11-20 10:00:00", "is not a time"), ("x" * 500, "is not a time")])
def test_what_is_no_time_is_told_so(data, since, said):
    done = data.run("changes", "--since", since)
    assert done.returncode == 2 and done.stdout == "" and said in done.stderr and len(done.stderr) < 300
    assert said in data.run("map", "history", "--since", since).stderr


def test_since_is_asked_for_and_a_time_to_come_refused(data):
    assert "--since is missing" in data.run("changes").stderr
    assert "still to come" in data.fails("changes", "--since", stamp(3600))
    assert "no supplier nobody" in data.fails("changes", "--since", "2020-01-01", "--adapter", "nobody")


def test_f12_a_store_from_before_times_were_kept_says_since_when(data):
    data.map("set", *HOTEL, 55)
    store.execute(data.path, "DELETE FROM moment", "INSERT INTO moment (at, seq) VALUES (1790000000, 2)")
    said = data.fails("changes", "--since", "2026-09-20")
    assert "known from 2026-09-21T14:13:20.000Z on" in said
    assert [c["what"] for c in changes(data, "--since", "2026-09-21T14:13:20Z")] == ["mapped"]


def test_f12_over_http(make_server, mini, import_file):
    server = make_server(mini)
    since = next_second()
    import_file(server.data, [{"type": "source", "adapter_id": 7, "kind": "hotel", "id": "new", "name": "n"}])
    assert client.wait_until(lambda: len(server.b(f"changes?since={since}").data()["items"]) == 1)
    page = server.b(f"changes?since={since}").data()
    assert page["items"][0]["what"] == ["created"] and not page["more"]
    assert server.b(f"changes?since={page['cursor']}").data()["items"] == []
    zoned = urllib.parse.quote(since.replace("Z", "+00:00"))
    assert server.b(f"changes?since={zoned}").data()["items"] == page["items"]
    everything = server.b("changes").data()["items"]
    assert server.b("changes?since=2001-01-01").data()["items"] == everything
    waiter = copying.Waiter(server, next_second())
    registration.source_add(server, hotel=[registration.element("hotel", "waited")])
    assert waiter.items() == [("source", 7, "hotel", "waited")]
    for text, said in (("2026-11-20T10:00:00", "no zone"), ("2026-11-20T10:00:00+02:00", "%2B"), ("2026-13-01", "is not a time"),
                       (stamp(3600), "still to come"), ("2026-", "is not a time")):
        error = client.assert_error(server.b(f"changes?since={text}"), 400, "since", "invalid_time")
        assert said in error["message"]
    store.execute(server.data, "DELETE FROM moment", "INSERT INTO moment (at, seq) VALUES (1790000000, 2)")
    error = client.assert_error(server.b("changes?since=2026-09-01"), 400, "since", "time_not_kept")
    assert "2026-09-21T14:13:20" in error["message"]


def test_a_time_is_told_by_its_distance(data, clock):
    """For people; not for programs, whose cursors are exact."""
    clock.advance(40 * 86400)
    for since, created in (("41d", True), ("1000h", True), ("6w", True), ("39d", False),
                           ("yesterday", False), ("monday", False), ("today", False)):
        assert ("created" in data.ok("changes", "--since", since)) == created, since
        assert data.ok("coverage", "--since", since)
    for text in ("last week", "x" * 50):
        assert "is not a time: expected yesterday, monday, 7d, 2026-11-20 (UTC) or" in data.run("changes", "--since", text).stderr
