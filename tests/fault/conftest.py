"""Faults: killed processes, full disks, failing fsync. Fixtures are those of the black-box tests.

DRG_KILLS=N          how often test_kill.py kills the server (default 10; `make fault`: 200)
DRG_FAULT_SECONDS=N  how long servers work while something is wrong with PostgreSQL (default 3; `make fault`: 60)"""
import os
import pathlib
import subprocess
import sys

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
