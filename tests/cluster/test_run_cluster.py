"""`make run-cluster`: what a newcomer starts, types and ends."""
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import tempfile

import pytest

import parts
from client import PATIENCE

pytestmark = [pytest.mark.skipif(not os.path.exists("/usr/lib/postgresql"), reason="there is no PostgreSQL (tools/install-deps test)"),
              pytest.mark.skipif(parts.haproxy_program() is None, reason="there is no haproxy (tools/install-deps cluster)")]


@pytest.fixture
def place():
    """A folder that the user `postgres` can look into too."""
    made = pathlib.Path(tempfile.mkdtemp(prefix="drg-run-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


class Running:
    def __init__(self, dragoman, place, port):
        self.out = place / "out"
        with open(self.out, "wb") as out:
            self.process = subprocess.Popen([parts.ROOT / "tools" / "run-cluster", dragoman, str(port), "/none"], stdin=subprocess.PIPE,
                                            stdout=out, stderr=out, text=True, env={**os.environ, "TMPDIR": str(place)})

    def said(self):
        return self.out.read_text("utf-8")

    def wait_for(self, pattern, after=0, seconds=120):
        def found():
            assert self.process.poll() is None, self.said()
            return re.compile(pattern).search(self.said(), after)
        return parts.wait_for(found, seconds, lambda: f"{pattern}: {self.said()}")

    def type(self, line, answer):
        """@return the match of what it says to that."""
        before = len(self.said())
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.wait_for(answer, before)


def processes_of(place):
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = path.read_bytes()
        except OSError:
            continue
        if str(place).encode() in command:
            found.append(command)
    return found


def free_ports():
    """Four in a row."""
    return next(port for port in random.sample(range(21000, 31000, 10), 1000) if not any(parts.answers(port + n) for n in range(4)))


def read(port, key, id):
    answer = parts.get(port, f"/v1/tour/hotelCheck?hotel={id}", {"X-Service-Api-Key": key})
    return answer is not None and answer[0] == 200


def test_a_cluster_lives_through_what_is_suggested_and_leaves_nothing(dragoman, place):
    port = free_ports()
    running = Running(dragoman, place, port)
    try:
        key = running.wait_for(r"X-Service-Api-Key: (drgb_\w+)").group(1)
        running.wait_for("Ctrl-C ends everything")
        assert re.search(r"/workbench: name demo, password \w{24}", running.said())
        assert running.said().count(f"127.0.0.1:{port}/") >= 3 and len(processes_of(place)) >= 6
        running.type("load 2", r"\d+ reads, 0 failed reads, \d+ writes")
        running.type("kill 2", "node2 is dead")
        running.type("nonsense", "promote ")
        running.type("promote", "type `stop` first")
        running.type("stop", "the primary is stopped")
        assert read(port, key, 1000005), "reads go on"
        running.type("promote", "the standby is the primary now")
        running.wait_for("node2 is ready again")
        running.type("status", r"node3 .* reads 200, writes 200")
        running.type("kill 0", "kill: nodes are 1 to 3")
        running.type("stop", "the primary is stopped")
        running.type("promote", "promote: there is no standby any more")
        running.type("start", "the primary is back")
        running.type("start", "start: it runs")
        last = re.findall(r"\d+ reads, \d+ failed reads, .*", running.said())[-1]
        assert " 0 failed reads" in last, running.said()
    finally:
        os.kill(running.process.pid, signal.SIGINT)
        status = running.process.wait(PATIENCE)
    assert status == 0, running.said()
    assert not processes_of(place), "every process has ended"
    assert sorted(path.name for path in place.iterdir()) == ["out"]


def test_a_taken_port_is_said_before_anything_is_made(dragoman, place):
    port = free_ports()
    with socket.create_server(("127.0.0.1", port + 2)):
        done = subprocess.run([parts.ROOT / "tools" / "run-cluster", dragoman, str(port), "/none"], stdin=subprocess.DEVNULL, timeout=PATIENCE,
                              capture_output=True, text=True, check=False, env={**os.environ, "TMPDIR": str(place)})
    assert done.returncode == 1 and f"Port {port + 2} is taken" in done.stderr and "PORT=" in done.stderr
    assert not list(place.iterdir())
