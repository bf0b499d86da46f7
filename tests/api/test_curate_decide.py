"""POST curate/decide: decisions C1, C3, C4; M16 to M21, M28, M33."""

import json

import pytest

import client
import store
from client import eventually
from curating import OTHERS, RESIDENCE, STRANGE, VILLAS, ZEYTIN, Desk, about
from hotels import PLACES, dict_hotels

pytestmark = pytest.mark.store

#: What `data` has, and what is run on it.
RECORDS = PLACES + dict_hotels() + [RESIDENCE, VILLAS, ZEYTIN, OTHERS, STRANGE]
STEPS = [("match",)]


@pytest.mark.store_core
def test_c3_map_is_a_decision_of_a_batch_and_leaves_the_queue_at_once(desk, data):
    case = desk.case_of("1")
    answer = desk.decide(about(case, "map", dict_id=100, why="same street"), by="olena").data()
    (item,) = answer["items"]
    assert (item["status"], item["result"], item["was"], item["is"]) == (200, "done", None, 100)
    assert item["version"] > case["version"] and answer["batch"] > 0
    assert desk.case_of("1") is None
    assert data.mapped_to(1, "hotel", "1") == 100
    event = data.of("mapping_event", adapter_id=1, kind="hotel", id="1")[-1]
    assert (event["to"], event["by"], event["why"], event["batch"]) == (100, desk.named("olena"), "same street", answer["batch"])
    assert "how" not in event
    data.ok("batch", "undo", answer["batch"])
    assert data.mapped_to(1, "hotel", "1") is None
    data.is_sound()


@pytest.mark.parametrize("name, lang", [("", "uk"), (5, 7), ("x" * 5000, {}), (None, None)], ids=["empty", "numbers", "long", "null"])
def test_c3_members_of_other_decisions_are_ignored(desk, name, lang):
    answer = desk.decide({"name": name, "lang": lang, **about(desk.case_of("1"), "map", dict_id=100)})
    assert answer.data()["items"][0]["status"] == 200
    assert answer.headers.get("X-Ignored-Fields") == (None if name is None else "lang, name")


def test_l7_integers_may_be_their_decimal_text(desk):
    case = desk.case_of("1")
    (item,) = desk.decided({**about(case, "map", dict_id="100"), "adapter_id": "1", "version": str(case["version"])})
    assert (item["result"], item["is"]) == ("done", 100)


def test_c4_what_somebody_decided_meanwhile_is_refused(desk, data):
    case = desk.case_of("1")
    data.map("set", 1, "hotel", "1", 101)
    (item,) = desk.decided(about(case, "map", dict_id=100))
    assert (item["status"], item["result"], item["reason"]) == (409, "refused", "changed_since")
    assert item["version"] > case["version"]
    assert data.mapped_to(1, "hotel", "1") == 101
    (item,) = desk.decided({**about(case, "map", dict_id=100), "version": item["version"]})
    assert (item["result"], item["was"], item["is"]) == ("done", 101, 100)
    data.is_sound()


def test_c4_of_several_each_is_for_itself(desk, data):
    one, seven = desk.case_of("1"), desk.case_of("7")
    items = desk.decided(about(one, "map", dict_id=100), about(one, "map", dict_id=101),
                         about(seven, "map", dict_id=999), about(seven, "not_same", dict_id=105))
    assert [i["status"] for i in items] == [200, 409, 404, 200]
    assert [i["result"] for i in items] == ["done", "refused", "refused", "done"]
    assert items[2]["reason"] == "unknown_dict"
    assert data.mapped_to(1, "hotel", "1") == 100 and data.mapped_to(1, "hotel", "7") is None


def test_c3_not_the_same_leaves_the_case_with_the_next_candidate(desk):
    case = desk.case_of("7")
    assert case["best"]["id"] == 105
    (item,) = desk.decided(about(case, "not_same", dict_id=105))
    assert item["result"] == "done"
    left = eventually(lambda: (is_now := desk.case_of("7")) and is_now["version"] == item["version"] and is_now)
    assert left["best"] is None or left["best"]["id"] != 105
    # What was seen before that is over.
    assert desk.decided(about(case, "map", dict_id=105))[0]["status"] == 409
    again = desk.decided(about(left, "map", dict_id=105))[0]
    assert (again["result"], again["is"]) == ("done", 105)


