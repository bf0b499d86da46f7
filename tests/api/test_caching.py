"""Caching and content negotiation: ETag, If-None-Match, 304, gzip, br, zstd, Vary, HEAD, CORS."""
import pytest

from client import assert_error
from raw import Raw

LISTS = [("a", "tour/main-references"), ("b", "tour/reference"),
         ("a", "tour/hotel-references?dep_city=10&country=1"), ("b", "tour/referenceData?dep_city=10&country=1")]
CODINGS = ["gzip", "br", "zstd"]


@pytest.fixture(scope="module")
def big(module_servers):
    """Lists of some hundred kilobytes."""
    records = [{"type": "dict", "kind": "country", "id": 1, "name": "Land", "iso_alpha_2": "TR"},
               {"type": "dict", "kind": "dep_city", "id": 10, "name": "Kyiv", "country_id": 1},
               {"type": "dict", "kind": "city", "id": 1, "name": "City", "country_id": 1},
               {"type": "dict", "kind": "hotel_category", "id": 1, "name": "5*"}]
    records += [{"type": "dict", "kind": "hotel", "id": i, "name": f"Grand hotel number {i} готель", "country_id": 1,
                 "city_id": 1, "hotel_category_id": 1} for i in range(3000)]
    records += [{"type": "dict", "kind": "meal", "id": i, "name": f"Meal {i} їжа"} for i in range(3000)]
    return module_servers.make(records)


# ETag and 304

@pytest.mark.parametrize("api, path", LISTS)
def test_a_list_has_an_etag_that_stays(server, api, path):
    first, second = server.api(api, path), server.api(api, path)
    assert first.headers["ETag"] == second.headers["ETag"]
    assert first.headers["ETag"].removeprefix("W/").startswith('"') and first.headers["ETag"].endswith('"')


@pytest.mark.parametrize("api, path", LISTS)
@pytest.mark.parametrize("wrap", ["{}", "W/{}", '"nothing", {}', '{} , "nothing"', '"a","b",{},"c"', "*"])
def test_a_matching_if_none_match_is_304_without_body(server, api, path, wrap):
    full = server.api(api, path)
    etag = full.headers["ETag"]
    if wrap.startswith("W/"):
        etag = etag.removeprefix("W/")
    response = server.api(api, path, {"If-None-Match": wrap.format(etag)})
    assert response.status == 304 and response.body == b""
    for name in ("ETag", "Vary", "Cache-Control"):
        assert response.headers[name] == full.headers[name], name
    assert response.headers.get("Content-Length") in (None, "0", str(len(full.body)))


@pytest.mark.parametrize("sent", ['"nothing"', "nothing", '""', 'W/"x"', ""])
def test_another_if_none_match_is_200(server, sent):
    assert server.b("tour/reference", {"If-None-Match": sent}).status == 200


def test_an_etag_is_of_one_list_only(server):
    paths = [("b", f"tour/reference?{query}") for query in ("", "lang=uk", "demo", "country=UA", "country=PL")]
    paths += [("a", f"tour/main-references{rest}") for rest in ("", "?lang=uk", "?demo", "/UA?demo", "/PL")]
    paths += [("b", f"tour/referenceData?dep_city=1{n}&country={c}") for n, c in ((0, 1), (1, 1), (2, 3))]
    by_body, by_etag = {}, {}
    for api, path in paths:
        response = server.api(api, path)
        by_body.setdefault(response.body, set()).add(response.headers["ETag"])
        by_etag.setdefault(response.headers["ETag"], set()).add(response.body)
    assert all(len(bodies) == 1 for bodies in by_etag.values())


def test_the_key_is_checked_before_the_etag(server):
    etag = server.b("tour/reference").headers["ETag"]
    response = server.request("/v1/tour/reference", headers={"If-None-Match": etag})
    assert_error(response, 403)


@pytest.mark.parametrize("headers, status", [({"If-Match": '"x"'}, 412), ({"Accept-Encoding": "identity;q=0"}, 406)])
def test_an_error_has_no_header_of_the_list_that_is_not_sent(server, headers, status):
    refused = server.b("avia/reference?search=&country=TR", headers=headers)
    assert refused.status == status and "X-Total-Count" not in refused.headers
    assert "X-Total-Count" in server.b("avia/reference?search=&country=TR").headers


