#!/usr/bin/python3
"""The curators' API at a million open cases: a page of the queue, a case, a decision; what the queue takes to be read.

bench/curate.py BUILD_DIR [CASES]    default 1,000,000 cases, which take some minutes to make

A tenth of the cases are hotels with candidates, the rest meals that nothing is like. Times are of a client on the same machine, one
request at a time on one connection; CPU is that of the server, and beside it that of a request which answers nothing (/healthz).
"""
import http.client
import json
import random
import statistics
import sys
import time

import common

ROUNDS, REQUESTS, ADAPTERS, HOTELS = 3, 300, 10, 10_000
BASE = [*({"type": "adapter", "id": a, "code": f"s{a}", "name": f"Supplier {a}", "domain": "tour"} for a in range(1, ADAPTERS + 1)),
        {"type": "dict", "kind": "country", "id": 1, "name": {"en": "Turkey"}, "iso_alpha_2": "TR"},
        {"type": "dict", "kind": "city", "id": 1, "name": {"en": "Kemer"}, "country_id": 1, "lat": 36.6, "lng": 30.5},
        {"type": "dict", "kind": "hotel_category", "id": 5, "name": "5*"}]
SYLLABLES = ["ba", "ke", "lu", "mo", "ri", "sa", "te", "vo", "zi", "du", "fe", "gi", "ha", "jo", "ny", "pa"]


def word(n):
    """A word of its own for each number."""
    letters = ""
    while n or not letters:
        letters, n = SYLLABLES[n % 16] + letters, n // 16
    return letters.capitalize()


def place(n):
    return {"lat": round(36.0 + n % 100 / 100, 4), "lng": round(30.0 + n // 100 / 100, 4)}


def records(cases):
    yield from BASE
    for n in range(HOTELS):
        yield {"type": "dict", "kind": "hotel", "id": 100 + n, "name": {"en": f"{word(n + 5000)} Resort"}, "country_id": 1, "city_id": 1,
               "hotel_category_id": 5, **place(n)}
    for a in range(1, ADAPTERS + 1):
        for n in range(cases // 10 // ADAPTERS):
            yield {"type": "source", "adapter_id": a, "kind": "hotel", "id": f"H{n}", "name": f"{word(n % HOTELS + 5000)} Residence",
                   "country_name": "Turkey", "city_name": "Kemer", **place(n % HOTELS)}
        for n in range(cases * 9 // 10 // ADAPTERS):
            yield {"type": "source", "adapter_id": a, "kind": "meal", "id": f"M{n}", "name": f"{word(n)} {word(n * 7 + a)}"}


class Client:
    def __init__(self, port, key):
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        self.headers = {"X-Service-Api-Key": key["key"], "X-Service-Api-Secret": key["secret"], "Content-Type": "application/json"}

    def ask(self, path, body=None):
        self.connection.request("POST" if body else "GET", path, json.dumps(body) if body else None, self.headers)
        answer = self.connection.getresponse()
        text = answer.read()
        assert answer.status == 200, (answer.status, text[:300])
        return json.loads(text)


def measure(pid, calls):
    """(p50, p99) in milliseconds, and CPU of the server for each in microseconds."""
    times, before = [], common.cpu_seconds(pid)
    for call in calls:
        began = time.perf_counter()
        call()
        times.append((time.perf_counter() - began) * 1000)
    cpu = (common.cpu_seconds(pid) - before) / len(times) * 1e6
    return statistics.median(times), common.percentile(times, 99), cpu


def run(port, pid, key):
    client = Client(port, key)
    began = time.perf_counter()
    first = client.ask("/v1/curate/queue")["data"]
    print(f"{first['total']:,} open cases; the first page, with the reading of the queue: {time.perf_counter() - began:.1f} s")
    hotels = client.ask("/v1/curate/queue?kind=hotel&limit=500")["data"]["items"]
    cursors, page = [], client.ask("/v1/curate/queue?limit=500")["data"]
    for _ in range(20):
        cursors.append(page["cursor"])
        page = client.ask(f"/v1/curate/queue?limit=500&cursor={page['cursor']}")["data"]
    choose = random.Random(1)
    queue = "/v1/curate/queue?limit=50"
    kinds = {
        "nothing (/healthz)": lambda: client.ask("/healthz"),
        "queue, 50 of all": lambda: client.ask(queue),
        "queue, a supplier's hotels": lambda: client.ask(f"{queue}&kind=hotel&adapter_id={choose.randint(1, ADAPTERS)}"),
        "queue, a reason that none has": lambda: client.ask(f"{queue}&reason=veto_brands"),
        "queue, behind a cursor": lambda: client.ask(f"{queue}&cursor={choose.choice(cursors)}"),
        "case": lambda: client.ask("/v1/curate/case?kind=hotel&adapter_id={adapter_id}&id={id}".format(**choose.choice(hotels))),
    }
    found = {name: [] for name in kinds}
    for _ in range(ROUNDS):
        for name, call in kinds.items():
            found[name].append(measure(pid, [call] * REQUESTS))
    for name, rounds in found.items():
        p50, p99, cpu = (statistics.median(r[k] for r in rounds) for k in range(3))
        print(f"  {name:32} p50 {p50:6.2f} ms   p99 {p99:6.2f} ms   CPU {cpu:7.0f} us")
    decide(client, pid, hotels)
    print(f"  peak memory of the server: {common.peak_kib(pid) / 1024:,.0f} MiB")


def decide(client, pid, hotels):
    todo = iter(hotels)

    def one():
        case = next(todo)
        (item,) = client.ask("/v1/curate/decide", {"decisions": [
            {"decide": "map", "dict_id": case["best"]["id"], **{k: case[k] for k in ("adapter_id", "kind", "id", "version")}}]})["data"]["items"]
        assert item["result"] == "done", item

    p50, p99, cpu = measure(pid, [one] * 200)
    print(f"  {'decide, one mapping':32} p50 {p50:6.2f} ms   p99 {p99:6.2f} ms   CPU {cpu:7.0f} us")


def main():
    build = common.programs(sys.argv[1])
    cases = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    with common.folder() as work:
        dragoman = common.Dragoman(build / "dragoman", work / "data")
        lines = work / "cases.ndjson"
        with open(lines, "w") as out:
            for record in records(cases):
                out.write(json.dumps(record) + "\n")
        dragoman.run("import", lines, "--create")
        lines.unlink()
        dragoman.run("match")
        key = dragoman.key("b", "--secret", "--role", "curator")
        with dragoman.serve("--match", "off") as server:
            run(dragoman.port, server.pid, key)


if __name__ == "__main__":
    main()
