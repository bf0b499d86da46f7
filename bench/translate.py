#!/usr/bin/python3
"""tour/sourceInfo beside what a team would put there instead, on the same data and the same machine: Redis, PostgreSQL,
SQLite, a Node.js service; and the floor, servers that send the same bytes without looking at anything.

bench/translate.py BUILD_DIR [SOURCES]

Without SOURCES: 5,000,000, and the growth of the cost from 1 to 20 million as well (about 20 GB of memory).
CPU is the server's, user and system, from /proc; medians of interleaved rounds."""
import contextlib
import csv
import io
import json
import os
import pathlib
import pwd
import random
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

import common

BENCH = common.ROOT / "bench"
PG_BIN = pathlib.Path("/usr/lib/postgresql/15/bin")
ROUNDS, BODIES, BATCH = 5, 1000, 1000
SOURCES_PER_HOTEL = 3.2                 # of bench data, with 12 adapters
HOTEL_COLUMNS = ("adapter_id", "id", "name", "category_id", "category_name", "country_id", "country_name", "city_id",
                 "city_name", "dict_id")
DICT_COLUMNS = ("kind", "id", "name", "country_id", "city_id", "hotel_category_id")


class World:
    """Data in dragoman, and the hotels that are asked for."""

    def __init__(self, build, folder, sources):
        self.folder, self.ndjson = folder, folder / "data.ndjson"
        self.dragoman = common.Dragoman(build / "dragoman", folder / "data")
        common.synth(self.dragoman.binary, self.ndjson, int(sources / SOURCES_PER_HOTEL), 12)
        self.dragoman.run("import", self.ndjson, stderr=subprocess.DEVNULL)
        self.key = self.dragoman.key("b")["key"]
        self.headers = [f"X-Service-Api-Key: {self.key}"]
        self.hotels = {}                # adapter: its ids
        for record in self.records('"type":"source"'):
            if record["kind"] == "hotel":
                self.hotels.setdefault(record["adapter_id"], []).append(record["id"])
        self.count = sum(map(len, self.hotels.values()))

    def records(self, like):
        with open(self.ndjson, encoding="utf-8") as lines:
            yield from (json.loads(line) for line in lines if like in line)

    def bodies(self, ids):
        """A file of requests with so many random ids each, for translate.lua."""
        path, chosen = self.folder / f"bodies{ids}", random.Random(ids)
        adapters, sizes = list(self.hotels), [len(of) for of in self.hotels.values()]
        with open(path, "w", encoding="utf-8") as out:
            for adapter in chosen.choices(adapters, sizes, k=BODIES):
                out.write(f"{adapter}\t{','.join(chosen.choices(self.hotels[adapter], k=ids))}\n")
        return path

    def ask(self, adapter, ids):
        answer = subprocess.run(["curl", "-sS", "--fail", "-H", self.headers[0], "-H", "Content-Type: application/json",
                                 "--data-binary", "@-", self.dragoman.url(f"/v1/tour/sourceInfo?adapter_id={adapter}")],
                                input=('{"hotel":"' + ",".join(ids) + '"}').encode(), stdout=subprocess.PIPE, check=True)
        return answer.stdout

    def values(self):
        """The JSON of every hotel, byte for byte as it is answered."""
        for adapter, ids in self.hotels.items():
            for at in range(0, len(ids), 10_000):
                body = self.ask(adapter, ids[at:at + 10_000])
                items = body[body.index(b"[") + 1:body.rindex(b"]")].split(b'},{"id":"')
                for i, item in enumerate(items):
                    yield (b'{"id":"' if i > 0 else b"") + item + (b"}" if i + 1 < len(items) else b"")

    def wrk(self, port, ids, **more):
        return common.wrk(f"http://127.0.0.1:{port}", self.headers, script=BENCH / "translate.lua",
                          env={"BODIES": str(self.bodies_of[ids])}, **more)

    def cpu(self, pids, port, ids, **more):
        return cpu_of(pids, lambda: self.wrk(port, ids, **more)[2])


