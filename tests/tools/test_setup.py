"""What a newcomer types first: tools/install-deps, tools/demo and `make install`."""
import fcntl
import json
import os
import pathlib
import re
import socket
import subprocess
import threading
import urllib.error
import urllib.request

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = pathlib.Path(os.environ.get("DRG_BIN") or ROOT / "build" / "dragoman").resolve()


def sign_in(port, name, password):
    body = json.dumps({"name": name, "password": password}).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}/v1/session", body, {"Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(request))


def fetch(port, path):
    try:
        return urllib.request.urlopen(f"http://127.0.0.1:{port}{path}").read()
    except urllib.error.HTTPError as answer:
        return answer.read()


@pytest.fixture
def fake_apt(tmp_path):
    """A PATH on which every package is missing, and an apt-get whose lock is taken the first three times (or for ever)."""
    folder = tmp_path / "bin"
    folder.mkdir()
    scripts = {
        "apt-get": f"""n=$(cat {tmp_path}/calls 2>/dev/null || echo 0); echo $((n + 1)) >{tmp_path}/calls
            if [ "$n" -lt "${{LOCKED:-3}}" ]; then
                echo 'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 42 (apt-get)' >&2; exit 100
            fi""",
        "dpkg-query": "exit 1", "sleep": "exit 0", "sudo": 'exec "$@"',
    }
    for name, text in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)

    def run(**env):
        return subprocess.run([ROOT / "tools" / "install-deps", "build"], text=True, capture_output=True, check=False,
                              env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", **env})
    return run


def test_another_apt_is_waited_for_and_said(fake_apt):
    done = fake_apt()
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Another apt is at work; waiting until it is done") == 1


def test_another_apt_is_not_waited_for_for_ever(fake_apt):
    done = fake_apt(LOCKED="1000000")
    assert done.returncode == 1
    assert "Could not get lock" in done.stderr and "Installing the packages failed" in done.stderr


def test_the_port_is_in_every_command_that_is_printed_and_in_the_keys(tmp_path):
    demo = tmp_path / "demo"
    for _ in range(2):                          # the second time on the same data, at another port, with keys of a version before
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        with subprocess.Popen([ROOT / "tools" / "demo", BINARY, demo, str(port), "/none"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True) as p:
            try:
                said = ""
                for line in p.stdout:
                    said += line
                    if "Ctrl-C stops it" in line:
                        break
                assert "Ctrl-C stops it" in said, said
                name, password = re.search(r"/workbench +for curators: name (\S+), password (\S+)", said).groups()
                assert sign_in(port, name, password)["data"]["role"] == "curator"
                again = subprocess.run([ROOT / "tools" / "demo", "check", demo, str(port)], text=True, capture_output=True, check=False)
                assert again.returncode == 1 and f"This demo answers at http://127.0.0.1:{port}/ already" in again.stderr, again
                assert ("/flags/" in said) == (b"<svg" in fetch(port, "/flags/4x3/tr.svg")), "what is shown works"
                queue = subprocess.run([BINARY, "match", "queue", "--format", "csv", "--data", demo], capture_output=True, check=True)
                assert queue.stdout.count(b"\n") > 100, "there is something to decide"
            finally:
                p.terminate()
                p.wait()
        ports = re.findall(r"127\.0\.0\.1:(\d+)", said)
        assert len(ports) >= 4 and set(ports) == {str(port)}
        keys = (demo / "keys.env").read_text("utf-8")
        assert f"BASE=http://127.0.0.1:{port}\n" in keys and keys.count("BASE=") == 1 and "KEY_A=drga_" in keys
        assert all(line.startswith("export ") for line in keys.splitlines()), "or the programs of the guides would not see them"
        assert (demo / "keys.env").stat().st_mode & 0o077 == 0 and keys.count("CURATOR=") == 1
        (demo / "keys.env").write_text(keys.replace("export ", ""), "utf-8")


def test_it_is_said_first_who_has_the_port(tmp_path):
    """Before anything is built."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        threading.Thread(target=lambda: taken.accept()[0].close(), daemon=True).start()
        done = subprocess.run(["make", "run", f"PORT={port}", f"BUILD={tmp_path / 'build'}"], cwd=ROOT, text=True, capture_output=True, check=False)
    assert done.returncode != 0 and f"Port {port} is taken by another program" in done.stderr, done
    assert not (tmp_path / "build").exists()


def test_two_do_not_make_the_same_data(tmp_path):
    with open(tmp_path / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run([ROOT / "tools" / "demo", BINARY, tmp_path, "1", "/none"], text=True, capture_output=True, check=False)
    assert done.returncode == 1 and "Another make run makes or serves the data" in done.stderr, done


def test_make_install_goes_where_prefix_says(tmp_path):
    build = BINARY.parent
    for place in ("one", "two"):
        subprocess.run(["make", "-s", "install", f"BUILD={build}", f"PREFIX={tmp_path / place}", "DATA=no"], cwd=ROOT, check=True,
                       stdout=subprocess.DEVNULL, timeout=600)
        assert (tmp_path / place / "bin" / "dragoman").is_file()
