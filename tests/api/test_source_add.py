"""tour/sourceAdd: spec 4.2 and 8, decisions E6, L1, L6, L7, L10, M5 to M11, and the Idempotency-Key."""
import json
import threading
import time

import pytest

import client
import store
from client import assert_error
from raw import Raw
from registration import (KINDS, LIST_KINDS, add_one, assert_element_error, element, is_registered, new_id, post,
                          source_add, source_info)


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
    ({"country_name": "A"}, {"country_name": "a"}), ({"name": "n"}, {"name": "n "}), ({}, {"name": 5})])
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


# Spec 4.2 and 8, M11: the element tables

TEXTS = [("name", kind, 1024) for kind in LIST_KINDS] + [
    ("name", "hotel", 255), ("category_name", "hotel", 255), ("country_name", "hotel", 255),
    ("city_name", "hotel", 255), ("country_name", "city", 255), ("category_id", "hotel", 64),
    ("country_id", "hotel", 64), ("city_id", "hotel", 64), ("country_id", "city", 64)]
REQUIRED = [("id", kind) for kind in KINDS] + [("name", kind) for kind in KINDS] + [
    ("category_name", "hotel"), ("country_name", "hotel"), ("city_name", "hotel"), ("iso_code", "currency")]
OPTIONAL = [("country_id", "city"), ("country_name", "city"), ("category_id", "hotel"), ("country_id", "hotel"),
            ("city_id", "hotel")]


@pytest.mark.parametrize("field, kind, most", TEXTS)
@pytest.mark.parametrize("letter", ["x", "я", "🏨"])
def test_m11_bounds_are_characters_and_the_longest_text_fits(server, field, kind, most, letter):
    sent = element(kind, **{field: letter * most})
    assert add_one(server, kind, sent)[1]["source"][field] == letter * most


@pytest.mark.parametrize("field, kind, most", TEXTS)
def test_m11_one_character_more_is_an_error(server, field, kind, most):
    assert_element_error(add_one(server, kind, element(kind, **{field: "я" * (most + 1)}))[1], field, "too_long")


@pytest.mark.parametrize("kind", KINDS)
def test_m11_an_id_of_64_characters_fits_and_65_do_not(server, kind):
    id = new_id() + "я" * 64
    assert "source" in add_one(server, kind, element(kind, id=id[:64]))[1]
    assert_element_error(add_one(server, kind, element(kind, id=id[:65]))[1], "id", "too_long")


@pytest.mark.parametrize("field, kind", REQUIRED)
def test_a_required_field_that_is_missing_is_an_error(server, field, kind):
    assert_element_error(next(iter(source_add(server, **{kind: [element(kind, **{field: ...})]}).data()[kind].values())),
                         field, "missing_field")


@pytest.mark.parametrize("field, kind", [(f, k) for f, k in REQUIRED if f != "iso_code"])
def test_a_required_field_that_is_null_is_an_error(server, field, kind):
    made = element(kind) | {field: None}
    assert_element_error(next(iter(source_add(server, **{kind: [made]}).data()[kind].values())), field, "missing_field")


@pytest.mark.parametrize("text", ["", " ", "\t \n", "\u00a0\u3000"])
@pytest.mark.parametrize("field, kind", [(f, k) for f, k in REQUIRED if f not in ("id", "iso_code")])
def test_m11_a_required_text_has_a_character_that_is_no_space(server, field, kind, text):
    assert_element_error(add_one(server, kind, element(kind, **{field: text}))[1], field, "empty_text")


@pytest.mark.parametrize("field, kind", OPTIONAL)
@pytest.mark.parametrize("value", [None, ""])
def test_l6_an_optional_field_that_is_null_or_empty_is_as_if_not_sent(server, field, kind, value):
    assert add_one(server, kind, element(kind, **{field: value}))[1]["source"][field] is None


def test_l6_is_resort_null_is_false(server):
    assert add_one(server, "city", element("city", is_resort=None))[1]["source"]["is_resort"] is False


@pytest.mark.parametrize("character", ["\u0001", "\u001b", "\u007f", "\u0085", "\r"])
@pytest.mark.parametrize("field", ["name", "country_name"])
def test_m11_control_characters_are_an_error(server, field, character):
    assert_element_error(add_one(server, "city", element("city", **{field: f"a{character}b"}))[1], field,
                         "control_character")


def test_m11_tab_and_newline_are_kept(server):
    assert add_one(server, "meal", element("meal", name=" a\tb\nc "))[1]["source"]["name"] == " a\tb\nc "


