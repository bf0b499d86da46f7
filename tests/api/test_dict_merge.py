"""dragoman dict merge and dict split: decisions M18 to M21."""
import contextlib
import itertools
import json
import threading

import pytest

import client
import mapping
import store
import translation

pytestmark = pytest.mark.store

AT_55 = [(7, "hotel", "1001"), (7, "hotel", "1001-B"), (8, "hotel", "9007199254740993")]  # mapped to 55 in mini.ndjson


def without_events(data):
    return [r for r in data.records() if r["type"] not in ("mapping_event", "dict_event")]


def hotel(id, **more):
    return {"type": "dict", "kind": "hotel", "id": id, "name": f"h{id}", "country_id": 1, "city_id": 331,
            "hotel_category_id": 5, **more}


def copy_of(data, run, path):
    """The same data in a store of its own, by export and import."""
    file, other = path / "all.ndjson", mapping.Data(run, path / "copy")
    file.write_text(data.export(), "utf-8")
    other.ok("import", file)
    return other


# what a merge moves

def test_m18_mappings_go_over_each_with_an_event(data):
    assert data.merge("hotel", 55, 56, "--by", "olena", "--why", "twice") == (
        "hotel 55 is merged into 56; moved: 3 sources, 0 other records, 0 redirects\n")
    assert [data.mapped_to(*source) for source in AT_55] == [56, 56, 56]
    assert data.events() == [(55, 56, "merge")] * 3
    assert {(e["by"], e["why"]) for e in data.of("mapping_event")} == {("olena", "twice")}
    assert len({e["at"] for e in data.of("mapping_event")}) == 1
    data.is_sound()


@pytest.mark.store_core
def test_m18_the_record_goes_and_a_redirect_takes_its_place(data):
    (gone,) = data.of("dict", kind="hotel", id=55)
    data.merge("hotel", 55, 56, "--by", "olena", "--why", "twice")
    assert data.dict_ids("hotel") == [56, 57, 58]
    (redirect,) = data.of("redirect")
    assert redirect.pop("at")
    assert redirect == {"type": "redirect", "kind": "hotel", "id": 55, "to": 56, "by": "olena", "why": "twice",
                        "undo": {"record": gone, "moved": {}}}


def test_m18_records_of_the_reference_go_over(data):
    data.merge("country", 3, 1)
    assert data.of("dict", kind="city", id=332)[0]["country_id"] == 1
    assert data.of("dict", kind="hotel", id=57)[0]["country_id"] == 1
    data.merge("city", 332, 331)
    assert data.of("dict", kind="hotel", id=57)[0]["city_id"] == 331
    data.merge("hotel_category", 4, 5)
    assert {h["hotel_category_id"] for h in data.of("dict", kind="hotel")} == {5}
    data.is_sound()


def test_m18_directions_go_over_and_do_not_double(data, add):
    add({"type": "direction", "adapter_id": 7, "dep_city_id": 11, "country_id": 1})
    data.merge("dep_city", 11, 10)
    assert [(d["adapter_id"], d["dep_city_id"]) for d in data.of("direction")] == [(7, 10), (8, 10), (9, 10)]
    data.split("dep_city", 11)
    assert [(d["adapter_id"], d["dep_city_id"]) for d in data.of("direction")] == [(7, 10), (7, 11), (8, 10), (9, 11)]
    data.is_sound()


def test_m18_types_in_hotel_contents_go_over_and_come_back(data, add):
    add({"type": "dict", "kind": "facility_type", "id": 2, "name": "Beach", "facility_group_id": 1},
        {"type": "dict", "kind": "facility_group", "id": 2, "name": "Sea"},
        {"type": "dict", "kind": "description_type", "id": 2, "name": "Where"},
        {"type": "hotel_content", "adapter_id": 7, "hotel_id": "1001-B",
         "descriptions": [{"type_id": t, "text": "é\"\\"} for t in (1, 2, None, 1)],
         "facilities": [{"group_id": 1, "items": [{"type_id": 2}, {"type_id": 1}]}, {"group_id": 2, "items": []}]})
    before = without_events(data)
    for kind in ("facility_type", "facility_group", "description_type"):
        data.merge(kind, 1, 2)
    (content,) = data.of("hotel_content", hotel_id="1001-B")
    assert [d["type_id"] for d in content["descriptions"]] == [2, 2, None, 2]
    assert [f["group_id"] for f in content["facilities"]] == [2, 2]
    assert [i["type_id"] for i in content["facilities"][0]["items"]] == [2, 2]
    assert data.of("dict", kind="facility_type", id=2)[0]["facility_group_id"] == 2
    data.is_sound()
    for kind in ("facility_type", "facility_group", "description_type"):
        data.split(kind, 1)
    assert without_events(data) == before


