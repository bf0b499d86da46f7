"""Clients that do not read large answers: how much is kept for them, and what is given back."""
import concurrent.futures
import functools
import json
import os
import select
import socket

import client

FULL = os.environ.get("DRG_KILLS") is not None
CLIENTS = 400 if FULL else 60
LIMIT = (256 if FULL else 32) * 1024 * 1024
IDS = 10_000
FEWER = 4_000
LEFT_MIB = 2  # less than one of the large answers


def held_mib(server):
    return server.faults.held / 2**20


def hotel(n):
    return {"type": "source", "adapter_id": 7, "kind": "hotel", "id": f"h{n}", "name": f"name of {n}", "dict_id": 55,
            "category_name": "x" * 60, "country_name": "TURKEY", "city_name": "ANTALYA"}


def ask_and_read_nothing(port, request, far=False):
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    if far:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)  # the kernel of the server takes less
    sock.connect(("127.0.0.1", port))
    sock.sendall(request)
    return sock


def has_answer(sock):
    return select.select([sock], [], [], 0)[0] != []


def attack(server, request, far=False):
    """One round: the peak, and the answers that were refused."""
    socks = [ask_and_read_nothing(server.port, request, far) for _ in range(CLIENTS)]
    client.eventually(lambda: all(has_answer(sock) for sock in socks))
    peak = held_mib(server)
    assert client.request(server.port, "/healthz").status == 200
    small = server.request("/v1/tour/sourceInfo?adapter_id=7", "POST", {client.HEADER["b"]: server.key_b}, b'{"hotel":["h1"]}')
    assert small.status == 200, "small answers pass"
    refused = 0
    for sock in socks:
        sock.settimeout(client.PATIENCE)
        head = sock.recv(600)
        if head.startswith(b"HTTP/1.1 503"):
            assert b"answers_waiting" in head and b"Retry-After: " in head, head
            refused += 1
        sock.close()
    return peak, refused


def test_what_was_compressed_is_not_kept_for_who_does_not_read(make_counted, mini, import_file):
    """Each answer has 1.6 MB, and as gzip 0.1."""
    server = make_counted(mini, "--max-answer-memory", str(LIMIT))
    import_file(server.data, [hotel(n) for n in range(FEWER)])
    body = json.dumps({"hotel": [f"h{n}" for n in range(FEWER)]}).encode()
    key = {client.HEADER["b"]: server.key_b}
    ask = functools.partial(server.request, "/v1/tour/sourceInfo?adapter_id=7", "POST", {**key, "Accept-Encoding": "gzip"}, body)
    assert client.wait_until(lambda: ask().data()["hotel"][-1]["source"])
    assert len(ask().plain()) > 1_500_000 and len(ask().body) < 128 * 1024
    request = (f"POST /v1/tour/sourceInfo?adapter_id=7 HTTP/1.1\r\nHost: a\r\n{client.HEADER['b']}: {server.key_b}\r\n"
               f"Accept-Encoding: gzip\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body
    before = client.settled(lambda: held_mib(server))
    peak, _ = attack(server, request, far=True)
    print(f"\n{CLIENTS} clients, peak {peak - before:.1f} MiB")
    assert peak <= before + LIMIT / 2**20 * 1.2


def test_large_answers_that_nobody_reads_are_bounded_and_given_back(make_counted, mini, import_file):
    server = make_counted(mini, "--max-answer-memory", str(LIMIT))
    import_file(server.data, [hotel(n) for n in range(IDS)])
    body = json.dumps({"hotel": [f"h{n}" for n in range(IDS)]}).encode()

    def ask():
        return server.request("/v1/tour/sourceInfo?adapter_id=7", "POST", {client.HEADER["b"]: server.key_b}, body)

    assert client.wait_until(lambda: ask().data()["hotel"][-1]["source"])
    size = len(ask().body)
    assert size > 3_000_000
    with concurrent.futures.ThreadPoolExecutor(8) as several:  # before the attack every thread has worked, and has its memory
        assert all(answer.status in (200, 503) for answer in several.map(lambda _: ask(), range(32)))
    request = (f"POST /v1/tour/sourceInfo?adapter_id=7 HTTP/1.1\r\nHost: a\r\n{client.HEADER['b']}: {server.key_b}\r\n"
               f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body
    before, seen = client.settled(lambda: held_mib(server)), []
    for _ in range(3 if FULL else 2):
        peak, refused = attack(server, request)
        assert refused > 0 and refused < CLIENTS, refused
        client.wait_until(lambda: held_mib(server) - before < LEFT_MIB)
        seen.append((round(peak - before, 1), refused, round(held_mib(server) - before, 1)))
    print(f"\n{CLIENTS} clients, peak MiB, refused, after: {seen}")
    assert all(after < LEFT_MIB for _, _, after in seen), seen
    assert all(peak <= LIMIT / 2**20 * 1.2 + 64 for peak, _, _ in seen), seen
    assert ask().status == 200
