"""Limits of a key (E30): requests a second, counted by each server, and elements of sourceAdd a day, counted in the store."""
import datetime
import json
import re

import pytest

import client
import store
from client import assert_error
from registration import element, is_registered, new_id, post, source_add
from test_metrics import scrape

pytestmark = pytest.mark.store
DAY = 86400


@pytest.fixture
def day(clock):
    """The clock, within a minute after midnight (UTC): no test is at the end of a day."""
    now = datetime.datetime.now(datetime.timezone.utc)
    clock.advance(DAY - now.hour * 3600 - now.minute * 60)
    return clock


@pytest.fixture
def limited(new_key, seen):
    """limited(server, api, *options): a new key that the server knows."""
    def limited(server, api, *options):
        made = new_key(server.data, api, *options)
        assert seen(lambda: reference(server, api, made).status != 403)
        return made
    return limited


@pytest.fixture
def set_key(run):
    def set_key(server, key, *options):
        done = run("key", "set", str(key["id"]), *options, "--data", server.data)
        assert done.returncode == 0, done.stderr
    return set_key


def reference(server, api, key, **headers):
    path, name = {"a": ("/api/v1/tour/main-references", "X-Api-Key"), "b": ("/v1/tour/reference", "X-Service-Api-Key")}[api]
    return client.request(server.port, path, headers={name: key["key"], **headers}, host=server.process.host)


def refused(ask):
    """The 429 that comes of asking faster than a key may."""
    answers = []

    def is_refused():
        answers.extend(ask() for _ in range(10))
        return any(answer.status == 429 for answer in answers)

    assert client.wait_until(is_refused)
    return next(answer for answer in answers if answer.status == 429)


def left(answer, name):
    """r and t of a policy in RateLimit, q and w in RateLimit-Policy."""
    said = re.search(f'"{name}";r=([0-9]+);t=([0-9]+)', answer.headers["RateLimit"])
    policy = re.search(f'"{name}";q=([0-9]+);w=([0-9]+)', answer.headers["RateLimit-Policy"])
    return tuple(int(n) for n in said.groups() + policy.groups())


def add(server, key, *ids, **more):
    return source_add(server, key=key["key"], secret=key["secret"], city=[element("city", id) for id in ids], **more)


@pytest.mark.parametrize("api", ["a", "b"])
def test_e30_a_key_may_ask_so_many_times_a_second(clock, own, limited, api):
    key = limited(own, api, "--requests-per-second", "3")
    clock.advance(1)
    answers = [reference(own, api, key) for _ in range(3)]
    assert [answer.status for answer in answers] == [200] * 3
    assert left(answers[0], "requests") == (2, 1, 3, 1)
    no = refused(lambda: reference(own, api, key))
    error = assert_error(no, 429, reason="too_many_requests")
    assert error["field"] is None and "3 times a second" in error["message"]
    assert no.headers["Retry-After"] == "1" and left(no, "requests") == (0, 1, 3, 1)
    clock.advance(1)
    assert reference(own, api, key).status == 200
    refused(lambda: client.request(own.port, "/v1/tour/referenceData", headers={"X-Service-Api-Key": key["key"]})
            if api == "b" else client.request(own.port, "/api/v1/tour/hotel-references", headers={"X-Api-Key": key["key"]}))  # what is a 400 costs too


def test_e30_a_304_costs_nothing(clock, own, limited):
    key = limited(own, "a", "--requests-per-second", "1")
    clock.advance(1)
    etag = reference(own, "a", key).headers["ETag"]
    refused(lambda: reference(own, "a", key))
    assert [reference(own, "a", key, **{"If-None-Match": etag}).status for _ in range(20)] == [304] * 20
    clock.advance(1)
    unchanged = [reference(own, "a", key, **{"If-None-Match": etag}) for _ in range(20)]
    assert [left(answer, "requests") for answer in unchanged] == [(1, 1, 1, 1)] * 20
    assert reference(own, "a", key).status == 200
    assert_error(refused(lambda: reference(own, "a", key, **{"If-None-Match": '"other"'})), 429, reason="too_many_requests")
    # nor does a tag help where there are none, or the request is a bad one
    for path in ("/v1/avia/reference", "/v1/avia/reference?search=antalya", "/v1/changes?limit=1", "/v1/tour/referenceData?country=no"):
        b = limited(own, "b", "--requests-per-second", "1")
        sent = {"X-Service-Api-Key": b["key"], "If-None-Match": etag}
        no = refused(lambda: client.request(own.port, path, headers=sent))  # pylint: disable=cell-var-from-loop
        assert "X-Total-Count" not in no.headers  # of the answer that was not given


def test_e30_a_key_without_limits_hears_of_none(own):
    for answer in (own.b("tour/reference"), own.a("tour/main-references"), source_add(own, city=[element("city")])):
        assert answer.status == 200 and "RateLimit" not in answer.headers and "RateLimit-Policy" not in answer.headers


