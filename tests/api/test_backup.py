"""dragoman backup and restore (decision D8): a whole store in a file, taken while others write; nothing that is damaged is restored."""
import concurrent.futures
import itertools
import json
import os
import stat
import struct
import subprocess
import threading

import pytest

import client
import registration
from conftest import FIXTURES, command

pytestmark = pytest.mark.store

MAGIC, HEAD = b"dragoman backup\n", 32
WRITERS = 64


def did(done, *words):
    assert done.returncode == 0, done.stderr
    assert all(word in done.stdout for word in words), done.stdout
    return done


def refused(done, *words):
    """One clear line."""
    assert done.returncode in (1, 2) and done.stdout == "" and done.stderr.count("\n") == 1, (done.stdout, done.stderr)
    assert all(word in done.stderr for word in words), done.stderr


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


def blocks(data):
    """Where each block begins, and where the last one ends."""
    at = [len(MAGIC)]
    while at[-1] < len(data):
        at.append(at[-1] + HEAD + struct.unpack_from("<I", data, at[-1] + 12)[0])
    return at


def test_a_backup_has_everything_and_is_for_its_owner_alone(run, data, tmp_path):
    made = json.loads(run("key", "create", "--api", "b", "--secret", "--json", "--data", data.path).stdout)
    assert made["key"]
    did(run("user", "add", "olena", "--role", "curator", "--no-password", "--data", data.path))
    did(run("map", "clear", "7", "hotel", "1001", "--by", "olena", "--data", data.path))
    file, target = tmp_path / "b.backup", tmp_path / "new" / "folder"
    before = os.umask(0)
    try:
        did(run("backup", file, "--data", data.path), "read back and whole")
    finally:
        os.umask(before)
    assert mode(file) == 0o600
    did(run("restore", file, "--dry-run"), "is whole", "commit")
    assert not target.exists()
    os.makedirs(target)
    did(run("restore", file, "--data", target), "row by row, and sound")
    for args in (("export",), ("key", "list"), ("user", "list"), ("map", "history"), ("batch", "list"), ("coverage",)):
        assert run(*args, "--data", target).stdout == did(run(*args, "--data", data.path)).stdout, args
    did(run("map", "undo", "7", "hotel", "1001", "--data", target))  # what undoing needs is there too
    refused(run("restore", file, "--data", target), "not empty", "nothing was changed")


def test_a_backup_replaces_nothing_but_a_backup(run, data, tmp_path):
    other = tmp_path / "mine.txt"
    other.write_text("a letter", "utf-8")
    refused(run("backup", other, "--data", data.path), "is not a backup", "name another file")
    assert other.read_text("utf-8") == "a letter"
    image = tmp_path / "disc.iso"  # begins with zeros too
    image.write_bytes(bytes(32768) + b"CD001")
    refused(run("backup", image, "--data", data.path), "is not a backup", "name another file")
    aside = tmp_path / "plan.new"  # what a backup is called until it is whole
    aside.write_text("a plan", "utf-8")
    refused(run("backup", tmp_path / "plan", "--data", data.path), "plan.new exists and is not a backup")
    assert aside.read_text("utf-8") == "a plan"
    refused(run("restore", other, "--data", tmp_path / "new"), "is not a backup")
    refused(run("backup", other, "--keep", "2", "--data", data.path), "--keep is for a folder")
    refused(run("backup", tmp_path / "none" / "file", "--data", data.path), "No such file")
    file = tmp_path / "b.backup"
    for _ in range(2):
        did(run("backup", file, "--data", data.path))
    (tmp_path / "b.backup.new").write_bytes(bytes(4096))  # what a loss of power may leave of one
    did(run("backup", file, "--data", data.path))
    assert sorted(os.listdir(tmp_path)) == sorted(set(os.listdir(tmp_path)) - {"b.backup.new"})


def test_a_folder_keeps_the_newest(run, data, tmp_path, clock):
    folder = tmp_path / "all"
    folder.mkdir()
    (folder / "dragoman-of-mine.backup").write_text("not one of them", "utf-8")
    seen = []
    for _ in range(4):
        did(run("backup", f"{folder}/", "--keep", "2", "--data", data.path))
        seen += [name for name in os.listdir(folder) if name not in seen]
        clock.advance(1)
    kept = sorted(os.listdir(folder))
    assert kept == sorted(seen)[-3:] and len(seen) == 5, (kept, seen)
    last = (data.path / "last-backup").read_text("utf-8")
    assert "commit 1\n" in last and mode(data.path / "last-backup") == 0o600
    assert "last backup" in did(run("status", "--data", data.path)).stdout
    status = json.loads(run("status", "--json", "--data", data.path).stdout)["last_backup"]
    assert status["seq"] == 1 and status["bytes"] == os.path.getsize(folder / kept[1]), status
    clock.advance(-100)
    did(run("backup", f"{folder}/", "--keep", "2", "--data", data.path))
    assert len(set(os.listdir(folder)) - set(kept)) == 1  # the new one stays, whatever the clock says


