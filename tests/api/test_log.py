"""The server's log and its access log (docs/monitor.md, docs/http.md)."""
import json
import os
import pty
import re
import subprocess

import pytest

import client
from conftest import command


def said(process):
    return [json.loads(line) for line in process.stderr().splitlines()]


@pytest.mark.parametrize("options, disk, levels", [
    ((), "ok", []),
    (("--disk-low", 0), "ok", []),
    (("--disk-low", 100, "--disk-full", 0), "low", ["warning"]),
    (("--disk-low", 100, "--disk-full", 100), "nearly_full", ["warning"]),
])
@pytest.mark.files
def test_a_disk_that_fills_up_is_said(make_server, mini, options, disk, levels):
    server = make_server(mini, *options)
    for path in ("/readyz", "/readyz/write"):  # writes are stored still
        assert server.request(path).json()["disk"] == disk
    lines = [line for line in said(server.process) if "the disk of the store" in line["message"]]
    assert [line["level"] for line in lines] == levels
    assert all(re.search(r"[0-9.]+ %, \d+ MB are free", line["message"]) for line in lines)


def test_the_log_is_json_and_on_a_terminal_text(make_server, mini):
    server = make_server(mini)
    server.stop()
    lines = said(server.process)
    assert all(set(line) == {"time", "level", "message"} and line["level"] == "info" for line in lines)
    assert re.search(r"dragoman \S+ \(\S+\) listens on ", lines[0]["message"]) and "stopped" in lines[-1]["message"]
    terminal, end = pty.openpty()
    process = subprocess.Popen(command("serve", "--listen", "127.0.0.1:0", "--data", server.data), stderr=end, stdin=subprocess.DEVNULL)
    os.close(end)
    text = os.read(terminal, 4096).decode()
    process.terminate()
    assert process.wait(client.PATIENCE) == 0
    os.close(terminal)
    assert re.match(r"\d{4}-\d\d-\d\dT[0-9:.]+Z info: dragoman \S+ \(\S+\) listens on ", text), text


def test_the_access_log_has_reason_version_key_and_bytes(make_server, mini, tmp_path):
    path = tmp_path / "access.log"
    server = make_server(mini, "--access-log", path)
    good = server.b("tour/reference")
    bad = server.b("tour/reference", key="wrong")
    server.stop()
    lines = {line["request_id"]: line for line in map(json.loads, path.read_text().splitlines()) if line["route"] == "/v1/tour/reference"}
    refused = lines.pop(bad.headers["X-Request-Id"])
    answered, = lines.values()
    assert (refused["status"], refused["reason"], "key" in refused) == (403, "not_authorized", False)
    assert answered["version"] == good.headers["X-Data-Version"] and answered["bytes"] == len(good.body) and answered["key"] > 0
    assert "reason" not in answered


def test_a_key_that_is_sent_in_a_wrong_place_is_not_in_the_logs(make_server, mini, tmp_path):
    path = tmp_path / "access.log"
    server = make_server(mini, "--access-log", path)
    places = {"id": lambda key: server.request("/v1/session/who", headers={"X-Request-Id": key}),
              "part of the id": lambda key: server.request("/nope", headers={"X-Request-Id": f"trace-{key}"}),
              "path": lambda key: server.request(f"/v1/{key}"), "query": lambda key: server.request(f"/v1/tour/reference?api={key}"),
              "method": lambda key: server.request("/healthz", key), "agent": lambda key: server.request("/v1/session/who", headers={"User-Agent": key}),
              "referer": lambda key: server.request("/v1/session/who", headers={"Referer": key, "Origin": f"http://{key}"})}
    for key in (server.key_a, server.key_b, server.secret_b):
        for send in places.values():
            answer = send(key)
            assert key not in answer.headers.get("X-Request-Id", "")
    assert server.request("/v1/session/who", headers={"X-Request-Id": "trace-drg"}).headers["X-Request-Id"] == "trace-drg"
    server.stop()
    logged = path.read_text() + server.process.stderr()
    assert logged.count('"path"') > 3 * len(places)
    for key in (server.key_a, server.key_b, server.secret_b):
        assert key not in logged


def test_probes_are_in_the_access_log_only_if_they_fail(make_server, mini, tmp_path):
    path = tmp_path / "access.log"
    server = make_server(mini, "--access-log", path)
    for probe in ("/healthz", "/readyz", "/readyz/write"):
        assert server.request(probe).status == 200 and server.request(probe, method="HEAD").status == 200
        assert server.request(probe, method="POST").status == 405
    server.stop()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    logged = [(line["method"], line["path"], line["status"]) for line in lines if line["path"].endswith(("z", "/write"))]
    assert [entry for entry in logged if entry[2] == 405] == [("POST", probe, 405) for probe in ("/healthz", "/readyz", "/readyz/write")]
    assert all(status >= 400 for _, _, status in logged), logged  # a look while it loads may be a 503
