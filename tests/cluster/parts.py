"""What a cluster is made of, on loopback and in folders of its own: PostgreSQL with a standby, HAProxy, PgBouncer, nodes. Each part is
a process that is ended by its id. For the tests here and for tools/run-cluster."""
import contextlib
import http.client
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
_loader = importlib.machinery.SourceFileLoader("pg_cluster", str(ROOT / "tests" / "pg_cluster"))
pg_cluster = importlib.util.module_from_spec(importlib.util.spec_from_loader("pg_cluster", _loader))
_loader.exec_module(pg_cluster)
Postgres, free_port = pg_cluster.Cluster, pg_cluster.free_port

#: So that a standby can be taken of it; and when each commit was, for the figures.
REPLICATED = {"wal_level": "replica", "max_wal_senders": "10", "wal_keep_size": "512MB", "track_commit_timestamp": "on",
              "hot_standby_feedback": "on"}
#: `postgres` for what refuses to run as root.
AS_SERVICE = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}


def wait_for(condition, seconds, what):
    """The first true value of condition()."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise TimeoutError(f"after {seconds} s there was still not: {what() if callable(what) else what}")
        time.sleep(0.02)


def own(path):
    """Of the user that PostgreSQL runs as."""
    if AS_SERVICE:
        shutil.chown(path, "postgres", "postgres")


def answers(port):
    with contextlib.suppress(OSError):
        socket.create_connection(("127.0.0.1", port), timeout=2).close()
        return True
    return False


def get(port, path, headers=None, timeout=10):
    """(status, headers, body); None where nobody answers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request("GET", path, headers={"Connection": "close", **(headers or {})})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


class Part:
    """A process with its log."""

    def __init__(self, name, command, log, **more):
        self.name, self.command, self.log, self.more, self.process = name, [str(arg) for arg in command], pathlib.Path(log), more, None

    def start(self):
        with open(self.log, "ab") as log:
            # A session of its own: Ctrl-C is for us, and we end the parts in their order.
            self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, **self.more)
        return self

    @property
    def pid(self):
        return self.process.pid

    def runs(self):
        return self.process is not None and self.process.poll() is None

    def said(self):
        return self.log.read_text("utf-8", "replace")

    def stop(self, how=signal.SIGTERM, seconds=40):
        """@return the exit status."""
        if self.process is None:
            return 0
        if self.runs():
            os.kill(self.pid, how)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


class Node(Part):
    """A `dragoman serve`; a start after a stop has the same port."""

    def __init__(self, name, dragoman, store, data, port=0, options=()):
        self.data, self.port = data, port or free_port()
        data.mkdir(exist_ok=True)
        command = [dragoman, "serve", "--store", store, "--data", data, "--listen", f"127.0.0.1:{self.port}", *options]
        super().__init__(name, command, data / "log")

    def ready(self, path="/readyz"):
        answer = get(self.port, path)
        return answer is not None and answer[0] == 200

    def wait_ready(self, seconds=300):
        def is_ready():
            if not self.runs():
                raise RuntimeError(f"{self.name} has ended: {self.said()}")
            return self.ready()
        wait_for(is_ready, seconds, lambda: f"{self.name} is ready: {self.said()}")


class HAProxy(Part):
    """Before the nodes. `text` is its configuration, with PLACE for its folder."""

    def __init__(self, place, text):
        self.place = pathlib.Path(place)
        self.place.mkdir(exist_ok=True)
        (self.place / "haproxy.cfg").write_text(text.replace("PLACE", str(self.place)))
        super().__init__("haproxy", [haproxy_program(), "-db", "-f", self.place / "haproxy.cfg"], self.place / "log")


class Nginx(Part):
    """Before the nodes. `text` is what stands within http of its configuration."""

    def __init__(self, place, text):
        place.mkdir(exist_ok=True)
        temporary = "".join(f"{name}_temp_path {place}/{name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (place / "nginx.conf").write_text(f"daemon off;\nmaster_process off;\nerror_log {place}/error.log;\npid {place}/pid;\nevents {{}}\n"
                                          f"http {{\naccess_log off;\n{temporary}{text}}}\n")
        super().__init__("nginx", [nginx_program(), "-e", place / "error.log", "-p", place, "-c", place / "nginx.conf"], place / "log")


