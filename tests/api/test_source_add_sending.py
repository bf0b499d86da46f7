"""tour/sourceAdd, how a request is sent: bodies that are cut or too large (E9), the Idempotency-Key, a full queue (E2),
clients that leave, a server that stops."""
import json
import socket
import threading

import pytest

import client
import store
from client import assert_error, eventually, wait_until
from raw import Raw, was_read
from registration import assert_element_error, element, is_registered, new_id, post, source_add

pytestmark = pytest.mark.store


@pytest.fixture(scope="module")
def server(module_servers, mini):
    return module_servers.make(mini)


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
        raw.socket.shutdown(socket.SHUT_WR)
        raw.end()
        assert raw.closed
    assert not is_registered(server, "meal", made["id"])


def test_a_body_in_chunks_without_end_is_cut_off(clock, make_server, mini):
    server = make_server(mini, "--header-timeout", "3600", "--max-body", "65536")
    made = element("meal")
    with Raw(server.port) as raw:
        raw.send(raw_head(server, "Transfer-Encoding: chunked"))
        raw.send(b"%x\r\n%s\r\n" % (len(raw_body(made)), raw_body(made)))
        eventually(lambda: was_read(*raw.ports))
        clock.advance(3600 + 10)  # and a second for each KiB
        assert raw.end()
    with Raw(server.port) as raw:
        raw.send(raw_head(server, "Transfer-Encoding: chunked"))
        for _ in range(70):
            raw.send(b"400\r\n" + b" " * 1024 + b"\r\n")
        assert raw.answer().status == 413
    assert not is_registered(server, "meal", made["id"])


# Idempotency-Key

def retry(server, name, body=None, **more):
    return source_add(server, {"Idempotency-Key": name}, **(body or {}), **more)


@pytest.mark.store_core
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


@pytest.mark.store_core
def test_idempotency_holds_over_a_restart(make_server, mini):
    first = make_server(mini)
    body = {"meal": [element("meal")]}
    answer = retry(first, "over-a-restart", body)
    first.stop()
    second = make_server(None, data=first.data)
    second.key_b, second.secret_b = first.key_b, first.secret_b
    again = retry(second, "over-a-restart", body)
    assert again.body == answer.body and again.headers["Idempotent-Replayed"] == "true"


@pytest.mark.store_core
def test_idempotency_what_changed_nothing_is_not_kept(server):
    name, body = new_id("retry-"), {"meal": [element("meal"), element("meal", name="")]}
    source_add(server, **body).data()
    first, second = retry(server, name, body), retry(server, name, body)
    assert first.status == 200 and first.body == second.body
    assert "Idempotent-Replayed" not in second.headers
    assert store.execute(server.data, f"SELECT count(*) FROM kept_answer WHERE name = '{name}'") == [["0"]]
    assert retry(server, name, {"meal": [element("meal")]}).status == 200, "the name is free"


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

    def __init__(self, server, made):
        super().__init__()
        self.server, self.made, self.response = server, made, None
        self.start()

    def run(self):
        self.response = source_add(self.server, meal=[self.made])

    def result(self):
        self.join()
        return self.response

    def is_added(self):
        return "source" in self.result().data()["meal"][self.made["id"]]


def fill_queue(server, room):
    """As many requests as the queue of a held server has room for, and one more: the one that is refused at once, which
    shows that all the others are in, and those."""
    senders = [Sender(server, element("meal")) for _ in range(room + 1)]
    assert wait_until(lambda: any(not s.is_alive() for s in senders))
    refused = [s for s in senders if not s.is_alive()]
    assert len(refused) == 1
    return refused[0], [s for s in senders if s is not refused[0]]


def takes_connections(server):
    try:
        socket.create_connection((server.process.host, server.port), 5).close()
    except OSError:
        return False
    return True


def test_e2_a_full_queue_is_503_at_once_and_reads_go_on(held):
    server, let_go = held("--write-queue", "3")
    refused, waiting = fill_queue(server, 3)
    response = refused.result()
    assert_error(response, 503, reason="queue_full")
    assert int(response.headers["Retry-After"]) > 0
    assert not is_registered(server, "meal", refused.made["id"])
    assert [w.is_alive() for w in waiting] == [True] * 3, "answered before it was stored"
    let_go()
    assert all(w.is_added() for w in waiting)
    assert source_add(server, meal=[refused.made]).status == 200


def test_stopping_answers_what_is_under_way(held):
    server, let_go = held("--write-queue", "8")
    _, waiting = fill_queue(server, 8)
    stopping = threading.Thread(target=server.stop)
    stopping.start()
    assert wait_until(lambda: not takes_connections(server))
    let_go()
    stopping.join()
    assert all(w.is_added() for w in waiting)


def test_a_client_that_goes_away_while_it_waits_harms_nobody(held):
    server, let_go = held()
    gone, stays = element("meal"), element("meal")
    with pytest.raises(OSError):
        body = json.dumps({"adapter_id": 7, "lang_code": "en", "meal": [gone]})
        client.request(server.port, "/v1/tour/sourceAdd", "POST",
                       {"X-Service-Api-Key": server.key_b, "X-Service-Api-Secret": server.secret_b,
                        "Content-Type": "application/json", "Idempotency-Key": "gone"}, body, timeout=0.3)
    waiting = Sender(server, stays)
    let_go()
    assert waiting.is_added()
    again = source_add(server, {"Idempotency-Key": "gone"}, meal=[gone])
    assert again.status == 200 and "source" in again.data()["meal"][gone["id"]]
