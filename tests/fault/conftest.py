"""Faults: killed processes, full disks, failing fsync. Fixtures are those of the black-box tests.

DRG_KILLS=N   how often test_kill.py kills the server (default 8; `make long`: 200, and what is marked `long` runs too)"""
import contextlib
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
import faults as faults_module  # noqa: E402


def pytest_collection_modifyitems(items):
    for item in items:
        if item.get_closest_marker("long") and "DRG_KILLS" not in os.environ:
            item.add_marker(pytest.mark.skip(reason="long: make long"))


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


@pytest.fixture(scope="session")
def faults_library(tmp_path_factory):
    return faults_module.build(tmp_path_factory.mktemp("faults"), *(["-DLEAKS", "-O2"] if os.environ.get("DRG_LEAKS") else []))


@pytest.fixture
def own_faults(faults_library, tmp_path):
    """Faults for the programs that are started with own_faults.environment."""
    return faults_module.Faults(faults_library, tmp_path / "faults")


@pytest.fixture
def faults(own_faults, monkeypatch):
    """Faults for the servers and commands that are started in this test."""
    for name, value in own_faults.environment.items():
        monkeypatch.setenv(name, value)
    return own_faults


@pytest.fixture
def make_counted(make_server, faults):
    """make_server(), and server.faults.held is what it has allocated and not freed; what the allocator keeps is another matter."""
    def make(*args):
        server = make_server(*args)
        server.faults = faults
        return server
    return make