@pytest.mark.parametrize("code", ["", "EU", "EURO", "   "])
def test_iso_code_is_three_characters(server, code):
    assert_element_error(add_one(server, "currency", element("currency", iso_code=code))[1], "iso_code")


WRONG_TYPES = [("name", "meal", v) for v in (5, 1.5, True, [], {})] + [
    ("iso_code", "currency", 978), ("is_resort", "city", "true"), ("is_resort", "city", 1), ("is_resort", "city", ""),
    ("country_id", "city", 1.5), ("country_id", "city", True), ("country_name", "city", 5),
    ("category_id", "hotel", 5), ("country_id", "hotel", 90), ("city_id", "hotel", 501),
    ("category_name", "hotel", 5), ("country_name", "hotel", []), ("city_name", "hotel", {"a": 1})]


@pytest.mark.parametrize("field, kind, value", WRONG_TYPES)
def test_a_value_of_another_type_is_an_error(server, field, kind, value):
    assert_element_error(add_one(server, kind, element(kind) | {field: value})[1], field)


# The attributes of the body

@pytest.mark.parametrize("field", ["adapter_id", "lang_code"])
@pytest.mark.parametrize("value", [..., None])
def test_a_required_attribute_that_is_missing_is_400(server, field, value):
    assert_error(source_add(server, **{field: value}), 400, field, "missing_field")


@pytest.mark.parametrize("value", ["7", 7.0, 7.5, True, [], {}])
def test_l7_adapter_id_is_an_integer(server, value):
    assert_error(source_add(server, adapter_id=value), 400, "adapter_id", "bad_integer")


@pytest.mark.parametrize("value", [0, -7, 99, 21, 22, 2 ** 31, 2 ** 63 - 1, -2 ** 63])
def test_e2_an_unknown_adapter_is_400_and_names_it_and_so_is_one_for_air(server, value):
    assert_error(source_add(server, adapter_id=value), 400, "adapter_id", "unknown_adapter", names=str(value))


@pytest.mark.parametrize("value", ["", "e n", "en ", "-", "x" * 36, "en--gb", 5, [], True])
def test_l1_a_malformed_lang_code_is_400(server, value):
    assert_error(source_add(server, lang_code=value), 400, "lang_code", "bad_language")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("value", ["a", 1, {}, True])
def test_a_kind_that_is_no_array_is_400(server, kind, value):
    assert_error(source_add(server, **{kind: value}), 400, kind, "bad_list")


@pytest.mark.parametrize("body, reason", [(b"", "invalid_json"), (b"[]", "bad_body"), (b"5", "bad_body"),
                                          (b'"x"', "bad_body"), (b"null", "bad_body")])
def test_a_body_that_is_no_object_is_400(server, body, reason):
    assert_error(post(server, "sourceAdd", body), 400, reason=reason)


@pytest.mark.parametrize("body, line, column", [
    (b'{"adapter_id":7,}', 1, 17), (b'{"adapter_id":7,\n"lang_code":"en"', 2, 17),
    (b'{"adapter_id":7,"adapter_id":7,"lang_code":"en"}', 1, None),
    (b'{"adapter_id":7,"lang_code":"en","x":{"a":1,"a":2}}', 1, None),
    (b'{"adapter_id":7,"lang_code":"en",\n"meal":[{"id":1,"name":"a","id":2}]}', 2, None),
    (b'{"adapter_id":7,"lang_code":"en",\n"meal":[{"id":1,"name":{"a":1,"a":2}}]}', 2, None),
    (b'{"adapter_id":7,"lang_code":"en","meal":[{"id":1,"name":"a\\u0000"}]}', 1, None),
    (b'{"adapter_id":7,"lang_code":"en","meal":[{"id":1,"name":"\\ud800"}]}', 1, None),
    (b'{"adapter_id":7,"lang_code":"en","meal":[{"id":1,"name":"\xff"}]}', 1, None),
    (b'{"adapter_id":7,"lang_code":"en","x":' + b"[" * 32 + b"]" * 32 + b"}", 1, None),
    (b"[" * 10000 + b"]" * 10000, 1, None)])
def test_l10_a_body_that_is_not_the_json_we_take_is_400_with_line_and_column(server, body, line, column):
    error = assert_error(post(server, "sourceAdd", body), 400)
    assert f"line {line}, column {column or ''}" in error["message"]


@pytest.mark.parametrize("id", [2**63, -2**63 - 1, 10**63, 10**500])
def test_l10_an_integer_id_beyond_64_bits_is_an_error_of_that_element(server, id):
    other = element("meal")
    members = source_add(server, meal=[element("meal", id=id), other]).data()["meal"]
    assert list(members) == [str(id), other["id"]] and "source" in members[other["id"]]
    assert_element_error(members[str(id)], "id", "out_of_range")


