"""A store of any schema that there ever was is brought to the newest (decision D9): first a copy beside it, one line that says so, and
nothing of its rows is other than it was. What a newer dragoman has upgraded is left alone by an older one that has it open."""
import contextlib
import os
import sqlite3

import pytest

import client
import registration
import store
from older import Postgres, Sqlite, fill_what_is_empty, has, make_older, migrations
from test_backup import did, refused

pytestmark = pytest.mark.store

STEPS = [("user", "add", "olena", "--no-password"), ("key", "create", "--api", "b", "--secret"), ("map", "clear", "7", "hotel", "1001"),
         ("map", "undo", "7", "hotel", "1001"), ("dict", "merge", "hotel", "57", "55"), ("dict", "name", "hotel", "55", "uk", "Назва"), ("match",),
         ("match", "reject", "7", "hotel", "1002", "55")]


@pytest.fixture
def place(data):
    found = (Sqlite if store.POSTGRES is None else Postgres)(data.path)
    fill_what_is_empty(found)
    return found


def backs_up_as_it_is(run, place, data, tmp_path, number):
    """A package is installed, and the servers of the version before run on: the backup before the restart."""
    file = tmp_path / f"older-{number}.backup"
    look = lambda: (place.execute("SELECT max(number) FROM migration"), set(os.listdir(data.path)) - {"last-backup", "dragoman.db.lock", file.name})
    before = look()
    did(run("backup", file, "--data", data.path))
    assert look() == before and file.exists() and not [name for name in os.listdir(tmp_path) if "older-store" in name]
    did(run("restore", file, "--store", f"sqlite:{tmp_path}/older-{number}.db"), "sound")


@pytest.mark.heavy
def test_a_store_of_each_schema_is_upgraded_and_backed_up(run, place, data, tmp_path):
    newest = len(migrations())
    for number in range(1, newest):
        columns = make_older(place, number)
        refused(run("status", "--data", data.path), "made by an older dragoman", f"schema {number}", "start dragoman serve or import")
        refused(run("key", "create", "--api", "a", "--no-upgrade", "--data", data.path), "--no-upgrade", f"schema {number}, this one needs {newest}")
        if store.POSTGRES is None:
            backs_up_as_it_is(run, place, data, tmp_path, number)
        done = did(run("key", "create", "--api", "a", "--data", data.path))
        said = done.stderr
        assert said.count("\n") == 1 and f"upgraded from schema {number} to {newest}" in said, said
        for table, names in columns.items():
            if table in ("migration", "clock", "branch", "moment", "api_key") or table == "use_count" and not has(number, "coverage"):  # what is new is in these
                continue
            listed = ", ".join(names)
            both = (place.kept, place.now), (place.now, place.kept)
            for one, other in both[:1] if table == "access_event" else both:  # the key that was made is an event
                gone = place.execute(f"SELECT {listed} FROM {one}{table} EXCEPT SELECT {listed} FROM {other}{table}")
                assert gone == [], (number, table, gone)
        did(run("check", "--data", data.path))
        file = tmp_path / f"{number}.backup"
        did(run("backup", file, "--data", data.path))
        did(run("restore", file, "--store", f"sqlite:{tmp_path}/{number}.db"), "sound")
        if store.POSTGRES is None:
            copy = data.path / f"dragoman.db.schema-{number}"
            assert str(copy) in said and os.stat(copy).st_mode & 0o777 == 0o600
            with contextlib.closing(sqlite3.connect(copy)) as db:
                assert db.execute("SELECT max(number) FROM migration").fetchone() == (number,)
                assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
                assert db.execute("SELECT count(*) FROM source").fetchone()[0] > 10


def migration(data, statement):
    store.execute(data, statement.format(number=len(migrations()) + 1))


def test_a_store_that_a_newer_dragoman_has_upgraded_is_only_read(run, own):
    """Decision D9: one server of two is updated first. The other one answers what it has in memory, and stores nothing."""
    def add():
        return registration.source_add(own, hotel=[registration.element("hotel")])

    assert add().status == 200
    migration(own.data, "INSERT INTO migration (number, name, applied_at) VALUES ({number}, 'later', '2027-01-01T00:00:00Z')")
    client.assert_error(client.wait_until(lambda: (r := add()).status != 200 and r), 503)
    assert own.b("tour/reference").status == 200 and registration.source_info(own, hotel="1001")["hotel"][0]["dict"]["id"] == 55
    assert client.wait_until(lambda: "newer dragoman" in own.process.stderr()), own.process.stderr()
    for args in (("status",), ("key", "create", "--api", "a"), ("backup", own.data / "b")):
        refused(run(*args, "--data", own.data), "made by a newer dragoman", f"schema {len(migrations()) + 1}", "use that version")
    migration(own.data, "DELETE FROM migration WHERE number = {number}")
    assert client.wait_until(lambda: add().status == 200), own.process.stderr()
    end_of_an_outage(own.process)


def end_of_an_outage(process):
    """A clean stop of a server whose log tells of one."""
    os.kill(process.pid, 15)
    assert process.popen.wait(client.PATIENCE) == 0


@pytest.mark.files
def test_where_a_copy_has_no_room_nothing_is_upgraded(run, place, data):
    make_older(place, len(migrations()) - 1)
    wrong = data.path / f"dragoman.db.schema-{len(migrations()) - 1}.new"
    wrong.mkdir()
    before = place.execute("SELECT max(number) FROM migration")
    refused(run("key", "create", "--api", "a", "--data", data.path), "cannot write the copy of the store")
    assert place.execute("SELECT max(number) FROM migration") == before
    wrong.rmdir()
    # One that is there stays: the next gets another name.
    for name in ("", ".2"):
        did(run("key", "create", "--api", "a", "--data", data.path))
        assert (data.path / f"dragoman.db.schema-{len(migrations()) - 1}{name}").exists()
        make_older_keeping_copies(place, data.path)


def make_older_keeping_copies(place, folder):
    copies = [path.rename(folder / ("kept" + path.name[11:])) for path in folder.glob("dragoman.db.schema-*")]
    make_older(place, len(migrations()) - 1)
    for path in copies:
        path.rename(folder / ("dragoman.db" + path.name[4:]))
