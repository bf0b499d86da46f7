"""The snapshot (decision D6): a server starts from it, catches up, and serves without its store."""
import json
import os
import shutil

import pytest

import client
import registration
import store
from client import assert_error
from test_data_version import CHANGES, HEADER, READS, URL, ask, same_version, state, version_of

pytestmark = pytest.mark.store

NAME = "dragoman.db.snapshot"
LOADED = "loaded from the snapshot"


def kept(data):
    """Options with which a server keeps its snapshot there: beside a store in SQLite none is needed."""
    return ("--snapshot", data / NAME) if store.POSTGRES is not None else ()


def snapshot_of(server, text="snapshot of version"):
    """Stop the server; it leaves a snapshot."""
    server.stop()
    assert (server.data / NAME).exists() and not (server.data / (NAME + ".new")).exists()
    assert text in server.process.stderr(), server.process.stderr()


def said(process, text):
    assert client.wait_until(lambda: text in process.stderr()), process.stderr()


def end(process):
    """A clean stop of a server whose log tells of an outage."""
    os.kill(process.pid, 15)
    assert process.popen.wait(client.PATIENCE) == 0
    return process.stderr()


@pytest.fixture
def start_server(start_server):
    """As that of all tests, with a snapshot in the data folder unless the options say otherwise."""

    def start(*options, data, **more):
        return start_server(*options, *(() if "--snapshot" in options else kept(data)), data=data, **more)

    return start


@pytest.fixture
def stopped(make_server, mini, import_file, tmp_path):
    """A server that has followed changes and was stopped."""
    data = tmp_path / "stopped"
    data.mkdir()
    server = make_server(mini, "--public-url", URL, *kept(data), data=data)
    for change in CHANGES:
        before = version_of(server.port)
        import_file(server.data, change)
        same_version([server.port], before)
    snapshot_of(server)
    return server


@pytest.mark.heavy
def test_d6_a_start_from_a_snapshot_answers_as_one_from_the_store(stopped, start_server, import_file):
    image = start_server("--public-url", URL, data=stopped.data)
    store = start_server("--public-url", URL, "--snapshot", "none", data=stopped.data)
    assert LOADED in image.stderr() and LOADED not in store.stderr()

    def compare(before=None):
        version = same_version([image.port, store.port], before)
        for read in READS:
            one, other = [ask(stopped, read, port, X_Min_Data_Version=version) for port in (image.port, store.port)]
            assert one.headers[HEADER] == other.headers[HEADER] == version, read
            assert state(one) == state(other), read
        return version

    version = compare()
    for number, change in enumerate(CHANGES):  # what was there once comes, goes and changes again
        import_file(stopped.data, [*change, {"type": "dict", "kind": "meal", "id": 90, "name": f"M{number}"}])
        version = compare(version)
    done = registration.source_add(_at(stopped, image.port), hotel=[registration.element("hotel")])
    assert done.status == 200
    compare(version)


def _at(server, port):
    """The server's keys, for another process of its store."""
    class At:
        key_a, key_b, secret_b, data = server.key_a, server.key_b, server.secret_b, server.data
        process = server.process

        def request(self, path, method="GET", headers=None, body=None):
            return client.request(self.port, path, method, headers, body)

    at = At()
    at.port = port
    return at


@pytest.mark.store_core
def test_d6_what_came_after_the_snapshot_is_there_from_the_first_answer_on(stopped, start_server, import_file, run,
                                                                           new_key):
    import_file(stopped.data, [{"type": "dict", "kind": "country", "id": 3, "name": "Kemet", "iso_alpha_2": "EG"}])
    done = run("key", "revoke", str(stopped.keys["a"]["id"]), "--data", stopped.data)
    assert done.returncode == 0, done.stderr
    key = new_key(stopped.data, "a")["key"]
    again = start_server("--public-url", URL, data=stopped.data)
    assert LOADED in again.stderr()
    assert ask(stopped, READS[0], again.port).status == 403
    answer = client.request(again.port, "/api/v1/tour/main-references", headers={"X-Api-Key": key})
    assert answer.data()["countries"]["EG"]["name"] == "Kemet"


def test_d6_without_its_store_a_server_starts_serves_and_catches_up(stopped, start_server, import_file):
    import_file(stopped.data, [{"type": "dict", "kind": "country", "id": 3, "name": "Kemet", "iso_alpha_2": "EG"}])
    store.take_away(stopped.data)
    server = start_server("--public-url", URL, data=stopped.data)
    here = _at(stopped, server.port)
    said(server, "starting from the snapshot")
    said(server, "requests are answered from memory")
    for read in READS[:10]:
        assert ask(stopped, read, server.port).status == 200 or "hotelDescription" in read[1] or "changes" in read[1]
    assert store.POSTGRES is not None or not (stopped.data / "dragoman.db").exists(), "an empty store was begun"
    ready = client.request(server.port, "/readyz")
    assert (ready.status, ready.json()["store"]) == (200, "away")
    assert client.wait_until(lambda: client.request(server.port, "/readyz").json()["lag_seconds"] >= 1)
    answer = client.request(server.port, "/readyz/write")
    assert_error(answer, 503, reason="not_stored")
    assert int(answer.headers["Retry-After"]) > 0
    refused = registration.source_add(here, hotel=[registration.element("hotel")])
    assert_error(refused, 503, reason="not_stored")
    assert int(refused.headers["Retry-After"]) > 0
    store.put_back(stopped.data)

    read = ("GET", "/api/v1/tour/main-references", {}, None)
    client.eventually(lambda: b"Kemet" in ask(stopped, read, server.port).body and
                      client.request(server.port, "/readyz/write").status == 200)
    ready = client.request(server.port, "/readyz").json()
    assert (ready["store"], ready["lag_seconds"]) == ("ok", 0)
    assert registration.source_add(here, hotel=[registration.element("hotel")]).status == 200
    end(server)


