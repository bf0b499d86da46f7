"""The listener for operators: health and metrics (docs/monitor.md has their table, which the code writes)."""
import http.client
import re
import shutil
import socket
import stat
import subprocess

import pytest

import client
from conftest import ROOT
from registration import add_one, element

ADMIN = re.compile(r"operators find \S+ and \S+ on \S*:(\d+)")
SAMPLE = re.compile(r'^(\w+)(?:\{(.*)\})? (-?[0-9.]+)$')
PAGE = (ROOT / "docs" / "monitor.md").read_text("utf-8")
TABLE = re.findall(r"^\| `(dragoman_\w+)` \| (\w+) \| (.*?) \| (.*?) \|$", PAGE, re.M)
needs_promtool = pytest.mark.skipif(shutil.which("promtool") is None, reason="make test-all installs promtool")


class Local(http.client.HTTPConnection):
    """HTTP over a local socket."""

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.host)


class Metrics:
    """One answer of /metrics."""

    def __init__(self, text):
        self.text, self.samples, self.said = text, {}, {}
        for line in text.splitlines():
            if line.startswith("#"):
                _, what, name, words = line.split(" ", 3)
                self.said.setdefault(name, {})[what] = words
                continue
            name, labels, value = SAMPLE.match(line).groups()
            labels = tuple(sorted(re.findall(r'(\w+)="([^"]*)"', labels or "")))
            assert (name, labels) not in self.samples, line
            self.samples[name, labels] = float(value)

    def of(self, name, **labels):
        """The sum of what has these labels."""
        wanted = {(key.rstrip("_"), value) for key, value in labels.items()}
        return sum(value for (of, has), value in self.samples.items() if of == "dragoman_" + name and wanted <= set(has))

    def labels(self, name):
        return {key for of, has in self.samples if re.fullmatch(name + "(_bucket|_sum|_count)?", of) for key, _ in has} - {"le"}


def scrape(server):
    port = int(ADMIN.search(server.process.stderr()).group(1))
    answer = client.request(port, "/metrics")
    assert answer.status == 200 and answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    return Metrics(answer.body.decode())


def whole(server):
    """With what is read from the store too, which nobody waits for."""
    return client.wait_until(lambda: (now := scrape(server)).of("store_bytes") > 0 and now)


@pytest.fixture(scope="module")
def watched(module_servers, mini):
    return module_servers.make(mini, "--admin", "127.0.0.1:0", "--match", "auto", people=["anna"])


def test_the_table_is_what_is_told(watched):
    now = whole(watched)
    assert [(name, kind) for name, kind, *_ in TABLE] == [(name, said["TYPE"]) for name, said in now.said.items()]
    for name, _, labels, text in TABLE:
        assert now.said[name]["HELP"] == text
        has = now.labels(name)
        assert not has or has == set(re.findall(r"`(\w+)`", labels)), name
    assert {name for name, _ in now.samples} >= {"dragoman_build_info", "dragoman_disk_free_bytes", "dragoman_memory_bytes"}


def test_requests_are_counted_by_route_status_and_duration(watched):
    before = scrape(watched)
    for status, key in ((200, None), (200, None), (403, "wrong")):
        assert watched.b("tour/reference", key=key).status == status
    assert watched.request("/nothing").status == 404
    # A request is counted when its answer is sent: perhaps a moment after the client has it.
    now = client.wait_until(lambda: (now := scrape(watched)).of("http_errors_total") == before.of("http_errors_total") + 2 and now)

    def more(name, **labels):
        return now.of(name, **labels) - before.of(name, **labels)

    route = {"route": "/v1/tour/reference", "method": "GET"}
    assert more("http_requests_total", status="200", **route) == 2 and more("http_requests_total", status="403", **route) == 1
    assert more("http_requests_total", route="", status="404") == 1 == more("http_errors_total", reason="not_found", status="404")
    assert more("http_request_duration_seconds_bucket", le="+Inf", **route) == 3 == more("http_request_duration_seconds_count", **route)
    assert 0 < more("http_request_duration_seconds_sum", **route)
    assert more("http_connections_accepted_total") == 4 and more("http_answer_bytes_total") > 0
    assert not more("http_requests_cut_total")


def test_connections_have_a_state(watched):
    # Those of the tests before have left: the server may see that a moment after the client.
    before = client.wait_until(lambda: (now := scrape(watched)).of("http_connections") == 0 and now)
    with socket.create_connection(("127.0.0.1", watched.port)) as one, socket.create_connection(("127.0.0.1", watched.port)) as other:
        other.sendall(b"POST /v1/tour/sourceInfo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Service-Api-Key: "
                      + watched.key_b.encode() + b"\r\nContent-Length: 9\r\n\r\n{")
        assert one and client.wait_until(lambda: scrape(watched).of("http_connections", state="body") == before.of("http_connections", state="body") + 1)
        # The kernel may give "one" to another thread, which has not accepted it yet.
        assert client.wait_until(lambda: scrape(watched).of("http_connections") == before.of("http_connections") + 2)
    assert client.wait_until(lambda: scrape(watched).of("http_connections") == before.of("http_connections"))
    assert client.wait_until(lambda: scrape(watched).of("http_requests_cut_total") == before.of("http_requests_cut_total") + 1)


