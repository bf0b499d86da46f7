"""Every header that a client controls: odd, long, repeated and malformed ones get a sane answer. CORS by option (decision E20),
one form of errors (decision E21), what is deprecated (decision M12)."""
import json
import pathlib
import re

import pytest

import client
from raw import Raw

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = "/v1/tour/reference"
OF_ELEMENTS = {"already_exists", "duplicate_id"}     # said of elements of sourceAdd, in answers of 200
ORIGIN = "https://shop.example"


def ask(server, *lines, path=LIST, method="GET"):
    """One request with these header lines, as they stand."""
    head = [f"{method} {path} HTTP/1.1", "Host: a", "X-Service-Api-Key: " + server.key_b, *lines, "Connection: close"]
    with Raw(server.port) as raw:
        raw.send(("\r\n".join(head) + "\r\n\r\n").encode("latin-1"))
        return raw.answer()


# ---- what is accepted ------------------------------------------------------------------------------------------

ODD_CODINGS = [
    ("gzip;q=0.5, br;q=0.9", "br"), ("gzip;q=2", None), ("gzip;q=-1", None), ("gzip;q=", None), ("gzip;q=0.0000", None),
    ("gzip;q=1.0001", None), ("gzip;q=abc, br", "br"), ("gzip;Q=1", "gzip"), (";q=1,,, ,gzip", "gzip"), ("GZIP", "gzip"),
    ("x-gzip", "gzip"), ("deflate, compress, exi, pack200-gzip, dcb", None), ("*", "br zstd gzip"), ("", None), ("gzip;q=0, *", "br zstd"),
    ("identity;q=0, gzip", "gzip"), ("gzip;level=9;q=0.5", "gzip"), ("\xe4\xf6\xfc", None), ("gzip " * 50, None),
    (", ".join(["unknown;q=0.3"] * 400), None), ("gzip" * 1500, None),
]


@pytest.mark.parametrize("accepted, coding", ODD_CODINGS, ids=range(len(ODD_CODINGS)))
def test_whatever_accept_encoding_says(demo, accepted, coding):
    answer = ask(demo, f"Accept-Encoding: {accepted}")
    assert answer.status == 200
    assert answer.headers.get("content-encoding", "identity") in (coding or "identity").split()


def test_fields_that_are_sent_twice_are_one_list(demo):
    assert ask(demo, "Accept-Encoding: gzip;q=0.1", "Accept-Encoding: br").headers["content-encoding"] == "br"
    assert ask(demo, "Accept-Encoding: identity;q=0", "Accept-Encoding: *;q=0").status == 406
    etag = ask(demo).headers["etag"]
    assert ask(demo, 'If-None-Match: "a"', f"If-None-Match: {etag}").status == 304


@pytest.mark.parametrize("sent, status", [
    ("{}", 304), ("W/{}", 304), ("*", 304), (", , {}", 304), ("{}, broken", 304), ('"a", {}', 304),
    ("", 200), ("broken", 200), ('"', 200), ('W/"', 200), ('W/', 200), ("W/W/{}", 200), ('"a" "b"', 200), ("'x'", 200), ("{}x", 304),
    (",".join(f'"{n}"' for n in range(99)) + ",{}", 304), (",".join(f'W/"tag-{n:030}"' for n in range(100)), 200), ('"' * 5000, 200),
])
def test_whatever_if_none_match_says(server, sent, status):
    etag = ask(server).headers["etag"]
    assert ask(server, "If-None-Match: " + sent.replace("{}", etag)).status == status


@pytest.mark.parametrize("name, alias", [("X-Service-Api-Key", "X-Service-Client-Key"), ("X-Service-Api-Secret", "X-Service-Client-Secret")])
def test_two_names_of_one_header_are_one_value(server, name, alias):
    keys = {"X-Service-Api-Key": server.key_b, "X-Service-Api-Secret": server.secret_b}
    same = server.request("/v1/changes?limit=1", headers=keys | {alias: keys[name]})
    assert same.status == 200
    # One of them is right: a proxy in front may have looked at the other.
    for sent in ({name: keys[name], alias: "other"}, {name: "other", alias: keys[name]}):
        client.assert_error(server.request("/v1/changes?limit=1", headers=keys | sent), 400, name, "repeated_header", alias)


