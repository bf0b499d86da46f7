#!/usr/bin/python3
"""A store in PostgreSQL (a cluster of its own, with fsync): tour/sourceAdd beside a bare libpq program that keeps the same rows,
import and first load, each beside SQLite.

bench/postgres.py BUILD_DIR [SECONDS] [HOTELS]
"""
import importlib.machinery
import importlib.util
import pathlib
import re
import signal
import subprocess
import sys
import time

import common
import register

_loader = importlib.machinery.SourceFileLoader("pg_cluster", str(common.ROOT / "tests" / "pg_cluster"))
pg_cluster = importlib.util.module_from_spec(importlib.util.spec_from_loader("pg_cluster", _loader))
_loader.exec_module(pg_cluster)


class OnPostgres(common.Dragoman):
    """A data folder whose store is in a database."""

    def __init__(self, binary, folder, store):
        super().__init__(binary, folder)
        self.store = store

    def run(self, *args, **kwargs):
        return super().run(*args, "--store", self.store, **kwargs)

    def serve(self, *options):
        return super().serve("--store", self.store, *options)


def server_cpu(cluster):
    """Seconds of the server's processes, those that ended too."""
    fields = pathlib.Path(f"/proc/{cluster.server.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[13]) + int(fields[14])) / common.TICK


def bare(build, url, seconds):
    out = subprocess.run([build / "bench/postgres_insert", url, str(register.CLIENTS), str(register.ELEMENTS), str(seconds)],
                         check=True, stdout=subprocess.PIPE, text=True).stdout
    return float(out)


def adding(build, folder, cluster, seconds):
    """Rows/s through a server and without one, in turns."""
    cluster.psql("postgres", "CREATE DATABASE adding")
    d = OnPostgres(build / "dragoman", folder / "adding", cluster.url("adding"))
    common.synth(d.binary, folder / "base.ndjson", 1000, 3)
    d.run("import", folder / "base.ndjson")
    key = d.key("b", "--secret")
    with d.serve():
        register.check_one(d, key)
        return common.rounds(3, server=lambda: register.source_add(d, key, seconds, register.CLIENTS, register.ELEMENTS),
                             bare=lambda: bare(build, cluster.url("adding"), seconds))


def import_rate(d, path):
    return float(re.search(r"([\d]+) records/s", d.run("import", path)).group(1))


def load_rate(d):
    """Records/s of a server's first load, by its own log."""
    with subprocess.Popen([d.binary, "serve", "--data", d.data, "--listen", "127.0.0.1:0",
                           *(["--store", d.store] if isinstance(d, OnPostgres) else [])], stderr=subprocess.PIPE, text=True) as p:
        for line in p.stderr:
            found = re.search(r"loaded: (\d+) source and (\d+) dict records in ([\d.]+) s", line)
            if found:
                break
        p.send_signal(signal.SIGTERM)
        p.stderr.read()
    return (int(found.group(1)) + int(found.group(2))) / float(found.group(3))


def loading(build, folder, cluster, hotels):
    path = folder / "hotels.ndjson"
    common.synth(build / "dragoman", path, hotels, 12, 1, "--content", "0")
    numbers = iter(range(100))

    def stores():
        n = next(numbers)
        cluster.psql("postgres", f"CREATE DATABASE loading{n}")
        return (OnPostgres(build / "dragoman", folder / f"p{n}", cluster.url(f"loading{n}")),
                common.Dragoman(build / "dragoman", folder / f"s{n}"))

    seen = {name: [] for name in ("import", "import sqlite", "load", "load sqlite", "cpu")}
    for _ in range(3):
        postgres, sqlite = stores()
        before = server_cpu(cluster)
        seen["import"].append(import_rate(postgres, path))
        time.sleep(0.5)
        seen["cpu"].append(server_cpu(cluster) - before)
        seen["import sqlite"].append(import_rate(sqlite, path))
        seen["load"].append(load_rate(postgres))
        seen["load sqlite"].append(load_rate(sqlite))
    records = sum(1 for _ in open(path, "rb"))
    return {name: sorted(values)[1] for name, values in seen.items()}, records


def main():
    build = common.programs(sys.argv[1])
    subprocess.run(["ninja", "-C", build, "bench/postgres_insert"], check=True, stdout=subprocess.DEVNULL)
    seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    hotels = int(sys.argv[3]) if len(sys.argv) > 3 else 100_000
    with common.folder() as folder, pg_cluster.Cluster(durable=True, settings={"autovacuum": "off"}) as cluster:
        rate = adding(build, folder, cluster, seconds)
        print(f"sourceAdd, {register.CLIENTS} clients with {register.ELEMENTS} elements each: {rate['server']:,.0f} rows/s; "
              f"bare libpq, as many connections and batches: {rate['bare']:,.0f} rows/s")
        kept = common.verdict("rows/s of sourceAdd, % of bare libpq's", 100 * rate["server"] / rate["bare"], 60, smaller=False)
        got, records = loading(build, folder, cluster, hotels)
        print(f"{records:,} records; the server took {got['cpu'] / records * 1e6:.1f} us of CPU for one; the same in SQLite: import "
              f"{got['import sqlite']:,.0f} records/s, first load {got['load sqlite']:,.0f} records/s")
        kept &= common.verdict("import into PostgreSQL, records/s", got["import"], 100_000, smaller=False)
        kept &= common.verdict("first load from PostgreSQL, records/s", got["load"], 300_000, smaller=False)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
