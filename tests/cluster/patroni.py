"""A Patroni cluster on loopback: etcd, three members, and HAProxy, which leads to the primary. Configuration as in packaging/cluster."""
import contextlib
import json
import os
import pathlib
import shutil
import signal
import tempfile

import psycopg2

import parts

MEMBERS = 3


def missing():
    """The programs that are not there."""
    return [name for name in ("etcd", "patroni", "haproxy") if shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin") is None]


class Member(parts.Part):
    """Patroni with its PostgreSQL."""

    def __init__(self, place, number, etcd, everyone):
        self.place = place / f"pg{number}"
        self.place.mkdir()
        self.port, self.rest = parts.free_port(), parts.free_port()
        text = parts.configuration("patroni.yml")
        for word, value in {"10.0.0.21:2379": f"127.0.0.1:{etcd}", "10.0.0.21:8008": f"127.0.0.1:{self.rest}",
                            "10.0.0.21:5432": f"127.0.0.1:{self.port}", "name: pg1": f"name: pg{number}",
                            "/var/lib/postgresql/15/main": str(self.place / "data"), "/run/postgresql": str(self.place),
                            "/usr/lib/postgresql/15/bin": str(parts.pg_cluster.binaries()), "10.0.0.0/24": "127.0.0.0/8",
                            "scram-sha-256": "trust"}.items():
            assert word in text, word
            text = text.replace(word, value)
        (self.place / "patroni.yml").write_text(text)
        parts.own(self.place)
        everyone.append(self)
        super().__init__(f"pg{number}", ["patroni", self.place / "patroni.yml"], self.place / "log", cwd=self.place,
                         env={**os.environ, "HOME": str(self.place)}, **parts.AS_SERVICE)

    def says(self, path="/"):
        """What its REST interface answers: (status, body)."""
        answer = parts.get(self.rest, path, timeout=3)
        with contextlib.suppress(ValueError):
            return (answer[0], json.loads(answer[2])) if answer else (0, {})
        return answer[0], {}

    def is_primary(self):
        return self.says("/primary")[0] == 200

    def postmaster(self):
        with contextlib.suppress(OSError, ValueError):
            return int((self.place / "data" / "postmaster.pid").read_text().split("\n", maxsplit=1)[0])
        return None

    def crash_postgres(self):
        """The server and every process of it, as a crash would."""
        pid = self.postmaster()
        children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for one in (pid, *map(int, children)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)

    def crash(self):
        """The whole machine: Patroni first, so that nothing is tidied up."""
        self.stop(signal.SIGKILL)
        self.crash_postgres()

    def end(self):
        pid = self.postmaster()
        self.stop()
        if pid is not None and pathlib.Path(f"/proc/{pid}").exists():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGQUIT)
            parts.wait_for(lambda: not pathlib.Path(f"/proc/{pid}").exists(), 60, "PostgreSQL has ended")


class Patroni:
    def __init__(self):
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="drg-patroni-"))
        self.place.chmod(0o755)
        self.etcd_port, self.port, self.members = parts.free_port(), parts.free_port(), []
        peer = f"http://127.0.0.1:{parts.free_port()}"
        here = f"http://127.0.0.1:{self.etcd_port}"
        self.etcd = parts.Part("etcd", ["etcd", "--name", "e1", "--data-dir", self.place / "etcd", "--listen-client-urls", here,
                                        "--advertise-client-urls", here, "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
                                        "--initial-cluster", f"e1={peer}", "--log-level", "error"], self.place / "etcd.log")
        self.haproxy = None

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self):
        self.etcd.start()
        parts.wait_for(lambda: parts.answers(self.etcd_port), 30, self.etcd.said)
        for number in range(1, MEMBERS + 1):
            Member(self.place, number, self.etcd_port, self.members).start()
        text = parts.configuration("haproxy-primary.cfg")
        for member, host in zip(self.members, ("10.0.0.21", "10.0.0.22", "10.0.0.23")):
            text = text.replace(f"{host}:5432", f"127.0.0.1:{member.port}").replace("check port 8008", f"check port {member.rest}", 1)
        text = text.replace("bind :5000", f"bind 127.0.0.1:{self.port}")
        self.haproxy = parts.HAProxy(self.place / "haproxy", text).start()
        self.wait_whole()

    def wait_whole(self, seconds=180):
        """One primary, the others stream, one of them synchronously, and HAProxy leads there."""
        def whole():
            for member in self.members:
                if not member.runs():
                    raise RuntimeError(f"{member.name} has ended: {member.said()[-2000:]}")
            states = [member.says("/patroni")[1] for member in self.members]
            primaries = [s for s in states if s.get("role") in ("master", "primary") and s.get("state") == "running"]
            if len(primaries) != 1 or sum(s.get("state") == "running" for s in states) != MEMBERS:
                return False
            streams = [r for r in primaries[0].get("replication", []) if r["state"] == "streaming"]
            return len(streams) == MEMBERS - 1 and any(r["sync_state"] == "sync" for r in streams) and self.leads()
        parts.wait_for(whole, seconds, lambda: f"the cluster is whole: {[m.says('/patroni') for m in self.members]}")

    def leads(self):
        with contextlib.suppress(psycopg2.Error):
            with contextlib.closing(psycopg2.connect(self.url("postgres"), connect_timeout=2)) as connection, connection.cursor() as cursor:
                cursor.execute("SELECT pg_is_in_recovery()")
                return not cursor.fetchone()[0]
        return False

    def primary(self):
        return parts.wait_for(lambda: next((m for m in self.members if m.is_primary()), None), 60, "a primary")

    def url(self, database):
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def execute(self, database, sql):
        with contextlib.closing(psycopg2.connect(self.url(database), connect_timeout=5)) as connection:
            connection.autocommit = True
            connection.cursor().execute(sql)

    def __exit__(self, *_):
        for part in (self.haproxy,):
            if part is not None:
                part.stop()
        for member in self.members:
            member.end()
        self.etcd.stop()
        shutil.rmtree(self.place, ignore_errors=True)