def test_the_key_is_checked_before_the_tag(server):
    etag = ask(server).headers["etag"]
    answer = client.request(server.port, LIST, headers={"If-None-Match": etag, "X-Service-Api-Key": "drgb_no"})
    client.assert_error(answer, 403)


@pytest.mark.parametrize("line", [
    "Accept: " + "a/b, " * 1500, "Accept: \xff\xfe", "Accept: */*;q=7", "Content-Type: what/ever", "Content-Type: " + "x" * 7000,
    "X-Request-Id: " + "r" * 7000, "User-Agent: " + "u" * 7000, "Origin: " + "o" * 7000, "Range: bytes=0-1", "If-Match: *",
    "If-Modified-Since: yesterday", "Expect: something", "TE: trailers", "Upgrade: h2c", "X-Forwarded-For: nobody, 1.2.3.4",
    "Accept-Language: uk", "Cookie: a=b", "traceparent: 00-0-0-0",
])
def test_other_headers_do_no_harm(server, line):
    answer = ask(server, line)
    assert answer.status == 200 and json.loads(answer.body)["status"] == "success"


@pytest.mark.parametrize("sort", ["Accept", "Origin", "If-None-Match", "X-Request-Id", "Accept-Encoding", "X-Any"])
def test_a_head_that_is_too_long_is_a_431_whatever_is_in_it(server, sort):
    answer = ask(server, *[f"{sort}: {'x' * 1000}"] * 66)
    assert answer.status == 431 and json.loads(answer.body)["error"]["reason"] == "headers_too_large"


@pytest.mark.parametrize("line", ["X-A: \x01", "X-A: a\x7fb", "X A: b", "X-A : b"])
def test_what_is_no_header_is_a_400(server, line):
    assert ask(server, line).status == 400


# ---- answers of one request are compressed too (decision E23) -------------------------------------------------------

IDS = ",".join(str(n) for n in range(300))
CODINGS = ("gzip", "br", "zstd")


def translate(server, accept=None, ids=IDS, method="POST"):
    headers = {"X-Service-Api-Key": server.key_b} | ({"Accept-Encoding": accept} if accept is not None else {})
    return server.request("/v1/tour/sourceInfo?adapter_id=7", method, headers, json.dumps({"hotel": ids}).encode())


@pytest.mark.parametrize("accept, coding", [
    *((coding, coding) for coding in CODINGS), ("gzip, br, zstd", "zstd"), ("gzip, br", "gzip"), ("gzip;q=0.5, br", "br"), ("*", "zstd"),
    ("identity", None), (None, None), ("", None), ("deflate", None), ("gzip;q=0", None), ("gzip;q=0.1, identity", None),
])
def test_e23_by_what_the_client_prefers_and_what_is_cheap(server, accept, coding):
    plain, answer = translate(server), translate(server, accept)
    assert answer.status == 200 and answer.headers.get("Content-Encoding") == coding
    assert answer.plain() == plain.body and "Accept-Encoding" in answer.headers["Vary"]
    assert coding is None or len(answer.body) < len(plain.body) / 4


@pytest.mark.parametrize("coding", CODINGS)
def test_e23_small_ones_are_not_unless_the_identity_is_refused(server, coding):
    small = translate(server, coding, "1001")
    assert "Content-Encoding" not in small.headers and len(small.body) < 1024
    packed = translate(server, f"identity;q=0, {coding}", "1001")
    assert packed.headers["Content-Encoding"] == coding and packed.plain() == small.body


@pytest.mark.parametrize("coding", CODINGS)
def test_e23_large_ones_on_a_worker(server, coding):
    """A body of more than 16 KiB is a worker's."""
    ids = ",".join(f"identifier-{n:020}" for n in range(9000))
    plain, answer = translate(server, ids=ids), translate(server, coding, ids)
    assert len(plain.body) > 512 * 1024 and answer.headers["Content-Encoding"] == coding and answer.plain() == plain.body


@pytest.mark.parametrize("coding", CODINGS)
def test_e23_a_large_page_of_the_feed(make_server, mini, import_file, coding):
    """It is compressed by who has read it."""
    server = make_server(mini)
    import_file(server.data, [{"type": "source", "adapter_id": 7, "kind": "meal", "id": f"m{n}", "name": f"Meal {n}"} for n in range(9000)])

    def page(accept):
        return server.request("/v1/changes?limit=10000", headers={"X-Service-Api-Key": server.key_b, "Accept-Encoding": accept})
    assert client.wait_until(lambda: len(page("identity").data()["items"]) > 9000)
    plain, packed = page("identity"), page(f"identity;q=0, {coding}")
    assert len(plain.body) > 512 * 1024 > len(packed.body) and packed.headers["Content-Encoding"] == coding
    assert packed.data() == plain.data() and page(coding).headers["Content-Encoding"] == coding


def test_e23_who_refuses_everything_is_told_before_anything_is_done(server):
    keys = {"X-Service-Api-Key": server.key_b, "X-Service-Api-Secret": server.secret_b, "Accept-Encoding": "identity;q=0"}
    body = json.dumps({"adapter_id": 7, "lang_code": "en", "meal": [{"id": "E23", "name": "x"}]}).encode()
    client.assert_error(server.request("/v1/tour/sourceAdd", "POST", keys, body), 406, "Accept-Encoding", "not_acceptable")
    asked = server.request("/v1/tour/sourceInfo?adapter_id=7", "POST", {"X-Service-Api-Key": server.key_b}, b'{"meal": "E23"}')
    assert asked.data()["meal"][0]["source"] is None
    client.assert_error(server.request("/v1/tour/sourceAdd", "POST", keys | {"X-Service-Api-Key": "no"}, body), 403)


def test_e23_what_is_streamed_is_told_to_who_takes_it_compressed_alone(server):
    keys = {"X-Service-Api-Key": server.key_b, "X-Service-Api-Secret": server.secret_b}
    def export(accept):
        return server.request("/v1/export/sources", headers=keys | {"Accept-Encoding": accept})
    client.assert_error(export("gzip, identity;q=0"), 406, "Accept-Encoding", "not_acceptable")
    assert export("gzip").status == export("gzip, identity;q=0.001").status == 200


def test_e23_errors_are_sent_as_they_are(server):
    answer = server.request("/v1/tour/hotelCheck", headers={"X-Service-Api-Key": server.key_b, "Accept-Encoding": "identity;q=0, gzip"})
    client.assert_error(answer, 400, "hotel")
    assert "Content-Encoding" not in answer.headers


@pytest.mark.parametrize("value, coding", [("0", None), ("100", "gzip"), ("1000000", None)])
def test_e23_the_size_is_an_option(make_server, mini, value, coding):
    assert translate(make_server(mini, "--compress-from", value), "gzip").headers.get("Content-Encoding") == coding


# ---- CORS (decision E20) ---------------------------------------------------------------------------------------

@pytest.fixture(scope="module")
def shops(module_servers, mini):
    return module_servers.make(mini, "--cors-origin", ORIGIN, "--cors-origin", "http://localhost:3000")


ADDRESSES = [(LIST, 200), ("/nope", 404), ("/v1/tour/hotelCheck", 400), ("/api/v1/tour/main-references", 403), ("/healthz", 200)]


@pytest.mark.parametrize("path, status", ADDRESSES)
def test_e20_any_site_unless_some_are_named(server, path, status):
    for lines in ([], ["Origin: " + ORIGIN], ["Origin: null"]):
        answer = ask(server, *lines, path=path)
        assert answer.status == status
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "Origin" in answer.headers["vary"], "what a script may read is said to scripts alone"
        assert ("access-control-expose-headers" in answer.headers) == bool(lines)


@pytest.mark.parametrize("path, status", ADDRESSES)
def test_e20_only_the_sites_that_are_named(shops, path, status):
    for origin in (ORIGIN, "http://localhost:3000"):
        for _ in range(2):
            answer = ask(shops, "Origin: " + origin, path=path)
            assert answer.status == status and answer.headers["access-control-allow-origin"] == origin
            assert "Origin" in answer.headers["vary"]
    for lines in ([], ["Origin: null"], ["Origin: https://shop.example.evil"], ["Origin: https://shop.example/"],
                  ["Origin: HTTPS://SHOP.EXAMPLE"], ["Origin: *"], ["Origin: " + ORIGIN, "Origin: https://evil.example"],
                  [f"Origin: {ORIGIN}, https://evil.example"], ["Origin: " + "x" * 6000], ["Origin:"], ["Origin: \xff"]):
        answer = ask(shops, *lines, path=path)
        assert answer.status == status and "access-control-allow-origin" not in answer.headers
        assert "Origin" in answer.headers["vary"]


