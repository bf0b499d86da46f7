"""Names of the reference, decided over HTTP and by command; merges and names in the history: decisions M41, M42, C3, C4."""
import json
import urllib.parse

import pytest

import mapping
from client import eventually
from curating import OTHERS, RESIDENCE, VILLAS, Desk
from hotels import PLACES, dict_hotels

pytestmark = pytest.mark.store

CITY = {"type": "dict", "kind": "city", "id": 10, "name": {"en": "Side", "uk": "Сіде"}, "country_id": 1, "lat": 36.767, "lng": 31.389}

#: What `data` has.
RECORDS = PLACES + dict_hotels() + [RESIDENCE, VILLAS, OTHERS]


def known(desk, kind="city", id=10):
    return desk.get("reference", kind=kind, id=id).data()


def naming(desk, lang, name, kind="city", id=10, **more):
    return {"decide": "name", "kind": kind, "dict_id": id, "lang": lang, "name": name, "version": known(desk, kind, id)["version"], **more}


def undoing(desk, lang, kind="city", id=10):
    return {"decide": "undo_name", "kind": kind, "dict_id": id, "lang": lang, "version": known(desk, kind, id)["version"]}


def name(desk, lang, text, **more):
    (item,) = desk.decided(naming(desk, lang, text, **more))
    assert item["status"] == 200, item
    return item


def names(desk, kind="city", id=10):
    found = known(desk, kind, id)["record"]["name"]
    return {"en": found} if isinstance(found, str) else found


def page(desk, **filters):
    return desk.server.request("/v1/curate/history?" + urllib.parse.urlencode(filters), "GET", desk.headers())


def past(desk, **filters):
    return page(desk, **filters).data()["items"]


def test_m41_a_name_is_shown_everywhere_at_once_and_kept_with_who_and_why(desk, data):
    cursor = desk.get("changes", since="now").data()["cursor"]
    before = known(desk)["version"]
    answer = desk.decide(naming(desk, "UK", "Сіде-Сахіль", why="on its own site"), by="anna").data()
    (item,) = answer["items"]
    assert (item["status"], item["result"]) == (200, "done") and answer["batch"] > 0
    assert set(item) == {"status", "result", "version"} and item["version"] > before
    shown = known(desk)
    assert (shown["version"], shown["record"]["name"]) == (item["version"], {"en": "Side", "uk": "Сіде-Сахіль"})
    (change,) = desk.get("changes", since=cursor, lang="uk").data()["items"]
    assert (change["type"], change["id"], change["what"], change["dict"]["name"]) == ("dict", 10, ["updated"], "Сіде-Сахіль")
    assert [i["id"] for i in desk.get("search", q="Сіде-Сах").data()["items"]] == [10]
    (event,) = data.of("dict_event")
    assert event.pop("at")
    assert event == {"type": "dict_event", "kind": "city", "id": 10, "how": "name", "lang": "uk", "was": "Сіде", "is": "Сіде-Сахіль",
                     "by": desk.named("anna"), "why": "on its own site"}
    data.is_sound()


def test_m41_a_language_is_added_and_removed_but_never_the_last(desk, data):
    name(desk, "de", "Side an der Riviera")
    assert names(desk) == {"de": "Side an der Riviera", "en": "Side", "uk": "Сіде"}
    name(desk, "en", None)
    name(desk, "uk", None)
    assert names(desk) == {"de": "Side an der Riviera"}
    (item,) = desk.decided(naming(desk, "de", None))
    assert (item["status"], item["result"], item["reason"]) == (400, "refused", "empty_text")
    assert "would be without any name" in item["message"]
    (item,) = desk.decided(naming(desk, "fr", None))
    assert item["result"] == "same"
    assert [e["lang"] for e in data.of("dict_event")] == ["de", "en", "uk"]


def test_m41_what_is_so_already_is_no_decision(desk, data):
    before = known(desk)["version"]
    item = name(desk, "en", "Side")
    assert (item["result"], item["version"], data.of("dict_event")) == ("same", before, [])


