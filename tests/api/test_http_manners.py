"""What the server does with bytes that well-behaved clients do not send (docs/http.md)."""
import json
import socket

import pytest

from client import eventually
from raw import Raw

GOOD = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
LAST = b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
REFERENCE = b"/v1/tour/reference"


def get(target=b"/healthz", *fields, method=b"GET", version=b"HTTP/1.1", host=b"Host: a", body=b""):
    lines = [method + b" " + target + b" " + version, *([host] if host else []), *fields, b"", b""]
    return b"\r\n".join(lines) + body


def error_of(answer):
    assert answer.headers["content-type"] == "application/json", answer
    document = json.loads(answer.body)
    assert document["status"] == "error"
    assert set(document["error"]) == {"code", "reason", "field", "message"}
    assert document["error"]["code"] == answer.status
    assert document["error"]["message"]
    return document["error"]


GOES_ON = {
    "unknown path": (get(b"/nope"), 404, "not_found"),
    "letters count": (get(b"/HEALTHZ"), 404, "not_found"),
    "slash at the end": (get(b"/healthz/"), 404, "not_found"),
    "two slashes": (get(b"//healthz"), 404, "not_found"),
    "dots": (get(b"/x/../healthz"), 404, "not_found"),
    "encoded dots": (get(b"/%2e%2e/etc/passwd"), 404, "not_found"),
    "encoded letter": (get(b"/h%65althz"), 404, "not_found"),
    "encoded letter of a group": (get(b"/v1/%61ccess/keys"), 404, "not_found"),
    "encoded slash": (get(b"/v1%2Ftour%2Freference"), 404, "not_found"),
    "bad escape": (get(b"/%zz"), 400, "bad_escape"),
    "cut escape": (get(b"/healthz%4"), 400, "bad_escape"),
    "NUL in path": (get(b"/healthz%00"), 400, "bad_encoding"),
    "path not UTF-8": (get(b"/%ff"), 400, "bad_encoding"),
    "method of HTTP that nothing takes": (get(method=b"PATCH"), 405, "method_not_allowed"),
    "wrong method with a body": (get(b"/healthz", b"Content-Length: 2", method=b"POST", body=b"{}"), 405,
                                 "method_not_allowed"),
    "no key": (get(REFERENCE), 403, None),
    "no key, with a body": (get(REFERENCE, b"Content-Length: 5", body=b"hello"), 403, None),
}

CLOSES = {
    "two lengths": (get(b"/healthz", b"Content-Length: 2", b"Content-Length: 4", body=b"{}xx"), "bad_framing"),
    "length and coding": (get(b"/healthz", b"Content-Length: 5", b"Transfer-Encoding: chunked", body=b"0\r\n\r\n"),
                          "bad_framing"),
    "space in address": (get(b"/heal thz"), "bad_target"),
    "coding in HTTP/1.0": (get(b"/healthz", b"Transfer-Encoding: chunked", version=b"HTTP/1.0", body=b"0\r\n\r\n"),
                           "bad_framing"),
    "space before the colon": (get(b"/healthz", b"Content-Length : 2", body=b"{}"), "bad_header"),
    "control character": (get(b"/healthz", b"X: a\x01b"), "bad_header"),
    "folded header": (get(b"/healthz", b"Content-Le: 5", b" ngth"), "bad_header"),
    "NUL in a header": (get(b"/healthz", b"X: a\0b"), "bad_header"),
    "NUL in the address": (get(b"/healthz\0x"), "bad_header"),
    "no host": (get(host=None), "bad_host"),
    "two hosts": (get(b"/healthz", b"Host: b"), "bad_host"),
}


@pytest.mark.parametrize("name", GOES_ON)
def test_error_and_the_connection_goes_on(server, name):
    request, status, reason = GOES_ON[name]
    with Raw(server.port) as raw:
        raw.send(request + LAST)
        answer = raw.answer()
        assert answer.status == status
        error = error_of(answer)
        assert reason is None or error["reason"] == reason
        assert answer.headers["access-control-allow-origin"] == "*"
        assert answer.headers["x-request-id"]
        assert raw.answer().status == 200
        assert raw.end()


@pytest.mark.parametrize("name", CLOSES)
def test_ambiguous_requests_are_refused_and_closed(server, name):
    request, reason = CLOSES[name]
    with Raw(server.port) as raw:
        raw.send(request + LAST)
        answer = raw.answer()
        assert answer.status == 400
        assert error_of(answer)["reason"] == reason
        assert answer.headers["connection"] == "close"
        assert raw.end()


@pytest.mark.parametrize("request_bytes", [get(method=b"BREW"), get(method=b"get"),
                                           get(b"/healthz", b"Transfer-Encoding: identity, chunked", body=b"0\r\n\r\n"),
                                           get(b"/healthz", b"Transfer-Encoding: gzip", body=b"0\r\n\r\n")])
def test_what_the_server_does_not_know_is_501_and_closed(server, request_bytes):
    with Raw(server.port) as raw:
        raw.send(request_bytes + LAST)
        answer = raw.answer()
        assert answer.status == 501 and error_of(answer)["reason"] == "not_implemented"
        assert raw.end()


