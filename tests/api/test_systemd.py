"""What a server and systemd say to each other, and a restart that refuses nobody."""
import contextlib
import os
import signal
import socket
import threading

import client


def notified(listening, wanted):
    """The datagrams until one has this line."""
    said = []
    while wanted not in said:
        said += listening.recv(4096).decode().splitlines()
    return said


def test_systemd_is_told(start_server, tmp_path, monkeypatch):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.settimeout(client.PATIENCE)
        listening.bind(str(tmp_path / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        monkeypatch.setenv("WATCHDOG_USEC", "200000")
        process = start_server()
        assert "STATUS=serves" in notified(listening, "READY=1") + notified(listening, "WATCHDOG=1")
        os.kill(process.pid, signal.SIGHUP)
        assert any(line.startswith("MONOTONIC_USEC=") for line in notified(listening, "RELOADING=1") + notified(listening, "READY=1"))
        process.stop()
        notified(listening, "STOPPING=1")


def test_a_lone_server_restarts_without_a_lost_request(make_server, start_server, mini):
    """The socket stays open: what comes meanwhile waits, until the data are there again."""
    with socket.create_server(("127.0.0.1", 0), backlog=512) as listening, contextlib.ExitStack() as stack:
        port = listening.getsockname()[1]
        server = make_server(mini, socket=listening)
        assert server.port == port
        stop, answers, faults = threading.Event(), [0], []

        def ask():
            while not stop.is_set():
                try:
                    answer = client.request(port, "/v1/tour/hotelCheck?hotel=55", headers={"X-Service-Api-Key": server.key_b})
                    faults.extend([answer] if answer.status != 200 else [])
                except OSError as fault:
                    faults.append(fault)
                answers[0] += 1

        askers = [threading.Thread(target=ask, daemon=True) for _ in range(4)]
        for asker in askers:
            asker.start()
        stack.callback(stop.set)
        process = server.process
        for _ in range(3):
            before = answers[0]
            assert client.wait_until(lambda before=before: answers[0] > before + 50 or faults)
            process.stop()
            process = start_server(data=server.data, socket=listening)
        before = answers[0]
        assert client.wait_until(lambda: answers[0] > before + 50 or faults)
        stop.set()
        for asker in askers:
            asker.join(client.PATIENCE)
        assert not faults, (answers, faults[:3])


def test_what_is_no_listening_tcp_socket_is_refused(run, tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    monkeypatch.setenv("DRG_WRAP", "/bin/sh -c 'LISTEN_PID=$$ LISTEN_FDS=1 exec \"$@\" 3</dev/null' sh")
    done = run("serve", "--data", tmp_path / "data")
    assert done.returncode == 2 and "systemd has to pass one listening TCP socket" in done.stderr, done.stderr
