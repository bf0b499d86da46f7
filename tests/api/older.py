"""A store as an older dragoman had it, with the rows of one of today, in SQLite or PostgreSQL."""
import contextlib
import os
import pathlib
import sqlite3

import store

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "src" / "store" / "schema"
ENGINE = "sqlite" if store.POSTGRES is None else "postgres"
#: What only servers and long runs write; a row of each will do.
ELSEWHERE = {"air_map", "air_report", "case_note", "kept_answer", "profile", "scorecard", "session"}


def migrations(engine=ENGINE):
    return sorted((SCHEMA / engine).glob("*.sql"))


class Sqlite:
    """The store of a folder, whose rows are kept in another file to make older stores of."""
    engine, now, kept = "sqlite", "main.", "kept."

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
    engine, now, kept = "postgres", "dragoman.", "kept."

    def __init__(self, data, url=None):
        self.data, self.url = data, url or store.url_of(store.name_of(data))
        self.execute("ALTER SCHEMA dragoman RENAME TO kept")

    def execute(self, *statements):
        with contextlib.closing(store.connect(self.url)) as db, db.cursor() as cursor:
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
    scripts = migrations(place.engine)[:number]
    place.make([path.read_text("utf-8") for path in scripts])
    for path in scripts:
        place.execute(f"INSERT INTO {place.now}migration VALUES ({int(path.name[:4])}, '{path.stem[5:]}', '2026-01-01T00:00:00Z')")
    columns = place.columns(place.now)
    for table, names in columns.items():
        if table != "migration":
            place.execute(f"DELETE FROM {place.now}{table}", f"INSERT INTO {place.now}{table} ({', '.join(names)})"
                          f" SELECT {', '.join(names)} FROM {place.kept}{table}")
        if '"row"' in names and place.engine == "postgres":
            place.execute(f"SELECT setval(pg_get_serial_sequence('{place.now}{table}', 'row'), 1000)")
    if "use_count" in columns and not has(number, "coverage", place.engine):
        place.execute(f"DELETE FROM {place.now}use_count WHERE sort = 3")
    return columns


def has(number, name, engine=ENGINE):
    """Is the migration part of this schema?"""
    return any(path.stem[5:] == name for path in migrations(engine)[:number])
