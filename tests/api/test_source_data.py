"""tour/sourceData: spec 4.2, decisions M1 to M3, M5, R1, E2, E10, L6, L7, L10."""
import json
from urllib.parse import quote_plus

import pytest

from client import assert_error
from translation import FORM, Translation, form, post, source_data

NEEDED = {"adapter_id": 7, "dep_city": 10, "country": 1}
EVERYTHING = {**NEEDED, "city": [331, -44], "hotel": [55, 56], "hotel_category": [5, 4], "meal": [1, 2], "currency": 1}

#: Supplier records of every sort of id, several to one dict record.
ROWS = [
    {"type": "adapter", "id": 1, "code": "a\"1", "name": "A & \\ B", "domain": "tour"},
    {"type": "adapter", "id": 2, "code": "a2", "name": "Mapping", "domain": "tour", "stage": "mapping"},
    {"type": "adapter", "id": 3, "code": "a3", "name": "Air", "domain": "air"},
    {"type": "dict", "kind": "country", "id": 1, "name": "Turkey", "iso_alpha_2": "TR"},
    {"type": "dict", "kind": "country", "id": 2, "name": "Poland", "iso_alpha_2": "PL"},
    {"type": "dict", "kind": "dep_city", "id": 10, "name": "Kyiv", "country_id": 2},
    {"type": "dict", "kind": "dep_city", "id": 11, "name": "Lviv", "country_id": 2},
    {"type": "dict", "kind": "city", "id": -5, "name": "Belek", "country_id": 1},
    {"type": "dict", "kind": "city", "id": 5, "name": "Kemer", "country_id": 1, "is_resort": True},
    {"type": "dict", "kind": "hotel_category", "id": 5, "name": "5*"},
    {"type": "dict", "kind": "meal", "id": 1, "name": "AI"},
    {"type": "dict", "kind": "currency", "id": 1, "name": "Euro", "iso_code": "EUR"},
    {"type": "dict", "kind": "currency", "id": 2, "name": "Dollar", "iso_code": "USD"},
    *({"type": "dict", "kind": "hotel", "id": id, "name": f"Hotel {id}", "country_id": 1, "city_id": 5,
       "hotel_category_id": 5} for id in range(100, 106)),
    {"type": "source", "adapter_id": 1, "kind": "country", "id": "90", "name": "T", "dict_id": 1},
    {"type": "source", "adapter_id": 1, "kind": "country", "id": "100", "name": "T2", "dict_id": 1},
    {"type": "source", "adapter_id": 1, "kind": "dep_city", "id": "KBP", "name": "K", "dict_id": 10},
    {"type": "source", "adapter_id": 1, "kind": "city", "id": "1", "name": "B", "is_resort": True, "dict_id": -5},
    {"type": "source", "adapter_id": 1, "kind": "city", "id": "2", "name": "K", "dict_id": 5},
    {"type": "source", "adapter_id": 1, "kind": "hotel_category", "id": "c", "name": "5 \"stars\"", "dict_id": 5},
    {"type": "source", "adapter_id": 1, "kind": "meal", "id": "7", "name": "All\n", "dict_id": 1},
    {"type": "source", "adapter_id": 1, "kind": "currency", "id": "978", "name": "EURO", "iso_code": "EUR", "dict_id": 1},
    {"type": "source", "adapter_id": 1, "kind": "currency", "id": "840", "name": "USD", "iso_code": None, "dict_id": 2},
    *({"type": "source", "adapter_id": 1, "kind": "hotel", "id": id, "name": "h", "category_name": "c",
       "country_name": "c", "city_name": "c", "dict_id": dict_id}
      for dict_id, ids in {100: ["10", "9", "a", "é", "B", "010", "-1"], 101: ["7"], 102: []}.items() for id in ids),
    {"type": "source", "adapter_id": 2, "kind": "hotel", "id": "m", "name": "h", "category_name": "c",
     "country_name": "c", "city_name": "c", "dict_id": 100},
]
BASE = {"adapter_id": 1, "dep_city": 10, "country": 1}

