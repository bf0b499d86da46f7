"""The error body (E1), statuses of HTTP itself (E2), authorization (E4, E5, E7)."""
import pytest

import client
from client import assert_error

LISTS = [("a", "/api/v1/tour/main-references"), ("a", "/api/v1/tour/main-references/TR"),
         ("a", "/api/v1/tour/hotel-references?dep_city=10&country=1"),
         ("b", "/v1/tour/reference"), ("b", "/v1/tour/referenceData?dep_city=10&country=1")]


def key_of(server, api):
    return server.key_a if api == "a" else server.key_b


# E1, E2: no such path, no such method

@pytest.mark.parametrize("path", ["/nothing", "/api", "/api/v1", "/api/v1/tour", "/api/v1/tour/main-reference",
                                  "/api/v1/tour/main-references/TR/x", "/api/v1/tour/hotel-references/1",
                                  "/v1/tour/main-references", "/api/v1/tour/reference", "/v1/tour/Reference",
                                  "/V1/tour/reference", "/v1//tour/reference", "/v1/tour/reference%2f",
                                  "/flags/2x2/tr.svg", "/flags/1x1/tr.png", "/flags/1x1/../../etc/passwd",
                                  "/flags/1x1/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "/%C3%BF"])
def test_e2_an_unknown_path_is_404_with_the_error_body(server, path):
    assert_error(server.request(path, headers={"X-Api-Key": server.key_a, "X-Service-Api-Key": server.key_b}), 404)


@pytest.mark.parametrize("path, meant", [
    ("/v1/tour/Reference", "/v1/tour/reference"), ("/V1/tour/referencedata", "/v1/tour/referenceData"), ("/v1/tour/reference/", "/v1/tour/reference"),
    ("/v1/tour/reference//", "/v1/tour/reference"), ("/v1/tour/main-references", "/api/v1/tour/main-references"),
    ("/v1/tour/main-references/TR/", "/api/v1/tour/main-references/:country"), ("/api/v1/tour/SourceInfo", "/v1/tour/sourceInfo"),
    ("/api/v1/avia/reference/", "/v1/avia/reference"), ("/nothing", None), ("/v1/tour/references", None), ("/api", None), ("/Demo", None), ("/v1", None)])
def test_a_404_tells_the_address_that_was_meant(server, path, meant):
    message = assert_error(server.request(path), 404, reason="not_found")["message"]
    told = f", but at {meant}: letter case, slashes and the beginning count" if meant else ""
    assert message == "there is nothing at this address" + told


#: Of everything that is wrong with a request: what was expected, what was found, where, and what helps.
MESSAGES = [
    ("tour/referenceData?dep_city=abc&country=1", None, 'dep_city: expected an integer, found the text "abc"'),
    ("tour/referenceData?dep_city=99999999999999999999&country=1", None,
     'dep_city: expected an integer within 64 bits, found the text "99999999999999999999"'),
    ("tour/referenceData?country=1", None, "dep_city is required: an integer in the query"),
    ("tour/referenceData?Dep_City=10&country=1", None,
     "dep_city is required: an integer in the query; found Dep_City, whose letters differ in case"),
    ("tour/referenceData?dep_city[]=10&country=1", None, "dep_city: expected dep_city=... with one value, found dep_city[]"),
    ("tour/reference?demo=maybe", None, 'demo: expected 1, true, yes, on, 0, false, no or off, found the text "maybe"'),
    ("avia/reference?limit=501", None, "limit: expected an integer from 1 to 500, found 501"),
    ("avia/reference?search=" + "x" * 201, None, "search: expected at most 200 characters, found 201"),
    ("avia/detail", None, "source_id is required: one or several, with commas between them, in the query"),
    ("tour/sourceInfo", b'{"adapter_id":7,"hotel":"1001"}', "adapter_id is required: an integer in the query"),
    ("tour/sourceInfo?adapter_id=7", b"", "the body is empty: expected a JSON object"),
    ("tour/sourceData", b"{}", "adapter_id is required: an integer in the body"),
    ("tour/sourceData", b'{"adapter_id":7,"dep_city":10,"country":1,"city":[331,"x"]}', 'city[1]: expected an integer, found the text "x"'),
    ("tour/sourceAdd", b'{"adapter_id":7}', "lang_code is required: a language tag such as uk or pt-BR in the body"),
    ("tour/compared", b'{"adapter_id":7,"lang_code":"en","lang":5}',
     "lang: expected a text, a language tag such as uk or pt-BR, found the number 5"),
    ("avia/compared", b'{"adapter_id":21}', "lang_code is required: a language tag such as uk or pt-BR in the body"),
]


@pytest.mark.parametrize("path, body, message", MESSAGES)
def test_e1_a_message_says_what_was_expected_and_found(server, path, body, message):
    answer = server.request("/v1/" + path, "GET" if body is None else "POST",
                            {"X-Service-Api-Key": server.key_b, "X-Service-Api-Secret": server.secret_b, "Content-Type": "application/json"}, body)
    assert assert_error(answer, 400)["message"] == message


@pytest.mark.parametrize("path", ["/v1/tour/reference%00", "/%ff", "/v1/tour/reference%", "/%zz",
                                  "/api/v1/tour/main-references/%00%00"])
def test_a_path_that_is_no_text_is_400(server, path):
    assert_error(server.request(path, headers={"X-Api-Key": server.key_a, "X-Service-Api-Key": server.key_b}), 400)


@pytest.mark.parametrize("api, path", LISTS)
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "TRACE"])
def test_e2_another_method_is_405_with_allow(server, api, path, method):
    response = server.request(path, method, {client.HEADER[api]: key_of(server, api)})
    assert_error(response, 405)
    allowed = {name.strip() for name in response.headers["Allow"].split(",")}
    assert {"GET", "HEAD"} <= allowed and "POST" not in allowed


