"""dragoman migrate: a store moves from SQLite to PostgreSQL and back, and nobody can tell. With a server of its own
(tests/pg_cluster)."""
import contextlib
import json
import os
import re
import signal
import sqlite3
import subprocess

import pytest

import air
import client
import faults
from conftest import command, synth
from test_postgres import (add, cluster, data, database, pg_cluster, refused, serve_store,  # pylint: disable=unused-import
                           store)

pytestmark = [pytest.mark.skipif(not pg_cluster.pathlib.Path("/usr/lib/postgresql").exists(), reason="there is no PostgreSQL"),
              pytest.mark.xdist_group("postgres")]
HEADER = "X-Data-Version"
LONG = "DRG_KILLS" in os.environ
#: So many writes and messages are far fewer than what is filled in.
STEP = 10
#: The day when a key was used last.
USED = re.compile(r" \d{4}-\d\d-\d\d ")
STATEMENTS = [("export",), ("status", "--json"), ("map", "history"), ("batch", "list"), ("batch", "show", "1"), ("key", "list"),
              ("air", "unmatched"), ("supplier", "list"), ("coverage",)]


def sqlite_store(folder):
    return f"sqlite:{folder}/dragoman.db"


def migrate(run, source, target):
    done = run("migrate", "--from", source, "--to", target)
    assert done.returncode == 0, done.stderr
    assert "row by row, and sound" in done.stdout
    return done


def told(run, folder, store):
    """What the commands tell of a store; not the time that it took, nor the store's size and name."""
    out = {}
    for args in STATEMENTS:
        done = run(*args, "--data", folder, "--store", store)
        assert done.returncode == 0, (args, done.stderr)
        out[args] = [line for line in done.stdout.splitlines() if "bytes" not in line]
    return out


def report_unmatched(server):
    for title in ("Nowhere at all", "Another nowhere", "Nowhere at all"):
        assert air.compared(server, title=title).status == 200


@pytest.fixture
def lived_in(run, mini, tmp_path, serve_store):
    """A store in SQLite with a past: mappings, a merge, batches one of which was taken back, registrations, kept answers."""
    folder = tmp_path / "old"
    server = serve_store(sqlite_store(folder), folder, mini)

    def did(*args):
        done = run(*args, "--data", folder)
        assert done.returncode == 0, done.stderr

    did("map", "clear", "7", "hotel", "1001", "--why", "a test")
    did("map", "set", "7", "hotel", "1001", "55", "--by", "olena")
    did("dict", "merge", "hotel", "57", "55")
    more = tmp_path / "more.ndjson"
    more.write_text('{"type":"dict","kind":"meal","id":91,"name":"gone again"}\n', "utf-8")
    did("import", more)
    did("batch", "undo", "5")
    report_unmatched(server)
    for n in range(30):
        answer = add(server, f"A{n}", **{"Idempotency-Key": f"k-{n}"})
        assert answer.status == 200
    return server


def feed(server, since="", limit=7):
    """Pages of the change feed from a cursor on: the items, and the cursor of each page."""
    items, cursors = [], []
    while True:
        answer = server.b(f"changes?limit={limit}" + (f"&since={since}" if since else ""))
        assert answer.status == 200, answer
        page = answer.data()
        items += page["items"]
        since = page["cursor"]
        cursors.append((since, len(items)))
        if not page["more"]:
            return items, cursors


def version(server):
    return server.b("tour/reference").headers[HEADER]