# what is refused

def test_m18_not_into_itself(data):
    assert "cannot be merged into itself" in data.fails("dict", "merge", "hotel", 55, 55)


def test_m19_no_cycles(data):
    data.merge("hotel", 55, 56)
    assert "hotel 55 was merged into 56" in data.fails("dict", "merge", "hotel", 56, 55)


def test_m19_not_twice(data):
    data.merge("hotel", 55, 56)
    assert "merged already and now leads to 56" in data.fails("dict", "merge", "hotel", 55, 57)


@pytest.mark.parametrize("args, says", [
    (("merge", "hotel", 99, 55), "there is no hotel 99"),
    (("merge", "hotel", 55, 99), "there is no hotel 99"),
    (("merge", "country", 55, 1), "there is no country 55"),
    (("split", "hotel", 55), "hotel 55 was not merged"),
    (("split", "hotel", 99), "hotel 99 was not merged"),
    (("merge", "hotel", 55, 56, "--by", "x" * 256), "by: expected"),
])
def test_e2_what_is_unknown_or_wrong_is_named(data, args, says):
    assert says in data.fails("dict", *args)


@pytest.mark.parametrize("args", [("merge", "hotel", 55), ("merge", "castle", 1, 2), ("split", "hotel", "x")])
def test_a_wrong_command_line_has_exit_status_2(data, args):
    assert data.run("dict", *args).returncode == 2


# chains

def test_m19_chains_collapse(data):
    data.merge("hotel", 55, 56)
    data.merge("hotel", 56, 57)
    assert [(r["id"], r["to"], r.get("into")) for r in data.of("redirect")] == [(55, 57, 56), (56, 57, None)]
    assert [data.mapped_to(*source) for source in AT_55] == [57, 57, 57]
    data.is_sound()


def test_m19_into_a_merged_id_is_into_where_it_leads(data):
    data.merge("hotel", 56, 57)
    assert data.merge("hotel", 55, 56).splitlines()[0] == "hotel 56 was merged into 57"
    assert [(r["id"], r["to"]) for r in data.of("redirect")] == [(55, 57), (56, 57)]


def test_m20_chains_come_back_from_the_end(data):
    before = without_events(data)
    data.merge("hotel", 55, 56)
    data.merge("hotel", 56, 57)
    data.split("hotel", 56)
    assert [(r["id"], r["to"], r.get("into")) for r in data.of("redirect")] == [(55, 56, None)]
    assert [data.mapped_to(*source) for source in AT_55] == [56, 56, 56]
    assert data.mapped_to(9, "hotel", "77") == 56
    data.split("hotel", 55)
    assert without_events(data) == before
    data.is_sound()


def test_m20_chains_come_back_from_the_beginning(data):
    before = without_events(data)
    data.merge("hotel", 55, 56)
    data.merge("hotel", 56, 57)
    data.split("hotel", 55)
    assert [data.mapped_to(*source) for source in AT_55] == [55, 55, 55]
    assert data.mapped_to(9, "hotel", "77") == 57
    data.split("hotel", 56)
    assert without_events(data) == before
    data.is_sound()


def test_m20_merged_again_after_a_split_it_belongs_there(data):
    data.merge("hotel", 55, 56)
    data.merge("hotel", 56, 57)
    data.split("hotel", 55)
    data.merge("hotel", 55, 57)
    data.split("hotel", 56)
    assert [data.mapped_to(*source) for source in AT_55] == [57, 57, 57], "they no longer came by way of 56"