def nginx_program():
    return shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")


def haproxy_program():
    return shutil.which("haproxy", path=os.environ.get("PATH", "") + ":/usr/sbin")


def haproxy_for(port, nodes, text=None):
    """packaging/cluster/haproxy.cfg, with the ports of here."""
    text = text or configuration("haproxy.cfg")
    text = re.sub(r"^ *bind .*", f"    bind 127.0.0.1:{port}", text, flags=re.M)
    server = re.search(r"^ *server .*$\n", text, re.M)
    lines = "".join(re.sub(r"server \S+ \S+", f"server {node.name} 127.0.0.1:{node.port}", server.group()) for node in nodes)
    return text[:server.start()] + lines + re.sub(r"^ *server .*$\n", "", text[server.start():], flags=re.M)


def configuration(name):
    return (ROOT / "packaging/cluster" / name).read_text("utf-8")


class Pooler(Part):
    """PgBouncer in transaction mode."""
    program = "/usr/sbin/pgbouncer"

    def __init__(self, place, postgres, pool=20):
        self.place, self.port = pathlib.Path(place), free_port()
        self.place.mkdir(exist_ok=True)
        (self.place / "users").write_text(f'"{postgres.user}" ""\n')
        (self.place / "ini").write_text(
            f"[databases]\n* = host=127.0.0.1 port={postgres.port}\n[pgbouncer]\nlisten_addr=127.0.0.1\nlisten_port={self.port}\n"
            f"unix_socket_dir=\nauth_type=trust\nauth_file={self.place}/users\npool_mode=transaction\ndefault_pool_size={pool}\n")
        super().__init__("pgbouncer", [self.program, "-q", self.place / "ini"], self.place / "log", **({"user": "postgres"} if AS_SERVICE else {}))


def standby_of(primary, name="standby", port=None, settings=None):
    """Streams from the primary as `name`; not started yet. `with` starts it too."""
    standby = Postgres(durable="fsync" not in primary.settings, settings={**REPLICATED, **(settings or {})}, port=port)
    try:
        standby.run("pg_basebackup", "-D", standby.data, "-R", "-c", "fast", "-d",
                    f"host=127.0.0.1 port={primary.port} user={primary.user} application_name={name}")
    except BaseException:
        standby.__exit__()
        raise
    return standby


def is_streaming(primary, name="standby"):
    return primary.psql("postgres", f"SELECT count(*) FROM pg_stat_replication WHERE application_name = '{name}' AND state = 'streaming'") == "1"


def insist_on(primary, name="standby"):
    """From now on a commit is answered when that standby has it too: a failover loses nothing that was acknowledged."""
    wait_for(lambda: is_streaming(primary, name), 300, f"{name} streams")
    primary.psql("postgres", f"ALTER SYSTEM SET synchronous_standby_names = '{name}'")
    primary.psql("postgres", "SELECT pg_reload_conf()")
    wait_for(lambda: primary.psql("postgres", "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") == "1", 300, f"{name} is synchronous")


def processes_of(postgres):
    """The postmaster first, which starts the others."""
    children = pathlib.Path(f"/proc/{postgres.server.pid}/task/{postgres.server.pid}/children").read_text("ascii")
    return [postgres.server.pid, *map(int, children.split())]


def wake(postgres):
    for pid in reversed(processes_of(postgres)):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


@contextlib.contextmanager
def hanging(postgres):
    """It is connected to, and says nothing."""
    os.kill(postgres.server.pid, signal.SIGSTOP)
    try:
        for pid in processes_of(postgres)[1:]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)
        yield
    finally:
        wake(postgres)


def promote(standby):
    standby.psql("postgres", "SELECT pg_promote()")