@pytest.mark.parametrize("lang, text, reason", [
    ("en", "x" * 1025, "too_long"), ("en", "a\x07b", "control_character"), ("en", "  ", "empty_text"),
    ("en_", "Side", "invalid_format"), ("9", "Side", "invalid_format"), ("e" * 40, "Side", "invalid_format")])
def test_m41_a_name_is_checked_as_an_import_checks_it(same_desk, same_data, lang, text, reason):
    (item,) = same_desk.decided(naming(same_desk, lang, text))
    assert (item["status"], item["reason"]) == (400, reason)
    assert names(same_desk) == {"en": "Side", "uk": "Сіде"} and same_data.of("dict_event") == []


def test_m41_the_longest_name(desk):
    assert name(desk, "en", "x" * 1024)["result"] == "done"


@pytest.mark.parametrize("change, field", [
    ({"lang": None}, "lang"), ({"version": None}, "version"), ({"kind": None}, "kind"), ({"dict_id": None}, "dict_id"),
    ({"name": ""}, "name"), ({"name": 5}, "name"), ({"lang": ["en"]}, "lang")])
def test_m41_a_decision_that_lacks_something_is_refused_as_a_whole(same_desk, change, field):
    decision = {**naming(same_desk, "en", "Other"), **change}
    answer = same_desk.decide({k: v for k, v in decision.items() if v is not None})
    assert answer.status == 400 and answer.json()["error"]["field"] == f"decisions[0].{field}"
    without = naming(same_desk, "en", "Other")
    del without["name"]
    assert same_desk.decide(without).json()["error"]["field"] == "decisions[0].name"
    assert names(same_desk)["en"] == "Side"


def test_c4_a_name_that_somebody_changed_meanwhile_is_refused(desk, data):
    seen = naming(desk, "en", "Side Beach")
    data.ok("dict", "name", "city", 10, "en", "Side Old Town")
    item = eventually(lambda: [i for i in desk.decided(seen) if i["status"] == 409])[0]
    assert item["reason"] == "changed_since" and item["version"] == known(desk)["version"]
    assert names(desk)["en"] == "Side Old Town"
    assert desk.decided({**seen, "version": item["version"]})[0]["result"] == "done"
    (unknown,) = desk.decided({**seen, "dict_id": 999})
    assert (unknown["status"], unknown["reason"]) == (404, "unknown_dict")


def test_c4_a_repetition_names_nothing_twice(desk, data):
    decision = naming(desk, "en", "Side Beach")
    once = desk.decide(decision, headers={"Idempotency-Key": "n1"})
    again = desk.decide(decision, headers={"Idempotency-Key": "n1"})
    assert once.body == again.body and again.headers["Idempotent-Replayed"] == "true"
    assert len(data.of("dict_event")) == 1


@pytest.mark.store_core
def test_m41_the_last_decision_is_taken_back_and_that_too(desk, data):
    (nothing,) = desk.decided(undoing(desk, "en"))
    assert (nothing["status"], nothing["reason"]) == (409, "no_decision")
    name(desk, "en", "Side Beach")
    name(desk, "uk", None)
    assert desk.decided(undoing(desk, "EN"))[0]["result"] == "done"
    assert names(desk) == {"en": "Side"}
    assert desk.decided(undoing(desk, "uk"))[0]["result"] == "done"
    assert desk.decided(undoing(desk, "en"))[0]["result"] == "done"
    assert names(desk) == {"en": "Side Beach", "uk": "Сіде"}
    assert [e["how"] for e in data.of("dict_event")] == ["name", "name", "undo", "undo", "undo"]


