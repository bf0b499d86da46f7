#!/usr/bin/python3
"""`dragoman backup` and `restore` of stores in SQLite and PostgreSQL: seconds on the clock and of processors, of them for a million rows,
and of a plain copy of the SQLite file. The bounds are processor seconds for 30 million rows at the same pace: a machine with nothing else to
do needs no more than that on its clock, but for its disk. Those of PostgreSQL's own processes are not counted.

bench/backup.py BUILD_DIR [HOTELS]   (100,000 unless said otherwise: 430,000 records)
"""
import os
import resource
import shutil
import subprocess
import sys
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
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