def cpu_of(pids, work):
    """Microseconds of the processes' CPU per request; work() returns how many there were."""
    before = sum(map(common.cpu_seconds, pids))
    requests = work()
    return (sum(map(common.cpu_seconds, pids)) - before) / requests * 1e6


# ---- Redis ----

class Redis:
    def __init__(self, folder):
        self.port = common.free_port()
        self.command = ["redis-server", "--port", self.port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
                        "--dir", folder]

    @contextlib.contextmanager
    def run(self, values):
        with common.process(self.command, stdout=subprocess.DEVNULL) as p:
            while socket.socket().connect_ex(("127.0.0.1", self.port)) != 0:
                time.sleep(0.05)
            self.pid, self.keys = p.pid, self._load(values)
            yield self

    def _load(self, values):
        n = 0
        with socket.create_connection(("127.0.0.1", self.port)) as s:
            for chunk in chunks(values, 10_000):
                s.sendall(b"".join(b"*3\r\n$3\r\nSET\r\n$12\r\n%012d\r\n$%d\r\n%b\r\n" % (n + i, len(v), v)
                                   for i, v in enumerate(chunk)))
                n += len(chunk)
                expected = 5 * len(chunk)       # +OK and a newline each
                while expected > 0:
                    expected -= len(s.recv(1 << 20))
        return n

    def mget(self, connections=16, requests=4000):
        """requests, p99 in ms"""
        out = subprocess.run(["redis-benchmark", "-p", str(self.port), "-c", str(connections), "-n", str(requests), "-r",
                              str(self.keys), "--csv", "MGET", *["__rand_int__"] * BATCH], check=True,
                             stdout=subprocess.PIPE, text=True).stdout
        row = list(csv.DictReader(io.StringIO(out)))[-1]
        return requests, float(row["p99_latency_ms"])


def chunks(values, n):
    chunk = []
    for value in values:
        chunk.append(value)
        if len(chunk) == n:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


# ---- PostgreSQL and the service before it ----

