"""Two servers on one SQLite store behind the proxies of packaging/, as docs/production.md says, and restarted one after the other."""
import http.client
import json
import re
import ssl
import subprocess
import threading

import pytest

import client
import parts
import registration

PACKAGING = parts.ROOT / "packaging"
SETTINGS = "trusted-proxy = 127.0.0.1\npublic-url = https://travel.example.com\nlock-timeout = 30\n"


def nginx(place, ports, nodes, certificate):
    text = (PACKAGING / "nginx.conf").read_text("utf-8")
    for name, pattern, new in (("the TLS port", r"listen 443 ", f"listen 127.0.0.1:{ports[0]} "), ("the other", r"listen 80;", f"listen 127.0.0.1:{ports[1]};"),
                               ("certificate", r"/etc/ssl/travel.pem", certificate), ("key", r"/etc/ssl/travel.key", certificate),
                               ("log", r"/var/log/nginx", place), ("rate", r"rate=100r/s", "rate=100000r/s"),
                               ("node 1", "127.0.0.1:8081", f"127.0.0.1:{nodes[0]}"), ("node 2", "127.0.0.1:8082", f"127.0.0.1:{nodes[1]}")):
        text, n = re.subn(pattern, str(new), text)
        assert n >= 1, name
    return parts.Nginx(place, text)


def haproxy(place, ports, nodes, certificate):
    text = (PACKAGING / "haproxy.cfg").read_text("utf-8")
    for name, pattern, new in (("the TLS port", r"bind :443 ", f"bind 127.0.0.1:{ports[0]} "), ("the other", r"bind :80\b", f"bind 127.0.0.1:{ports[1]}"),
                               ("certificate", r"/etc/ssl/travel-with-key.pem", certificate), ("rate", "gt 200 ", "gt 100000 "),
                               ("log", "log /dev/log local0", "log stdout format raw local0"),
                               ("node 1", "127.0.0.1:8081", f"127.0.0.1:{nodes[0]}"), ("node 2", "127.0.0.1:8082", f"127.0.0.1:{nodes[1]}")):
        text, n = re.subn(pattern, str(new), text)
        assert n == 1, name
    return parts.HAProxy(place, text)


PROXIES = {"nginx": (nginx, parts.nginx_program()), "haproxy": (haproxy, parts.haproxy_program())}


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """One file with certificate and key, made by the line of docs/production.md."""
    path = tmp_path_factory.mktemp("tls") / "travel.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=travel.example.com",
                    "-addext", "subjectAltName=DNS:travel.example.com", "-keyout", path, "-out", path.with_suffix(".crt")],
                   check=True, capture_output=True)
    path.write_bytes(path.read_bytes() + path.with_suffix(".crt").read_bytes())
    return path


@pytest.fixture(params=PROXIES)
def behind(request, servers, templates, mini, dragoman, tmp_path, certificate):
    """(the proxy's port, the nodes, keys)"""
    make, program = PROXIES[request.param]
    if program is None:
        pytest.skip(f"there is no {request.param} (tools/install-deps cluster patroni)")
    data = servers.folder()
    templates.fill_with_keys(data, ("import", mini, "--create"))
    (tmp_path / "dragoman.conf").write_text(SETTINGS)
    nodes = [parts.Node(f"node{n}", dragoman, f"sqlite:{data}/dragoman.db", data, 0, ("--config", tmp_path / "dragoman.conf", "--hold"))
             for n in (1, 2)]
    for node in nodes:
        node.log = tmp_path / node.name
    ports = parts.free_port(), parts.free_port()
    place = tmp_path / "proxy"
    place.mkdir()
    proxy = make(place, ports, [node.port for node in nodes], certificate)
    try:
        for node in nodes:
            node.start().wait_ready()
        proxy.start()
        parts.wait_for(lambda: parts.answers(ports[0]), client.PATIENCE, proxy.said)
        context = ssl.create_default_context(cafile=certificate)
        yield Front(ports, context, certificate), nodes, templates.keys_of(data)
    finally:
        for part in (proxy, *nodes):
            part.stop()