def test_what_is_served_stored_and_matched(watched, run):
    now = whole(watched)
    assert now.of("data_loaded") == 1 == now.of("store_readable") and not now.of("store_write_trouble")
    assert now.of("catalog_records", of="reference", kind="hotel") == 4 and now.of("catalog_records", of="suppliers", kind="hotel") == 5
    status = run("status", "--json", "--data", watched.data).stdout
    assert now.of("supplier_records") == sum(map(int, re.findall(r'"type":"source".*?"records":(\d+)', status)))
    assert now.of("supplier_mapped", adapter="7", kind="hotel") == 2
    add_one(watched, "city", element("city"))
    after = client.wait_until(lambda: (after := scrape(watched)).of("commit_seconds_count") > now.of("commit_seconds_count") and after)
    assert after.of("writes_total") > now.of("writes_total") and after.of("data_version") > now.of("data_version")
    assert client.wait_until(lambda: scrape(watched).of("matcher_records_total", step="seen") > now.of("matcher_records_total", step="seen"))


def test_sign_ins_are_counted(watched):
    before = scrape(watched)
    answer = watched.request("/v1/session", "POST", {"Content-Type": "application/json"}, b'{"name":"anna","password":"not hers"}')
    assert answer.status == 403
    after = scrape(watched)
    assert after.of("sign_ins_total", result="failed") == before.of("sign_ins_total", result="failed") + 1
    assert after.of("sign_ins_total", result="passed") == before.of("sign_ins_total", result="passed")


def test_operators_have_a_listener_of_their_own(watched):
    port = int(ADMIN.search(watched.process.stderr()).group(1))
    for path in ("/healthz", "/readyz", "/readyz/write"):
        assert client.request(port, path).status == 200 == watched.request(path).status
    other = http.client.HTTPConnection("127.0.0.1", port, timeout=60)  # not recorded: the document is of the public listener
    other.request("POST", "/v1/tour/sourceInfo")
    assert other.getresponse().status == 404  # nothing that takes a key
    other.close()
    assert watched.request("/metrics").status == 404


def local(path):
    connection = Local(str(path))
    connection.request("GET", "/readyz", headers={"Host": "x"})
    return connection.getresponse().status


@pytest.mark.files
def test_a_local_socket(start_server, own, run, tmp_path):
    path, file = tmp_path / "admin.sock", tmp_path / "file"
    file.write_text("x")
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(path))
    left.close()  # as a killed server leaves it
    own.stop()
    process = start_server("--admin", path, data=own.data)
    assert stat.S_IMODE(path.stat().st_mode) == 0o660 and local(path) == 200
    for taken in (path, file):
        done = run("serve", "--listen", "127.0.0.1:0", "--admin", taken, "--data", own.data)
        assert done.returncode == 1 and "another program or file has this name" in done.stderr
    assert local(path) == 200 and file.read_text() == "x"
    process.stop()
    assert not path.exists()
    for wrong in ("9100", "localhost", "/" + "x" * 108):
        done = run("serve", "--admin", wrong, "--data", own.data)
        assert done.returncode != 0 and ("--admin: expected ADDRESS:PORT" in done.stderr or "at most 107 bytes" in done.stderr), done.stderr


def test_idle_connections_make_room_for_a_look(watched):
    """As any user of this machine may hold them: all are 127.0.0.1."""
    port = int(ADMIN.search(watched.process.stderr()).group(1))
    idle = [socket.create_connection(("127.0.0.1", port), timeout=client.PATIENCE) for _ in range(64)]
    try:
        answers = [client.request(port, "/metrics") for _ in range(2)]
        assert [answer.status for answer in answers] == [200, 200]
    finally:
        for connection in idle:
            connection.close()


def test_only_an_address_or_localhost_is_asked(make_server, mini):
    """Not a name that a page has made to mean this machine (DNS rebinding)."""
    server = make_server(mini, "--admin", "127.0.0.1:0", "--admin-host", "dragoman.example")
    port = int(ADMIN.search(server.process.stderr()).group(1))

    def status(host):
        with socket.create_connection(("127.0.0.1", port), timeout=client.PATIENCE) as connection:
            connection.sendall(f"GET /metrics HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
            return int(connection.makefile("rb").readline().split()[1])

    for host in ("127.0.0.1", f"127.0.0.1:{port}", "[::1]", "10.1.2.3:9100", "localhost", f"LOCALHOST:{port}", "dragoman.example", "dragoman.example:9100"):
        assert status(host) == 200, host
    for host in ("evil.example", f"evil.example:{port}", "localhost.evil.example", "127.0.0.1.evil.example", "dragoman.example.evil.example", ":9100"):
        assert status(host) == 400, host
    assert client.request(server.port, "/healthz", headers={"Host": "evil.example"}).status == 200  # the public address has the names of its users


def test_backups_are_told(make_server, mini, run, tmp_path):
    server = make_server(mini, "--admin", "127.0.0.1:0")
    times = lambda: tuple(scrape(server).of(f"backup_{which}_time_seconds") for which in ("success", "failure"))
    assert times() == (0, 0)
    folder = tmp_path / "backups"
    folder.mkdir()
    assert run("backup", folder, "--data", server.data).returncode == 0
    good, never = times()
    assert good > 0 and never == 0
    (folder / "dragoman.backup.new").mkdir()  # in the way
    assert run("backup", folder, "--data", server.data).returncode == 1
    same, failed = times()
    assert same == good and failed > good
    assert "failed" in run("status", "--data", server.data).stdout
    (folder / "dragoman.backup.new").rmdir()
    assert run("backup", tmp_path / "one", "--data", server.data).returncode == 0
    assert times()[0] > failed and "failed" not in run("status", "--data", server.data).stdout


@needs_promtool
def test_promtool_takes_them(watched):
    done = subprocess.run(["promtool", "check", "metrics"], input=whole(watched).text, text=True, capture_output=True)
    assert done.returncode == 0 and not done.stderr, done.stderr


@needs_promtool
def test_promtool_tests_the_alerts():
    done = subprocess.run(["promtool", "test", "rules", "alerts_test.yml"], cwd=ROOT / "packaging", text=True, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr
