"""What a server and systemd say to each other, and a restart that refuses nobody."""
import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import threading

import pytest

import client
from conftest import ROOT, command


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


@pytest.mark.parametrize("options, pattern", [((), r"<3>(?!dragoman:).*"), (("--log-format", "json"), None)])
def test_what_a_server_dies_of_has_the_form_of_its_log(tmp_path, monkeypatch, options, pattern):
    """`journalctl -p err` shows it."""
    (tmp_path / "data").mkdir()
    with open(tmp_path / "said", "wb") as said:
        if pattern is not None:
            st = os.fstat(said.fileno())
            monkeypatch.setenv("JOURNAL_STREAM", f"{st.st_dev}:{st.st_ino}")
        words = ("--store", "postgresql://dragoman@127.0.0.1:1/nowhere", "--data", tmp_path / "data")
        done = [subprocess.run(command(*what, *words), stderr=said, stdout=subprocess.DEVNULL, check=False).returncode
                for what in (("serve", "--listen", "127.0.0.1:0", *options), ("backup", tmp_path / "backup"))]
    lines = (tmp_path / "said").read_text("utf-8").splitlines()
    assert done == [1, 1] and len(lines) >= 2, lines
    if pattern is None:
        assert json.loads(lines[0])["level"] == "error"
    else:
        assert re.fullmatch(pattern, lines[0]) and re.fullmatch(pattern, lines[-1]), lines


def test_the_units_wait_for_what_comes_late():
    for name in ("dragoman.service", "dragoman@.service", "dragoman-backup.service"):
        text = (ROOT / "packaging" / name).read_text("utf-8")
        unit, service = re.search(r"\[Unit\]\n(.*?)\[Service\]\n(.*)", text, re.S).groups()
        for setting in ("Wants", "After"):
            assert re.search(rf"^{setting}=.*\bnetwork-online\.target", unit, re.M), (name, setting)
        if "backup" in name:
            failed = re.search(r"^OnFailure=(\S+)", unit, re.M).group(1)
            assert (ROOT / "packaging" / failed).is_file()
            continue
        # For ever: systemd would give up after five starts in ten seconds.
        assert "\nStartLimitIntervalSec=0\n" in unit and re.search(r"^Restart=on-failure\nRestartSec=[1-9]\d*$", service, re.M), name
        assert "\nRestartPreventExitStatus=2\n" in service


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze")
def test_systemd_knows_every_word_of_the_units(tmp_path):
    for unit in (ROOT / "packaging").glob("dragoman*.service"):
        copy = tmp_path / unit.name.replace("@", "@8081")
        copy.write_text(unit.read_text("utf-8").replace("/usr/bin/dragoman", "/bin/true"), "utf-8")
    said = subprocess.run(["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", *sorted(tmp_path.iterdir())], capture_output=True,
                          text=True, check=False).stderr
    assert not [line for line in said.splitlines() if "dragoman" in line], said
