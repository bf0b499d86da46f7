#!/usr/bin/python3
"""tour/sourceAdd beside a bare SQLite program that keeps the same rows, and what one element costs.

bench/register.py BUILD_DIR [SECONDS]
"""
import json
import os
import pathlib
import subprocess
import sys
import urllib.request

import common

CLIENTS, ELEMENTS = 64, 100


def bare(build, folder, seconds, batch, runs=iter(range(1000))):
    """Rows/s of the SQLite program."""
    out = subprocess.run([build / "bench/sqlite_insert", folder / f"bare-{next(runs)}.db", str(batch), str(seconds)],
                         check=True, stdout=subprocess.PIPE, text=True).stdout
    return float(out)


def source_add(d, key, seconds, clients, elements, runs=iter(range(1000))):
    """Rows/s through the server."""
    env = {**os.environ, "SIZE": str(elements), "RUN": f"r{next(runs)}"}
    args = ["wrk", "-t", "1", "-c", str(clients), "-d", f"{seconds}s", "-s", common.ROOT / "bench/source_add.lua",
            "-H", f"X-Service-Api-Key: {key['key']}", "-H", f"X-Service-Api-Secret: {key['secret']}",
            d.url("/v1/tour/sourceAdd")]
    out = subprocess.run(args, check=True, stdout=subprocess.PIPE, text=True, env=env).stdout
    if "Non-2xx" in out:
        raise SystemExit(out)
    return float(out.split("Requests/sec:")[1].split()[0]) * elements


def check_one(d, key):
    """The bench must not measure refusals."""
    body = {"adapter_id": 101, "lang_code": "en", "meal": [{"id": "check", "name": "check"}]}
    request = urllib.request.Request(d.url("/v1/tour/sourceAdd"), json.dumps(body).encode(), {
        "X-Service-Api-Key": key["key"], "X-Service-Api-Secret": key["secret"],
        "Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        assert "source" in json.load(answer)["data"]["meal"]["check"]


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with common.folder() as folder:
        d = common.Dragoman(build / "dragoman", folder / "data")
        data = folder / "base.ndjson"
        common.synth(d.binary, data, 1000, 3)
        d.run("import", data)
        key = d.key("b", "--secret")
        with d.serve():
            check_one(d, key)
            rate = common.rounds(3, server=lambda: source_add(d, key, seconds, CLIENTS, ELEMENTS),
                                 bare=lambda: bare(build, folder, seconds, ELEMENTS),
                                 one=lambda: source_add(d, key, seconds, 1, 1),
                                 bare_one=lambda: bare(build, folder, seconds, 1))
            stored = sum(line.startswith('{"type":"source"') for line in d.run("export", "--type", "source").splitlines())
    print(f"sourceAdd, {CLIENTS} clients with {ELEMENTS} elements each: {rate['server']:,.0f} rows/s; "
          f"bare SQLite in batches of {ELEMENTS}: {rate['bare']:,.0f} rows/s")
    print(f"one client with one element: {rate['one']:,.0f} requests/s; bare SQLite: {rate['bare_one']:,.0f} commits/s "
          f"({stored:,} records at the end)")
    kept = common.verdict("rows/s of sourceAdd, % of bare SQLite's", 100 * rate["server"] / rate["bare"], 40,
                          smaller=False)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
