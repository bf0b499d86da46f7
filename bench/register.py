#!/usr/bin/python3
"""tour/sourceAdd beside a bare SQLite program that keeps the same rows, what one element costs, and what adding does to
the requests that read.

bench/register.py BUILD_DIR [SECONDS]
bench/register.py BUILD_DIR --one    only one client with one element, on a disk and in memory
"""
import http.client
import itertools
import json
import multiprocessing
import os
import pathlib
import statistics
import subprocess
import sys
import time
import urllib.request

import common

CLIENTS, ELEMENTS = 64, 100
ADDED_PER_SECOND, ASKED_PER_SECOND, IDS = 20_000, 200, 100


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


def one_client(build, where, rounds=9, seconds=1):
    """One client that adds one element after the other, in turns with a program that commits one row after the other. The ratio is
    that of two turns that follow each other; CPU is the server's. The matcher is off: it would work on while the program runs."""
    with common.folder(where) as folder:
        d = common.Dragoman(build / "dragoman", folder / "data")
        common.synth(d.binary, folder / "base.ndjson", 1000, 3)
        d.run("import", folder / "base.ndjson")
        key, turns = d.key("b", "--secret"), []
        with d.serve("--match", "off") as server:
            check_one(d, key)
            for _ in range(rounds + 1):
                before = common.cpu_seconds(server.pid)
                ours = source_add(d, key, seconds, 1, 1)
                cpu = (common.cpu_seconds(server.pid) - before) / (ours * seconds) * 1e6
                theirs = bare(build, folder, seconds, 1)
                turns.append((ours, theirs, 100 * ours / theirs, cpu))
    ours, theirs, share, cpu = (statistics.median(column) for column in zip(*turns[1:]))
    print(f"one client with one element, in {folder.parent}: {ours:,.0f} requests/s, {cpu:.0f} us of CPU each; "
          f"bare SQLite: {theirs:,.0f} commits/s")
    return share


def one_clients(build):
    """On a disk, and in memory, where a commit need not wait for a disk, so that everything else shows."""
    kept = common.verdict("requests/s of one client, % of bare SQLite's commits/s, disk", one_client(build, None), 44, smaller=False)
    print(f"  requests/s of one client, % of bare SQLite's commits/s, memory: {one_client(build, '/dev/shm'):.1f}")
    return kept


def paced(rate, seconds, act):
    """Call act() so often, however long each call takes: seconds from when it was due to its end."""
    start, took = time.monotonic(), []
    for n in range(int(rate * seconds)):
        due = start + n / rate
        time.sleep(max(0.0, due - time.monotonic()))
        act()
        took.append(time.monotonic() - due)
    return took


def poster(d, path, key):
    """post(body) over one connection that stays open."""
    connection = http.client.HTTPConnection("127.0.0.1", d.port)
    headers = {"X-Service-Api-Key": key["key"], "X-Service-Api-Secret": key["secret"],
               "Content-Type": "application/json"}

    def post(body):
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200, answer.status

    return post


def add_steadily(d, key, seconds, prefix, part):
    """A quarter of the elements per second."""
    post, numbers = poster(d, "/v1/tour/sourceAdd", key), itertools.count()

    def add():
        hotels = [{"id": f"{prefix}-{part}-{next(numbers)}", "name": "Hotel Resort & Spa", "category_name": "5*",
                   "country_name": "TURKEY", "city_name": "ANTALYA"} for _ in range(ELEMENTS)]
        post(json.dumps({"adapter_id": 101, "lang_code": "en", "hotel": hotels}))

    took = paced(ADDED_PER_SECOND / ELEMENTS / 4, seconds, add)
    if took[-1] > 1:
        print(f"  (the elements came {took[-1]:.1f} s late)")


def read_p99(d, key, seconds, adding, runs=iter(range(1000))):
    """Milliseconds, p99, of sourceInfo with IDS ids."""
    body = json.dumps({"hotel": [str(n) for n in range(IDS)]})
    post, prefix = poster(d, "/v1/tour/sourceInfo?adapter_id=101", key), f"s{next(runs)}"
    writers = [multiprocessing.Process(target=add_steadily, args=(d, key, seconds + 1, prefix, part))
               for part in range(4 if adding else 0)]
    for w in writers:
        w.start()
    time.sleep(0.5)
    took = paced(ASKED_PER_SECOND, seconds, lambda: post(body))
    for w in writers:
        w.join()
    return 1000 * common.percentile(took, 99)


def check_one(d, key):
    """The bench must not measure refusals."""
    body = {"adapter_id": 101, "lang_code": "en", "meal": [{"id": "check", "name": "check"}]}
    request = urllib.request.Request(d.url("/v1/tour/sourceAdd"), json.dumps(body).encode(), {
        "X-Service-Api-Key": key["key"], "X-Service-Api-Secret": key["secret"],
        "Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        assert "source" in json.load(answer)["data"]["meal"]["check"]


def main():
    build = common.programs(sys.argv[1], "sqlite_insert")
    if sys.argv[2:] == ["--one"]:
        return 0 if one_clients(build) else 1
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
                                 bare=lambda: bare(build, folder, seconds, ELEMENTS))
            p99 = common.rounds(3, idle=lambda: read_p99(d, key, seconds, False),
                                adding=lambda: read_p99(d, key, seconds, True))
            stored = sum(line.startswith('{"type":"source"') for line in d.run("export", "--type", "source").splitlines())
    print(f"sourceAdd, {CLIENTS} clients with {ELEMENTS} elements each: {rate['server']:,.0f} rows/s; "
          f"bare SQLite in batches of {ELEMENTS}: {rate['bare']:,.0f} rows/s ({stored:,} records at the end)")
    kept = common.verdict("rows/s of sourceAdd, % of bare SQLite's", 100 * rate["server"] / rate["bare"], 40,
                          smaller=False)
    print(f"sourceInfo with {IDS} ids, p99: {p99['idle']:.2f} ms, while {ADDED_PER_SECOND:,} elements/s are added "
          f"{p99['adding']:.2f} ms")
    kept &= one_clients(build)
    kept &= common.verdict("p99 of sourceInfo while elements are added, to idle", p99["adding"] / p99["idle"], 2, " x")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
