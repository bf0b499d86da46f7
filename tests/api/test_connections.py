"""Connections: whose they are, how many one client may have, who has gone, and how a server with clients stops."""
import json
import os
import resource
import signal
import socket
import subprocess

import pytest

import client
from conftest import command
from raw import Raw

GOOD = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
HALF_HEAD = b"GET /healthz HTTP/1.1\r\nHos"


def dial(port, source="127.0.0.1", first=b""):
    connection = socket.create_connection(("127.0.0.1", port), 5, source_address=(source, 0))
    if first:
        connection.sendall(first)
    return connection


def closed(connection):
    """Everything that came before the server closed; None: it did not close."""
    connection.settimeout(client.PATIENCE)
    got = b""
    try:
        while True:
            part = connection.recv(65536)
            if not part:
                return got
            got += part
    except ConnectionResetError:
        return got
    except socket.timeout:
        return None


def served(port, source):
    with dial(port, source, GOOD) as connection:
        return connection.recv(4096).startswith(b"HTTP/1.1 200")


ESTABLISHED, CLOSE_WAIT = "01", "08"


def connections(port, read=False):
    """How many connections of clients the server has descriptors for: one that nobody has accepted or has closed is no file.
    Those of which it has read all that was sent?"""
    with open("/proc/net/tcp", encoding="ascii") as lines:
        fields = [line.split() for line in lines][1:]
    return sum(f[1].endswith(f":{port:04X}") and f[3] in (ESTABLISHED, CLOSE_WAIT) and f[9] != "0" and
               not (read and int(f[4].partition(":")[2], 16)) for f in fields)


# ---- one client, many connections ------------------------------------------------------------------------------------


@pytest.mark.parametrize("options, readable", [((), True), (("--cors-origin", "https://shop.example"), False)])
def test_one_address_gets_its_share_and_no_more(start_server, options, readable):
    process = start_server("--max-connections", "40", "--max-connections-per-address", "10", *options)
    held = [dial(process.port, "127.0.0.2", HALF_HEAD) for _ in range(10)]
    with dial(process.port, "127.0.0.2", GOOD) as refused:
        answer = closed(refused)
    assert answer.startswith(b"HTTP/1.1 503 ") and b"\r\nRetry-After: 2\r\n" in answer
    head, _, body = answer.partition(b"\r\n\r\n")
    assert json.loads(body)["error"]["reason"] == "too_many_connections"
    assert f"Content-Length: {len(body)}".encode() in head
    assert (b"\r\nAccess-Control-Allow-Origin: *\r\n" in head) == readable
    assert served(process.port, "127.0.0.3")
    held.pop().close()
    assert client.wait_until(lambda: served(process.port, "127.0.0.2"))
    for connection in held:
        connection.close()


def test_the_share_is_a_quarter_unless_said_otherwise(start_server):
    process = start_server("--max-connections", "20")
    held = [dial(process.port, "127.0.0.2", HALF_HEAD) for _ in range(5)]
    with dial(process.port, "127.0.0.2", GOOD) as refused:
        assert closed(refused).startswith(b"HTTP/1.1 503 ")
    for connection in held:
        connection.close()


# ---- proxies ---------------------------------------------------------------------------------------------------------


def logged(path, request_id):
    def line():
        found = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        return next((line for line in found if line["request_id"] == request_id), None)

    return client.wait_until(line)


NAMED = [
    ([], "127.0.0.2"),
    (["203.0.113.7"], "203.0.113.7"),
    (["198.51.100.1, 203.0.113.7"], "203.0.113.7"),
    (["203.0.113.7, 10.1.2.3"], "203.0.113.7"),
    (["203.0.113.7", "10.1.2.3, 10.4.5.6"], "203.0.113.7"),
    (["10.1.2.3, 10.4.5.6"], "10.1.2.3"),
    (["2001:db8::7"], "2001:db8::7"),
    (["[2001:db8::7]:443"], "2001:db8::7"),
    (["203.0.113.7:5000"], "203.0.113.7"),
    (["203.0.113.7, nonsense"], "127.0.0.2"),
    (["nonsense, 203.0.113.7"], "203.0.113.7"),
    (['203.0.113.7, "}{'], "127.0.0.2"),
]