@pytest.mark.files
def test_d6_without_snapshot_and_store_an_empty_one_is_begun(start_server, tmp_path):
    server = start_server(data=tmp_path)
    assert (tmp_path / "dragoman.db").exists()
    server.stop()


@pytest.mark.parametrize("how", ["flipped", "cut", "empty", "text"])
def test_d6_a_damaged_snapshot_is_said_and_the_store_is_loaded(how, stopped, start_server):
    path = stopped.data / NAME
    image = bytearray(path.read_bytes())
    if how == "flipped":
        image[len(image) // 2] ^= 4
    path.write_bytes({"flipped": bytes(image), "cut": bytes(image[:len(image) // 2]), "empty": b"",
                      "text": b"no snapshot\n" * 1000}[how])
    server = start_server("--public-url", URL, data=stopped.data)
    log = server.stderr()
    assert log.count("loading from the store") == 1 and LOADED not in log and NAME in log
    assert ask(stopped, READS[0], server.port).status == 200
    server.stop()
    again = start_server("--public-url", URL, data=stopped.data)
    assert LOADED in again.stderr(), "a stop writes a good one again"


@pytest.mark.store_core
def test_d6_the_snapshot_of_another_store_is_not_taken(stopped, make_server, start_server, new_key, mini):
    of_the_first = new_key(stopped.data, "a")
    start_server(data=stopped.data).stop()
    other = make_server(mini)
    other.stop()
    shutil.copy(stopped.data / NAME, other.data / NAME)
    server = start_server(data=other.data)
    assert "is of another store, or of a history that is over" in server.stderr()
    assert LOADED not in server.stderr()
    assert client.request(server.port, READS[0][1], headers={"X-Api-Key": other.key_a}).status == 200
    assert client.request(server.port, READS[0][1], headers={"X-Api-Key": of_the_first["key"]}).status == 403


def test_d6_the_snapshot_of_a_history_that_is_over_is_not_taken(make_server, start_server, mini, import_file):
    server = make_server(mini, "--snapshot", "none", "--public-url", URL)
    server.stop()
    store.backup(server.data)
    import_file(server.data, [{"type": "dict", "kind": "country", "id": 3, "name": "Kemet", "iso_alpha_2": "EG"}])
    start_server("--public-url", URL, data=server.data).stop()
    image = (server.data / NAME).read_bytes()
    store.restore(server.data)
    (server.data / NAME).write_bytes(image)
    for name in ("Misr", "Masr"):
        import_file(server.data, [{"type": "dict", "kind": "country", "id": 3, "name": name, "iso_alpha_2": "EG"}])
    again = start_server("--public-url", URL, data=server.data)
    assert "a history that is over" in again.stderr() and LOADED not in again.stderr()
    body = ask(server, ("GET", "/api/v1/tour/main-references", {}, None), again.port).body
    assert b"Masr" in body and b"Kemet" not in body


def test_d6_it_is_written_while_the_server_runs(make_server, mini, import_file, start_server, tmp_path):
    path = tmp_path / "some where"
    server = make_server(mini, "--snapshot", path, "--snapshot-interval", "1")
    assert client.wait_until(path.exists)
    written = path.read_bytes()
    import_file(server.data, CHANGES[0])
    assert client.wait_until(lambda: path.read_bytes() != written)
    assert (path.stat().st_mode & 0o777) == 0o600
    os.kill(server.pid, 9)
    server.process.popen.wait()
    again = start_server("--snapshot", path, data=server.data)
    assert LOADED in again.stderr()


def test_d6_none_is_none(make_server, mini):
    server = make_server(mini, "--snapshot", "none", "--snapshot-interval", "1")
    server.stop()
    assert list(server.data.glob("*.snapshot*")) == []


def test_d6_a_server_whose_records_are_set_aside_writes_none(make_server, mini, tmp_path):
    """A start from it would not know of them."""
    data = tmp_path / "aside"
    data.mkdir()
    server = make_server(mini, *kept(data), data=data)
    store.execute(server.data, "UPDATE source SET kind = 77, seq = (SELECT seq + 1 FROM clock) WHERE id = '1002'",
                  "UPDATE clock SET seq = seq + 1")
    assert client.wait_until(lambda: json.loads(client.request(server.port, "/readyz").body)["set_aside"] == 1)
    end(server.process)
    assert not (server.data / NAME).exists()
