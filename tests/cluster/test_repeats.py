"""The proxies of packaging/ before two servers that carry a request out and die before they answer, or answer 503: a request that changes
something reaches one server, one that only reads the next one too. Every endpoint of the OpenAPI document is sent, and bodies of the largest
sizes that it names."""
import collections
import contextlib
import http.client
import http.server
import json
import re
import socket
import ssl
import threading

import pytest

import client
import parts
from test_restart import certificate, haproxy, nginx  # noqa: F401 (fixture)

HAPROXY, NGINX = parts.haproxy_program(), parts.nginx_program()


class StandIn(http.server.ThreadingHTTPServer):
    """It is ready. Of any other request it counts the name, and fails the first time that anybody of `seen` is sent it."""
    daemon_threads = True

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self):
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            name, status = self.headers.get("X-Name"), 200
            if name is not None:
                with self.server.lock:
                    self.server.seen[name] += 1
                    first = self.server.seen[name] == 1
                fails = self.headers["X-Fails"]
                if first and fails == "dies":
                    self.connection.shutdown(socket.SHUT_RDWR)
                    self.close_connection = True
                    return
                status = 503 if first and fails == "refuses" else 200
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_GET = do_POST = do_DELETE = answer

        def log_message(self, *_):
            pass

    def handle_error(self, *_):
        """A look of the proxy at its health ends with a reset."""

    def __init__(self, name, seen, lock):
        super().__init__(("127.0.0.1", 0), self.Handler)
        self.name, self.port, self.seen, self.lock = name, self.server_port, seen, lock
        threading.Thread(target=self.serve_forever, daemon=True).start()


def cluster_nginx(place, ports, nodes, _certificate):
    text = parts.configuration("nginx.conf").replace("listen 8080", f"listen 127.0.0.1:{ports[0]}")
    for node, host in zip(nodes, ("10.0.0.11", "10.0.0.12")):
        # Each request fails once here: no server is away.
        text = text.replace(f"{host}:8080 max_fails=1 fail_timeout=2s", f"127.0.0.1:{node} max_fails=0")
    return parts.Nginx(place, text)


def cluster_haproxy(place, ports, nodes, _certificate):
    text = parts.configuration("haproxy.cfg").replace(" observe layer4 error-limit 3 on-error mark-down", "")
    return parts.HAProxy(place, parts.haproxy_for(ports[0], [collections.namedtuple("N", "name port")(f"n{port}", port) for port in nodes], text))


CONFIGURATIONS = {"nginx": (nginx, NGINX, True), "haproxy": (haproxy, HAPROXY, True),
                  "cluster-nginx": (cluster_nginx, NGINX, False), "cluster-haproxy": (cluster_haproxy, HAPROXY, False)}


@pytest.fixture(scope="module")
def operations(module_servers, mini):
    """(method, path, operation) of each endpoint, with 1 for what stands in its path."""
    document = json.loads(client.request(module_servers.make(mini).port, "/openapi.json").body)
    return [(method.upper(), re.sub(r"\{\w+\}", "1", path), operation)
            for path, methods in document["paths"].items() for method, operation in methods.items()]


@pytest.fixture(params=CONFIGURATIONS)
def send(request, tmp_path, certificate):  # noqa: F811
    """send(method, path, fails, body, headers) -> how many servers got it; of one that never fails, its status."""
    make, program, tls = CONFIGURATIONS[request.param]
    if program is None:
        pytest.skip(f"there is no {request.param} (tools/install-deps cluster patroni)")
    seen, lock = collections.Counter(), threading.Lock()
    nodes = [StandIn(f"node{n}", seen, lock) for n in (1, 2)]
    ports = parts.free_port(), parts.free_port()
    (tmp_path / "proxy").mkdir()
    proxy = make(tmp_path / "proxy", ports, [node.port for node in nodes], certificate)
    context = ssl.create_default_context(cafile=certificate)
    context.check_hostname = False

    def send_one(method, path, fails, body=b"{}", **headers):
        name = f"{method} {path} {fails} {len(seen)}"
        connection = (http.client.HTTPSConnection("127.0.0.1", ports[0], timeout=client.PATIENCE, context=context) if tls
                      else http.client.HTTPConnection("127.0.0.1", ports[0], timeout=client.PATIENCE))
        with contextlib.closing(connection):
            connection.request(method, path, body=body if method == "POST" else None,
                               headers={"X-Name": name, "X-Fails": fails, "Content-Type": "application/json", **headers})
            answer = connection.getresponse()
            answer.read()
        return seen[name] if fails != "never" else answer.status

    try:
        proxy.start()
        parts.wait_for(lambda: parts.answers(ports[0]) and send_one("GET", "/ready", "never") == 200, client.PATIENCE, proxy.said)
        # HAProxy has to have found both ready.
        parts.wait_for(lambda: send_one("GET", "/healthz", "dies") == 2, client.PATIENCE, proxy.said)
        yield send_one
    finally:
        proxy.stop()
        for node in nodes:
            node.shutdown()
            node.server_close()


def test_only_what_reads_is_sent_twice(send, operations):
    assert len(operations) > 60
    faults = []
    for method, path, operation in operations:
        reads = method == "GET" or operation.get("x-safe", False)
        wanted = {2} if reads else {1, 2} if method == "DELETE" else {1}  # DELETE is idempotent (RFC 9110); nginx takes it for that
        got = send(method, path, "dies")
        faults += [] if got in wanted else [(method, path, "dies", got)]
        # A 503 of a writer may mean that it is stored, and not visible yet.
        got = send(method, path, "refuses")
        faults += [] if got == 1 or reads or method == "DELETE" else [(method, path, "refuses", got)]
        named = any("Idempotency-Key" in p.get("$ref", "") for p in operation["parameters"])
        got = send(method, path, "dies", **{"Idempotency-Key": "once"})
        faults += [] if got in wanted or named else [(method, path, "Idempotency-Key", got)]
    assert not faults, faults


def test_the_largest_bodies_pass(send, operations):
    told = {(method, path): int(re.search(r"(\d+) bytes", operation["requestBody"]["description"]).group(1))
            for method, path, operation in operations if "requestBody" in operation}
    assert max(told.values()) >= 32 * 1024 * 1024
    largest = {size: where for where, size in told.items()}
    faults = {where: status for size, where in largest.items() if (status := send(*where, "never", body=b" " * size)) != 200}
    assert not faults, faults