def test_l10_an_integer_beyond_64_bits_elsewhere_is_an_error_of_what_reads_it(server):
    assert_error(source_add(server, adapter_id=2**63), 400, "adapter_id", "bad_integer", names=str(2**63))
    sent = element("city", country_id=2**63)
    assert_element_error(source_add(server, city=[sent]).data()["city"][sent["id"]], "country_id", "out_of_range")
    assert post(server, "sourceAdd", {"adapter_id": 7, "lang_code": "en", "x": 2**63}).status == 200
    assert_error(post(server, "sourceInfo?adapter_id=7", {"hotel": [2**63]}), 400, "hotel", "bad_id")


def test_l10_nothing_of_a_body_that_does_not_parse_is_added(server):
    good = element("meal")
    body = json.dumps({"adapter_id": 7, "lang_code": "en", "meal": [good]})[:-1] + ',"x":1,"x":2}'
    assert_error(post(server, "sourceAdd", body.encode()), 400)
    assert not is_registered(server, "meal", good["id"])


def test_l10_depth_32_is_taken(server):
    deep = "[" * 31 + "]" * 31
    response = post(server, "sourceAdd", f'{{"adapter_id":7,"lang_code":"en","x":{deep}}}'.encode())
    assert response.status == 200 and response.headers["X-Ignored-Fields"] == "x"


def test_l6_unknown_members_are_ignored_and_named_once(server):
    response = source_add(server, bogus=1, meal=[element("meal", stars=5), element("meal", stars=4)],
                          hotel=[element("hotel", phone="1")])
    assert all("source" in m for m in response.data()["meal"].values())
    assert response.headers["X-Ignored-Fields"].split(", ") == ["bogus", "meal.stars", "hotel.phone"]


def test_l6_members_of_other_kinds_are_unknown(server):
    response = source_add(server, meal=[element("meal", iso_code="EUR", is_resort=True)])
    assert response.headers["X-Ignored-Fields"] == "meal.iso_code, meal.is_resort"


def test_l6_query_parameters_are_ignored_and_named(server):
    response = post(server, "sourceAdd?lang=uk&adapter_id=8", {"adapter_id": 7, "lang_code": "en"})
    assert response.data()["adapter"]["id"] == 7
    assert response.headers["X-Ignored-Fields"] == "lang, adapter_id"


@pytest.mark.parametrize("content_type, status", [
    (None, 200), ("application/json; charset=utf-8", 200), ("application/x-www-form-urlencoded", 200),
    ("text/plain", 200), ("application/json; charset=latin-1", 200), ("multipart/form-data; boundary=x", 415)])
def test_e10_a_body_that_begins_as_json_does_is_json_whatever_is_said(server, content_type, status):
    """`curl -d '{…}'` says that it sends a form."""
    response = source_add(server, {"Content-Type": content_type})
    assert response.status == status


def test_m5_max_batch_counts_all_kinds_together(module_servers, mini):
    small = module_servers.make(mini, "--max-batch", "6")
    three, four = [[element("meal") for _ in range(n)] for n in (3, 4)]
    response = source_add(small, meal=four, city=[element("city") for _ in range(3)])
    error = assert_error(response, 400, reason="too_many_elements", names="6")
    assert error["field"] == "city"
    assert not is_registered(small, "meal", four[0]["id"])
    assert source_add(small, meal=three, city=[element("city") for _ in range(3)]).status == 200


def test_m5_ten_thousand_elements_fit_and_one_more_does_not(server):
    many = [element("meal") for _ in range(10000)]
    assert_error(source_add(server, meal=many, city=[element("city")]), 400, "city", "too_many_elements", "10000")
    members = source_add(server, meal=many).data()["meal"]
    assert list(members) == [e["id"] for e in many] and all("source" in m for m in members.values())


# Bodies that are too large, cut, or in pieces (E9)

def raw_head(server, *fields):
    return "\r\n".join(["POST /v1/tour/sourceAdd HTTP/1.1", "Host: a", f"X-Service-Api-Key: {server.key_b}",
                        f"X-Service-Api-Secret: {server.secret_b}", "Content-Type: application/json", *fields,
                        "", ""]).encode()


def raw_body(made):
    return json.dumps({"adapter_id": 7, "lang_code": "en", "meal": [made]}).encode()


