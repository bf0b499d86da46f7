"""Lists that many wait for (decision R8): clients take turns, leavers get nothing built, waiting is bounded, and a stop ends it. The
builder builds when the test says so."""
import contextlib
import os
import signal

import pytest

import client
from raw import Raw

LANGS = "ar bg ca cs da de el es et fi fr he hi hr hu id it ja ko lt lv ms nl no pl pt ro ru sk sl sr sv th tr uk vi zh".split()
MANY, ONE = "127.0.0.2", "127.0.0.3"
SHARE = 13  # of 64 places: as many as a quarter of those that are free then


class Asker:
    """Requests for lists, each on a connection of its own."""

    def __init__(self, server, stack):
        self.server, self.stack, self.langs = server, stack, iter(LANGS)

    def ask(self, source, lang=None, api="a", headers=""):
        key, path = {"a": (self.server.key_a, "main-references"), "b": (self.server.key_b, "reference")}[api]
        raw = self.stack.enter_context(Raw(self.server.port, source=source))
        return raw.send(f"GET {client.BASE[api]}tour/{path}?lang={lang or next(self.langs)} HTTP/1.1\r\nHost: a\r\n"
                        f"{client.HEADER[api]}: {key}\r\n{headers}\r\n".encode())

    def waiting(self, n):
        client.eventually(lambda: client.ready(self.server.port, "lists_waiting") == n)


@pytest.fixture
def asker(make_server, mini):
    with contextlib.ExitStack() as stack:
        yield lambda *options, records=mini: Asker(make_server(records, *options), stack)


def refused(raw):
    answer = raw.answer()
    assert answer.status == 503 and b'"reason":"lists_waiting"' in answer.body and answer.headers["retry-after"] == "2", answer
    return answer


def test_r8_one_wish_waits_for_one_turn_of_who_has_many(builder, asker):
    a = asker()
    many = [a.ask(MANY) for _ in range(10)]
    a.waiting(10)
    one = a.ask(ONE)
    a.waiting(11)
    builder.build(2)
    assert one.answer().status == 200
    a.waiting(9)
    builder.build(9)
    assert [raw.answer().status for raw in many] == [200] * 10


def test_r8_keys_take_turns_before_addresses_do(builder, asker):
    a = asker()
    for source in range(10):
        a.ask(f"127.0.1.{source}")
    a.waiting(10)
    other_key = a.ask(MANY, api="b")
    a.waiting(11)
    builder.build(2)
    assert other_key.answer().status == 200
    a.waiting(9)


def test_r8_what_nobody_waits_for_any_more_is_not_built(builder, asker):
    a = asker()
    many = [a.ask(MANY) for _ in range(10)]
    a.waiting(10)
    one = a.ask(ONE)
    same = a.ask(ONE, LANGS[0])
    a.waiting(11)
    for raw in many:
        raw.socket.close()
    a.waiting(2)
    builder.build(2)
    assert one.answer().status == 200 and same.answer().status == 200
    a.waiting(0)


def test_r8_an_address_waits_for_so_many_lists_and_no_more(builder, clock, asker):
    a = asker("--max-connections", "256")
    many = [a.ask(MANY) for _ in range(SHARE)]
    a.waiting(SHARE)
    assert b"your address" in refused(a.ask(MANY)).body
    beside = a.ask(MANY, LANGS[0])  # somebody waits for it already
    one = a.ask(ONE)
    a.waiting(SHARE + 1)
    builder.build(SHARE + 2)
    assert {raw.answer().status for raw in (*many, beside, one)} == {200}
    client.eventually(lambda: a.server.process.stderr().count("lists are requested faster than they are built: requests wait for 14 lists") == 1)
    assert "rejected 1 requests" in a.server.process.stderr()
    clock.advance(10)
    client.eventually(lambda: a.server.process.stderr().count("lists are built as fast as they are requested again") == 1)


def test_r8_who_waits_for_long_is_told_of_once(builder, clock, asker):
    a = asker()
    many = [a.ask(MANY) for _ in range(3)]
    a.waiting(3)
    clock.advance(2)
    builder.build(3)
    assert [raw.answer().status for raw in many] == [200] * 3
    assert a.server.process.stderr().count("lists are requested faster") == 1


def test_r8_in_all_so_many_and_no_more(builder, asker):
    a = asker("--max-connections", "256")
    sources = [f"127.0.2.{n}" for n in range(64)]
    langs = [(api, lang) for api in ("a", "b") for lang in LANGS][:64]
    for source, (api, lang) in zip(sources, langs):
        a.ask(source, lang, api)
    a.waiting(64)
    assert b"too many lists" in refused(a.ask(ONE, LANGS[-1], "b")).body
    builder.build(64)
    a.waiting(0)


def test_r8_behind_a_proxy_the_client_is_who_the_proxy_says(builder, asker):
    a = asker("--max-connections", "256", "--trusted-proxy", "127.0.0.1")
    from_client = "X-Forwarded-For: 2001:db8:0:{}\r\n".format
    for n in range(SHARE):
        a.ask("127.0.0.1", headers=from_client(f"1::{n + 1}"))
    a.waiting(SHARE)
    refused(a.ask("127.0.0.1", headers=from_client("1::99")))
    other = a.ask("127.0.0.1", headers=from_client("2::1"))
    a.waiting(SHARE + 1)
    builder.build(2)
    assert other.answer().status == 200
    builder.build(SHARE)


def test_r8_a_stop_ends_all_waiting(builder, asker):
    a = asker()
    many = [a.ask(MANY) for _ in range(10)]
    a.waiting(10)
    os.kill(a.server.pid, signal.SIGTERM)
    for raw in many:
        answer = raw.answer()
        assert answer.status == 503 and b'"reason":"stopping"' in answer.body
        assert answer.headers["retry-after"] == "2"
    assert a.server.process.popen.wait(client.PATIENCE) == 0


def test_e23_a_list_is_compressed_when_somebody_takes_the_coding(builder, asker):
    a = asker(records=[{"type": "dict", "kind": "meal", "id": n, "name": f"Meal {n}"} for n in range(1, 50)])
    builder.build(1)
    plain = a.server.a("tour/main-references?lang=uk", {"Accept-Encoding": "identity"})
    etag = {"If-None-Match": plain.headers["ETag"]}
    for coding in ("identity", "gzip", "br", "identity;q=0, zstd"):  # a 304 has no body
        assert a.server.a("tour/main-references?lang=uk", {"Accept-Encoding": coding, **etag}).status == 304
    coded = a.ask(ONE, "uk", headers="Accept-Encoding: gzip, br\r\n")
    a.waiting(1)
    assert a.server.a("tour/main-references?lang=uk").body == plain.body
    builder.build(1)
    answer = coded.answer()
    assert answer.headers["content-encoding"] == "br" and client.DECODE["br"](answer.body) == plain.body
    assert a.server.a("tour/main-references?lang=uk", {"Accept-Encoding": "br"}).body == answer.body