def test_m41_an_import_that_comes_later_wins(desk, data, import_file):
    name(desk, "en", "Side Beach")
    name(desk, "de", "Side")
    import_file(data.path, [{**CITY, "name": {"en": "Side Municipality"}}])
    eventually(lambda: names(desk) == {"en": "Side Municipality"})
    for lang in ("en", "de"):
        (item,) = desk.decided(undoing(desk, lang))
        assert (item["status"], item["reason"]) == (409, "changed_since")
    batch = desk.get("batches").data()["items"][0]
    data.ok("batch", "undo", batch["id"])
    eventually(lambda: names(desk) == {"en": "Side Beach", "de": "Side", "uk": "Сіде"})
    assert desk.decided(undoing(desk, "en"))[0]["result"] == "done"
    import_file(data.path, [{**CITY, "name": {"en": "Side Municipality"}}])
    eventually(lambda: names(desk) == {"en": "Side Municipality"})
    batch = desk.get("batches").data()["items"][0]
    name(desk, "en", "Side again")
    assert "it was changed since" in data.ok("batch", "undo", batch["id"])
    assert names(desk) == {"en": "Side again"}
    data.is_sound()


def test_m41_the_last_decision_is_taken_back_however_many_there_were(desk, data, import_file):
    names_of = ["x" * 990 + f" {n}" for n in range(700)] + ["Side"]
    import_file(data.path, [{"type": "dict_event", "kind": "city", "id": 10, "at": f"2026-01-01T00:{n // 60:02}:{n % 60:02}Z", "how": "name",
                             "lang": "en", "was": was, "is": now, "by": "anna"} for n, (was, now) in enumerate(zip(names_of, names_of[1:]))])
    (item,) = desk.decided(undoing(desk, "en"))
    assert (item["status"], names(desk)["en"]) == (200, names_of[-2])


def test_m41_what_was_merged_away_is_named_where_it_is(desk, data):
    data.merge("hotel", 101, 102)
    eventually(lambda: known(desk, "hotel", 101)["merged_into"] == 102)
    (item,) = desk.decided(naming(desk, "en", "Other", "hotel", 101))
    assert (item["status"], item["reason"]) == (409, "merged_already") and "102" in item["message"]


def test_c1_a_key_for_some_suppliers_names_nothing(make_server, new_key, data):
    key = new_key(data.path, "b", "--secret", "--role", "curator", "--adapter", "1")
    desk = Desk(make_server(None, data=data.path), key)
    answer = desk.decide(naming(desk, "en", "Other"))
    assert (answer.status, answer.json()["error"]["reason"]) == (403, "adapter_not_allowed")


def test_m41_the_command_does_the_same(data):
    assert data.ok("dict", "name", "city", 10, "uk", "Сіде-Сахіль", "--by", "olena", "--why", "its site") == 'city 10 in uk: "Сіде" -> "Сіде-Сахіль"\n'
    assert data.ok("dict", "name", "city", 10, "uk", "Сіде-Сахіль") == 'city 10 in uk: "Сіде-Сахіль" already, nothing changed\n'
    assert data.ok("dict", "name", "city", 10, "uk", "--remove") == 'city 10 in uk: "Сіде-Сахіль" -> no name\n'
    assert data.ok("dict", "name", "city", 10, "uk", "--undo") == 'city 10 in uk: no name -> "Сіде-Сахіль"\n'
    assert "without any name" in data.fails("dict", "name", "hotel", 100, "en", "--remove")
    assert "no decision" in data.fails("dict", "name", "hotel", 100, "en", "--undo")
    assert "language tag" in data.fails("dict", "name", "hotel", 100, "-", "Name")
    assert data.run("dict", "name", "hotel", 100, "en").returncode == 2
    assert data.run("dict", "name", "hotel", 100, "en", "X", "--undo").returncode == 2
    data.merge("hotel", 101, 102, "--by", "olena")
    told = [json.loads(line) for line in data.ok("dict", "history", "--format", "ndjson").splitlines()]
    assert [(e["how"], e["id"], e.get("was"), e.get("is")) for e in told] == [
        ("name", 10, "Сіде", "Сіде-Сахіль"), ("name", 10, "Сіде-Сахіль", None), ("undo", 10, None, "Сіде-Сахіль"),
        ("merge", 101, "Pamfilya Konak", "Sultan Sahil Palace")]
    assert data.ok("dict", "history", "hotel", 101).count("Pamfilya Konak") == 1
    assert data.ok("dict", "history", "--by", "nobody", "--format", "ndjson") == ""
    data.is_sound()