#: Supplier ids with what M1 makes of them.
ORIG_IDS = {"0": 0, "-0": "-0", "00": "00", "7": 7, "-7": -7, "+7": "+7", "07": "07", "7.0": "7.0", "1e3": "1e3", "7 ": "7 ",
            "9007199254740991": 2**53 - 1, "-9007199254740991": -2**53 + 1, "9007199254740992": "9007199254740992",
            "-9007199254740992": "-9007199254740992", "9007199254740993": "9007199254740993", "007": "007",
            "9223372036854775807": "9223372036854775807", "9223372036854775808": "9223372036854775808",
            "-9223372036854775809": "-9223372036854775809", "٣": "٣", "0x1": "0x1", "a\"b\\": "a\"b\\"}


@pytest.fixture(scope="module")
def world():
    return Translation(ROWS)


@pytest.fixture(scope="module")
def rows(module_servers):
    return module_servers.make(ROWS)


# the answer

def test_spec_every_part(server, mini):
    assert source_data(server, EVERYTHING).json() == {"status": "success", "data": {
        "adapter": {"id": 7, "code": "coral", "name": "Coral Tours"},
        "dep_city": {"dict_id": 10, "orig_id": "KBP"},
        "country": {"dict_id": 1, "orig_id": 90},
        "city": [{"dict_id": 331, "orig_id": 501, "is_resort": False}, {"dict_id": -44, "orig_id": 502, "is_resort": True}],
        "hotel": [{"dict_id": 55, "orig_id": 1001}, {"dict_id": 55, "orig_id": "1001-B"}],
        "hotel_category": [{"dict_id": 5, "orig_id": 5, "orig_title": "HV-1/5*"}],
        "meal": [{"dict_id": 1, "orig_id": "AI", "orig_title": "All Incl"}],
        "currency": {"dict_id": 1, "orig_id": "978", "orig_iso_code": "EUR", "orig_title": "EURO"}}}
    assert source_data(server, EVERYTHING).data() == Translation.from_file(mini).source_data(EVERYTHING)


@pytest.mark.parametrize("none", [{}, {"city": [], "hotel": [], "hotel_category": [], "meal": []},
                                  {"city": None, "hotel": None, "hotel_category": None, "meal": None, "currency": None}])
def test_spec_a_kind_left_out_or_empty_has_no_results(server, none):
    data = source_data(server, {**NEEDED, **none}).data()
    assert {kind: data[kind] for kind in ("city", "hotel", "hotel_category", "meal", "currency")} == {
        "city": [], "hotel": [], "hotel_category": [], "meal": [], "currency": None}


def test_m2_objects_are_null_when_not_mapped(rows, world):
    body = {**BASE, "dep_city": 11, "country": 2}
    data = source_data(rows, body).data()
    assert data["dep_city"] is None and data["country"] is None and data["currency"] is None
    assert data == world.source_data(body)


def test_m2_unknown_and_unmapped_ids_are_left_out(rows):
    data = source_data(rows, {**BASE, "hotel": [999, 102, 101, -1], "meal": [9], "currency": 77}).data()
    assert data["hotel"] == [{"dict_id": 101, "orig_id": 7}]
    assert data["meal"] == [] and data["currency"] is None


def test_m2_several_records_of_one_dict_id_ascending_by_bytes(rows):
    data = source_data(rows, {**BASE, "hotel": [100]}).data()
    assert [entry["orig_id"] for entry in data["hotel"]] == [-1, "010", 10, 9, "B", "a", "é"]


def test_m2_objects_take_the_first_by_bytes(rows):
    assert source_data(rows, BASE).data()["country"] == {"dict_id": 1, "orig_id": 100}


def test_m2_an_id_asked_twice_is_answered_once_in_the_order_asked(rows, world):
    body = {**BASE, "hotel": [101, 100, 101, 100, 102, 101], "city": [5, -5, 5]}
    data = source_data(rows, body).data()
    assert [entry["dict_id"] for entry in data["hotel"]] == [101] + [100] * 7
    assert [entry["dict_id"] for entry in data["city"]] == [5, -5]
    assert data == world.source_data(body)


