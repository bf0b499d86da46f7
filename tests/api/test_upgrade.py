"""A store of any schema that there ever was is brought to the newest (decision D9): first a copy beside it, one line that says so, and
nothing of its rows is other than it was. What a newer dragoman has upgraded is left alone by an older one that has it open."""
import contextlib
import os
import pathlib
import sqlite3

import pytest

import client
import registration
import store
from test_backup import did, refused

pytestmark = pytest.mark.store

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "src" / "store" / "schema"
ENGINE = "sqlite" if store.POSTGRES is None else "postgres"
STEPS = [("user", "add", "olena", "--no-password"), ("key", "create", "--api", "b", "--secret"), ("map", "clear", "7", "hotel", "1001"),
         ("map", "undo", "7", "hotel", "1001"), ("dict", "merge", "hotel", "57", "55"), ("dict", "name", "hotel", "55", "uk", "Назва"), ("match",),
         ("match", "reject", "7", "hotel", "1002", "55")]
#: What only servers and long runs write; a row of each will do.
ELSEWHERE = {"air_map", "air_report", "kept_answer", "profile", "scorecard", "session"}


def migrations():
    return sorted((SCHEMA / ENGINE).glob("*.sql"))


class Sqlite:
    """The store of a folder, whose rows are kept in another file to make older stores of."""
    now, kept = "main.", "kept."

    def __init__(self, data):
        self.data, self.path, self.was = data, data / "dragoman.db", data / "was.db"
        self.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        os.rename(self.path, self.was)

    def execute(self, *statements):
        with contextlib.closing(sqlite3.connect(self.path)) as db:
            db.create_function("md5", 1, str)
            if self.was.exists():
                db.execute("ATTACH ? AS kept", (str(self.was),))
            rows = [db.executescript(s) if ";" in s else db.execute(s).fetchall() for s in statements]
            db.commit()
            return rows[-1]

    def make(self, scripts):
        for path in self.data.glob("dragoman.db*"):
            path.unlink()
        self.execute("PRAGMA journal_mode = WAL", "CREATE TABLE migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT",
                     *(s + ";" for s in scripts), "PRAGMA application_id = 0x64726731")

    def columns(self, of):
        """Table -> column -> is it a number?"""
        tables = self.execute(f"SELECT name FROM {of}sqlite_schema WHERE type = 'table'")
        return {t: {f'"{c}"': what != "TEXT" for c, what in self.execute(f"SELECT name, type FROM pragma_table_info('{t}', '{of[:-1]}')")}
                for t, in tables}


class Postgres:
    """Likewise in a schema of another name."""
    now, kept = "dragoman.", "kept."

    def __init__(self, data):
        self.data, self.name = data, store.name_of(data)
        self.execute("ALTER SCHEMA dragoman RENAME TO kept")

    def execute(self, *statements):
        with contextlib.closing(store.connect(store.url_of(self.name))) as db, db.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def make(self, scripts):
        self.execute("DROP SCHEMA IF EXISTS dragoman CASCADE", "CREATE SCHEMA dragoman",
                     "CREATE TABLE dragoman.migration (number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL)", *scripts)

    def columns(self, of):
        found = {}
        for table, column, what in self.execute("SELECT table_name, column_name, data_type FROM information_schema.columns"
                                                f" WHERE table_schema = '{of[:-1]}' ORDER BY table_name, ordinal_position"):
            found.setdefault(table, {})[f'"{column}"'] = what not in ("text", "bytea")
        return found


def fill_what_is_empty(place):
    """A row in each table that has none, of values that its columns take."""
    for table, columns in place.columns(place.kept).items():
        if place.execute(f"SELECT 1 FROM {place.kept}{table} LIMIT 1"):
            continue
        assert table in ELSEWHERE, table
        # Of records a tombstone: it is valid whatever the rest of it says.
        values = ["1" if number else "'x'" for number in columns.values()]
        place.execute(f"INSERT INTO {place.kept}{table} ({', '.join(columns)}) VALUES ({', '.join(values)})")
    assert all(place.execute(f"SELECT 1 FROM {place.kept}{t} LIMIT 1") for t in place.columns(place.kept))


def make_older(place, number):
    """The store as a dragoman of that schema would have it."""
    place.make([path.read_text("utf-8") for path in migrations()[:number]])
    for path in migrations()[:number]:
        place.execute(f"INSERT INTO {place.now}migration VALUES ({int(path.name[:4])}, '{path.stem[5:]}', '2026-01-01T00:00:00Z')")
    columns = place.columns(place.now)
    for table, names in columns.items():
        if table != "migration":
            place.execute(f"DELETE FROM {place.now}{table}", f"INSERT INTO {place.now}{table} ({', '.join(names)})"
                          f" SELECT {', '.join(names)} FROM {place.kept}{table}")
        if '"row"' in names and store.POSTGRES is not None:
            place.execute(f"SELECT setval(pg_get_serial_sequence('{place.now}{table}', 'row'), 1000)")
    if "use_count" in columns and not has(number, "coverage"):
        place.execute(f"DELETE FROM {place.now}use_count WHERE sort = 3")
    return columns


def has(number, name):
    """Is the migration part of this schema?"""
    return any(path.stem[5:] == name for path in migrations()[:number])


@pytest.fixture
def place(data):
    found = (Sqlite if store.POSTGRES is None else Postgres)(data.path)
    fill_what_is_empty(found)
    return found


@pytest.mark.heavy
def test_a_store_of_each_schema_is_upgraded_and_backed_up(run, place, data, tmp_path):
    newest = len(migrations())
    for number in range(1, newest):
        columns = make_older(place, number)
        refused(run("status", "--data", data.path), "made by an older dragoman", f"schema {number}", "start dragoman serve or import")
        refused(run("key", "create", "--api", "a", "--no-upgrade", "--data", data.path), "--no-upgrade", f"schema {number}, this one needs {newest}")
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