class Postgres:
    """A cluster in a folder of its own. It does not run as root: then it is the user postgres who owns and runs it."""

    def __init__(self):
        self.port, self.folder = common.free_port(), pathlib.Path(tempfile.mkdtemp(prefix="dragoman-bench-pg-"))
        self.user, self.become = pwd.getpwuid(os.geteuid()).pw_name, []
        if os.geteuid() == 0:
            self.user = "postgres"
            self.become = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"]
            shutil.chown(self.folder, "postgres", "postgres")

    @contextlib.contextmanager
    def run(self):
        try:
            subprocess.run([*self.become, PG_BIN / "initdb", "-D", self.folder / "data", "-A", "trust", "--locale=C.UTF-8"],
                           cwd="/", check=True, stdout=subprocess.DEVNULL)
            settings = {"port": self.port, "unix_socket_directories": self.folder, "listen_addresses": "127.0.0.1",
                        "shared_buffers": "2GB", "fsync": "off", "max_wal_size": "8GB"}
            options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
            with common.process([*self.become, PG_BIN / "postgres", "-D", self.folder / "data", *options], cwd="/",
                                stderr=subprocess.DEVNULL) as p:
                self.pid = p.pid
                while subprocess.run([PG_BIN / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]).returncode != 0:
                    time.sleep(0.1)
                yield self
        finally:
            shutil.rmtree(self.folder)

    def sql(self, text, rows=None):
        done = subprocess.Popen(["psql", "-q", "-X", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", str(self.port), "-U",
                                 self.user, "-d", "postgres", "-c", text], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        for row in rows or ():
            done.stdin.write("\t".join("\\N" if value is None else copy_text(value) for value in row).encode() + b"\n")
        done.stdin.close()
        if done.wait() != 0:
            raise SystemExit("psql failed")

    def load(self, world, values):
        self.sql("CREATE TABLE source (adapter_id int, id text, name text, category_id text, category_name text, country_id text,"
                 " country_name text, city_id text, city_name text, dict_id bigint);"
                 "CREATE TABLE dict (kind text, id bigint, name jsonb, country_id bigint, city_id bigint, category_id bigint);"
                 "CREATE TABLE kv (k int, v text)")
        self.sql("COPY source FROM STDIN", ([r.get(name) for name in HOTEL_COLUMNS] for r in world.records('"type":"source"')
                                           if r["kind"] == "hotel"))
        self.sql("COPY dict FROM STDIN", (dict_row(r) for r in world.records('"type":"dict"')))
        self.sql("COPY kv FROM STDIN", ((i, v.decode()) for i, v in enumerate(values)))
        self.sql("ALTER TABLE source ADD PRIMARY KEY (adapter_id, id); ALTER TABLE dict ADD PRIMARY KEY (kind, id);"
                 "ALTER TABLE kv ADD PRIMARY KEY (k)")
        for table in ("source", "dict", "kv"):
            self.sql(f"VACUUM ANALYZE {table}")


def copy_text(value):
    return str(value).replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")


def dict_row(r):
    name = r["name"] if isinstance(r["name"], dict) else {"en": r["name"]}
    return [json.dumps(name, ensure_ascii=False) if column == "name" else r.get(column) for column in DICT_COLUMNS]


@contextlib.contextmanager
def node_service(pg):
    if not (BENCH / "node_modules").exists():
        subprocess.run(["npm", "ci", "--ignore-scripts", "--no-progress"], cwd=BENCH, check=True, stdout=subprocess.DEVNULL)
    port = common.free_port()
    with common.process(["node", BENCH / "node_service.js", port, pg.port, pg.user], cwd=BENCH) as p:
        common.wait_http(f"http://127.0.0.1:{port}/readyz")
        p.port = port
        yield p


# ---- SQLite ----

def sqlite_lookups(build, folder, values):
    path = folder / "kv.sqlite"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE kv (k INTEGER PRIMARY KEY, v TEXT)")
    db.executemany("INSERT INTO kv VALUES (?, ?)", ((i, v.decode()) for i, v in enumerate(values)))
    db.commit()
    keys, = db.execute("SELECT count(*) FROM kv").fetchone()
    db.close()
    out = subprocess.run([build / "bench/sqlite_lookup", path, str(keys), "200"], check=True, stdout=subprocess.PIPE, text=True)
    path.unlink()
    return float(out.stdout)


# ---- figures ----

def allocations(build, world):
    """Calls of malloc and friends for each id beyond the first."""
    counts = {}
    for ids in (1, BATCH):
        report = world.folder / "allocations"
        world.dragoman.port = common.free_port()
        with common.process([world.dragoman.binary, "serve", "--data", world.dragoman.data, "--log-level", "error", "--listen",
                             f"127.0.0.1:{world.dragoman.port}"],
                            env={**os.environ, "LD_PRELOAD": str(build / "bench/libcount_alloc.so"), "COUNT_ALLOC": str(report)}):
            common.wait_http(world.dragoman.url("/readyz"), 600)
            _, _, requests = world.wrk(world.dragoman.port, ids, connections=1, seconds=2)
        counts[ids] = int(report.read_text()), requests
    # What the start takes is the same in both: the larger count is spread over its requests as it is.
    (few, few_requests), (many, many_requests) = counts[1], counts[BATCH]
    print(f"allocations: {few:,} in a run of {few_requests:,} requests of 1 id, {many:,} in one of {many_requests:,} of {BATCH}")
    return common.verdict("allocations of a whole run per id translated", many / (many_requests * BATCH), 0.05)


def thousand(build, world, server):
    d = world.dragoman
    adapter, ids = next(iter(world.hotels.items()))
    answer = world.folder / "answer"
    answer.write_bytes(world.ask(adapter, random.Random(1).choices(ids, k=BATCH)))
    print(f"{world.count:,} hotels of {len(world.hotels)} suppliers; an answer to {BATCH} ids has {answer.stat().st_size:,} bytes")
    floor_port = common.free_port()
    with contextlib.ExitStack() as stack:
        redis = stack.enter_context(Redis(world.folder).run(world.values()))
        pg = stack.enter_context(Postgres().run())
        pg.load(world, world.values())
        node = stack.enter_context(node_service(pg))
        floor = stack.enter_context(common.process([build / "bench/bare_epoll", floor_port, answer]))
        kv = {"KEYS": str(redis.keys)}
        us = common.rounds(
            ROUNDS,
            ours=lambda: world.cpu([server.pid], d.port, BATCH),
            floor=lambda: world.cpu([floor.pid], floor_port, BATCH),
            redis=lambda: cpu_of([redis.pid], lambda: redis.mget()[0]),
            node=lambda: world.cpu([node.pid, pg.pid], node.port, BATCH),
            postgres=lambda: cpu_of([pg.pid], lambda: common.wrk(f"http://127.0.0.1:{node.port}", script=BENCH / "kv.lua", env=kv)[2]))
        p99 = common.rounds(ROUNDS, ours=lambda: world.wrk(d.port, BATCH, connections=64)[1], redis=lambda: redis.mget(64)[1])
    us["sqlite"] = sqlite_lookups(build, world.folder, world.values())
    print("us of CPU for 1,000 ids: " + ", ".join(f"{name} {value:,.0f}" for name, value in us.items()))
    print("p99 with 64 connections, ms: " + ", ".join(f"{name} {value:,.1f}" for name, value in p99.items()))
    kept = common.verdict("CPU to Redis' MGET of the same values", us["ours"] / us["redis"], 1 / 3)
    kept &= common.verdict("CPU to PostgreSQL's = ANY of the same values", us["ours"] / us["postgres"], 1 / 3)
    kept &= common.verdict("CPU to SQLite's look-ups alone", us["ours"] / us["sqlite"], 1 / 3)
    kept &= common.verdict("CPU to a Node.js service over PostgreSQL", us["ours"] / us["node"], 1 / 30)
    kept &= common.verdict("CPU to a bare epoll server that sends the same bytes", us["ours"] / us["floor"], 4)
    return kept & common.verdict("p99 with 64 connections, to Redis", p99["ours"] / p99["redis"], 1 / 3)


def one(build, world, server):
    """A single id, to a bare libmicrohttpd answer of the same size."""
    adapter, ids = next(iter(world.hotels.items()))
    size = sum(len(world.ask(adapter, [id])) for id in ids[:100]) // 100
    port = common.free_port()
    with common.process([build / "bench/bare_mhd", port, size]) as bare:
        common.wait_http(f"http://127.0.0.1:{port}/")
        us = common.rounds(ROUNDS, ours=lambda: world.cpu([server.pid], world.dragoman.port, 1),
                           bare=lambda: world.cpu([bare.pid], port, 1))
    print(f"1 id: {us['ours']:.1f} us of CPU; bare libmicrohttpd with {size} bytes {us['bare']:.1f} us")
    return common.verdict("CPU of 1 id, to a bare answer of the same size", us["ours"] / us["bare"], 1.3)


@contextlib.contextmanager
def world_of(build, sources):
    with common.folder() as folder:
        world = World(build, folder, sources)
        world.bodies_of = {ids: world.bodies(ids) for ids in (1, BATCH)}
        yield world


def growth(build):
    us = {}
    for sources in (1_000_000, 20_000_000):
        with world_of(build, sources) as world, world.dragoman.serve() as server:
            us[sources] = common.rounds(ROUNDS, us=lambda: world.cpu([server.pid], world.dragoman.port, BATCH))["us"]
            print(f"{world.count:,} hotels: {us[sources]:,.0f} us of CPU for 1,000 ids")
    return common.verdict("cost per id, 20 million to 1 million records", us[20_000_000] / us[1_000_000], 1.5)


def main():
    build = common.programs(sys.argv[1])
    sources = int(sys.argv[2]) if len(sys.argv) > 2 else 5_000_000
    with world_of(build, sources) as world:
        with world.dragoman.serve() as server:
            kept = one(build, world, server)
            kept &= thousand(build, world, server)
        kept &= allocations(build, world)
    if len(sys.argv) == 2:
        kept &= growth(build)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
