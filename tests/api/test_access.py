"""People and keys over HTTP, for administrators (E31): what dragoman user and dragoman key do."""
import json
import re
import urllib.parse

import pytest

from browser import Browser
from client import assert_error
from registration import element, source_add
from templates import PASSWORD

pytestmark = pytest.mark.store

ENDPOINTS = [("GET", "users"), ("POST", "userAdd?name=x&role=viewer"), ("POST", "userSet?name=anna&disabled"), ("POST", "userLink?name=anna"),
             ("GET", "keys"), ("POST", "keyCreate?api=a"), ("POST", "keySet?id=1&name=x"), ("POST", "keyRotate?id=1"), ("POST", "keyRevoke?id=1"),
             ("GET", "history?of=key")]


@pytest.fixture
def fresh(make_server, mini, run):
    server = make_server(mini, people=["anna"])
    done = run("user", "add", "boss", "--role", "admin", "--password-file", "-", "--data", server.data, stdin=PASSWORD.encode() + b"\n")
    assert done.returncode == 0, done.stderr
    return server


@pytest.fixture
def boss(fresh, seen):
    return signed_in(fresh, seen, "boss")


def signed_in(server, seen, name, **more):
    browser = Browser(server)
    answers = []
    assert seen(lambda: answers.append(browser.sign_in(name, **more)) or answers[-1].status == 200), answers
    return browser


def access(browser, method, path, *pairs, **values):
    query = urllib.parse.urlencode([*pairs, *values.items()])
    return browser.request(method, f"/v1/access/{path}" + (f"?{query}" if query else ""))


def items(browser, path, **values):
    return access(browser, "GET", path, **values).data()["items"]


def of_link(link):
    return re.search(r"/sign-in#link=(\d+-[\w-]{43})$", link)[1]


def choose(server, link, password=PASSWORD):
    return Browser(server).request("POST", "/v1/session/password", {"link": link, "password": password})


@pytest.mark.parametrize("method, path", ENDPOINTS)
def test_only_administrators(fresh, seen, new_key, method, path):
    anna = signed_in(fresh, seen, "anna")
    assert_error(anna.request(method, f"/v1/access/{path}"), 403, None, "role_not_allowed")
    assert_error(Browser(fresh).request(method, f"/v1/access/{path}"), 403, None, "not_authorized")
    made = new_key(fresh.data, "b", "--secret", "--role", "curator")
    headers = {"X-Service-Api-Key": made["key"], "X-Service-Api-Secret": made["secret"]}
    assert_error(fresh.request(f"/v1/access/{path}", method, headers), 403, None, "not_authorized")


def test_parameters_in_a_body_are_sent_to_the_query_and_change_nothing(boss):
    """Ignored they would give more: a key of every right that never ends."""
    body = {"api": "b", "id": 1, "name": "eva", "role": "viewer", "expires": "2027-01-31"}
    for path in [path for method, path in ENDPOINTS if method == "POST"] + ["keyCreate"]:
        for kind in ("application/json", "application/x-www-form-urlencoded"):
            error = assert_error(boss.request("POST", f"/v1/access/{path}", body, {"Content-Type": kind}), 400, "body", "bad_body")
            assert "in the query" in error["message"], error
    assert not [event for event in items(boss, "history", of="key") + items(boss, "history", of="user") if event["by"] == "boss"]


@pytest.mark.parametrize("path", [path for method, path in ENDPOINTS if method == "POST"])
def test_nothing_is_changed_without_the_csrf_token(boss, path):
    assert_error(boss.request("POST", f"/v1/access/{path}", csrf=False), 403, None, "wrong_csrf_token")
    assert not [event for event in items(boss, "history", of="key") + items(boss, "history", of="user") if event["by"] == "boss"]


