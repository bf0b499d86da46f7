"""The store pulled away under a running server, and its lock held by a process that does not move.

Writers go on all the while. Whatever was answered with 200 and had to survive is in the file that the path names; reads
never stop; what was put in the place of the store is served within a second.

DRG_PULLS=N    how often each way is tried (default 1; `make fault`: 10)"""
import contextlib
import http.client
import os
import shutil
import signal
import sqlite3
import subprocess
import threading
import time

import pytest

import client
from api_conftest import SLOW, command
from registration import element, is_registered, post, source_info

PULLS = int(os.environ.get("DRG_PULLS", "1"))
WRITERS = 4


def add(server, elements):
    return post(server, "sourceAdd", {"adapter_id": 7, "lang_code": "en", "hotel": elements})


class Load:
    """Writers that note what was answered, and when; a reader that must never fail."""

    def __init__(self, server):
        self.server, self.stopping, self.going = server, threading.Event(), threading.Event()
        self.going.set()
        self.answers, self.refused, self.faults = [], 0, []
        self.threads = [threading.Thread(target=self.write) for _ in range(WRITERS)]
        self.threads.append(threading.Thread(target=self.read))

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        for thread in self.threads:
            thread.join()
        assert not self.faults, self.faults[:3]

    def write(self):
        while not self.stopping.is_set():
            if not self.going.wait(0.05):
                continue
            batch = [element("hotel", name="y" * 200) for _ in range(20)]
            asked = time.monotonic()
            try:
                response = add(self.server, batch)
            except (OSError, http.client.HTTPException) as fault:
                self.faults.append(f"write: {fault}")
                return
            if response.status == 200:
                members = response.data()["hotel"].values()
                assert len(members) == 20 and all("source" in member for member in members)
                self.answers.append((asked, time.monotonic(), [e["id"] for e in batch]))
            elif response.status == 503 and "Retry-After" in response.headers:
                self.refused += 1
                time.sleep(0.01)
            else:
                self.faults.append(f"write: {response}")

    def read(self):
        while not self.stopping.is_set():
            began = time.monotonic()
            for path in ("tour/reference", "tour/hotelCheck?hotel=55"):
                if self.server.b(path).status != 200:
                    self.faults.append(f"read: {path}")
            if self.server.request("/readyz").status != 200:
                self.faults.append("read: /readyz")
            if time.monotonic() - began > (10 if SLOW else 1):
                self.faults.append("reads took longer than a second")
            time.sleep(0.01)

    def asked_after(self, moment):
        return [id for asked, _, ids in self.answers if asked > moment for id in ids]

    def answered_before(self, moment):
        return [id for _, answered, ids in self.answers if answered < moment for id in ids]


def in_file(data, ids):
    """Which of the ids a process finds that opens the store anew."""
    with contextlib.closing(sqlite3.connect(data / "dragoman.db")) as db:
        stored = {row[0] for row in db.execute("SELECT id FROM source WHERE adapter_id = 7 AND deleted = 0")}
    return set(ids) & stored


def backup_of(data, to):
    with contextlib.closing(sqlite3.connect(data / "dragoman.db")) as db:
        with contextlib.closing(sqlite3.connect(to)) as copy:
            db.backup(copy)


def grown(data, backup):
    return (data / "dragoman.db").stat().st_size > backup.stat().st_size + 1_000_000


def unlink(data, backup):
    (data / "dragoman.db").unlink()
    time.sleep(0.3)
    shutil.copy(backup, data / "new")
    (data / "new").rename(data / "dragoman.db")


def rename_over(data, backup):
    shutil.copy(backup, data / "new")
    (data / "new").rename(data / "dragoman.db")


def copy_over(data, backup):
    shutil.copyfile(backup, data / "dragoman.db")


def copy_over_without_log(data, backup):
    for suffix in ("-wal", "-shm"):
        (data / f"dragoman.db{suffix}").unlink()
    shutil.copyfile(backup, data / "dragoman.db")


def remove_all_and_copy(data, backup):
    for path in data.glob("dragoman.db*"):
        path.unlink(missing_ok=True)
    time.sleep(0.3)
    shutil.copy(backup, data / "new")
    (data / "new").rename(data / "dragoman.db")


def remove_folder(data, backup):
    shutil.rmtree(data, ignore_errors=True)
    shutil.rmtree(data, ignore_errors=True)  # a lock file can come up in between
    time.sleep(0.3)
    data.mkdir(exist_ok=True)
    shutil.copy(backup, data / "new")
    (data / "new").rename(data / "dragoman.db")


# Bytes that are written into a file which a checkpoint is being written to damage it: nobody writes meanwhile.
IN_PLACE = [copy_over, copy_over_without_log]
WAYS = [unlink, rename_over, copy_over, copy_over_without_log, remove_all_and_copy, remove_folder]