def test_e9_a_body_over_the_limit_is_413_and_one_at_the_limit_is_read(server):
    body = raw_body(element("meal"))
    assert post(server, "sourceAdd", body + b" " * (4194304 - len(body))).status == 200
    with Raw(server.port) as raw:
        assert raw.send(raw_head(server, "Content-Length: 4194305")).answer().status == 413


def test_a_body_in_chunks_is_taken(server):
    made = element("meal")
    body = raw_body(made)
    with Raw(server.port) as raw:
        raw.send(raw_head(server, "Transfer-Encoding: chunked"))
        for part in (body[:10], body[10:]):
            raw.send(b"%x\r\n%s\r\n" % (len(part), part))
        assert raw.send(b"0\r\n\r\n").answer().status == 200
    assert is_registered(server, "meal", made["id"])


@pytest.mark.parametrize("framing", ["Content-Length: {}", "Transfer-Encoding: chunked"])
def test_a_body_that_is_cut_adds_nothing(server, framing):
    made = element("meal")
    body = raw_body(made)
    with Raw(server.port) as raw:
        raw.send(raw_head(server, framing.format(len(body) + 1)))
        raw.send(body if "Length" in framing else b"%x\r\n%s\r\n" % (len(body), body))
        time.sleep(0.1)
    time.sleep(0.1)
    assert not is_registered(server, "meal", made["id"])


def test_a_body_in_chunks_without_end_is_cut_off(module_servers, mini):
    server = module_servers.make(mini, "--header-timeout", "1", "--max-body", "65536")
    made = element("meal")
    with Raw(server.port, timeout=30) as raw:
        raw.send(raw_head(server, "Transfer-Encoding: chunked"))
        raw.send(b"%x\r\n%s\r\n" % (len(raw_body(made)), raw_body(made)))
        started = time.monotonic()
        assert raw.end() and time.monotonic() - started < 20
    with Raw(server.port, timeout=30) as raw:
        raw.send(raw_head(server, "Transfer-Encoding: chunked"))
        for _ in range(70):
            raw.send(b"400\r\n" + b" " * 1024 + b"\r\n")
        assert raw.answer().status == 413
    assert not is_registered(server, "meal", made["id"])


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


def test_m9_it_survives_the_server(make_server, mini):
    first = make_server(mini)
    sent = [element("meal") for _ in range(20)]
    source_add(first, meal=sent).data()
    first.stop()
    second = make_server(None, data=first.data)
    found = source_info(second, meal=[e["id"] for e in sent])["meal"]
    assert [item["source"]["name"] for item in found] == [e["name"] for e in sent]


def test_the_catalog_equals_the_store_afterwards(server, run):
    done = run("check", "--data", server.data)
    assert done.returncode == 0, done.stdout + done.stderr


# Idempotency-Key

def retry(server, name, body=None, **more):
    return source_add(server, {"Idempotency-Key": name}, **(body or {}), **more)


def test_idempotency_a_retry_gets_the_same_bytes_and_says_so(server):
    name, body = new_id("retry-"), {"meal": [element("meal"), element("meal", name="")]}
    first, second = retry(server, name, body), retry(server, name, body)
    assert first.status == second.status == 200 and first.body == second.body
    assert "Idempotent-Replayed" not in first.headers
    assert second.headers["Idempotent-Replayed"] == "true"
    assert "source" in first.data()["meal"][body["meal"][0]["id"]]


def test_idempotency_without_the_key_a_retry_finds_that_it_exists(server):
    body = {"meal": [element("meal")]}
    source_add(server, **body).data()
    assert_element_error(source_add(server, **body).data()["meal"][body["meal"][0]["id"]], "id", "already_exists")


def test_idempotency_another_body_is_422_and_adds_nothing(server):
    name, other = new_id("retry-"), element("meal")
    retry(server, name, {"meal": [element("meal")]}).data()
    assert_error(retry(server, name, {"meal": [other]}), 422, "Idempotency-Key", "idempotency_mismatch")
    assert not is_registered(server, "meal", other["id"])


def test_idempotency_names_belong_to_the_key_that_sent_them(server, new_key, seen):
    key = new_key(server.data, "b", "--secret")
    assert seen(lambda: source_add(server, key=key["key"], secret=key["secret"]).status == 200)
    name, body = new_id("retry-"), {"meal": [element("meal")]}
    retry(server, name, body)
    again = retry(server, name, body, key=key["key"], secret=key["secret"])
    assert "Idempotent-Replayed" not in again.headers
    assert_element_error(again.data()["meal"][body["meal"][0]["id"]], "id", "already_exists")


@pytest.mark.parametrize("name, status", [("x", 200), ("!~" * 127 + "a", 200), ("x" * 256, 400), ("", 400),
                                          ("a b", 400), ("ключ".encode().decode("latin-1"), 400)])
