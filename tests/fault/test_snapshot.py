"""A server that is killed while its snapshot is written."""
import os
import subprocess

import pytest

import client
from conftest import command

KILLS = int(os.environ.get("DRG_KILLS", "10"))


@pytest.fixture(scope="module")
def large(run, import_file, tmp_path_factory):
    """A data folder whose snapshot takes a moment to write."""
    data = tmp_path_factory.mktemp("large")
    synthetic = data.parent / "synthetic.ndjson"
    with open(synthetic, "wb") as out:
        subprocess.run(command("synth", "--hotels", "20000", "--content", "0"), stdout=out, check=True)
    import_file(data, synthetic)
    synthetic.unlink()
    return data


def test_a_kill_in_the_middle_of_a_snapshot_leaves_one_that_is_whole_or_none(large, start_server, import_file):
    path = large / "dragoman.db.snapshot"
    aside = large / "dragoman.db.snapshot.new"
    halves = 0
    for number in range(KILLS):
        server = start_server("--snapshot-interval", "1", data=large)
        assert "damaged" not in server.stderr() and "is cut" not in server.stderr(), server.stderr()
        assert ("loaded from the snapshot" in server.stderr()) == path.exists()
        before = path.stat().st_ino if path.exists() else None
        import_file(large, [{"type": "dict", "kind": "meal", "id": 99, "name": f"M{number}"}])
        # Every other time the end is waited for, so that there is one to be spoilt.
        if number % 2:
            assert client.wait_until(lambda: path.exists() and path.stat().st_ino != before, 60)
        else:
            assert client.wait_until(lambda: aside.exists() or (path.exists() and path.stat().st_ino != before), 60)
        os.kill(server.pid, 9)
        server.popen.wait()
        halves += aside.exists()
    assert halves > 0, "none was killed in the middle"
    server = start_server("--snapshot-interval", "1", data=large)
    assert client.wait_until(lambda: not aside.exists(), 60), "what was left is written over"
    server.stop()
    assert path.exists() and not aside.exists()
