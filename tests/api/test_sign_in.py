"""People who sign in: users, sessions, roles (E24, E25), and those who attack them."""
import concurrent.futures
import contextlib
import json
import os
import pty
import re
import select
import subprocess
import urllib.parse

import pytest

import client
import raw
import usage
from browser import Browser
from client import assert_error
from conftest import command
from templates import PASSWORD

pytestmark = pytest.mark.store


@pytest.fixture(scope="session")
def add_user(run):
    def add_user(data, name, role="curator", password=PASSWORD):
        done = run("user", "add", name, "--role", role, "--password-file", "-", "--data", data, stdin=password.encode() + b"\n")
        assert done.returncode == 0, done.stderr
        return done
    return add_user


@pytest.fixture(scope="module")
def own(module_servers, mini):
    """For those who sign in and out, and change nothing that others look at."""
    return module_servers.make(mini, people=["anna"])


@pytest.fixture
def fresh(make_server, mini):
    return make_server(mini, people=["anna"])


@pytest.fixture
def user(run, fresh):
    def user(*args, stdin=None):
        done = run("user", *args, "--data", fresh.data, stdin=stdin)
        assert done.returncode == 0, done.stderr
        return done.stdout
    return user


def signed_in(server, seen, name="anna", **more):
    browser = Browser(server)
    answers = []
    assert seen(lambda: answers.append(browser.sign_in(name, **more)) or answers[-1].status == 200), answers
    return browser


# ---- users ---------------------------------------------------------------------------------------------------

def test_users_are_listed_without_their_passwords(fresh, user, add_user):
    add_user(fresh.data, "Зоя Петренко", "viewer")
    listed = user("list", "--format", "ndjson")
    rows = [json.loads(line) for line in listed.splitlines()]
    assert [(r["name"], r["role"], r["disabled"]) for r in rows] == [("anna", "curator", False), ("Зоя Петренко", "viewer", False)]
    assert "argon2" not in listed and PASSWORD not in listed
    user("role", "anna", "admin")
    user("disable", "anna")
    row = json.loads(user("list", "--format", "ndjson").splitlines()[0])
    assert (row["role"], row["disabled"]) == ("admin", True)


WRONG = [
    (("add", "ANNA", "--password-file", "-"), b"long enough for me\n", "already"),
    (("add", "key 7", "--password-file", "-"), b"long enough for me\n", "key "),
    (("add", " x", "--password-file", "-"), b"long enough for me\n", "spaces"),
    (("add", "x", "--password-file", "-"), b"short\n", "10 characters"),
    (("add", "x", "--password-file", "-"), b"", "first line"),
    (("add", "x"), b"short\n", "10 characters"),
    (("add", "x", "--password-file", "/nowhere"), None, "nowhere"),
    (("add", "x" * 65, "--no-password"), None, "64"),
    (("role", "anna", "king"), None, "viewer"),
    (("disable", "nobody"), None, "no user"),
]


def test_a_command_that_is_wrong_changes_nothing(run, own):
    before = run("user", "list", "--data", own.data).stdout
    for args, stdin, word in WRONG:
        done = run("user", *args, "--data", own.data, stdin=stdin)
        assert done.returncode in (1, 2) and word in done.stderr, (args, done.stderr)
    assert run("user", "list", "--data", own.data).stdout == before


def typed(command, *lines):
    """What a command says to whom it asks at a terminal, who types a line whenever it is asked; and its exit status."""
    terminal, its = pty.openpty()
    with subprocess.Popen(command, stdin=its, stdout=its, stderr=its, start_new_session=True) as popen:
        os.close(its)
        said, lines = b"", list(lines)
        with contextlib.suppress(OSError):  # so ends reading of a terminal that nobody has any more
            while select.select([terminal], [], [], client.PATIENCE)[0] and (piece := os.read(terminal, 4096)):
                said += piece
                if said.endswith(b": ") and lines:
                    os.write(terminal, lines.pop(0) + b"\n")
        popen.kill()  # that it has ended is what the loop has waited for
    os.close(terminal)
    return said, popen.returncode


