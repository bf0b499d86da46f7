#!/usr/bin/python3
"""`dragoman check` of a store that has a key, on both engines. The bounds are seconds for 3.3 million records; of fewer, seconds as many
would take at the same pace.

bench/checking.py BUILD_DIR [HOTELS]   (235,000 unless said otherwise: a million records)
"""
import sys
import time

import common
import postgres

RECORDS = 3_300_000
BOUNDS = {"SQLite": 30, "PostgreSQL": 60}


def check(d, data, records):
    """Seconds for RECORDS."""
    d.run("import", data, "--create")
    d.key("a")
    started = time.time()
    d.run("check")
    seconds = time.time() - started
    print(f"check of {records:,} records: {seconds:.1f} s")
    return seconds * RECORDS / records


def main():
    build = common.programs(sys.argv[1])
    hotels = int(sys.argv[2]) if len(sys.argv) > 2 else 235_000
    binary = build / "dragoman"
    kept = True
    with common.folder() as folder, postgres.pg_cluster.Cluster(durable=True) as cluster:
        data = folder / "synth.ndjson"
        common.synth(binary, data, hotels, 12, 1, "--content", "0")
        with open(data, "rb") as lines:
            records = sum(1 for _ in lines)
        cluster.psql("postgres", "CREATE DATABASE checking")
        stores = {"SQLite": common.Dragoman(binary, folder / "sqlite"),
                  "PostgreSQL": postgres.OnPostgres(binary, folder / "postgres", cluster.url("checking"))}
        for engine, d in stores.items():
            kept &= common.verdict(f"check of {RECORDS:,} records in {engine}, seconds", check(d, data, records), BOUNDS[engine])
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
