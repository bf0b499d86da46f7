"""GET curate/facets, POST curate/accept, match accept --above: decisions C2, C12."""
import json

import pytest

import client
from client import eventually
from curating import Desk, about
from hotels import HOTELS, PLACES, dict_hotels, near, source

pytestmark = pytest.mark.store

#: Sixteen that are likely each their hotel, 2 km away; one of the same name in another part of the country; one that nothing is like.
LIKELY = [source(f"{a}{i}", HOTELS[i], adapter=a, lat=near(i)["lat"] + 0.02, lng=31.38) for a in (1, 2) for i in (0, 1, 2, 3, 4, 7, 8, 9)]
RECORDS = PLACES + dict_hotels() + LIKELY + [source("F", HOTELS[0], adapter=2, lat=39.0, lng=35.0),
                                             source("S", "Xyzzy Plugh", lat=50.0, lng=10.0)]
STEPS = [("match",)]


def post(desk, **parameters):
    import urllib.parse
    return desk.server.request(f"/v1/curate/accept?{urllib.parse.urlencode(parameters)}", "POST", desk.headers(), b"")


def test_c2_facets_count_what_the_queue_shows(same_desk):
    for filters in ({}, {"adapter_id": 2}, {"above": 0.5}, {"suggested": 0}, {"country_id": 1}, {"reason": "no_candidates"}):
        facets, cases = same_desk.get("facets", **filters).data(), same_desk.queue(limit=500, **filters)["items"]
        assert facets["total"] == len(cases) == sum(g["cases"] for g in facets["groups"])
        for group in facets["groups"]:
            assert group["cases"] == sum((c["adapter_id"], c["kind"], c["reason"]) == (group["adapter_id"], group["kind"], group["reason"])
                                         for c in cases)
        assert facets["without"] + sum(p["cases"] for p in facets["probabilities"]) == len(cases)
        assert sum(c["cases"] for c in facets["countries"]) == sum(c["country"] is not None for c in cases)
    assert same_desk.get("facets", country_id=1).data()["cities"][0]["name"] == "Side"
    client.assert_error(same_desk.get("facets", above="x"), 400, "above", "out_of_range")


def test_c2_facets_of_a_key_for_some_suppliers(desk, data, new_key):
    other = Desk(desk.server, new_key(data.path, "b", "--secret", "--role", "curator", "--reads", "2", "--adapter", "2"))
    assert eventually(lambda: other.get("facets").status == 200 and other.get("facets").data())["total"] == 9


def test_c12_a_look_changes_nothing_and_the_batch_is_taken_back_whole(desk, data):
    wanted = {(c["adapter_id"], c["id"]) for c in desk.queue(limit=500, above=0.8)["items"]}
    look = post(desk, above=0.8, dry_run=1).data()
    assert (look["total"], len(look["sample"])) == (len(wanted), 10) and len(wanted) > 10
    assert {(s["adapter_id"], s["id"]) for s in look["sample"]} < wanted and len({(s["adapter_id"], s["id"]) for s in look["sample"]}) == 10
    assert all(s["best"]["name"] == s["name"] and s["best"]["probability"] >= 0.8 for s in look["sample"]) and len(desk.cases(limit=500)) == 18
    client.assert_error(post(desk, above=0.8, total=look["total"] - 1), 409, "total", "changed_since")
    client.assert_error(post(desk, above=0.8), 409, "total", "changed_since")

    done = post(desk, above=0.8, total=look["total"], why="they look right").data()
    assert done == {"batch": done["batch"], "accepted": len(wanted), "refused": 0, "left": 0, "left_out": {"veto": 0, "below": 1}}
    assert eventually(lambda: len(desk.cases(limit=500)) == 18 - len(wanted))
    batch = lambda: next(b for b in desk.get("batches").data()["items"] if b["id"] == done["batch"])
    assert (batch()["why"], batch()["undone"]) == ("they look right", None)
    assert desk.post("batchUndo", {"batch": done["batch"]}).data()["kept"] == 0
    assert eventually(lambda: len(desk.cases(limit=500)) == 18) and batch()["undone"]


def test_c12_what_a_person_said_meanwhile_is_not_accepted(desk):
    case = desk.queue(adapter_id=1, above=0.8)["items"][0]
    desk.decide({k: case[k] for k in ("adapter_id", "kind", "id", "version")} | {"decide": "not_same", "dict_id": case["best"]["id"]})
    look = post(desk, adapter_id=1, above=0.8, dry_run=1).data()
    assert case["id"] not in {s["id"] for s in look["sample"]}
    post(desk, adapter_id=1, above=0.8, total=look["total"])
    assert desk.get("case", adapter_id=1, kind="hotel", id=case["id"]).data()["dict_id"] is None


def test_c12_a_key_accepts_what_it_may_write(desk, data, new_key):
    other = Desk(desk.server, new_key(data.path, "b", "--secret", "--role", "curator", "--adapter", "2"))
    assert eventually(lambda: other.get("queue").status == 200)
    look = post(other, dry_run=1).data()
    assert (look["total"], look["left_out"]) == (8, {"veto": 1, "below": 0})


def events(data, case):
    return data.of("mapping_event", adapter_id=case["adapter_id"], kind="hotel", id=case["id"])


def test_c12_a_record_that_nobody_looked_at_is_mapped_by_the_rule_only(desk, data):
    seen, alike, far, sultan = desk.case_of("10"), desk.case_of("20", 2), desk.case_of("F", 2), desk.case_of("22", 2)
    assert (seen["alike"], far["alike"]) == (3, 3) and far["best"]["id"] == 100 and far["reason"] == "veto_far"
    items = desk.decided(about(seen, "map", dict_id=100), about(alike, "map", dict_id=100, above=0.9), about(far, "map", dict_id=100, above=0),
                         about(sultan, "map", dict_id=102, above=0.99), about(sultan, "map", dict_id=100, above=0))
    assert [(i["status"], i.get("reason")) for i in items] == [(200, None)] * 2 + [(409, "needs_a_look")] * 3
    assert "60 km" in items[2]["message"] and "less likely than 0.99" in items[3]["message"] and "first suggestion" in items[4]["message"]
    assert data.mapped_to(2, "hotel", "F") is None and data.mapped_to(2, "hotel", "20") == 100
    assert "how" not in events(data, seen)[-1] and events(data, alike)[-1]["how"] == "match"
    client.assert_error(desk.decide(about(far, "map", dict_id=100, above=1.5)), 400, "decisions[0].above", "out_of_range")


def test_c12_what_was_accepted_unseen_keeps_its_evidence_and_is_audited(desk, data):
    case = desk.case_of("20", 2)
    total = post(desk, above=0.8, dry_run=1).data()["total"]
    post(desk, above=0.8, total=total, why="they look right")
    event = desk.get("case", adapter_id=2, kind="hotel", id="20").data()["history"][-1]
    assert event["how"] == "match" and event["to"] == 100 and event["by"].startswith("key ")
    assert event["why"].startswith(f"accepted with others, {100 * case['best']['probability']:.1f} % likely: ask, ") and "name +" in event["why"]
    audit = desk.get("audit", size=200, seed=1).data()
    assert audit["among"] == total and {"20"} <= {i["id"] for i in audit["items"]}
    item = next(i for i in audit["items"] if i["id"] == "20")
    assert item["explanation"] == event["why"]
    assert desk.decided(about(item, "right", dict_id=100))[0]["result"] == "done"
    assert desk.get("audit", size=200, seed=1).data()["among"] == total - 1


def test_c12_a_bulk_answer_by_command_leaves_what_contradicts(data):
    assert data.ok("match", "accept", "--above", "0", "--adapter", "other").splitlines()[-1].startswith("1 left out: ")
    assert data.mapped_to(2, "hotel", "F") is None and data.mapped_to(2, "hotel", "20") == 100


def test_c12_by_command(data):
    look = data.ok("match", "accept", "--above", "0.8", "--dry-run")
    total = int(look.split()[0])
    assert total > 10 and len(look.splitlines()) == 11 and "nothing applied" in look
    batch = data.ok("match", "accept", "--above", "0.8", "--adapter", "other", "--by", "olena")
    assert batch.startswith("8 accepted, 0 refused\nbatch ")
    queue = [json.loads(line) for line in data.ok("match", "queue", "--format", "ndjson").splitlines()]
    assert {q["id"] for q in queue if q["adapter_id"] == 2} == {"F"}
    data.ok("batch", "undo", batch.splitlines()[1].split()[1].rstrip(";"))
    assert len(data.ok("match", "queue", "--format", "ndjson").splitlines()) == 18
    assert "name one record, or say with --above" in data.run("match", "accept").stderr
    assert "--above is for all" in data.run("match", "accept", 1, "hotel", "10", "--above", "0.8").stderr
