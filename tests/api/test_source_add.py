"""tour/sourceAdd: the answer, keys, what becomes durable; spec 4.2 and 8, decisions E4, E6, E7, L5, M6 to M10."""
import json
import threading

import pytest

import client
from client import assert_error
from registration import (KINDS, add_one, assert_element_error, element, is_registered, new_id,
                          post, source_add, source_info)

pytestmark = pytest.mark.store


@pytest.fixture(scope="module")
def server(module_servers, mini):
    return module_servers.make(mini)


# The answer

def test_the_answer_has_language_adapter_and_a_map_for_each_kind_sent(server):
    sent = {kind: [element(kind)] for kind in KINDS}
    data = source_add(server, lang_code="uk", **sent).data()
    assert set(data) == {"language", "adapter", *KINDS}
    assert data["language"] == "uk"
    assert data["adapter"] == {"id": 7, "code": "coral", "name": "Coral Tours"}
    for kind in KINDS:
        assert list(data[kind]) == [sent[kind][0]["id"]]
        assert data[kind][sent[kind][0]["id"]]["dict"] is None


def test_the_envelope_says_success(server):
    assert source_add(server).json()["status"] == "success"


def test_kinds_that_were_not_sent_are_not_in_the_answer_and_empty_ones_are_empty_maps(server):
    data = source_add(server, meal=[], city=None).data()
    assert set(data) == {"language", "adapter", "meal"}
    assert data["meal"] == {}


@pytest.mark.parametrize("kind", ["country", "dep_city", "meal", "hotel_category"])
def test_m10_echo_of_a_plain_element(server, kind):
    sent = element(kind)
    assert add_one(server, kind, sent) == (sent["id"], {"source": {"id": sent["id"], "name": sent["name"]},
                                                        "dict": None})


def test_m10_echo_of_a_city_with_everything(server):
    sent = element("city", id=900, name="Faro", is_resort=True, country_id="PT", country_name="Portugal")
    assert add_one(server, "city", sent)[1]["source"] == {"id": "900", "name": "Faro", "is_resort": True,
                                                          "country_id": "PT", "country_name": "Portugal"}


def test_m10_echo_of_a_city_with_nothing(server):
    sent = element("city")
    assert add_one(server, "city", sent)[1]["source"] == {"id": sent["id"], "name": sent["name"], "is_resort": False,
                                                          "country_id": None, "country_name": None}


def test_m10_ids_are_echoed_as_strings(server):
    assert add_one(server, "city", element("city", country_id=90))[1]["source"]["country_id"] == "90"


@pytest.mark.parametrize("code", ["EUR", "eur", "€€€", None])
def test_m10_echo_of_a_currency(server, code):
    sent = element("currency", iso_code=code)
    assert add_one(server, "currency", sent)[1]["source"] == {"id": sent["id"], "name": sent["name"],
                                                              "iso_code": code}


def test_m10_echo_of_a_hotel_has_null_for_ids_that_were_not_sent(server):
    sent = element("hotel", name="Žluťoučký \"kůň\"\\ 🏨")
    assert add_one(server, "hotel", sent)[1]["source"] == {
        "id": sent["id"], "name": sent["name"], "category_id": None, "category_name": "5*", "country_id": None,
        "country_name": "TURKEY", "city_id": None, "city_name": "ANTALYA"}


def test_l5_members_are_in_the_order_sent(server):
    ids = [new_id(p) for p in "zkaqb"]
    assert list(source_add(server, meal=[element("meal", id=id) for id in ids]).data()["meal"]) == ids


def test_what_was_added_is_what_source_info_shows(server):
    sent = element("hotel", category_id="c", country_id="90", city_id="501")
    source_add(server, lang_code="de", hotel=[sent]).data()
    assert source_info(server, hotel=sent["id"])["hotel"] == [{
        "id": sent["id"], "dict": None,
        "source": {"id": sent["id"], "name": sent["name"], "category_id": "c", "category_title": "5*",
                   "country_id": "90", "country_title": "TURKEY", "city_id": "501", "city_title": "ANTALYA"}}]


def test_what_was_added_is_exported_with_its_language(server, run):
    sent = element("currency", iso_code=None)
    source_add(server, lang_code="pt-BR", currency=[sent]).data()
    lines = [json.loads(line) for line in run("export", "--type", "source", "--data", server.data).stdout.splitlines()]
    assert {"type": "source", "adapter_id": 7, "kind": "currency", "id": sent["id"], "name": sent["name"],
            "lang": "pt-br"} in lines