def end(server):
    """A clean stop, in time. The log tells of the outage, so what conftest asks of a log does not hold."""
    began = time.monotonic()
    os.kill(server.process.pid, signal.SIGTERM)
    assert server.process.popen.wait(60) == 0
    assert time.monotonic() - began < (60 if SLOW else 8)
    return server.process.stderr()


@pytest.mark.parametrize("pull", range(PULLS))
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_a_restored_store_is_served_and_takes_what_is_answered(way, pull, make_server, mini, tmp_path, run):
    server = make_server(mini)
    backup = tmp_path / "backup"
    kept = [element("hotel") for _ in range(20)]
    assert add(server, kept).status == 200
    backup_of(server.data, backup)
    with Load(server) as load:
        # Far enough for a checkpoint, so that the file has moved on from the backup.
        assert client.wait_until(lambda: grown(server.data, backup), 120)
        if way in IN_PLACE:
            load.going.clear()
            time.sleep(1)
        way(server.data, backup)
        load.going.set()
        pulled = time.monotonic()
        lost = load.answered_before(pulled - 5)[:1] or load.answers[0][2][:1]
        assert client.wait_until(lambda: not is_registered(server, "hotel", lost[0]), 30 if SLOW else 3), \
            "what was restored is not served"
        assert client.wait_until(lambda: len(load.asked_after(pulled)) > 100, 30 if SLOW else 5), \
            "no write went through afterwards"
    answered = load.asked_after(pulled)
    assert in_file(server.data, answered) == set(answered)
    assert all(item["source"] for item in source_info(server, hotel=answered)["hotel"])
    assert all(is_registered(server, "hotel", e["id"]) for e in kept)
    assert client.wait_until(lambda: server.request("/readyz").json()["store"] == "ok", 5)
    end(server)
    done = run("check", "--data", server.data)
    assert done.returncode == 0, done.stdout + done.stderr
    assert in_file(server.data, answered) == set(answered)


@pytest.mark.parametrize("pull", range(PULLS))
def test_a_store_that_is_moved_away_and_back_has_lost_nothing(pull, make_server, mini, tmp_path, run):
    server = make_server(mini)
    away = tmp_path / "away"
    with Load(server) as load:
        assert client.wait_until(lambda: len(load.answers) > 50, 60)
        server.data.rename(away)
        moved = time.monotonic()
        refused = load.refused
        assert client.wait_until(lambda: load.refused > refused + 3, 5), "nothing was refused"
        time.sleep(0.7)
        assert load.asked_after(moved) == [] and not server.data.exists()
        assert server.request("/readyz").json()["store"] == "away"
        away.rename(server.data)
        back = time.monotonic()
        assert client.wait_until(lambda: len(load.asked_after(back)) > 100, 30 if SLOW else 5)
    everything = [id for _, _, ids in load.answers for id in ids]
    assert in_file(server.data, everything) == set(everything)
    said = end(server)
    assert said.count("cannot write to the store") >= 1 and "the store can be written again" in said
    done = run("check", "--data", server.data)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("pull", range(PULLS))
def test_a_store_made_anew_by_import_is_the_one_that_is_served(pull, make_server, mini, import_file, run):
    server = make_server(mini)
    keys = [f for f in run("export", "--data", server.data).stdout.splitlines()]
    assert keys
    shutil.copy(server.data / "dragoman.db", server.data.parent / f"{server.data.name}.keys")
    with Load(server) as load:
        assert client.wait_until(lambda: len(load.answers) > 20, 60)
        for path in server.data.glob("dragoman.db*"):
            path.unlink(missing_ok=True)
        # The new store has no keys: who asks gets 403, which is right, so the writers end here.
        load.stopping.set()
    pulled = load.answers[0][2][0]
    import_file(server.data, mini)
    assert client.wait_until(lambda: server.b("tour/reference").status == 403, 30 if SLOW else 2), \
        "the keys of the store that is gone still work"
    assert in_file(server.data, [pulled]) == set()
    end(server)


# ---- the log ----------------------------------------------------------------------------------------------------

def test_what_a_backup_of_the_folder_holds_is_there_whatever_inodes_it_gets(make_server, mini, tmp_path, run):
    """A system may give the inode of a log that was removed to its copy: that is no log of what was there before."""
    server = make_server(mini)
    answered = [element("hotel") for _ in range(20)]
    assert add(server, answered).status == 200
    os.kill(server.pid, signal.SIGKILL)
    server.process.popen.wait()
    log, lock = server.data / "dragoman.db-wal", server.data / "dragoman.db.lock"
    inode = log.stat().st_ino
    backup = shutil.copytree(server.data, tmp_path / "backup")
    for path in server.data.glob("dragoman.db*"):
        shutil.copyfile(backup / path.name, tmp_path / "new")
        (tmp_path / "new").rename(path)
    # Which inode a new file gets is the system's choice: say that it was the old one.
    note = lock.read_bytes().replace(b" %d" % inode, b" %d" % log.stat().st_ino)
    lock.write_bytes(note)
    assert b" %d" % log.stat().st_ino in lock.read_bytes()
    done = run("check", "--data", server.data)
    assert done.returncode == 0, done.stdout + done.stderr
    assert in_file(server.data, [e["id"] for e in answered]) == {e["id"] for e in answered}