def test_m2_is_resort_is_the_supplier_records(rows):
    data = source_data(rows, {**BASE, "city": [-5, 5]}).data()
    assert [entry["is_resort"] for entry in data["city"]] == [True, False]


def test_m1_currency_ids_are_texts_and_codes_can_be_null(rows):
    assert source_data(rows, {**BASE, "currency": 2}).data()["currency"] == {
        "dict_id": 2, "orig_id": "840", "orig_iso_code": None, "orig_title": "USD"}


def test_m1_integers_where_the_supplier_id_is_one(make_server):
    hotel = {"type": "source", "adapter_id": 1, "kind": "hotel", "name": "h", "category_name": "c", "country_name": "c",
             "city_name": "c", "dict_id": 103}
    server = make_server(ROWS + [{**hotel, "id": id} for id in ORIG_IDS])
    data = source_data(server, {**BASE, "hotel": [103]}).data()
    assert [entry["orig_id"] for entry in data["hotel"]] == [ORIG_IDS[id] for id in sorted(ORIG_IDS, key=str.encode)]


def test_spec_names_are_escaped(rows, world):
    body = {**BASE, "hotel_category": [5], "meal": [1]}
    assert source_data(rows, body).data() == world.source_data(body)


def test_spec_lang_is_accepted(rows):
    assert source_data(rows, BASE, "?lang=uk").body == source_data(rows, BASE).body
    assert source_data(rows, BASE, "?lang=e+n").headers["X-Ignored-Fields"] == "lang"


def test_r1_every_stage_but_not_air(rows, world):
    body = {**BASE, "adapter_id": 2, "hotel": [100]}
    assert source_data(rows, body).data() == world.source_data(body)
    assert_error(source_data(rows, {**BASE, "adapter_id": 3}), 400, "adapter_id", "unknown_adapter")


# M47: every orig_id a text

def orig_ids(value):
    return [v["orig_id"] for v in value] if isinstance(value, list) else [value["orig_id"]] if value else []


ASKED = {**BASE, "hotel": [101, 100], "city": [5, -5], "meal": [1], "hotel_category": [5], "currency": 1}


@pytest.mark.parametrize("query, texts", [("?text_ids", True), ("?text_ids=1", True), ("?text_ids=true&lang=uk", True), ("?text_ids=0", False), ("", False)])
def test_m47_the_parameter_makes_every_orig_id_a_text(rows, query, texts):
    plain = source_data(rows, ASKED, query="?lang=uk" if "lang" in query else "").data()
    data = source_data(rows, ASKED, query=query).data()
    ids = [id for value in data.values() for id in (orig_ids(value) if value is not data["adapter"] else [])]
    assert (all(isinstance(id, str) for id in ids)) == texts and len(ids) > 4
    as_text = json.loads(json.dumps(plain), object_hook=lambda o: o | ({"orig_id": str(o["orig_id"])} if "orig_id" in o else {}))
    assert data == (as_text if texts else plain)
    assert_error(source_data(rows, ASKED, query="?text_ids=maybe"), 400, "text_ids", "bad_flag")


def test_m47_a_key_can_want_it_and_the_parameter_goes_before(make_server, mini, new_key, run, seen):
    server = make_server(mini)
    body = {"adapter_id": 7, "dep_city": 10, "country": 1, "hotel": [55]}
    key = new_key(server.data, "b", "--text-ids", "on")

    def hotels(query=""):
        answer = server.request("/v1/tour/sourceData" + query, "POST", {"X-Service-Api-Key": key["key"], "Content-Type": "application/json"},
                                json.dumps(body).encode())
        return [entry["orig_id"] for entry in answer.data()["hotel"]] if answer.status == 200 else None

    assert seen(lambda: hotels() == ["1001", "1001-B"])
    assert hotels("?text_ids=0") == [1001, "1001-B"]
    assert run("key", "set", key["id"], "--text-ids", "off", "--data", server.data).returncode == 0
    assert seen(lambda: hotels() == [1001, "1001-B"]) and hotels("?text_ids=1") == ["1001", "1001-B"]
    assert run("key", "set", key["id"], "--note", "x", "--text-ids", "on", "--data", server.data).returncode == 0
    assert run("key", "set", key["id"], "--note", "y", "--data", server.data).returncode == 0
    assert seen(lambda: hotels() == ["1001", "1001-B"])
    listed = json.loads(run("key", "list", "--json", "--data", server.data).stdout)
    assert {k["id"]: k["text_ids"] for k in listed}[key["id"]] is True and sum(k["text_ids"] for k in listed) == 1
    done = run("key", "create", "--api", "a", "--text-ids", "on", "--data", server.data)
    assert done.returncode != 0 and "text-ids: answers of API a have no ids of suppliers" in done.stderr