# split

@pytest.mark.store_core
@pytest.mark.parametrize("kind, one, other", [
    ("hotel", 55, 56), ("country", 3, 1), ("country", 1, 3), ("city", 331, 332), ("dep_city", 10, 12), ("currency", 1, 2),
    ("meal", 1, 2), ("hotel_category", 5, 4), ("hotel_category", 4, 5)])
def test_m20_split_undoes_merge(data, kind, one, other):
    before = without_events(data)
    data.merge(kind, one, other)
    data.is_sound()
    data.split(kind, one)
    assert without_events(data) == before
    data.is_sound()


def test_m20_a_source_decided_anew_stays(data):
    data.merge("hotel", 55, 56)
    data.map("set", *AT_55[0], 57)
    data.map("set", *AT_55[1], 57)
    data.map("set", *AT_55[1], 56)
    data.split("hotel", 55)
    assert [data.mapped_to(*source) for source in AT_55] == [57, 56, 55]


def test_m20_a_source_that_an_import_moved_stays(data, add):
    data.merge("hotel", 55, 56)
    add({"type": "source", "adapter_id": 7, "kind": "hotel", "id": "1001", "name": "x", "dict_id": 57})
    data.split("hotel", 55)
    assert [data.mapped_to(*source) for source in AT_55] == [57, 55, 55]


def test_m20_what_into_had_stays_with_it(data):
    data.merge("hotel", 55, 56)
    data.map("set", 7, "hotel", "1002", 55)
    data.split("hotel", 55)
    assert data.mapped_to(9, "hotel", "77") == 56
    assert data.mapped_to(7, "hotel", "1002") == 56, "decided for what 55 led to"


def test_m20_merge_and_split_can_be_repeated(data):
    before = without_events(data)
    for _ in range(3):
        data.merge("hotel", 55, 56)
        data.split("hotel", 55)
    assert without_events(data) == before
    assert data.events(*AT_55[0]) == [(55, 56, "merge"), (56, 55, "split")] * 3


def test_m20_what_the_record_refers_to_may_have_been_merged(data):
    data.merge("hotel", 57, 56)
    data.merge("city", 332, 331)
    data.split("hotel", 57)
    assert data.of("dict", kind="hotel", id=57)[0]["city_id"] == 331
    data.split("city", 332)
    assert data.of("dict", kind="hotel", id=57)[0]["city_id"] == 332
    data.is_sound()


@pytest.mark.store_core
@pytest.mark.parametrize("order", itertools.permutations([("hotel", 57), ("city", 332), ("country", 3)]))
@pytest.mark.parametrize("back", itertools.permutations([("hotel", 57), ("city", 332), ("country", 3)]))
def test_m20_merges_that_meet_are_undone_in_any_order(data, order, back):
    before, into = without_events(data), {"hotel": 56, "city": 331, "country": 1}
    for kind, id in order:
        data.merge(kind, id, into[kind])
    for kind, id in back:
        data.split(kind, id)
    assert without_events(data) == before


def test_m21_what_the_record_refers_to_may_be_gone(data, add):
    data.merge("hotel", 57, 56)
    add({"type": "dict", "kind": "city", "id": 332, "deleted": True})
    assert "refers to what is gone: there is no city 332" in data.fails("dict", "split", "hotel", 57)


def test_m21_a_code_may_be_taken(data, add):
    data.merge("country", 6, 5)
    add({"type": "dict", "kind": "country", "id": 60, "name": "Germany again", "iso_alpha_2": "DE"})
    assert "iso_alpha_2 DE is that of 60 now" in data.fails("dict", "split", "country", 6)


@pytest.mark.parametrize("undo, says", [
    (None, "came without undo"), ({}, "not what a merge writes"), ({"record": 1}, "not what a merge writes"),
    ({"record": hotel(999)}, "not what a merge writes"), ({"record": {**hotel(900), "deleted": True}}, "not what a merge"),
    ({"record": hotel(900), "moved": []}, "not what a merge writes"), ({"record": hotel(900, city_id=999)}, "is gone")])
