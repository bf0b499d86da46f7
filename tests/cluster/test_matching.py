"""New records are matched by one of three nodes (M36): suggestions are written once, and another takes over from one that hangs."""
import contextlib
import os
import signal

import pytest

import registration
from client import eventually, wait_until
from test_campaign import new_store_keys, primary, start_nodes  # noqa: F401 pylint: disable=unused-import (fixtures)

pytestmark = pytest.mark.skipif(not os.path.exists("/usr/lib/postgresql"), reason="there is no PostgreSQL (tools/install-deps test)")

#: Of each node.
RECORDS = 40


@contextlib.contextmanager
def hanging(primary, *nodes):  # noqa: F811
    """Stopped at a moment when none of them has the lock of writers, or waits for it."""
    def all_get(number):
        for node in nodes:
            os.kill(node.pid, number)

    def stopped():
        all_get(signal.SIGSTOP)
        with contextlib.suppress(RuntimeError):
            primary.psql("dragoman", "SET lock_timeout = '1s'; BEGIN; LOCK TABLE dragoman.branch IN EXCLUSIVE MODE; ROLLBACK")
            return True
        all_get(signal.SIGCONT)
        return False

    assert wait_until(stopped)
    try:
        yield
    finally:
        all_get(signal.SIGCONT)


def test_suggestions_are_written_once_and_another_node_takes_over(primary, start_nodes, clock):  # noqa: F811
    def asked(sql):
        return primary.psql("dragoman", sql).strip()

    def suggested(n):
        return int(asked("SELECT count(*) FROM dragoman.suggestion WHERE id LIKE 'N%'")) == n

    def looked(node):
        return (node.request("/readyz").json()["matched"] or 0) >= int(asked("SELECT seq FROM dragoman.clock"))

    def add(node, *ids):
        answer = registration.source_add(node, meal=[registration.element("meal", id, name="Bed and breakfast") for id in ids])
        assert answer.status == 200

    nodes = start_nodes(primary.url("dragoman"), "--match", "suggest", "--public-url", "http://travel.example.com")
    for node in nodes:
        eventually(lambda node=node: node.request("/readyz").json()["matched"] is not None)
    primary.psql("dragoman", "CREATE TABLE written (id text); CREATE FUNCTION note_written() RETURNS trigger LANGUAGE plpgsql AS "
                 "'BEGIN INSERT INTO public.written VALUES (NEW.id); RETURN NULL; END'; CREATE TRIGGER note_written AFTER INSERT OR "
                 "UPDATE ON dragoman.suggestion FOR EACH ROW EXECUTE FUNCTION note_written()")
    for i in range(RECORDS):
        for n, node in enumerate(nodes):
            add(node, f"N{n}-{i}")
    eventually(lambda: suggested(3 * RECORDS))
    for node in nodes:
        eventually(lambda node=node: looked(node))
    held = None
    for turn in range(3):  # at least once it is the one that has the right
        one, *others = nodes[turn:] + nodes[:turn]
        with hanging(primary, *others):
            add(one, f"N-last-{turn}")
            assert wait_until(lambda turn=turn: clock.advance(1) or suggested(3 * RECORDS + turn + 1)), one.process.stderr()
            eventually(lambda one=one: looked(one))
        assert held != asked("SELECT holder FROM dragoman.matching"), "each in its turn"
        held = asked("SELECT holder FROM dragoman.matching")
        for node in others:
            eventually(lambda node=node: looked(node))
    assert asked("SELECT count(*), count(DISTINCT id) FROM written") == f"{3 * RECORDS + 3}|{3 * RECORDS + 3}"