@pytest.mark.parametrize("control", [b"\x01", b"\x1f", b"\x7f"])
def test_a_control_character_is_seen_wherever_it_is(server, control):
    for n, at in ((n, at) for n in range(1, 19) for at in range(n)):
        with Raw(server.port) as raw:
            raw.send(get(b"/healthz", b"X: " + b"a" * at + control + b"\xc3" * (n - 1 - at)))
            answer = raw.answer()
            assert (answer.status, error_of(answer)["reason"]) == (400, "bad_header"), (n, at)


def test_what_only_looks_like_a_control_character(server):
    with Raw(server.port) as raw:
        for n in range(40):
            raw.send(get(b"/healthz", b"X: a" + b"\t \x80\x9f\xff\x7e!"[n % 7:] * n + b"a"))
            assert raw.answer().status == 200, n


@pytest.mark.parametrize("request_line, status", [
    (b"GET /healthz\r\n\r\n", 400),
    (b"GET /healthz HTTP/2.0\r\nHost: a\r\n\r\n", 505),
    (b"GET /healthz HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n", 400),
    (b"GET /" + b"u" * 200000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", 414),
    (b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"h" * 200000 + b"\r\n\r\n", 431),
])
def test_what_is_no_request_is_refused_as_everything_is(server, request_line, status):
    with Raw(server.port) as raw:
        raw.send(request_line)
        answer = raw.answer()
        assert answer.status == status and error_of(answer)
        assert raw.end()


@pytest.mark.parametrize("length, status", [(64 * 1024, 200), (64 * 1024 + 1, 414)])
def test_limit_of_the_address(server, length, status):
    target = b"/healthz?" + b"u" * (length - 9)
    with Raw(server.port) as raw:
        raw.send(get(target) + LAST)
        answer = raw.answer()
        assert answer.status == status
        if status == 414:
            assert error_of(answer)["reason"] == "address_too_long"
        assert raw.answer().status == 200


@pytest.mark.parametrize("length, status", [(64 * 1024 - 100, 200), (64 * 1024, 431)])
def test_limit_of_the_headers(server, length, status):
    with Raw(server.port) as raw:
        raw.send(get(b"/healthz", b"X: " + b"h" * length) + LAST)
        answer = raw.answer()
        assert answer.status == status
        if status == 431:
            assert error_of(answer)["reason"] == "headers_too_large"


def test_405_names_the_methods(server):
    with Raw(server.port) as raw:
        raw.send(get(method=b"DELETE", target=REFERENCE))
        assert raw.answer().headers["allow"] == "GET, HEAD, OPTIONS"


@pytest.mark.parametrize("target", [b"/healthz", b"/nope", REFERENCE, REFERENCE + b"?lang=uk"])
def test_head_is_get_without_the_body(server, target):
    key = b"X-Service-Api-Key: " + server.key_b.encode()
    with Raw(server.port) as raw:
        raw.send(get(target, key) + get(target, key, method=b"HEAD") + LAST)
        whole, head = raw.answer(), raw.answer(head_only=True)
        assert raw.answer().status == 200
    changing = {"date", "x-request-id"}
    assert {k: v for k, v in whole.headers.items() if k not in changing} == \
           {k: v for k, v in head.headers.items() if k not in changing}
    assert int(head.headers["content-length"]) == len(whole.body)


def test_pipelined_requests_are_answered_in_order(server):
    with Raw(server.port) as raw:
        raw.send((GOOD + get(b"/nope")) * 20 + LAST)
        assert [raw.answer().status for _ in range(41)] == [200, 404] * 20 + [200]
        assert raw.end()


def test_http_1_0(server):
    with Raw(server.port) as raw:
        raw.send(b"GET /healthz HTTP/1.0\r\n\r\n")
        assert raw.answer().status == 200
        assert raw.end()
    with Raw(server.port) as raw:
        raw.send(b"GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n" + LAST)
        assert raw.answer().headers["connection"].lower() == "keep-alive"
        assert raw.answer().status == 200
        assert raw.end()


@pytest.mark.parametrize("fields, body", [
    ((b"Content-Length: 5",), b"hello"),
    ((b"Transfer-Encoding: chunked",), b"5;x=y\r\nhello\r\n0\r\nTrailer: t\r\n\r\n"),
])
def test_a_body_on_get_is_read_and_ignored(server, fields, body):
    with Raw(server.port) as raw:
        raw.send(get(b"/healthz", *fields, body=body) + LAST)
        assert raw.answer().status == 200
        assert raw.answer().status == 200


def test_an_announced_body_beyond_the_limit_is_refused_before_it_is_sent(server):
    with Raw(server.port) as raw:
        raw.send(get(b"/healthz", b"Expect: 100-continue", b"Content-Length: 4194305"))
        answer = raw.answer()
        assert answer.status == 413
        assert error_of(answer)["reason"] == "body_too_large"
        assert raw.end()


def test_an_endless_body_is_cut_with_an_answer(server):
    with Raw(server.port) as raw:
        raw.send(get(b"/healthz", b"Transfer-Encoding: chunked"))
        for _ in range(4500):
            raw.send(b"400\r\n" + b"x" * 1024 + b"\r\n")
        answer = raw.answer()
        assert answer.status == 413
        error_of(answer)
        assert raw.end()


def test_a_preflight_needs_no_key(server):
    with Raw(server.port) as raw:
        raw.send(get(REFERENCE, b"Origin: http://shop.example", b"Access-Control-Request-Method: GET",
                     b"Access-Control-Request-Headers: x-service-api-key", method=b"OPTIONS") + LAST)
        answer = raw.answer()
        assert answer.status == 204
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "X-Service-Api-Key" in answer.headers["access-control-allow-headers"]
        assert answer.headers["access-control-max-age"] == "7200"
        assert raw.answer().status == 200


def test_answers_to_scripts_expose_their_headers(server):
    with Raw(server.port) as raw:
        raw.send(get(REFERENCE, b"Origin: http://shop.example"))
        answer = raw.answer()
        assert answer.status == 403
        assert answer.headers["access-control-expose-headers"] == \
            "ETag, Retry-After, X-Request-Id, X-Ignored-Fields, Deprecation, Sunset, Link, X-Total-Count, X-Data-Version, " \
            "Idempotent-Replayed, RateLimit, RateLimit-Policy"


def test_request_id_comes_back(server):
    with Raw(server.port) as raw:
        raw.send(get(b"/nope", b"X-Request-Id: trace-1") + get(b"/nope", b'X-Request-Id: "<x>"'))
        assert raw.answer().headers["x-request-id"] == "trace-1"
        assert raw.answer().headers["x-request-id"] != '"<x>"'
        raw.send(get(b"/healthz", b"X-Request-Id: trace-2") + get(b"/healthz"))
        assert raw.answer().headers["x-request-id"] == "trace-2"
        assert "x-request-id" not in raw.answer().headers


def test_clients_that_leave_in_the_middle_do_no_harm(server):
    key = b"X-Service-Api-Key: " + server.key_b.encode()
    halves = [b"", b"G", b"GET /healthz HTTP/1.1\r\nHost", get(b"/healthz", b"Content-Length: 9", body=b"x"),
              get(REFERENCE, key), get(REFERENCE, key) * 20]
    for how in (None, socket.SHUT_WR, "reset"):
        for half in halves * 10:
            with Raw(server.port) as raw:
                raw.send(half)
                if how == "reset":
                    raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                elif how is not None:
                    raw.socket.shutdown(how)
    with Raw(server.port) as raw:
        raw.send(LAST)
        assert raw.answer().status == 200


# ---- deadlines ----

STEP = 100  # seconds, between two bytes
LONG_HEAD = GOOD[:-2] + b"X-Long: " + b"a" * 100
FORM = get(b"/healthz", b"Content-Length: 100", b"Connection: close")


@pytest.fixture
def hasty(clock, start_server):
    """A server that waits for a head or a body for 600 seconds of the clock, and 1200 between two requests."""
    server = start_server("--header-timeout", "600", "--idle-timeout", "1200", wait=False)
    server.step = lambda: clock.advance(STEP)
    return server


@pytest.mark.parametrize("before, trickles, rest, steps", [
    pytest.param([], LONG_HEAD, b"\r\n\r\n", 5, id="the first head"),
    pytest.param([GOOD], LONG_HEAD, b"\r\n\r\n", 5, id="a later head"),
    pytest.param([FORM], b"x" * 100, b"", 5, id="a body"),
])
def test_what_trickles_is_cut(hasty, before, trickles, rest, steps):
    """A byte each 100 seconds gains no time. When the clock stands still, at last, only such a byte could have kept it open."""
    def begin(raw):
        for request in before:
            raw.send(request)
            assert request == FORM or raw.answer().status == 200
        return raw

    with Raw(hasty.port) as raw:
        begin(raw).trickle(trickles[:steps], hasty.step).send(trickles[steps:] + rest)
        assert raw.answer().status == 200, "it was whole in time"
    with Raw(hasty.port) as raw:
        begin(raw).trickle(trickles[:steps + 10], hasty.step)
        eventually(raw.is_closed)


def test_an_idle_connection_is_closed(clock, start_server, tmp_path):
    log = tmp_path / "access.log"
    server = start_server("--header-timeout", "600", "--idle-timeout", "1200", "--access-log", log, wait=False)
    with Raw(server.port) as raw:
        assert raw.send(get(b"/nope")).answer().status == 404
        eventually(lambda: "/nope" in log.read_text("utf-8"))  # that it was sent is noted: from then on it is idle
        for _ in range(11):
            clock.advance(STEP)
        assert raw.send(GOOD).answer() is not None, "not before its time"
    with Raw(start_server("--header-timeout", "3600", "--idle-timeout", "1", wait=False).port) as raw:
        assert raw.send(GOOD).answer().status == 200
        assert raw.end()
