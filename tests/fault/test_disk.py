"""A full disk and failing fsync: 503, nothing of the request stored, reads go on, and it recovers."""
import contextlib
import os
import signal

import pytest

import client
from client import assert_error
from registration import element, is_registered, post, source_info


def add(server, elements):
    return post(server, "sourceAdd", {"adapter_id": 7, "lang_code": "en", "hotel": elements})


def assert_not_stored(response):
    error = assert_error(response, 503)
    assert response.headers["Retry-After"].isdigit()
    assert error["reason"] in ("not_stored", "outcome_unknown") and "/" not in error["message"], error


def assert_reads_go_on(server):
    assert source_info(server, hotel="1001")["hotel"][0]["dict"]["id"] == 55
    assert server.b("tour/reference").status == 200
    assert client.request(server.port, "/readyz").status == 200


def end(server):
    """A clean stop. Its log tells of the outage, so what conftest asks of a log does not hold."""
    os.kill(server.process.pid, signal.SIGTERM)
    assert server.process.popen.wait(30) == 0
    return server.process.stderr()


# Disk full

def test_a_full_disk_is_503_and_writing_goes_on_when_there_is_space_again(small_disk, make_server, mini, run):
    server = make_server(mini, "--snapshot", "none", data=small_disk / "data")  # which would take what is left
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"x" * 1_000_000)
    stored, refused = [], None
    for _ in range(400):
        batch = [element("hotel", name="x" * 200) for _ in range(50)]
        response = add(server, batch)
        if response.status != 200:
            refused = batch
            break
        stored += batch
    assert refused, "the disk never became full"
    assert_not_stored(response)
    assert_reads_go_on(server)
    assert not any(is_registered(server, "hotel", e["id"]) for e in refused)
    assert_not_stored(add(server, refused))

    ballast.unlink()
    response = client.wait_until(lambda: (r := add(server, refused)).status == 200 and r, 10)
    assert all("source" in member for member in response.data()["hotel"].values()), "some had been stored before"
    said = end(server)
    assert said.count("cannot write to the store") >= 1 and "the store can be written again" in said
    done = run("check", "--data", server.data)
    assert done.returncode == 0, done.stdout + done.stderr
    again = make_server(None, data=server.data)
    ids = [e["id"] for e in stored + refused]
    assert all(item["source"] for item in source_info(again, hotel=ids)["hotel"])


# fsync

@pytest.fixture
def failing_sync(failing):
    """failing_sync(server, when): while it lasts, fsync and fdatasync of the server fail with EIO."""
    return lambda server, when="": failing(server, "fsync,fdatasync", when)


#: The one write that fails is to be that of the request, and not one of the server's own matcher.
ALONE = ("--match", "off")


def test_a_failing_fsync_is_503_and_nothing_of_the_request_is_stored(failing_sync, make_server, mini, run):
    server = make_server(mini, *ALONE)
    before, lost = [element("hotel") for _ in range(20)], [element("hotel") for _ in range(20)]
    assert add(server, before).status == 200
    with failing_sync(server, ":when=1"):
        assert_not_stored(add(server, lost))
        assert_reads_go_on(server)
        assert not any(is_registered(server, "hotel", e["id"]) for e in lost)
        after = [element("hotel") for _ in range(20)]
        assert add(server, after).status == 200, "only one fsync was to fail"
    assert all("source" in member for member in add(server, lost).data()["hotel"].values())
    assert all(is_registered(server, "hotel", e["id"]) for e in before + after + lost)
    assert "cannot write to the store" in end(server)
    done = run("check", "--data", server.data)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_a_failed_commit_wrote_does_not_come_back_after_a_crash(failing_sync, make_server, mini, run):
    server = make_server(mini, *ALONE)
    lost = [element("hotel") for _ in range(20)]
    assert add(server, [element("hotel")]).status == 200  # the log has begun: what fails is the sync of its records
    with failing_sync(server, ":when=1"):
        assert_not_stored(add(server, lost))
    server.process.popen.kill()
    server.process.popen.wait()
    again = make_server(None, data=server.data)
    assert not any(is_registered(again, "hotel", e["id"]) for e in lost)
    done = run("check", "--data", server.data)
    assert done.returncode == 0, done.stdout + done.stderr


def test_while_every_fsync_fails_reads_go_on_and_then_it_recovers(failing_sync, make_server, mini, run):
    server = make_server(mini, *ALONE)
    lost = [[element("hotel") for _ in range(5)] for _ in range(3)]
    with failing_sync(server):
        for batch in lost:
            assert_not_stored(add(server, batch))
            assert_reads_go_on(server)
            assert not any(is_registered(server, "hotel", e["id"]) for e in batch)
    for batch in lost:
        assert all("source" in member for member in add(server, batch).data()["hotel"].values())
    said = end(server)
    assert said.count("cannot write to the store") == 1 and "the store can be written again" in said
    done = run("check", "--data", server.data)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_full_disk_of_the_snapshot_leaves_the_one_before_and_nothing_else(small_disk, make_server, mini, import_file,
                                                                            start_server):
    path = small_disk / "snapshot"
    server = make_server(mini, "--snapshot", path, "--snapshot-interval", "1")
    assert client.wait_until(path.exists, 60)
    written = path.read_bytes()
    ballast = small_disk / "ballast"
    with contextlib.suppress(OSError), open(ballast, "wb", buffering=0) as file:
        while True:
            file.write(b"x" * 4096)
    import_file(server.data, [{"type": "dict", "kind": "meal", "id": 90, "name": "M"}])
    assert client.wait_until(lambda: "no snapshot is written" in server.process.stderr(), 60)
    assert "a tenth of it is left to others" in server.process.stderr()
    assert_reads_go_on(server)
    assert path.read_bytes() == written
    assert client.wait_until(lambda: not small_disk.joinpath("snapshot.new").exists(), 60)
    ballast.unlink()
    assert client.wait_until(lambda: "snapshots are written again" in server.process.stderr(), 60)
    assert path.read_bytes() != written
    assert server.process.stderr().count("no snapshot is written") == 1
    end(server)
    again = start_server("--snapshot", path, data=server.data)
    assert "loaded from the snapshot" in again.stderr()
