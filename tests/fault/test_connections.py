"""Attacks on connections, by clients without a key: bursts, clients that leave in the middle, clients that wait and leave.
A well-behaved client asks /healthz all the time and is answered; afterwards the server has the descriptors that it had, has freed what
it allocated meanwhile, and stops. No time is up meanwhile: what is free again is free because its client left.

DRG_ATTACK_SECONDS=N   how long each goes on (`make long`: 20); then with ten thousands of connections, at a pace, and how long the
good client waits counts too. Without it: one round after those that warm up."""
import multiprocessing
import os
import resource
import socket
import threading
import time

import pytest

import client
import usage

LONG = "DRG_ATTACK_SECONDS" in os.environ
SECONDS = float(os.environ.get("DRG_ATTACK_SECONDS", "0"))
CONNECTIONS = 4096 if LONG else 1024
BURST = CONNECTIONS * 5 // 4
LEAVERS = 700  # in the long form each second
HALF_CLOSERS = 150
WAITERS = 1500 if LONG else 800
MORE_HELD = 64 * 1024  # 50 bytes for each connection of a burst
IP_BIND_ADDRESS_NO_PORT = 24  # of linux/in.h
KEY = b"GET /v1/changes?since=now&wait=60 HTTP/1.1\r\nHost: a\r\nX-Service-Api-Key: %s\r\n\r\n"


@pytest.fixture(autouse=True)
def many_files():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if hard < 2 * BURST:
        pytest.skip(f"{hard} open files are too few to attack with")
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def dial(port, source, first):
    """A connection under way; it need not be there yet."""
    attacker = socket.socket()
    attacker.setsockopt(socket.IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1)  # else bind() searches long for a port
    attacker.bind((source, 0))
    attacker.setblocking(False)
    attacker.connect_ex(("127.0.0.1", port))
    try:
        attacker.send(first)
    except OSError:
        pass
    return attacker


def taken(server):
    """Returns when the server has taken the connections that were made before: they are taken in their order."""
    assert client.request(server.port, "/healthz", timeout=client.PATIENCE).status == 200


def paced(n, each_second):
    began = time.monotonic()
    for i in range(n):
        yield i
        if LONG:
            time.sleep(max(0.0, began + i / each_second - time.monotonic()))


class Good(threading.Thread):
    """Asks all the time, each time on a new connection, as who else would be turned away."""

    def __init__(self, server):
        super().__init__()
        self.server, self.times, self.faults, self.stop = server, [], [], threading.Event()

    def run(self):
        while not self.stop.wait(0.02):
            began = time.monotonic()
            try:
                status = client.request(self.server.port, "/healthz", timeout=client.PATIENCE).status
                if status != 200:
                    self.faults.append(status)
            except OSError as fault:
                self.faults.append(fault)
            self.times.append(time.monotonic() - began)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        self.join()


def in_a_process(attack):
    """Of its own, so that the good client does not wait for this interpreter's lock."""
    attacker = multiprocessing.get_context("fork").Process(target=attack)
    attacker.start()
    attacker.join()
    assert attacker.exitcode == 0


def attacked(server, attack, name, warm_up=2):
    """Run an attack, some rounds for what any first use costs, then for SECONDS, and look at what is left."""
    files = usage.descriptors(server.pid)
    with Good(server):
        for _ in range(warm_up):
            in_a_process(attack)
    client.eventually(lambda: usage.descriptors(server.pid) <= files * 1.2 + 2)
    held = client.settled(lambda: server.faults.held)
    with Good(server) as good:
        until, rounds = time.monotonic() + SECONDS, 0
        while time.monotonic() < until or rounds == 0 or not good.times:
            in_a_process(attack)
            rounds += 1
    came_back = client.wait_until(lambda: usage.descriptors(server.pid) <= files * 1.2 + 2)
    freed = client.wait_until(lambda: server.faults.held <= held + MORE_HELD)
    print(f"{name}: {rounds} rounds, {len(good.times)} good requests, the slowest {max(good.times) * 1000:.0f} ms, "
          f"files {files} -> {usage.descriptors(server.pid)}, {server.faults.held - held:+,} bytes held")
    assert good.times and not good.faults, good.faults[:5]
    assert not LONG or max(good.times) < 1.0
    assert came_back, f"{usage.descriptors(server.pid)} descriptors, {files} before"
    assert freed, f"{server.faults.held} bytes are held, {held} before"
    server.stop()


@pytest.fixture
def server(make_counted):
    """Its catalog is empty, and it has an hour for everything."""
    return make_counted(None, "--max-connections", str(CONNECTIONS), "--header-timeout", "3600", "--idle-timeout", "3600",
                        "--stop-timeout", "3600")


@pytest.mark.parametrize("first", [b"GET /x", b"", b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"])
@pytest.mark.parametrize("addresses", [1, 50])
def test_bursts(server, first, addresses):
    def attack():
        sources = [f"127.0.{2 + i}.1" for i in range(addresses)]
        burst = [dial(server.port, sources[i % addresses], first) for i in range(BURST)]
        taken(server)
        for attacker in burst:
            attacker.close()

    attacked(server, attack, f"bursts of {BURST} from {addresses} addresses, {first[:20]}")


HALVES = [b"GE", b"GET /healthz HT", b"GET /healthz HTTP/1.1\r\nHo",
          b"POST /v1/tour/sourceInfo HTTP/1.1\r\nHost: a\r\nContent-Length: 90\r\n\r\n{\"hot",
          b"POST /v1/tour/sourceInfo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n50\r\n{\"hot",
          b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET /he"]


def test_leavers(server):
    """Half of something, then gone; or an ordinary request, a half-close, and gone."""
    number = iter(range(1 << 30))

    def attack():
        for _ in paced(LEAVERS, LEAVERS):
            n = next(number)
            attacker = dial(server.port, f"127.0.{2 + n % 50}.1", HALVES[n % len(HALVES)])
            if n % 3 == 0:
                try:
                    attacker.shutdown(socket.SHUT_WR)
                except OSError:
                    pass
            attacker.close()

    attacked(server, attack, f"{LEAVERS} leavers")


def test_half_closers(server):
    """An ordinary request, a half-close, the whole answer, and gone: 150 each second had filled all places."""

    def attack():
        for _ in paced(HALF_CLOSERS, HALF_CLOSERS):
            asks = socket.create_connection(("127.0.0.1", server.port), client.PATIENCE, source_address=("127.0.0.9", 0))
            asks.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
            asks.shutdown(socket.SHUT_WR)
            got = b""
            while part := asks.recv(4096):
                got += part
            assert got.startswith(b"HTTP/1.1 200 ") and got.endswith(b"}")
            asks.close()

    attacked(server, attack, f"{HALF_CLOSERS} half-closers")


def test_who_waits_and_leaves(server):
    """Long polls whose clients go: what they held is free at once, not when the minute is over."""
    request = KEY % server.key_b.encode()

    def attack():
        waiting = [dial(server.port, f"127.0.{2 + i % 10}.1", request) for i in range(WAITERS)]
        taken(server)
        for attacker in waiting:
            attacker.close()

    attacked(server, attack, f"{WAITERS} who wait and leave", warm_up=8 if LONG else 2)


def test_those_who_send_nothing_hold_up_no_stop(server):
    held = [dial(server.port, f"127.0.{2 + i % 10}.1", HALVES[i % len(HALVES)]) for i in range(CONNECTIONS)]
    taken(server)
    server.stop()
    for attacker in held:
        attacker.close()
