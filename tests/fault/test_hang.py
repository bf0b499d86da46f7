"""A database that hangs: it is there, and says nothing. Whoever asks is told so in time, nodes go over to who has taken over, and none
goes back. Time is that of the fixture `clock`: it passes when the test says so."""
import contextlib
import select
import socket
import threading

import pytest

import client
import description
import parts
from test_postgres import (Proxy, add, cluster, data, database, knows, pytestmark, refused, serve_store,  # noqa: F401 pylint: disable=unused-import
                           store)
from test_postgres_faults import has_row, replicated


#: So that each description of a hotel is read from the store.
NOTHING_KEPT = ("--content-cache", "0")


def ask_all(server):
    """What needs the store: (name, what asks for it)."""
    return {"changes": lambda: server.b("changes"),
            "hotelDescription": lambda: description.describe(server, 7, 1001),
            "sourceAdd": lambda: add(server, "meanwhile")}


def answers_in_time(clock, asked):
    """What they answer, while time passes in small steps."""
    answers = {}
    threads = [threading.Thread(target=lambda name=name, ask=ask: answers.update({name: ask()})) for name, ask in asked.items()]
    for thread in threads:
        thread.start()
    assert client.wait_until(lambda: clock.advance(0.5) or not any(thread.is_alive() for thread in threads)), sorted(set(asked) - set(answers))
    return answers


def state(server):
    answer = server.request("/readyz").json()
    return answer["store"], answer["lag_seconds"] > 0, server.request("/readyz/write").status


def test_nobody_waits_for_a_database_that_hangs(cluster, store, tmp_path, mini, serve_store, clock):
    server = serve_store(store, tmp_path / "one", mini, options=NOTHING_KEPT)
    assert add(server, "before").status == 200
    assert description.describe(server, 7, 1001).status == 200
    with parts.hanging(cluster):
        for name, answer in answers_in_time(clock, ask_all(server)).items():
            client.assert_error(answer, 503, reason="not_stored" if name == "sourceAdd" else "store_away")
            assert int(answer.headers["Retry-After"]) > 0
        assert client.wait_until(lambda: clock.advance(1) or state(server) == ("away", True, 503)), state(server)
        assert client.wait_until(lambda: clock.advance(1) or "cannot follow the store" in server.process.stderr())
        assert knows(server, "before"), "what memory has is answered"
        client.assert_error(answers_in_time(clock, {"last": lambda: description.describe(server, 7, 1001)})["last"], 503, reason="store_away")
    client.eventually(lambda: server.request("/readyz").json()["store"] == "ok")
    assert description.describe(server, 7, 1001).status == 200, "who is ready reads, however short ago the store did not answer"
    client.eventually(lambda: clock.advance(1) or state(server) == ("ok", False, 200))
    client.eventually(lambda: add(server, "after").status == 200)
    assert not knows(server, "meanwhile"), "what was said not to be stored is not"
    log = server.process.stderr()
    for line in ("cannot follow the store", "the store answers again", "cannot write to the store", "the store can be written again"):
        assert log.count(line) == 1, log


def test_a_database_that_hangs_shows_without_a_request(cluster, store, tmp_path, mini, serve_store, clock):
    server = serve_store(store, tmp_path / "one", mini, options=("--match", "off"))
    client.eventually(lambda: state(server) == ("ok", False, 200))
    with parts.hanging(cluster):
        assert client.wait_until(lambda: clock.advance(0.5) or state(server) == ("away", True, 503)), state(server)
    client.eventually(lambda: clock.advance(0.5) or state(server) == ("ok", False, 200))


def test_a_server_stops_while_its_database_hangs(cluster, store, data, run, mini, processes, clock):
    """In order, and not because its time to stop is over."""
    assert run("import", mini, "--data", data, "--store", store).returncode == 0
    process = processes("--store", store, "--stop-timeout", "3600", data=data)
    with parts.hanging(cluster):
        process.popen.terminate()
        assert client.wait_until(lambda: clock.advance(0.2) or process.popen.poll() is not None)
        assert process.popen.wait() == 0, process.stderr()


# ---- what stands between ----------------------------------------------------------------------------------------

