"""GET curate/case, curate/reference, POST curate/open: decisions C2, C5, C6."""
import json
import threading

import pytest

import client
import mapping
from curating import OTHERS, RESIDENCE, STRANGE, VILLAS, ZEYTIN, Desk, about
from hotels import PLACES, dict_hotels, source

pytestmark = pytest.mark.store

CONTENT = {"type": "hotel_content", "adapter_id": 1, "hotel_id": "1", "check_in": "14:00:00", "room_count": 90}


@pytest.fixture(scope="module")
def data(run, import_file, tmp_path_factory):
    path = tmp_path_factory.mktemp("case")
    import_file(path, PLACES + dict_hotels() + [RESIDENCE, VILLAS, ZEYTIN, OTHERS, STRANGE, CONTENT])
    data = mapping.Data(run, path)
    data.ok("match")
    data.map("set", 2, "hotel", "5", 100, "--by", "olena", "--why", "seen")
    return data


@pytest.fixture(scope="module")
def desk(module_servers, new_key, data):
    key = new_key(data.path, "b", "--secret", "--role", "curator")
    return Desk(module_servers.make(None, data=data.path), key)


def one(desk, id="1", adapter=1, **more):
    return desk.get("case", adapter_id=adapter, kind="hotel", id=id, **more).data()


def test_c2_a_case_has_all_that_is_known(desk):
    case = one(desk, lang="uk")
    assert (case["adapter_id"], case["adapter"], case["kind"], case["id"]) == (1, "Sunny", "hotel", "1")
    assert case["version"] == desk.case_of("1")["version"] and case["dict_id"] is None
    assert case["record"] == {**RESIDENCE, "lang": case["record"].get("lang", ...)} or case["record"]["name"] == "Orkide Residence"
    assert case["content"]["room_count"] == 90 and case["content"]["type"] == "hotel_content"
    assert case["suggestion"]["reason"] == "veto_residence" and case["suggestion"]["explanation"].startswith("ask, ")
    best = case["candidates"][0]
    assert (best["id"], best["country"], best["city"]) == (100, {"id": 1, "name": "Туреччина"}, {"id": 10, "name": "Сіде"})
    assert best["metres"] == 11 and best["not_same"] is False and best["bits"] is not None
    assert best["record"]["type"] == "dict" and best["record"]["lat"] == 36.76
    assert [(s["adapter_id"], s["adapter"], s["id"]) for s in best["suppliers"]] == [(2, "Other", "5")]
    assert best["suppliers"][0]["record"]["name"] == "Orkide Residence" and best["more_suppliers"] is False


def test_c2_a_record_that_is_mapped_has_its_history(desk):
    case = one(desk, "5", 2)
    assert case["dict_id"] == 100 and case["suggestion"] is None
    (event,) = case["history"]
    assert (event["how"], event["from"], event["to"], event["by"], event["why"]) == ("set", None, 100, "olena", "seen")
    assert [(c["id"], c["bits"]) for c in case["candidates"]] == [(100, None)]


def test_c2_what_was_said_that_it_is_not(desk, data):
    case = desk.case_of("7")
    desk.decided(about(case, "not_same", dict_id=105, why="another pool"), by="ihor")
    after = one(desk, "7")
    (said,) = after["not_same"]
    assert (said["dict_id"], said["by"], said["why"]) == (105, desk.named("ihor"), "another pool")
    assert after["version"] == desk.case_of("7")["version"] > case["version"]


@pytest.mark.parametrize("parameters, status, field, reason", [
    ({"adapter_id": 99, "kind": "hotel", "id": "1"}, 400, "adapter_id", "unknown_adapter"),
    ({"adapter_id": 1, "kind": "planet", "id": "1"}, 400, "kind", "unknown_kind"),
    ({"adapter_id": 1, "kind": "hotel"}, 400, "id", "missing_field"),
    ({"adapter_id": 1, "kind": "hotel", "id": "nope"}, 404, "id", "unknown_source"),
])
def test_c2_cases_that_are_none(desk, parameters, status, field, reason):
    client.assert_error(desk.get("case", **parameters), status, field, reason)


def test_c6_a_record_of_the_reference_with_its_suppliers(desk):
    got = desk.get("reference", kind="hotel", id=100, lang="uk").data()
    assert (got["id"], got["kind"], got["merged_into"], got["redirects"]) == (100, "hotel", None, [])
    assert got["city"] == {"id": 10, "name": "Сіде"} and got["record"]["name"] == "Orkide Resort & Spa"
    assert [(s["adapter_id"], s["id"]) for s in got["suppliers"]] == [(2, "5")]


def test_c6_unknown_ids(desk):
    client.assert_error(desk.get("reference", kind="hotel", id=999), 404, "dict_id", "unknown_dict")
    client.assert_error(desk.get("reference", kind="planet", id=1), 400, "kind", "unknown_kind")


def test_c5_who_has_it_open(desk):
    ihor, olena = desk.named("ihor"), desk.named("olena")
    case = desk.case_of("8")
    assert desk.open(case, by="olena") == {"open_by": [], "seconds": 30}
    assert desk.open(case, by="ihor")["open_by"] == [olena]
    assert sorted(desk.case_of("8")["open_by"]) == [ihor, olena]
    assert sorted(one(desk, "8")["open_by"]) == [ihor, olena]
    assert desk.case_of("1")["open_by"] == []
    assert desk.open(case, by="olena", close=True) == {"open_by": [ihor], "seconds": 0}
    assert desk.case_of("8")["open_by"] == [ihor]