@pytest.mark.store_core
def test_a_new_person_chooses_a_password_with_a_link_that_works_once(fresh, boss, seen):
    made = access(boss, "POST", "userAdd", name="carla", role="curator").data()
    assert (made["name"], made["role"], made["disabled"]) == ("carla", "curator", False)
    link = of_link(made["link"])
    listed = next(user for user in items(boss, "users") if user["name"] == "carla")
    assert (listed["password"], listed["link_until"]) == ("link", made["link_until"])
    assert_error(Browser(fresh).sign_in("carla", password=link), 403, None, "sign_in_failed")
    number, text = link.split("-", 1)
    for wrong in (link[:-1] + ("A" if link[-1] != "A" else "B"), f"{int(number) + 1}-{text}", text, "", "1-"):
        assert_error(choose(fresh, wrong), 403, None, "sign_in_failed")
    assert_error(choose(fresh, link, "short"), 400, "password", "invalid_password")
    assert seen(lambda: choose(fresh, link).status == 200)
    assert_error(choose(fresh, link, "another long password"), 403, None, "sign_in_failed")
    assert signed_in(fresh, seen, "carla").is_in()
    assert next(user for user in items(boss, "users") if user["name"] == "carla")["password"] == "yes"
    past = [(event["what"], event["by"], event["detail"]) for event in items(boss, "history", of="user", name="carla")]
    assert past[::-1] == [("created", "boss", "curator"), ("failed", None, "from 127.0.0.1"), ("changed", "carla", "password"),
                          ("signed_in", None, "from 127.0.0.1")]
    assert link not in json.dumps(items(boss, "users"))


def test_a_new_link_ends_password_and_sessions(fresh, boss, seen):
    anna = signed_in(fresh, seen, "anna")
    link = of_link(access(boss, "POST", "userLink", name="anna").data()["link"])
    assert seen(lambda: not anna.is_in())
    assert_error(Browser(fresh).sign_in("anna"), 403, None, "sign_in_failed")
    newer = of_link(access(boss, "POST", "userLink", name="ANNA").data()["link"])
    assert_error(choose(fresh, link), 403, None, "sign_in_failed")
    access(boss, "POST", "userSet", name="anna", disabled=1)
    assert_error(choose(fresh, newer), 403, None, "sign_in_failed")
    access(boss, "POST", "userSet", name="anna", disabled=0)
    assert seen(lambda: choose(fresh, newer, "quite another password").status == 200)
    signed_in(fresh, seen, "anna", password="quite another password")


def test_a_link_is_over_after_a_week(clock, fresh, boss, seen):
    links = [of_link(access(boss, "POST", "userAdd", name=name, role="viewer").data()["link"]) for name in ("early", "late")]
    clock.advance(7 * 86400 - 600)
    assert seen(lambda: choose(fresh, links[0]).status == 200)
    clock.advance(600)
    assert_error(choose(fresh, links[1]), 403, None, "sign_in_failed")
    late = next(user for user in items(signed_in(fresh, seen, "boss"), "users") if user["name"] == "late")
    assert late["password"] == "old_link"


def test_roles_and_disabling(fresh, boss, seen):
    anna = signed_in(fresh, seen, "anna")
    changed = access(boss, "POST", "userSet", name="anna", role="viewer").data()
    assert (changed["role"], changed["disabled"], changed["link"]) == ("viewer", False, None)
    assert seen(lambda: anna.request("GET").data()["role"] == "viewer")
    assert access(boss, "POST", "userSet", name="anna", disabled=1).data()["disabled"]
    assert seen(lambda: not anna.is_in())
    assert not access(boss, "POST", "userSet", name="anna", disabled=0).data()["disabled"]
    for values in ({"role": "viewer"}, {"disabled": 1}):
        assert_error(access(boss, "POST", "userSet", name="BOSS", **values), 403, "name", "role_not_allowed")
    past = [(event["what"], event["by"]) for event in items(boss, "history", of="user", name="anna")]
    assert past[:3] == [("enabled", "boss"), ("disabled", "boss"), ("changed", "boss")]


def test_who_is_no_administrator_any_more_changes_nothing(fresh, boss, run):
    """Looked at in the transaction: the server may not have heard of it yet."""
    assert run("user", "role", "boss", "curator", "--data", fresh.data).returncode == 0
    assert_error(access(boss, "POST", "userAdd", name="eva", role="admin"), 403, None, "role_not_allowed")
    assert_error(access(boss, "POST", "keyCreate", api="a"), 403, None, "role_not_allowed")
    assert "eva" not in run("user", "list", "--data", fresh.data).stdout


