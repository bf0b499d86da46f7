"""What curators do now and then, over HTTP: audits (M39), files taken back, new records (M40)."""
import csv
import io
import urllib.parse

import pytest

from browser import Browser
from client import assert_error
from hotels import PLACES, dict_hotels, near, source
from templates import PASSWORD
from test_data_version import seq_of
from test_match_new import FOUR, MAPPED, MUNDO

pytestmark = pytest.mark.store

NAMES = ["Orkide Resort & Spa", "Pamfilya Konak", "Sultan Sahil Palace", "Meridia Beach"]
RECORDS = PLACES + FOUR + dict_hotels() + MAPPED + MUNDO + [source(i, name, **near(i)) for i, name in enumerate(NAMES)] + \
    [source("r", "Orkide Residence", **near(0))]
STEPS = [("match", "--samples", "0")]


@pytest.fixture
def anna(desk, data, run, seen):
    return person(desk, data, run, seen, "anna", "curator")


def person(desk, data, run, seen, name, role):
    done = run("user", "add", name, "--role", role, "--password-file", "-", "--data", data.path, stdin=PASSWORD.encode() + b"\n")
    assert done.returncode == 0, done.stderr
    browser = Browser(desk.server)
    assert seen(lambda: browser.sign_in(name).status == 200)
    return browser


def get(browser, what, **values):
    return browser.request("GET", f"/v1/curate/{what}?{urllib.parse.urlencode(values)}").data()


def send(browser, what, body=b"", **values):
    sent = {"Cookie": browser.cookie, "X-CSRF-Token": browser.csrf, "Content-Type": "application/octet-stream"}
    return browser.server.request(f"/v1/curate/{what}?{urllib.parse.urlencode(values)}", "POST", sent, body)


def sheet(rows):
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def filled(text, **decisions):
    """A listing as CSV, with decisions by the id of the record."""
    rows = list(csv.DictReader(io.StringIO(text.lstrip("\ufeff"))))
    for row in rows:
        row["decision"] = decisions.get(row["id"], "")
    return sheet(rows)


def test_m39_a_sample_is_judged_and_tells_the_precision(anna, data, desk):
    drawn = get(anna, "audit", adapter_id=1, kind="hotel", seed=1)
    assert drawn["among"] == len(drawn["items"]) == len(NAMES)
    assert [it["id"] for it in get(anna, "audit", adapter_id=1, kind="hotel", seed=1)["items"]] == [it["id"] for it in drawn["items"]]
    assert len(get(anna, "audit", size=2)["items"]) == 2
    assert all(it["dict"]["name"] == it["record"]["name"] and it["dict"]["city"]["name"] == "Side" and it["metres"] < 20 for it in drawn["items"])
    assert get(anna, "precision")["items"] == []
    verdicts = {it["id"]: "wrong" if it["id"] == "3" else "right" for it in drawn["items"]}
    decisions = [{"decide": verdicts[it["id"]], "adapter_id": it["adapter_id"], "kind": it["kind"], "id": it["id"], "version": it["version"],
                  "dict_id": it["dict"]["id"]} for it in drawn["items"]]
    done = anna.request("POST", "/v1/curate/decide", {"decisions": decisions}).data()
    assert [it["result"] for it in done["items"]] == ["done"] * len(NAMES)
    judged = {it["kind"]: (it["judged"], it["right"]) for it in get(anna, "precision", adapter_id=1)["items"]}
    assert judged == {"hotel": (4, 3), "all": (4, 3)}
    told = next(it for it in get(anna, "precision")["items"] if it["kind"] == "hotel")
    assert told["precision"] == 0.75 and 0 < told["from"] < 0.75 < told["to"] < 1
    assert get(anna, "audit", adapter_id=1, kind="hotel")["items"] == []
    assert data.of("source", kind="hotel", id="3")[0].get("dict_id") is None
    assert desk.get("audit", kind="hotel", adapter_id=2).data()["among"] == 0