def test_a_trusted_proxy_names_the_client(start_server, tmp_path):
    log = tmp_path / "access.log"
    process = start_server("--access-log", log, "--trusted-proxy", "127.0.0.2,10.0.0.0/8", wait=False)

    def ask(source, request_id, fields):
        head = "".join(f"X-Forwarded-For: {value}\r\n" for value in fields)
        with dial(process.port, source) as connection:
            connection.sendall(f"GET /nope HTTP/1.1\r\nHost: a\r\nX-Request-Id: {request_id}\r\n{head}\r\n".encode())
            assert connection.recv(4096).startswith(b"HTTP/1.1 404")

    for n, (fields, _) in enumerate(NAMED):
        ask("127.0.0.2", f"r{n}", fields)
    ask("127.0.0.3", "other", ["1.2.3.4"])
    for n, (fields, remote) in enumerate(NAMED):
        assert logged(log, f"r{n}")["remote"] == remote, fields
    assert logged(log, "other")["remote"] == "127.0.0.3", "anybody could say who he is"


def test_a_trusted_proxy_has_no_share(start_server):
    process = start_server("--max-connections", "20", "--max-connections-per-address", "2",
                           "--trusted-proxy", "127.0.0.2", wait=False)
    held = [dial(process.port, "127.0.0.2", HALF_HEAD) for _ in range(10)]
    assert served(process.port, "127.0.0.2")
    for connection in held:
        connection.close()


def header_2(address, command=0x21, more=b""):
    family, kind = (socket.AF_INET6, 0x21) if ":" in address else (socket.AF_INET, 0x11)
    packed = socket.inet_pton(family, address)
    block = packed + packed + b"\x00\x50\x01\xbb" + more
    return b"\r\n\r\n\0\r\nQUIT\n" + bytes([command, kind]) + len(block).to_bytes(2, "big") + block


NAMING = {
    "v1": (b"PROXY TCP4 203.0.113.7 10.0.0.1 56324 443\r\n", "203.0.113.7"),
    "v1, IPv6": (b"PROXY TCP6 2001:db8::7 ::1 56324 443\r\n", "2001:db8::7"),
    "v1, unknown": (b"PROXY UNKNOWN\r\n", "127.0.0.2"),
    "v2": (header_2("203.0.113.7"), "203.0.113.7"),
    "v2, IPv6": (header_2("2001:db8::7"), "2001:db8::7"),
    "v2, more fields": (header_2("203.0.113.7", more=b"\x04\x01\x00" + b"x" * 256), "203.0.113.7"),
    "v2, local": (header_2("203.0.113.7", command=0x20), "127.0.0.2"),
}


@pytest.fixture(scope="module")
def behind_proxy(module_servers, tmp_path_factory):
    log = tmp_path_factory.mktemp("log") / "access.log"
    process = module_servers.start("--access-log", log, "--trusted-proxy", "127.0.0.2", "--proxy-protocol",
                                   "--header-timeout", "600", "--max-connections", "20",
                                   "--max-connections-per-address", "3")
    process.log = log
    return process


@pytest.mark.parametrize("name", NAMING)
@pytest.mark.parametrize("pieces", [False, True])
def test_a_proxy_header_names_the_client(behind_proxy, name, pieces):
    header, remote = NAMING[name]
    request_id = f"{name}-{pieces}".replace(" ", "").replace(",", "")
    request = f"GET /nope HTTP/1.1\r\nHost: a\r\nX-Request-Id: {request_id}\r\n\r\n".encode()
    with dial(behind_proxy.port, "127.0.0.2") as connection:
        if pieces:
            for at in range(0, len(header), 20):
                connection.sendall(header[at:at + 20])
                assert served(behind_proxy.port, "127.0.0.3"), "who comes later has been looked at"
            connection.sendall(request)
        else:
            connection.sendall(header + request)
        assert connection.recv(4096).startswith(b"HTTP/1.1 404")
    assert logged(behind_proxy.log, request_id)["remote"] == remote


