"""Failovers of a Patroni cluster in synchronous mode, under writers: what was acknowledged is there, and reads notice nothing."""
import os
import signal
import statistics
import time

import pytest

import campaign
import parts
import patroni
from campaign import Campaign
from test_campaign import new_store_keys, start_nodes  # noqa: F401 (fixtures)

FAILOVERS = int(os.environ.get("DRG_CLUSTER_FAILOVERS", "0"))

pytestmark = [pytest.mark.skipif(FAILOVERS == 0, reason="DRG_CLUSTER_FAILOVERS is 0; make long tries more"),
              pytest.mark.skipif(bool(patroni.missing()), reason=f"there is no {', '.join(patroni.missing())} (tools/install-deps patroni)")]


def write_again(c, began, seconds=120):
    """Seconds from then until a write is acknowledged that was made later."""
    known = len(c.ids.acknowledged)
    parts.wait_for(lambda: len(c.ids.acknowledged) > known, seconds, "a write is acknowledged")
    return time.monotonic() - began


def fail_over(cluster, c, number):
    """In turns the server of PostgreSQL and the whole member are lost. @return seconds without a write."""
    lost = cluster.primary()
    if number % 2 == 0:
        lost.crash_postgres()
    else:
        lost.crash()
    began = time.monotonic()
    parts.wait_for(lambda: any(m.is_primary() for m in cluster.members if m is not lost), 120, "another member takes over")
    away = write_again(c, began)
    if number % 2 == 1:
        lost.start()
    cluster.wait_whole()
    return away


def test_no_failover_loses_what_was_acknowledged(start_nodes):  # noqa: F811
    with patroni.Patroni() as cluster:
        cluster.execute("postgres", "CREATE DATABASE dragoman")
        store, away = cluster.url("dragoman"), []
        with Campaign(store, start_nodes(store)) as c:
            for number in range(FAILOVERS):
                c.pass_time(3)
                away.append(fail_over(cluster, c, number))
                c.compare()
            c.pass_time(3)
        stored = c.compare()
        assert not c.lost(stored), f"{len(c.lost(stored))} acknowledged writes are lost"
        c.report(f"{FAILOVERS} failovers of Patroni, synchronous; acknowledged and lost: 0; seconds without writes median "
                 f"{statistics.median(away):.1f} longest {max(away):.1f}")
    assert len(c.ids.acknowledged) > FAILOVERS * campaign.WRITERS


def nobody_writes(c, seconds):
    """Whether no write was acknowledged for so long; reads go on meanwhile."""
    known = len(c.ids.acknowledged)
    c.pass_time(seconds)
    return len(c.ids.acknowledged) == known


@pytest.fixture
def under_writers(start_nodes):  # noqa: F811
    with patroni.Patroni() as cluster:
        cluster.execute("postgres", "CREATE DATABASE dragoman")
        store = cluster.url("dragoman")
        with Campaign(store, start_nodes(store)) as c:
            c.pass_time(3)
            c.told = ""
            yield cluster, c
        stored = c.compare()
        assert not c.lost(stored), f"{len(c.lost(stored))} acknowledged writes are lost"
        c.report(c.told)


def is_there(cluster):
    return any(member.is_primary() for member in cluster.members)


def test_without_etcd_reads_go_on_and_nothing_is_lost(under_writers):
    """What a minority of etcd is for a member: nobody answers it."""
    cluster, c = under_writers
    began = time.monotonic()
    cluster.etcd.stop(signal.SIGKILL)
    parts.wait_for(lambda: not is_there(cluster), 120, "the primary steps down")
    stepped_down = time.monotonic() - began
    c.pass_time(2)  # what was under way
    assert nobody_writes(c, 10)
    began = time.monotonic()
    cluster.etcd.start()
    away = write_again(c, began)
    cluster.wait_whole()
    c.compare()
    c.told = f"etcd away: the primary stepped down after {stepped_down:.1f} s; writes {away:.1f} s after its return"


def test_two_members_lost_at_once_cost_writes_and_nothing_else(under_writers):
    """The third may be behind, so it does not take over by itself; with either of the two everything is there again."""
    cluster, c = under_writers
    primary = cluster.primary()
    synchronous = parts.wait_for(lambda: next((m for m in cluster.members if m.says("/sync")[0] == 200), None), 60, "a synchronous member")
    synchronous.crash()
    primary.crash()
    c.pass_time(2)
    assert nobody_writes(c, 40), "twice the ttl"
    assert not is_there(cluster), "the third promoted itself"
    began = time.monotonic()
    synchronous.start()
    away = write_again(c, began)
    primary.start()
    cluster.wait_whole()
    c.compare()
    c.told = f"the primary and the synchronous member lost at once: nobody took over for 40 s; writes {away:.1f} s after the latter's return"