def test_m39_a_judgement_is_taken_back_and_who_knows_the_right_one_says_it(anna, data):
    def decide(it, what, version, **more):
        [done] = anna.request("POST", "/v1/curate/decide", {"decisions": [
            {"decide": what, "adapter_id": it["adapter_id"], "kind": it["kind"], "id": it["id"], "version": version, **more}]}).data()["items"]
        return done

    def told():
        [month] = get(anna, "agreement", adapter_id=1, kind="hotel")["items"]
        return {what: month[what] for what in ("automatic", "people", "confirmed", "overruled")}

    one, two = get(anna, "audit", adapter_id=1, kind="hotel", seed=1)["items"][:2]
    before = told()
    same = decide(one, "wrong", one["version"], dict_id=one["dict"]["id"], into=one["dict"]["id"])
    assert (same["result"], same["reason"]) == ("refused", "same")
    done = decide(one, "wrong", one["version"], dict_id=one["dict"]["id"], into=109)
    assert (done["result"], done["was"], done["is"]) == ("done", one["dict"]["id"], 109)
    right = decide(two, "right", two["version"], dict_id=two["dict"]["id"])
    assert right["result"] == "done" and right["version"] == two["version"]
    assert told() == {**before, "people": before["people"] + 2, "confirmed": 1, "overruled": 1}
    assert decide(two, "undo", right["version"])["result"] == "done"
    back = decide(one, "undo", done["version"])
    assert (back["result"], back["is"]) == ("done", one["dict"]["id"])
    assert told() == before and get(anna, "precision")["items"] == [] and data.of("not_same") == []
    again = get(anna, "audit", adapter_id=1, kind="hotel", seed=1)
    assert again["among"] == len(NAMES) and {one["id"], two["id"]} <= {it["id"] for it in again["items"]}
    assert decide(one, "right", back["version"], dict_id=one["dict"]["id"])["result"] == "done"
    assert told() == {**before, "people": before["people"] + 1, "confirmed": 1}


def test_a_queue_is_taken_back(anna, data):
    text = data.ok("match", "queue", "--format", "csv")
    body = filled(text, r="accept", a="reject", b="nonsense")
    look = send(anna, "takeBack", body, of="queue", file="queue.csv", dry_run=1).data()
    assert (look["applied"], look["accepted"], look["refused"], look["batch"]) == (False, 1, 2, None)
    assert [it["where"].split()[0] for it in look["told"]] == ["row", "row"] and all(it["why"] for it in look["told"])
    assert data.of("source", kind="hotel", id="r")[0].get("dict_id") is None
    done = send(anna, "takeBack", body, of="queue", file="queue.csv", why="of the weekend").data()
    assert (done["applied"], done["accepted"], done["refused"]) == (True, 1, 2) and done["batch"] > 0
    assert data.of("source", kind="hotel", id="r")[0]["dict_id"] == 100
    batch = next(b for b in get(anna, "batches")["items"] if b["id"] == done["batch"])
    assert (batch["by"], batch["why"], batch["files"]) == ("anna", "of the weekend", "queue.csv")


def test_a_file_is_taken_back_in_its_encoding(anna):
    body = "adapter_id,kind,id,dict_id,name\n1,hotel,nobody,101,Ferienhaus Stra\u00dfe\n".encode("latin-1")
    answer = send(anna, "takeBack", body, of="map", file="map.csv")
    assert_error(answer, 422)
    assert 'encoding windows-1252 "Ferienhaus Straße"' in answer.json()["error"]["message"]
    assert send(anna, "takeBack", body, of="map", file="map.csv", encoding="windows-1252").data()["refused"] == 1
    assert_error(send(anna, "takeBack", body, of="map", file="map.csv", encoding="klingon"), 422)