def test_e30_limits_change_while_a_server_runs(own, limited, set_key, seen, run):
    key = limited(own, "b", "--secret", "--requests-per-second", "1000", "--adds-per-day", "10")
    listed = json.loads(run("key", "list", "--json", "--data", own.data).stdout)
    mine = next(row for row in listed if row["id"] == key["id"])
    assert (mine["requests_per_second"], mine["adds_per_day"]) == (1000, 10)
    assert {row["requests_per_second"] for row in listed if row["id"] != key["id"]} == {None}
    row = next(row for row in run("key", "list", "--data", own.data).stdout.splitlines() if row.split()[0] == str(key["id"]))
    assert "1000" in row.split() and "10" in row.split()
    assert left(reference(own, "b", key), "requests")[2] == 1000
    set_key(own, key, "--requests-per-second", "7")
    assert seen(lambda: "q=7;" in reference(own, "b", key).headers["RateLimit-Policy"])
    assert left(add(own, key, new_id()), "elements")[2] == 10  # what was not named stays
    set_key(own, key, "--requests-per-second", "0", "--adds-per-day", "0")
    assert seen(lambda: "RateLimit" not in reference(own, "b", key).headers)
    assert "RateLimit" not in add(own, key, new_id()).headers
    done = run("key", "history", str(key["id"]), "--format", "ndjson", "--data", own.data)
    details = [json.loads(line)["detail"] for line in done.stdout.splitlines()]
    assert details[1:] == ["requests-per-second", "requests-per-second, adds-per-day"]


@pytest.mark.store_core
def test_e30_what_a_key_may_add_in_a_day_is_one_count_of_all_servers(day, own, limited, make_server):
    other = make_server(None, data=own.data)
    ids = [new_id() for _ in range(10)]
    key = limited(own, "b", "--secret", "--adds-per-day", "5")
    first = add(own, key, *ids[:3])
    assert first.status == 200 and left(first, "elements")[2:] == (5, DAY) and left(first, "elements")[0] == 2
    assert client.wait_until(lambda: reference(other, "b", key).status == 200)
    no = add(other, key, *ids[3:6])
    error = assert_error(no, 429, reason="too_many_today")
    assert "5 elements a day; 2 are left" in error["message"] and "has 3" in error["message"]
    assert 0 < int(no.headers["Retry-After"]) <= DAY and left(no, "elements")[:2] == (2, int(no.headers["Retry-After"]))
    assert not any(is_registered(own, "city", id) for id in ids[3:6])  # all or nothing
    assert add(other, key, *ids[3:5]).status == 200
    assert_error(add(own, key, ids[5]), 429, reason="too_many_today")
    other.process.stop()
    again = make_server(None, data=own.data)
    assert_error(add(again, key, ids[5]), 429, reason="too_many_today")
    day.advance(DAY)
    assert left(add(again, key, *ids[5:9]), "elements")[0] == 1


def test_e30_what_is_sent_counts(day, own, limited):
    key = limited(own, "b", "--secret", "--adds-per-day", "10")
    known, city = new_id(), element("city")
    assert left(add(own, key, known), "elements")[0] == 9
    assert left(add(own, key, known), "elements")[0] == 8  # known already
    assert left(source_add(own, key=key["key"], secret=key["secret"], city=[city, city]), "elements")[0] == 6  # once more in the request
    assert left(source_add(own, key=key["key"], secret=key["secret"], city=[element("city", name="")]), "elements")[0] == 5  # refused
    assert add(own, key, new_id(), adapter_id=424242).status == 400
    body = {"adapter_id": 7, "lang_code": "en", "city": [element("city", known), element("city")]}
    assert left(post(own, "compared", body, key=key["key"], secret=key["secret"]), "elements")[0] == 4  # there what is new
    assert "RateLimit" not in post(own, "compared", {**body, "city": [element("city", known)]}, key=key["key"], secret=key["secret"]).headers
    body["city"] = [element("city") for _ in range(5)]
    assert_error(post(own, "compared", body, key=key["key"], secret=key["secret"]), 429, reason="too_many_today")
    assert left(add(own, key, *(new_id() for _ in range(4))), "elements")[0] == 0
    assert source_add(own, city=[element("city")]).status == 200  # another key


def test_e30_a_retry_counts_once(day, own, limited):
    key = limited(own, "b", "--secret", "--adds-per-day", "3")
    name, ids = {"Idempotency-Key": new_id("retry")}, [new_id(), new_id()]
    first = add(own, key, *ids, headers=name)
    assert left(first, "elements")[0] == 1
    for _ in range(3):
        again = add(own, key, *ids, headers=name)
        assert again.status == 200 and again.body == first.body and again.headers["Idempotent-Replayed"] == "true"
    more = {"Idempotency-Key": new_id("retry")}
    ids = [new_id(), new_id()]
    assert_error(add(own, key, *ids, headers=more), 429, reason="too_many_today")
    day.advance(DAY)
    assert left(add(own, key, *ids, headers=more), "elements")[0] == 1  # a refusal is not what a retry gets


