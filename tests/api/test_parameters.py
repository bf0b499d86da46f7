"""Parameters of the list endpoints: L2 (demo), L3 (country), L6 (unknown, repeated, empty), L7 (integers)."""
from urllib.parse import quote

import pytest

from client import assert_error

ENDPOINTS = [("a", "tour/main-references?"), ("b", "tour/reference?"),
             ("a", "tour/hotel-references?dep_city=11&country=1&"), ("b", "tour/referenceData?dep_city=11&country=1&")]
PAIR = [("a", "tour/hotel-references?"), ("b", "tour/referenceData?")]


def ignored(response):
    value = response.headers.get("X-Ignored-Fields")
    return sorted(name.strip() for name in value.split(",")) if value else []


@pytest.mark.parametrize("api, path", ENDPOINTS)
@pytest.mark.parametrize("value, on", [("demo", True), ("demo=", True), ("demo=1", True), ("demo=true", True),
                                       ("demo=yes", True), ("demo=on", True), ("demo=0", False), ("demo=false", False),
                                       ("demo=no", False), ("demo=off", False)])
def test_l2_demo_on_and_off(server, api, path, value, on):
    reference = server.api(api, path + ("demo=1" if on else "")).data()
    assert server.api(api, path + value).data() == reference
    assert (server.api(api, path).data() == reference) != on


@pytest.mark.parametrize("api, path", ENDPOINTS)
@pytest.mark.parametrize("value", ["2", "onn", "да", "-1", "truee", "1,1"])
def test_l2_another_value_of_demo_is_400(server, api, path, value):
    assert_error(server.api(api, f"{path}demo={quote(value)}"), 400, "demo")


@pytest.mark.parametrize("code", ["t", "TUR", "T1", "12", "%D1%82%D1%83", "T%20", "T-", "T%2B"])
def test_l3_a_country_that_is_not_two_letters_is_400(server, code):
    assert_error(server.a(f"tour/main-references/{code}"), 400, "country")
    assert_error(server.b(f"tour/reference?country={code}"), 400, "country")


def test_l6_an_empty_value_of_an_optional_parameter_is_as_if_not_sent(server):
    assert server.a("tour/main-references?lang=").body == server.a("tour/main-references").body
    assert server.b("tour/reference?lang=&country=").body == server.b("tour/reference").body


@pytest.mark.parametrize("api, path", ENDPOINTS)
def test_l6_unknown_parameters_are_ignored_and_named(server, api, path):
    plain = server.api(api, path)
    assert "X-Ignored-Fields" not in plain.headers
    response = server.api(api, path + "lan=uk&foo=1&bar")
    assert response.status == 200 and response.body == plain.body
    assert ignored(response) == ["bar", "foo", "lan"]


def test_l6_the_path_parameter_of_api_a_is_no_query_parameter(server):
    response = server.a("tour/main-references?country=PL")
    assert response.body == server.a("tour/main-references").body
    assert ignored(response) == ["country"]


def test_l6_names_are_case_sensitive(server):
    assert ignored(server.b("tour/reference?Lang=uk")) == ["Lang"]


def test_l6_a_name_in_the_header_cannot_break_out_of_it(server):
    for name in ("a%0d%0aX-Evil:%201", "%0aX-Evil:1", "a%00b", "%ff%fe", "%D0%B6"):
        response = server.b(f"tour/reference?{name}=1")
        assert response.status in (200, 400), response
        assert "X-Evil" not in response.headers
        if response.status == 200:
            assert len(response.headers.get_all("X-Ignored-Fields", [])) == 1


def test_l6_many_unknown_parameters_do_not_make_an_endless_header(server):
    query = "&".join(f"unknown_parameter_{i}=1" for i in range(300))
    response = server.b("tour/reference?" + query)
    assert response.status == 200
    assert len(response.headers["X-Ignored-Fields"]) <= 16384


@pytest.mark.parametrize("query", ["lang=en&lang=uk", "lang=en&lang=EN", "demo&demo=1"])
@pytest.mark.parametrize("api, path", ENDPOINTS)
def test_l6_a_parameter_with_two_values_is_400(server, api, path, query):
    assert_error(server.api(api, path + query), 400, query.split("=")[0].split("&")[0])


@pytest.mark.parametrize("query", ["dep_city[]=10", "dep_city[0]=10", "lang[]=uk", "demo[a]", "country[]=1"])
def test_l6_brackets_of_a_parameter_of_one_value_are_400(server, query):
    name = query.split("[")[0]
    error = assert_error(server.b(f"tour/referenceData?{query}&dep_city=10&country=1"), 400, name, "bad_list", names=query.split("=")[0])
    assert f"expected {name}=... with one value" in error["message"]


