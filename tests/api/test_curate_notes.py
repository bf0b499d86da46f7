"""What people note at a case, and how far the day's work is: decisions C13 and C14."""
import json
import urllib.parse

import pytest

from client import assert_error, eventually
from curating import OTHERS, RESIDENCE, STRANGE, VILLAS, ZEYTIN
from hotels import PLACES, dict_hotels
from test_desk import person

pytestmark = pytest.mark.store

RECORDS = PLACES + dict_hotels() + [RESIDENCE, VILLAS, ZEYTIN, OTHERS, STRANGE]
STEPS = [("match",)]
FIRST = {"adapter_id": 1, "kind": "hotel", "id": "1"}


@pytest.fixture
def anna(desk, data, run, seen):
    return person(desk, data, run, seen, "anna", "curator")


@pytest.fixture
def bert(desk, data, run, seen):
    return person(desk, data, run, seen, "bert", "admin")


def get(browser, what, **values):
    return browser.request("GET", f"/v1/curate/{what}?{urllib.parse.urlencode(values)}").data()


def note(browser, what, text=None, **of):
    return browser.request("POST", "/v1/curate/note", FIRST | of | {"what": what, "text": text})


def ids(browser, **values):
    return [it["id"] for it in get(browser, "queue", **values)["items"]]


def pages(browser, limit, **values):
    found, cursor = [], ""
    while cursor is not None:
        page = get(browser, "queue", limit=limit, cursor=cursor, **values)
        found += [it["id"] for it in page["items"]]
        cursor = page["cursor"]
    return found


def test_c13_a_case_that_is_put_off_comes_behind_the_others_of_this_person_only(anna, bert):
    before = ids(anna)
    assert before[0] in ("1", "5") and len(before) == 4
    first = {"adapter_id": 1 if before[0] == "1" else 2, "id": before[0]}
    assert note(anna, "later", **first).status == 200
    assert eventually(lambda: ids(anna) == before[1:] + before[:1])
    assert ids(bert) == before
    assert ids(anna, later=1) == before[:1] and ids(anna, later=0) == before[1:] and ids(bert, later=1) == []
    for limit in (1, 2, 3, 4):
        assert pages(anna, limit) == before[1:] + before[:1]
        assert pages(anna, limit, sort="supplier")[-1] == before[0]
    assert get(anna, "queue")["total"] == 4 and get(anna, "queue", later=1)["total"] == 1
    assert [it["later"] for it in get(anna, "queue")["items"]] == [False] * 3 + [True]
    assert get(anna, "case", kind="hotel", **first)["later"] is True and get(bert, "case", kind="hotel", **first)["later"] is False
    assert get(anna, "facets", later=1)["total"] == 1
    assert note(anna, "now", **first).status == 200
    assert eventually(lambda: ids(anna) == before)
    assert ids(anna, later=1) == []


def test_c13_until_a_day(anna):
    assert note(anna, "later", "2020-01-01").status == 200  # that is over
    assert note(anna, "later", "2120-01-01", adapter_id=2, id="5").status == 200
    assert eventually(lambda: ids(anna, later=1) == ["5"])
    assert ids(anna)[-1] == "5" and get(anna, "case", **FIRST)["later"] is False


def test_c13_comments_and_who_should_look_are_kept_with_who_and_when(anna, bert, desk):
    assert note(anna, "comment", "Готель «Море» <b>?").data().items() >= {"by": "anna", "what": "comment", "text": "Готель «Море» <b>?"}.items()
    assert note(bert, "assign", "ANNA").data()["text"] == "anna"
    assert desk.post("note", FIRST | {"what": "comment", "text": "seen", "by": "bot"}).data()["by"] == desk.named("bot")
    case = get(bert, "case", **FIRST)
    assert [(n["by"], n["what"], n["text"]) for n in case["notes"]] == [
        ("anna", "comment", "Готель «Море» <b>?"), ("bert", "assign", "anna"), (desk.named("bot"), "comment", "seen")]
    assert case["assigned"] == "anna" and case["more_notes"] is False and case["notes"] == sorted(case["notes"], key=lambda n: n["at"])
    assert eventually(lambda: ids(bert, assigned="anna") == ["1"])
    assert [it["assigned"] for it in get(bert, "queue", assigned="anna")["items"]] == ["anna"] and ids(bert, assigned="bert") == []
    assert note(bert, "unassign").status == 200
    assert eventually(lambda: ids(bert, assigned="anna") == [])
    assert get(bert, "case", **FIRST)["assigned"] is None


def test_c13_what_is_refused(anna, data, desk, run, seen):
    for what, text in (("comment", None), ("comment", "  "), ("comment", "a\u0007"), ("comment", "x" * 1001), ("later", "tomorrow"),
                       ("later", "2026-13-01"), ("now", "x"), ("unassign", "x")):
        assert_error(note(anna, what, text), 400, "text", "invalid_text")
    assert_error(desk.post("note", FIRST | {"what": "comment", "text": "x", "by": "bot\u0007"}), 400, "by", "control_character")
    assert note(anna, "comment", "ї" * 1000).status == 200
    assert_error(note(anna, "assign", "carl"), 404, "text", "unknown_user")
    viewer = person(desk, data, run, seen, "carl", "viewer")
    assert_error(note(anna, "assign", "carl"), 404, "text", "unknown_user")
    assert_error(note(viewer, "comment", "x"), 403, None, "role_not_allowed")
    assert_error(note(anna, "sing"), 400, "what", "unknown_word")
    assert_error(note(anna, "comment", "x", id="77"), 404, "id", "unknown_source")
    assert_error(note(anna, "comment", "x", kind="stars"), 400, "kind", "unknown_kind")
    assert [n["text"] for n in get(anna, "case", **FIRST)["notes"]] == ["ї" * 1000]


