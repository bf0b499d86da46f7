"""A server that is killed while its snapshot is written: at each of its writes."""
import itertools

import pytest

import client


@pytest.fixture
def killed(start_server, mini, import_file, faults, clock, tmp_path):
    """killed(n): a server on a store with a new commit, killed at the nth write of its snapshot; false: it was written before."""
    data, numbers = tmp_path / "data", itertools.count()
    path = data / "dragoman.db.snapshot"
    data.mkdir()
    import_file(data, mini)

    def killed(at):
        server = start_server("--match", "off", "--snapshot-interval", "1", data=data)
        assert "damaged" not in server.stderr() and "is cut" not in server.stderr(), server.stderr()
        assert ("loaded from the snapshot" in server.stderr()) == path.exists()
        import_file(data, [{"type": "dict", "kind": "meal", "id": 99, "name": f"M{next(numbers)}"}])
        faults.kill(server, at)
        client.eventually(lambda: clock.advance(5) or server.popen.poll() is not None or "snapshot of version" in server.stderr())
        if server.popen.poll() is not None:
            return True
        faults.clear()
        server.stop()
        return False

    killed.path, killed.aside = path, data / "dragoman.db.snapshot.new"
    return killed


def test_a_kill_in_the_middle_of_a_snapshot_leaves_one_that_is_whole_or_none(killed):
    path, aside = killed.path, killed.aside
    assert killed(3) and aside.exists() and not path.exists()
    assert not killed(1 << 20) and path.exists() and not aside.exists(), "what was left is written over"
    for at in itertools.count(1):
        before = path.read_bytes()
        if not killed(at):
            break
        assert aside.exists() == (path.read_bytes() == before), "the one before, or the new one"
    assert at > 5 and not aside.exists() and path.read_bytes() != before
