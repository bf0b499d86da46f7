"""Three nodes and one PostgreSQL under writers: what each node shows is what the database has, whatever happens between."""
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import time

import psycopg2
import pytest

import api_conftest
import campaign
import parts
import registration
from campaign import IN_EARNEST, SECONDS, Campaign, p99
from client import PATIENCE

pytestmark = pytest.mark.skipif(not os.path.exists("/usr/lib/postgresql"), reason="there is no PostgreSQL (tools/install-deps test)")

NODES = 3
OPTIONS = ("--lock-timeout", "60", "--public-url", "http://travel.example.com")
#: Milliseconds from a commit to its being shown, 99 of 100.
WITH_NOTIFY, BY_LOOKING = 50, 300
AWAY = float(os.environ.get("DRG_CLUSTER_AWAY", "3"))
LONG_TRANSACTION = min(60, SECONDS)


@pytest.fixture
def primary():
    with parts.Postgres(durable=IN_EARNEST, settings=parts.REPLICATED) as made:
        made.psql("postgres", "CREATE DATABASE dragoman")
        yield made


@pytest.fixture
def start_nodes(run, processes, mini, new_store_keys, tmp_path):
    """start_nodes(store URL): three servers; no end but ours, and a clean one, is part of every test."""
    started = []

    def start(store, *options):
        keys = new_store_keys(store, mini)
        for n in range(NODES):
            data = tmp_path / f"node{n}"
            data.mkdir()
            process = processes("--store", store, *(options or OPTIONS), data=data)
            started.append(process)
        return [api_conftest.Server(process, None, keys) for process in started]

    yield start
    for process in started:
        assert process.popen.poll() is None, f"a node has ended: {process.stderr()}"
        process.popen.terminate()
        assert process.popen.wait(PATIENCE) == 0, process.stderr()


@pytest.fixture
def new_store_keys(run, tmp_path):
    def made(store, records):
        folder = tmp_path / "commands"
        folder.mkdir()
        outputs = []
        for args in (("import", records), ("key", "create", "--api", "a", "--json"), ("key", "create", "--api", "b", "--secret", "--json")):
            done = run(*args, "--data", folder, "--store", store)
            assert done.returncode == 0, done.stderr
            outputs.append(done.stdout)
        return {"a": json.loads(outputs[1]), "b": json.loads(outputs[2])}
    return made


def bounded(ms, bound):
    assert ms, "no commit was seen"
    if IN_EARNEST:
        assert p99(ms) <= bound, f"p99 {p99(ms):.1f} ms, bound {bound} ms"


def test_nodes_show_what_the_database_has(primary, start_nodes):
    store = primary.url("dragoman")
    with Campaign(store, start_nodes(store)) as c:
        c.run(SECONDS, SECONDS / 4, c.compare)
    c.compare()
    ms = c.latencies()
    c.report("16 writers", ms)
    assert not c.ids.refusals
    primary.psql("dragoman", "UPDATE dragoman.source SET name = 'another' WHERE adapter_id = 7 AND id = 'AI'")
    with pytest.raises(AssertionError, match="1 of [0-9]+ differ"):
        c.compare()  # so it would have been seen
    bounded(ms, WITH_NOTIFY)


def test_a_node_and_the_primary_are_killed_and_nothing_acknowledged_is_lost(primary, new_store_keys, dragoman, mini, tmp_path):
    """With a synchronous standby, and HAProxy before the nodes."""
    with contextlib.ExitStack() as stack:
        standby = parts.standby_of(primary)
        stack.callback(standby.__exit__)
        standby.start()
        parts.insist_on(primary)
        store = f"postgresql://{primary.user}@127.0.0.1:{primary.port},127.0.0.1:{standby.port}/dragoman"
        keys, nodes, port = new_store_keys(store, mini), [], parts.free_port()
        for n in range(NODES):
            data = tmp_path / f"node{n}"
            nodes.append(parts.Node(f"node{n}", dragoman, store, data, 0, (*OPTIONS, "--trusted-proxy", "127.0.0.1", "--snapshot", data / "snapshot")))
            stack.callback(nodes[n].start().stop)
        for node in nodes:
            node.wait_ready()
        proxy = parts.HAProxy(tmp_path / "haproxy", parts.haproxy_for(port, nodes)).start()
        stack.callback(proxy.stop)
        parts.wait_for(lambda: (parts.get(port, "/readyz") or (0,))[0] == 200, PATIENCE, proxy.said)
        with Campaign(store, [campaign.Front(node.port, keys) for node in nodes], campaign.Front(port, keys)) as c:
            c.run(SECONDS / 4)
            nodes[1].stop(signal.SIGKILL)
            c.run(SECONDS / 4)
            nodes[1].start().wait_ready()
            c.run(SECONDS / 4)
            primary.stop(signal.SIGKILL)
            parts.promote(standby)
            known = len(c.ids.acknowledged)
            parts.wait_for(lambda: len(c.ids.acknowledged) > known + campaign.WRITERS, PATIENCE, "somebody writes")
            c.run(SECONDS / 4)
        lost = c.lost(c.compare())
        c.report("a node and the primary killed, synchronous standby, HAProxy")
        assert not lost, f"{len(lost)} acknowledged writes are lost"


