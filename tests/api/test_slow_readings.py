"""Slow reads (duplicates, records of air suppliers, the history of keys and users): the queue is short, keys take turns, customers never
wait for them, and a stop waits only for reads that have started. A FIFO in place of the name index blocks a search for duplicates until
the test releases it."""
import contextlib
import os
import select
import signal
import socket

import pytest

import client
from curating import Desk
from description import describe
from raw import Raw
from test_metrics import scrape

pytestmark = pytest.mark.store
EACH, ALL = 4, 16  # the most that can wait or run: for one key, in all
DUPLICATES = "/v1/curate/duplicates"


class Gate:
    """Blocks searches for duplicates."""

    def __init__(self, path):
        self.path, self.held = path, None
        os.mkfifo(path)

    def let_one_go(self):
        """Release the search that waits at the gate, and those that wait with it."""
        def opened():
            with contextlib.suppress(OSError):  # ENXIO: no search waits
                return os.open(self.path, os.O_WRONLY | os.O_NONBLOCK)
            return None
        os.close(client.eventually(opened))

    def stay_open(self):
        self.held = os.open(self.path, os.O_RDWR)


@pytest.fixture
def gate(tmp_path, import_file, mini):
    import_file(tmp_path, mini)
    gate = Gate(tmp_path / "names.index")
    yield gate
    os.close(gate.held)


@pytest.fixture
def desks(gate, make_server, new_key, tmp_path):
    """Five desks, each with its own key."""
    keys = [new_key(tmp_path, "b", "--secret", "--role", "curator") for _ in range(5)]
    server = make_server(None, "--admin", "127.0.0.1:0", data=tmp_path)
    yield [Desk(server, key) for key in keys]
    gate.stay_open()  # so that the server can stop even if the test failed


@pytest.fixture
def ask():
    """ask(desk) requests duplicates on a new connection."""
    with contextlib.ExitStack() as stack:
        def ask(desk):
            headers = "".join(f"{name}: {value}\r\n" for name, value in desk.headers().items())
            raw = stack.enter_context(Raw(desk.server.port))
            return raw.send(f"GET {DUPLICATES} HTTP/1.1\r\nHost: a\r\n{headers}\r\n".encode())
        yield ask


def waits(server, n):
    """Wait until exactly n requests wait or run."""
    client.eventually(lambda: scrape(server).of("http_connections", state="handler") == n)


def answered(asked):
    return select.select([raw.socket for raw in asked], [], [], client.PATIENCE)[0]


def test_of_one_key_and_of_all_so_many_and_no_more(desks, gate, ask):
    of_one = [ask(desks[0]) for _ in range(EACH + 1)]
    (refused,) = [raw for raw in of_one if raw.socket in answered(of_one)]
    answer = refused.answer()
    assert answer.status == 503 and b'"reason":"busy"' in answer.body and int(answer.headers["retry-after"]) > 0
    others = [ask(desk) for desk in desks[1:4] for _ in range(EACH)]
    waits(desks[0].server, ALL)
    last = ask(desks[4])
    assert b'"reason":"busy"' in last.answer().body, "four keys have 16 requests in the queue"
    gate.stay_open()
    asked = [raw for raw in of_one if raw is not refused] + others
    assert [raw.answer().status for raw in asked] == [200] * ALL


def test_other_keys_and_customers_do_not_wait(desks, gate, ask):
    own = [ask(desks[0]) for _ in range(EACH)]
    assert desks[1].get("air").status == 200, "a key uses one thread of two"
    other = ask(desks[1])
    assert describe(desks[0].server, 7, "1001").status == 200, "customers have other threads"
    assert desks[0].get("batches").status == 200
    assert not select.select([raw.socket for raw in [*own, other]], [], [], 0)[0]
    gate.stay_open()
    assert [raw.answer().status for raw in [*own, other]] == [200] * (EACH + 1)


def test_what_nobody_waits_for_any_more_is_not_read(desks, gate, ask):
    begun = ask(desks[0])
    waits(desks[0].server, 1)
    left = [ask(desks[0]) for _ in range(EACH - 1)]
    waits(desks[0].server, EACH)
    for raw in left:
        raw.socket.close()
    waits(desks[0].server, 1)
    gate.let_one_go()
    assert begun.answer().status == 200
    assert desks[0].get("air").status == 200, "no earlier request waits at the gate"


def test_a_stop_waits_for_none_that_has_not_begun(desks, gate, ask):
    server = desks[0].server
    asked = [ask(desks[0]) for _ in range(EACH)]
    waits(server, EACH)
    os.kill(server.pid, signal.SIGTERM)

    def closed():
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", server.port), 1):
            return False
        return True
    client.eventually(closed)
    gate.let_one_go()
    answers = [raw.answer() for raw in asked]
    assert sorted(answer.status for answer in answers) == [200] + [503] * (EACH - 1)
    assert all(b'"reason":"shutting_down"' in answer.body for answer in answers if answer.status == 503)
    assert server.process.popen.wait(client.PATIENCE) == 0