def test_e20_a_preflight_needs_no_key(shops, server):
    def preflight(where, origin, path="/v1/tour/sourceInfo"):
        with Raw(where.port) as raw:
            raw.send((f"OPTIONS {path} HTTP/1.1\r\nHost: a\r\nOrigin: {origin}\r\nAccess-Control-Request-Method: POST\r\n"
                      "Access-Control-Request-Headers: x-service-api-key\r\nConnection: close\r\n\r\n").encode())
            return raw.answer()

    assert preflight(shops, ORIGIN).headers["access-control-allow-origin"] == ORIGIN
    assert "X-Service-Api-Key" in preflight(shops, ORIGIN).headers["access-control-allow-headers"]
    assert preflight(server, "https://any.example").headers["access-control-allow-origin"] == "*"
    for answer in (preflight(shops, "https://evil.example"), preflight(shops, ORIGIN, "/v1/tour/sourceAdd"),
                   preflight(server, ORIGIN, "/v1/avia/compared")):
        assert answer.status == 204
        assert not any(name.startswith("access-control-") for name in answer.headers)


def test_e20_no_site(make_server, mini):
    server = make_server(mini, "--cors-origin", "none")
    for path, status in ADDRESSES:
        answer = ask(server, "Origin: " + ORIGIN, path=path)
        assert answer.status == status and "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("origin", ["shop.example", "https://shop.example/", "https://Shop.example", "https://", "ftp://a", "", "https://a b",
                                    "https://a\r\nX: y"])
def test_e20_what_is_no_site_is_refused_at_the_start(run, server, origin):
    done = run("serve", "--data", server.data, "--cors-origin", origin)
    assert done.returncode == 2 and "--cors-origin" in done.stderr


# ---- one form of errors (decision E21) --------------------------------------------------------------------------

@pytest.mark.parametrize("accept", ["application/problem+json", "application/json", "*/*", "text/html", ""])
def test_e21_errors_have_one_form_whatever_is_accepted(server, accept):
    for path, status in ADDRESSES:
        if status != 200:
            answer = ask(server, "Accept: " + accept, path=path)
            assert answer.status == status and answer.headers["content-type"] == "application/json"
            assert set(json.loads(answer.body)["error"]) == {"code", "reason", "field", "message"}


def test_e21_the_reference_says_what_a_word_means(server):
    page = client.request(server.port, "/docs")
    there = re.findall(r'<code id="(\w+)">', page.body.decode())
    words = [w for w, status in re.findall(r"\bR\((\w+), (\d+)\)", (ROOT / "src/base/reason.h").read_text()) if status != "0"]
    assert page.status == 200 and len(set(there)) == len(there) and set(words) - set(there) == OF_ELEMENTS


# ---- deprecation -----------------------------------------------------------------------------------------------

def test_what_is_deprecated_says_so_on_errors_too(make_server, mini):
    server = make_server(mini, "--sunset", "2027-06-30")
    keys = {"X-Service-Api-Key": server.key_b, "X-Service-Api-Secret": server.secret_b}
    good = json.dumps({"adapter_id": 7, "lang_code": "en"}).encode()
    for headers, body, status in ((keys, good, 200), (keys, b"{}", 400), ({}, good, 403), (keys | {"Content-Type": "a/b"}, b"x", 415)):
        answer = server.request("/v1/tour/compared", "POST", headers, body)
        assert answer.status == status
        assert answer.headers["Deprecation"] == "@1795132800"
        assert answer.headers["Sunset"] == "Wed, 30 Jun 2027 00:00:00 GMT"
        assert answer.headers["Link"] == f'<{server.url}/v1/tour/sourceAdd>; rel="successor-version"'
    other = server.request("/v1/tour/sourceAdd", "POST", keys, good)
    assert "Deprecation" not in other.headers and "Sunset" not in other.headers


def test_sunset_is_a_day(run, server):
    done = run("serve", "--data", server.data, "--sunset", "soon")
    assert done.returncode == 2 and "--sunset" in done.stderr