def test_suppliers_do_not_share_ids(server):
    sent = element("meal")
    for adapter in (7, 8, 9):
        assert "source" in add_one(server, "meal", sent, adapter_id=adapter)[1]


def test_kinds_do_not_share_ids(server):
    id = new_id()
    data = source_add(server, **{kind: [element(kind, id=id)] for kind in KINDS}).data()
    assert all("source" in data[kind][id] for kind in KINDS)


# M6: keys of the answer

@pytest.mark.parametrize("id, key", [(0, "0"), (-17, "-17"), (9223372036854775807, "9223372036854775807"),
                                     ("007", "007"), ("+5", "+5"), (" x ", " x "), ('q"\\', 'q"\\'), ("№ 1", "№ 1")])
def test_m6_the_key_is_the_canonical_text_of_the_id(server, id, key):
    assert add_one(server, "dep_city", element("dep_city", id=id))[0] == key


@pytest.mark.parametrize("id", [..., None, 1.5, 12.0, True, [], ["a"], {}, {"a": 1}])
def test_m6_an_element_without_an_id_is_keyed_by_its_position(server, id):
    good = element("meal")
    members = source_add(server, meal=[good, element("meal", id=new_id()) | {"id": id} if id is not ... else
                                       element("meal", id=...)]).data()["meal"]
    assert list(members) == [good["id"], "#1"]
    assert_element_error(members["#1"], "id")
    assert "source" in members[good["id"]]


@pytest.mark.parametrize("id", ["", "   ", "x" * 65, "a\u0007b"])
def test_m6_any_other_bad_id_is_its_own_key(server, id):
    key, member = add_one(server, "meal", element("meal") | {"id": id})
    assert key == id
    assert_element_error(member, "id")


@pytest.mark.parametrize("what", [5, "text", None, True, [], [{}]])
def test_m6_an_element_that_is_no_object_is_keyed_by_its_position(server, what):
    members = source_add(server, city=[what]).data()["city"]
    assert_element_error(members["#0"], "element", "wrong_type")


@pytest.mark.parametrize("sent, made", [("#0", "##0"), ("#1", "##0"), ("##7", "###0"), ("#", "##0"), ("#a", "#0"), ("a#0", "#0"), ("0", "#0")])
def test_m6_a_made_up_key_is_no_id_that_was_sent(server, sent, made):
    """Each element reports its own error, and the valid one is added."""
    members = source_add(server, adapter_id=8, dep_city=[{"name": "no id"}, {"id": sent, "name": "Good"}, 5]).data()["dep_city"]
    assert list(members) == [made, sent, made[:-1] + "2"]
    assert_element_error(members[made], "id", "missing_field")
    assert_element_error(members[made[:-1] + "2"], "element", "wrong_type")
    assert members[sent]["source"] == {"id": sent, "name": "Good"}
    assert is_registered(server, "dep_city", sent, adapter_id=8)


# M7: the same id twice

def test_m7_an_id_of_different_elements_is_an_error_and_none_is_added(server):
    id, other = new_id(), element("meal")
    members = source_add(server, meal=[element("meal", id=id, name="one"), other, element("meal", id=id, name="two"),
                                       element("meal", id=id, name="three")]).data()["meal"]
    assert list(members) == [id, other["id"]]
    assert_element_error(members[id], "id", "duplicate_id")
    assert "source" in members[other["id"]]
    assert not is_registered(server, "meal", id)


def test_m7_an_integer_and_its_text_are_the_same_id(server):
    members = source_add(server, meal=[element("meal", id=4711), element("meal", id="4711", name="x")]).data()["meal"]
    assert list(members) == ["4711"]
    assert_element_error(members["4711"], "id", "duplicate_id")
    assert not is_registered(server, "meal", "4711")


def test_m7_other_texts_of_a_number_are_other_ids(server):
    members = source_add(server, meal=[element("meal", id=i) for i in (812, "0812", "+812")]).data()["meal"]
    assert list(members) == ["812", "0812", "+812"]
    assert all("source" in member for member in members.values())