class Swallowing(Proxy):
    """Once `swallows` is set, answers end in their middle, and nothing comes after."""
    swallows = False

    def carry_some(self, front, back, named):
        for end in select.select([front, back], [], [])[0]:
            sent = end.recv(1 << 16)
            if not sent:
                return False
            if end is front:
                back.sendall(sent)
            else:
                front.sendall(sent[:len(sent) // 2] if self.swallows else sent)
        return True


def test_an_answer_that_ends_in_its_middle_is_not_waited_for(cluster, database, tmp_path, mini, serve_store, clock):
    proxy = Swallowing(cluster.port)
    server = serve_store(f"postgresql://{cluster.user}@127.0.0.1:{proxy.port}/{database}?sslmode=disable", tmp_path / "one", mini,
                         options=NOTHING_KEPT)
    assert add(server, "before").status == 200 and description.describe(server, 7, 1001).status == 200
    proxy.swallows = True
    for answer in answers_in_time(clock, ask_all(server)).values():
        client.assert_error(answer, 503)
    assert knows(server, "before")
    proxy.swallows = False
    proxy.cut_all()
    client.eventually(lambda: clock.advance(0.5) or add(server, "after").status == 200)


@contextlib.contextmanager
def silent(full=False):
    """A port that is connected to. `full`: as many wait there as can."""
    with socket.socket() as listener, contextlib.ExitStack() as waiting:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _ in range(4 if full else 0):
            one = waiting.enter_context(socket.socket())
            one.setblocking(False)
            one.connect_ex(listener.getsockname())
        yield listener.getsockname()[1]


@pytest.mark.parametrize("full", [False, True], ids=["silent", "full"])
def test_one_host_that_is_silent_holds_up_nobody(cluster, database, tmp_path, mini, run, serve_store, monkeypatch, full):
    """Neither a command nor the start of a server, however long its connections may take to be made."""
    monkeypatch.setenv("PGCONNECT_TIMEOUT", "3600")
    with silent(full) as port:
        store = f"postgresql://{cluster.user}@127.0.0.1:{port},127.0.0.1:{cluster.port}/{database}"
        server = serve_store(store, tmp_path / "one", mini)
        assert add(server, "first").status == 200 and knows(server, "first")
        assert description.describe(server, 7, 1001).status == 200


@pytest.mark.parametrize("full", [False, True], ids=["silent", "full"])
def test_a_host_that_is_silent_is_said(run, data, monkeypatch, full):
    monkeypatch.setenv("PGCONNECT_TIMEOUT", "1")
    with silent(full) as port:
        refused(run("status", "--data", data, "--store", f"postgresql://127.0.0.1:{port}/x"), f"127.0.0.1:{port} does not answer")


# ---- another one takes over -------------------------------------------------------------------------------------

@pytest.fixture
def pair():
    with replicated(1) as made:
        yield made


def both(first, second):
    return f"postgresql://{first.user}@127.0.0.1:{first.port},127.0.0.1:{second.port}/postgres"


def takeovers(server):
    return server.process.stderr().count("has taken over (timeline 2 after 1)")


@pytest.mark.parametrize("attributes", ["", "?target_session_attrs=prefer-standby", "?target_session_attrs=primary"])
def test_a_node_goes_over_to_who_took_over_and_never_back(pair, tmp_path, mini, serve_store, clock, attributes):
    primary, standby = pair
    server = serve_store(both(primary, standby) + attributes, tmp_path / "one", mini, options=NOTHING_KEPT)
    assert add(server, "before").status == 200
    client.eventually(lambda: has_row(standby, "before"))
    with parts.hanging(primary):
        parts.promote(standby)
        client.eventually(lambda: clock.advance(0.5) or add(server, "after").status == 200)
        assert knows(server, "after") and knows(server, "before") and has_row(standby, "after")
        client.eventually(lambda: clock.advance(0.5) or state(server) == ("ok", False, 200))
    # It wakes, unfenced, and takes writes.
    primary.psql("postgres", "CREATE TABLE awake (n int)")
    for n in range(5):
        clock.advance(5)
        assert client.wait_until(lambda n=n: add(server, f"later{n}").status == 200)
        assert has_row(standby, f"later{n}") and not has_row(primary, f"later{n}")
        assert description.describe(server, 7, 1001).status == 200
    assert takeovers(server) == 1, server.process.stderr()


def test_a_server_that_is_started_meanwhile_is_on_the_newer_timeline(pair, tmp_path, mini, serve_store):
    """Whichever of the two is named first, and whoever is awake."""
    primary, standby = pair
    one = serve_store(both(primary, standby), tmp_path / "one", mini)
    assert add(one, "before").status == 200
    client.eventually(lambda: has_row(standby, "before"))
    parts.promote(standby)
    client.eventually(lambda: standby.psql("postgres", "SELECT pg_is_in_recovery()") == "f")
    two = serve_store(both(primary, standby), tmp_path / "two", None, keys=one.keys)
    assert add(two, "new").status == 200 and has_row(standby, "new") and not has_row(primary, "new")