def test_e30_a_retry_counts_once_if_all_exists_too(day, own, limited):
    key = limited(own, "b", "--secret", "--adds-per-day", "3")
    name, known = {"Idempotency-Key": new_id("retry")}, new_id()
    source_add(own, city=[element("city", known)]).data()
    for again in (add(own, key, known, headers=name) for _ in range(3)):
        assert again.status == 200
    assert left(add(own, key, new_id()), "elements")[0] == 1


KEPT_A_DAY = 256 << 20


def keep(server, key, n):
    """As if n bytes of answers to the key's Idempotency-Keys had been kept today; test_source_add_sending.py keeps some."""
    store.execute(server.data, f"UPDATE use_count SET count = count + {n} WHERE sort = 6 AND number = {key['id']}")


@pytest.mark.store_core
def test_m24_a_key_has_so_many_bytes_of_answers_kept_in_a_day(day, make_server, mini, limited):
    server = make_server(mini, "--admin", "127.0.0.1:0")
    key, other = (limited(server, "b", "--secret") for _ in range(2))
    name, known, more = {"Idempotency-Key": new_id("retry")}, new_id(), new_id()
    first = add(server, key, known, headers=name)
    ((kept,),) = store.execute(server.data, f"SELECT count FROM use_count WHERE sort = 6 AND number = {key['id']}")
    assert len(first.body) < int(kept) < len(first.body) + 400
    keep(server, key, KEPT_A_DAY - int(kept) - 50)
    no = add(server, key, more, headers={"Idempotency-Key": new_id("retry")})
    error = assert_error(no, 429, "Idempotency-Key", "too_much_kept")
    assert "without the header" in error["message"] and "256 MiB" in error["message"]
    assert 0 < int(no.headers["Retry-After"]) <= DAY
    assert scrape(server).of("http_errors_total", reason="too_much_kept") == 1
    assert not is_registered(server, "city", more)
    again = add(server, key, known, headers=name)  # what is kept is found
    assert again.body == first.body and again.headers["Idempotent-Replayed"] == "true"
    assert add(server, key, known, headers={"Idempotency-Key": new_id("retry")}).status == 200  # changes nothing
    assert add(server, other, new_id(), headers={"Idempotency-Key": new_id("retry")}).status == 200
    assert add(server, key, new_id()).status == 200
    day.advance(DAY)
    assert add(server, key, more, headers={"Idempotency-Key": new_id("retry")}).status == 200


def test_e30_a_page_of_another_site_reads_what_is_left(clock, own, limited):
    key = limited(own, "b", "--requests-per-second", "1")
    clock.advance(1)
    no = refused(lambda: reference(own, "b", key, Origin="https://shop.example"))
    assert no.headers["Access-Control-Allow-Origin"] == "*"
    exposed = no.headers["Access-Control-Expose-Headers"].split(", ")
    assert {"RateLimit", "RateLimit-Policy", "Retry-After"} <= set(exposed)


def test_e30_a_refusal_is_in_the_access_log_and_counted(day, make_server, mini, limited, tmp_path):
    log = tmp_path / "access.log"
    server = make_server(mini, "--access-log", log, "--admin", "127.0.0.1:0")
    key = limited(server, "b", "--secret", "--requests-per-second", "1000", "--adds-per-day", "1")
    assert_error(add(server, key, new_id(), new_id()), 429, reason="too_many_today")
    lines = lambda: [json.loads(line) for line in log.read_text().splitlines()]
    assert client.wait_until(lambda: any(line.get("reason") == "too_many_today" for line in lines()))
    line = next(line for line in lines() if line.get("reason") == "too_many_today")
    assert line["status"] == 429 and line["key"] == key["id"]
    assert scrape(server).of("http_errors_total", reason="too_many_today") == 1


def test_e30_wrong_limits_are_refused(run, own, new_key, limited):
    for options, words in (
            (("--api", "a", "--adds-per-day", "5"), "a key without a secret adds nothing"),
            (("--api", "b", "--adds-per-day", "5"), "a key without a secret adds nothing"),
            (("--api", "b", "--requests-per-second", "-1"), "--requests-per-second"),
            (("--api", "b", "--requests-per-second", "100001"), "--requests-per-second")):
        done = run("key", "create", *options, "--data", own.data)
        assert done.returncode != 0 and words in done.stderr, done.stderr
    key = new_key(own.data, "a")
    done = run("key", "set", str(key["id"]), "--adds-per-day", "5", "--data", own.data)
    assert done.returncode != 0 and "a key without a secret adds nothing" in done.stderr
