"""An import that meets a full disk: before it applies nothing is changed; in the middle it says how far it came, and goes on."""
import os
import pathlib
import re
import subprocess

import pytest


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


@pytest.fixture(scope="module")
def records(run, tmp_path_factory):
    """Some 180,000 records, suppliers with random ids among them: 60 MB, a store of 43 MB. Several transactions, since one lasts
    for 250 ms at most."""
    path = tmp_path_factory.mktemp("records") / "in.ndjson"
    made = run("synth", "--hotels", "40000")
    assert made.returncode == 0, made.stderr
    path.write_text(made.stdout, encoding="utf-8")
    return path


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
    disk(500)
    assert exported(run, data) == ""


def test_a_disk_that_fills_up_in_the_middle_is_told_and_the_import_completed(disk, records, run, tmp_path):
    data = disk(46) / "data"
    done = import_into(run, data, records)
    said = re.search(r"(\d+) of (\d+) records are applied, the same import run again completes it", done.stderr)
    assert done.returncode != 0 and said, done.stderr
    assert "disk is full" in done.stderr and 0 < int(said.group(1)) < int(said.group(2)), done.stderr
    disk(500)
    assert run("check", "--data", data).returncode == 0
    assert len(exported(run, data).splitlines()) >= int(said.group(1))
    done = import_into(run, data, records)
    assert done.returncode == 0, done.stderr
    import_into(run, tmp_path / "elsewhere", records)
    assert exported(run, data) == exported(run, tmp_path / "elsewhere")
