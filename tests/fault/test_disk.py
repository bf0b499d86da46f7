"""A full disk and failing fsync: 503, nothing of the request stored, reads go on, and it recovers."""
import contextlib
import os
import resource
import signal

import pytest

import client
from client import assert_error, eventually
from curating import Desk
from registration import element, is_registered, post, source_info


def add(server, elements, kind="hotel"):
    return post(server, "sourceAdd", {"adapter_id": 7, "lang_code": "en", kind: elements})


def assert_not_stored(response, reasons=("not_stored", "outcome_unknown")):
    error = assert_error(response, 503)
    assert response.headers["Retry-After"].isdigit()
    assert error["reason"] in reasons and "/" not in error["message"], error


def assert_reads_go_on(server):
    assert source_info(server, hotel="1001")["hotel"][0]["dict"]["id"] == 55
    assert server.b("tour/reference").status == 200
    assert client.request(server.port, "/readyz").status == 200


def end(server):
    """A clean stop. Its log tells of the outage, so what conftest asks of a log does not hold."""
    os.kill(server.process.pid, signal.SIGTERM)
    assert server.process.popen.wait(client.PATIENCE) == 0
    return server.process.stderr()


# Disk full

def test_readyz_says_of_the_disk_what_it_says_of_the_store(full_disk, make_server, mini):
    """At once: the disk is looked at every five seconds, and a write may find it full before."""
    server = make_server(mini, "--snapshot", "none", data=full_disk.place / "data")
    assert client.ready(server.port, "disk") == "ok"
    full_disk()
    while add(server, [element("hotel", name="x" * 200) for _ in range(50)]).status == 200:
        full_disk()
    said = server.request("/readyz").json()
    assert (said["store"], said["disk"]) == ("disk_full", "nearly_full")
    (full_disk.place / "ballast").unlink()
    assert eventually(lambda: client.ready(server.port, "disk") == "ok")
    assert eventually(lambda: add(server, [element("hotel")]).status == 200)
    said = server.request("/readyz").json()
    assert (said["store"], said["disk"]) == ("ok", "ok")
    end(server)


def test_a_file_that_may_not_grow_is_as_a_full_disk(make_server, mini):
    """ulimit -f, or LimitFSIZE of systemd."""
    server = make_server(mini, *ALONE)
    is_full = False

    def limit(size):
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    limit(1 << 20)
    for _ in range(400):
        response = add(server, [element("hotel", name="x" * 200) for _ in range(50)])
        is_full = response.status != 200
        if is_full:
            break
    assert is_full
    assert_not_stored(response)
    assert_reads_go_on(server)
    limit(resource.RLIM_INFINITY)
    eventually(lambda: add(server, [element("hotel")]).status == 200)
    end(server)


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
    assert_not_stored(response, ["not_stored"])
    assert_reads_go_on(server)
    assert not any(is_registered(server, "hotel", e["id"]) for e in refused)
    assert_not_stored(add(server, refused), ["not_stored"])

    ballast.unlink()
    response = client.wait_until(lambda: (r := add(server, refused)).status == 200 and r)
    assert all("source" in member for member in response.data()["hotel"].values()), "some had been stored before"
    said = end(server)
    assert said.count("cannot write to the store") >= 1 and "the store can be written again" in said
    done = run("check", "--data", server.data)
    assert done.returncode == 0, done.stdout + done.stderr
    again = make_server(None, data=server.data)
    ids = [e["id"] for e in stored + refused]
    assert all(item["source"] for item in source_info(again, hotel=ids)["hotel"])


# fsync

#: What fails is to be the request's, and not of the server's own matcher or snapshot.
ALONE = ("--match", "off", "--snapshot", "none")


def test_a_failing_fsync_is_503_and_nothing_of_the_request_is_stored(faults, make_server, mini, run):
    server = make_server(mini, *ALONE)
    before, lost = [element("hotel") for _ in range(20)], [element("hotel") for _ in range(20)]
    assert add(server, before).status == 200
    with faults.failing(server.process, "sync", 1, lost[0]["id"]):
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


def test_the_numbers_of_a_decision_that_was_not_stored_are_given_again(faults, make_server, mini, new_key):
    server = make_server(mini, *ALONE)
    desk = Desk(server, new_key(server.data, "b", "--secret", "--role", "curator"))
    meals = [element("meal") for _ in range(3)]
    assert add(server, meals, "meal").status == 200

    def new(meal):
        seen = eventually(lambda: desk.get("case", adapter_id=7, kind="meal", id=meal["id"]).json().get("data"))
        return desk.decide({"decide": "new", "adapter_id": 7, "kind": "meal", "id": meal["id"], "version": seen["version"]})

    first = new(meals[0]).data()
    with faults.failing(server.process, "sync", 1, meals[1]["id"]):
        assert_not_stored(new(meals[1]))
    second = new(meals[2]).data()
    assert (second["items"][0]["is"], second["batch"]) == (first["items"][0]["is"] + 1, first["batch"] + 1)
    end(server)


def test_what_a_failed_commit_wrote_does_not_come_back_after_a_crash(faults, make_server, mini, run):
    server = make_server(mini, *ALONE)
    lost = [element("hotel") for _ in range(20)]
    assert add(server, [element("hotel")]).status == 200  # the log has begun: what fails is the sync of its records
    with faults.failing(server.process, "sync", 1, lost[0]["id"]):
        assert_not_stored(add(server, lost))
    server.process.popen.kill()
    server.process.popen.wait()
    again = make_server(None, data=server.data)
    assert not any(is_registered(again, "hotel", e["id"]) for e in lost)
    done = run("check", "--data", server.data)
    assert done.returncode == 0, done.stdout + done.stderr


def test_while_every_fsync_fails_reads_go_on_and_then_it_recovers(faults, make_server, mini, run):
    server = make_server(mini, *ALONE)
    lost = [[element("hotel") for _ in range(5)] for _ in range(3)]
    with faults.failing(server.process, "sync"):
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
                                                                            start_server, clock):
    path = small_disk / "snapshot"
    server = make_server(mini, "--snapshot", path, "--snapshot-interval", "1")
    client.eventually(lambda: clock.advance(5) or path.exists())
    client.eventually(lambda: server.process.stderr().count("written: ") == 1)
    written = path.read_bytes()
    ballast = small_disk / "ballast"
    with contextlib.suppress(OSError), open(ballast, "wb", buffering=0) as file:
        while True:
            file.write(b"x" * 4096)
    import_file(server.data, [{"type": "dict", "kind": "meal", "id": 90, "name": "M"}])
    client.eventually(lambda: clock.advance(5) or "no snapshot is written" in server.process.stderr())
    assert "a tenth of it is left to others" in server.process.stderr()
    assert_reads_go_on(server)
    assert path.read_bytes() == written
    assert client.wait_until(lambda: not small_disk.joinpath("snapshot.new").exists())
    ballast.unlink()
    client.eventually(lambda: clock.advance(5) or "snapshots are written again" in server.process.stderr())
    assert path.read_bytes() != written
    assert server.process.stderr().count("no snapshot is written") == 1
    end(server)
    again = start_server("--snapshot", path, data=server.data)
    assert "loaded from the snapshot" in again.stderr()
