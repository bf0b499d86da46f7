"""A list that is sent to a server whose disk or memory does not suffice: it is told what is short, and nothing else suffers."""
import resource

import pytest

import client
import sheets
import usage
from loading import Loader, text
from test_disk import end

HOTELS = [["Code", "Name"], ["1", "A"]]


def loader(make_server, new_key, run, data):
    run("supplier", "add", "coral", "--create", "--data", str(data))
    key = new_key(data, "b", "--secret", "--role", "curator")
    return Loader(make_server(None, data=data), key)


def fails(desk, body, reason):
    answer = desk.load(body, accept="1")
    client.assert_error(answer, 503, None, reason)
    assert "Retry-After" in answer.headers
    assert desk.load(text(HOTELS), dry_run="1").status == 200


def test_a_full_disk_is_told_as_that(small_disk, make_server, new_key, run):
    desk = loader(make_server, new_key, run, small_disk / "data")
    fails(desk, text([HOTELS[0]] + [[str(i), "A" * 200] for i in range(100_000)]), "not_stored")


# The file that is sent is kept beside the store while it is read, and so is one that is asked for while it is made

def test_no_room_for_the_file_that_is_sent(full_disk, make_server, new_key, run):
    desk = loader(make_server, new_key, run, full_disk.place / "data")
    full_disk()
    for parameters in ({"dry_run": "1"}, {"accept": "1"}):
        answer = desk.load(text(HOTELS), **parameters)
        client.assert_error(answer, 503, None, "not_stored")
        assert "server's disk is full or failing" in answer.json()["error"]["message"]
    (full_disk.place / "ballast").unlink()
    assert desk.load(text(HOTELS), accept="1").data()["batch"] == 1
    assert end(desk.server).count("a list could not be loaded: cannot write a temporary file") == 2


def test_a_disk_that_fails_under_the_file_that_is_sent(faults, make_server, new_key, run, tmp_path):
    desk = loader(make_server, new_key, run, tmp_path / "data")
    with faults.failing(desk.server.process, "write"):
        answer = desk.load(text(HOTELS), dry_run="1")
    client.assert_error(answer, 503, None, "not_stored")
    assert "Retry-After" in answer.headers and "server's disk is full or failing" in answer.json()["error"]["message"]
    assert desk.load(text(HOTELS), dry_run="1").status == 200
    assert end(desk.server).count("a list could not be loaded: cannot write a temporary file") == 1


@pytest.mark.parametrize("format", ["csv", "xlsx"])
def test_no_room_for_the_records_that_are_asked_for(full_disk, make_server, new_key, run, format):
    desk = loader(make_server, new_key, run, full_disk.place / "data")
    desk.load(text(HOTELS), accept="1").data()
    whole = desk.get("records", adapter_id=1, format=format).body
    full_disk()
    answer = desk.get("records", adapter_id=1, format=format)
    client.assert_error(answer, 503, None, "not_stored")
    assert "Retry-After" in answer.headers and "server's disk is full" in answer.json()["error"]["message"]
    (full_disk.place / "ballast").unlink()
    assert len(desk.get("records", adapter_id=1, format=format).body) == len(whole)
    said = end(desk.server)
    assert "an answer could not be kept until it is sent" in said and "cannot read the store" not in said, "it is not away"


def test_a_lack_of_memory_is_told_as_that(make_server, new_key, run, tmp_path):
    desk = loader(make_server, new_key, run, tmp_path / "data")
    assert desk.load(text(HOTELS), dry_run="1").status == 200
    now = usage.memory(desk.server.pid, "VmSize")
    resource.prlimit(desk.server.pid, resource.RLIMIT_AS, (now + (128 << 20), resource.RLIM_INFINITY))
    fails(desk, sheets.many_texts("x" * 100_000, 250), "unavailable")