def test_idempotency_a_name_is_1_to_255_visible_ascii_characters(server, name, status):
    response = retry(server, name)
    assert response.status == status, response
    if status == 400:
        assert_error(response, 400, "Idempotency-Key", "invalid_idempotency_key")


def test_idempotency_a_400_is_not_kept(server):
    name, good = new_id("retry-"), element("meal")
    assert_error(retry(server, name, {"adapter_id": 99}), 400)
    assert "source" in retry(server, name, {"meal": [good]}).data()["meal"][good["id"]]


def test_idempotency_holds_over_a_restart(make_server, mini):
    first = make_server(mini)
    body = {"meal": [element("meal")]}
    answer = retry(first, "over-a-restart", body)
    first.stop()
    second = make_server(None, data=first.data)
    second.key_b, second.secret_b = first.key_b, first.secret_b
    again = retry(second, "over-a-restart", body)
    assert again.body == answer.body and again.headers["Idempotent-Replayed"] == "true"


@pytest.mark.concurrent
def test_idempotency_of_many_at_once_one_adds_and_the_others_wait_or_repeat(server):
    name, body = new_id("retry-"), {"meal": [element("meal") for _ in range(200)]}
    responses = []
    threads = [threading.Thread(target=lambda: responses.append(retry(server, name, body))) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    answered = [r for r in responses if r.status == 200]
    assert len({r.body for r in answered}) == 1
    assert sum("Idempotent-Replayed" not in r.headers for r in answered) == 1
    for response in responses:
        if response.status != 200:
            assert_error(response, 409, "Idempotency-Key", "idempotency_in_flight")
    assert all("source" in m for m in answered[0].data()["meal"].values())


# The queue, and the end of the server

@pytest.fixture
def held(make_server, mini):
    """held(*options): a server whose store another process holds, and a function that lets it go."""
    locks = []

    def hold(*options):
        server = make_server(mini, *options)
        lock = store.hold(server.data)
        locks.append(lock)
        return server, lock.close

    yield hold
    for lock in locks:
        lock.close()


class Sender(threading.Thread):
    """One request in a thread of its own."""

    def __init__(self, server, **kinds):
        super().__init__()
        self.server, self.kinds, self.response = server, kinds, None
        self.start()

    def run(self):
        self.response = source_add(self.server, **self.kinds)

    def result(self):
        self.join()
        return self.response


def test_e2_a_full_queue_is_503_at_once_and_reads_go_on(held):
    server, let_go = held("--write-queue", "3")
    sent = [element("meal") for _ in range(4)]
    waiting = [Sender(server, meal=[e]) for e in sent[:3]]
    time.sleep(0.3)
    response = source_add(server, meal=[sent[3]])
    assert_error(response, 503, reason="queue_full")
    assert int(response.headers["Retry-After"]) > 0
    assert not is_registered(server, "meal", sent[3]["id"])
    assert [w.is_alive() for w in waiting] == [True] * 3, "answered before it was stored"
    let_go()
    for sender, e in zip(waiting, sent):
        assert "source" in sender.result().data()["meal"][e["id"]]
    assert source_add(server, meal=[sent[3]]).status == 200


def test_stopping_answers_what_is_under_way(held):
    server, let_go = held()
    sent = [element("meal") for _ in range(8)]
    waiting = [Sender(server, meal=[e]) for e in sent]
    time.sleep(0.3)
    stopping = threading.Thread(target=server.stop)
    stopping.start()
    time.sleep(0.3)
    let_go()
    stopping.join()
    assert all("source" in w.result().data()["meal"][e["id"]] for w, e in zip(waiting, sent))


def test_a_client_that_goes_away_while_it_waits_harms_nobody(held):
    server, let_go = held()
    gone, stays = element("meal"), element("meal")
    with pytest.raises(OSError):
        body = json.dumps({"adapter_id": 7, "lang_code": "en", "meal": [gone]})
        client.request(server.port, "/v1/tour/sourceAdd", "POST",
                       {"X-Service-Api-Key": server.key_b, "X-Service-Api-Secret": server.secret_b,
                        "Content-Type": "application/json", "Idempotency-Key": "gone"}, body, timeout=0.3)
    waiting = Sender(server, meal=[stays])
    time.sleep(0.2)
    let_go()
    assert waiting.result().status == 200
    again = source_add(server, {"Idempotency-Key": "gone"}, meal=[gone])
    assert again.status == 200 and "source" in again.data()["meal"][gone["id"]]


# Many clients

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