def test_c3_that_they_are_not_the_same_is_taken_back(desk, data):
    case = desk.case_of("7")
    before = desk.get("case", adapter_id=1, kind="hotel", id="7").data()["candidates"]
    (said,) = desk.decided(about(case, "not_same", dict_id=105))
    (item,) = desk.decided({**about(case, "undo_not_same", dict_id=105), "version": said["version"]})
    assert (item["status"], item["result"], item["is"]) == (200, "done", None)
    left = eventually(lambda: (is_now := desk.case_of("7")) and is_now["version"] == item["version"] and is_now)
    assert left["best"]["id"] == 105
    after = desk.get("case", adapter_id=1, kind="hotel", id="7").data()
    assert after["not_same"] == [] and after["suggestion"]["reason"] == "taken_back" and data.of("not_same") == []
    assert [(c["id"], c["bits"], c["evidence"]) for c in after["candidates"]] == [(c["id"], c["bits"], c["evidence"]) for c in before]
    (again,) = desk.decided({**about(left, "undo_not_same", dict_id=105)})
    assert again["result"] == "same"
    assert data.mapped_to(1, "hotel", "7") is None
    assert desk.decided(about(left, "map", dict_id=105))[0]["result"] == "done"


def test_c3_a_mapping_of_it_that_is_taken_back_leaves_it_a_candidate(desk):
    case = desk.case_of("7")
    (said,) = desk.decided(about(case, "not_same", dict_id=105))
    (mapped,) = desk.decided({**about(case, "map", dict_id=105), "version": said["version"]})
    (undone,) = desk.decided({**about(case, "undo"), "version": mapped["version"]})
    assert (undone["result"], undone["is"]) == ("done", None)
    after = desk.get("case", adapter_id=1, kind="hotel", id="7").data()
    assert after["not_same"] == [] and after["candidates"][0]["id"] == 105 and after["candidates"][0]["bits"] is not None


def test_c3_what_was_unmapped_by_it_stays_unmapped(desk, data):
    case = desk.case_of("1")
    (mapped,) = desk.decided(about(case, "map", dict_id=100))
    (said,) = desk.decided({**about(case, "not_same", dict_id=100), "version": mapped["version"]})
    assert (said["was"], said["is"]) == (100, None)
    (item,) = desk.decided({**about(case, "undo_not_same", dict_id=100), "version": said["version"]})
    assert (item["result"], item["is"]) == ("done", None) and data.mapped_to(1, "hotel", "1") is None


@pytest.mark.parametrize("by", ["a person", "the matcher"])
def test_m33_a_mapping_that_is_refused_is_a_case_again(desk, data, by):
    case = desk.case_of("7")
    if by == "a person":
        candidates = [c["id"] for c in desk.get("case", adapter_id=1, kind="hotel", id="7").data()["candidates"]]
        (mapped,) = desk.decided(about(case, "map", dict_id=105))
        case, version, wrong = case, mapped["version"], 105
    else:
        case = desk.get("case", adapter_id=1, kind="hotel", id="9").data()
        version, wrong = case["version"], case["dict_id"]
    (said,) = desk.decided({**about(case, "not_same", dict_id=wrong), "version": version})
    assert (said["was"], said["is"]) == (wrong, None)
    if by == "a person":
        now = desk.get("case", adapter_id=1, kind="hotel", id="7").data()
        assert [c["id"] for c in now["candidates"]] == candidates[1:] and now["suggestion"] is not None
    left = eventually(lambda: desk.case_of(case["id"]))
    assert left["best"] is None or left["best"]["id"] != wrong
    data.ok("match")
    assert data.mapped_to(1, "hotel", case["id"]) is None and eventually(lambda: desk.case_of(case["id"]))