@pytest.mark.parametrize("change, field, reason", [
    ({"id": None}, "id", "missing_field"), ({"id": 8}, "id", "wrong_type"), ({"kind": "planet"}, "kind", "unknown_kind"),
    ({"adapter_id": "x"}, "adapter_id", "bad_integer"), ({"adapter_id": 99}, "adapter_id", "unknown_adapter"),
    ({"close": 1}, "close", "bad_flag"), ({"by": ""}, "by", "wrong_type"),
])
def test_c5_bodies_that_are_refused(desk, change, field, reason):
    body = {"adapter_id": 1, "kind": "hotel", "id": "8", **change}
    client.assert_error(desk.post("open", body), 400, field, reason)


def many_hotels():
    """Twelve houses of nearly one name within a hundred metres: more than ten candidates."""
    return [{"type": "dict", "kind": "hotel", "id": 300 + i, "name": f"Gul Bahce Otel {'ABCDEFGHIJKL'[i]}", "country_id": 1, "city_id": 10,
             "hotel_category_id": 5, "lat": 36.9 + i * 0.00008, "lng": 31.5} for i in range(12)]


@pytest.fixture(scope="module")
def crowd(run, import_file, tmp_path_factory, module_servers, new_key):
    path = tmp_path_factory.mktemp("crowd")
    import_file(path, PLACES + many_hotels() + [source(1, "Gul Bahce Otel Palas", lat=36.9, lng=31.5)])
    data = mapping.Data(run, path)
    data.ok("match")
    assert data.mapped_to(1, "hotel", "1") is None
    key = new_key(path, "b", "--secret", "--role", "curator")
    return Desk(module_servers.make(None, "--match", "off", data=path), key), data


def test_c2_ten_candidates_each_with_its_evidence(crowd):
    desk, _ = crowd
    case = one(desk)
    assert len(case["candidates"]) == 10 == len({c["id"] for c in case["candidates"]})
    bits = [c["bits"] for c in case["candidates"]]
    assert bits == sorted(bits, reverse=True)
    for c in case["candidates"]:
        assert c["outcome"] in ("ask", "none") and c["metres"] is not None
        assert sum(e["bits"] for e in c["evidence"]) == pytest.approx(c["bits"], abs=0.01)
        assert {"name", "distance", "numbers", "residence", "start"} <= {e["comparison"] for e in c["evidence"]}
        # What is nearer has no less for its distance.
        assert next(e for e in c["evidence"] if e["comparison"] == "distance")["level"] is not None
    assert case["candidates"][0]["outcome"] == case["suggestion"]["outcome"]
    shown = json.loads(crowd[1].ok("match", "queue", "--format", "ndjson").splitlines()[0])
    assert len(shown["others"].split(", ")) == 2 and shown["dict_id"] == case["candidates"][0]["id"]


def test_c2_evidence_is_what_the_explanation_says(desk):
    best = one(desk)["candidates"][0]
    said = one(desk)["suggestion"]["explanation"]
    for e in best["evidence"]:
        if e["level"] is not None and e["bits"] and e["comparison"] in ("name", "address", "zip", "numbers"):
            assert f"{e['comparison']} {e['bits']:+.1f}" in said
    assert f"base {best['evidence'][-1]['bits']:+.1f}" in said and best["evidence"][-1]["comparison"] == "start"


def test_c2_with_other_weights_in_use_there_is_no_evidence_until_the_next_match(crowd, tmp_path):
    desk, data = crowd
    card = data.ok("match", "weights")
    (tmp_path / "card").write_text("\n".join("bias -2" if line.startswith("bias") else line for line in card.splitlines()) + "\n")
    data.ok("match", "weights", "set", tmp_path / "card")
    assert [c["evidence"] for c in one(desk)["candidates"]] == [None] * 10
    data.ok("match")
    assert all(sum(e["bits"] for e in c["evidence"]) == pytest.approx(c["bits"], abs=0.01) for c in one(desk)["candidates"])


def test_c2_of_many_decisions_the_newest_are_shown(desk, data, import_file):
    import_file(data.path, [{"type": "mapping_event", "adapter_id": 1, "kind": "hotel", "id": "8", "at": f"2026-01-02T03:04:{i:02}Z", "how": "set",
                             "to": 100 + i % 2, "why": f"no. {i}"} for i in range(52)])
    case = one(desk, "8")
    assert [e["why"] for e in case["history"]] == [f"no. {i}" for i in range(2, 52)] and case["more_history"] is True
    assert one(desk, "5", 2)["more_history"] is False


def test_c4_a_case_and_its_version_are_of_one_moment(desk, data):
    """Beside others' decisions: who sees a version sees what it is of, so that the decision about it is refused or right."""
    stop = threading.Event()

    def write():
        i = 0
        while not stop.is_set():
            i += 1
            data.map("set", 1, "hotel", "9", 101 + i % 2, "--why", str(i))

    def look():
        case = one(desk, "9")
        what = (case["dict_id"], len(case["history"]), case["history"][-1]["to"] if case["history"] else None)
        assert seen.setdefault(case["version"], what) == what
        assert not case["history"] or case["history"][-1]["to"] == case["dict_id"]

    seen, writer = {}, threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(300):
            look()
        while len(seen) <= 3 and writer.is_alive():  # a command may take longer than all of these
            look()
    finally:
        stop.set()
        writer.join()
    assert len(seen) > 3
