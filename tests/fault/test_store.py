"""The store pulled away under a running server, and its lock held by a process that does not move.

Writers go on all the while. Whatever was answered with 200 and had to survive is in the file that the path names; reads
never stop; what was put in the place of the store is served.

DRG_PULLS=N    how often each way is tried (default 1; `make long`: 10)"""
import contextlib
import fcntl
import http.client
import itertools
import os
import shutil
import signal
import sqlite3
import struct
import subprocess
import threading

import pytest

import client
from api_conftest import command
from registration import element, is_registered, post, source_info

PULLS = int(os.environ.get("DRG_PULLS", "1"))
WRITERS = 4
F_OFD_SETLKW = 38
LOCKED = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 1, 1, 0)


def add(server, elements):
    return post(server, "sourceAdd", {"adapter_id": 7, "lang_code": "en", "hotel": elements})


class Load:
    """Writers that note what was answered, and in which order; a reader that must never fail."""

    def __init__(self, server):
        self.server, self.stopping, self.going = server, threading.Event(), threading.Event()
        self.going.set()
        self.answers, self.refused, self.faults = [], 0, []
        self.moments, self.lock, self.under_way = itertools.count(), threading.Lock(), 0
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

    def now(self):
        """A moment: the order of events, not a time."""
        return next(self.moments)

    def pause(self):
        """Returns when every writer has been answered and asks no more; until going.set()."""
        with self.lock:
            self.going.clear()
        client.eventually(lambda: self.under_way == 0)

    def write(self):
        while not self.stopping.is_set():
            with self.lock:
                goes = self.going.is_set()
                self.under_way += goes
            if not goes:
                self.going.wait(0.05)
                continue
            if not self.write_batch():
                return
            with self.lock:
                self.under_way -= 1

    def write_batch(self):
        batch = [element("hotel", name="y" * 200) for _ in range(20)]
        asked = self.now()
        try:
            response = add(self.server, batch)
        except (OSError, http.client.HTTPException) as fault:
            self.faults.append(f"write: {fault}")
            return False
        if response.status == 200:
            members = response.data()["hotel"].values()
            assert len(members) == 20 and all("source" in member for member in members)
            self.answers.append((asked, [e["id"] for e in batch]))
        elif response.status == 503 and "Retry-After" in response.headers:
            self.refused += 1
            self.stopping.wait(0.01)
        else:
            self.faults.append(f"write: {response}")
        return True

    def read(self):
        while not self.stopping.wait(0.01):
            for path in ("tour/reference", "tour/hotelCheck?hotel=55"):
                if self.server.b(path).status != 200:
                    self.faults.append(f"read: {path}")
            if self.server.request("/readyz").status != 200:
                self.faults.append("read: /readyz")

    def asked_after(self, moment):
        return [id for asked, ids in self.answers if asked > moment for id in ids]


def store_of(server):
    """What /readyz says of the store."""
    return server.request("/readyz").json()["store"]


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


def put_back(server, backup):
    """Once it was seen that it is away."""
    client.eventually(lambda: store_of(server) == "away")
    server.data.mkdir(exist_ok=True)
    rename_over(server, backup)


def unlink(server, backup):
    (server.data / "dragoman.db").unlink()
    put_back(server, backup)


def rename_over(server, backup):
    shutil.copy(backup, server.data / "new")
    (server.data / "new").rename(server.data / "dragoman.db")


def copy_over(server, backup):
    shutil.copyfile(backup, server.data / "dragoman.db")


def copy_over_without_log(server, backup):
    for suffix in ("-wal", "-shm"):
        (server.data / f"dragoman.db{suffix}").unlink()
    shutil.copyfile(backup, server.data / "dragoman.db")


def remove_all_and_copy(server, backup):
    for path in server.data.glob("dragoman.db*"):
        path.unlink(missing_ok=True)
    put_back(server, backup)


def remove_folder(server, backup):
    shutil.rmtree(server.data, ignore_errors=True)
    shutil.rmtree(server.data, ignore_errors=True)  # a lock file can come up in between
    put_back(server, backup)


# Bytes that are written into a file which a checkpoint is being written to damage it: nobody writes meanwhile.
IN_PLACE = [copy_over, copy_over_without_log]
WAYS = [unlink, rename_over, copy_over, copy_over_without_log, remove_all_and_copy, remove_folder]


@contextlib.contextmanager
def nobody_writes(load):
    """Neither the writers nor the server for itself, which notes uses of keys."""
    load.pause()
    with open(load.server.data / "dragoman.db.lock", "r+b") as lock:
        fcntl.fcntl(lock, F_OFD_SETLKW, LOCKED)
        yield
    load.going.set()


def end(server):
    """A clean stop. The log tells of the outage, so what conftest asks of a log does not hold."""
    os.kill(server.process.pid, signal.SIGTERM)
    assert server.process.popen.wait(client.PATIENCE) == 0
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
        client.eventually(lambda: grown(server.data, backup))
        with nobody_writes(load) if way in IN_PLACE else contextlib.nullcontext():
            way(server, backup)
        pulled, lost = load.now(), load.answers[0][1][0]
        assert client.wait_until(lambda: not is_registered(server, "hotel", lost)), "what was restored is not served"
        assert client.wait_until(lambda: len(load.asked_after(pulled)) > 100), "no write went through afterwards"
    answered = load.asked_after(pulled)
    assert in_file(server.data, answered) == set(answered)
    assert all(item["source"] for item in source_info(server, hotel=answered)["hotel"])
    assert all(is_registered(server, "hotel", e["id"]) for e in kept)
    client.eventually(lambda: store_of(server) == "ok")
    end(server)
    done = run("check", "--data", server.data)
    assert done.returncode == 0, done.stdout + done.stderr
    assert in_file(server.data, answered) == set(answered)


