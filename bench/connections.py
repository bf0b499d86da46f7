#!/usr/bin/python3
"""What connections that wait cost in memory; a body of 1 MB in CPU, beside a bare libmicrohttpd.

bench/connections.py BUILD_DIR
"""
import pathlib
import socket
import sys

import common

CONNECTIONS = 4096
BODY = 1_000_000
BODIES = 300
ROUNDS = 5
SMALL = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"


def answer(sock):
    """One answer on a connection that stays."""
    got = b""
    while b"\r\n\r\n" not in got:
        got += sock.recv(65536)
    head, rest = got.split(b"\r\n\r\n", 1)
    length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
    while len(rest) < length:
        rest += sock.recv(65536)
    return int(head[9:12])


def resident_kib(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("RssAnon:"))


def idle_mb(pid, port):
    """What a server has taken for connections that have had an answer each and wait for their next request."""
    with socket.create_connection(("127.0.0.1", port)) as first:
        first.sendall(SMALL)
        answer(first)
        before = resident_kib(pid)
        all_of_them = []
        for _ in range(CONNECTIONS):
            all_of_them.append(socket.create_connection(("127.0.0.1", port)))
            all_of_them[-1].sendall(SMALL)
            answer(all_of_them[-1])
        after = resident_kib(pid)
        for one in all_of_them:
            one.close()
    return (after - before) * 1024 / 1e6


def body_us(pid, port, key):
    """CPU of a body that is received, and refused for its media type when it is here."""
    head = f"POST /v1/tour/sourceInfo?adapter_id=1 HTTP/1.1\r\nHost: a\r\nX-Service-Api-Key: {key}\r\nContent-Type: text/plain\r\nContent-Length: {BODY}\r\n\r\n"
    request = head.encode() + b"x" * BODY
    with socket.create_connection(("127.0.0.1", port)) as sock:
        before = common.cpu_seconds(pid)
        for _ in range(BODIES):
            sock.sendall(request)
            assert answer(sock) in (200, 415)
        return (common.cpu_seconds(pid) - before) / BODIES * 1e6


def main():
    build = common.programs(sys.argv[1])
    with common.folder() as folder:
        d = common.Dragoman(build / "dragoman", folder / "data")
        d.run("import", common.ROOT / "tests/fixtures/mini.ndjson", "--create")
        key = d.key("b")["key"]
        limits = "--max-connections", str(2 * CONNECTIONS), "--max-connections-per-address", str(2 * CONNECTIONS)
        port = common.free_port()
        with common.process([build / "bench/bare_mhd", str(port), "200"]) as bare, d.serve(*limits) as ours:
            common.wait_http(f"http://127.0.0.1:{port}/", server=bare)
            us = common.rounds(ROUNDS, ours=lambda: body_us(ours.pid, d.port, key), bare=lambda: body_us(bare.pid, port, key))
            mb = idle_mb(ours.pid, d.port)
    print(f"a body of {BODY:,} bytes: dragoman {us['ours']:.0f} us of CPU, a bare libmicrohttpd that drops it {us['bare']:.0f} us")
    print(f"{CONNECTIONS:,} connections that wait: {mb:.1f} MB, {mb * 1e6 / 1024 / CONNECTIONS:.2f} KiB each; libmicrohttpd has 20 KiB for each")
    kept = common.verdict("CPU of a body of 1 MB, in us", us["ours"], 600)
    kept &= common.verdict(f"memory of {CONNECTIONS:,} connections that wait, in MB", mb, 12)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
