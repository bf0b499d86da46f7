"""Every command says that it could not read or write what it needs, and ends with 1: exit status and standard error are the contract of
docs/cli.md. A table that is not there stands for a store that fails in the middle."""
import contextlib
import sqlite3

import pytest

pytestmark = pytest.mark.files  # of the engine, not of PostgreSQL

#: Table: commands that need it. What a command is about need not be there.
NEEDS = {
    "api_key": ["key list", "key list --json", "key create --api a", "key set 1 --name x", "key revoke 1", "key rotate 1"],
    "use_count": ["key list", "key list --json", "map list --unmapped"],
    "person": ["user list", "user disable anna", "user enable anna", "user role anna admin"],
    "access_event": ["key history", "user history", "key create --api a"],
    "adapter": ["supplier list", "supplier show coral", "supplier add new", "status", "status --json"],
    "profile": ["supplier show coral", "supplier set coral --sheet x"],
    "batch": ["batch list", "batch list --format ndjson", "batch show 1", "batch undo 1"],
    "batch_item": ["batch show 1", "batch show 1 --format ndjson", "batch undo 1"],
    "source": ["map list", "map list --format ndjson", "map list --format csv", "map find x", "map find x --format ndjson", "match explain 7 hotel 1002",
               "match doubles", "match doubles --format ndjson", "match", "match --dry-run", "check", "export --type source", "changes --since 2026-01-01",
               "map set 7 hotel 1002 55", "map clear 7 hotel 1001", "map undo 7 hotel 1001", "map country 7 hotel 1002 1"],
    "mapping_event": ["map history", "map history --format ndjson", "map history 7 hotel 1002", "map set 7 hotel 1002 55", "match stats", "match learn"],
    "dict": ["dict find x", "dict find x --format ndjson", "dict duplicates", "dict duplicates --format ndjson", "dict merge hotel 55 56", "match",
             "match --dry-run", "match new", "check", "export --type dict", "map set 7 hotel 1002 55"],
    "dict_event": ["dict history", "dict history --format ndjson", "dict name city 331 de Stadt"],
    "redirect": ["dict split hotel 55", "dict merge hotel 55 56", "export"],
    "suggestion": ["match queue", "match queue --format ndjson", "match accept 7 hotel 1002"],
    "not_same": ["match reject 7 hotel 1002 55", "match"],
    "scorecard": ["match weights", "match weights list", "match weights list --format ndjson", "match weights reset", "match", "match explain 7 hotel 1002"],
    "air_report": ["air unmatched", "air unmatched --format ndjson"],
    "air_map": ["air list", "air list --format ndjson", "air map skyone x 2", "air unmap skyone 77"],
    "air_place": ["air map skyone x 2", "export"],
    "clock": ["status", "changes --since 2026-01-01", "coverage"],
}


def test_a_store_that_fails_is_a_failure_of_the_command(run, import_file, mini, tmp_path):
    data = tmp_path / "data"
    import_file(data, mini)
    db = sqlite3.connect(data / "dragoman.db", isolation_level=None)
    passed = []
    for table, commands in NEEDS.items():
        db.execute(f"ALTER TABLE {table} RENAME TO gone")
        for words in commands:
            done = run(*words.split(), "--data", data)
            if done.returncode != 1 or "answered with an unexpected error" not in done.stderr:
                passed.append((table, words, done.returncode, done.stderr[-200:]))
        db.execute(f"ALTER TABLE gone RENAME TO {table}")
    assert not passed


def test_a_damaged_clock_is_said(run, import_file, mini, tmp_path):
    data = tmp_path / "data"
    import_file(data, mini)
    with contextlib.closing(sqlite3.connect(data / "dragoman.db", isolation_level=None)) as db:
        db.execute("UPDATE clock SET epoch = ''")
    done = run("supplier", "add", "newcomer", "--data", data)
    assert done.returncode == 1 and "the clock of the store is damaged" in done.stderr