@pytest.mark.parametrize("kind", KINDS)
def test_m7_an_element_repeated_identically_counts_once(server, kind):
    sent, other = element(kind), element(kind)
    members = source_add(server, **{kind: [sent, other, sent, {**sent, "phone": "ignored"}]}).data()[kind]
    assert list(members) == [sent["id"], other["id"]]
    assert all("source" in member for member in members.values())
    assert is_registered(server, kind, sent["id"])


@pytest.mark.parametrize("first, second", [
    ({"country_id": "5"}, {}), ({}, {"is_resort": True}), ({"country_id": "5"}, {"country_id": 6}),
    ({"country_name": "A"}, {"country_name": "a"}), ({"name": "n"}, {"name": "n "})])
def test_m7_any_difference_is_an_error(server, first, second):
    id = new_id()
    members = source_add(server, city=[element("city", id=id, **first), element("city", id=id, **second)]).data()["city"]
    assert_element_error(members[id], "id", "duplicate_id")
    assert not is_registered(server, "city", id)


def test_m7_what_says_the_same_in_other_words_is_identical(server):
    """A default that is written out, a number and its text, an empty text that counts as not sent."""
    members = source_add(server, city=[element("city", id=5544, country_id=7, is_resort=False),
                                       element("city", id="5544", country_id="7", country_name="")]).data()["city"]
    assert list(members) == ["5544"] and "source" in members["5544"]


@pytest.mark.parametrize("names, reason", [(["", "Good"], "empty_text"), (["Good", ""], "empty_text"), ([5, "", "Good"], "wrong_type"),
                                           (["a", "b", "x" * 1025], "too_long")])
def test_m7_an_invalid_element_among_those_of_an_id_tells_its_own_error(server, names, reason):
    id, other = new_id(), element("meal")
    members = source_add(server, meal=[*({"id": id, "name": name} for name in names), other]).data()["meal"]
    assert list(members) == [id, other["id"]] and "source" in members[other["id"]]
    assert_element_error(members[id], "name", reason)
    assert members[id]["error"]["message"].endswith("; none of the meal elements with this id was added")
    assert not is_registered(server, "meal", id)


def test_m7_an_invalid_element_that_is_repeated_keeps_its_own_error(server):
    sent = element("meal", name="")
    members = source_add(server, meal=[sent, sent]).data()["meal"]
    assert_element_error(members[sent["id"]], "name", "empty_text")


@pytest.mark.parametrize("lang_code", ["en", "uk-UA", "UK", "pt_BR", "zh_Hant-TW"])
def test_language_is_lang_code_as_it_was_sent(server, lang_code):
    assert source_add(server, lang_code=lang_code, meal=[]).data()["language"] == lang_code


# M8: elements that exist, elements that are wrong; the others are added all the same

def test_m8_an_existing_element_is_an_error_and_stays_as_it_is(server):
    sent = element("hotel", name="first")
    add_one(server, "hotel", sent)
    key, member = add_one(server, "hotel", {**sent, "name": "second"})
    assert key == sent["id"]
    assert_element_error(member, "id", "already_exists")
    assert source_info(server, hotel=[key])["hotel"][0]["source"]["name"] == "first"


def test_m8_an_imported_element_exists_too(server):
    assert_element_error(add_one(server, "hotel", element("hotel", id=1001))[1], "id", "already_exists")


@pytest.mark.store_core
def test_m8_a_deleted_element_can_be_added_again(server, import_file, seen):
    sent = element("meal")
    add_one(server, "meal", sent)
    import_file(server.data, [{"type": "source", "adapter_id": 7, "kind": "meal", "id": sent["id"], "deleted": True}])
    assert seen(lambda: not is_registered(server, "meal", sent["id"]))
    assert add_one(server, "meal", {**sent, "name": "again"})[1]["source"]["name"] == "again"
    assert source_info(server, meal=[sent["id"]])["meal"][0]["source"]["name"] == "again"


def test_m8_one_failing_element_does_not_stop_the_others(server):
    good, bad = [element("hotel") for _ in range(3)], element("hotel", name="")
    members = source_add(server, hotel=[good[0], bad, good[1], {}, good[2]]).data()["hotel"]
    assert [key for key in members if "source" in members[key]] == [e["id"] for e in good]
    assert_element_error(members[bad["id"]], "name", "empty_text")
    assert all(is_registered(server, "hotel", e["id"]) for e in good)
    assert not is_registered(server, "hotel", bad["id"])


# E4, E6, E7: keys

