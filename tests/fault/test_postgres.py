"""The store in PostgreSQL when things are not as they should be: whose database it is, who may what, which server answers, and
connections that break at the worst moment. With a server of its own (tests/pg_cluster)."""
import contextlib
import json
import os
import pathlib
import re
import select
import signal
import socket
import struct
import threading

import pytest

import api_conftest
import client
import parts
import registration

ROOT, pg_cluster = parts.ROOT, parts.pg_cluster

PASSWORD = "Very-Secret-Word"

pytestmark = [pytest.mark.skipif(not pathlib.Path("/usr/lib/postgresql").exists(), reason="there is no PostgreSQL"),
              pytest.mark.xdist_group("postgres")]


@pytest.fixture(scope="module")
def cluster():
    with pg_cluster.Cluster() as made:
        # Passwords count over TCP, not for the tests' own superuser.
        (made.data / "pg_hba.conf").write_text("local all all trust\nlocal replication all trust\nhost all postgres all trust\nhost replication postgres all trust\nhost all all all scram-sha-256\n")
        made.psql("postgres", "SELECT pg_reload_conf()")
        yield made


@pytest.fixture
def database(cluster, request):
    name = "d_" + re.sub(r"\W", "_", request.node.name.lower())[:50]
    cluster.psql("postgres", f'CREATE DATABASE "{name}"')
    yield name
    cluster.psql("postgres", f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture
def store(cluster, database):
    return cluster.url(database)


@pytest.fixture
def data(tmp_path):
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


def refused(done, *words):
    """One clear line."""
    assert done.returncode == 1, (done.stdout, done.stderr)
    assert done.stderr.count("\n") == 1, done.stderr
    assert PASSWORD not in done.stderr + done.stdout
    for word in words:
        assert word in done.stderr, done.stderr


@pytest.fixture
def serve_store(run, processes):
    """serve_store(store, data, records): a server on that store; keys= those of another one there."""
    started = []

    def start(store, data, records, keys=None, options=(), **more):
        data.mkdir(exist_ok=True)

        def made(*args):
            done = run(*args, "--data", data, "--store", store)
            assert done.returncode == 0, done.stderr
            return done.stdout

        if records is not None:
            made("import", records)
            keys = {"a": json.loads(made("key", "create", "--api", "a", "--json")),
                    "b": json.loads(made("key", "create", "--api", "b", "--secret", "--json"))}
        process = processes("--store", store, *options, data=data, **more)
        started.append(process)
        return api_conftest.Server(process, data, keys)

    yield start
    for process in started:
        os.kill(process.pid, signal.SIGTERM)
    for process in started:
        assert process.popen.wait(client.PATIENCE) == 0, process.stderr()
        assert not re.search("sanitizer|runtime error|assertion", process.stderr(), re.IGNORECASE), process.stderr()


# ---- who may, and what is there ---------------------------------------------------------------------------------

def commands(mini):
    return [("import", mini), ("status",), ("export",), ("key", "create", "--api", "a"), ("serve", "--listen", "127.0.0.1:0")]


@pytest.mark.parametrize("url, words", [
    (f"postgresql://u:{PASSWORD}@127.0.0.1/x", ["has a password", "~/.pgpass", "PGPASSWORD"]),
    (f"postgresql://127.0.0.1/x?password={PASSWORD}", ["has a password"]),
    (f"postgresql://127.0.0.1/x?user=u&password={PASSWORD}&sslmode=disable", ["has a password"]),
    (f"postgresql://u:{PASSWORD}@[::1/x", ["none of PostgreSQL"]),
    ("postgresql://127.0.0.1/x?colour=red", ["none of PostgreSQL", "colour"]),
    ("postgresql://127.0.0.1:1/x", ["127.0.0.1:1/x"]),
    ("mysql://127.0.0.1/x", ["no store engine is called"]),
])
def test_a_url_that_will_not_do(run, data, mini, url, words):
    for args in commands(mini):
        refused(run(*args, "--data", data, "--store", url), *words)


def test_a_wrong_password_is_one_line(cluster, run, database, data, mini, monkeypatch):
    cluster.psql("postgres", f"CREATE ROLE locked LOGIN PASSWORD '{PASSWORD}'")
    monkeypatch.setenv("PGPASSWORD", PASSWORD + "x")
    for args in commands(mini):
        refused(run(*args, "--data", data, "--store", cluster.url(database, "locked")), "password authentication failed", ".pgpass")
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    refused(run("import", mini, "--data", data, "--store", cluster.url(database, "locked")), "permission denied", "rights")


def test_least_rights_are_enough(cluster, run, database, data, mini, monkeypatch, processes):
    """The roles of docs/operations.md, to the letter."""
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    text = (ROOT / "docs" / "operations.md").read_text("utf-8")
    grants = re.search(r"```sql\n(.*?)```", text, re.S).group(1).replace("dragoman_db", database).replace("'...'", f"'{PASSWORD}'")
    owner, service, reader = (cluster.url(database, f"dragoman_{role}") for role in ("owner", "service", "reader"))
    before, after = grants.split("-- The tables are there now")
    for statement in before.split(";")[:-1]:
        cluster.psql(database, statement.replace(f"CREATE DATABASE {database} OWNER dragoman_owner", f"ALTER DATABASE {database} OWNER TO dragoman_owner"))
    assert run("import", mini, "--data", data, "--store", owner).returncode == 0
    for statement in after.partition("\n")[2].split(";")[:-1]:
        cluster.psql(database, statement)
    for args in (("import", mini), ("key", "create", "--api", "a"), ("map", "clear", "7", "hotel", "1001"), ("check",)):
        done = run(*args, "--data", data, "--store", service)
        assert done.returncode == 0, (args, done.stderr)
    process = processes("--store", service, data=data)
    process.stop()
    for args in (("status",), ("export",), ("check",)):
        done = run(*args, "--data", data, "--store", reader)
        assert done.returncode == 0, (args, done.stderr)
    refused(run("key", "create", "--api", "a", "--data", data, "--store", reader), "permission denied")


def test_a_schema_of_another_application_is_left_alone(cluster, run, database, store, data, mini):
    cluster.psql(database, "CREATE SCHEMA dragoman")
    cluster.psql(database, "CREATE TABLE dragoman.clock (hands int)")
    for args in commands(mini):
        refused(run(*args, "--data", data, "--store", store), "another application")
    assert cluster.psql(database, "SELECT count(*) FROM pg_class WHERE relnamespace = 'dragoman'::regnamespace") == "1"


def test_a_newer_schema_is_left_alone(cluster, run, database, store, data, mini):
    assert run("import", mini, "--data", data, "--store", store).returncode == 0
    cluster.psql(database, "INSERT INTO dragoman.migration VALUES (9999, 'later', now())")
    for args in commands(mini):
        refused(run(*args, "--data", data, "--store", store), "newer dragoman", "9999")


def test_an_empty_database_is_no_store_to_read(run, store, data):
    for args in (("status",), ("export",), ("check",), ("key", "list")):
        refused(run(*args, "--data", data, "--store", store), "there is no store in")


def test_texts_that_are_no_utf8_are_refused(cluster, run, data, mini):
    cluster.psql("postgres", "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'")
    refused(run("import", mini, "--data", data, "--store", cluster.url("latin")), "LATIN1", "UTF8")


class OldServer(threading.Thread):
    """As much of a server as says its version."""

    def __init__(self, version):
        super().__init__(daemon=True)
        self.version, self.listener = version, socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.start()

    @staticmethod
    def message(kind, body):
        return kind + struct.pack("!i", len(body) + 4) + body

    def status(self, name, value):
        return self.message(b"S", name.encode() + b"\0" + value.encode() + b"\0")

    def greeting(self):
        told = {"server_version": self.version, "server_encoding": "UTF8", "client_encoding": "UTF8", "in_hot_standby": "off",
                "default_transaction_read_only": "off", "standard_conforming_strings": "on"}
        return (self.message(b"R", struct.pack("!i", 0)) + b"".join(self.status(*pair) for pair in told.items())
                + self.message(b"K", struct.pack("!ii", 1, 1)) + self.message(b"Z", b"I"))

    def run(self):
        while True:
            connection, _ = self.listener.accept()
            with connection, contextlib.suppress(OSError):
                while True:
                    head = connection.recv(8)
                    if len(head) < 8:
                        break
                    size, code = struct.unpack("!ii", head)
                    connection.recv(size - 8)
                    if code in (80877103, 80877104):
                        connection.sendall(b"N")
                        continue
                    connection.sendall(self.greeting())
                    while connection.recv(65536):
                        connection.sendall(self.message(b"T", struct.pack("!h", 0)) + self.message(b"C", b"SELECT 0\0")
                                           + self.message(b"Z", b"I"))
                    break


def test_an_older_server_is_refused(run, data, mini):
    old = OldServer("14.12")
    for args in commands(mini):
        refused(run(*args, "--data", data, "--store", f"postgresql://127.0.0.1:{old.port}/x"), "14.12", "needs 15")


# ---- no secrets -------------------------------------------------------------------------------------------------

def test_no_password_in_logs_and_the_list_of_processes(cluster, run, database, data, mini, monkeypatch, processes):
    cluster.psql("postgres", f"CREATE ROLE everything LOGIN SUPERUSER PASSWORD '{PASSWORD}'")
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    store = cluster.url(database, "everything")
    assert run("import", mini, "--data", data, "--store", store).returncode == 0
    assert PASSWORD not in run("status", "--data", data, "--store", store).stdout
    process = processes("--store", store, data=data)
    assert PASSWORD.encode() not in pathlib.Path(f"/proc/{process.pid}/cmdline").read_bytes()
    cluster.psql("postgres", f"ALTER DATABASE {database} ALLOW_CONNECTIONS false")
    cluster.psql("postgres", f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'")
    assert client.wait_until(lambda: "cannot follow the store" in process.stderr()), process.stderr()
    cluster.psql("postgres", f"ALTER DATABASE {database} ALLOW_CONNECTIONS true")
    client.eventually(lambda: "the store answers again" in process.stderr())
    assert PASSWORD not in process.stderr()
    os.kill(process.pid, signal.SIGTERM)
    assert process.popen.wait(client.PATIENCE) == 0


# ---- several servers on one store -------------------------------------------------------------------------------

def add(server, id, **headers):
    return registration.source_add(server, headers, meal=[{"id": id, "name": id}])


def knows(server, id):
    return registration.is_registered(server, "meal", id)


def test_each_server_shows_what_any_writes(store, tmp_path, mini, serve_store):
    one = serve_store(store, tmp_path / "one", mini)
    two = serve_store(store, tmp_path / "two", None, keys=one.keys, options=("--poll-ms", "60000"))
    for n in range(10):
        assert add(one, f"A{n}").status == 200
        assert client.wait_until(lambda: knows(two, f"A{n}"), 50), "an announcement wakes it, before it looks"
        assert add(two, f"B{n}").status == 200
        client.eventually(lambda: knows(one, f"B{n}"))


def test_a_server_whose_listening_is_ended_goes_on_by_looking(cluster, database, store, tmp_path, mini, serve_store):
    one = serve_store(store, tmp_path / "one", mini)
    two = serve_store(store, tmp_path / "two", None, keys=one.keys)
    for n in range(5):
        cluster.psql(database, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE '% (looks)'")
        assert add(one, f"A{n}").status == 200
        client.eventually(lambda: knows(two, f"A{n}"))


def test_a_database_that_restarts_is_found_again(cluster, store, tmp_path, mini, serve_store):
    server = serve_store(store, tmp_path / "one", mini)
    assert add(server, "before").status == 200
    cluster.stop()
    assert knows(server, "before"), "reads go on"
    answer = add(server, "meanwhile")
    client.assert_error(answer, 503)
    assert int(answer.headers["Retry-After"]) > 0
    cluster.start()
    client.eventually(lambda: add(server, "after").status == 200)
    assert knows(server, "after") and knows(server, "before")


# ---- a network that breaks --------------------------------------------------------------------------------------

class Proxy(threading.Thread):
    """Between a server and its database. `at_commit`: "before" cuts the connection before the COMMIT of what names `about` goes on,
    "after" when the database has done it and has not been heard; `away`: nobody gets through. `asked` counts what the server sends."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port_behind, self.listener = port, socket.create_server(("127.0.0.1", 0))
        self.port, self.at_commit, self.away, self.stays_away, self.open = self.listener.getsockname()[1], None, False, False, []
        self.asked, self.about = 0, b""
        self.start()

    def cut_at_commit(self, when, about, stays_away=False):
        self.about, self.stays_away, self.at_commit = about.encode(), stays_away, when

    def run(self):
        while True:
            front, _ = self.listener.accept()
            if self.away:
                front.close()
                continue
            threading.Thread(target=self.carry, args=(front,), daemon=True).start()

    def carry(self, front):
        back = socket.create_connection(("127.0.0.1", self.port_behind))
        self.open += [front, back]
        named = set()  # what of it this connection has carried
        with contextlib.suppress(OSError):
            while self.carry_some(front, back, named):
                pass
        for end in (front, back):
            end.close()

    def carry_some(self, front, back, named):
        for end in select.select([front, back], [], [])[0]:
            sent = end.recv(1 << 16)
            if not sent:
                return False
            self.asked += end is front
            if end is front and self.about in sent:
                named.add(self.about)
            if end is front and b"COMMIT\0" in sent and self.at_commit is not None and self.about in named:
                if self.at_commit == "after":
                    back.sendall(sent)
                    back.recv(1 << 16)
                self.at_commit, self.away = None, self.stays_away
                return False
            (back if end is front else front).sendall(sent)
        return True

    def cut_all(self):
        for end in self.open:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def behind_proxy(cluster, database, tmp_path, mini, serve_store):
    proxy = Proxy(cluster.port)
    store = f"postgresql://{cluster.user}@127.0.0.1:{proxy.port}/{database}?sslmode=disable"
    return proxy, serve_store(store, tmp_path / "one", mini)


def stored(cluster, database, id):
    return cluster.psql(database, f"SELECT count(*) FROM dragoman.source WHERE id = '{id}'") == "1"


def test_a_commit_whose_answer_is_lost_is_known(cluster, database, behind_proxy):
    proxy, server = behind_proxy
    assert add(server, "first").status == 200
    proxy.cut_at_commit("after", "second")
    answer = add(server, "second")
    assert answer.status == 200, answer
    assert proxy.at_commit is None and stored(cluster, database, "second") and knows(server, "second")
    proxy.cut_at_commit("before", "third")
    answer = add(server, "third")
    client.assert_error(answer, 503, reason="not_stored")
    assert not stored(cluster, database, "third")
    assert add(server, "third").status == 200


@pytest.mark.parametrize("when, is_stored", [("before", False), ("after", True)])
def test_a_retry_of_what_is_unknown_is_exact(cluster, database, behind_proxy, when, is_stored):
    proxy, server = behind_proxy
    proxy.cut_at_commit(when, "once", stays_away=True)
    answer = add(server, "once", **{"Idempotency-Key": "k-1"})
    client.assert_error(answer, 503, reason="outcome_unknown")
    assert stored(cluster, database, "once") == is_stored
    proxy.away = False
    retried = client.wait_until(lambda: (a := add(server, "once", **{"Idempotency-Key": "k-1"})).status == 200 and a)
    member = retried.data()["meal"]["once"]
    assert "source" in member, "as if it had never been asked before"
    assert stored(cluster, database, "once")


def test_a_cut_network_costs_writes_and_no_reads(behind_proxy):
    proxy, server = behind_proxy
    assert add(server, "first").status == 200
    proxy.away = True
    proxy.cut_all()
    for _ in range(5):
        assert knows(server, "first")
        client.assert_error(add(server, "second"), 503)
    proxy.away = False
    client.eventually(lambda: add(server, "second").status == 200)


def test_a_check_does_not_ask_for_each_record(cluster, run, database, data, tmp_path):
    proxy = Proxy(cluster.port)
    store = f"postgresql://{cluster.user}@127.0.0.1:{proxy.port}/{database}?sslmode=disable"
    many = tmp_path / "many.ndjson"
    many.write_text("".join(f'{{"type":"dict","kind":"meal","id":{n},"name":"Meal {n}"}}\n' for n in range(1, 3001)), "utf-8")
    assert run("import", many, "--data", data, "--store", store).returncode == 0
    before = proxy.asked
    done = run("check", "--data", data, "--store", store)
    assert done.returncode == 0 and "sound" in done.stdout
    assert 0 < proxy.asked - before < 300


# ---- a pooler between --------------------------------------------------------------------------------------------

@pytest.fixture
def pooler(cluster):
    if not os.path.exists(parts.Pooler.program):
        pytest.skip("there is no pgbouncer")
    part = parts.Pooler(cluster.dir / "pooler", cluster, pool=6).start()
    try:
        parts.wait_for(lambda: parts.answers(part.port), client.PATIENCE, part.said)
        yield part.port
    finally:
        part.stop()


def test_a_pooler_of_transactions_may_stand_between(cluster, run, pooler, database, tmp_path, mini, serve_store):
    store = f"postgresql://{cluster.user}@127.0.0.1:{pooler}/{database}"
    one = serve_store(store, tmp_path / "one", mini)
    two = serve_store(store, tmp_path / "two", None, keys=one.keys)
    for n in range(20):
        assert add(one if n % 2 == 0 else two, f"A{n}").status == 200
    for server in (one, two):
        client.eventually(lambda: all(knows(server, f"A{n}") for n in range(20)))
    held = run("import", mini, "--data", tmp_path / "one", "--store", store)
    assert held.returncode == 0, held.stderr
    assert run("check", "--data", tmp_path / "one", "--store", store).returncode == 0


# ---- a standby ---------------------------------------------------------------------------------------------------

def test_reads_may_go_to_a_standby(cluster, database, tmp_path, mini, serve_store):
    with parts.standby_of(cluster) as standby:
        hosts = f"{cluster.user}@127.0.0.1:{cluster.port},127.0.0.1:{standby.port}"
        store = f"postgresql://{hosts}/{database}?target_session_attrs=prefer-standby"
        server = serve_store(store, tmp_path / "one", mini)
        for n in range(5):
            assert add(server, f"A{n}").status == 200
            assert knows(server, f"A{n}"), "it answers when it shows what it wrote"
        reading = f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{database}' AND application_name = 'dragoman'"
        assert int(standby.psql("postgres", reading)) >= 1 and int(cluster.psql("postgres", reading)) >= 1
