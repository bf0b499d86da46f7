"""tour/sourceInfo: spec 4.2 and 2.2, decisions M4, M5, R1, L1, L6, L10, E2, E4, E10."""
import json
import socket

import pytest

from client import assert_error, request
from translation import KINDS, Translation, post, source_info

PATH = "/v1/tour/sourceInfo"


@pytest.fixture(scope="module")
def world(mini):
    return Translation.from_file(mini)


def ids(items):
    return [item["id"] for item in items]


# the answer

def test_spec_every_kind_at_once(server, world):
    body = {"currency": "978", "country": "90", "dep_city": "KBP", "city": "501,502,503", "meal": "AI",
            "hotel": "1001,1001-B,1002", "hotel_category": "5"}
    assert source_info(server, 7, body).data() == world.source_info(7, body)


def test_spec_envelope(server):
    answer = source_info(server, 7, {"meal": "AI"})
    assert answer.status == 200 and answer.headers["Content-Type"].startswith("application/json")
    assert answer.json() == {"status": "success", "data": {"meal": [
        {"id": "AI", "source": {"id": "AI", "name": "All Incl"},
         "dict": {"id": 1, "name": "AI", "description": "All inclusive"}}]}}


def test_spec_a_hotel_has_every_field(server):
    item, = source_info(server, 7, {"hotel": "1001"}).data()["hotel"]
    assert item == {
        "id": "1001",
        "source": {"id": "1001", "name": "BLUE BAY PALACE 5*", "category_id": "5", "category_title": "HV-1/5*",
                   "country_id": "90", "country_title": "TURKEY", "city_id": "501", "city_title": "ANTALYA"},
        "dict": {"id": 55, "name": "Blue Bay Palace", "country_id": 1, "country_name": "Turkey", "city_id": 331,
                 "city_name": "Antalya", "hotel_category_id": 5, "hotel_category_name": "5*"}}


def test_spec_ids_that_a_supplier_did_not_send_are_null(server):
    item, = source_info(server, 7, {"hotel": "1002"}).data()["hotel"]
    assert item["source"]["category_id"] is None and item["source"]["city_title"] == "BELEK"


def test_spec_not_mapped_is_a_null_dict(server):
    item, = source_info(server, 7, {"city": "503"}).data()["city"]
    assert item == {"id": "503", "source": {"id": "503", "name": "KEMER"}, "dict": None}


def test_spec_a_dict_id_can_be_negative(server):
    item, = source_info(server, 7, {"city": "502"}).data()["city"]
    assert item["dict"]["id"] == -44


def test_m4_unknown_id(server):
    assert source_info(server, 7, {"hotel": "nope"}).data() == {
        "hotel": [{"id": "nope", "source": None, "dict": None}]}


def test_spec_ids_belong_to_one_adapter_and_one_kind(server):
    assert source_info(server, 8, {"hotel": "1001"}).data()["hotel"][0]["source"] is None
    assert source_info(server, 7, {"city": "1001"}).data()["city"][0]["source"] is None


def test_spec_an_attribute_that_is_not_passed_is_absent(server):
    for kind in KINDS:
        assert list(source_info(server, 7, {kind: "1"}).data()) == [kind]
    assert source_info(server, 7, {}).data() == {}


def test_l6_null_is_as_if_not_sent(server):
    assert source_info(server, 7, {"hotel": None, "meal": "AI"}).data().keys() == {"meal"}


@pytest.mark.parametrize("empty", ["", " ", ",", " , ,, ", []])
def test_m4_an_empty_list_is_an_empty_array(server, empty):
    assert source_info(server, 7, {"hotel": empty}).data() == {"hotel": []}


def test_m4_spaces_are_trimmed_and_empty_parts_dropped(server):
    assert ids(source_info(server, 7, {"hotel": " 1001 ,, 1002,,nope ,"}).data()["hotel"]) == ["1001", "1002", "nope"]


def test_m4_order_and_repeats_are_kept(server, world):
    body = {"hotel": "1002,1001,nope,1001,1002,1001-B"}
    assert source_info(server, 7, body).data() == world.source_info(7, body)


def test_m4_arrays_of_texts_and_integers(server, world):
    body = {"hotel": ["1001", 1002, "a,b", -5, 0], "country": [90]}
    assert source_info(server, 7, body).data() == world.source_info(7, body)


def test_m4_minus_zero_is_zero(server):
    assert ids(source_info(server, 7, b'{"hotel":[-0, 0]}').data()["hotel"]) == ["0", "0"]


def test_m4_a_text_of_an_array_is_taken_as_it_is(server):
    assert ids(source_info(server, 7, {"hotel": [" 1001", "1001,1002", ""]}).data()["hotel"]) == [
        " 1001", "1001,1002", ""]


@pytest.mark.parametrize("id", ['quo"te', "back\\slash", "новий", "t\tb", "\x01", "\U0001f3e8", "x" * 5000])
def test_m4_any_text_comes_back_as_it_was(server, id):
    assert ids(source_info(server, 7, {"hotel": [id, "1001"]}).data()["hotel"]) == [id, "1001"]


