"""What becomes of keys and people over time: a rotation with an overlap, and their history (E11, E29)."""
import json

import pytest

from browser import Browser
from client import assert_error
from registration import element, source_add

pytestmark = pytest.mark.store


def status(server, key):
    return server.b("tour/reference", key=key).status


@pytest.fixture
def listed(run):
    """listed(data, "key", "history", …): the rows of a listing."""
    def listed(data, *args):
        done = run(*args, "--format", "ndjson", "--data", data)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]
    return listed


def test_a_rotated_key_works_for_the_overlap_and_keeps_a_history(own, new_key, run, seen, listed):
    def key(*args):
        done = run("key", *args, "--data", own.data)
        assert done.returncode == 0, done.stderr
        return done.stdout

    old = new_key(own.data, "b", "--secret", "--name", "shop")
    number = str(old["id"])
    new = json.loads(key("rotate", number, "--overlap", "1h", "--json"))
    assert seen(lambda: status(own, new["key"]) == 200)
    for pair in (old, new):  # the old one with its secret too
        assert status(own, pair["key"]) == 200
        answer = source_add(own, key=pair["key"], secret=pair["secret"], city=[element("city")])
        assert answer.status == 200, answer
    newest = json.loads(key("rotate", number, "--force", "--json"))
    assert seen(lambda: status(own, newest["key"]) == 200)
    assert status(own, new["key"]) == status(own, old["key"]) == 403  # without an overlap at once, what was old already too
    again = json.loads(key("rotate", number, "--overlap", "1s", "--json"))
    assert seen(lambda: status(own, again["key"]) == 200)
    assert seen(lambda: status(own, newest["key"]) == 403)  # a second is over
    assert_error(source_add(own, key=again["key"], secret=newest["secret"], city=[element("city")]), 403)
    key("set", number, "--note", "for the shop", "--role", "registrar")
    key("revoke", number)
    rows = listed(own.data, "key", "history", number)
    assert [row["what"] for row in rows] == ["created", "rotated", "rotated", "rotated", "changed", "revoked"]
    assert rows[0]["detail"] == "shop" and rows[1]["detail"].startswith("the old one works until ")
    assert not rows[2].get("detail") and rows[4]["detail"] == "note, role"
    assert all(row["id"] == old["id"] and row["name"] == "shop" and row["by"] for row in rows)
    assert [row["at"] for row in rows] == sorted(row["at"] for row in rows)
    assert rows == [row for row in listed(own.data, "key", "history") if row["id"] == old["id"]]
    assert old["key"] not in str(rows) and new["key"] not in str(rows)
    for wrong in ("24", "h", "-1h", "91d", "1w"):
        done = run("key", "rotate", number, f"--overlap={wrong}", "--data", own.data)
        assert done.returncode == 2 and "--overlap: expected a time" in done.stderr, done.stderr
    for what, missing in (("key", "99999"), ("key", "0"), ("user", "nobody"), ("user", "")):
        done = run(what, "history", missing, "--data", own.data)
        assert done.returncode == 1 and f"there is no {what} {missing}" in done.stderr


def test_people_have_a_history(make_server, mini, run, seen, listed):
    server = make_server(mini, people=["anna"])
    signed_in = []
    assert seen(lambda: signed_in.append(Browser(server).sign_in("anna").status) or signed_in[-1] == 200)
    assert Browser(server).sign_in("anna", password="not hers").status == 403
    assert Browser(server).sign_in("nobody").status == 403
    for args in (("role", "anna", "admin"), ("disable", "anna"), ("disable", "anna"), ("enable", "anna")):
        assert run("user", *args, "--data", server.data).returncode == 0
    assert seen(lambda: any(row["what"] == "failed" for row in listed(server.data, "user", "history", "Anna")))
    rows = listed(server.data, "user", "history", "anna")
    assert sorted(row["what"] for row in rows) == ["changed", "created", "disabled", "enabled", "failed", "signed_in"]
    assert {row["name"] for row in rows} == {"anna"} and rows == listed(server.data, "user", "history")
    assert next(row for row in rows if row["what"] == "changed")["detail"] == "admin"
    assert [row["detail"] for row in rows if row["what"] in ("signed_in", "failed")] == ["from 127.0.0.1"] * 2


def test_who_gives_a_command_is_kept_also_under_sudo(data, run, listed, monkeypatch):
    def by(*options):
        done = run("key", "create", "--api", "a", *options, "--data", data.path)
        assert done.returncode == 0, done.stderr
        return listed(data.path, "key", "history")[-1]["by"]

    monkeypatch.setenv("USER", "dragoman")
    monkeypatch.delenv("SUDO_USER", raising=False)
    assert by() == "dragoman"
    monkeypatch.setenv("SUDO_USER", "olena")
    assert by() == "olena" and by("--by", "anna") == "anna"
    for words in (("user", "add", "eva", "--no-password"), ("user", "role", "eva", "curator"), ("user", "disable", "eva"), ("user", "enable", "eva"),
                  ("key", "set", "1", "--note", "x"), ("key", "rotate", "1"), ("key", "revoke", "1")):
        done = run(*words, "--by", "anna", "--data", data.path)
        assert done.returncode == 0, (words, done.stderr)
        assert max(listed(data.path, words[0], "history"), key=lambda row: row["at"])["by"] == "anna", words