def test_a_role_that_changes_is_told_beside_what_stays(fresh, boss):
    access(boss, "POST", "userSet", name="anna", role="admin", disabled=0).data()
    assert items(boss, "history", of="user", name="anna")[0]["what"] == "changed"


@pytest.mark.parametrize("path, values, status, field, reason", [
    ("userAdd", {"name": "anna", "role": "viewer"}, 409, "name", "user_exists"),
    ("userAdd", {"name": "key 7", "role": "viewer"}, 400, "name", "invalid_text"),
    ("userAdd", {"name": "x", "role": "owner"}, 400, "role", "unknown_word"),
    ("userAdd", {"name": "x"}, 400, "role", "missing_field"),
    ("userAdd", {"name": "x" * 65, "role": "viewer"}, 400, "name", "too_long"),
    ("userSet", {"name": "nobody", "role": "viewer"}, 404, "name", "unknown_user"),
    ("userLink", {"name": "nobody"}, 404, "name", "unknown_user"),
    ("keyCreate", {"api": "c"}, 400, "api", "unknown_word"),
    ("keyCreate", {"api": "a", "secret": 1}, 400, "api", "invalid_option"),
    ("keyCreate", {"api": "b", "role": "curator"}, 400, "role", "invalid_option"),
    ("keyCreate", {"api": "b", "writes": 999}, 400, "writes", "unknown_adapter"),
    ("keyCreate", {"api": "b", "reads": 999}, 400, "reads", "unknown_adapter"),
    ("keyCreate", {"api": "b", "writes": "coral"}, 400, "writes", "bad_integer"),
    ("keyCreate", {"api": "b", "secret": 1, "writes": 7, "reads": 9}, 400, "reads", "invalid_option"),
    ("keyCreate", {"api": "b", "adds_per_day": 5}, 400, "adds_per_day", "invalid_option"),
    ("keyCreate", {"api": "a", "text_ids": 1}, 400, "text_ids", "invalid_option"),
    ("keyCreate", {"api": "b", "requests_per_second": -1}, 400, "requests_per_second", "out_of_range"),
    ("keyCreate", {"api": "b", "expires": "soon"}, 400, "expires", "invalid_date"),
    ("keyCreate", {"api": "b", "secret": 1, "role": "curator", "write": 7}, 400, None, "unknown_parameter"),
    ("keySet", {"id": 1, "name": "x", "read": 7}, 400, None, "unknown_parameter"),
    ("keyCreate", {"api": "b", "expires": "2020-01-01"}, 400, "expires", "invalid_date"),
    ("keySet", {"id": 1, "expires": "2020-01-01T00:00:00Z"}, 400, "expires", "invalid_date"),
    ("keySet", {"id": 999, "name": "x"}, 404, "id", "unknown_key"),
    ("keyRotate", {"id": 999}, 404, "id", "unknown_key"),
    ("keyRotate", {"id": 1, "overlap": "91d"}, 400, "overlap", "invalid_option"),
    ("keyRevoke", {"id": 999}, 404, "id", "unknown_key"),
    ("history", {"of": "supplier"}, 400, "of", "unknown_word"),
])
def test_what_cannot_be(boss, path, values, status, field, reason):
    before = items(boss, "history", of="key"), len(items(boss, "users"))
    assert_error(access(boss, "GET" if path == "history" else "POST", path, **values), status, field, reason)
    assert before == (items(boss, "history", of="key"), len(items(boss, "users")))