def test_a_store_moves_there_and_back_and_nobody_can_tell(run, cluster, database, store, clock, lived_in, tmp_path, serve_store):
    old = lived_in
    items, cursors = feed(old)
    assert len(cursors) > 5, "places in the middle of commits too"
    assert client.wait_until(lambda: "Nowhere" in run("air", "unmatched", "--data", old.data).stdout)
    was, reference = version(old), old.b("tour/reference").body
    client.eventually(lambda: clock.advance(10) or USED.search(run("key", "list", "--data", old.data).stdout))  # uses are written
    with contextlib.closing(sqlite3.connect(old.data / "dragoman.db")) as db:  # once all that came in is matched
        client.eventually(lambda: clock.advance(1) or db.execute("SELECT 1 FROM matching, clock WHERE matching.seq = clock.seq").fetchone())
        matched = "|".join(map(str, db.execute("SELECT seq, type, row FROM matching").fetchone()))
    before = told(run, old.data, sqlite_store(old.data))
    migrate(run, sqlite_store(old.data), store)
    assert cluster.psql(database, 'SELECT seq, type, "row" FROM dragoman.matching') == matched != "-1|0|0"  # what is new is matched there (M36)
    (tmp_path / "new").mkdir()
    assert told(run, tmp_path / "new", store) == before
    new = serve_store(store, tmp_path / "new", None, keys=old.keys)
    assert (version(new), new.b("tour/reference").body) == (was, reference)
    for cursor, seen in cursors:
        assert feed(new, cursor)[0] == items[seen:], "a client goes on where it was"
    again = add(new, "A3", **{"Idempotency-Key": "k-3"})
    assert (again.status, again.headers.get("Idempotent-Replayed")) == (200, "true")
    # What is written next is the next thing that a client hears.
    assert add(new, "later").status == 200
    assert [item["id"] for item in feed(new, cursors[-1][0])[0]] == ["later"]
    # Undoing needs what was kept for it.
    for args in (("batch", "undo", "1"), ("batch", "undo", "7"), ("dict", "split", "hotel", "57"), ("map", "undo", "7", "hotel", "1001")):
        done = run(*args, "--data", tmp_path / "new", "--store", store)
        assert done.returncode == 0, (args, done.stderr)
    back = sqlite_store(tmp_path / "back")
    (tmp_path / "back").mkdir()
    now = told(run, tmp_path / "new", store)
    migrate(run, store, back)
    assert told(run, tmp_path / "back", back) == now
    third = serve_store(back, tmp_path / "back", None, keys=old.keys)
    assert feed(third, cursors[-1][0])[0], "the first cursor of all goes on here too"
    assert add(third, "last").status == 200


def test_a_cursor_of_what_the_old_store_took_in_later_is_over(run, store, lived_in, tmp_path, serve_store):
    """Decision F7: both stores go on; none is taken for the other."""
    old = lived_in
    migrate(run, sqlite_store(old.data), store)
    new = serve_store(store, tmp_path / "new", None, keys=old.keys)
    assert add(old, "only here").status == 200
    cursor = feed(old)[1][-1][0]
    assert add(new, "only there").status == 200
    client.assert_error(new.b(f"changes?since={cursor}"), 410, reason="restored")


@pytest.fixture(scope="module")
def large(run, import_file, tmp_path_factory):
    """Some thousand records; in the long form the demo data where they were built, and 100,000."""
    folder = tmp_path_factory.mktemp("large")
    synthetic = folder / "synthetic.ndjson"
    reference = pg_cluster.pathlib.Path(__file__).resolve().parents[2] / "build" / "data" / "reference.ndjson"
    base = ("--base", reference) if LONG and reference.exists() else ()
    synthetic.write_bytes(synth("--hotels", 25000 if LONG else 1000, "--adapters", 12, *base))
    for path in ((reference, synthetic) if base else (synthetic,)):
        import_file(folder / "data", path)
    return folder / "data"


def incomplete(cluster, database, target):
    """Is a filling of it under way?"""
    if target.startswith("postgresql:"):
        return cluster.psql(database, "SELECT to_regclass('dragoman.incomplete') IS NOT NULL") == "t"
    path = target.partition(":")[2]
    if not os.path.exists(path):
        return False
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=0) as db:
            return db.execute("PRAGMA application_id").fetchone()[0] == 0x64726730
    except sqlite3.OperationalError:
        return False


@pytest.fixture
def begun(cluster, database, own_faults):
    """begun(source, target): a migrate that stands still in the middle."""
    @contextlib.contextmanager
    def begun(source, target):
        def go_on():
            own_faults.stop(STEP, "write,send")

        go_on()
        process = subprocess.Popen(command("migrate", "--from", source, "--to", target), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env={**os.environ, **own_faults.environment})
        try:
            while faults.stands_still(process) and not incomplete(cluster, database, target):
                go_on()
                process.send_signal(signal.SIGCONT)
            assert process.poll() is None, process.communicate()
            yield process
        finally:
            process.kill()
            process.communicate()
    return begun


def goes_on(process):
    process.send_signal(signal.SIGCONT)
    said = process.communicate(timeout=client.PATIENCE)
    assert process.returncode == 0, said


@pytest.fixture(scope="module")
def large_moved(run, cluster, large):
    """A database that has them too, to be copied."""
    cluster.psql("postgres", "CREATE DATABASE large_moved")
    migrate(run, sqlite_store(large), cluster.url("large_moved"))
    return "large_moved"


@pytest.fixture
def moved(cluster, database, large_moved):
    """The store of a database of its own that has them."""
    cluster.psql("postgres", f'DROP DATABASE "{database}"')
    cluster.psql("postgres", f'CREATE DATABASE "{database}" TEMPLATE {large_moved}')
    return cluster.url(database)