def test_c13_a_full_case_can_still_be_taken_back(anna):
    assert note(anna, "later").status == note(anna, "assign", "anna").status == 200
    assert {note(anna, "comment", str(n)).status for n in range(998)} == {200}
    for what, text in (("comment", "x"), ("later", None), ("assign", "anna")):
        assert_error(note(anna, what, text), 409, "id", "conflict")
    assert note(anna, "now").status == note(anna, "unassign").status == 200
    case = get(anna, "case", **FIRST)
    assert (case["later"], case["assigned"], case["more_notes"], len(case["notes"])) == (False, None, True, 100)
    assert [n["text"] for n in case["notes"][:98]] == [str(n) for n in range(900, 998)]


def test_c14_the_day_by_person(anna, bert):
    assert {(w["person"], w["decides"], w["done"]) for w in get(anna, "day")["items"]} == {("anna", True, 0), ("bert", True, 0)}
    first, second = [it for it in get(anna, "queue", kind="hotel")["items"] if it["best"]][:2]

    def decide(it, **what):
        decision = {k: it[k] for k in ("adapter_id", "kind", "id")} | {"version": it["version"]} | what
        done = anna.request("POST", "/v1/curate/decide", {"decisions": [decision]}).data()["items"][0]
        return it | {"version": done["version"]}
    first, second = (decide(it, decide="map", dict_id=it["best"]["id"]) for it in (first, second))
    done = {w["person"]: (w["done"], w["hour"]) for w in get(bert, "day")["items"]}
    assert done == {"anna": (2, 2), "bert": (0, 0)}
    decide(second, decide="undo")
    assert {w["person"]: w["done"] for w in get(bert, "day")["items"]} == {"anna": 1, "bert": 0}
    assert {w["person"]: w["done"] for w in get(bert, "day", since="2020-01-01")["items"]} == {"anna": 1, "bert": 0}


def test_c14_what_is_taken_back_is_no_more_of_who_decided_it(anna, bert):
    """Whoever takes it back: it was subtracted from bert's own."""
    def decided(by, it, **what):
        decision = {k: it[k] for k in ("adapter_id", "kind", "id", "version")} | what
        answer = by.request("POST", "/v1/curate/decide", {"decisions": [decision]}).data()
        return answer["batch"], it | {"version": answer["items"][0]["version"]}

    def done():
        return {w["person"]: (w["done"], w["hour"]) for w in get(anna, "day")["items"]}
    first, second, third = [it for it in get(anna, "queue", kind="hotel")["items"] if it["best"]][:3]
    batch, _ = decided(anna, first, decide="map", dict_id=first["best"]["id"])
    _, second = decided(anna, second, decide="map", dict_id=second["best"]["id"])
    decided(bert, third, decide="map", dict_id=third["best"]["id"])
    assert done() == {"anna": (2, 2), "bert": (1, 1)}
    assert bert.request("POST", "/v1/curate/batchUndo", {"batch": batch}).status == 200
    assert done() == {"anna": (1, 1), "bert": (1, 1)}
    _, second = decided(bert, second, decide="undo")
    assert done() == {"anna": (0, 0), "bert": (1, 1)}
    decided(anna, second, decide="map", dict_id=second["best"]["id"])  # again
    assert done() == {"anna": (1, 1), "bert": (1, 1)}


def test_c13_the_command_has_the_filters_of_the_page(anna, bert, data):
    def listed(*options):
        lines = data.ok("match", "queue", "--format", "ndjson", *options).splitlines()
        return sorted(json.loads(line)["id"] for line in lines)

    assert note(anna, "later").status == 200 and note(bert, "assign", "anna", id="7").status == 200
    for options, values in ((("--assigned", "anna"), {"assigned": "anna"}), (("--assigned", "nobody"), {"assigned": "nobody"}),
                            (("--later", "yes", "--by", "anna"), {"later": 1}), (("--later", "no", "--by", "anna"), {"later": 0}),
                            (("--since", "2000-01-01"), {"since": "2000-01-01"}), (("--since", "2120-01-01"), {"since": "2120-01-01"}),
                            (("--city", "10"), {"city_id": 10}), (("--later", "no", "--by", "anna", "--country", "Turquie"), {"later": 0, "country_id": 1})):
        assert eventually(lambda o=options, v=values: listed(*o) == sorted(ids(anna, **v))), options
    assert (listed("--assigned", "anna"), listed("--later", "yes", "--by", "anna"), listed("--later", "yes", "--by", "bert")) == (["7"], ["1"], [])
    assert len(listed()) == len(listed("--since", "yesterday")) == 4 and listed("--since", "2120-01-01") == []
    said = data.ok("match", "accept", "--above", "0", "--dry-run", "--assigned", "anna")
    assert said.startswith("0 would be accepted") and "\n1 left out" in said  # another city contradicts it
