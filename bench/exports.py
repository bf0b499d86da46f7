#!/usr/bin/python3
"""Exports that always overlap: what they cost writers, how long SQLite's log becomes, and whether one holds a transaction of
PostgreSQL's while its client reads (F11). Writers alone and beside exports take turns.

bench/exports.py BUILD_DIR [SECONDS] [HOTELS]
"""
import http.client
import pathlib
import statistics
import subprocess
import sys
import threading
import time

import common
import postgres
import register

READERS, ROUNDS = 8, 5
#: A client reads an export in so many seconds.
READING = 12
LOG_BOUND, PACE_BOUND = 256, 90
CLIENTS, ELEMENTS = 4, 1


class Readers:
    """Clients that each ask for the whole mapping, read it slowly, and ask again; they begin one after the other, so there is no
    moment without one."""

    def __init__(self, d, keys, size):
        self.d, self.keys, self.pace, self.over = d, keys, size / READING, threading.Event()
        self.complete = self.refused = 0
        self.waited = 0.0
        self.threads = [threading.Thread(target=self.run, args=(n,)) for n in range(len(keys))]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        for thread in self.threads:
            thread.join()

    def run(self, n):
        self.over.wait(n * READING / len(self.keys))
        while not self.over.is_set():
            self.one(self.keys[n])

    def one(self, key):
        link, began = http.client.HTTPConnection("127.0.0.1", self.d.port, timeout=600), time.monotonic()
        link.request("GET", "/v1/export/sources", headers={"X-Service-Api-Key": key["key"]})
        answer = link.getresponse()
        if answer.status != 200:
            self.refused += 1
            self.over.wait(0.2)
        else:
            self.waited = max(self.waited, time.monotonic() - began)
            self.complete += self.read(answer)
        link.close()

    def read(self, answer):
        """To its end? At a steady pace."""
        got, began = 0, time.monotonic()
        while not self.over.is_set():
            block = answer.read(1 << 16)
            got += len(block)
            if not block:
                return True
            self.over.wait(max(0.0, began + got / self.pace - time.monotonic()))
        return False


def size_of(d, key):
    link = http.client.HTTPConnection("127.0.0.1", d.port, timeout=600)
    link.request("GET", "/v1/export/sources", headers={"X-Service-Api-Key": key["key"]})
    n = len(link.getresponse().read())
    link.close()
    return n


class Samples:
    """Looks every 50 ms: the largest of each."""

    def __init__(self, look):
        self.look, self.over, self.seen = look, threading.Event(), []
        self.thread = threading.Thread(target=self.run)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()

    def run(self):
        while not self.over.wait(0.05):
            self.seen.append(self.look())

    def largest(self):
        return max(self.seen)


def writes(d, key, seconds):
    """Elements a second."""
    return register.source_add(d, key, seconds, CLIENTS, ELEMENTS)


def measure(d, seconds, look):
    """Medians of the pace in turns, and the largest of what look() says beside exports."""
    write, *keys = [d.key("b", "--secret") for _ in range(1 + READERS // 2)]
    with d.serve():
        register.check_one(d, write)
        rates = {"alone": [], "beside": []}
        largest, complete, refused, waited = [], 0, 0, 0.0
        for n in range(ROUNDS + 1):
            alone = writes(d, write, seconds)
            with Readers(d, [*keys, *keys], size_of(d, write)) as readers, Samples(look) as samples:
                time.sleep(READING)  # until all have begun
                beside = writes(d, write, seconds)
            largest.append(samples.largest())
            complete, refused, waited = complete + readers.complete, refused + readers.refused, max(waited, readers.waited)
            if n > 0:
                rates["alone"].append(alone)
                rates["beside"].append(beside)
    ratios = [100 * b / a for a, b in zip(rates["alone"], rates["beside"])]
    print(f"  {complete} exports read, {refused} refused, the longest wait for a first byte {waited:.1f} s; "
          f"{statistics.median(rates['alone']):,.0f} elements/s alone, {statistics.median(rates['beside']):,.0f} beside "
          f"{READERS} exports (rounds: {', '.join(f'{r:.0f} %' for r in ratios)})")
    return statistics.median(ratios), max(largest)


def on_sqlite(build, folder, base, seconds):
    d = common.Dragoman(build / "dragoman", folder / "sqlite")
    d.run("import", base)
    log = pathlib.Path(d.data) / "dragoman.db-wal"
    print("SQLite")
    pace, largest = measure(d, seconds, lambda: log.stat().st_size if log.exists() else 0)
    kept = common.verdict("the longest log, MiB", largest / (1 << 20), LOG_BOUND)
    return kept & common.verdict("writes beside exports, % of those alone", pace, PACE_BOUND, smaller=False)


def on_postgres(build, folder, base, seconds):
    with postgres.pg_cluster.Cluster(durable=True) as cluster:
        cluster.psql("postgres", "CREATE DATABASE exports")
        d = postgres.OnPostgres(build / "dragoman", folder / "postgres", cluster.url("exports"))
        d.run("import", base)
        print("PostgreSQL")
        # The reading of an export fetches rows and packs them between two fetches: idle meanwhile, for a moment.
        ask = ("SELECT coalesce(max(extract(epoch FROM clock_timestamp() - state_change)), 0) FROM pg_stat_activity "
               "WHERE datname = 'exports' AND state = 'idle in transaction'")
        with subprocess.Popen(["psql", "-X", "-q", "-A", "-t", "-d", cluster.url("exports")], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True) as psql:
            def look():
                psql.stdin.write(f"{ask};\n")
                psql.stdin.flush()
                return float(psql.stdout.readline())
            pace, idle = measure(d, seconds, look)
            psql.stdin.close()
    kept = common.verdict("the longest idle in a transaction, s", idle, 1)
    return kept & common.verdict("writes beside exports, % of those alone", pace, PACE_BOUND, smaller=False)


def main():
    build = common.programs(sys.argv[1])
    seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    hotels = int(sys.argv[3]) if len(sys.argv) > 3 else 50_000
    with common.folder() as folder:
        base = folder / "base.ndjson"
        common.synth(build / "dragoman", base, hotels, 6, 1, "--content", "0")
        kept = on_sqlite(build, folder, base, seconds)
        kept &= on_postgres(build, folder, base, seconds)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
