"""What a key may read and do, when it was used (E19), and how often records are asked for (M32)."""
import csv
import datetime
import io
import json

import pytest

import mapping
import store
from client import assert_error

pytestmark = pytest.mark.store

SOURCE = "tour/sourceInfo?adapter_id="
JSON = {"Content-Type": "application/json"}


@pytest.fixture
def data(run, own):
    return mapping.Data(run, own.data)


def ask(server, key, adapter, body='{"hotel":"1001"}', path="/v1/tour/sourceInfo"):
    return server.request(f"{path}?adapter_id={adapter}", "POST", {"X-Service-Api-Key": key, **JSON}, body.encode())


def keys(data):
    return {row["id"]: row for row in json.loads(data.ok("key", "list", "--json"))}


@pytest.mark.store_core
def test_e19_a_key_reads_only_the_suppliers_that_it_may(own, new_key, seen):
    key = new_key(own.data, "b", "--reads", "coral")["key"]
    assert seen(lambda: ask(own, key, 7).status == 200)
    assert "may not read the adapter 8" in assert_error(ask(own, key, 8), 403, "adapter_id", "adapter_not_allowed")["message"]
    assert_error(ask(own, key, 99), 403, "adapter_id", "adapter_not_allowed")
    assert_error(own.b("tour/hotelDescription?adapter_id=8&hotel_orig_id=1", key=key), 403, "adapter_id", "adapter_not_allowed")
    data_of = own.request("/v1/tour/sourceData", "POST", {"X-Service-Api-Key": key, **JSON}, b'{"adapter_id":8,"dep_city":10,"country":1,"hotel":[55]}')
    assert_error(data_of, 403, "adapter_id", "adapter_not_allowed")
    everybody = {h["adapter_id"] for h in own.b("tour/hotelCheck?hotel=55").data()}
    assert everybody == {7, 8}
    assert {h["adapter_id"] for h in own.b("tour/hotelCheck?hotel=55", key=key).data()} == {7}
    for path in ("changes", "export/sources"):
        assert_error(own.b(path, key=key), 403, "adapter_id", "adapter_not_allowed")
        assert own.b(f"{path}?adapter_id=7", key=key).status == 200
        assert_error(own.b(f"{path}?adapter_id=8", key=key), 403, "adapter_id", "adapter_not_allowed")
    assert own.b("tour/reference", key=key).status == 200, "lists are the reference, not the suppliers' records"


def test_e19_avia_detail_leaves_out_what_may_not_be_read(own, new_key, seen):
    everything = own.b("avia/detail?source_id=2").data()
    assert everything["adapters"]
    key = new_key(own.data, "b", "--reads", "coral")["key"]
    assert seen(lambda: own.b("avia/detail?source_id=2", key=key).status == 200)
    assert own.b("avia/detail?source_id=2", key=key).data()["adapters"] == {}


def registers(server, key, secret):
    return server.request("/v1/tour/sourceAdd", "POST", {"X-Service-Api-Key": key, "X-Service-Api-Secret": secret, **JSON},
                          b'{"adapter_id":7,"lang_code":"en"}')


def test_e19_roles(own, data, new_key, seen):
    made = new_key(own.data, "b", "--secret", "--role", "reader")
    assert seen(lambda: ask(own, made["key"], 7).status == 200)
    error = assert_error(registers(own, made["key"], made["secret"]), 403, None, "role_not_allowed")
    assert "reader" in error["message"]
    data.ok("key", "set", made["id"], "--role", "registrar")
    assert seen(lambda: registers(own, made["key"], made["secret"]).status != 403)
    data.ok("key", "set", made["id"], "--role", "curator")
    assert seen(lambda: keys(data)[made["id"]]["role"] == "curator" and registers(own, made["key"], made["secret"]).status != 403)
    assert registers(own, own.key_b, own.secret_b).status != 403


def test_key_set_changes_what_is_said_and_leaves_the_rest(data):
    made = json.loads(data.ok("key", "create", "--api", "b", "--secret", "--adapter", "coral", "--name", "partner", "--json"))
    before = keys(data)[made["id"]]
    assert (before["writes"], before["reads"], before["role"], before["note"]) == ([7], None, "registrar", None)
    data.ok("key", "set", made["id"], "--note", "until spring", "--expires", "2099-01-31", "--reads", "coral", "--reads", "8")
    after = keys(data)[made["id"]]
    assert after == {**before, "note": "until spring", "expires": "2099-01-31T23:59:59.999Z", "reads": [7, 8]}
    data.ok("key", "set", made["id"], "--expires", "never", "--adapter", "all", "--reads", "all", "--note", "")
    assert keys(data)[made["id"]] == {**before, "writes": None}
    data.ok("key", "set", made["id"], "--adapter", "coral")
    row = list(csv.DictReader(io.StringIO(data.ok("key", "list", "--format", "csv"))))[-1]
    assert list(row) == list(before)
    assert [row[name] for name in ("api", "secret", "writes", "reads", "last_used", "expires", "note")] == ["b", "yes", "coral", "all", "never", "never", ""]