@pytest.mark.store_core
def test_a_key_is_made_limited_rotated_and_revoked(fresh, boss, seen):
    made = access(boss, "POST", "keyCreate", ("writes", 7), ("reads", 7), ("reads", 9), api="b", secret=1, name="shop", note="the form").data()
    status = lambda key: fresh.b("tour/reference", key=key).status
    assert seen(lambda: status(made["key"]) == 200)
    listed = next(key for key in items(boss, "keys") if key["id"] == made["id"])
    assert (listed["api"], listed["secret"], listed["role"], listed["name"], listed["note"], listed["state"]) == \
        ("b", True, "registrar", "shop", "the form", "good")
    assert (listed["writes"], listed["reads"], listed["expires"]) == ([7], [7, 9], None)
    assert made["key"] not in json.dumps(listed) and made["secret"] not in json.dumps(listed)
    assert source_add(fresh, key=made["key"], secret=made["secret"], city=[element("city")]).status == 200

    access(boss, "POST", "keySet", ("writes", 9), id=made["id"], name="window", expires="2099-01-31").data()
    listed = next(key for key in items(boss, "keys") if key["id"] == made["id"])
    assert (listed["writes"], listed["reads"], listed["name"], listed["note"]) == ([9], [7, 9], "window", "the form")
    assert listed["expires"].startswith("2099-01-31")
    assert seen(lambda: source_add(fresh, key=made["key"], secret=made["secret"], city=[element("city", id="C9")]).status == 403)
    access(boss, "POST", "keySet", ("writes", "all"), ("reads", "all"), id=made["id"], expires="never", note="none").data()
    listed = next(key for key in items(boss, "keys") if key["id"] == made["id"])
    assert (listed["writes"], listed["reads"], listed["expires"], listed["note"], listed["name"]) == (None, None, None, None, "window")

    access(boss, "POST", "keySet", id=made["id"], requests_per_second=5, adds_per_day=9).data()
    access(boss, "POST", "keySet", id=made["id"], requests_per_second=0, text_ids=1).data()
    listed = next(key for key in items(boss, "keys") if key["id"] == made["id"])
    assert (listed["requests_per_second"], listed["adds_per_day"], listed["text_ids"]) == (None, 9, True)

    new = access(boss, "POST", "keyRotate", id=made["id"], overlap="1h").data()
    assert new["id"] == made["id"] and new["key"] != made["key"] and new["secret"] != made["secret"]
    assert seen(lambda: status(new["key"]) == 200) and status(made["key"]) == 200
    assert next(key for key in items(boss, "keys") if key["id"] == made["id"])["old_until"] is not None
    assert_error(access(boss, "POST", "keyRotate", id=made["id"], overlap="1h"), 409, "id", "overlap_running")
    assert status(new["key"]) == status(made["key"]) == 200
    newest = access(boss, "POST", "keyRotate", id=made["id"], force=1).data()
    assert seen(lambda: status(newest["key"]) == 200) and seen(lambda: status(new["key"]) == status(made["key"]) == 403)
    assert access(boss, "POST", "keyRevoke", id=made["id"]).data() == {"id": made["id"]}
    assert seen(lambda: status(newest["key"]) == 403)
    assert next(key for key in items(boss, "keys") if key["id"] == made["id"])["state"] == "revoked"
    assert_error(access(boss, "POST", "keyRevoke", id=made["id"]), 409, "id", "revoked_key")
    past = [(event["what"], event["by"], event["name"]) for event in items(boss, "history", of="key", id=made["id"])]
    assert past[::-1] == [(what, "boss", "window") for what in ("created", *["changed"] * 4, "rotated", "rotated", "revoked")]


def test_the_newest_of_the_history_first(boss):
    for number in range(4):
        access(boss, "POST", "keyCreate", api="a", name=f"k{number}").data()
    answer = access(boss, "GET", "history", of="key", limit=3).data()
    assert [event["name"] for event in answer["items"]] == ["k3", "k2", "k1"] and answer["more"]
    assert items(boss, "history", of="user", name="nobody") == []


@pytest.mark.parametrize("path, values, command", [
    ("keys", {}, "key list"), ("users", {}, "user list"), ("history", {"of": "key"}, "key history"), ("history", {"of": "key", "id": 1}, "key history 1"),
    ("history", {"of": "user", "name": "BOSS"}, "user history BOSS")])
def test_commands_list_what_endpoints_show(fresh, boss, run, new_key, path, values, command):
    new_key(fresh.data, "b", "--secret", "--adapter", "coral", "--expires", "2099-01-31", "--adds-per-day", "5")
    access(boss, "POST", "userAdd", name="eva", role="viewer").data()
    listed = [json.loads(line) for line in run(*command.split(), "--format", "ndjson", "--data", fresh.data).stdout.splitlines()]
    shown = items(boss, path, **values)
    assert listed == (shown[::-1] if path == "history" else shown) != []
    assert list(map(list, listed)) == list(map(list, shown))