def test_e4_the_secret_is_required(server):
    assert_error(source_add(server, {"X-Service-Api-Secret": None}), 403)
    assert_error(source_add(server, {"X-Service-Api-Key": None}), 403)


def test_e4_a_wrong_secret_another_keys_secret_and_a_key_without_one_are_403_alike(server, new_key, seen):
    other, plain = new_key(server.data, "b", "--secret"), new_key(server.data, "b")
    assert seen(lambda: source_add(server, key=other["key"], secret=other["secret"]).status == 200)
    bodies = {source_add(server, key=key, secret=secret).body
              for key, secret in [(server.key_b, "drgs_" + "x" * 43), (server.key_b, other["secret"]),
                                  (other["key"], server.secret_b), (plain["key"], server.secret_b),
                                  (server.key_a, server.secret_b)]}
    assert len(bodies) == 1
    assert_error(source_add(server, key=server.key_b, secret=other["secret"]), 403)


def test_e5_the_alias_headers_are_taken(server):
    response = source_add(server, {"X-Service-Api-Key": None, "X-Service-Api-Secret": None,
                                   "X-Service-Client-Key": server.key_b, "X-Service-Client-Secret": server.secret_b})
    assert response.status == 200


def test_e6_a_key_for_some_adapters_gets_403_for_others_as_a_whole(server, new_key, seen):
    key = new_key(server.data, "b", "--secret", "--adapter", "8", "--adapter", "9")
    limited = {"key": key["key"], "secret": key["secret"]}
    assert seen(lambda: source_add(server, adapter_id=8, **limited).status == 200)
    good = element("meal")
    assert_error(source_add(server, meal=[good], adapter_id=7, **limited), 403, "adapter_id", "adapter_not_allowed")
    assert not is_registered(server, "meal", good["id"])
    assert "source" in add_one(server, "meal", good, adapter_id=9, **limited)[1]


def test_e7_the_key_is_checked_before_the_body(server):
    assert_error(post(server, "sourceAdd", b"{", {"X-Service-Api-Secret": "x"}), 403)
    assert_error(post(server, "sourceAdd", b"x", {"Content-Type": "text/plain"}), 415)


def test_it_is_for_servers_only_no_cors(server):
    response = source_add(server, {"Origin": "https://shop.example"})
    assert "Access-Control-Allow-Origin" not in response.headers


def test_get_is_405(server):
    response = client.request(server.port, "/v1/tour/sourceAdd")
    assert_error(response, 405)
    assert response.headers["Allow"] == "POST, OPTIONS"


# M9: durable and visible

def test_m9_a_200_is_visible_to_the_next_request_each_time(server):
    for _ in range(30):
        sent = element("hotel")
        add_one(server, "hotel", sent)
        assert is_registered(server, "hotel", sent["id"])


@pytest.mark.store_core
def test_m9_it_survives_the_server(make_server, mini):
    first = make_server(mini)
    sent = [element("meal") for _ in range(20)]
    source_add(first, meal=sent).data()
    first.stop()
    second = make_server(None, data=first.data)
    found = source_info(second, meal=[e["id"] for e in sent])["meal"]
    assert [item["source"]["name"] for item in found] == [e["name"] for e in sent]


@pytest.mark.store_core
def test_the_catalog_equals_the_store_afterwards(server, run):
    done = run("check", "--data", server.data)
    assert done.returncode == 0, done.stdout + done.stderr


# Many clients

@pytest.mark.store_core
@pytest.mark.concurrent
def test_sixteen_clients_with_overlapping_ids_create_each_once(server):
    ids = [new_id("shared-") for _ in range(120)]
    created, faults = [], []

    def add(number):
        for turn in range(6):
            mine = ids[(number * 7 + turn * 20) % 120:][:40]
            response = source_add(server, meal=[element("meal", id=id, name=f"of {number}") for id in mine])
            if response.status != 200:
                faults.append(response)
                return
            for id, member in response.data()["meal"].items():
                if "source" in member:
                    created.append((id, member["source"]["name"]))
                elif member["error"]["reason"] != "already_exists":
                    faults.append(member)

    threads = [threading.Thread(target=add, args=(n,)) for n in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    assert len(created) == len(dict(created)), "an id was created twice"
    for item in source_info(server, meal=sorted(dict(created)))["meal"]:
        assert item["source"]["name"] == dict(created)[item["id"]]
