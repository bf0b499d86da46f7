#!/usr/bin/python3
"""`dragoman backup` and `restore` of stores in SQLite and PostgreSQL: seconds on the clock and of processors, of them for a million rows,
and of a plain copy of the SQLite file. The bounds are processor seconds for 30 million rows at the same pace: a machine with nothing else to
do needs no more than that on its clock, but for its disk. Those of PostgreSQL's own processes are not counted. Last, how long a hundred
readers a second wait beside backups, one after the other, and without.

bench/backup.py BUILD_DIR [HOTELS]   (100,000 unless said otherwise: 430,000 records)
"""
import http.client
import os
import resource
import shutil
import subprocess
import sys
import threading
import time

import common
import postgres

ROWS = 30_000_000
BOUNDS = {"backup, SQLite": 180, "backup, PostgreSQL": 360, "restore, SQLite": 600, "restore, PostgreSQL": 600}


def measured(*args):
    """Seconds on the clock, and of processors."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
    subprocess.run([str(arg) for arg in args], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.time() - started, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def p99_of_reads(port, key, asked=1000, pause=0.01):
    """Milliseconds of a small list over one connection, asked a hundred times a second: who asks without a pause measures itself."""
    connection, took = http.client.HTTPConnection("127.0.0.1", port), []
    for _ in range(asked):
        began = time.perf_counter()
        connection.request("GET", "/api/v1/tour/main-references?lang=en", headers={"X-Api-Key": key})
        connection.getresponse().read()
        took.append((time.perf_counter() - began) * 1000)
        time.sleep(pause)
    return common.percentile(took, 99)


def reads_beside_backups(dragoman, folder):
    key, end, made = dragoman.key("a")["key"], threading.Event(), []

    def again_and_again():
        while not end.is_set():
            measured(dragoman.binary, "backup", folder / "beside.backup", "--data", dragoman.data)
            made.append(1)

    with dragoman.serve():
        idle = p99_of_reads(dragoman.port, key)
        beside = threading.Thread(target=again_and_again)
        beside.start()
        try:
            busy = p99_of_reads(dragoman.port, key)
        finally:
            end.set()
            beside.join()
    print(f"a read, p99: {idle:.2f} ms, beside {len(made)} backups {busy:.2f} ms")
    return common.verdict("p99 of reads beside a backup, to idle", busy / idle, 2)


def main():
    build = common.programs(sys.argv[1])
    hotels = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    binary, kept = build / "dragoman", True
    with common.folder() as folder, postgres.pg_cluster.Cluster(durable=True) as cluster:
        data, file, copy = folder / "synth.ndjson", folder / "b.backup", folder / "copy.db"
        common.synth(binary, data, hotels, 12, 1, "--content", "0")
        common.Dragoman(binary, folder / "sqlite").run("import", data, "--create")
        data.unlink()
        cluster.psql("postgres", "CREATE DATABASE backups")
        store, began = folder / "sqlite" / "dragoman.db", time.time()
        shutil.copy(store, copy)
        with open(copy, "rb") as copied:
            os.fsync(copied.fileno())
        plain = time.time() - began
        steps = {"backup, SQLite": ("backup", file, "--data", folder / "sqlite"),
                 "restore, SQLite": ("restore", file, "--data", folder / "again"),
                 "restore, PostgreSQL": ("restore", file, "--store", cluster.url("backups")),
                 "backup, PostgreSQL": ("backup", file, "--data", folder / "sqlite", "--store", cluster.url("backups"))}
        for name, args in steps.items():
            seconds, cpu = measured(binary, *args)
            said = subprocess.run([binary, "restore", file, "--dry-run"], check=True, stdout=subprocess.PIPE, text=True).stdout
            rows = int(said.split(" whole: ")[1].split()[0])
            print(f"{name}: {rows:,} rows, {file.stat().st_size / 1e6:.0f} MB of {store.stat().st_size / 1e6:.0f} MB: {seconds:.1f} s, "
                  f"{cpu:.2f} s of processors, {cpu / rows * 1e6:.2f} for a million; {seconds / plain:.0f} times a plain copy ({plain:.2f} s)")
            kept &= common.verdict(f"{name}: processor seconds for {ROWS:,} rows", cpu * ROWS / rows, BOUNDS[name])
        kept &= reads_beside_backups(common.Dragoman(binary, folder / "sqlite"), folder)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