class Front:
    """The proxy, as clients see it."""

    def __init__(self, ports, context, certificate):
        self.port, self.plain, self.context, self.certificate = *ports, context, certificate

    def connection(self):
        """One that stays open; its name is that of the certificate."""
        connection = http.client.HTTPSConnection("travel.example.com", self.port, context=self.context, timeout=client.PATIENCE)
        connection._create_connection = lambda address, *more: parts.socket.create_connection(("127.0.0.1", self.port), *more)
        return connection

    def curl(self, path, *options):
        return subprocess.run(["curl", "-sS", "--cacert", self.certificate, "--resolve", f"travel.example.com:{self.port}:127.0.0.1",
                               f"https://travel.example.com:{self.port}{path}", *options], check=True, capture_output=True, text=True).stdout


def ask(connection, method, path, headers, body=None):
    """(status, body) on a connection that stays open; opened again where the proxy has closed it."""
    if connection.sock is None:
        connection.connect()
    connection.request(method, path, body=None if body is None else json.dumps(body), headers=headers)
    answer = connection.getresponse()
    return answer.status, answer.read()


def test_what_a_client_sees(behind):
    front, _, keys = behind
    assert front.curl("/healthz", "-o", "/dev/null", "-w", "%{http_version} %{http_code}") == "2 200"
    long = "/v1/tour/hotelCheck?hotel=55&unknown=" + "x" * 60000
    said = front.curl(long, "-o", "/dev/null", "-w", "%{http_code}", "-H", f"X-Service-Api-Key: {keys['b']['key']}")
    assert said == front.curl(long[:100], "-o", "/dev/null", "-w", "%{http_code}", "-H", f"X-Service-Api-Key: {keys['b']['key']}")
    listed = front.curl("/api/v1/tour/main-references?lang=en", "-H", f"X-Api-Key: {keys['a']['key']}")
    assert "https://travel.example.com/flags/" in listed and "http://127" not in listed
    moved = parts.get(front.plain, "/healthz")
    assert moved[0] == 301 and moved[1]["Location"].startswith("https://")


def test_rolling_restarts_fail_no_request(behind):
    front, nodes, keys = behind
    secret = {"X-Service-Api-Key": keys["b"]["key"], "X-Service-Api-Secret": keys["b"]["secret"], "Content-Type": "application/json"}
    stop, answers, faults = threading.Event(), [0, 0, 0], []

    def run(n, method, path, body):
        connection = front.connection()
        while not stop.is_set():
            try:
                status, said = ask(connection, method, path, secret, body(answers[n]) if body else None)
                if status != 200:
                    faults.append((path, status, said[:300]))
            except OSError as fault:
                faults.append((path, fault))
                connection.close()
            answers[n] += 1

    threads = [threading.Thread(target=run, args=args, daemon=True) for args in (
        (0, "GET", "/v1/tour/hotelCheck?hotel=55", None),
        (1, "POST", "/v1/tour/sourceInfo?adapter_id=7&lang=en", lambda n: {"meal": [f"m{n}"]}),
        (2, "POST", "/v1/tour/sourceAdd", lambda n: {"adapter_id": 7, "lang_code": "en", "meal": [registration.element("meal", f"r{n}")]}))]
    for thread in threads:
        thread.start()
    try:
        for node in nodes * 2:
            before = list(answers)
            parts.wait_for(lambda before=before: faults or all(a > b + 20 for a, b in zip(answers, before)), client.PATIENCE, lambda: answers)
            assert node.stop() == 0
            node.start().wait_ready()
    finally:
        stop.set()
    for thread in threads:
        thread.join(client.PATIENCE)
        assert not thread.is_alive()
    assert not faults, (answers, faults[:3])