def test_m34_a_new_record_of_a_mapped_one_says_what_it_is_mapped_to(desk):
    case = desk.case_of("7")
    (mapped,) = desk.decided(about(case, "map", dict_id=105))
    (item,) = desk.decided({**about(case, "new"), "version": mapped["version"]})
    assert (item["result"], item["version"]) == ("refused", mapped["version"]) and "mapped to 105" in item["message"]


@pytest.mark.parametrize("change, status, reason", [
    ({"dict_id": None}, 400, "missing_field"), ({"dict_id": 999}, 404, "unknown_dict"), ({"id": "nope"}, 404, "unknown_source"),
    ({"version": 10 ** 9}, 409, "changed_since"),
])
def test_c3_a_taking_back_that_is_refused(same_desk, change, status, reason):
    case = same_desk.case_of("7")
    body = {**about(case, "undo_not_same", dict_id=105), **change}
    answer = same_desk.decide(body)
    if answer.status == 400:
        client.assert_error(answer, 400, "decisions[0].dict_id", reason)
    else:
        (item,) = answer.data()["items"]
        assert (item["status"], item["reason"]) == (status, reason)


def test_c3_clear_and_undo(desk, data):
    case = desk.case_of("1")
    mapped = desk.decided(about(case, "map", dict_id=100))[0]
    cleared = desk.decided({**about(case, "clear"), "version": mapped["version"]})[0]
    assert (cleared["result"], cleared["was"], cleared["is"]) == ("done", 100, None)
    assert data.mapped_to(1, "hotel", "1") is None
    same = desk.decided({**about(case, "clear"), "version": cleared["version"]})[0]
    assert same["result"] == "same" and same["version"] == cleared["version"]
    undone = desk.decided({**about(case, "undo"), "version": same["version"]})[0]
    assert (undone["result"], undone["is"]) == ("done", 100)
    assert data.mapped_to(1, "hotel", "1") == 100
    assert data.of("mapping_event", adapter_id=1, kind="hotel", id="1")[-1]["how"] == "undo"


@pytest.mark.store_core
def test_c3_new_makes_a_record_and_its_batch_takes_it_back(desk, data):
    case = desk.case_of("7")
    answer = desk.decide(about(case, "new", why="another house")).data()
    (item,) = answer["items"]
    # The city is known and the category is not: the message says what to do.
    if item["status"] != 200:
        assert item["status"] == 400 and "category" in item["message"]
        return
    made = item["is"]
    assert made in data.dict_ids("hotel") and data.mapped_to(1, "hotel", "7") == made
    data.ok("batch", "undo", answer["batch"])
    assert made not in data.dict_ids("hotel") and data.mapped_to(1, "hotel", "7") is None
    data.is_sound()


def called(id, name, adapter=1, **more):
    return {"type": "source", "adapter_id": adapter, "kind": "hotel", "id": id, "name": name, "country_name": "TURKEY", "city_name": "SIDE",
            "category_name": "5*", **more}


@pytest.fixture
def romas(desk, data, import_file):
    """Three suppliers' cases of one name in one town, and others of it that are not near."""
    import_file(data.path, [called("r1", "Hotel Roma Antica"), called("r2", "HOTEL ROMA ANTICA", 2, lat=36.77, lng=31.39),
                            called("r3", "Hotel Roma Ántica"), called("far", "Hotel Roma Antica", 2, city_name="TOLEDO", country_name="SPAIN"),
                            called("alone", "Solitary House")])
    data.ok("match")
    eventually(lambda: desk.case_of("alone"))
    return desk


