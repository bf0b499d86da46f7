"""The store in PostgreSQL: TLS, versions of the program, a full disk, servers that cannot be written to, and what others do in the
same cluster. With servers of its own (tests/pg_cluster)."""
import contextlib
import os
import pathlib
import signal
import subprocess
import threading

import psycopg2
import pytest

import client
import description
import parts
from test_postgres import (add, cluster, commands, data, database, knows, pg_cluster,  # pylint: disable=unused-import
                           pooler, refused, serve_store, store)

pytestmark = [pytest.mark.skipif(not pathlib.Path("/usr/lib/postgresql").exists(), reason="there is no PostgreSQL"),
              pytest.mark.xdist_group("postgres")]
#: How often something is done while something else is wrong.
ROUNDS = 100 if "DRG_KILLS" in os.environ else 4


def dumped(cluster, database):
    text = cluster.run("pg_dump", "-h", cluster.dir, "-p", cluster.port, "-U", cluster.user, "-d", database)
    return [line for line in text.splitlines() if not line.startswith(("\\restrict", "\\unrestrict"))]


# ---- TLS --------------------------------------------------------------------------------------------------------

def openssl(*args):
    subprocess.run(["openssl", *map(str, args)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def make_ca(place, name):
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}", "-keyout", place / f"{name}.key",
            "-out", place / f"{name}.pem")
    return place / f"{name}.pem"


@pytest.fixture(scope="module")
def with_tls(tmp_path_factory):
    """A cluster that speaks TLS and nothing else, and the CA that signed for `localhost`."""
    place = tmp_path_factory.mktemp("tls")
    ca = make_ca(place, "ca")
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout", place / "server.key", "-out", place / "server.csr")
    (place / "names").write_text("subjectAltName=DNS:localhost\n")
    openssl("x509", "-req", "-in", place / "server.csr", "-CA", ca, "-CAkey", place / "ca.key", "-CAcreateserial", "-days", "2",
            "-extfile", place / "names", "-out", place / "server.pem")
    with pg_cluster.Cluster() as made:
        for name in ("server.key", "server.pem"):
            (made.data / name).write_bytes((place / name).read_bytes())
            (made.data / name).chmod(0o600)
            if made.as_postgres:
                pg_cluster.shutil.chown(made.data / name, "postgres", "postgres")
        (made.data / "pg_hba.conf").write_text("local all all trust\nhostssl all all all trust\n")
        for setting in ("ssl_cert_file = 'server.pem'", "ssl_key_file = 'server.key'", "ssl = on"):
            made.psql("postgres", f"ALTER SYSTEM SET {setting}")
        made.psql("postgres", "SELECT pg_reload_conf()")
        yield made, ca


def test_tls_with_a_certificate_that_is_verified(with_tls, mini, tmp_path, serve_store):
    cluster, ca = with_tls
    store = cluster.url(host="localhost", more=f"?sslmode=verify-full&sslrootcert={ca}")
    server = serve_store(store, tmp_path / "one", mini)
    assert add(server, "safe").status == 200
    used = cluster.psql("postgres", "SELECT bool_and(s.ssl) FROM pg_stat_activity AS a JOIN pg_stat_ssl AS s USING (pid)"
                                    " WHERE a.application_name = 'dragoman'")
    assert used == "t"


def test_tls_that_cannot_be_verified_is_refused(with_tls, run, data, mini, tmp_path):
    cluster, ca = with_tls
    before = dumped(cluster, "postgres")
    other = make_ca(tmp_path, "other")
    for args in commands(mini):
        wrong = cluster.url(host="localhost", more=f"?sslmode=verify-full&sslrootcert={other}")
        refused(run(*args, "--data", data, "--store", wrong), "certificate verify failed")
        unnamed = cluster.url(host="127.0.0.1", more=f"?sslmode=verify-full&sslrootcert={ca}")
        refused(run(*args, "--data", data, "--store", unnamed), "127.0.0.1", "certificate")
        refused(run(*args, "--data", data, "--store", cluster.url(host="localhost", more="?sslmode=disable")), "no encryption")
    assert dumped(cluster, "postgres") == before


