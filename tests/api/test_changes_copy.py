"""The program of docs/changes.md, as it stands there: its copy outlives all that can happen to network, server, data and itself."""
import os
import sqlite3
import subprocess

import pytest

import client
import copying
import store
from spoiling import Spoiler

pytestmark = [pytest.mark.store, pytest.mark.heavy]


def hotel(name):
    return {"type": "source", "adapter_id": 7, "kind": "hotel", "id": name, "name": name, "country_name": "TURKEY", "dict_id": 55}


class Program:
    """mapping_copy.py in a folder, on the way to a server."""

    def __init__(self, folder, way):
        self.folder, self.way, self.popen = folder, way, None
        (folder / "mapping_copy.py").write_text(copying.CODE, "utf-8")

    def start(self, server):
        self.way.port = server.port
        env = {**os.environ, "BASE": self.way.url, "KEY_B": server.key_b}
        with open(self.folder / "said", "ab") as said:
            self.popen = subprocess.Popen(["/usr/bin/python3", "mapping_copy.py"], cwd=self.folder, env=env, stderr=said)

    def kill(self):
        self.popen.kill()
        self.popen.wait()

    def said(self):
        return (self.folder / "said").read_text("utf-8")

    def differs(self, server):
        assert self.popen.returncode is not None or self.popen.poll() is None, self.said()
        try:
            return copying.differences(copying.copy_of(server, self.folder / "mapping.db"), copying.export(server)[0])
        except sqlite3.OperationalError as not_yet:
            return not_yet

    def becomes_equal(self, server):
        client.eventually(lambda: self.differs(server) == [])


@pytest.fixture
def program(tmp_path):
    with Spoiler(0) as way:
        made = Program(tmp_path, way)
        yield made
        if made.popen is not None:
            made.kill()


def test_the_copy_outlives_the_network_the_server_and_itself(make_server, mini, import_file, program):
    server = make_server(mini)
    program.way.spoil("503", "html", "cut", "drop")
    program.start(server)
    program.becomes_equal(server)
    assert program.way.seen.count("/v1/export/sources") == 5

    for fault in ("cut", "503", "drop", "html"):
        program.way.spoil(fault)
        import_file(server.data, [hotel(f"before {fault}")])
        program.becomes_equal(server)

    program.kill()
    import_file(server.data, [hotel("while it is dead")])
    program.start(server)
    program.becomes_equal(server)

    server.stop()
    import_file(server.data, [hotel("while the server is away")])
    server = make_server(None, data=server.data)
    program.way.port = server.port
    program.becomes_equal(server)
    assert program.way.seen.count("/v1/export/sources") == 5, "it went on where it was"


def test_a_restored_store_makes_it_begin_anew_and_its_death_meanwhile_costs_nothing(make_server, mini, import_file, program):
    server = make_server(mini)
    program.start(server)
    program.becomes_equal(server)
    server.stop()
    store.backup(server.data)
    import_file(server.data, [hotel("lost")])
    server = make_server(None, data=server.data)
    program.way.port = server.port
    program.becomes_equal(server)
    before = copying.export(server)[0]
    program.kill()
    server.stop()
    store.restore(server.data)
    store.execute(server.data, f"UPDATE clock SET epoch = '{'0' * 32}'")
    server = make_server(None, data=server.data)

    program.way.spoil(None, "hold")
    program.start(server)
    program.way.times("hold")
    program.kill()
    assert copying.differences(copying.copy_of(server, program.folder / "mapping.db"), before) == [], "the old copy is whole"
    program.start(server)
    program.becomes_equal(server)
    assert "410" in program.said()


def test_it_ends_where_waiting_helps_nothing(make_server, mini, program):
    server = make_server(mini)
    server.key_b = "drgb_wrong"
    program.start(server)
    assert program.popen.wait(client.PATIENCE) == 1
    assert "HTTP Error 403" in program.said()