@pytest.mark.store_core
def test_m34_new_is_refused_where_a_case_or_a_record_has_the_name_nearby(romas, data):
    desk = romas
    (item,) = desk.decided(about(desk.case_of("alone"), "new", alone=True))
    assert item["result"] == "done" and "nearby" not in item
    (item,) = desk.decided(about(desk.case_of("r1"), "new", alone=True))
    assert (item["status"], item["result"], item["reason"]) == (409, "refused", "needs_a_look")
    assert sorted(item["nearby"], key=lambda n: n["id"]) == [
        {"kind": "hotel", "dict_id": None, "adapter_id": 2, "adapter": "Other", "id": "r2", "name": "HOTEL ROMA ANTICA", "metres": None},
        {"kind": "hotel", "dict_id": None, "adapter_id": 1, "adapter": "Sunny", "id": "r3", "name": "Hotel Roma Ántica", "metres": None}]
    assert "2 open cases" in item["message"] and data.mapped_to(1, "hotel", "r1") is None
    (item,) = desk.decided(about(desk.case_of("r1"), "new"))
    made = item["is"]
    case = desk.case_of("r2", 2)
    (item,) = desk.decided(about(case, "new", alone=True))
    assert [(n["dict_id"], n["id"], n["name"]) for n in item["nearby"]] == [(made, None, "Hotel Roma Antica"), (None, "r3", "Hotel Roma Ántica")]
    assert str(made) in item["message"] and "1 open case" in item["message"]
    (item,) = desk.decided(about(case, "not_same", dict_id=made))
    case["version"] = item["version"]
    (item,) = desk.decided(about(case, "new", alone=True))
    assert [n["id"] for n in item["nearby"]] == ["r3"], "what somebody said that it is not is no warning"
    (item,) = desk.decided(about(case, "new"))
    assert item["result"] == "done" and item["is"] != made
    data.is_sound()


def test_m34_several_new_of_one_name_are_asked_about_together(romas):
    desk = romas
    items = desk.decided(*(about(desk.case_of(*of), "new", alone=True) for of in (("r1",), ("r2", 2), ("r3",), ("alone",))))
    assert [i["result"] for i in items] == ["refused"] * 3 + ["done"]


def test_m34_alone_of_other_decisions_is_ignored_and_is_a_truth_value(desk):
    answer = desk.decide(about(desk.case_of("1"), "map", dict_id=100, alone=True))
    assert answer.data()["items"][0]["status"] == 200 and answer.headers.get("X-Ignored-Fields") == "alone"
    client.assert_error(desk.decide(about(desk.case_of("7"), "new", alone="yes")), 400, field="decisions[0].alone", reason="wrong_type")


def test_c3_what_others_register_in_the_same_commit_is_not_of_the_batch(desk, data, import_file):
    """A batch of decisions keeps what it creates itself: its commit may be that of a registration too."""
    meal = {"type": "source", "adapter_id": 1, "kind": "meal", "id": "m", "name": "Brunch"}
    import_file(data.path, [meal])
    data.ok("match")
    case = eventually(lambda: desk.case_of("m"))
    answer = desk.decide(about(case, "new"), about(desk.case_of("1"), "map", dict_id=100)).data()
    assert [i["status"] for i in answer["items"]] == [200, 200], answer
    made = answer["items"][0]["is"]
    assert made in data.dict_ids("meal")
    data.ok("batch", "undo", answer["batch"])
    assert made not in data.dict_ids("meal")
    assert data.mapped_to(1, "meal", "m") is None and data.mapped_to(1, "hotel", "1") is None
    data.is_sound()


@pytest.mark.store_core
def test_c3_merge_and_split(desk, data):
    data.map("set", 1, "hotel", "7", 105)
    versions = {id: desk.get("reference", kind="hotel", id=id).data()["version"] for id in (105, 100)}
    merge = {"decide": "merge", "kind": "hotel", "dict_id": 105, "into": 100, "version": versions[105],
             "into_version": versions[100], "why": "one house"}
    (item,) = desk.decided({**merge, "into_version": versions[100] + 1})
    assert (item["status"], item["reason"]) == (409, "changed_since")
    (item,) = desk.decided(merge)
    assert (item["result"], item["into"], item["sources"]) == ("done", 100, 1)
    assert data.mapped_to(1, "hotel", "7") == 100
    assert desk.decided(merge)[0]["status"] == 409
    gone = desk.get("reference", kind="hotel", id=105).data()
    assert gone["merged_into"] == 100
    (item,) = desk.decided({"decide": "split", "kind": "hotel", "dict_id": 105, "version": gone["version"]})
    assert (item["result"], item["sources"]) == ("done", 1)
    assert data.mapped_to(1, "hotel", "7") == 105
    data.is_sound()