def test_mappings_are_taken_back(anna, data):
    body = sheet([{"adapter_id": 1, "kind": "hotel", "id": "r", "dict_id": 101, "was": ""},
                  {"adapter_id": 1, "kind": "hotel", "id": "0", "dict_id": "", "was": 100},
                  {"adapter_id": 1, "kind": "hotel", "id": "1", "dict_id": 109, "was": 105}])
    before = anna.request("GET", "/v1/curate/batches").headers["X-Data-Version"]
    answer = send(anna, "takeBack", body, of="map", file="map.csv")
    done = answer.data()
    assert (done["mapped"], done["cleared"], done["refused"], done["rows"]) == (1, 1, 1, 3)
    assert seq_of(answer.headers["X-Data-Version"]) > seq_of(before)
    assert data.of("source", kind="hotel", id="r")[0]["dict_id"] == 101


def test_m40_what_is_proposed_is_made(anna, data):
    found = send(anna, "proposals").data()
    assert (found["total"], found["members"]) == (1, 4)
    [it] = found["items"]
    assert (it["name"], it["country"]["name"], it["city"]["name"], it["lacks"]) == ("Villa Mundo Verde", "Turkey", "Side", None)
    assert [(m["adapter_id"], m["id"]) for m in it["members"]] == [(1, "a"), (2, "b"), (3, "c"), (4, "d")]
    body = sheet([{"cluster": 1, "adapter_id": m["adapter_id"], "kind": "hotel", "id": m["id"], "decision": "new"} for m in it["members"]])
    look = send(anna, "takeBack", body, of="new", file="new.csv", dry_run=1).data()
    assert (look["applied"], look["made"], look["mapped"], look["refused"], look["batch"]) == (False, 1, 4, 0, None)
    assert look["makes"] == [{"cluster": 1, "name": "Villa Mundo Verde", "city": "Side", "country": "Turkey", "records": 4}]
    assert data.of("source", kind="hotel", id="a")[0].get("dict_id") is None and send(anna, "proposals").data() == found
    bad = send(anna, "takeBack", body + b"x,1,hotel,a,new\r\n1,1,hotel,a,perhaps\r\n", of="new", file="new.csv").data()
    assert (bad["made"], bad["refused"], bad["batch"]) == (0, 2, None)
    assert [(it["where"], it["why"].split(":")[0]) for it in bad["told"]] == [("row 6", "hotel a"), ("row 7", "hotel a")]
    done = send(anna, "takeBack", body, of="new", file="new.csv").data()
    assert (done["made"], done["mapped"], done["refused"], done["makes"]) == (1, 4, 0, []) and done["batch"] > 0
    assert len({data.of("source", kind="hotel", id=m["id"])[0]["dict_id"] for m in it["members"]}) == 1
    assert send(anna, "proposals").data()["total"] == 0


def test_who_may_and_what_is_no_file_of_ours(anna, desk, data, run, seen):
    vera = person(desk, data, run, seen, "vera", "viewer")
    for what, body in (("takeBack?of=map&file=x.csv", b"x"), ("proposals", b"")):
        path = f"/v1/curate/{what}"
        sent = {"Cookie": vera.cookie, "X-CSRF-Token": vera.csrf, "Content-Type": "application/octet-stream"}
        assert_error(vera.server.request(path, "POST", sent, body), 403, None, "role_not_allowed")
        sent = {"Cookie": anna.cookie, "Content-Type": "application/octet-stream"}
        assert_error(anna.server.request(path, "POST", sent, body), 403, None, "wrong_csrf_token")
        assert_error(desk.server.request(path, "POST", desk.headers({"Content-Type": "application/octet-stream"}), body), 403, None,
                     "role_not_allowed")
    assert get(vera, "audit", kind="hotel")["among"] > 0
    assert_error(send(anna, "takeBack", of="map", file="x.csv"), 400, "body", "missing_field")
    assert_error(send(anna, "takeBack", b"a,b\n1,2\n", of="map", file="my list.csv"), 422)
    assert "my list.csv" in send(anna, "takeBack", b"a,b\n1,2\n", of="map", file="my list.csv").json()["error"]["message"]
    said = send(anna, "takeBack", b"a,b\n1,2\n", of="queue", file="x.csv").json()["error"]["message"]
    assert "as 'match queue --output FILE' writes them" in said  # a command, which has its dashes here too
    assert_error(send(anna, "takeBack", b"a", of="list", file="x"), 400, "of", "unknown_word")
