"""The life of the server process: readiness, SIGTERM while requests are under way, a port that is taken."""
import http.client
import os
import signal
import socket
import subprocess
import threading

import pytest

import client
from conftest import command, synth


pytestmark = pytest.mark.concurrent


def big_records(hotels=12000):
    """One list of several megabytes: more than socket buffers hold."""
    yield {"type": "dict", "kind": "country", "id": 1, "name": "Land", "iso_alpha_2": "TR"}
    yield {"type": "dict", "kind": "dep_city", "id": 10, "name": "Kyiv", "country_id": 1}
    yield {"type": "dict", "kind": "city", "id": 1, "name": "City", "country_id": 1}
    yield {"type": "dict", "kind": "hotel_category", "id": 1, "name": "5*"}
    for i in range(hotels):
        yield {"type": "dict", "kind": "hotel", "id": i, "name": f"{i} " + "long name " * 90, "country_id": 1,
               "city_id": 1, "hotel_category_id": 1}


def test_readyz_and_healthz(server):
    ready = server.request("/readyz")
    assert ready.status == 200 and ready.json()["status"] == "ready" and ready.json()["store"] == "ok"
    assert server.request("/healthz").status == 200


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_an_idle_server_at_once_with_status_0(start_server, number):
    process = start_server("--stop-timeout", "3600")
    os.kill(process.pid, number)
    assert process.popen.wait(client.PATIENCE) == 0


def test_an_idle_connection_does_not_hold_up_the_stop(start_server):
    process = start_server("--stop-timeout", "3600", "--idle-timeout", "3600")
    with socket.create_connection(("127.0.0.1", process.port)) as idle:
        idle.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert idle.recv(4096).startswith(b"HTTP/1.1 200")
        process.stop()


def test_sigterm_cuts_no_answer_that_is_under_way(make_server):
    """A slow reader gets all of a large list although SIGTERM comes in the middle of it."""
    server = make_server(list(big_records()))
    whole = server.b("tour/referenceData?dep_city=10&country=1").body
    assert len(whole) > 8 << 20
    with socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        slow.connect(("127.0.0.1", server.port))
        slow.sendall(b"GET /v1/tour/referenceData?dep_city=10&country=1 HTTP/1.1\r\nHost: x\r\n"
                     b"X-Service-Api-Key: " + server.key_b.encode() + b"\r\n\r\n")
        answer = http.client.HTTPResponse(slow)
        answer.begin()
        got = answer.read(100000)
        os.kill(server.pid, signal.SIGTERM)
        client.eventually(lambda: "stopping: finishing" in server.process.stderr())
        got += answer.read()
        assert got == whole, "it did not wait for the answer that is under way"
        answer.close()
    server.stop()


def test_sigterm_under_load_answers_each_request_wholly_or_not_at_all(make_server, mini):
    server = make_server(mini)
    stop, answered, faults = threading.Event(), [], []

    def ask():
        while not stop.is_set():
            try:
                response = server.b("tour/reference?lang=uk", {"Accept-Encoding": "gzip"})
                assert response.status in (200, 503), response
                response.json()
                answered.append(response.status)
            except (ConnectionError, http.client.RemoteDisconnected):
                return                             # the listener is gone: not one byte of an answer came
            except Exception as fault:             # a cut answer, half a JSON, a wrong status
                faults.append(fault)
                return

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    assert client.wait_until(lambda: len(answered) > 50 or faults)
    server.stop()
    stop.set()
    for thread in threads:
        thread.join()
    assert not faults
    assert answered.count(200) > 50


def test_the_listener_is_closed_while_it_drains(make_server):
    server = make_server(list(big_records()))
    with socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        slow.connect(("127.0.0.1", server.port))
        slow.sendall(b"GET /v1/tour/referenceData?dep_city=10&country=1 HTTP/1.1\r\nHost: x\r\n"
                     b"X-Service-Api-Key: " + server.key_b.encode() + b"\r\n\r\n")
        slow.recv(1000)
        os.kill(server.pid, signal.SIGTERM)

        def refused():
            try:
                return server.request("/healthz").status == 503
            except OSError:
                return True

        assert client.wait_until(refused)
    server.stop()


def test_a_taken_port_is_one_clear_line_and_status_1(server, run, tmp_path):
    done = run("serve", "--data", tmp_path, "--listen", f"127.0.0.1:{server.port}")
    assert done.returncode == 1
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    assert str(server.port) in lines[0] and ("taken" in lines[0] or "in use" in lines[0])
    assert server.b("tour/reference").status == 200


@pytest.mark.parametrize("listen", ["127.0.0.1", "127.0.0.1:", ":8080", "127.0.0.1:65536", "127.0.0.1:-1",
                                    "127.0.0.1:http", "::1:80:x", "::1:8080", "::1", ""])
def test_a_malformed_listen_is_one_clear_line_and_status_2(run, tmp_path, listen):
    done = run("serve", "--data", tmp_path, "--listen", listen)
    assert done.returncode == 2
    assert "--listen" in done.stderr and len(done.stderr.strip().splitlines()) == 1, done.stderr


def test_an_address_of_another_machine_is_one_clear_line_and_status_1(run, tmp_path):
    done = run("serve", "--data", tmp_path, "--listen", "192.0.2.1:8080")
    assert done.returncode == 1
    assert "192.0.2.1" in done.stderr and len(done.stderr.strip().splitlines()) == 1, done.stderr


def test_a_data_folder_that_is_a_file_is_one_clear_line(run, tmp_path):
    (tmp_path / "file").write_text("x")
    done = run("serve", "--data", tmp_path / "file", "--listen", "127.0.0.1:0")
    assert done.returncode == 1
    assert str(tmp_path / "file") in done.stderr and len(done.stderr.strip().splitlines()) == 1, done.stderr


def test_a_server_on_an_empty_folder_is_ready_and_fills_by_import(make_server, import_file, mini, seen, tmp_path):
    (tmp_path / "new").mkdir()
    server = make_server(None, data=tmp_path / "new")
    assert server.b("tour/reference").data()["meal"] == []
    import_file(server.data, mini)
    assert seen(lambda: len(server.b("tour/reference").data()["meal"]) == 2)


def test_a_stop_does_not_wait_for_a_load(processes, import_file, tmp_path):
    records = tmp_path / "records.ndjson"
    records.write_bytes(synth("--hotels", 30000, "--adapters", 6))
    import_file(tmp_path / "data", records)

    def is_left():
        """Where this process is slow, all is loaded before the stop is asked for."""
        process = processes("--snapshot", "none", data=tmp_path / "data", wait=False)
        process.stop()
        _, stopping, after = process.stderr().partition("stopping: finishing")
        assert stopping and "stopped after" in after
        return "loaded" not in process.stderr()

    assert any(is_left() for _ in range(20))
