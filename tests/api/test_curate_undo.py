"""What is taken back is a question again, for people and not for the matcher: decisions M30, M34, M36."""
import json
import threading

import pytest

import client
import registration
import store
from client import eventually
from curating import OTHERS, RESIDENCE, STRANGE, VILLAS, ZEYTIN, Desk, about
from hotels import PLACES, dict_hotels

pytestmark = pytest.mark.store

#: What `data` has, and what is run on it.
RECORDS = PLACES + dict_hotels() + [RESIDENCE, VILLAS, ZEYTIN, OTHERS, STRANGE]
STEPS = [("match", "--by", "robot")]


@pytest.fixture
def new_desk(make_server, templates, data):
    key = templates.keys_of(data.path)["desk"]
    return lambda match="off": Desk(make_server(None, "--match", match, data=data.path), key)


def queue(data):
    return {(q["adapter_id"], q["id"]): q for q in map(json.loads, data.ok("match", "queue", "--format", "ndjson").splitlines())}


def candidates(desk, id, adapter=1):
    return [c["id"] for c in desk.get("case", adapter_id=adapter, kind="hotel", id=id).data()["candidates"]]


def test_m34_an_undone_decision_brings_the_case_back_with_its_candidates(new_desk, data):
    desk, other = new_desk(), new_desk()
    before, seen = eventually(lambda: desk.case_of("1")), candidates(desk, "1")
    assert eventually(lambda: other.case_of("1"))["reason"] == before["reason"]
    mapped = desk.decided(about(before, "map", dict_id=101))[0]
    eventually(lambda: other.case_of("1") is None)
    # The queue was put in order anew meanwhile, so that it is not there from before.
    read_at = desk.queue()["read_at"]
    desk.decided(about(desk.case_of("7"), "map", dict_id=105))
    eventually(lambda: desk.queue()["read_at"] > read_at)
    desk.decided({**about(before, "undo"), "version": mapped["version"]})
    for d in (desk, other):
        again = eventually(lambda: d.case_of("1"))
        assert (again["reason"], again["best"]) == (before["reason"], before["best"])
    assert candidates(other, "1") == seen
    assert (1, "1") in queue(data)
    data.is_sound()


@pytest.mark.parametrize("how", ["map undo", "batch undo", "batchUndo"])
def test_m34_each_way_to_take_back_asks_again(new_desk, data, how):
    desk = new_desk()
    answer = desk.decide(about(eventually(lambda: desk.case_of("1")), "map", dict_id=100)).data()
    data.ok("match")
    assert (1, "1") not in queue(data)
    if how == "map undo":
        data.map("undo", 1, "hotel", "1")
    elif how == "batch undo":
        data.ok("batch", "undo", answer["batch"])
    else:
        desk.post("batchUndo", {"batch": answer["batch"]}).data()
    assert queue(data)[1, "1"]["reason"] == "veto_residence"
    assert eventually(lambda: desk.case_of("1"))["best"]["id"] == 100
    assert 100 in candidates(desk, "1")


def test_m34_what_the_matcher_had_mapped_is_asked_when_it_is_taken_back(new_desk, data):
    desk = new_desk()
    (batch,) = [b["id"] for b in desk.get("batches").data()["items"] if b["what"] == "match"]
    desk.post("batchUndo", {"batch": batch}).data()
    case = eventually(lambda: desk.case_of("9"))
    assert (case["outcome"], case["reason"], case["best"]["id"]) == ("ask", "taken_back", 104)
    got = desk.get("case", adapter_id=1, kind="hotel", id="9").data()
    assert [(c["id"], c["bits"]) for c in got["candidates"]] == [(104, None)]
    # That judges nothing: the next run may map it again (M31).
    data.ok("match")
    assert data.mapped_to(1, "hotel", "9") == 104


def test_m34_a_record_that_the_batch_made_is_a_candidate_only_if_it_stays(new_desk, data, import_file):
    """It stays where somebody has changed it since (M27). The matcher has said nothing of these sources."""
    meals = [{"adapter_id": 1, "kind": "meal", "id": id} for id in ("goes", "stays")]
    import_file(data.path, [{"type": "source", **meal, "name": f"Brunch that {meal['id']}"} for meal in meals])
    desk = new_desk()
    answer = desk.decide(*(about({**meal, "version": desk.get("case", **meal).data()["version"]}, "new") for meal in meals)).data()
    assert [item["result"] for item in answer["items"]] == ["done", "done"], answer
    made, changed = (data.mapped_to(*meal.values()) for meal in meals)
    import_file(data.path, [{"type": "dict", "kind": "meal", "id": changed, "name": "A late breakfast"}])
    data.ok("batch", "undo", answer["batch"])
    assert data.dict_ids("meal") == [changed]
    goes, stays = (eventually(lambda: desk.case_of(meal["id"])) for meal in meals)
    assert (goes["candidates"], goes["best"], stays["best"]["id"]) == (0, None, changed)


@pytest.mark.parametrize("by_person", ["map undo", "decide undo"])
def test_m30_what_a_person_took_back_is_never_mapped_by_itself(new_desk, data, by_person):
    desk = new_desk("auto")
    if by_person == "map undo":
        data.map("undo", 1, "hotel", "9")
    else:
        case = desk.get("case", adapter_id=1, kind="hotel", id="9").data()
        assert desk.decided(about(case, "undo"))[0]["is"] is None
    # The server's matcher says what it thinks of it, and maps it not; nor does a run.
    assert eventually(lambda: queue(data).get((1, "9"), {}).get("reason") == "sure")
    data.ok("match")
    assert data.mapped_to(1, "hotel", "9") is None and queue(data)[1, "9"]["reason"] == "sure"
    assert eventually(lambda: desk.case_of("9"))["best"]["id"] == 104
    data.ok("match", "accept", 1, "hotel", "9")
    assert data.mapped_to(1, "hotel", "9") == 104 and (1, "9") not in queue(data)
    data.is_sound()


def test_m30_what_a_person_cleared_is_no_question_and_its_undo_maps_it(new_desk, data):
    desk = new_desk("auto")
    case = desk.get("case", adapter_id=1, kind="hotel", id="9").data()
    cleared = desk.decided(about(case, "clear"))[0]
    data.ok("match")
    assert (1, "9") not in queue(data) and data.mapped_to(1, "hotel", "9") is None
    assert desk.decided({**about(case, "undo"), "version": cleared["version"]})[0]["is"] == 104


def test_m16_to_clear_what_is_not_mapped_leaves_it_in_the_queue(new_desk, data):
    desk = new_desk()
    case = eventually(lambda: desk.case_of("1"))
    assert desk.decided(about(case, "clear"))[0]["result"] == "same"
    data.map("clear", 1, "hotel", "7")
    assert {(1, "1"), (1, "7")} <= set(queue(data))
    assert desk.case_of("1")["best"] == case["best"]


def meal(id):
    return {"type": "source", "adapter_id": 1, "kind": "meal", "id": id, "name": f"Brunch {id}"}


def test_m34_an_id_that_another_process_gave_and_took_back_is_not_given_again(new_desk, data, import_file, tmp_path):
    """A server remembers the largest id that it gave; another process may have gone on from there."""
    import_file(data.path, [meal("m"), meal("n"), meal("o")])
    data.ok("match")
    desk = new_desk()
    first = desk.decided(about(eventually(lambda: desk.case_of("m")), "new"))[0]["is"]
    (tmp_path / "new.csv").write_text("adapter_id,kind,id,dict_id,decision\n1,meal,n,,new\n")
    data.ok("match", "load", tmp_path / "new.csv")
    assert data.mapped_to(1, "meal", "n") == first + 1
    (newest, *_) = desk.get("batches").data()["items"]
    data.ok("batch", "undo", newest["id"])
    assert first + 1 not in data.dict_ids("meal")
    assert desk.decided(about(desk.case_of("o"), "new"))[0]["is"] == first + 2
    data.is_sound()