# forms

@pytest.mark.parametrize("style", ["brackets", "numbers", "repeated", "commas"])
def test_m3_a_form_says_the_same_as_json(rows, style):
    body = {**BASE, "hotel": [101, 100, 101, 999], "city": [-5, 5], "meal": [1], "hotel_category": [5], "currency": 1}
    assert source_data(rows, form(body, style), type=FORM).body == source_data(rows, body).body


@pytest.mark.parametrize("lists", ["city[]=-5&city=5", "city=-5,5", "city=%2D5%2C5", "city%5B%5D=-5&city%5b1%5d=5", "city=-5&city[7]=5",
                                   "city=,-5,,+5,", "city=&city=-5&city[]=5", "city[]=-5,5", "&&city=-5&&city=5&"])
def test_m3_ways_of_saying_it(rows, lists):
    body = b"adapter_id=1&dep_city=10&country=1&" + lists.encode()
    expected = source_data(rows, {**BASE, "city": [-5, 5]}).body
    assert source_data(rows, body, type=FORM).body == expected
    assert source_data(rows, body, type=FORM + "; charset=UTF-8").body == expected


@pytest.mark.parametrize("name, written", [("city", "city[a]"), ("city", "city[][]"), ("city", "city[0][id]"), ("city", "city["), ("meal", "meal[x]"),
                                           ("hotel", "hotel[-1]"), ("currency", "currency[]"), ("currency", "currency[0]"), ("currency", "currency[x]")])
def test_l6_brackets_that_make_no_list_of_a_name_are_400(rows, name, written):
    error = assert_error(source_data(rows, form(BASE) + f"&{quote_plus(written)}=1".encode(), type=FORM), 400, name, "bad_list", names=written)
    assert f"expected {name}" in error["message"]


def test_l6_the_name_that_a_bracket_belongs_to_is_the_whole_name(rows):
    answer = source_data(rows, form(BASE) + b"&cities[a]=1&city_[]=1&[]=1", type=FORM)
    assert answer.status == 200 and set(answer.headers["X-Ignored-Fields"].split(", ")) == {"cities[a]", "city_[]", "[]"}


def test_l6_empty_values_of_a_form_are_as_if_not_sent(rows):
    assert source_data(rows, form(BASE) + b"&currency=&hotel=&meal[]=", type=FORM).body == source_data(rows, BASE).body


@pytest.mark.parametrize("name", list(NEEDED))
def test_l6_an_empty_required_value_of_a_form_is_missing(rows, name):
    assert_error(source_data(rows, form({**BASE, name: ""}), type=FORM), 400, name, "missing_field")


@pytest.mark.parametrize("name", [*NEEDED, "currency"])
def test_l6_a_scalar_given_twice_in_a_form_is_400(rows, name):
    body = form({**BASE, "currency": 1})
    assert_error(source_data(rows, body + f"&{name}=424242".encode(), type=FORM), 400, name, "repeated_parameter")
    again = f"&{name}={ {**BASE, 'currency': 1}[name]}".encode()
    assert source_data(rows, body + again, type=FORM).body == source_data(rows, body, type=FORM).body


@pytest.mark.parametrize("name", [*NEEDED, "currency", "city", "hotel", "meal", "hotel_category"])
@pytest.mark.parametrize("value", ["x", "1.0", "1e2", "+1", "9223372036854775808", "0x1", "true", "[1]"])
def test_l7_integers_of_a_form(rows, name, value):
    assert_error(source_data(rows, form({**BASE, name: value}), type=FORM), 400, name, "bad_integer")