# ---- what may be wrong between the nodes and their database --------------------------------------------------------

LISTENERS = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name LIKE '% (looks)'"


def test_nobody_misses_anything_when_listening_is_ended_again_and_again(primary, start_nodes):
    store, ended = primary.url("dragoman"), []
    with Campaign(store, start_nodes(store)) as c:
        c.run(SECONDS, min(5, SECONDS / 5), lambda: ended.append(parts.wait_for(
            lambda: int(primary.psql("postgres", LISTENERS)), PATIENCE, "somebody listens")))
    c.compare()
    ms = c.latencies()
    c.report(f"LISTEN ended {sum(ended)} times", ms)
    assert sum(ended) >= NODES and not c.ids.refusals
    bounded(ms, BY_LOOKING)


@pytest.mark.skipif(not os.path.exists(parts.Pooler.program), reason="there is no pgbouncer")
def test_by_looking_alone_through_a_pooler_of_transactions(primary, start_nodes):
    pooler = parts.Pooler(primary.dir / "pooler", primary).start()
    try:
        parts.wait_for(lambda: parts.answers(pooler.port), PATIENCE, pooler.said)
        store = f"postgresql://{primary.user}@127.0.0.1:{pooler.port}/dragoman"
        servers = start_nodes(store)
        with Campaign(primary.url("dragoman"), servers) as c:
            c.run(SECONDS, SECONDS / 4, c.compare)
        assert primary.psql("postgres", "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE '% (looks)'") == "0"
        c.compare()
        ms = c.latencies()
        c.report("PgBouncer, transaction mode, by looking alone", ms)
        assert not c.ids.refusals
        bounded(ms, BY_LOOKING)
    finally:
        pooler.stop()


def test_a_long_transaction_elsewhere_holds_nobody_up(primary, start_nodes):
    """Of another database of the same server; what goes by transaction ids would wait for it."""
    primary.psql("postgres", "CREATE DATABASE other")
    store = primary.url("dragoman")
    with contextlib.closing(psycopg2.connect(primary.url("other"))) as other, Campaign(store, start_nodes(store)) as c:
        c.run(SECONDS / 4)
        other.cursor().execute("CREATE TABLE held (id int); INSERT INTO held SELECT generate_series(1, 1000)")
        held_from = c.last()
        c.run(LONG_TRANSACTION, LONG_TRANSACTION / 4, c.compare)
        held_to = c.last()
        other.commit()
        c.run(SECONDS / 4)
    c.compare()
    ms, held = c.latencies(), c.latencies(held_from, held_to)
    c.report(f"a transaction of {LONG_TRANSACTION:.0f} s in another database: p99 while it is open {p99(held):.1f} ms;", ms)
    assert not c.ids.refusals
    bounded(held, WITH_NOTIFY)


# ---- a database that is set back ---------------------------------------------------------------------------------

def test_after_a_dump_and_a_restore(primary, start_nodes, tmp_path):
    """Into a new cluster at the same address. Renamed when it is whole, so that no node meets half of it."""
    store, dump = primary.url("dragoman"), primary.dir / "dump"
    with Campaign(store, start_nodes(store)) as c:
        c.run(SECONDS / 3)
        primary.run("pg_dump", "-Fc", "-f", dump, store)
        c.run(SECONDS / 3)
        primary.stop()
        with parts.Postgres(durable=IN_EARNEST, settings=parts.REPLICATED, port=primary.port, anew=True) as fresh:
            fresh.psql("postgres", "CREATE DATABASE restoring")
            fresh.run("pg_restore", "-d", fresh.url("restoring"), dump)
            fresh.psql("postgres", "ALTER DATABASE restoring RENAME TO dragoman")
            back_in_time(c, "pg_dump and pg_restore")


def test_after_a_recovery_to_a_point_of_the_past(primary, start_nodes):
    archive = primary.dir / "archive"
    archive.mkdir()
    parts.own(archive)
    primary.psql("postgres", f"ALTER SYSTEM SET archive_command = 'test ! -f {archive}/%f && cp %p {archive}/%f'")
    primary.psql("postgres", "ALTER SYSTEM SET archive_mode = on")
    primary.stop()
    primary.start()
    store = primary.url("dragoman")
    past = parts.Postgres(durable=IN_EARNEST, port=primary.port, settings={
        **parts.REPLICATED, "restore_command": f"cp {archive}/%f %p", "recovery_target_name": "past", "recovery_target_action": "promote"})
    try:
        with Campaign(store, start_nodes(store)) as c:
            primary.run("pg_basebackup", "-D", past.data, "-c", "fast", "-d", f"host=127.0.0.1 port={primary.port} user={primary.user}")
            c.run(SECONDS / 3)
            primary.psql("postgres", "SELECT pg_create_restore_point('past')")
            c.run(SECONDS / 3)
            primary.stop()
            (past.data / "recovery.signal").touch()
            past.start()
            parts.wait_for(lambda: past.psql("postgres", "SELECT pg_is_in_recovery()") == "f", PATIENCE, "the recovery has ended")
            back_in_time(c, "point-in-time recovery to the past")
    finally:
        past.__exit__()