@pytest.mark.parametrize("pull", range(PULLS))
def test_a_store_that_is_moved_away_and_back_has_lost_nothing(pull, make_server, mini, tmp_path, run):
    server = make_server(mini)
    away = tmp_path / "away"
    with Load(server) as load:
        client.eventually(lambda: len(load.answers) > 50)
        server.data.rename(away)
        moved, refused = load.now(), load.refused
        assert client.wait_until(lambda: load.refused > refused + 5 * WRITERS), "nothing was refused"
        assert load.asked_after(moved) == [] and not server.data.exists()
        client.eventually(lambda: store_of(server) == "away")
        away.rename(server.data)
        back = load.now()
        client.eventually(lambda: len(load.asked_after(back)) > 100)
    everything = [id for _, ids in load.answers for id in ids]
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
        client.eventually(lambda: len(load.answers) > 20)
        for path in server.data.glob("dragoman.db*"):
            path.unlink(missing_ok=True)
        # The new store has no keys: who asks gets 403, which is right, so the writers end here.
        load.stopping.set()
    pulled = load.answers[0][1][0]
    import_file(server.data, mini)
    assert client.wait_until(lambda: server.b("tour/reference").status == 403), "the keys of the store that is gone still work"
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
        client.eventually(lambda: add(server, answered[-1:]).status == 200)
        rename_over(server, backup)
        client.eventually(lambda: not is_registered(server, "hotel", answered[-1]["id"]))
    end(server)
    logs = [path.read_bytes() for path in server.data.glob("dragoman.db-wal.orphan*")]
    assert len(logs) == 3
    assert all(any(e["id"].encode() in log for log in logs) for e in answered)


# ---- the lock ---------------------------------------------------------------------------------------------------

HOLDER = f"""
import fcntl, os, signal, sys
f = open(sys.argv[1], "r+b")
fcntl.fcntl(f, {F_OFD_SETLKW}, {LOCKED!r})  # waits: the server's matcher may write just now
f.seek(0)
f.write((str(os.getpid()) + " a process that was stopped").encode().ljust(255) + b"\\n")
f.flush()
print("held", flush=True)
signal.pause()
"""


@contextlib.contextmanager
def stopped_holder(data):
    """A process of ours that holds the lock of the store and does not move."""
    holder = subprocess.Popen(["/usr/bin/python3", "-c", HOLDER, data / "dragoman.db.lock"], stdout=subprocess.PIPE)
    assert holder.stdout.readline() == b"held\n"
    os.kill(holder.pid, signal.SIGSTOP)
    try:
        yield holder
    finally:
        os.kill(holder.pid, signal.SIGCONT)
        holder.kill()
        holder.wait()


class Waiting:
    """Requests that wait to be stored, and the answers that came in the end."""

    def __init__(self, server):
        self.server, self.answers = server, []
        self.threads = [threading.Thread(target=lambda: self.answers.append(add(server, [element("hotel")]))) for _ in range(WRITERS)]
        for thread in self.threads:
            thread.start()
        client.eventually(lambda: server.request("/readyz").json()["writing"] == WRITERS)

    def answered(self):
        return len(self.answers) == WRITERS

    def all(self):
        for thread in self.threads:
            thread.join()
        return self.answers


def test_a_lock_that_is_held_is_503_after_its_time_and_names_the_holder(make_server, mini, run, clock):
    """Reads do not wait for it."""
    server = make_server(mini, "--lock-timeout", "600")
    assert add(server, [element("hotel")]).status == 200
    with stopped_holder(server.data) as holder:
        for _ in range(2):
            waiting = Waiting(server)
            assert server.b("tour/reference").status == server.b("tour/hotelCheck?hotel=55").status == 200
            assert waiting.answers == []
            client.eventually(lambda: clock.advance(601) or waiting.answered())
            for answer in waiting.all():
                error = client.assert_error(answer, 503)
                assert error["reason"] == "not_stored" and "another process" in error["message"]
            assert store_of(server) == "locked"
        done = run("key", "create", "--api", "a", "--lock-timeout", "1", "--data", server.data)
        assert done.returncode == 1 and f"process {holder.pid} (a process that was stopped)" in done.stderr
    client.eventually(lambda: add(server, [element("hotel")]).status == 200)
    assert store_of(server) == "ok"
    assert f"process {holder.pid} (a process that was stopped) holds the lock" in end(server)


def test_a_lock_that_is_held_does_not_hold_up_the_stop(make_server, mini):
    server = make_server(mini, "--lock-timeout", "600")
    assert add(server, [element("hotel")]).status == 200
    with stopped_holder(server.data):
        waiting = Waiting(server)
        end(server)
        assert [answer.status for answer in waiting.all()] == [503] * WRITERS


def test_a_server_that_starts_names_who_holds_the_lock(make_server, mini):
    server = make_server(mini)
    server.stop()
    with stopped_holder(server.data) as holder:
        done = subprocess.run(command("serve", "--data", server.data, "--listen", "127.0.0.1:0", "--lock-timeout", "1"),
                              stderr=subprocess.PIPE, timeout=client.PATIENCE, check=False)
        assert done.returncode == 1 and f"process {holder.pid} (" in done.stderr.decode()