def test_c4_a_repetition_gets_the_same_answer_and_decides_nothing(desk, data):
    case = desk.case_of("1")
    once = desk.decide(about(case, "map", dict_id=100), headers={"Idempotency-Key": "d1"})
    again = desk.decide(about(case, "map", dict_id=100), headers={"Idempotency-Key": "d1"})
    assert once.body == again.body and once.status == 200
    assert again.headers["Idempotent-Replayed"] == "true" and "Idempotent-Replayed" not in once.headers
    assert len(data.of("mapping_event")) == 1 + sum(e.get("how") == "match" for e in data.of("mapping_event"))
    other = desk.decide(about(case, "map", dict_id=101), headers={"Idempotency-Key": "d1"})
    client.assert_error(other, 422, reason="idempotency_mismatch")


def test_c4_an_answer_is_kept_only_if_something_was_decided(desk):
    case = desk.case_of("1")
    desk.decide(about(case, "map", dict_id=100))
    late = about(case, "map", dict_id=101)
    for _ in range(2):
        refused = desk.decide(late, headers={"Idempotency-Key": "late"})
        (item,) = refused.data()["items"]
        assert item["reason"] == "changed_since" and "Idempotent-Replayed" not in refused.headers
    again = desk.decide({**late, "version": item["version"]}, headers={"Idempotency-Key": "late"})
    assert again.data()["items"][0]["result"] == "done"


def test_c4_what_has_to_wait_for_an_import_can_be_sent_again(desk, data):
    data.map("set", 1, "hotel", "7", 105)
    versions = {id: desk.get("reference", kind="hotel", id=id).data()["version"] for id in (105, 100)}
    merge = {"decide": "merge", "kind": "hotel", "dict_id": 105, "into": 100, "version": versions[105],
             "into_version": versions[100]}
    imports = store.hold_imports(data.path)
    try:
        (item,) = desk.decide(merge, headers={"Idempotency-Key": "m1"}).data()["items"]
    finally:
        imports.close()
    assert (item["status"], item["result"], item["reason"]) == (503, "refused", "import_running")
    assert item["message"] == "an import or undo is in progress; try again"
    again = desk.decide(merge, headers={"Idempotency-Key": "m1"})
    assert again.data()["items"][0]["result"] == "done" and "Idempotent-Replayed" not in again.headers
    assert desk.decide(merge, headers={"Idempotency-Key": "m1"}).body == again.body
    data.is_sound()


@pytest.mark.parametrize("change, field, reason", [
    ({"decide": "ponder"}, "decisions[0].decide", "unknown_word"),
    ({"decide": None}, "decisions[0].decide", "missing_field"),
    ({"version": None}, "decisions[0].version", "missing_field"),
    ({"dict_id": None}, "decisions[0].dict_id", "missing_field"),
    ({"dict_id": "0100"}, "decisions[0].dict_id", "bad_integer"),
    ({"kind": "hotel_type"}, "decisions[0].kind", "unknown_kind"),
    ({"kind": "planet"}, "decisions[0].kind", "unknown_kind"),
    ({"id": ""}, "decisions[0].id", "wrong_type"),
    ({"why": 5}, "decisions[0].why", "wrong_type"),
])
def test_c4_what_is_wrong_with_one_is_wrong_with_the_request(same_desk, same_data, change, field, reason):
    case = same_desk.case_of("1")
    wrong = {**about(case, "map", dict_id=100), **change}
    client.assert_error(same_desk.decide(wrong, about(same_desk.case_of("7"), "map", dict_id=105)), 400, field, reason)
    assert same_data.mapped_to(1, "hotel", "7") is None


@pytest.mark.parametrize("body, field, reason", [
    ({}, "decisions", "missing_field"),
    ({"decisions": []}, "decisions", "too_many_elements"),
    ({"decisions": [{}] * 1001}, "decisions", "too_many_elements"),
    ({"decisions": 5}, "decisions", "bad_list"),
    ({"decisions": [5]}, "decisions[0]", "wrong_type"),
    ({"decisions": [{}], "by": 7}, None, None),
])
def test_c4_bodies_that_are_refused(same_desk, body, field, reason):
    client.assert_error(same_desk.post("decide", body), 400, field, reason)


