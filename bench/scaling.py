#!/usr/bin/python3
"""Several servers on one PostgreSQL (a cluster of its own, with fsync): commits a second with one and with three of them, with and
without a synchronous standby; what a hotel takes in the database, in memory and in a snapshot.

bench/scaling.py BUILD_DIR [SECONDS] [HOTELS]
"""
import contextlib
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import threading
import time

import psycopg2

import common

sys.path.insert(0, str(common.ROOT / "tests" / "cluster"))
import parts  # pylint: disable=wrong-import-position

CLIENTS = 64
ADAPTERS = 12
#: What a server takes without data (docs/reliability.md).
EMPTY_KIB = 14 * 1024


class Bench:
    def __init__(self, build, folder, primary, seconds):
        self.dragoman, self.folder, self.primary, self.seconds = build / "dragoman", folder, primary, seconds
        self.store, self.runs = primary.url("dragoman"), iter(range(1000))

    def command(self, *args):
        return subprocess.run([self.dragoman, *map(str, args), "--data", self.folder, "--store", self.store], check=True,
                              stdout=subprocess.PIPE, text=True).stdout

    @contextlib.contextmanager
    def nodes(self, count, *options):
        """So many servers, ready."""
        made = [parts.Node(f"node{n}", self.dragoman, self.store, self.folder / f"node{n}", 0, (*options, "--lock-timeout", "60"))
                for n in range(count)]
        try:
            for node in made:
                node.start()
            for node in made:
                node.wait_ready(600)
            yield made
        finally:
            for node in made:
                node.stop()

    def clock(self):
        return int(self.primary.psql("dragoman", "SELECT seq FROM dragoman.clock"))

    def adding(self, key, count):
        """(rows/s, commits/s) of clients with an element each, through so many servers."""
        with self.nodes(count) as nodes:
            before, rows = self.clock(), []
            loads = [self.load(node, key, CLIENTS // count) for node in nodes]
            for load in loads:
                out = load.communicate()[0]
                if "Non-2xx" in out:
                    raise SystemExit(out)
                rows.append(float(out.split("Requests/sec:")[1].split()[0]))
            return sum(rows), (self.clock() - before) / self.seconds

    def load(self, node, key, clients):
        args = ["wrk", "-t", "1", "-c", str(clients), "-d", f"{self.seconds}s", "-s", common.ROOT / "bench/source_add.lua",
                "-H", f"X-Service-Api-Key: {key['key']}", "-H", f"X-Service-Api-Secret: {key['secret']}",
                f"http://127.0.0.1:{node.port}/v1/tour/sourceAdd"]
        env = {**os.environ, "SIZE": "1", "RUN": f"s{next(self.runs)}"}
        return subprocess.Popen([*map(str, args)], stdout=subprocess.PIPE, text=True, env=env)

    def bare(self, writers):
        """Commits/s of connections that do nothing but take the lock, put a row and the clock, and commit."""
        done, end = [0] * writers, time.monotonic() + self.seconds

        def write(me):
            with contextlib.closing(psycopg2.connect(self.store)) as connection:
                cursor = connection.cursor()
                while time.monotonic() < end:
                    cursor.execute("LOCK TABLE dragoman.branch IN EXCLUSIVE MODE")
                    cursor.execute("UPDATE dragoman.clock SET seq = seq + 1 RETURNING seq")
                    seq = cursor.fetchone()[0]
                    cursor.execute("INSERT INTO dragoman.source (deleted, seq, created_seq, data_seq, mapped_seq, adapter_id, kind, id, name)"
                                   " SELECT 0, %s, %s, %s, 0, 101, kind, %s, 'x' FROM dragoman.source LIMIT 1",
                                   (seq, seq, seq, f"b{random.getrandbits(60)}"))
                    connection.commit()
                    done[me] += 1
        threads = [threading.Thread(target=write, args=(n,)) for n in range(writers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return sum(done) / self.seconds

    def commits(self, key, name):
        for count in (1, 3):
            rows, commits = self.adding(key, count)
            print(f"{name}, {count} server(s), {CLIENTS} clients with an element each: {rows:,.0f} rows/s in {commits:,.0f} commits/s", flush=True)
        print(f"{name}, bare SQL, a row to each commit: {self.bare(1):,.0f} commits/s of one connection, {self.bare(3):,.0f} of three, "
              f"{self.bare(16):,.0f} of sixteen", flush=True)

    def sizes(self, hotels):
        path = self.folder / "hotels.ndjson"
        common.synth(self.dragoman, path, hotels, ADAPTERS)
        before = int(self.primary.psql("dragoman", "SELECT pg_database_size('dragoman')"))
        log_before = self.primary.psql("dragoman", "SELECT pg_current_wal_lsn()")
        began = time.monotonic()
        self.command("import", path)
        took = time.monotonic() - began
        log = int(self.primary.psql("dragoman", f"SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '{log_before}')"))
        stored = int(self.primary.psql("dragoman", "SELECT pg_database_size('dragoman')")) - before
        with open(path, "rb") as lines:
            records = sum(1 for _ in lines)
        snapshot = self.folder / "snapshot"
        with self.nodes(1, "--snapshot", snapshot, "--snapshot-interval", "1") as (node,):
            parts.wait_for(snapshot.exists, 120, "a snapshot")
            resident = resident_kib(node.pid) - EMPTY_KIB
            loaded = re.search(r"loaded: .* in ([\d.]+) s", node.said()).group(1)
        with self.nodes(1, "--snapshot", snapshot) as (node,):
            started = re.search(r"from the snapshot .* in ([\d.]+) s", node.said()).group(1)
        print(f"{hotels:,} hotels, {ADAPTERS} suppliers: {records:,} records; for a hotel {stored / hotels:,.0f} bytes in the database, "
              f"{log / hotels:,.0f} of its log, {resident * 1024 / hotels:,.0f} in the memory of a server, "
              f"{snapshot.stat().st_size / hotels:,.0f} in a snapshot; import {took:.0f} s, load {loaded} s, "
              f"start from the snapshot {started} s", flush=True)


def resident_kib(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status).group(1))


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    hotels = int(sys.argv[3]) if len(sys.argv) > 3 else 50_000
    with common.folder() as folder, parts.Postgres(durable=True, settings=parts.REPLICATED) as primary:
        primary.psql("postgres", "CREATE DATABASE dragoman")
        bench = Bench(build, folder, primary, seconds)
        common.synth(build / "dragoman", folder / "base.ndjson", 1000, 3)
        bench.command("import", folder / "base.ndjson")
        key = json.loads(bench.command("key", "create", "--api", "b", "--secret", "--json"))
        bench.sizes(hotels)
        bench.commits(key, "PostgreSQL alone")
        standby = parts.standby_of(primary)
        try:
            standby.start()
            parts.insist_on(primary)
            bench.commits(key, "with a synchronous standby")
        finally:
            primary.stop()
            standby.__exit__()


if __name__ == "__main__":
    main()