def test_l10_escapes_in_the_body_are_understood(server):
    assert ids(source_info(server, 7, rb'{"hot\u0065l":"\u0031001,1\u00302"}').data()["hotel"]) == ["1001", "102"]


# languages

@pytest.mark.parametrize("lang", ["en", "uk", "uk-UA", "UK", "de", "de-AT", "xx"])
def test_l1_names_in_the_language_asked_each_with_its_fallback(server, world, lang):
    body = {"hotel": "1001,1001-B", "country": "90", "meal": "AI", "currency": "978", "city": "501,502"}
    assert source_info(server, 7, body, f"&lang={lang}").data() == world.source_info(7, body, lang)


def test_l1_what_is_no_language_tag_counts_as_not_sent(server):
    answer = source_info(server, 7, {"meal": "AI"}, "&lang=a+b")
    assert answer.body == source_info(server, 7, {"meal": "AI"}).body and answer.headers["X-Ignored-Fields"] == "lang"


# adapters

def test_r1_every_stage_is_translated(server, world):
    body = {"hotel": "77"}
    assert source_info(server, 9, body).data() == world.source_info(9, body)


@pytest.mark.parametrize("adapter", [21, 22, 999, 0, -1, 2**63 - 1])
def test_e2_r1_unknown_and_air_adapters_are_400(server, adapter):
    assert_error(source_info(server, adapter, {}), 400, "adapter_id", "unknown_adapter", str(adapter))


def test_adapter_id_is_required(server):
    assert_error(post(server, "tour/sourceInfo", {}), 400, "adapter_id", "missing_field")
    assert_error(post(server, "tour/sourceInfo", {"adapter_id": 7}), 400, "adapter_id", "missing_field", "in the query")


@pytest.mark.parametrize("value", ["7.0", "x", "1e1", "99999999999999999999", "%207"])
def test_l7_adapter_id_must_be_an_integer(server, value):
    assert_error(source_info(server, value, {}), 400, "adapter_id")


def test_l6_repeated_adapter_id_is_400(server):
    assert_error(source_info(server, 7, {}, "&adapter_id=8"), 400, "adapter_id")


# limits