@pytest.mark.store_core
def test_m28_decisions_of_one_commit_are_taken_back_each_by_its_batch(new_desk, data, import_file):
    """A server writes what has queued in one commit: two requests of decisions and a registration."""
    import_file(data.path, [meal("m")])
    data.ok("match")
    desk = new_desk()

    def register(id):
        return registration.source_add(desk.server, adapter_id=1, meal=[registration.element("meal", id, name="Supper")])

    def newer(case):
        """The queue shows a little later what has become of a case."""
        return case if case is not None and case["version"] >= since[case["id"]] else None

    def together():
        """The answers of two requests that queued side by side."""
        one, seven, m = (eventually(lambda id=id: newer(desk.case_of(id))) for id in ("1", "7", "m"))
        got = {}
        # The first waits for the store alone.
        calls = {"z": lambda: register("76"), "a": lambda: desk.decide(about(one, "map", dict_id=101), about(m, "new")),
                 "b": lambda: desk.decide(about(seven, "map", dict_id=105)), "c": lambda: register("77")}
        threads = [threading.Thread(target=lambda name=name, call=call: got.update({name: call()})) for name, call in calls.items()]
        held = store.hold(data.path)
        try:
            for n, t in enumerate(threads, 1):
                t.start()
                eventually(lambda n=n: client.ready(desk.server.port, "writing") >= n)  # so that they queue in this order
        finally:
            held.close()
        for t in threads:
            t.join()
        return {name: answer.data() for name, answer in got.items()}

    since = {"1": 0, "7": 0, "m": 0}
    for _ in range(20):  # a job of the server's own may be among those that are counted
        answers = together()
        (mapped, made), (other,) = answers["a"]["items"], answers["b"]["items"]
        batches = [answers[name]["batch"] for name in ("a", "b")]
        if mapped["version"] == made["version"] == other["version"]:
            break
        since.update({id: item["version"] + 1 for id, item in (("1", mapped), ("m", made), ("7", other))})
        for batch in batches:
            desk.post("batchUndo", {"batch": batch}).data()
    else:
        pytest.fail("never one commit")
    desk.post("batchUndo", {"batch": answers["a"]["batch"]}).data()
    assert data.mapped_to(1, "hotel", "1") is None and data.mapped_to(1, "hotel", "7") == 105
    assert made["is"] not in data.dict_ids("meal") and len(data.of("source", adapter_id=1, kind="meal", id="77")) == 1
    desk.post("batchUndo", {"batch": answers["b"]["batch"]}).data()
    assert data.mapped_to(1, "hotel", "7") is None
    data.is_sound()


def test_c3_all_that_a_request_decided_is_taken_back(new_desk, data):
    desk = new_desk()
    one, seven = eventually(lambda: desk.case_of("1")), desk.case_of("7")
    mapped = desk.decided(about(one, "map", dict_id=101))[0]
    was = [r for r in data.records() if not r["type"].endswith("_event")]
    seen = candidates(desk, "7")
    version = {id: desk.get("reference", kind="hotel", id=id).data()["version"] for id in (101, 102, 103)}
    answer = desk.decide({**about(one, "undo"), "version": mapped["version"]}, about(seven, "not_same", dict_id=105),
                         {"decide": "name", "kind": "hotel", "dict_id": 103, "lang": "uk", "name": "Назва", "version": version[103]},
                         {"decide": "merge", "kind": "hotel", "dict_id": 102, "into": 101, "version": version[102],
                          "into_version": version[101]}).data()
    assert [i["result"] for i in answer["items"]] == ["done"] * 4
    undone = desk.post("batchUndo", {"batch": answer["batch"]}).data()
    assert (undone["kept"], undone["left"]) == (0, [])
    assert [r for r in data.records() if not r["type"].endswith("_event")] == was
    assert candidates(desk, "7") == seen
    data.is_sound()


def test_m28_a_decision_whose_record_was_merged_in_the_same_commit(new_desk, data):
    desk = new_desk()
    case = eventually(lambda: desk.case_of("1"))
    version = {id: desk.get("reference", kind="hotel", id=id).data()["version"] for id in (101, 102)}
    answer = desk.decide(about(case, "map", dict_id=101), {"decide": "merge", "kind": "hotel", "dict_id": 101, "into": 102,
                                                           "version": version[101], "into_version": version[102]}).data()
    assert [i["result"] for i in answer["items"]] == ["done", "done"] and data.mapped_to(1, "hotel", "1") == 102
    desk.post("batchUndo", {"batch": answer["batch"]}).data()
    assert data.mapped_to(1, "hotel", "1") is None and 101 in data.dict_ids("hotel")
    data.is_sound()
