"""tour/sourceAdd, what elements and attributes may be: spec 4.2 and 8, decisions E2, E10, L1, L6, L7, L10, M5, M11."""
import json

import pytest

from client import assert_error
from registration import (KINDS, LIST_KINDS, add_one, assert_element_error, element, is_registered,
                          new_id, post, source_add, source_info)


@pytest.fixture(scope="module")
def server(module_servers, mini):
    return module_servers.make(mini)


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


@pytest.mark.parametrize("kind", KINDS)
def test_m22_a_name_is_never_empty(server, kind):
    assert_element_error(add_one(server, kind, element(kind, name=""))[1], "name", "empty_text")


@pytest.mark.parametrize("field, title", [("category_name", "category_title"), ("country_name", "country_title"), ("city_name", "city_title")])
def test_m22_a_hotel_without_category_or_place_says_so_by_an_empty_text(server, run, field, title):
    """The echo is what was sent; what is stored is none."""
    sent = element("hotel", **{field: ""})
    source = add_one(server, "hotel", sent)[1]["source"]
    assert source[field] == "" and all(source[name] == value for name, value in sent.items())
    found = source_info(server, hotel=[sent["id"]])["hotel"][0]["source"]
    assert found[title] is None and [v for v in found.values() if v == ""] == []
    exported = run("export", "--data", server.data).stdout.splitlines()
    record = next(json.loads(line) for line in exported if json.loads(line).get("id") == sent["id"])
    assert field not in record and record["name"] == sent["name"]


def test_m22_without_the_member_or_with_null_it_is_still_an_error(server):
    member = add_one(server, "hotel", element("hotel") | {"category_name": None})[1]
    assert_element_error(member, "category_name", "missing_field")
    assert member["error"]["message"] == "category_name: expected a text of 0 to 255 characters, found null"


@pytest.mark.parametrize("text", [" ", "\t \n", "\u00a0\u3000"])
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


@pytest.mark.parametrize("code, found", [("", "an empty text"), (..., "nothing"), ("EU", "2 characters")])
def test_iso_code_says_that_null_stands_for_no_code(server, code, found):
    error = add_one(server, "currency", element("currency", iso_code=code))[1]["error"]
    assert error["message"] == f"iso_code: expected a text of 3 characters, or null where there is none, found {found}"


@pytest.mark.parametrize("code", ["", "EU", "EURO", "   "])
def test_iso_code_is_three_characters(server, code):
    assert_element_error(add_one(server, "currency", element("currency", iso_code=code))[1], "iso_code")


WRONG_TYPES = [("name", "meal", v) for v in (5, 1.5, True, [], {})] + [
    ("iso_code", "currency", 978), ("is_resort", "city", "true"), ("is_resort", "city", 1), ("is_resort", "city", ""),
    ("country_id", "city", 1.5), ("country_id", "city", True), ("country_name", "city", 5),
    ("category_id", "hotel", 5.5), ("country_id", "hotel", True), ("city_id", "hotel", []),
    ("category_name", "hotel", 5), ("country_name", "hotel", []), ("city_name", "hotel", {"a": 1})]


@pytest.mark.parametrize("field, kind, value", WRONG_TYPES)
def test_a_value_of_another_type_is_an_error(server, field, kind, value):
    assert_element_error(add_one(server, kind, element(kind) | {field: value})[1], field)


def test_m10_a_suppliers_ids_are_integers_or_texts(server):
    sent = element("hotel", category_id=5, country_id=90, city_id=-501)
    _, member = add_one(server, "hotel", sent)
    assert {name: member["source"][name] for name in ("category_id", "country_id", "city_id")} == {
        "category_id": "5", "country_id": "90", "city_id": "-501"}


# The attributes of the body

@pytest.mark.parametrize("field", ["adapter_id", "lang_code"])
@pytest.mark.parametrize("value", [..., None])
def test_a_required_attribute_that_is_missing_is_400(server, field, value):
    assert_error(source_add(server, **{field: value}), 400, field, "missing_field")


@pytest.mark.parametrize("value", ["07", "7 ", 7.0, 7.5, True, [], {}])
def test_l7_adapter_id_is_an_integer(server, value):
    assert_error(source_add(server, adapter_id=value), 400, "adapter_id", "bad_integer")


def test_l7_an_integer_may_be_its_decimal_text(server):
    assert source_add(server, adapter_id="7").status == 200


@pytest.mark.parametrize("value", [0, -7, 99, 21, 22, 2 ** 31, 2 ** 63 - 1, -2 ** 63])
def test_e2_an_unknown_adapter_is_400_and_names_it_and_so_is_one_for_air(server, value):
    assert_error(source_add(server, adapter_id=value), 400, "adapter_id", "unknown_adapter", names=str(value))


@pytest.mark.parametrize("value", ["", "e n", "en ", "-", "x" * 36, "en--gb", 5, [], True, "e", "x-a", "q-1", "7", "90", "e1", "description"])
def test_l1_a_malformed_lang_code_is_400(server, value):
    assert_error(source_add(server, lang_code=value), 400, "lang_code", "bad_language")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("value", ["a", 1, {}, True])
def test_a_kind_that_is_no_array_is_400(server, kind, value):
    assert_error(source_add(server, **{kind: value}), 400, kind, "bad_list")


@pytest.mark.parametrize("body, reason", [(b"", "invalid_json"), (b"[]", "missing_field"), (b"[{}]", "bad_body"), (b"5", "bad_body"),
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
