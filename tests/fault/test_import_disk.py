"""An import that meets a full disk: before it applies nothing is changed; in the middle it says how far it came, and goes on."""
import contextlib
import pathlib
import re
import threading

import pytest

from conftest import synth


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    """Some 37,000 records, suppliers with random ids among them: 12 MB, a store of 9 MB."""
    path = tmp_path_factory.mktemp("records") / "in.ndjson"
    path.write_bytes(synth("--hotels", 8000))
    return path


@contextlib.contextmanager
def hurrying(clock):
    """Time flies: a transaction of an import, which lasts for 250 ms at most, has a few records only, and there are many."""
    over = threading.Event()

    def hurry():
        while not over.wait(0.001):
            clock.advance(0.3)

    thread = threading.Thread(target=hurry)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def import_into(run, data, path):
    pathlib.Path(data).mkdir(exist_ok=True)
    return run("import", "--data", data, path)


def exported(run, data):
    done = run("export", "--data", data)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_too_little_room_for_the_temporary_files_changes_nothing(disk, records, run):
    data = disk(2) / "data"
    done = import_into(run, data, records)
    assert done.returncode != 0 and "nothing was applied" in done.stderr, done.stderr
    disk(200)
    assert exported(run, data) == ""


def test_a_disk_that_fills_up_in_the_middle_is_told_and_the_import_completed(disk, records, run, clock, tmp_path):
    data = disk(15) / "data"
    with hurrying(clock):
        done = import_into(run, data, records)
    said = re.search(r"(\d+) of (\d+) records are applied, the same import run again completes it", done.stderr)
    assert done.returncode != 0 and said, done.stderr
    assert "disk is full" in done.stderr and 0 < int(said.group(1)) < int(said.group(2)), done.stderr
    disk(200)
    assert run("check", "--data", data).returncode == 0
    assert len(exported(run, data).splitlines()) >= int(said.group(1))
    done = import_into(run, data, records)
    assert done.returncode == 0, done.stderr
    import_into(run, tmp_path / "elsewhere", records)
    assert exported(run, data) == exported(run, tmp_path / "elsewhere")