def test_a_password_is_asked_for_twice_and_is_not_shown(own, seen):
    add = command("user", "add", "olha", "--role", "viewer", "--data", own.data)
    said, status = typed(add, b"the first of them", b"not the same one")
    assert status == 1 and b"the two are not the same" in said and b"of them" not in said and b"same one" not in said, said
    assert typed(add, PASSWORD.encode(), PASSWORD.encode())[1] == 0
    signed_in(own, seen, "olha")


@pytest.mark.store_core
def test_users_are_in_no_export(run, fresh):
    assert "anna" not in run("export", "--data", fresh.data).stdout


# ---- sessions ------------------------------------------------------------------------------------------------

def test_signing_in_and_out(own, seen):
    browser = signed_in(own, seen, "ANNA")
    answer = browser.request("GET")
    assert set(answer.data()) == {"person", "role", "csrf", "expires", "map", "photos"}
    assert answer.data()["person"] == "anna" and answer.data()["role"] == "curator"
    assert answer.headers["Cache-Control"] == "no-store"
    assert re.fullmatch(r"dragoman=1-[0-7]-[\w-]{43}; Path=/; HttpOnly; SameSite=Strict", browser.set_cookie)
    assert browser.request("DELETE").data() == {"signed_out": True}
    assert "Max-Age=0" in browser.set_cookie


def test_who_has_signed_in_and_that_nobody_has(own, seen):
    nobody = {"session": None, "by_proxy": False}
    browser = signed_in(own, seen)
    assert browser.request("GET", "/v1/session/who").data() == {**nobody, "session": browser.request("GET").data()}
    assert browser.request("GET", "/v1/session/who", headers={"Origin": "https://elsewhere.example"}).status == 403
    cookie = browser.cookie
    assert browser.request("DELETE").status == 200
    for it in (None, cookie, cookie.split("=")[0] + "=1-0-" + "A" * 43, "dragoman"):
        browser.cookie = it
        answer = browser.request("GET", "/v1/session/who")
        assert (answer.status, answer.data()) == (200, nobody), it
        assert answer.headers["Cache-Control"] == "no-store"


def test_behind_https_the_cookie_is_secure(make_server, mini, add_user, seen):
    server = make_server(mini, "--public-url", "https://travel.example.com")
    add_user(server.data, "anna")
    browser = signed_in(server, seen)
    assert re.fullmatch(r"__Host-dragoman=1-[0-7]-[\w-]{43}; Path=/; HttpOnly; SameSite=Strict; Secure", browser.set_cookie)
    assert browser.is_in()
    browser.cookie = browser.cookie.removeprefix("__Host-")
    assert not browser.is_in()


def test_replay_after_signing_out(own, seen):
    browser = signed_in(own, seen)
    cookie, csrf = browser.cookie, browser.csrf
    assert browser.request("DELETE").status == 200
    thief = Browser(own)
    thief.cookie, thief.csrf = cookie, csrf
    assert_error(thief.request("GET"), 403, None, "not_authorized")
    assert_error(thief.request("DELETE"), 403, None, "not_authorized")


def test_fixation(own, seen):
    """A cookie that somebody has planted is not the session of who signs in."""
    planted = signed_in(own, seen)
    victim = Browser(own)
    victim.cookie = planted.cookie
    assert victim.sign_in().status == 200
    assert victim.cookie != planted.cookie and victim.is_in()
    assert not planted.is_in(), "the session before is over"
    victim.cookie = "dragoman=1-0-" + "A" * 43
    assert victim.sign_in().status == 200 and "AAAA" not in victim.cookie


