"""A reader of a guide: a shell in which nothing is set, in the folder where `make run` was typed, and what the guide prints."""
import contextlib
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess

import client

ROOT = pathlib.Path(__file__).resolve().parents[2]
SYSTEM = "/usr/local/bin:/usr/bin:/bin"


def page(name):
    return (ROOT / name).read_text("utf-8")


def blocks(name):
    """The code blocks of a page, (language, text), in order."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", page(name), re.M | re.S)


class Reader:
    """Types what a guide prints. A server that is waited for answers at `base`."""

    def __init__(self, folder, path=SYSTEM):
        self.folder, self.base = folder, None
        self.environment = {"PATH": path, "HOME": str(folder)}

    def start(self, script, **more):
        return subprocess.Popen(["bash", "-euc", script], cwd=self.folder, env=self.environment, start_new_session=True, text=True, **more)

    def types(self, script):
        """What it prints."""
        with self.start(script, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as shell:
            said, wrong = shell.communicate(timeout=client.PATIENCE)
        assert shell.returncode == 0, (script, said, wrong)
        return said

    @contextlib.contextmanager
    def keeps_running(self, script):
        """While it runs."""
        with self.start(script, stdout=subprocess.DEVNULL) as shell:
            try:
                yield shell
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(shell.pid, signal.SIGTERM)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


@contextlib.contextmanager
def make_run(folder, program, data):
    """What `make run` leaves: demo/keys.env, and a server. The data is a copy of `data`, since making it takes its time."""
    reader = Reader(folder)
    shutil.copytree(data, folder / "demo")
    (folder / "demo" / "done").touch()
    port = free_port()
    with open(folder / "said", "wb") as said:
        demo = subprocess.Popen([ROOT / "tools" / "demo", program, folder / "demo", str(port)], stdout=said, stderr=subprocess.STDOUT)
    try:
        client.eventually(lambda: "Ctrl-C stops it" in (folder / "said").read_text("utf-8") or demo.poll() is not None)
        assert demo.poll() is None, (folder / "said").read_text("utf-8")
        reader.base = f"http://127.0.0.1:{port}"
        yield reader
    finally:
        demo.terminate()
        demo.wait()


def compact(json_text):
    """Without the spaces between its tokens."""
    return re.sub(r'("(?:[^"\\]|\\.)*")|\s+', r"\1", json_text)


def assert_printed(shown, answer):
    """What a guide shows of an answer, shortened by "…", is what the answer has, in this order."""
    at, answer = 0, compact(answer)
    for piece in re.split(r",?…", compact(shown)):
        found = answer.find(piece, at)
        assert found >= 0, (piece, answer[at:at + 1000])
        at = found + len(piece)