def test_m21_redirects_with_a_bad_undo_cannot_be_split(data, add, undo, says):
    add({"type": "redirect", "kind": "hotel", "id": 900, "to": 55, "undo": undo})
    assert says in data.fails("dict", "split", "hotel", 900)


def test_m21_odd_lists_of_what_was_moved_do_no_harm(data, add):
    moved = {"hotel": [55, "x", None, 999], "castle": [1], "direction": [1, [], [7, 10, 1, False], ["a"]],
             "hotel_content": [[], [7], [7, "1001", 0, "x"], [7, 1001]], "city": {"a": 1}}
    add({"type": "redirect", "kind": "hotel", "id": 900, "to": 55, "undo": {"record": hotel(900), "moved": moved}})
    before = [r for r in without_events(data) if r["type"] != "redirect"]
    data.split("hotel", 900)
    assert [r for r in without_events(data) if r.get("id") != 900] == before
    data.is_sound()


# imports

def test_m19_an_import_may_name_merged_ids(data, add):
    data.merge("hotel", 55, 56)
    data.merge("country", 3, 1)
    add({"type": "source", "adapter_id": 7, "kind": "hotel", "id": "new", "name": "x", "dict_id": 55},
        {"type": "dict", "kind": "city", "id": 777, "name": "x", "country_id": 3},
        {"type": "direction", "adapter_id": 7, "dep_city_id": 12, "country_id": 3})
    assert data.mapped_to(7, "hotel", "new") == 56
    assert data.of("dict", kind="city", id=777)[0]["country_id"] == 1
    assert data.of("direction", dep_city_id=12)[0]["country_id"] == 1
    data.is_sound()


def test_m19_redirects_of_an_import_count_for_its_other_lines(data, add):
    add({"type": "source", "adapter_id": 7, "kind": "hotel", "id": "new", "name": "x", "dict_id": 901},
        {"type": "redirect", "kind": "hotel", "id": 901, "to": 900}, {"type": "redirect", "kind": "hotel", "id": 900, "to": 55})
    assert data.mapped_to(7, "hotel", "new") == 55
    assert [(r["id"], r["to"], r.get("into")) for r in data.of("redirect")] == [(900, 55, None), (901, 55, 900)]
    data.is_sound()


@pytest.mark.parametrize("lines, says", [
    ([{"type": "redirect", "kind": "hotel", "id": 900, "to": 999}], "to: expected the id of a dict hotel that exists"),
    ([{"type": "redirect", "kind": "hotel", "id": 900, "to": 900}], "to: expected the id of a dict hotel that exists"),
    ([{"type": "redirect", "kind": "hotel", "id": 900, "to": 901}, {"type": "redirect", "kind": "hotel", "id": 901, "to": 900}],
     "to: expected the id of a dict hotel that exists"),
    ([{"type": "redirect", "kind": "hotel", "id": 57, "to": 56}], "id: expected an id that no record has, found that of hotel 57"),
    ([hotel(55)], "id: hotel 55 was merged into 56; dict split undoes it"),
    ([hotel(900), {"type": "redirect", "kind": "hotel", "id": 900, "to": 56}], "id: hotel 900 was merged into 56"),
    ([{"type": "dict", "kind": "hotel", "id": 56, "deleted": True}], "cannot be removed"),
])
def test_m19_an_import_must_not_break_redirects(data, run, tmp_path, lines, says):
    data.merge("hotel", 55, 56)
    before = data.export()
    path = tmp_path / "bad.ndjson"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = data.run("import", "--create", path)
    assert done.returncode == 1 and says in done.stderr, done.stderr
    assert data.export() == before
    assert data.run("import", "--create", "--keep-going", path).returncode == 0
    data.is_sound()


def test_m19_a_removed_redirect_frees_its_id(data, add):
    data.merge("hotel", 55, 56)
    add({"type": "redirect", "kind": "hotel", "id": 55, "deleted": True}, hotel(55))
    assert 55 in data.dict_ids("hotel")
    data.is_sound()


def test_a_merge_waits_for_no_import(data):
    with contextlib.closing(store.hold_imports(data.path)):
        assert "right to import into" in data.fails("dict", "merge", "hotel", 55, 56)