@pytest.mark.parametrize("cookie", [
    "dragoman=", "dragoman=1-0-", "dragoman=1-0-" + "A" * 43, "dragoman=1-0-" + "A" * 5000, "dragoman=99999999999999999999-0-" + "A" * 43,
    "dragoman=-1--1-" + "A" * 43, "dragoman=1-8-" + "A" * 43, "dragoman=' OR 1=1 --", "dragoman", "; ; =;",
])
def test_cookies_that_are_none(own, cookie):
    browser = Browser(own)
    browser.cookie = cookie
    assert_error(browser.request("GET"), 403, None, "not_authorized")


def test_two_cookies_are_none(own, seen):
    browser = signed_in(own, seen)
    browser.cookie = f"dragoman=1-0-{'A' * 43}; {browser.cookie}"
    assert not browser.is_in()


def test_the_ninth_session_takes_the_place_of_the_one_used_longest_ago(own, seen):
    browsers = [signed_in(own, seen) for _ in range(8)]
    assert all(b.is_in() for b in browsers)
    ninth = signed_in(own, seen)
    assert ninth.is_in() and [b.is_in() for b in browsers] == [False] + [True] * 7


def test_the_store_has_no_token_and_no_password(own, seen, run):
    browser = signed_in(own, seen)
    token = browser.cookie.split("=")[1]
    for path in own.data.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert token.encode() not in content and PASSWORD.encode() not in content, path


@pytest.mark.store_core
@pytest.mark.parametrize("how", ["disable", "password"])
def test_sessions_end_when_somebody_is_disabled_or_gets_a_password(fresh, seen, user, how):
    browser = signed_in(fresh, seen)
    if how == "disable":
        user("disable", "anna")
    else:
        user("password", "anna", "--password-file", "-", stdin=b"another long one\n")
    assert seen(lambda: not browser.is_in())
    assert_error(browser.sign_in(), 403, None, "sign_in_failed")
    if how == "disable":
        user("enable", "anna")
        assert seen(lambda: Browser(fresh).sign_in().status == 200)
        assert not browser.is_in(), "what ended stays over"
    else:
        assert Browser(fresh).sign_in(password="another long one").status == 200


def test_a_role_that_is_taken_away(fresh, seen, user):
    browser = signed_in(fresh, seen)
    user("role", "anna", "viewer")
    assert seen(lambda: browser.request("GET").data()["role"] == "viewer")


def use_after(clock, seconds, browser):
    """Later the session is used, which is kept a moment after."""
    before = browser.request("GET").data()["expires"]
    clock.advance(seconds)
    client.eventually(lambda: browser.request("GET").data()["expires"] > before)


def test_idle_sessions_end_and_used_ones_last(clock, make_server, mini, seen):
    server = make_server(mini, "--session-idle", "1800", "--session-max", "36000", people=["anna"])
    used, idle = signed_in(server, seen), signed_in(server, seen)
    for _ in range(4):
        use_after(clock, 600, used)
    assert not idle.is_in()


def test_no_session_lasts_for_ever(clock, make_server, mini, seen):
    server = make_server(mini, "--session-idle", "1800", "--session-max", "3600", people=["anna"])
    browser = signed_in(server, seen)
    use_after(clock, 1000, browser)
    use_after(clock, 1000, browser)
    clock.advance(1000)
    assert browser.is_in()
    clock.advance(600)
    assert not browser.is_in()


@pytest.mark.store_core
def test_sessions_outlive_a_restart_and_are_those_of_every_server(own, seen, processes):
    browser = signed_in(own, seen)
    other = processes(data=own.data)
    try:
        answer = client.request(other.port, "/v1/session", headers={"Cookie": browser.cookie})
        assert answer.status == 200 and answer.data()["person"] == "anna"
        assert browser.request("DELETE").status == 200
        assert seen(lambda: client.request(other.port, "/v1/session", headers={"Cookie": browser.cookie}).status == 403)
    finally:
        other.stop()


# ---- other sites ---------------------------------------------------------------------------------------------