@pytest.mark.parametrize("api, path", LISTS)
def test_a_list_is_kept_for_a_minute_and_not_shared(server, api, path):
    headers = server.api(api, path).headers
    assert headers["Cache-Control"] == "private, max-age=60, stale-while-revalidate=600, stale-if-error=86400"
    assert headers["Vary"] == "Accept-Encoding, X-Min-Data-Version, Origin"


def test_what_lists_say_of_being_kept_is_an_option(make_server, mini):
    server = make_server(mini, "--cache-control", "no-cache")
    assert server.a("tour/main-references").headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize("path, status", [("hotelCheck?hotel=55", 200), ("hotelCheck", 400), ("hotelDescription?adapter_id=7&hotel_orig_id=nope", 400)])
def test_e22_what_was_made_for_one_request_is_not_kept(server, path, status):
    answer = server.b(f"tour/{path}")
    assert answer.status == status and answer.headers.get_all("Cache-Control") == ["no-store"]


# codings

@pytest.mark.parametrize("api, path", LISTS)
def test_vary_names_accept_encoding_in_every_coding(big, api, path):
    for coding in ("identity", *CODINGS):
        vary = big.api(api, path, {"Accept-Encoding": coding}).headers["Vary"]
        assert "accept-encoding" in [name.strip().lower() for name in vary.split(",")]


@pytest.mark.parametrize("api, path", LISTS)
@pytest.mark.parametrize("coding", CODINGS)
def test_the_accepted_coding_is_used_and_decodes_to_the_same_bytes(big, api, path, coding):
    plain = big.api(api, path)
    assert "Content-Encoding" not in plain.headers
    coded = big.api(api, path, {"Accept-Encoding": coding})
    assert coded.headers["Content-Encoding"] == coding
    assert len(coded.body) < len(plain.body) / 3
    assert int(coded.headers["Content-Length"]) == len(coded.body)
    assert coded.plain() == plain.body


@pytest.mark.parametrize("accept, used", [
    ("", None), ("identity", None), ("deflate", None), ("gzip;q=0", None), ("GZIP", "gzip"), ("x-gzip", (None, "gzip")),
    ("gzip;q=0, br;q=0, zstd;q=0", None), ("gzip, deflate", "gzip"), ("gzip;q=0.001", "gzip"),
    ("br;q=0, gzip", "gzip"), ("gzip;q=0.5, br;q=1.0", "br"), ("gzip;q=1, br;q=0.5, zstd;q=0.2", "gzip"),
    ("gzip;q=1.0;x=y", (None, "gzip")), ("*", (None, *CODINGS)), ("*;q=0, identity", None), ("gzip;q=0, *", ("br", "zstd", None)),
    ("gzip, deflate, br, zstd", tuple(CODINGS)), ("  gzip ; q=0.3 ", "gzip"), ("gzipx, brr", None),
    ("identity;q=0, gzip;q=0.1", "gzip"), ("identity;q=0, *", tuple(CODINGS)),
    ("identity;q=0.5, gzip;q=1", "gzip"), ("identity;q=1, gzip;q=0.5", (None, "gzip")),
])
def test_accept_encoding(big, accept, used):
    response = big.b("tour/reference", {"Accept-Encoding": accept})
    assert response.status == 200
    assert response.headers.get("Content-Encoding") in (used if isinstance(used, tuple) else (used,))


@pytest.mark.parametrize("accept", ["identity;q=0", "*;q=0", "identity;q=0, gzip;q=0", "deflate, identity;q=0"])
def test_when_no_coding_is_accepted_that_is_said(big, accept):
    assert_error(big.b("tour/reference", {"Accept-Encoding": accept}), 406, "Accept-Encoding", "not_acceptable")