def test_a_backup_copied_over_the_file_of_a_stopped_server_is_what_is_there(make_server, mini, tmp_path, run):
    """A stop leaves one file: beside a log of what was there before, the copy would be taken for that."""
    server = make_server(mini)
    backup = tmp_path / "backup"
    backup_of(server.data, backup)
    later = element("hotel")
    assert add(server, [later]).status == 200
    end(server)
    assert later["id"].encode() in (server.data / "dragoman.db").read_bytes()
    shutil.copyfile(backup, server.data / "dragoman.db")
    assert in_file(server.data, [later["id"]]) == set()
    done = run("check", "--data", server.data)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_log_that_was_put_aside_is_overwritten(make_server, mini, tmp_path):
    """Only the file itself is moved away, another moved in, and a third: what was in the logs is still in the folder."""
    server = make_server(mini)
    backup = tmp_path / "backup"
    backup_of(server.data, backup)
    answered = []
    for _ in range(3):
        answered.append(element("hotel"))
        assert client.wait_until(lambda: add(server, answered[-1:]).status == 200, 5)
        rename_over(server.data, backup)
        assert client.wait_until(lambda: not is_registered(server, "hotel", answered[-1]["id"]), 30 if SLOW else 5)
    end(server)
    logs = [path.read_bytes() for path in server.data.glob("dragoman.db-wal.orphan*")]
    assert len(logs) == 3
    assert all(any(e["id"].encode() in log for log in logs) for e in answered)


# ---- the lock ---------------------------------------------------------------------------------------------------

@contextlib.contextmanager
def stopped_holder(data):
    """A process of ours that holds the lock of the store and does not move."""
    holder = subprocess.Popen(["/usr/bin/python3", "-c", f"""
import fcntl, struct, sys, time
f = open({str(data / 'dragoman.db.lock')!r}, "r+b")
fcntl.fcntl(f, 38, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 1, 1, 0))  # F_OFD_SETLKW: the server's matcher may write just now
f.seek(0)
import os
f.write((str(os.getpid()) + " a process that was stopped").encode().ljust(255) + b"\\n")
f.flush()
print("held", flush=True)
time.sleep(600)
"""], stdout=subprocess.PIPE)
    assert holder.stdout.readline() == b"held\n"
    os.kill(holder.pid, signal.SIGSTOP)
    try:
        yield holder
    finally:
        os.kill(holder.pid, signal.SIGCONT)
        holder.kill()
        holder.wait()


def test_a_lock_that_is_held_is_503_within_the_bound_and_names_the_holder(make_server, mini, run):
    server = make_server(mini, "--lock-timeout", "1")
    assert add(server, [element("hotel")]).status == 200
    with stopped_holder(server.data) as holder:
        with Load(server) as load:
            for _ in range(3):
                began = time.monotonic()
                error = client.assert_error(add(server, [element("hotel")]), 503)
                assert error["reason"] == "not_stored" and "another process" in error["message"]
                assert time.monotonic() - began < (20 if SLOW else 3)
            assert server.request("/readyz").json()["store"] == "locked"
        assert load.answers == [] and load.refused >= WRITERS
        done = run("key", "create", "--api", "a", "--lock-timeout", "1", "--data", server.data)
        assert done.returncode == 1 and f"process {holder.pid} (a process that was stopped)" in done.stderr
    assert client.wait_until(lambda: add(server, [element("hotel")]).status == 200, 5)
    assert server.request("/readyz").json()["store"] == "ok"
    assert f"process {holder.pid} (a process that was stopped) holds the lock" in end(server)


def test_a_lock_that_is_held_does_not_hold_up_the_stop(make_server, mini):
    server = make_server(mini, "--lock-timeout", "600")
    assert add(server, [element("hotel")]).status == 200
    with stopped_holder(server.data):
        answers = []
        threads = [threading.Thread(target=lambda: answers.append(add(server, [element("hotel")]).status))
                   for _ in range(5)]
        for thread in threads:
            thread.start()
        time.sleep(0.5)
        end(server)
        for thread in threads:
            thread.join()
        assert answers == [503] * 5


def test_a_server_that_starts_names_who_holds_the_lock(make_server, mini):
    server = make_server(mini)
    server.stop()
    with stopped_holder(server.data) as holder:
        done = subprocess.run(command("serve", "--data", server.data, "--listen", "127.0.0.1:0", "--lock-timeout", "1"),
                              stderr=subprocess.PIPE, timeout=60, check=False)
        assert done.returncode == 1 and f"process {holder.pid} (" in done.stderr.decode()