@pytest.mark.store_core
def test_a_session_is_known_at_once_to_a_server_that_has_not_heard_of_it(fresh, seen, make_server):
    """As behind a proxy with several: it is looked for in the store before it is refused."""
    other = make_server(None, data=fresh.data)
    signed_in(fresh, seen), signed_in(other, seen)
    for n in range(100):
        browser, then = Browser((fresh, other)[n % 2]), (other, fresh)[n % 2]
        answer = browser.sign_in()
        browser.server = then
        path = "/v1/session/who" if n % 4 > 1 else "/v1/session"
        told = browser.request("GET", path)
        assert (told.status, n) == (200, n), told.json()
        data = told.data()["session"] if n % 4 > 1 else told.data()
        assert data["person"] == "anna" and data["csrf"] == browser.csrf
        if n % 3 == 0:
            assert browser.request("GET", "/v1/curate/queue").status == 200
        elif n % 3 == 1:
            version = {"X-Min-Data-Version": answer.headers["X-Data-Version"]}
            assert browser.request("GET", headers=version).status == 200
        else:
            assert browser.request("DELETE").status == 200
            assert not browser.is_in()


def test_tokens_that_are_made_up_cost_few_looks_at_the_store(clock, fresh, seen):
    browser = signed_in(fresh, seen)
    name, token = browser.cookie.split("=")
    stranger = Browser(fresh)
    for n in range(60):
        stranger.cookie = f"{name}={token[:-3]}{n:03}"
        if n % 2:
            assert_error(stranger.request("GET"), 403, None, "not_authorized")
        else:
            assert stranger.request("GET", "/v1/session/who").data()["session"] is None
    assert browser.is_in()
    begun = signed_in(fresh, seen)
    assert begun.is_in()


@pytest.mark.parametrize("headers", [
    {"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"},
    {"Origin": "http://127.0.0.1.evil.example"}, {"Origin": "http://evil.example", "Sec-Fetch-Site": "same-origin"},
])
def test_a_page_of_another_site(own, seen, headers):
    browser = signed_in(own, seen)
    assert_error(browser.request("DELETE", headers=headers), 403, None, "other_origin")
    assert_error(browser.request("GET", headers=headers), 403, None, "other_origin")
    assert_error(Browser(own).sign_in(headers=headers), 403, None, "other_origin")
    assert browser.is_in()