def test_further_fields_of_a_list_are_obeyed(big):
    with Raw(big.port) as raw:
        key = b"GET /v1/tour/reference HTTP/1.1\r\nHost: a\r\nX-Service-Api-Key: " + big.key_b.encode() + b"\r\n"
        raw.send(key + b"Accept-Encoding: deflate\r\nAccept-Encoding: gzip\r\n\r\n")
        answer = raw.answer()
        assert answer.headers["content-encoding"] == "gzip"
        etag = answer.headers["etag"].encode()
        raw.send(key + b'If-None-Match: "other"\r\nX: y\r\nIf-None-Match: ' + etag + b"\r\n\r\n")
        assert raw.answer().status == 304


def test_strong_etags_differ_between_codings(big):
    etags = {coding: big.b("tour/reference", {"Accept-Encoding": coding}).headers["ETag"]
             for coding in ("identity", *CODINGS)}
    assert all(etag.startswith("W/") for etag in etags.values()) or len(set(etags.values())) == len(etags)


@pytest.mark.parametrize("coding", CODINGS)
def test_a_coded_list_is_revalidated_by_its_own_etag(big, coding):
    accept = {"Accept-Encoding": coding}
    etag = big.b("tour/reference", accept).headers["ETag"]
    response = big.b("tour/reference", {**accept, "If-None-Match": etag})
    assert response.status == 304 and response.headers["ETag"] == etag
    assert "Content-Encoding" not in response.headers or response.body == b""


def test_the_ready_made_answer_still_names_ignored_fields(big):
    etag = big.b("tour/reference").headers["ETag"]
    for headers in ({}, {"Accept-Encoding": "gzip"}, {"If-None-Match": etag}):
        response = big.b("tour/reference?lagn=uk", headers)
        assert response.headers["X-Ignored-Fields"] == "lagn"


# HEAD

@pytest.mark.parametrize("api, path", LISTS)
@pytest.mark.parametrize("coding", ["identity", "gzip"])
def test_head_is_get_without_the_body(big, api, path, coding):
    get, head = (big.api(api, path, {"Accept-Encoding": coding}, method) for method in ("GET", "HEAD"))
    assert head.status == get.status and head.body == b""
    for name in ("Content-Type", "Content-Length", "Content-Encoding", "ETag", "Vary", "Cache-Control"):
        assert head.headers[name] == get.headers[name], name


def test_head_answers_304_too(server):
    etag = server.b("tour/reference").headers["ETag"]
    assert server.b("tour/reference", {"If-None-Match": etag}, "HEAD").status == 304


# CORS

@pytest.mark.parametrize("path, header", [("/api/v1/tour/main-references", "X-Api-Key"),
                                          ("/v1/tour/reference", "X-Service-Api-Key"),
                                          ("/v1/tour/reference", "X-Service-Client-Key")])
def test_a_preflight_needs_no_key_and_allows_the_key_header(server, path, header):
    response = server.request(path, "OPTIONS", {"Origin": "https://shop.example", "Access-Control-Request-Method": "GET",
                                                "Access-Control-Request-Headers": header.lower()})
    assert response.status in (200, 204) and response.body == b""
    assert response.headers["Access-Control-Allow-Origin"] in ("*", "https://shop.example")
    assert "GET" in response.headers["Access-Control-Allow-Methods"]
    allowed = [name.strip().lower() for name in response.headers["Access-Control-Allow-Headers"].split(",")]
    assert header.lower() in allowed
    for sent in ("Cache-Control", "Pragma", "Expires", "traceparent", "tracestate", "baggage", "X-Requested-With", "*"):
        assert sent.lower() in allowed, f"{sent}, which browsers, frameworks and tracing add"


@pytest.mark.parametrize("api, path", LISTS)
def test_an_answer_can_be_read_by_a_page_of_another_origin(server, api, path):
    response = server.api(api, path, {"Origin": "https://shop.example"})
    origin = response.headers["Access-Control-Allow-Origin"]
    assert origin == "*" or (origin == "https://shop.example" and "origin" in response.headers["Vary"].lower())
    exposed = response.headers.get("Access-Control-Expose-Headers", "").lower()
    assert "x-ignored-fields" in exposed and "etag" in exposed


def test_an_error_too_can_be_read_by_a_page_of_another_origin(server):
    response = server.request("/v1/tour/reference", headers={"Origin": "https://shop.example"})
    assert response.status == 403 and response.headers["Access-Control-Allow-Origin"]