# travelling

@pytest.mark.store_core
def test_redirects_and_history_travel_and_can_be_split_elsewhere(data, run, tmp_path):
    before = without_events(data)
    data.merge("hotel", 55, 56, "--why", "twice")
    data.merge("city", 332, 331)
    data.merge("dep_city", 10, 11)
    other = copy_of(data, run, tmp_path)
    assert other.export() == data.export()
    for kind, id in (("dep_city", 10), ("city", 332), ("hotel", 55)):
        other.split(kind, id)
    assert without_events(other) == before
    other.is_sound()


def test_check_finds_what_breaks_the_rules(data):
    data.merge("hotel", 55, 56)
    columns = 'deleted, seq, created_seq, data_seq, mapped_seq, kind, id, "to"'
    another = columns.replace('id, "to"', "57, 55")
    store.execute(data.path, "UPDATE redirect SET \"to\" = 999",
                  f"INSERT INTO redirect ({columns}) SELECT {another} FROM redirect",
                  "UPDATE source SET dict_id = 55 WHERE id = '1001'")
    done = data.run("check")
    assert done.returncode == 1
    for finding in ("redirect hotel 55: to: names a record that does not exist", "redirect hotel 57: id: a record has it too",
                    "redirect hotel 57: to: leads to another redirect",
                    "source 7 hotel 1001: dict_id: names a record that does not exist"):
        assert finding in done.stdout + done.stderr, finding


# a running server

@pytest.mark.heavy
def test_m19_an_id_is_known_at_every_moment_of_a_merge_and_a_split(make_server, run, mini):
    server = make_server(mini)
    data = mapping.Data(run, server.data)
    over, statuses, rounds = threading.Event(), [], 8

    def ask():
        while not over.is_set():
            answer = translation.source_data(server, {"adapter_id": 7, "dep_city": 10, "country": 1, "hotel": [55]})
            statuses.append(answer.status)

    asker = threading.Thread(target=ask)
    asker.start()
    try:
        for _ in range(rounds):
            data.merge("country", 1, 3)
            data.split("country", 1)
            asked = len(statuses)
            client.wait_until(lambda asked=asked: len(statuses) > asked)
    finally:
        over.set()
        asker.join()
    assert len(statuses) >= rounds and set(statuses) == {200}


def test_m19_old_ids_go_on_answering(make_server, run, mini, seen):
    server = make_server(mini)
    data = mapping.Data(run, server.data)

    def suppliers(id):
        return sorted(row["hotel_orig_id"] for row in server.b(f"tour/hotelCheck?hotel={id}").data())

    def orig(**asked):
        answer = translation.source_data(server, {"adapter_id": 7, "dep_city": 10, "country": 1, **asked}).data()
        return answer["dep_city"], answer["country"], [(row["dict_id"], row["orig_id"]) for row in answer["hotel"]]

    def hotels(dep_city, country):
        return set(server.a(f"tour/hotel-references?dep_city={dep_city}&country={country}").data()["hotels"])

    there = suppliers(55)
    assert len(there) == 3 and hotels(10, 1) == {"55"}
    data.merge("hotel", 55, 56)
    assert seen(lambda: suppliers(55) == suppliers(56) and len(suppliers(55)) == 4)
    assert orig(hotel=[55])[2] == [(55, 1001), (55, "1001-B")], "under the id that was asked for"
    assert seen(lambda: hotels(10, 1) == {"56"})
    data.merge("dep_city", 10, 12)
    data.merge("country", 1, 3)
    assert seen(lambda: orig(dep_city=12, country=3) == orig(dep_city=10, country=1)
                or orig(dep_city=10, country=1)[0]["dict_id"] == 10)
    assert seen(lambda: hotels(10, 1) == hotels(12, 3) == {"56"})
    assert server.b("tour/referenceData?dep_city=10&country=1").status == 200
    data.split("country", 1)
    data.split("dep_city", 10)
    data.split("hotel", 55)
    assert seen(lambda: suppliers(55) == there and hotels(10, 1) == {"55"})
