"""Keys: E6 (what a key is), E8 (a running server sees what happens to it within a second), expiry."""
import datetime
import json

import pytest

import client
import store
from client import assert_error

pytestmark = pytest.mark.store


@pytest.fixture(scope="module")
def own(module_servers, mini):
    """A server whose keys may be played with."""
    return module_servers.make(mini)


def status(server, api, key):
    return (server.a("tour/main-references", key=key) if api == "a" else server.b("tour/reference", key=key)).status


@pytest.mark.parametrize("api", ["a", "b"])
def test_e8_a_key_created_while_the_server_runs_works_within_a_second(own, new_key, seen, api):
    key = new_key(own.data, api)["key"]
    assert seen(lambda: status(own, api, key) == 200)
    assert status(own, "b" if api == "a" else "a", key) == 403


@pytest.mark.store_core
@pytest.mark.parametrize("api", ["a", "b"])
def test_e8_a_revoked_key_stops_working_within_a_second(own, new_key, run, seen, api):
    key = new_key(own.data, api)
    assert seen(lambda: status(own, api, key["key"]) == 200)
    assert run("key", "revoke", key["id"], "--data", own.data).returncode == 0
    assert seen(lambda: status(own, api, key["key"]) == 403)
    assert status(own, api, own.key_a if api == "a" else own.key_b) == 200


@pytest.mark.store_core
def test_e8_a_rotated_key_is_replaced_within_a_second(own, new_key, run, seen):
    old = new_key(own.data, "b", "--secret")
    assert seen(lambda: status(own, "b", old["key"]) == 200)
    done = run("key", "rotate", old["id"], "--json", "--data", own.data)
    assert done.returncode == 0, done.stderr
    new = json.loads(done.stdout)
    assert new["key"] != old["key"] and new["secret"] != old["secret"]
    assert seen(lambda: status(own, "b", new["key"]) == 200)
    assert seen(lambda: status(own, "b", old["key"]) == 403)


def test_e11_a_second_rotation_does_not_end_an_overlap_unasked(own, new_key, run, seen):
    first = new_key(own.data, "b")
    rotate = lambda *options: run("key", "rotate", first["id"], "--json", *options, "--data", own.data)
    listed = lambda: next(key for key in json.loads(run("key", "list", "--json", "--data", own.data).stdout) if key["id"] == first["id"])
    second = json.loads(rotate("--overlap", "7d").stdout)
    until = listed()["old_until"]
    assert until and until in run("key", "list", "--data", own.data).stdout
    for options in ((), ("--overlap", "7d")):
        done = rotate(*options)
        assert done.returncode == 1 and f"works until {until}" in done.stderr and "--force" in done.stderr, done.stderr
    assert seen(lambda: status(own, "b", second["key"]) == status(own, "b", first["key"]) == 200)
    third = json.loads(rotate("--force").stdout)
    assert seen(lambda: status(own, "b", third["key"]) == 200) and seen(lambda: status(own, "b", first["key"]) == status(own, "b", second["key"]) == 403)
    assert listed()["old_until"] is None and rotate().returncode == 0  # no overlap runs: nothing to ask


def test_e4_a_revoked_key_is_answered_as_an_unknown_one(own, new_key, run, seen):
    key = new_key(own.data, "b")
    run("key", "revoke", key["id"], "--data", own.data)
    assert seen(lambda: status(own, "b", key["key"]) == 403)
    revoked = assert_error(own.b("tour/reference", key=key["key"]), 403)
    unknown = assert_error(own.b("tour/reference", key="drgb_unknown"), 403)
    assert revoked["message"] == unknown["message"] and revoked["reason"] == unknown["reason"]


def stamp(seconds_from_now):
    when = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds_from_now)
    return when.strftime("%Y-%m-%dT%H:%M:%SZ")


def test_e6_a_key_works_until_it_expires(clock, make_server, mini, new_key, seen):
    own = make_server(mini)
    key = new_key(own.data, "a", "--expires", stamp(3600))["key"]
    assert seen(lambda: status(own, "a", key) == 200)
    clock.advance(3600)
    assert client.wait_until(lambda: status(own, "a", key) == 403)
    expired = assert_error(own.a("tour/main-references", key=key), 403)
    unknown = assert_error(own.a("tour/main-references", key="drga_unknown"), 403)
    assert expired["message"] == unknown["message"] and expired["reason"] == unknown["reason"]


def test_e6_an_expiry_in_the_future_does_not_matter_yet(own, new_key, seen):
    key = new_key(own.data, "b", "--expires", stamp(86400))["key"]
    assert seen(lambda: status(own, "b", key) == 200)


def test_e6_prefixes_tell_api_and_role(server):
    assert server.key_a.startswith("drga_")
    assert server.key_b.startswith("drgb_")
    assert server.secret_b.startswith("drgs_")


def test_e6_keys_are_random_and_long_enough(own, new_key):
    keys = [new_key(own.data, "b", "--secret") for _ in range(5)]
    texts = {key[part] for key in keys for part in ("key", "secret")}
    assert len(texts) == 10
    for text in texts:
        random = text.split("_", 1)[1]
        # 128 bits are 22 characters of base64, 26 of base32, 32 of hexadecimal.
        assert len(random) >= (32 if set(random) <= set("0123456789abcdef") else 22), text


def test_e6_only_a_hash_is_stored_and_keys_are_shown_once(own, new_key, run):
    made = new_key(own.data, "b", "--secret", "--name", "shown once")
    listed = run("key", "list", "--data", own.data).stdout + run("key", "list", "--json", "--data", own.data).stdout
    assert "shown once" in listed
    files = store.content(own.data)
    assert b"shown once" in files
    for text in (made["key"], made["secret"]):
        assert text not in listed
        assert text.encode() not in files and text.split("_", 1)[1].encode() not in files


@pytest.mark.store_core
def test_e6_keys_survive_a_restart(make_server, servers, mini):
    first = make_server(mini)
    first.stop()
    again = servers.start(data=first.data)
    first.port = again.port
    assert status(first, "a", first.key_a) == 200 and status(first, "b", first.key_b) == 200


def test_keys_are_no_data_of_lists(own, new_key, seen):
    """A new key leaves the ETag of a list as it was."""
    before = own.b("tour/reference").headers["ETag"]
    key = new_key(own.data, "b")["key"]
    assert seen(lambda: status(own, "b", key) == 200)
    assert own.b("tour/reference").headers["ETag"] == before