@pytest.mark.parametrize("query", ["lang=uk&", "demo&", "demo=on&"])
@pytest.mark.parametrize("api, path", ENDPOINTS)
def test_l6_a_parameter_repeated_with_its_value_is_taken(server, api, path, query):
    assert server.api(api, path + query * 2).body == server.api(api, path + query).body


@pytest.mark.parametrize("api, path", PAIR)
@pytest.mark.parametrize("field", ["dep_city", "country"])
def test_l6_an_identifier_with_two_values_is_400(server, api, path, field):
    assert_error(server.api(api, f"{path}dep_city=10&country=1&{field}=7"), 400, field)


@pytest.mark.parametrize("api, path", PAIR)
@pytest.mark.parametrize("value", ["x", "1.0", "1e1", "0x1", "+1", "1%20", "1,2", "--1", "-", "9223372036854775808",
                                   "-9223372036854775809", "1" * 100, "%D9%A1", "true"])
def test_l7_what_is_no_decimal_integer_within_int64_is_400(server, api, path, value):
    assert_error(server.api(api, f"{path}dep_city={value}&country=1"), 400, "dep_city")
    assert_error(server.api(api, f"{path}dep_city=10&country={value}"), 400, "country")


@pytest.mark.parametrize("api, path", PAIR)
@pytest.mark.parametrize("value", ["9223372036854775807", "-9223372036854775808"])
def test_l7_the_limits_of_int64_are_integers_and_merely_unknown(server, api, path, value):
    error = assert_error(server.api(api, f"{path}dep_city={value}&country=1"), 400, "dep_city", names=value)
    assert error["reason"] == assert_error(server.api(api, f"{path}dep_city=404404&country=1"), 400)["reason"]


@pytest.mark.parametrize("api, path", PAIR)
def test_l7_leading_zeros_are_taken(server, api, path):
    assert server.api(api, f"{path}dep_city=010&country=001").body == server.api(api, f"{path}dep_city=10&country=1").body


def test_l7_identifiers_at_the_limits_of_int64_work(make_server):
    low, high = -2**63, 2**63 - 1
    server = make_server([
        {"type": "dict", "kind": "country", "id": high, "name": "High", "iso_alpha_2": "TR"},
        {"type": "dict", "kind": "dep_city", "id": low, "name": "Low", "country_id": high},
        {"type": "dict", "kind": "city", "id": low, "name": "City", "country_id": high},
        {"type": "dict", "kind": "hotel_category", "id": low, "name": "*"},
        {"type": "dict", "kind": "hotel", "id": high, "name": "Hotel", "country_id": high, "city_id": low,
         "hotel_category_id": low}])
    data = server.a(f"tour/hotel-references?dep_city={low}&country={high}").data()
    assert data["hotels"][str(high)] == {"id": high, "name": "Hotel", "country_id": str(high), "city_id": str(low),
                                         "hotel_category": {"id": low, "name": "*"}}
    data = server.b(f"tour/referenceData?dep_city={low}&country={high}").data()
    assert data["hotel"][0]["city_id"] == low


def test_a_percent_encoded_query_is_decoded(server):
    assert server.b("tour/reference?l%61ng=%75k").body == server.b("tour/reference?lang=uk").body


@pytest.mark.parametrize("query", ["lang=%", "lang=%4", "lang=%zz"])
def test_a_broken_percent_escape_is_400(server, query):
    assert_error(server.b("tour/reference?" + query), 400)


@pytest.mark.parametrize("query", ["lang=%00", "lang=en%00", "lang=%ff"])
def test_a_value_that_is_no_text_is_400(server, query):
    assert assert_error(server.b("tour/reference?" + query), 400)["reason"] == "bad_encoding"


@pytest.mark.parametrize("query", ["", "&", "&&", "&lang=en&"])
def test_empty_parts_of_a_query_are_nothing(server, query):
    response = server.b("tour/reference?" + query)
    assert response.body == server.b("tour/reference").body and ignored(response) == []


def test_a_parameter_without_a_name_does_no_harm(server):
    assert server.b("tour/reference?=x").body == server.b("tour/reference").body


def test_accept_and_range_change_nothing(server):
    plain = server.b("tour/reference")
    for headers in ({"Accept": "text/html"}, {"Range": "bytes=0-9"}):
        response = server.b("tour/reference", headers)
        assert response.status == 200 and response.body == plain.body
