"""How many connections to the database nodes have: few at rest, and a bound for what they open when they have to."""
import contextlib
import os
import threading

import pytest

import client
import parts
import registration
from campaign import IN_EARNEST, Front
from test_campaign import new_store_keys  # noqa: F401 pylint: disable=unused-import (fixture)

pytestmark = pytest.mark.skipif(not os.path.exists("/usr/lib/postgresql"), reason="there is no PostgreSQL (tools/install-deps test)")

#: Nodes, and connections of the database.
NODES, MOST = (25, 100) if IN_EARNEST else (5, 20)
AT_REST = 3
OURS = "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'dragoman%'"


class Clients:
    """What is asked of a node."""

    def __init__(self, node, keys):
        self.front = Front(node.port, keys)
        self.port, self.keys = node.port, keys

    def add(self, id):
        return registration.source_add(self.front, meal=[registration.element("meal", id)])

    def knows(self, id):
        return registration.is_registered(self.front, "meal", id)

    def get(self, path):
        return parts.get(self.port, path, {"X-Service-Api-Key": self.keys["b"]["key"]}, timeout=client.PATIENCE)


@contextlib.contextmanager
def nodes_of(database, n, dragoman, tmp_path, keys, *options):
    with contextlib.ExitStack() as stack:
        nodes = [parts.Node(f"node{i}", dragoman, database.url("dragoman"), tmp_path / f"node{i}", 0, options) for i in range(n)]
        for node in nodes:
            stack.callback(node.start().stop)
        for node in nodes:
            node.wait_ready(client.PATIENCE)
        yield nodes, [Clients(node, keys) for node in nodes]


@pytest.fixture
def crowded():
    """A database with few connections."""
    with parts.Postgres(settings={"max_connections": str(MOST)}) as made:
        made.psql("postgres", "CREATE DATABASE dragoman")
        yield made


def test_as_many_nodes_write_as_there_are_connections_for(crowded, new_store_keys, dragoman, mini, tmp_path, clock):  # noqa: F811
    """All of them, also when each has read what it does not keep; and then they are at rest."""
    keys = new_store_keys(crowded.url("dragoman"), mini)
    with nodes_of(crowded, NODES, dragoman, tmp_path, keys, "--content-cache", "0") as (nodes, clients):
        for n, one in enumerate(clients):
            assert one.add(f"W{n}").status == 200, nodes[n].said()
            assert one.get("/v1/tour/hotelDescription?adapter_id=7&hotel_orig_id=1001")[0] == 200, nodes[n].said()
            assert one.get("/v1/changes")[0] == 200, nodes[n].said()
        for one in clients:
            client.eventually(lambda one=one: all(one.knows(f"W{n}") for n in range(NODES)))
        at_rest = lambda: int(crowded.psql("postgres", OURS)) == AT_REST * NODES
        assert client.wait_until(lambda: clock.advance(2) or at_rest()), crowded.psql("postgres", OURS)
        for n, one in enumerate(clients):
            assert one.add(f"again{n}").status == 200
        for node in nodes:
            assert "too many clients" not in node.said()


def test_a_node_opens_no_more_than_it_may(crowded, new_store_keys, dragoman, mini, tmp_path):  # noqa: F811
    """However many read at once; and who writes has his connection all the while."""
    keys = new_store_keys(crowded.url("dragoman"), mini)
    with nodes_of(crowded, 1, dragoman, tmp_path, keys, "--content-cache", "0", "--store-connections", "6") as (_, (one,)):
        answers, over = [], threading.Event()

        def read(path):
            while not over.is_set():
                answers.append(one.get(path)[0])

        paths = ["/v1/tour/hotelDescription?adapter_id=7&hotel_orig_id=1001", "/v1/changes", "/v1/export/sources"]
        threads = [threading.Thread(target=read, args=(path,), daemon=True) for path in paths * 4]
        for thread in threads:
            thread.start()
        counted = []
        for n in range(20):
            assert one.add(f"W{n}").status == 200
            counted.append(int(crowded.psql("postgres", OURS)))
        over.set()
        for thread in threads:
            thread.join(client.PATIENCE)
        assert max(counted) <= 6, counted
        assert answers.count(200) > 0 and set(answers) <= {200, 503}, set(answers)
