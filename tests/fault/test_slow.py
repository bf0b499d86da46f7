"""10,000 idle connections and 1,000 slow ones, which send heads and bodies byte by byte, ask for many ranges, or read answers byte by byte
(slowhttptest -H -B -R -X): another client waits twice as long at most (99 of 100 times, the median of nine rounds; it needs the machine for
itself), and each of them takes 16 KiB at most."""
import multiprocessing
import resource
import socket
import time
from statistics import median

import pytest

import client
import usage
from test_connections import dial, taken

IDLE, SLOW, ASKED, ROUNDS = 10000, 1000, 3000, 9
ANSWER = b"GET /v1/openapi.json HTTP/1.1\r\nHost: a\r\n"  # of some hundred KB
QUESTION = (b"POST /v1/tour/sourceInfo?adapter_id=7 HTTP/1.1\r\nHost: a\r\nX-Service-Api-Key: %s\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n")


def slow_ones(port, key):
    """What each has to send, a byte at a time, behind what it sends at once; who reads slowly sends nothing."""
    sorts = [(b"GET /healthz HTTP/1.1\r\nHost: a\r\n", b"X-a: b\r\n" * 1000),
             (QUESTION % (key.encode(), 8192), b"{" + b" " * 8000),
             (ANSWER + b"Range: bytes=" + b",".join(b"5-%d" % n for n in range(200)) + b"\r\n", b"X-a: b\r\n" * 1000),
             (ANSWER + b"\r\n", b"")]
    return [(dial(port, f"127.0.{70 + n % 40}.1", sorts[n % 4][0]), sorts[n % 4][1]) for n in range(SLOW)]


def attack(port, key, stands, over):
    """In a process of its own: all connections, then a byte of each slow one in turn, a round in five seconds."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    held = []
    for n in range(IDLE):
        held.append(dial(port, f"127.0.{2 + n % 60}.1", b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n" if n % 2 else b""))
        if n % 500 == 499:
            assert client.request(port, "/healthz", timeout=client.PATIENCE).status == 200
    slow = slow_ones(port, key)
    stands.set()
    at = 0
    while not over.wait(5 / SLOW):
        connection, rest = slow[at % SLOW]
        k = at // SLOW
        try:
            if k < len(rest):
                connection.send(rest[k:k + 1])
            else:
                connection.recv(64)
        except BlockingIOError:
            pass
        at += 1


class Asking:
    """A client that keeps its connection, and how long it waited for each answer."""

    def __init__(self, port, key):
        self.socket = socket.create_connection(("127.0.0.1", port), client.PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        body = b'{"hotel":["1001"]}'
        self.request = QUESTION % (key.encode(), len(body)) + body

    def p99(self):
        times = []
        for _ in range(ASKED):
            began = time.perf_counter()
            self.socket.sendall(self.request)
            assert self.socket.recv(65536).startswith(b"HTTP/1.1 200 ")
            times.append(time.perf_counter() - began)
        return sorted(times)[ASKED * 99 // 100] * 1000


@pytest.mark.long
def test_idle_and_slow_connections(make_server, mini):
    if resource.getrlimit(resource.RLIMIT_NOFILE)[1] < IDLE + SLOW + 500:
        pytest.skip("too few open files")
    most = str(IDLE + SLOW + 100)
    server = make_server(mini, "--max-connections", most, "--max-connections-per-address", most, "--header-timeout", "3600", "--idle-timeout", "3600")
    asking = Asking(server.port, server.key_b)
    asking.p99()
    before, memory = [asking.p99() for _ in range(ROUNDS)], usage.memory(server.pid)
    context = multiprocessing.get_context("fork")
    stands, over = context.Event(), context.Event()
    attacker = context.Process(target=attack, args=(server.port, server.key_b, stands, over))
    attacker.start()
    try:
        assert stands.wait(client.PATIENCE)
        taken(server)
        beside = [asking.p99() for _ in range(ROUNDS)]
        open_files, each = usage.descriptors(server.pid), (usage.memory(server.pid) - memory) / (IDLE + SLOW)
    finally:
        over.set()
        attacker.join()
    print(f"p99 {median(before):.2f} ms, beside {median(beside):.2f} ms; {each / 1024:.1f} KiB each of {open_files} files")
    assert open_files > IDLE + SLOW
    assert each <= 16 * 1024
    assert median(beside) <= 2 * median(before)
