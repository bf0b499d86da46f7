"""A list that is sent to a server whose disk or memory does not suffice: it is told what is short, and nothing else suffers."""
import resource

import client
import sheets
from loading import Loader, text

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


def test_a_lack_of_memory_is_told_as_that(make_server, new_key, run, tmp_path):
    desk = loader(make_server, new_key, run, tmp_path / "data")
    assert desk.load(text(HOTELS), dry_run="1").status == 200
    with open(f"/proc/{desk.server.pid}/status", encoding="ascii") as f:
        now = next(int(line.split()[1]) for line in f if line.startswith("VmSize")) << 10
    resource.prlimit(desk.server.pid, resource.RLIMIT_AS, (now + (128 << 20), resource.RLIM_INFINITY))
    fails(desk, sheets.many_texts("x" * 100_000, 250), "unavailable")