def test_l7_leading_zeros_of_a_form_are_taken(rows):
    zeros = {**BASE, "adapter_id": f"00{BASE['adapter_id']}"}
    assert source_data(rows, form(zeros), type=FORM).body == source_data(rows, form(BASE), type=FORM).body


@pytest.mark.parametrize("body", [b"adapter_id=1&x=%zz", b"adapter_id=%", b"adapter_id=1&dep_city=%ff", b"a%00=1"])
def test_m3_bad_escapes_are_400(rows, body):
    assert_error(source_data(rows, body, type=FORM), 400)


def test_l6_unknown_fields_are_ignored_and_named(rows):
    for answer in (source_data(rows, {**BASE, "hotels": [1], "lang": "uk"}),
                   source_data(rows, form({**BASE, "lang": "uk"}) + b"&hotels=1", type=FORM)):
        assert answer.body == source_data(rows, BASE).body
        assert {name.strip() for name in answer.headers["X-Ignored-Fields"].split(",")} == {"hotels", "lang"}


@pytest.mark.parametrize("type", ["text/plain", "application/xml", "application/json-seq"])
def test_e10_another_media_type_is_415(rows, type):
    for body in (b"", b"[]", b"<x/>", form(BASE)):
        assert_error(source_data(rows, body, type=type), 415)


@pytest.mark.parametrize("type", ["text/plain", FORM, "application/json; charset=cp1251"])
@pytest.mark.parametrize("space", [b"", b" ", b"\r\n\t "])
def test_e10_a_body_that_begins_as_json_does_is_json_whatever_is_said(rows, type, space):
    assert source_data(rows, space + json.dumps(BASE).encode(), type=type).body == source_data(rows, BASE).body


def multipart(fields, style="{}[]", boundary="b0undary"):
    """A body as curl -F sends it."""
    parts = [(name if not isinstance(value, list) else style, name, item)
             for name, value in fields.items() for item in (value if isinstance(value, list) else [value])]
    text = "".join(f'--{boundary}\r\nContent-Disposition: form-data; name="{pattern.format(name)}"\r\n\r\n{item}\r\n'
                   for pattern, name, item in parts)
    return {"body": f"{text}--{boundary}--\r\n".encode(), "type": f"multipart/form-data; boundary={boundary}"}


@pytest.mark.parametrize("body", [multipart(BASE)["body"], json.dumps(BASE).encode()])
def test_e10_a_multipart_form_is_415_and_told_what_is_taken(rows, body):
    error = assert_error(source_data(rows, body, type=multipart(BASE)["type"]), 415)
    assert "application/json" in error["message"] and "application/x-www-form-urlencoded" in error["message"]


def test_e10_a_missing_media_type_is_json(rows):
    assert source_data(rows, BASE, type=None).status == 200
    assert_error(source_data(rows, form(BASE), type=None), 400)


# wrong values

@pytest.mark.parametrize("name", list(NEEDED))
def test_spec_required_fields(rows, name):
    for body in ({key: value for key, value in BASE.items() if key != name}, {**BASE, name: None}):
        assert_error(source_data(rows, body), 400, name, "missing_field")
    assert_error(source_data(rows, form({key: value for key, value in BASE.items() if key != name}), type=FORM), 400, name,
                 "missing_field")


@pytest.mark.parametrize("name, reason", [("adapter_id", "unknown_adapter"), ("dep_city", "unknown_dep_city"),
                                          ("country", "unknown_country")])
@pytest.mark.parametrize("value", [0, 424242, -2**63])
def test_e2_unknown_identifiers_are_400(rows, name, reason, value):
    assert_error(source_data(rows, {**BASE, name: value}), 400, name, reason, str(value))
    assert_error(source_data(rows, form({**BASE, name: value}), type=FORM), 400, name, reason, str(value))


@pytest.mark.parametrize("name", [*NEEDED, "currency"])
@pytest.mark.parametrize("value", ["", "01", "+1", "-0", " 1", "1.0", str(2**63), 12.0, 1.5, True, [], [1], {}])
def test_l7_integers_of_json(rows, name, value):
    assert_error(source_data(rows, {**BASE, name: value}), 400, name, "bad_integer")