@pytest.mark.parametrize("of", [["hotel"], ["hotel", "city"], list(KINDS)])
@pytest.mark.parametrize("array", [False, True])
def test_m5_ten_thousand_ids_of_all_kinds_together(server, of, array):
    def body(n):
        share = [["1001"] * (n // len(of) + (i < n % len(of))) for i in range(len(of))]
        return {kind: part if array else ",".join(part) for kind, part in zip(of, share)}

    data = source_info(server, 7, body(10_000)).data()
    assert sum(map(len, data.values())) == 10_000
    error = assert_error(source_info(server, 7, body(10_001)), 400, reason="too_many_ids", names="10000")
    assert error["field"] in of


def test_m5_commas_are_not_ids(server):
    assert ids(source_info(server, 7, {"hotel": "," * 3_000_000 + "1"}).data()["hotel"]) == ["1"]


def test_m5_the_limit_is_an_option(make_server, mini):
    server = make_server(mini, "--max-batch", 3)
    assert len(source_info(server, 7, {"hotel": "1,2", "city": [1]}).data()["hotel"]) == 2
    assert_error(source_info(server, 7, {"hotel": "1,2", "city": [1, 1]}), 400, "city", "too_many_ids", "3")


def test_e9_a_body_over_the_limit_is_413(server):
    headers = {"X-Service-Api-Key": server.key_b, "Content-Length": str(4 * 1024 * 1024 + 1)}
    assert_error(server.request(PATH + "?adapter_id=7", "POST", headers), 413)


# bad bodies

BAD_JSON = [b"{", b'{"hotel"', b'{"hotel":"1', b'{"hotel":"1"', b'{"hotel":"1"}}', b'{"hotel":"1",}', b"{}{}",
            b"{'hotel':'1'}", b'{"hotel":01}', b'{"hotel":[1,]}', b'{"hotel":[1 2]}', b'{"hotel":"\n"}', b'{"hotel":"\\x"}',
            b'{"hotel":"\\u0000"}', b'{"hotel":"\\ud800"}', b'{"hotel":"\\udc00\\ud800"}', b'{"hotel":"\xff"}',
            b'\xef\xbb\xbf{}', b'{"a":nan}', b"hotel=1", b"\x00", b'{"hotel":"\xed\xa0\x80"}']


def test_l10_a_number_beyond_a_double_is_an_error_of_what_reads_it(server):
    error = assert_error(source_info(server, 7, b'{"hotel":[1001,1e999]}'), 400, "hotel", "bad_id")
    assert error["message"] == "hotel[1]: expected a text or an integer, found a number that is too big"
    assert source_info(server, 7, b'{"hotel":[1001],"unknown":-1e999}').status == 200


@pytest.mark.parametrize("body", BAD_JSON, ids=repr)
def test_l10_what_is_no_json_is_400_with_line_and_column(server, body):
    error = assert_error(source_info(server, 7, body), 400)
    assert "line " in error["message"] and "column " in error["message"], error


def test_l10_line_and_column_are_those_of_the_fault(server):
    error = assert_error(source_info(server, 7, '{"city": "é",\n "hotel": ?}'.encode()), 400, reason="invalid_json")
    assert "line 2, column 11" in error["message"], error


@pytest.mark.parametrize("body", ['{"hotel":"1","hotel":"1"}', '{"hotel":null,"hotel":"1"}', '{"hotel":"1","h\\u006ftel":"2"}',
                                  '{"x":1,"x":1}', '{"x":{"a":1,"a":2}}', '{"x":[{"a":1,"a":2}],"hotel":"1"}'])
def test_l10_duplicate_members_are_400(server, body):
    assert_error(source_info(server, 7, body.encode()), 400, reason="duplicate_member")


def nested(depth, open="[", close="]"):
    return f'{{"x":{open * depth}{close * depth}}}'.encode()


def test_l10_nesting_of_32_and_33(server):
    assert source_info(server, 7, nested(31)).status == 200
    assert_error(source_info(server, 7, nested(32)), 400, reason="too_deep")


@pytest.mark.parametrize("body", [nested(10_000), b"[" * 10_000, b'{"a":' * 10_000, b'{"hotel":' + b"[" * 10_000])
def test_l10_depth_of_10000(server, body):
    assert_error(source_info(server, 7, body), 400, reason="too_deep")


@pytest.mark.parametrize("body", [["1001"], "1001", 5, None, True, 1.5])
def test_the_body_must_be_an_object(server, body):
    assert_error(source_info(server, 7, body), 400)


def test_l10_an_empty_array_is_an_object_without_members(server):
    assert source_info(server, 7, []).body == source_info(server, 7, {}).body


@pytest.mark.parametrize("value", [1, 1.5, True, {}, {"0": 1}])
def test_m4_other_values_are_400(server, value):
    assert_error(source_info(server, 7, {"city": "1", "hotel": value}), 400, "hotel", "bad_list")


@pytest.mark.parametrize("item", [1.5, True, None, {}, [], ["1"]])
def test_m4_other_items_are_400(server, item):
    assert_error(source_info(server, 7, {"hotel": ["1", item]}), 400, "hotel", "bad_id")


def test_l6_unknown_attributes_are_ignored_and_named(server):
    answer = source_info(server, 7, {"hotels": "1", "meal": "AI", "hotel_type": {"a": [1, None]}}, "&lan=uk")
    assert list(answer.data()) == ["meal"]
    assert {name.strip() for name in answer.headers["X-Ignored-Fields"].split(",")} == {"hotels", "hotel_type", "lan"}


@pytest.mark.parametrize("type", ["application/x-www-form-urlencoded", "text/plain", "application/jsonp",
                                  "application/json; charset=latin1"])
def test_e10_another_media_type_is_415_unless_the_body_begins_as_json_does(server, type):
    assert_error(source_info(server, 7, b"meal=AI", type=type), 415)
    assert source_info(server, 7, {"meal": "AI"}, type=type).body == source_info(server, 7, {"meal": "AI"}).body


def test_e10_a_multipart_form_is_never_json(server):
    assert_error(source_info(server, 7, {}, type="multipart/form-data"), 415)


@pytest.mark.parametrize("type", [None, "application/json", "Application/JSON; charset=UTF-8"])
def test_e10_json_with_and_without_a_media_type(server, type):
    assert source_info(server, 7, {"meal": "AI"}, type=type).status == 200


@pytest.mark.parametrize("headers", [{}, {"X-Api-Key": "a"}, {"X-Service-Api-Key": "a"}, {"X-Service-Api-Key": ""}])
def test_e4_only_keys_of_api_b(server, headers):
    headers = {name: server.key_a if value == "a" else value for name, value in headers.items()}
    assert_error(server.request(PATH + "?adapter_id=7", "POST", headers, b"{}"), 403)


def test_e7_the_key_comes_before_the_body(server):
    assert_error(server.request(PATH, "POST", {"Content-Type": "text/plain"}, b"{"), 403)


def test_get_is_405(server):
    answer = server.b("tour/sourceInfo?adapter_id=7")
    assert_error(answer, 405)
    assert "POST" in answer.headers["Allow"]


def test_a_body_that_is_cut_changes_nothing(server):
    """The client goes away in the middle of its body; the next request is answered."""
    for cut in (1, 10, 30):
        body = json.dumps({"hotel": "1001,1002," * 10}).encode()
        with socket.create_connection(("127.0.0.1", server.port)) as s:
            s.sendall(f"POST {PATH}?adapter_id=7 HTTP/1.1\r\nHost: x\r\nX-Service-Api-Key: {server.key_b}\r\n"
                      f"Content-Length: {len(body)}\r\n\r\n".encode() + body[:cut])
    assert source_info(server, 7, {"meal": "AI"}).status == 200


def test_x_a_body_in_chunks(server):
    pieces = iter([b'{"ho', b'tel":"10', b'01"}'])
    answer = request(server.port, PATH + "?adapter_id=7", "POST", {"X-Service-Api-Key": server.key_b}, pieces)
    assert ids(answer.data()["hotel"]) == ["1001"]