def test_after_a_failover_to_a_standby_that_missed_commits(primary, start_nodes):
    standby = parts.standby_of(primary)
    try:
        standby.start()
        parts.wait_for(lambda: parts.is_streaming(primary), PATIENCE, "the standby streams")
        store = f"postgresql://{primary.user}@127.0.0.1:{primary.port},127.0.0.1:{standby.port}/dragoman"
        with Campaign(store, start_nodes(store)) as c:
            c.run(SECONDS / 3)
            standby.psql("postgres", "ALTER SYSTEM SET primary_conninfo = ''")
            standby.psql("postgres", "SELECT pg_reload_conf()")
            c.run(SECONDS / 3)
            primary.stop(signal.SIGQUIT)
            parts.promote(standby)
            back_in_time(c, "failover to a standby that missed commits")
    finally:
        standby.__exit__()


def back_in_time(c, name):
    """The rest of a campaign whose database was set back: everybody follows, and writes go on."""
    known = set(c.ids.acknowledged)
    parts.wait_for(lambda: len(c.ids.acknowledged) > len(known) + campaign.WRITERS, PATIENCE, "somebody writes")
    c.compare()
    c.run(SECONDS / 3)
    c.stop()
    stored = c.compare()
    gone = c.lost(stored)
    assert gone, "nothing was lost: the database was not set back"
    assert gone <= known, "only what was acknowledged before"
    c.report(f"{name} ({len(gone)} commits of before are gone)")


# ---- no database at all ------------------------------------------------------------------------------------------

def wrk(server, seconds):
    return subprocess.Popen(["wrk", "-t1", "-c2", f"-d{seconds:.0f}s", "-H", f"X-Service-Api-Key: {server.key_b}",
                             f"{server.url}/v1/tour/hotelCheck?hotel=55"], stdout=subprocess.PIPE, text=True)


def wrk_of(process):
    """(requests, what went wrong)."""
    out = process.communicate()[0]
    return int(re.search(r"(\d+) requests in", out).group(1)), re.findall(r"Non-2xx.*|Socket errors.*", out)


@pytest.mark.skipif(IN_EARNEST and shutil.which("wrk") is None, reason="there is no wrk (tools/install-deps bench)")
def test_reads_go_on_without_a_database(primary, start_nodes):
    store = primary.url("dragoman")
    servers = start_nodes(store)
    with Campaign(store, servers) as c:
        c.run(2)
        load = [wrk(server, AWAY + 2) for server in servers if IN_EARNEST]
        primary.stop(signal.SIGQUIT)
        left = time.monotonic() + AWAY
        parts.wait_for(lambda: all(parts.get(s.port, "/readyz/write")[0] == 503 for s in servers), PATIENCE, "writes are refused")
        if IN_EARNEST:
            c.pass_time(max(left - time.monotonic(), 0))
        for server in servers:
            parts.wait_for(lambda server=server: lag(server) >= AWAY * 0.5, PATIENCE, "it knows how far it is behind")
            answer = registration.source_add(server, meal=[registration.element("meal")])
            assert answer.status == 503 and int(answer.headers["Retry-After"]) > 0
        primary.start()
        back = caught_up(c, servers)
        done = [wrk_of(process) for process in load]
        c.run(2)
    stored = c.compare()
    assert not c.lost(stored), "what was acknowledged before the crash"
    c.report(f"no database for {AWAY:.0f} s; wrk {sum(n for n, _ in done):,} requests; caught up {back:.1f} s after its return")
    assert all(n > 0 and not faults for n, faults in done), done
    assert not IN_EARNEST or back <= 10


def lag(server):
    status, _, body = parts.get(server.port, "/readyz")
    assert status == 200
    return json.loads(body)["lag_seconds"]


def caught_up(c, servers):
    """Seconds until each node shows a commit that was made when the database was back, and takes writes."""
    began, made = time.monotonic(), c.ids.new("d")
    direct = campaign.Direct(c.url, c.kinds)
    with direct.transaction() as (cursor, seq):
        direct.insert(cursor, seq, *made)
    direct.close()
    kind, id = made

    def shown():
        return all(registration.is_registered(s, kind, id) and parts.get(s.port, "/readyz/write")[0] == 200 for s in servers)
    parts.wait_for(shown, PATIENCE, "every node has caught up")
    return time.monotonic() - began