# ---- whose turn it is not ---------------------------------------------------------------------------------------

@contextlib.contextmanager
def standing_still(server):
    os.kill(server.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(server.pid, signal.SIGCONT)


def test_two_programs_of_different_versions_may_share_a_store_until_it_is_newer(cluster, run, database, store, data, mini, tmp_path,
                                                                               serve_store):
    """The older one answers from memory, stores nothing (decision D9) and refuses to open it anew; nothing is changed by it."""
    old = serve_store(store, tmp_path / "old", mini, options=("--match", "off"))
    assert add(old, "first").status == 200
    cluster.psql(database, "INSERT INTO dragoman.migration VALUES (9999, 'later', now())")
    assert add(old, "still").status == 503
    with standing_still(old):  # it notes uses of keys now and then
        before = dumped(cluster, database)
        for args in commands(mini):
            refused(run(*args, "--data", data, "--store", store), "newer dragoman", "9999", "use that version")
        assert dumped(cluster, database) == before
    cluster.psql(database, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'dragoman'"
                           f" AND datname = '{database}'")
    client.assert_error(add(old, "later"), 503, reason="not_stored")
    assert knows(old, "first"), "it serves what it has"
    client.eventually(lambda: "newer dragoman" in old.process.stderr())


def test_an_older_store_is_brought_up_to_date_by_its_owner_only(cluster, run, database, store, data, mini):
    assert run("import", mini, "--data", data, "--store", store).returncode == 0
    cluster.psql(database, "DELETE FROM dragoman.migration WHERE number >= 4")  # 0004 alters tables, which only their owner may
    before = dumped(cluster, database)
    for args in (("status",), ("export",), ("map", "clear", "7", "hotel", "1001")):
        refused(run(*args, "--data", data, "--store", store), "older dragoman", "serve or import")
    cluster.psql(database, "CREATE ROLE guest LOGIN; GRANT USAGE ON SCHEMA dragoman TO guest;"
                           " GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA dragoman TO guest")
    cluster.psql(database, "ALTER ROLE guest PASSWORD 'guest'")
    try:
        os.environ["PGPASSWORD"] = "guest"
        refused(run("import", mini, "--data", data, "--store", cluster.url(database, "guest")), "older dragoman", "as the owner of its schema", "rights")
    finally:
        del os.environ["PGPASSWORD"]
        cluster.psql(database, "DROP OWNED BY guest; DROP ROLE guest")
    assert dumped(cluster, database) == before


def test_a_role_that_may_only_read_stops_no_writer(cluster, run, database, store, data, mini):
    assert run("import", mini, "--data", data, "--store", store).returncode == 0
    cluster.psql(database, "CREATE ROLE looker LOGIN PASSWORD 'looker'; GRANT USAGE ON SCHEMA dragoman TO looker;"
                           " GRANT SELECT ON ALL TABLES IN SCHEMA dragoman TO looker")
    try:
        with contextlib.closing(psycopg2.connect(cluster.url(database, "looker"), password="looker")) as looker:
            cursor = looker.cursor()
            for table in ("branch", "clock", "migration"):
                for mode in ("ROW SHARE", "SHARE UPDATE EXCLUSIVE", "EXCLUSIVE", "ACCESS EXCLUSIVE"):
                    with pytest.raises(psycopg2.errors.InsufficientPrivilege):
                        cursor.execute(f"LOCK TABLE dragoman.{table} IN {mode} MODE")
                    looker.rollback()
                cursor.execute(f"SELECT FROM dragoman.{table}")  # its lock is kept until the transaction ends
            for number in range(1, 10):
                cursor.execute(f"SELECT pg_advisory_lock(1685219121, {number})")
            for args in (("map", "clear", "7", "hotel", "1001"), ("import", mini)):
                done = run(*args, "--data", data, "--store", store, "--lock-timeout", "1")
                assert done.returncode == 0, done.stderr
    finally:
        cluster.psql(database, "DROP OWNED BY looker; DROP ROLE looker")


def test_what_is_missing_in_the_database_is_said(cluster, run, database, store, data, mini):
    assert run("import", mini, "--data", data, "--store", store).returncode == 0
    cluster.psql(database, "ALTER TABLE dragoman.source RENAME TO elsewhere")
    done = run("import", mini, "--data", data, "--store", store)
    assert done.returncode != 0 and 'relation "dragoman.source" does not exist: restore the database from a backup' in done.stderr
    assert "run again" not in done.stderr
    cluster.psql(database, "ALTER TABLE dragoman.elsewhere RENAME TO source; DELETE FROM dragoman.clock")
    refused(run("status", "--data", data, "--store", store), "has lost the row of dragoman.clock", "backup")


def test_the_clock_is_read_by_its_index(cluster, run, database, store, data, mini):
    """After a long transaction its table has many dead rows, and each look of each node would read them all."""
    assert run("import", mini, "--data", data, "--store", store).returncode == 0
    cluster.psql(database, "ALTER TABLE dragoman.clock SET (autovacuum_enabled = off)")
    cluster.psql(database, "DO $$ BEGIN FOR i IN 1..5000 LOOP UPDATE dragoman.clock SET seq = seq; END LOOP; END $$")
    cluster.psql(database, "ANALYZE dragoman.clock; SELECT pg_stat_reset()")
    reads = "SELECT seq_scan, idx_scan > 0 FROM pg_stat_user_tables WHERE relname = 'clock'"
    assert run("status", "--data", data, "--store", store).returncode == 0
    client.eventually(lambda: cluster.psql(database, reads).endswith("|t"))
    assert cluster.psql(database, reads) == "0|t"


def test_a_wrong_host_user_and_database_are_one_line(cluster, run, data, mini):
    for args in commands(mini):
        refused(run(*args, "--data", data, "--store", cluster.url("no_such_database")), "no_such_database", "createdb")
        refused(run(*args, "--data", data, "--store", "postgresql://no-such-host.invalid/x"), "no-such-host.invalid")
        refused(run(*args, "--data", data, "--store", cluster.url(user="nobody_of_that_name")), "nobody_of_that_name")


def test_a_standby_alone_is_read_and_not_written_to(cluster, run, database, store, data, mini, tmp_path):
    assert run("import", mini, "--data", data, "--store", store).returncode == 0
    with parts.standby_of(cluster) as standby:
        only = standby.url(database)
        client.eventually(lambda: run("status", "--data", data, "--store", only).returncode == 0)
        before = dumped(cluster, database)
        for args in (("import", mini), ("key", "create", "--api", "a"), ("map", "clear", "7", "hotel", "1001"),
                     ("migrate", "--from", only, "--to", f"sqlite:{tmp_path}/x.db")):
            where = () if args[0] == "migrate" else ("--data", data, "--store", only)
            refused(run(*args, *where), "read-only")
        assert dumped(cluster, database) == before


def test_a_server_whose_primary_becomes_read_only_goes_on_reading(cluster, database, store, tmp_path, mini, serve_store, clock):
    server = serve_store(store, tmp_path / "one", mini)
    assert add(server, "before").status == 200
    cluster.psql("postgres", f"ALTER DATABASE {database} SET default_transaction_read_only = on")
    cluster.psql("postgres", f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'")
    answer = add(server, "meanwhile")
    client.assert_error(answer, 503, reason="not_stored")
    assert int(answer.headers["Retry-After"]) > 0 and knows(server, "before")
    cluster.psql("postgres", f"ALTER DATABASE {database} RESET default_transaction_read_only")
    client.eventually(lambda: clock.advance(1) or add(server, "after").status == 200)


@pytest.fixture
def small_disk(cluster):
    """A folder of 24 MB."""
    place = cluster.dir / "small"
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m,mode=777", "tmpfs", place], check=False,
                      stderr=subprocess.DEVNULL).returncode != 0:
        pytest.skip("this needs the right to mount")
    pg_cluster.shutil.chown(place, "postgres", "postgres")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


def test_a_full_disk_of_the_database_is_said_and_nothing_is_lost(cluster, run, data, mini, small_disk, tmp_path, serve_store, clock):
    cluster.psql("postgres", f"CREATE TABLESPACE small LOCATION '{small_disk}'")
    cluster.psql("postgres", "CREATE DATABASE on_small TABLESPACE small")
    try:
        store = cluster.url("on_small")
        server = serve_store(store, tmp_path / "one", mini)
        assert add(server, "before").status == 200
        (small_disk / "ballast").write_bytes(b"\0" * (os.statvfs(small_disk).f_bavail * os.statvfs(small_disk).f_frsize))
        large = tmp_path / "large.ndjson"
        with open(large, "w", encoding="utf-8") as out:
            for n in range(3000):
                out.write(f'{{"type":"source","adapter_id":7,"kind":"hotel","id":"L{n}","name":"Hotel of a long name, number {n}"}}\n')
        refused(run("import", large, "--data", data, "--store", store), "free some space on the database's disk")
        answers = (add(server, f"F{n}" + "x" * 50) for n in range(1000))
        full = next(answer for answer in answers if answer.status != 200)
        client.assert_error(full, 503, reason="not_stored")
        assert knows(server, "before")
        (small_disk / "ballast").unlink()
        client.eventually(lambda: clock.advance(1) or add(server, "after").status == 200)
        assert run("import", large, "--data", data, "--store", store).returncode == 0
        assert run("check", "--data", data, "--store", store).returncode == 0
    finally:
        cluster.psql("postgres", "DROP DATABASE on_small WITH (FORCE)")
        cluster.psql("postgres", "DROP TABLESPACE small")


def test_no_password_in_what_the_database_logs_of_us(cluster, run, database, data, mini, monkeypatch):
    """What a server of PostgreSQL shows of its clients has no password either."""
    cluster.psql("postgres", "CREATE ROLE known LOGIN SUPERUSER PASSWORD 'Very-Secret-Word'")
    monkeypatch.setenv("PGPASSWORD", "Very-Secret-Word")
    cluster.psql("postgres", "ALTER SYSTEM SET log_min_error_statement = 'log'")
    cluster.psql("postgres", "SELECT pg_reload_conf()")
    try:
        assert run("import", mini, "--data", data, "--store", cluster.url(database, "known")).returncode == 0
        monkeypatch.setenv("PGPASSWORD", "Very-Secret-Wordy")
        refused(run("status", "--data", data, "--store", cluster.url(database, "known")), "password authentication failed")
        assert "Very-Secret" not in (cluster.dir / "log").read_text("utf-8", "replace")
    finally:
        cluster.psql("postgres", "ALTER SYSTEM RESET log_min_error_statement")
        cluster.psql("postgres", "SELECT pg_reload_conf()")


# ---- what others do ---------------------------------------------------------------------------------------------

@contextlib.contextmanager
def open_transaction(cluster, database):
    """One that has written and neither commits nor ends."""
    command = [cluster.bin / "psql", "-X", "-q", "-A", "-t", "-h", cluster.dir, "-p", str(cluster.port), "-U", cluster.user, "-d", database]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as held:
        held.stdin.write("CREATE TABLE IF NOT EXISTS written (n int); BEGIN; INSERT INTO written VALUES (1); SELECT txid_current();\n")
        held.stdin.flush()
        assert int(held.stdout.readline()) > 0
        yield
        held.stdin.close()
        held.wait(client.PATIENCE)


def both_show(one, two, name):
    for n in range(ROUNDS):
        assert add(one, f"{name}{n}").status == 200
        client.eventually(lambda n=n: knows(two, f"{name}{n}"))


def test_a_long_transaction_elsewhere_in_the_cluster_delays_nobody(cluster, store, tmp_path, mini, serve_store):
    """The feed goes by the clock's row, not by transaction ids, so that the oldest open one means nothing to it: else what is written
    would be shown when that one has ended."""
    one = serve_store(store, tmp_path / "one", mini)
    two = serve_store(store, tmp_path / "two", None, keys=one.keys)
    cluster.psql("postgres", "DROP DATABASE IF EXISTS elsewhere")
    cluster.psql("postgres", "CREATE DATABASE elsewhere")
    with open_transaction(cluster, "elsewhere"):
        both_show(one, two, "A")
        both_show(two, one, "B")
        assert add(one, "at its end").status == 200
    cluster.psql("postgres", "DROP DATABASE elsewhere WITH (FORCE)")


def end_listening(cluster):
    """@return how many connections were ended."""
    return int(cluster.psql("postgres", "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name LIKE '% (looks)'"))


@pytest.mark.parametrize("through", ["directly", "pooler"])
def test_writes_by_two_servers_while_listening_is_ended_again_and_again(cluster, pooler, database, tmp_path, mini, serve_store, clock, through):
    port = cluster.port if through == "directly" else pooler
    store = f"postgresql://{cluster.user}@127.0.0.1:{port}/{database}"
    one = serve_store(store, tmp_path / "one", mini)
    two = serve_store(store, tmp_path / "two", None, keys=one.keys)
    written = []
    for _ in range(ROUNDS):
        if through == "directly":
            client.eventually(lambda: clock.advance(1) or end_listening(cluster) > 0)
        for server in (one, two, one):
            assert add(server, f"W{len(written)}").status == 200
            written.append(f"W{len(written)}")
    for server in (one, two):
        assert client.wait_until(lambda server=server: all(knows(server, id) for id in written)), "difference 0"


# ---- a standby that is followed, and another one that takes over -------------------------------------------------

def preferring(first, *others):
    """The URL of a server that reads from the first one, as long as that is a standby."""
    hosts = ",".join(f"127.0.0.1:{c.port}" for c in (first, *others))
    return f"postgresql://{first.user}@{hosts}/postgres?target_session_attrs=prefer-standby"


@contextlib.contextmanager
def replicated(n):
    with contextlib.ExitStack() as stack:
        primary = stack.enter_context(parts.Postgres(settings=parts.REPLICATED))
        yield primary, *(stack.enter_context(parts.standby_of(primary)) for _ in range(n))


@pytest.fixture
def standby():
    """(primary, standby)"""
    with replicated(1) as made:
        yield made


@pytest.fixture
def standbys():
    """(primary, two standbys)"""
    with replicated(2) as made:
        yield made


def has_row(cluster, id):
    return cluster.psql("postgres", f"SELECT count(*) FROM dragoman.source WHERE id = '{id}'") == "1"


def lose(primary, behind):
    """The primary is gone, and the one that was behind takes over."""
    primary.stop(signal.SIGQUIT)
    auto = behind.data / "postgresql.auto.conf"
    auto.write_text("\n".join(line for line in auto.read_text().splitlines() if not line.startswith("primary_conninfo")) + "\n")
    behind.start()
    behind.run("pg_ctl", "promote", "-D", behind.data, "-w")
    assert behind.psql("postgres", "SELECT pg_is_in_recovery()") == "f"


def write_what_is_lost(server, behind):
    """`kept` is everywhere; of `lost` one of the standbys hears nothing."""
    assert add(server, "kept").status == 200
    client.eventually(lambda: has_row(behind, "kept"))
    behind.stop()
    assert add(server, "lost").status == 200 and knows(server, "lost")


def test_who_reads_from_a_standby_notices_that_another_one_took_over(standbys, run, mini, tmp_path, serve_store, clock):
    """What only the standby that was followed had is gone from the server, too, when that standby follows the new primary."""
    primary, followed, behind = standbys
    server = serve_store(preferring(followed, primary, behind), tmp_path / "one", mini)
    write_what_is_lost(server, behind)
    followed.stop(signal.SIGQUIT)
    lose(primary, behind)
    # The one that was followed is made anew from who took over.
    pg_cluster.shutil.rmtree(followed.data)
    followed.run("pg_basebackup", "-D", followed.data, "-h", behind.dir, "-p", behind.port, "-U", behind.user, "-R", "-c", "fast")
    followed.start()
    done = run("key", "create", "--api", "a", "--data", tmp_path / "one", "--store", preferring(primary, followed, behind))
    assert done.returncode == 0, done.stderr
    assert client.wait_until(lambda: clock.advance(0.05) or knows(server, "kept") and not knows(server, "lost")), server.process.stderr()
    client.eventually(lambda: add(server, "next").status == 200)
    assert knows(server, "next")


def test_a_takeover_that_nobody_tells_is_noticed_without_a_write(standbys, mini, tmp_path, serve_store, clock):
    """The standby that is read goes on answering, of a history that is over; nobody writes."""
    primary, followed, behind = standbys
    server = serve_store(preferring(followed, primary, behind), tmp_path / "one", mini)
    write_what_is_lost(server, behind)
    lose(primary, behind)
    assert has_row(followed, "lost"), "it does not follow who took over"
    assert client.wait_until(lambda: clock.advance(0.05) or knows(server, "kept") and not knows(server, "lost")), server.process.stderr()
    client.eventually(lambda: add(server, "next").status == 200)
    assert knows(server, "next") and not knows(server, "lost")


def is_ready(server):
    return server.request("/readyz").status == 200


def test_a_server_starts_on_a_standby_that_has_not_heard_of_the_store(standby, mini, tmp_path, serve_store):
    """What there was at the start is there when it answers: the keys, too, which were made a moment before."""
    primary, late = standby
    late.psql("postgres", "SELECT pg_wal_replay_pause()")
    server = serve_store(preferring(late, primary), tmp_path / "one", mini, wait=False)
    asks = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'dragoman'"
    client.eventually(lambda: late.psql("postgres", asks) != "0" or is_ready(server))
    late.psql("postgres", "SELECT pg_wal_replay_resume()")
    client.eventually(lambda: is_ready(server))
    assert add(server, "first").status == 200 and knows(server, "first")


def room_count(server):
    return description.describe(server, 7, 1001).data()["orig_hotel"]["room_count"]


def test_a_standby_that_stands_still_is_left(standby, run, mini, tmp_path, serve_store, clock):
    """By the catalog, and by those who read what it does not keep."""
    primary, still = standby
    server = serve_store(preferring(still, primary), tmp_path / "one", mini)
    assert room_count(server) == 420
    still.psql("postgres", "SELECT pg_wal_replay_pause()")
    changed = tmp_path / "changed.ndjson"
    changed.write_text('{"type":"hotel_content","adapter_id":7,"hotel_id":"1001","room_count":7}\n', "utf-8")
    done = run("import", changed, "--data", tmp_path / "one", "--store", preferring(still, primary))
    assert done.returncode == 0, done.stderr
    answer = add(server, "written")
    assert answer.status == 200, "the write waits no longer than until the standby is left"
    assert knows(server, "written") and room_count(server) == 7
    assert "does not follow the store" in server.process.stderr()
    still.psql("postgres", "SELECT pg_wal_replay_resume()")
    client.eventually(lambda: clock.advance(31) or "is read again" in server.process.stderr())
    assert add(server, "again").status == 200 and knows(server, "again") and room_count(server) == 7