def test_c1_a_key_for_some_suppliers_decides_about_theirs(desk, data, new_key):
    narrow = Desk(desk.server, new_key(data.path, "b", "--secret", "--role", "curator", "--adapter", "2"))
    eventually(lambda: narrow.get("queue").status == 200)
    mine, theirs = narrow.case_of("5", 2), narrow.case_of("1")
    client.assert_error(narrow.decide(about(theirs, "map", dict_id=100)), 403, reason="adapter_not_allowed")
    client.assert_error(narrow.decide({"decide": "split", "kind": "hotel", "dict_id": 1, "version": 1}), 403,
                        reason="adapter_not_allowed")
    assert narrow.decided(about(mine, "map", dict_id=100))[0]["result"] == "done"


def test_c3_by_the_key_where_nobody_is_said(desk, data):
    desk.decided(about(desk.case_of("1"), "map", dict_id=100))
    assert data.of("mapping_event", adapter_id=1, kind="hotel", id="1")[-1]["by"] == f"key {desk.key['id']}"


def test_c1_what_a_key_says_does_not_pass_for_who_signs_in(desk, data):
    data.ok("user", "add", "anna", "--role", "curator", "--no-password")
    desk.decided(about(desk.case_of("1"), "map", dict_id=100), by="anna")
    assert data.of("mapping_event", adapter_id=1, kind="hotel", id="1")[-1]["by"] == f"key {desk.key['id']} for anna"
    for name in ("key 7 for anna", "Key 7"):
        assert data.run("user", "add", name, "--role", "curator", "--no-password").returncode != 0