@pytest.mark.parametrize("header", [
    GOOD, b"PROXY TCP4 nonsense 10.0.0.1 1 2\r\n", b"PROXY TCP4 ::1 ::1 1 2\r\n", b"PROXY TCP4 10.0.0.1 10.0.0.1 1\r\n",
    b"PROXY TCP4 10.0.0.1 10.0.0.1 1 2\n", b"PROXY " + b"x" * 200, b"\r\n\r\n\0\r\nQUIT\n\x31\x11\x00\x0c" + b"x" * 12,
    b"\r\n\r\n\0\r\nQUIT\n\x21\x11\x00\x04xxxx", b"\r\n\r\n\0\r\nQUIT\n\x21\x11\xff\xffxxxx"])
def test_what_is_no_proxy_header_is_closed(behind_proxy, header):
    with dial(behind_proxy.port, "127.0.0.2", header + GOOD) as connection:
        assert closed(connection) == b""


def test_half_a_proxy_header_has_its_deadline(clock, start_server):
    process = start_server("--trusted-proxy", "127.0.0.2", "--proxy-protocol", "--header-timeout", "600")
    halves = [dial(process.port, "127.0.0.2", half) for half in (b"PROX", b"PROXY TCP4 1", header_2("203.0.113.7")[:20], b"")]
    client.eventually(lambda: connections(process.port) == 4)
    clock.advance(500)
    whole = dial(process.port, "127.0.0.2", NAMING["v1"][0] + GOOD)
    assert whole.recv(4096).startswith(b"HTTP/1.1 200")
    assert connections(process.port) == 5, "nobody is cut before"
    clock.advance(500)
    assert [closed(connection) for connection in halves] == [b""] * 4
    whole.close()


def test_the_share_is_that_of_the_named_client(behind_proxy):
    def named(address):
        return dial(behind_proxy.port, "127.0.0.2", f"PROXY TCP4 {address} 10.0.0.1 1 2\r\n".encode() + GOOD)

    held = [named("203.0.113.9") for _ in range(3)]
    assert all(connection.recv(4096).startswith(b"HTTP/1.1 200") for connection in held)
    with named("203.0.113.9") as refused:
        assert closed(refused).startswith(b"HTTP/1.1 503 ")
    with named("203.0.113.10") as other:
        assert other.recv(4096).startswith(b"HTTP/1.1 200")
    for connection in held:
        connection.close()


def test_who_is_no_proxy_sends_no_header(behind_proxy):
    assert served(behind_proxy.port, "127.0.0.3")
    with dial(behind_proxy.port, "127.0.0.3", NAMING["v1"][0] + GOOD) as connection:
        assert connection.recv(4096).startswith(b"HTTP/1.1 4")


@pytest.mark.parametrize("options, word", [
    (["--trusted-proxy", "proxy.example"], "--trusted-proxy"), (["--trusted-proxy", "10.0.0.0/33"], "10.0.0.0/33"),
    (["--trusted-proxy", "10.0.0.1,"], "--trusted-proxy"), (["--proxy-protocol"], "--trusted-proxy")])
def test_bad_proxies_are_one_clear_line(run, tmp_path, options, word):
    done = run("serve", "--data", tmp_path, "--listen", "127.0.0.1:0", *options)
    assert done.returncode == 2
    assert word in done.stderr and len(done.stderr.strip().splitlines()) == 1, done.stderr


# ---- open files ------------------------------------------------------------------------------------------------------


def serve_limited(data, *options, soft, hard):
    # Root may raise a hard limit; without that right nobody may.
    prefix = ["setpriv", "--bounding-set=-sys_resource", "--inh-caps=-sys_resource"] if os.geteuid() == 0 else []
    return subprocess.Popen([*prefix, *command("serve", "--data", data, "--listen", "127.0.0.1:0", *options)],
                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard)))


