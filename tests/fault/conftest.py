"""Faults: killed processes, full disks, failing fsync. Fixtures are those of the black-box tests.

DRG_KILLS=N          how often test_kill.py kills the server (default 10; `make fault`: 200)
DRG_FAULT_SECONDS=N  how long servers work while something is wrong with PostgreSQL (default 3; `make fault`: 60)"""
import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import time

import pytest

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS)]
sys.path.append(str(TESTS / "cluster"))  # parts.py: what a cluster is made of
import black_box  # noqa: E402

globals().update(black_box.fixtures())


@pytest.fixture
def disk(tmp_path):
    """disk(MEGABYTES): a file system of that size, or the one that there is made as large."""
    if os.geteuid() != 0:
        pytest.skip("mounting a small file system needs root")
    place = tmp_path / "disk"
    place.mkdir()

    def size(megabytes):
        options = f"size={megabytes}m" + (",remount" if os.path.ismount(place) else "")
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", place], stderr=subprocess.PIPE, check=False)
        if mounted.returncode != 0:
            pytest.skip(f"no tmpfs can be mounted here: {mounted.stderr.decode().strip()}")
        return place

    yield size
    if os.path.ismount(place):
        subprocess.run(["umount", "-l", place], check=True)


@pytest.fixture
def small_disk(disk):
    """A file system of 4 MB."""
    return disk(4)


@pytest.fixture
def full_disk(disk):
    """full_disk(): the file system, which was 16 MB large, has no room for a byte more; full_disk.place is where it is."""
    place = disk(16)

    def fill():
        with contextlib.suppress(OSError), open(place / "ballast", "wb", buffering=0) as file:
            while True:
                file.write(b"x" * 4096)

    fill.place = place
    return fill


def is_traced(pid):
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/status", encoding="ascii") as status:
            if any(line.startswith("TracerPid:") and line.split()[1] == "0" for line in status):
                return False
    return True


@pytest.fixture
def failing():
    """failing(server, calls, when): while it lasts, these system calls of the server fail with EIO."""
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")

    @contextlib.contextmanager
    def failing(server, calls, when=""):
        # "when" counts in each thread; with 1 each thread's first call fails.
        pid = server.process.pid
        tracer = subprocess.Popen(["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={calls}", "-e", f"inject={calls}:error=EIO{when}",
                                   "-p", str(pid)], stderr=subprocess.PIPE)
        end = time.monotonic() + 5
        while not is_traced(pid) and tracer.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
        if tracer.poll() is not None or not is_traced(pid):
            tracer.kill()
            pytest.skip(f"strace cannot attach here: {tracer.stderr.read().decode().strip()}")
        time.sleep(0.2)  # to the other threads
        try:
            yield
        finally:
            tracer.terminate()
            tracer.wait()

    return failing