@pytest.mark.parametrize("method", ["FOO", "get", "CONNECT"])
def test_a_method_that_is_not_known_is_501(server, method):
    assert_error(server.request("/v1/tour/reference", method), 501)


# E7: order of checks

def test_e7_path_before_method_and_key(server):
    assert_error(server.request("/v1/nothing", "DELETE"), 404)


def test_e7_method_before_key(server):
    assert_error(server.request("/v1/tour/reference", "DELETE"), 405)


@pytest.mark.parametrize("path", ["/v1/tour/reference?demo=x", "/v1/tour/referenceData",
                                  "/api/v1/tour/main-references/TUR", "/api/v1/tour/hotel-references"])
def test_e7_key_before_parameters(server, path):
    assert_error(server.request(path), 403)


# E4, E5: keys

@pytest.mark.parametrize("api, path", LISTS)
def test_e4_no_key_is_403(server, api, path):
    assert_error(server.request(path), 403)


@pytest.mark.parametrize("api, path", LISTS)
@pytest.mark.parametrize("key", ["", "x", "drga_", "drgb_" + "0" * 40, "\u00e9", "a" * 4000, "null", "' OR 1=1 --"])
def test_e4_an_unknown_key_is_403(server, api, path, key):
    assert_error(server.request(path, headers={client.HEADER[api]: key}), 403)


@pytest.mark.parametrize("api, path", LISTS)
def test_e4_the_key_of_the_other_api_is_403(server, api, path):
    other = key_of(server, "b" if api == "a" else "a")
    assert_error(server.request(path, headers={client.HEADER[api]: other}), 403)


def test_e4_the_secret_is_not_a_key(server):
    assert_error(server.request("/v1/tour/reference", headers={"X-Service-Api-Key": server.secret_b}), 403)


@pytest.mark.parametrize("change", [lambda key: key[:-1], lambda key: key + "0", str.swapcase, lambda key: key[5:],
                                    lambda key: key[:-1] + ("b" if key[-1] == "a" else "a")])
def test_e4_a_key_that_is_nearly_right_is_403(server, change):
    assert_error(server.request("/v1/tour/reference", headers={"X-Service-Api-Key": change(server.key_b)}), 403)


def test_e4_the_message_does_not_say_what_was_wrong(server):
    messages = {server.request("/v1/tour/reference", headers={"X-Service-Api-Key": key}).json()["error"]["message"]
              for key in ("x", server.key_a, server.secret_b, "drgb_" + "0" * 40)}
    assert len(messages) == 1, messages


@pytest.mark.parametrize("name", ["X-Service-Api-Key", "X-Service-Client-Key", "x-service-api-key",
                                  "X-SERVICE-CLIENT-KEY"])
def test_e5_header_names_of_api_b(server, name):
    assert server.request("/v1/tour/reference", headers={name: server.key_b}).status == 200


@pytest.mark.parametrize("name", ["X-Api-Key", "x-api-key", "X-API-KEY"])
def test_spec_5_header_name_of_api_a(server, name):
    assert server.request("/api/v1/tour/main-references", headers={name: server.key_a}).status == 200


def test_spec_5_each_api_has_its_own_header(server):
    assert_error(server.request("/v1/tour/reference", headers={"X-Api-Key": server.key_b}), 403)
    assert_error(server.request("/v1/tour/reference?X-Service-Api-Key=" + server.key_b), 403)


def test_e4_a_needless_secret_does_no_harm(server):
    headers = {"X-Service-Api-Key": server.key_b, "X-Service-Api-Secret": "wrong"}
    assert server.request("/v1/tour/reference", headers=headers).status == 200


# what needs no key

@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/flags/1x1/xx.svg"])
def test_health_and_flags_need_no_key(server, path):
    assert server.request(path).status == 200
    assert server.request(path, "HEAD").status == 200


# HEAD is GET without the body, errors included

@pytest.mark.parametrize("path, headers", [("/nothing", {}), ("/v1/tour/reference", {}),
                                           ("/v1/tour/reference?demo=x", {"key": True})])
def test_head_of_an_error_has_its_status_and_no_body(server, path, headers):
    headers = {"X-Service-Api-Key": server.key_b} if headers else {}
    get, head = (server.request(path, method, headers) for method in ("GET", "HEAD"))
    assert head.status == get.status >= 400 and head.body == b""
    assert head.headers["Content-Type"] == get.headers["Content-Type"]


def test_e1_an_error_is_never_cached(server):
    response = server.request("/v1/tour/reference")
    assert "ETag" not in response.headers
    assert "max-age=3" not in response.headers.get("Cache-Control", "")