@pytest.mark.parametrize("name", ["city", "hotel", "hotel_category", "meal"])
@pytest.mark.parametrize("value", [1, "1", "", {}, False])
def test_spec_lists_are_arrays(rows, name, value):
    assert_error(source_data(rows, {**BASE, name: value}), 400, name, "bad_list")


@pytest.mark.parametrize("name", ["city", "hotel", "hotel_category", "meal"])
@pytest.mark.parametrize("item", ["01", 1.0, None, True, [1], {}])
def test_l7_items_are_integers(rows, name, item):
    assert_error(source_data(rows, {**BASE, name: [1, item]}), 400, name, "bad_integer")


def test_l7_the_text_of_an_integer_is_taken_in_json(rows):
    """Ids come as text from API A, and from languages that know one type of keys only."""
    sent = {**BASE, "hotel": [55, 56], "city": [-1]}
    text = {name: [str(i) for i in value] if isinstance(value, list) else str(value) for name, value in sent.items()}
    assert source_data(rows, text).body == source_data(rows, sent).body


def test_l7_integers_are_within_int64(rows):
    assert source_data(rows, {**BASE, "hotel": [2**63 - 1, -2**63]}).data()["hotel"] == []
    assert_error(source_data(rows, {**BASE, "hotel": [2**63]}), 400, "hotel", "bad_integer", names=str(2**63))


@pytest.mark.parametrize("body", [b"{", b'{"adapter_id":1,"adapter_id":1}', b"[" * 10_000, b"\xff", b'{"city":[1,]}', b"adapter_id=1"])
def test_l10_what_is_no_json_is_400(rows, body):
    error = assert_error(source_data(rows, body), 400)
    assert "line " in error["message"]


@pytest.mark.parametrize("body", [b"", b" ", b"\r\n\t "])
def test_an_empty_body_is_called_so(rows, body):
    assert assert_error(source_data(rows, body), 400, reason="invalid_json")["message"] == "the body is empty: expected a JSON object"


@pytest.mark.parametrize("name, items, at", [("city", [5, "x"], 1), ("hotel", [None], 0), ("meal", [1] * 700 + [1.5], 700)])
def test_a_wrong_item_is_named_by_its_place(rows, name, items, at):
    error = assert_error(source_data(rows, {**BASE, name: items}), 400, name, "bad_integer")
    assert error["message"].startswith(f"{name}[{at}]: expected an integer, found ")


@pytest.mark.parametrize("of", [["hotel"], ["city", "hotel", "hotel_category", "meal"]])
@pytest.mark.parametrize("style", ["json", "commas", "brackets", "repeated"])
def test_m5_ten_thousand_ids_of_all_kinds_together(rows, of, style):
    def ask(n):
        body = dict(BASE, currency=1)
        for i, kind in enumerate(of):
            body[kind] = [101] * (n // len(of) + (i < n % len(of)))
        return source_data(rows, body) if style == "json" else source_data(rows, form(body, style), type=FORM)

    assert ask(10_000).data()["hotel"] == [{"dict_id": 101, "orig_id": 7}]
    assert assert_error(ask(10_001), 400, reason="too_many_ids", names="10000")["field"] in of


def test_m5_ten_thousand_different_ids(rows):
    asked = list(range(-5000, 5000))
    data = source_data(rows, {**BASE, "hotel": asked[::-1]}).data()
    assert [entry["dict_id"] for entry in data["hotel"]] == [101] + [100] * 7


def test_e4_only_keys_of_api_b(server):
    for headers in ({}, {"X-Service-Api-Key": server.key_a}, {"X-Api-Key": server.key_a}):
        assert_error(server.request("/v1/tour/sourceData", "POST", headers, b"{}"), 403)


def test_names_with_a_percent_sign(rows):
    assert source_data(rows, form(BASE) + b"&" + quote_plus("%n").encode() + b"=1", type=FORM).status == 200


def test_the_path_has_no_more_segments(rows):
    assert_error(post(rows, "tour/sourceData/1", BASE), 404)
