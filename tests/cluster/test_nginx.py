"""Two servers behind nginx, configured by packaging/cluster/nginx.conf, and one of them dies."""
import os
import signal
import threading

import pytest

import parts
from client import PATIENCE
from test_campaign import new_store_keys, primary  # noqa: F401 (fixtures)

pytestmark = [pytest.mark.skipif(parts.nginx_program() is None, reason="there is no nginx (tools/install-deps patroni)"),
              pytest.mark.skipif(not os.path.exists("/usr/lib/postgresql"), reason="there is no PostgreSQL (tools/install-deps test)")]


@pytest.fixture
def behind_nginx(primary, new_store_keys, mini, dragoman, tmp_path):  # noqa: F811
    """(nginx's port, the nodes, keys)"""
    store = primary.url("dragoman")
    keys = new_store_keys(store, mini)
    nodes = [parts.Node(f"node{n}", dragoman, store, tmp_path / f"node{n}", 0,
                        ("--trusted-proxy", "127.0.0.1", "--access-log", tmp_path / f"access{n}")) for n in (1, 2)]
    for n, node in enumerate(nodes, 1):
        node.access = tmp_path / f"access{n}"
    port = parts.free_port()
    text = parts.configuration("nginx.conf").replace("listen 8080", f"listen 127.0.0.1:{port}")
    for node, host in zip(nodes, ("10.0.0.11", "10.0.0.12")):
        text = text.replace(f"{host}:8080", f"127.0.0.1:{node.port}")
    nginx = parts.Nginx(tmp_path / "nginx", text)
    try:
        for node in nodes:
            node.start()
        for node in nodes:
            node.wait_ready()
        nginx.start()
        parts.wait_for(lambda: parts.answers(port), PATIENCE, nginx.said)
        yield port, nodes, keys
    finally:
        for part in (nginx, *nodes):
            part.stop()


def test_a_server_that_dies_is_not_noticed(behind_nginx):
    port, nodes, keys = behind_nginx
    stop, asked, failed = threading.Event(), [0], []

    def read():
        while not stop.is_set():
            answer = parts.get(port, "/v1/tour/hotelCheck?hotel=55", {"X-Service-Api-Key": keys["b"]["key"]}, timeout=PATIENCE)
            asked[0] += 1
            if answer is None or answer[0] != 200:
                failed.append(answer)

    threads = [threading.Thread(target=read, daemon=True) for _ in range(4)]
    for thread in threads:
        thread.start()
    for node in (nodes[1], nodes[0]):
        before = asked[0]
        parts.wait_for(lambda before=before: asked[0] > before + 200, PATIENCE, "reads")
        node.stop(signal.SIGKILL)
        node.access.unlink()
        before = asked[0]
        parts.wait_for(lambda before=before: asked[0] > before + 200, PATIENCE, "reads")
        node.start().wait_ready()
        parts.wait_for(lambda node=node: "hotelCheck" in node.access.read_text(), PATIENCE, "nginx asks it again")
    stop.set()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()
    assert not failed, (len(failed), asked)
