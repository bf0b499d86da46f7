"""dragoman backup and restore between the engines, and on a disk that has no room. With a server of its own (tests/pg_cluster)."""
import contextlib
import os
import sqlite3

import pytest

import client
from test_migrate import (cluster, data, database, dumped, lived_in, pg_cluster, refused, serve_store, sqlite_store,  # pylint: disable=unused-import
                          store, told)

pytestmark = [pytest.mark.skipif(not pg_cluster.pathlib.Path("/usr/lib/postgresql").exists(), reason="there is no PostgreSQL"),
              pytest.mark.xdist_group("postgres")]


def rows_of(folder):
    """Every row of a store in SQLite, but for those that say when its tables were made, and whose right it is to match."""
    with contextlib.closing(sqlite3.connect(folder / "dragoman.db")) as db:
        tables = [name for name, in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
        first = {"kept_answer": 1}  # its first column numbers the rows as they came
        return {t: sorted(repr(row[first.get(t, 0):]) for row in db.execute(f"SELECT * FROM {t}")) for t in tables
                if t not in ("migration", "matching")}


def test_a_backup_is_restored_from_either_engine_into_either(run, cluster, database, store, lived_in, tmp_path):
    """SQLite, PostgreSQL, PostgreSQL, SQLite, SQLite: every row is the same at the end, and so is what the commands tell."""
    assert client.wait_until(lambda: "Nowhere" in run("air", "unmatched", "--data", lived_in.data).stdout)
    cluster.psql("postgres", f'CREATE DATABASE "{database}_2"')
    for name in ("first", "third", "fourth"):
        (tmp_path / name).mkdir()
    file = tmp_path / "begin.backup"  # the server goes on, and notes what is asked for
    assert run("backup", file, "--data", lived_in.data).returncode == 0 and run("restore", file, "--data", tmp_path / "first").returncode == 0
    stores = [sqlite_store(tmp_path / "first"), store, cluster.url(f"{database}_2"), sqlite_store(tmp_path / "third"), sqlite_store(tmp_path / "fourth")]
    folder = tmp_path / "any"
    folder.mkdir()
    for n, (source, target) in enumerate(zip(stores, stores[1:])):
        file = tmp_path / f"{n}.backup"
        done = run("backup", file, "--data", folder, "--store", source)
        assert done.returncode == 0, done.stderr
        done = run("restore", file, "--store", target)
        assert done.returncode == 0 and "row by row, and sound" in done.stdout, done.stderr
        refused(run("restore", file, "--store", target), "not empty")
    assert rows_of(tmp_path / "fourth") == rows_of(tmp_path / "third") == rows_of(tmp_path / "first")
    assert all(rows_of(tmp_path / "first")[t] for t in ("kept_answer", "air_report", "batch_item", "redirect", "mapping_event"))

    def rows(name):
        """But for those of migration, which have the time, and of matching."""
        return sorted(line for line in dumped(cluster, name) if "\t" in line and "+00" not in line and not line.startswith("t\t0\t"))

    assert rows(database) == rows(f"{database}_2")
    assert told(run, folder, stores[4]) == told(run, folder, stores[1]) == told(run, folder, stores[0])


def test_a_disk_that_is_full_costs_nothing_but_the_new_backup(run, full_disk, mini, tmp_path):
    data, place = tmp_path / "data", full_disk.place
    assert run("import", mini, "--create", "--data", data).returncode == 0
    file = place / "b.backup"
    assert run("backup", file, "--data", data).returncode == 0
    before = file.read_bytes()
    full_disk()
    refused(run("backup", file, "--data", data), "cannot write the backup", "No space left")
    assert file.read_bytes() == before and sorted(os.listdir(place)) == ["b.backup", "ballast"]
    (place / "new").mkdir()
    done = run("restore", file, "--data", place / "new")
    assert done.returncode == 1 and done.stderr.count("\n") == 1, done.stderr
    (place / "ballast").unlink()
    done = run("restore", file, "--data", place / "new")  # what was begun is no hindrance
    assert done.returncode == 0, done.stderr
    assert run("export", "--data", place / "new").stdout == run("export", "--data", data).stdout