def test_large_data_move_there_and_back(run, cluster, store, large, tmp_path):
    migrate(run, sqlite_store(large), store)
    migrate(run, store, sqlite_store(tmp_path))
    exports = [run("export", "--data", large, "--store", url).stdout for url in (sqlite_store(large), store, sqlite_store(tmp_path))]
    assert exports[0].count("\n") > (100_000 if LONG else 4_000) and exports[1] == exports[0] == exports[2]


def test_nobody_writes_to_the_source_meanwhile_and_all_read(run, begun, store, large):
    with begun(sqlite_store(large), store) as process:
        for args in (("key", "create", "--api", "a"), ("map", "clear", "1", "hotel", "1")):
            refused(run(*args, "--data", large, "--lock-timeout", "1"), "holds the lock", "migrate")
        refused(run("import", large.parent / "synthetic.ndjson", "--data", large, "--lock-timeout", "1"), "migrate")
        assert run("status", "--data", large).returncode == 0
        goes_on(process)
    assert run("key", "create", "--api", "a", "--data", large).returncode == 0


def test_nobody_writes_to_a_source_in_postgresql_meanwhile(run, begun, moved, large, tmp_path):
    with begun(moved, sqlite_store(tmp_path)) as process:
        refused(run("key", "create", "--api", "a", "--data", large, "--store", moved, "--lock-timeout", "1"), "is held by")
        assert run("status", "--data", large, "--store", moved).returncode == 0
        goes_on(process)


def test_a_source_whose_lock_was_lost_is_not_taken_for_whole(run, cluster, begun, database, moved, tmp_path):
    with begun(moved, sqlite_store(tmp_path)) as process:
        cluster.psql(database, "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE mode = 'ExclusiveLock' AND relation = 'dragoman.branch'::regclass AND granted"
                               f" AND database = (SELECT oid FROM pg_database WHERE datname = '{database}')")
        process.send_signal(signal.SIGCONT)
        said = process.communicate(timeout=client.PATIENCE)
    assert process.returncode == 1 and said[1].count(b"\n") == 1, said
    refused(run("status", "--data", tmp_path, "--store", sqlite_store(tmp_path)), "is incomplete")


@pytest.mark.parametrize("engine", ["postgresql", "sqlite"])
def test_a_migrate_that_was_killed_leaves_what_says_so_and_begins_anew(run, begun, store, large, tmp_path, mini, engine):
    source, target = sqlite_store(large), store if engine == "postgresql" else sqlite_store(tmp_path)
    before = run("export", "--data", large).stdout
    with begun(source, target):
        pass
    for args in (("serve", "--listen", "127.0.0.1:0"), ("import", mini), ("status",), ("export",), ("key", "create", "--api", "a")):
        refused(run(*args, "--data", tmp_path, "--store", target), "is incomplete", "run it again")
    migrate(run, source, target)
    assert run("export", "--data", tmp_path, "--store", target).stdout == before == run("export", "--data", large).stdout


def dumped(cluster, database):
    text = cluster.run("pg_dump", "-h", cluster.dir, "-p", cluster.port, "-U", cluster.user, "-d", database)
    return [line for line in text.splitlines() if not line.startswith(("\\restrict", "\\unrestrict"))]


def test_a_target_that_is_not_empty_is_left_alone(run, cluster, database, store, data, lived_in, large, mini, tmp_path):
    assert run("import", mini, "--data", data, "--store", store).returncode == 0
    before = dumped(cluster, database)
    refused(run("migrate", "--from", sqlite_store(large), "--to", store), "not empty")
    assert dumped(cluster, database) == before
    refused(run("migrate", "--from", store, "--to", sqlite_store(large)), "not empty")
    refused(run("migrate", "--from", store, "--to", store), "the target is the source")
    refused(run("migrate", "--from", f"sqlite:{tmp_path}/none.db", "--to", f"sqlite:{tmp_path}/new.db"), "there is no store")
    assert not (tmp_path / "new.db").exists()
    refused(run("migrate", "--from", sqlite_store(large), "--to", "postgresql://u:Very-Secret-Word@127.0.0.1/x"), "has a password")
    done = run("migrate", "--from", store)
    assert done.returncode == 2 and "--to" in done.stderr


def test_a_server_on_the_empty_store_shows_what_came(run, store, large, tmp_path, serve_store):
    key = json.loads(run("key", "create", "--api", "a", "--json", "--data", large).stdout)["key"]
    server = serve_store(store, tmp_path / "served", None, keys={"a": {"key": key}, "b": {"key": "", "secret": ""}})
    assert server.a("tour/main-references").status == 403
    migrate(run, sqlite_store(large), store)
    assert client.wait_until(lambda: server.a("tour/main-references").status == 200), server.process.stderr()