@pytest.mark.store_core
def test_m42_an_export_brings_the_history_along(data, run, import_file, tmp_path):
    data.ok("dict", "name", "city", 10, "uk", "Сіде-Сахіль")
    data.merge("hotel", 101, 102)
    data.split("hotel", 101)
    copy = tmp_path / "copy"
    import_file(copy, data.records())
    assert mapping.Data(run, copy).export() == data.export()


# ---- the history -------------------------------------------------------------------------------------------


def test_m42_the_history_has_merges_splits_and_names_with_what_they_are_called(desk, data):
    data.map("set", 1, "hotel", "1", 101, "--by", "anna")
    data.merge("hotel", 101, 102, "--by", "olena", "--why", "one house")
    eventually(lambda: known(desk, "hotel", 101)["merged_into"] == 102)
    eventually(lambda: past(desk)[-1]["to_name"] is None)  # the catalog knows
    (merge, moved, mapped) = past(desk)
    assert {k: merge[k] for k in ("adapter_id", "adapter", "kind", "id", "dict_id", "how", "into", "was", "is", "by", "why", "lang", "batch")} == {
        "adapter_id": None, "adapter": None, "kind": "hotel", "id": None, "dict_id": 101, "how": "merge", "into": 102,
        "was": "Pamfilya Konak", "is": "Sultan Sahil Palace", "by": "olena", "why": "one house", "lang": None, "batch": None}
    assert (moved["how"], moved["id"], moved["from"], moved["to"], moved["to_name"]) == ("merge", "1", 101, 102, "Sultan Sahil Palace")
    assert (mapped["how"], mapped["name"], mapped["to"], mapped["to_name"], mapped["dict_id"]) == ("set", "Orkide Residence", 101, None, None)
    data.split("hotel", 101, "--by", "olena")
    eventually(lambda: known(desk, "hotel", 101)["merged_into"] is None)
    eventually(lambda: past(desk)[-1]["to_name"] == "Pamfilya Konak")
    split = next(e for e in past(desk) if e["dict_id"] is not None)
    assert (split["how"], split["was"], split["is"], split["into"], split["name"]) == (
        "split", "Sultan Sahil Palace", "Pamfilya Konak", 102, "Pamfilya Konak")
    name(desk, "de", "Side", why="the guide book")
    (named,) = past(desk, what="name")
    assert (named["dict_id"], named["lang"], named["was"], named["is"], named["why"]) == (10, "de", None, "Side", "the guide book")


def test_m42_filters(desk, data):
    data.map("set", 1, "hotel", "1", 101, "--by", "anna")
    data.merge("hotel", 101, 102, "--by", "olena")
    data.ok("dict", "name", "city", 10, "de", "Side", "--by", "anna")
    data.ok("dict", "name", "city", 10, "fr", "Sidé", "--by", "olena")
    eventually(lambda: "fr" in names(desk))
    eventually(lambda: past(desk)[-1]["to_name"] is None)  # the catalog knows the merge: what a line calls its hotels stays

    def hows(**filters):
        return sorted((e["how"], e["kind"]) for e in past(desk, **filters))
    assert hows(by="anna") == [("name", "city"), ("set", "hotel")]
    assert hows(what="merge") == [("merge", "hotel"), ("merge", "hotel")]
    assert hows(adapter_id=1) == [("merge", "hotel"), ("set", "hotel")]
    assert hows(kind="city") == hows(kind="city", dict_id=10) == [("name", "city"), ("name", "city")]
    assert hows(kind="hotel", dict_id=101) == [("merge", "hotel")] and hows(batch=1) == []
    assert hows(kind="facility_type") == [] and hows(since="2099-01-01") == []
    answer = page(desk, what="named")
    assert (answer.status, answer.json()["error"]["field"]) == (400, "what")
    # One at a time gives all of them, in the order of one page, however many tables they come from.
    whole, cursor, pages = past(desk), None, []
    while len(pages) < 20:
        answer = desk.get("history", limit=1, cursor=cursor).data()
        pages += answer["items"]
        cursor = answer["cursor"]
        if cursor is None:
            break
    assert pages == whole and len(whole) == 5