@pytest.mark.parametrize("args, said", [
    (("set", 2), "nothing to change"), (("set", 99, "--note", "x"), "no key 99"), (("set", "x", "--note", "x"), "expected the number"),
    (("set", 1, "--role", "registrar"), "only keys of API b"), (("set", 2, "--role", "king"), "expected one of"),
    (("set", 2, "--adapter", "coral", "--reads", "anex"), "has to be able to read it"),
    (("set", 2, "--reads", "nobody"), "no supplier nobody"), (("set", 2, "--expires", "soon"), "expected a date"),
    (("set", 2, "--expires", "2020-01-01"), "is in the past; to end a key now, revoke it"),
    (("create", "--api", "a", "--expires", "2020-01-01T12:00:00+02:00"), "is in the past"),
    (("create", "--api", "b", "--role", "curator"), "without a secret can only read"),
    (("create", "--api", "a", "--reads", "coral"), "only keys of API b")])
def test_what_cannot_be_a_key_is_told(data, args, said):
    before = data.ok("key", "list", "--json")
    done = data.run("key", *args)
    assert done.returncode in (1, 2) and said in done.stderr and done.stdout == ""
    assert data.ok("key", "list", "--json") == before


@pytest.mark.store_core
def test_a_key_says_when_it_was_used_last(own, data, new_key, seen):
    made = new_key(own.data, "b")
    assert seen(lambda: ask(own, made["key"], 7).status == 200)
    assert keys(data)[made["id"]]["last_used"] is None
    unused = new_key(own.data, "b")["id"]
    own.stop()
    today = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
    assert keys(data)[made["id"]]["last_used"] == today and keys(data)[unused]["last_used"] is None


def test_keys_from_before_keep_their_rights(own, data, new_key, seen):
    made = new_key(own.data, "b", "--secret")
    plain = new_key(own.data, "b")
    own.stop()
    store.execute(own.data, "UPDATE api_key SET role = NULL, reads = NULL")
    assert keys(data)[made["id"]]["role"] == "registrar" and keys(data)[plain["id"]]["role"] == "reader"
    assert data.ok("check")


@pytest.mark.store_core
def test_m32_what_is_asked_for_is_counted_and_orders_what_is_unmapped(own, data):
    body = '{"hotel":"1002,1001,nope","city":"503"}'
    for _ in range(7):
        assert ask(own, own.key_b, 7, body).status == 200
    ask(own, own.key_b, 7, '{"hotel":"1002"}')
    own.stop()
    rows = {(r["adapter_id"], r["kind"]): r for r in map(json.loads, data.ok("coverage", "--format", "ndjson").splitlines())}
    assert (rows[7, "hotel"]["requests"], rows[7, "hotel"]["percent_of_requests"]) == (15, 46.6)
    assert (rows[7, "city"]["requests"], rows[7, "city"]["percent_of_requests"]) == (7, 0.0)
    assert rows[8, "hotel"]["requests"] == 0 and rows[8, "hotel"]["percent_of_requests"] is None
    listed = [line.split() for line in data.ok("map", "list", "--unmapped").splitlines()]
    at = listed[0].index("asked")
    assert [line[2] for line in listed[1:3]] == ["1002", "503"], "what costs most stands first"
    assert "8" in listed[1] and "7" in listed[2] and at > 0
    assert data.ok("map", "list", "--unmapped", "--format", "csv").count("\r\n") == len(listed)
    assert json.loads(data.ok("coverage", "--since", "2099-01-01", "--format", "ndjson").splitlines()[0])["requests"] == 0


def test_m32_many_records_at_once_are_sampled(own, data, import_file, seen):
    import_file(own.data, [{"type": "source", "adapter_id": 7, "kind": "hotel", "id": f"n{i}", "name": "n"} for i in range(1000)])
    ids = ",".join(f"n{i}" for i in range(1000))
    assert seen(lambda: ask(own, own.key_b, 7, '{"currency":"x","hotel":"n999"}').data()["hotel"][0]["source"] is not None)
    for _ in range(40):
        ask(own, own.key_b, 7, json.dumps({"hotel": ids}))
    own.stop()
    rows = list(map(json.loads, data.ok("coverage", "--adapter", "coral", "--kind", "hotel", "--format", "ndjson").splitlines()))
    assert rows[0]["requests"] == 40001
    text = data.run("map", "list", "--unmapped", "--kind", "hotel", "--excel").stdout.lstrip("\ufeff")
    asked = [int(r["asked"]) for r in csv.DictReader(io.StringIO(text, newline=""), delimiter=";")]
    assert asked == sorted(asked, reverse=True) and 30000 < sum(asked) < 50000


def test_check_for_cron(data):
    said = data.run("check", "--min-coverage", "70")
    assert said.returncode == 1 and "coral hotel: 66.6 % mapped, 70 % are wanted" in said.stdout
    assert "2 of the suppliers' kinds" in said.stderr
    data.ok("check", "--min-coverage", "1")