def test_standard_output_is_a_backup_too(run, data, tmp_path):
    file = tmp_path / "piped"
    with open(file, "wb") as out:
        done = subprocess.run(command("backup", "-", "--data", data.path), stdout=out, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 0 and b"backed up" in done.stderr
    os.makedirs(tmp_path / "new")
    did(run("restore", file, "--data", tmp_path / "new"))
    assert run("export", "--data", tmp_path / "new").stdout == run("export", "--data", data.path).stdout


def test_what_is_damaged_or_cut_is_not_restored(run, data, tmp_path):
    file, bad = tmp_path / "good", tmp_path / "bad"
    did(run("backup", file, "--data", data.path))
    good = file.read_bytes()
    at = blocks(good)
    assert len(at) > 6 and at[-1] == len(good)
    flips = {1, *at[:-1], *(a + 9 for a in at[:-1]), *(a + HEAD for a in at[:-1]), *(a - 1 for a in at[1:])}
    for place in sorted(flips):
        bad.write_bytes(good[:place] + bytes([good[place] ^ 4]) + good[place + 1:])
        refused(run("restore", bad, "--data", tmp_path / "new"), "is damaged" if place >= len(MAGIC) else "is not a backup")
    for n in sorted({0, 5, *at[:-1], *(a + 7 for a in at[:-1]), len(good) - 1}):
        bad.write_bytes(good[:n])
        refused(run("restore", bad, "--data", tmp_path / "new"), "is cut off" if n >= len(MAGIC) else "is not a backup")
    # Whole blocks that are none of this file's.
    bad.write_bytes(good[:at[1]] + good[at[2]:])
    refused(run("restore", bad, "--data", tmp_path / "new"), "is damaged")
    bad.write_bytes(good + b"x")
    refused(run("restore", bad, "--data", tmp_path / "new"), "behind its end")
    assert not (tmp_path / "new").exists()


def test_a_backup_under_writers_has_all_that_was_acknowledged_before(run, own, tmp_path):
    """And what it has of what came later is whole: references lead somewhere, counts agree ('check' is part of restore)."""
    acknowledged, enough, stop = [], threading.Event(), threading.Event()

    def write(writer):
        for n in itertools.count():
            made = registration.element("hotel", id=f"w{writer}-{n}")
            if registration.source_add(own, hotel=[made]).status == 200:
                acknowledged.append(made["id"])
            if len(acknowledged) > 3 * WRITERS:
                enough.set()
            if stop.is_set():
                return

    def backed_up_while_others_wrote():
        before = list(acknowledged)
        did(run("backup", tmp_path / "b", "--data", own.data))
        return before if len(acknowledged) > len(before) else None

    with concurrent.futures.ThreadPoolExecutor(WRITERS) as pool:
        writing = [pool.submit(write, n) for n in range(WRITERS)]
        try:
            assert enough.wait(client.PATIENCE)
            before = client.wait_until(backed_up_while_others_wrote)
            assert before
        finally:
            stop.set()
        for future in writing:
            future.result()
    os.makedirs(tmp_path / "new")
    did(run("restore", tmp_path / "b", "--data", tmp_path / "new"), "sound")
    there = {json.loads(line).get("id") for line in run("export", "--data", tmp_path / "new").stdout.splitlines()}
    assert set(before) <= there
    did(run("check", "--data", own.data))


@pytest.mark.files
def test_who_has_seen_more_than_the_backup_has_is_told(run, own, make_server, tmp_path):
    """Decision F7: a cursor of a commit that was lost is over, also after as many others; the rest go on."""
    def cursor():
        return own.b("changes?since=now").data()["cursor"]

    def add(server, name):
        assert registration.source_add(server, hotel=[registration.element("hotel", id=name)]).status == 200

    add(own, "kept")
    before = cursor()
    did(run("backup", tmp_path / "b", "--data", own.data))
    add(own, "lost-1")
    add(own, "lost-2")
    after = cursor()
    did(run("restore", tmp_path / "b", "--data", tmp_path / "new"))
    restored = make_server(None, data=tmp_path / "new")
    client.assert_error(restored.b(f"changes?since={after}"), 410, reason="restored")
    assert "a client has seen commit" in restored.process.stderr()
    assert restored.b(f"changes?since={before}").data()["items"] == []
    for n in range(3):
        add(restored, f"other-{n}")
    client.assert_error(restored.b(f"changes?since={after}"), 410, reason="restored")
    assert [i["id"] for i in restored.b(f"changes?since={before}").data()["items"]] == ["other-0", "other-1", "other-2"]
    # In the place of the store: beside its snapshot, which is of commits that are gone.
    own.stop()
    for name in ("dragoman.db", "dragoman.db-wal", "dragoman.db-shm"):
        if (own.data / name).exists():
            os.remove(own.data / name)
    did(run("restore", tmp_path / "b", "--data", own.data))
    did(run("check", "--data", own.data), "warning: ", "was restored to an earlier state", "the store is sound")
    again = make_server(None, data=own.data)
    client.assert_error(again.b(f"changes?since={after}"), 410, reason="restored")
    assert "was restored to an earlier state" in again.process.stderr()
    assert not registration.is_registered(again, "hotel", "lost-1") and registration.is_registered(again, "hotel", "kept")


@pytest.mark.files
def test_a_store_that_others_can_read_is_told(run, own):
    path = own.data / "dragoman.db"
    own.stop()
    assert "others can read" not in own.process.stderr() + did(run("check", "--data", own.data)).stdout
    path.chmod(0o644)
    did(run("check", "--data", own.data), f"warning: others can read {path} (mode 644)", "chmod 600", "the store is sound")
    path.chmod(0o600)


@pytest.mark.parametrize("path", sorted((FIXTURES / "backups").glob("*.backup")), ids=lambda path: path.stem)
def test_a_backup_of_each_version_is_restored(run, tmp_path, path):
    """One of each format, and of each version that changed the schema, from 0.2.0 on: a later version restores it."""
    os.makedirs(tmp_path / "new")
    did(run("restore", path, "--data", tmp_path / "new"), "sound")
    expected = path.with_suffix(".ndjson").read_text("utf-8")
    assert run("export", "--data", tmp_path / "new").stdout == expected