def test_the_limit_of_open_files_is_raised(tmp_path):
    popen = serve_limited(tmp_path, "--max-connections", "1000", soft=256, hard=4096)
    try:
        assert "listens on" in popen.stderr.readline()
        soft, _ = resource.prlimit(popen.pid, resource.RLIMIT_NOFILE)
        assert soft >= 1256
    finally:
        popen.terminate()
        assert popen.wait(client.PATIENCE) == 0


def test_too_few_open_files_are_one_clear_line(tmp_path):
    popen = serve_limited(tmp_path, "--max-connections", "1000", soft=256, hard=512)
    _, said = popen.communicate(timeout=client.PATIENCE)
    assert popen.returncode == 1
    assert len(said.strip().splitlines()) == 1, said
    assert "--max-connections 1000" in said and "512" in said and "LimitNOFILE" in said, said


def test_the_access_log_can_be_opened_again_with_all_places_taken(start_server, tmp_path):
    log = tmp_path / "access.log"
    process = start_server("--max-connections", "50", "--max-connections-per-address", "50", "--access-log", log)
    held = [dial(process.port, first=HALF_HEAD) for _ in range(50)]
    log.rename(tmp_path / "access.log.1")
    os.kill(process.pid, signal.SIGHUP)
    assert client.wait_until(log.exists)
    for connection in held:
        connection.close()


# ---- who has gone ----------------------------------------------------------------------------------------------------


def test_a_long_poll_whose_client_has_gone_frees_its_descriptor(make_server, mini):
    server = make_server(mini)
    request = (b"GET /v1/changes?since=now&wait=60 HTTP/1.1\r\nHost: a\r\nX-Service-Api-Key: " + server.key_b.encode() +
               b"\r\n\r\n")
    gone = [dial(server.port, first=request) for _ in range(30)]
    assert client.wait_until(lambda: connections(server.port) == 30)
    for connection in gone:
        connection.close()
    assert client.wait_until(lambda: connections(server.port) == 0)
    with Raw(server.port) as raw:
        raw.send(request.replace(b"wait=60", b"wait=1"))
        raw.socket.shutdown(socket.SHUT_WR)
        answer = raw.answer()
        while answer.status == 102:
            answer = raw.answer()
        assert answer.status == 200 and raw.end()
    server.stop()


# ---- stopping --------------------------------------------------------------------------------------------------------


HALVES = [b"", b"GET /hea", HALF_HEAD, b"POST /v1/tour/sourceInfo HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{",
          GOOD + b"GET"]
NO_HURRY = ("--stop-timeout", "3600", "--header-timeout", "3600", "--idle-timeout", "3600")


@pytest.mark.parametrize("leaves", [False, True])
def test_half_a_request_holds_up_no_stop(start_server, leaves):
    process = start_server(*NO_HURRY)
    clients = [dial(process.port, first=half) for half in HALVES for _ in range(40)]
    client.eventually(lambda: connections(process.port, read=True) == len(clients))
    for connection in clients if leaves else []:
        connection.close()
    process.stop()
    for connection in clients:
        connection.close()


def test_who_does_not_read_is_not_waited_for_by_a_stop(make_server, mini):
    server = make_server(mini, *NO_HURRY)
    ids = ",".join(["1001"] * 10000)
    request = (f"GET /v1/tour/reference HTTP/1.1\r\nHost: a\r\nX-Service-Api-Key: {server.key_b}\r\n\r\n").encode()
    body = json.dumps({"hotel": ids}).encode()
    big = (f"POST /v1/tour/sourceInfo?adapter_id=7 HTTP/1.1\r\nHost: a\r\nX-Service-Api-Key: {server.key_b}\r\n"
           f"X-Service-Api-Secret: {server.secret_b}\r\nContent-Type: application/json\r\n"
           f"Content-Length: {len(body)}\r\n\r\n").encode() + body
    lazy = socket.socket()
    lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    lazy.connect(("127.0.0.1", server.port))
    lazy.sendall((request + big) * 20)
    lazy.recv(1, socket.MSG_PEEK)
    server.stop()
    assert "stopped after" in server.process.stderr()
    lazy.close()