@pytest.mark.store_core
def test_c4_of_two_at_once_one_is_refused(desk, data):
    import threading
    case, got = desk.case_of("1"), []
    threads = [threading.Thread(target=lambda d=d: got.append(desk.decided(about(case, "map", dict_id=d))[0]))
               for d in (100, 101, 102, 103)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sorted(i["status"] for i in got) == [200, 409, 409, 409]
    (done,) = [i for i in got if i["status"] == 200]
    assert data.mapped_to(1, "hotel", "1") == done["is"]


HELPS = [
    ({"city_id": "77", "city_name": "Xanadu"}, 'its city is not known, and the supplier has no record of "Xanadu" to map: give the one of the reference this name too'),
    ({"city_name": "Xanadu"}, 'its city is not known, and the supplier has no record of "Xanadu" to map'),
    ({"city_name": None}, "the supplier does not say it: load a list that does, or choose a record of the reference"),
    ({"city_id": "78", "city_name": "Xanadu"}, "its city is not known: map that of the supplier first, and run dragoman match")]


def test_m34_a_new_record_without_its_city_says_what_helps(desk, data, add):
    add({"type": "source", "adapter_id": 1, "kind": "city", "id": "78", "name": "Shangdu", "country_name": "TURKEY"},
        *({k: v for k, v in {**STRANGE, "id": str(80 + n), "category_name": "5*", **says}.items() if v is not None}
          for n, (says, _) in enumerate(HELPS)))
    data.ok("match")
    for n, (says, helps) in enumerate(HELPS):
        (item,) = desk.decided(about(eventually(lambda n=n: desk.case_of(str(80 + n))), "new"))
        assert item["status"] == 400 and helps in item["message"], says


def test_m34_naming_the_city_as_the_supplier_does_helps(desk, data, import_file):
    import_file(data.path, [{**STRANGE, "id": "88", "category_name": "5*", "city_name": "Xanadu"}])
    data.ok("match")
    refused = desk.decided(about(eventually(lambda: desk.case_of("88")), "new"))[0]
    assert "give the one of the reference this name too" in refused["message"]
    version = desk.get("reference", kind="city", id=10).data()["version"]
    named = desk.decided({"decide": "name", "kind": "city", "dict_id": 10, "lang": "de", "name": "Xanadu", "version": version})[0]
    assert named["result"] == "done"
    data.ok("match")
    made = desk.decided(about(desk.case_of("88"), "new"))[0]
    assert made["result"] == "done", made
    assert desk.get("reference", kind="hotel", id=made["is"]).data()["city"]["id"] == 10


def test_m44_a_country_is_mapped_by_the_command_line_too(data, import_file):
    import_file(data.path, [{"type": "source", "adapter_id": 1, "kind": "hotel", "id": f"x{i}", "name": f"Nowhere {i}", **more} for i, more in
                            enumerate(({"country_id": "C9", "country_name": "Xanadu"}, {"country_id": "C9"}, {}))])
    assert data.ok("map", "country", 1, "hotel", "x0", "tr", "--by", "olena", "--why", "an old name") \
        == "adapter 1 hotel x0: the country that it names, C9, is 1\n"
    assert {r["id"]: (r["name"], r["dict_id"]) for r in data.of("source", kind="country") if r["id"] == "C9"} == {"C9": ("Xanadu", 1)}
    [event] = [e for e in data.of("mapping_event") if e["id"] == "C9"]
    assert (event["kind"], event["to"], event["by"], event["why"]) == ("country", 1, "olena", "an old name")
    assert "already, nothing changed" in data.ok("map", "country", 1, "hotel", "x1", 1)
    assert "names no country" in data.fails("map", "country", 1, "hotel", "x2", "TR")
    assert "only hotels and cities" in data.fails("map", "country", 1, "country", "C9", "TR")
    assert "has the code or name QQ" in data.fails("map", "country", 1, "hotel", "x1", "QQ")
    assert "99999" in data.fails("map", "country", 1, "hotel", "x1", 99999)
    assert "already, nothing changed" in data.ok("map", "country", 1, "hotel", "x1", "Turkey")
    data.ok("map", "undo", 1, "country", "C9")
    assert [r.get("dict_id") for r in data.of("source", kind="country") if r["id"] == "C9"] == [None]


def test_m44_a_country_that_no_record_of_the_supplier_is(desk, data, import_file):
    """It is made of what the hotel says, and mapped; what names it is then known; the batch takes it back."""
    import_file(data.path, [{"type": "source", "adapter_id": 1, "kind": "hotel", "id": f"x{i}", "name": f"Nowhere {i}", **more} for i, more in
                            enumerate(({"country_id": "C9", "country_name": "Xanadu"}, {"country_id": "C9"}, {"country_name": "Ruritania"}, {}))])
    data.ok("match", "--samples", "0")
    before = {r["id"] for r in data.of("source", kind="country")}

    def seen(id):
        return {"id": id, "adapter_id": 1, "kind": "hotel", "version": desk.get("case", adapter_id=1, kind="hotel", id=id).data()["version"]}
    [one, two, none, wrong] = desk.decided(about(seen("x0"), "country", dict_id=1), about(seen("x2"), "country", dict_id=1),
                                           about(seen("x3"), "country", dict_id=1), about(seen("x1"), "country", dict_id=99999))
    assert (one["result"], two["result"], none["reason"], wrong["status"]) == ("done", "done", "invalid_text", 404)
    made = {r["id"]: (r["name"], r["dict_id"]) for r in data.of("source", kind="country") if r["id"] not in before}
    assert made == {"C9": ("Xanadu", 1), "Ruritania": ("Ruritania", 1)}
    assert desk.decided(about(seen("x1"), "country", dict_id=1))[0]["result"] == "same"
    data.ok("match", "--samples", "0")
    reasons = {c["id"]: c["reason"] for c in map(json.loads, data.ok("match", "queue", "--format", "ndjson").splitlines())}
    assert {i: reasons[i] == "country_unmapped" for i in ("x0", "x1", "x2", "x3")} == {"x0": False, "x1": False, "x2": False, "x3": True}
    batch = next(e["batch"] for e in data.of("mapping_event") if e["id"] == "C9")
    data.ok("batch", "undo", batch)
    assert {r["id"] for r in data.of("source", kind="country")} == before