def test_our_own_pages(own, seen):
    browser = signed_in(own, seen)
    for headers in ({"Origin": own.url, "Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}):
        assert browser.request("GET", headers=headers).status == 200
    assert browser.request("DELETE", headers={"Origin": own.url, "Sec-Fetch-Site": "same-origin"}).status == 200


@pytest.mark.parametrize("csrf", [None, "", "0" * 64, "x"])
def test_a_cookie_without_its_csrf_token(own, seen, csrf):
    browser = signed_in(own, seen)
    headers = {"X-CSRF-Token": csrf} if csrf is not None else None
    assert_error(browser.request("DELETE", headers=headers, csrf=False), 403, None, "wrong_csrf_token")
    assert browser.is_in()


def test_the_csrf_token_of_another_session(own, seen):
    one, other = signed_in(own, seen), signed_in(own, seen)
    assert_error(one.request("DELETE", headers={"X-CSRF-Token": other.csrf}), 403, None, "wrong_csrf_token")


def test_no_site_may_come_with_credentials(own, seen):
    browser = signed_in(own, seen)
    for method in ("GET", "OPTIONS"):
        answer = browser.request(method, headers={"Origin": "https://shop.example", "Access-Control-Request-Method": "POST"})
        assert not [h for h in answer.headers if h.lower().startswith("access-control")]
    lists = own.request("/v1/tour/reference", "OPTIONS", {"Origin": "https://shop.example"})
    assert "Access-Control-Allow-Credentials" not in lists.headers
    assert "cookie" not in lists.headers["Access-Control-Allow-Headers"].lower()
    assert "csrf" not in lists.headers["Access-Control-Allow-Headers"].lower()


def test_a_session_is_no_key(own, seen):
    browser = signed_in(own, seen)
    assert browser.request("GET", "/v1/tour/reference").status == 403
    assert browser.request("POST", "/v1/tour/sourceAdd", {"adapter_id": 7, "lang_code": "en"}).status == 403


def test_a_key_is_no_session(own):
    assert own.b("session").status == 403


# ---- who decides ---------------------------------------------------------------------------------------------

DECIDE = {"decide": "clear", "adapter_id": 7, "kind": "hotel", "id": "1001", "why": "closed"}


def case_of(browser):
    return browser.request("GET", "/v1/curate/case?adapter_id=7&kind=hotel&id=1001").data()


def test_what_a_curator_decides_has_their_name(fresh, seen, run):
    browser = signed_in(fresh, seen)
    version = case_of(browser)["version"]
    answer = browser.request("POST", "/v1/curate/decide", {"decisions": [{**DECIDE, "version": version}], "by": "the boss"})
    assert answer.data()["items"][0]["result"] == "done" and answer.headers["X-Ignored-Fields"] == "by"
    history = run("map", "history", "coral", "hotel", "1001", "--format", "ndjson", "--data", fresh.data).stdout
    assert json.loads(history.splitlines()[-1])["by"] == "anna" or '"by":"anna"' in history, history
    assert "the boss" not in history
    undone = browser.request("POST", "/v1/curate/batchUndo", {"batch": answer.data()["batch"], "by": "the boss"})
    assert undone.status == 200 and undone.headers["X-Ignored-Fields"] == "by"
    assert "the boss" not in run("batch", "list", "--format", "ndjson", "--data", fresh.data).stdout


@pytest.mark.store_core
def test_m28_an_import_is_taken_back_by_an_admin_only(fresh, seen, add_user, new_key):
    add_user(fresh.data, "boss", "admin")
    key = new_key(fresh.data, "b", "--secret", "--role", "curator")
    anna, boss = signed_in(fresh, seen), signed_in(fresh, seen, "boss")

    def undo(browser, batch):
        return browser.request("POST", "/v1/curate/batchUndo", {"batch": batch})

    by_key = fresh.request("/v1/curate/batchUndo", "POST", {"X-Service-Api-Key": key["key"], "X-Service-Api-Secret": key["secret"],
                                                           "Content-Type": "application/json"}, b'{"batch": 1}')
    for answer in (undo(anna, 1), by_key):
        client.assert_error(answer, 403, None, "role_not_allowed")
    undoing = undo(boss, 1).data()["batch"]
    client.assert_error(undo(anna, undoing), 403, None, "role_not_allowed")
    client.assert_error(undo(anna, undo(boss, undoing).data()["batch"]), 403, None, "role_not_allowed")


def test_an_admin_adds_a_supplier(fresh, seen, add_user, run):
    add_user(fresh.data, "boss", "admin")
    anna, boss = signed_in(fresh, seen), signed_in(fresh, seen, "boss")

    def add(browser, **values):
        return browser.request("POST", f"/v1/curate/supplier?{urllib.parse.urlencode(values)}")

    client.assert_error(add(anna, code="mavi"), 403, None, "role_not_allowed")
    made = add(boss, code="mavi", name="Mavi Tur").data()
    assert (made["code"], made["adapter"]) == ("mavi", "Mavi Tur")
    listed = run("supplier", "show", "mavi", "--data", fresh.data).stdout
    assert f"{made['adapter_id']}" in listed and "Mavi Tur" in listed
    suppliers = boss.request("GET", "/v1/curate/coverage").data()["suppliers"]
    assert {"adapter_id": made["adapter_id"], "code": "mavi", "adapter": "Mavi Tur"} in suppliers
    for values, status, field, reason in (({"code": "MAVI"}, 409, "code", "not_unique"), ({"code": "12"}, 400, "code", "wrong_type"), ({"code": "a b"}, 400, "code", "wrong_type"),
                                          ({}, 400, "code", "missing_field"), ({"code": "x", "name": " "}, 400, "name", "wrong_type")):
        client.assert_error(add(boss, **values), status, field, reason)


def test_a_viewer_looks_and_does_not_decide(own, seen, add_user):
    add_user(own.data, "vera", "viewer")
    browser = signed_in(own, seen, "vera")
    before = case_of(browser)
    answer = browser.request("POST", "/v1/curate/decide", {"decisions": [{**DECIDE, "version": before["version"]}]})
    assert "viewer" in assert_error(answer, 403, None, "role_not_allowed")["message"]
    assert case_of(browser) == before


def test_a_decision_without_the_csrf_token_or_from_another_site(own, seen):
    browser = signed_in(own, seen)
    before = case_of(browser)
    body = {"decisions": [{**DECIDE, "version": before["version"]}]}
    assert_error(browser.request("POST", "/v1/curate/decide", body, csrf=False), 403, None, "wrong_csrf_token")
    assert_error(browser.request("POST", "/v1/curate/decide", body, {"Origin": "https://evil.example"}), 403, None, "other_origin")
    assert_error(browser.request("POST", "/v1/curate/decide", body, {"Content-Type": "text/plain", "Sec-Fetch-Site": "cross-site"}), 403, None,
                 "other_origin")
    assert case_of(browser) == before


def test_only_a_curators_key_with_its_secret_curates(own, seen, new_key):
    browser = signed_in(own, seen)
    made = new_key(own.data, "b", "--secret", "--role", "curator")
    path, both = "/v1/curate/case?adapter_id=7&kind=hotel&id=1001", {"X-Service-Api-Key": made["key"], "X-Service-Api-Secret": made["secret"]}
    assert seen(lambda: own.request(path, headers=both).status == 200)
    assert_error(own.request(path, headers={"X-Service-Api-Key": made["key"]}), 403, None, "not_authorized")
    registrar = {"X-Service-Api-Key": own.key_b, "X-Service-Api-Secret": own.secret_b}
    assert_error(own.request(path, headers=registrar), 403, None, "role_not_allowed")
    # Who sends a key is judged by it, also with a cookie that would do.
    assert_error(browser.request("GET", path, headers=registrar), 403, None, "role_not_allowed")
    assert_error(own.request(path), 403, None, "not_authorized")


# ---- names and passwords -------------------------------------------------------------------------------------

def test_names_with_script_in_them(own, seen, add_user):
    name = '<script>alert(1)</script>"&\''
    add_user(own.data, name)
    browser = signed_in(own, seen, name)
    answer = browser.request("GET")
    assert answer.data()["person"] == name
    assert answer.headers["Content-Type"] == "application/json"


@pytest.mark.parametrize("body, field, reason", [
    ({"name": "anna"}, "password", "missing_field"), ({"password": PASSWORD}, "name", "missing_field"),
    ({"name": 1, "password": PASSWORD}, "name", "wrong_type"), ({"name": "anna", "password": "x" * 1025}, "password", "too_long"),
    ([], "name", "missing_field"), ([1], None, "bad_body"),
])
def test_bodies_that_are_wrong(own, body, field, reason):
    assert_error(Browser(own).request("POST", body=body), 400, field, reason)


def test_a_stranger_sends_no_large_body(own, make_server, mini):
    def sent(server, size, chunked=False):
        body = b'{"name":"anna","password":"' + b"x" * (size - 29) + b'"}'
        headers = {"Content-Type": "application/json"}
        return server.request("/v1/session", "POST", headers, (part for part in [body]) if chunked else body)

    for size, chunked in ((8193, False), (8193, True), (100_000, False)):
        answer = sent(own, size, chunked)
        assert_error(answer, 413, reason="body_too_large")
        assert "8192 bytes" in answer.json()["error"]["message"]
    assert_error(sent(own, 8192), 400, "password", "too_long")
    with raw.Raw(own.port) as stranger:
        stranger.send(b"POST /v1/session HTTP/1.1\r\nHost: a\r\nContent-Length: 4000000\r\n\r\n")
        assert stranger.answer().status == 413
    small = sent(make_server(mini, "--max-body", "2048"), 4000)
    assert small.status == 413 and "2048 bytes" in small.json()["error"]["message"]


def test_unknown_disabled_and_wrong_are_answered_alike(fresh, add_user, user, seen):
    add_user(fresh.data, "berta")
    user("disable", "berta")
    add_user(fresh.data, "carl")
    signed_in(fresh, seen, "carl")
    answers = [Browser(fresh).sign_in(name, "wrong password") for name in ("anna", "berta", "nobody", "x" * 1000)]
    told = {json.dumps({**a.json()["error"]}) for a in answers}
    assert {a.status for a in answers} == {403} and len(told) == 1, told


def peak_memory(server):
    return usage.memory(server.pid, "VmHWM")


def memory_of_a_guess(server, name):
    """What the peak of the server's memory rises by while a wrong password is compared."""
    usage.forget_peak(server.pid)
    before = peak_memory(server)
    assert Browser(server).sign_in(name, "wrong password").status == 403
    return peak_memory(server) - before


def test_an_unknown_name_costs_as_much_as_a_wrong_password(fresh, add_user):
    """By the memory that a comparison takes, which is the cost that argon2id is told, with the passes (access/password.c)."""
    add_user(fresh.data, "berta")
    assert all(memory_of_a_guess(fresh, name) > 60 << 20 for name in ("berta", "nobody"))


def test_guessing_one_name_is_slowed_down(clock, fresh):
    statuses = []
    for i in range(12):
        answer = Browser(fresh).sign_in(password=f"wrong password {i}")
        statuses.append(answer.status)
        if answer.status == 429:
            clock.advance(int(answer.headers["Retry-After"]))
            statuses.append(Browser(fresh).sign_in(password=f"wrong password {i}").status)
    assert statuses[:5] == [403] * 5 and 429 in statuses
    answer = Browser(fresh).sign_in()
    assert_error(answer, 429, None, "too_many_attempts")
    (seconds,) = map(int, answer.headers.get_all("Retry-After"))
    assert 30 < seconds <= 60
    clock.advance(seconds)
    assert Browser(fresh).sign_in().status == 200, "and then the right one is good"


@pytest.mark.heavy
def test_a_thousand_wrong_passwords(make_server, mini, seen, small_quarantine):
    """Each for another name and, as a proxy says, from another address: nothing but the queue holds them up."""
    with small_quarantine():
        server = make_server(mini, "--trusted-proxy", "127.0.0.1", people=["anna"])
    browser = signed_in(server, seen)
    memory = peak_memory(server)

    def guess(i):
        headers = {"X-Forwarded-For": f"10.0.{i >> 8 & 255}.{i & 255}"}
        return Browser(server, headers).sign_in(f"name{i}", "wrong password")

    with concurrent.futures.ThreadPoolExecutor(64) as pool:
        guesses = [pool.submit(guess, i) for i in range(1000)]
        while not all(g.done() for g in guesses):
            assert server.request("/healthz").status == 200 and browser.is_in()
    answers = [g.result() for g in guesses]
    assert {a.status for a in answers} == {403, 429}
    assert all(int(a.headers["Retry-After"]) >= 1 for a in answers if a.status == 429)
    # One thread compares them, with the memory of one: 64 MiB.
    assert peak_memory(server) - memory < 160 << 20


def test_hundreds_of_wrong_passwords_from_one_address(fresh, seen):
    """Twenty are free. What is waited for after them doubles, so not a dozen more are compared in an hour."""
    browser = signed_in(fresh, seen)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(lambda i: Browser(fresh).sign_in(f"name{i}", "wrong password").status, range(400)))
    assert 0 < statuses.count(403) <= 32 and statuses.count(403) + statuses.count(429) == 400
    assert browser.is_in()


# ---- a proxy that signs people in ----------------------------------------------------------------------------

@pytest.fixture(scope="module")
def behind(module_servers, mini, run):
    server = module_servers.make(mini, "--trusted-proxy", "127.0.0.1", "--sign-in-header", "Remote-User", people=["anna"])
    assert run("user", "add", "zoe", "--role", "curator", "--no-password", "--data", server.data).returncode == 0
    return server


def test_a_proxy_signs_people_in(behind, seen):
    browser = Browser(behind, {"Remote-User": "zoe"})
    assert seen(lambda: browser.request("POST", body={}).status == 200)
    browser.csrf = browser.request("GET").data()["csrf"]
    assert browser.request("GET").data()["person"] == "zoe"
    who = browser.request("GET", "/v1/session/who").data()
    assert who["session"]["person"] == "zoe" and who["by_proxy"]
    browser.headers = {"Remote-User": "anna"}
    assert not browser.is_in(), "the proxy says that it is somebody else"
    assert browser.request("GET", "/v1/session/who").data() == {"session": None, "by_proxy": True}
    browser.headers = {}
    assert not browser.is_in(), "the proxy has signed them out"
    browser.headers = {"Remote-User": "zoe"}
    assert browser.request("DELETE", csrf=False).status == 403
    assert browser.request("DELETE").status == 200
    assert_error(Browser(behind, {"Remote-User": "nobody"}).request("POST", body={}), 403, None, "sign_in_failed")


def test_who_has_no_password_cannot_sign_in_with_one(behind, seen):
    assert seen(lambda: Browser(behind).sign_in().status == 200)
    for password in ("", "x", "!"):
        assert_error(Browser(behind).sign_in("zoe", password), 403, None, "sign_in_failed")


def test_a_header_that_comes_twice(behind, seen):
    assert seen(lambda: Browser(behind, {"Remote-User": "zoe"}).request("POST", body={}).status == 200)
    connection = client.http.client.HTTPConnection("127.0.0.1", behind.port)
    connection.putrequest("POST", "/v1/session")
    for name in ("anna", "zoe"):
        connection.putheader("Remote-User", name)
    connection.putheader("Content-Length", "2")
    connection.endheaders(b"{}")
    assert connection.getresponse().status == 400
    connection.close()


def test_a_header_forged_from_an_address_that_is_not_trusted(make_server, mini, run, seen):
    server = make_server(mini, "--trusted-proxy", "10.9.9.9", "--sign-in-header", "Remote-User")
    assert run("user", "add", "zoe", "--role", "admin", "--no-password", "--data", server.data).returncode == 0
    assert seen(lambda: "zoe" in run("user", "list", "--data", server.data).stdout)
    for headers in ({"Remote-User": "zoe"}, {"Remote-User": "zoe", "X-Forwarded-For": "10.9.9.9"}):
        assert_error(Browser(server, headers).request("POST", body={}), 400, "name", "missing_field")
        assert not Browser(server, headers).is_in()


@pytest.mark.parametrize("options, word", [
    (["--sign-in-header", "Remote-User"], "--trusted-proxy"), (["--sign-in-header", "a b", "--trusted-proxy", "10.0.0.1"], "header"),
    (["--sign-in-header", "Cookie", "--trusted-proxy", "10.0.0.1"], "header"),
])
def test_options_that_would_open_the_door(run, tmp_path, options, word):
    done = run("serve", "--data", tmp_path, "--listen", "127.0.0.1:0", *options)
    assert done.returncode == 2 and word in done.stderr
