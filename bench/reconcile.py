#!/usr/bin/python3
"""The reconciliation service for OpenRefine: queries a second, CPU of the server for a query, what the names take, how often a sure answer is right.

bench/reconcile.py BUILD_DIR [HOTELS ...]    default 20,000 made-up hotels, as the demo has, and 100,000

Queries are the hotels of three suppliers as `dragoman-synth` writes them, with typing errors, other words and other cities; their true
mapping is known. In real time wrk sends them in batches of 50 and 100 on eight connections, with two keys (the batches of one key never
take all workers, so one alone is measured too), beside the server on the cores that there are. For CPU they go one batch after the other on one
connection, of 10 (as OpenRefine sends them) and of 50.
"""
import http.client
import json
import os
import pathlib
import random
import statistics
import sys
import time
import urllib.parse

import common

ROUNDS, QUERIES, GOAL = 3, 3000, 5000
BENCH = pathlib.Path(__file__).resolve().parent
SORTS = {"name": (), "name, country, city": ("country", "city"), "name, country, city, place": ("country", "city", "lat", "lng")}


def split(synth, reference):
    """The reference into a file; returns suppliers' hotels."""
    sources = []
    with open(synth, encoding="utf-8") as lines, open(reference, "w", encoding="utf-8") as out:
        for line in lines:
            record = json.loads(line)
            if record["type"] == "dict":
                out.write(line)
            elif record["type"] == "source" and record["kind"] == "hotel" and record.get("dict_id") is not None:
                sources.append(record)
    return sources


def query(source, *properties):
    named = {"country": source.get("country_name"), "city": source.get("city_name"), "lat": source.get("lat"), "lng": source.get("lng")}
    return {"query": source["name"], "type": "hotel", "limit": 5,
            "properties": [{"pid": p, "v": named[p]} for p in properties if named[p] is not None]}


def bodies(queries, batch):
    for at in range(0, len(queries), batch):
        part = {f"q{i}": q for i, q in enumerate(queries[at:at + batch])}
        yield urllib.parse.urlencode({"queries": json.dumps(part)})


class Client:
    def __init__(self, port, key):
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        self.path = f"/v1/reconcile/{key}"

    def ask(self, body):
        self.connection.request("POST", self.path, body, {"Content-Type": "application/x-www-form-urlencoded"})
        answer = self.connection.getresponse()
        text = answer.read()
        assert answer.status == 200, (answer.status, text[:300])
        return text


def measure(client, pid, prepared, n):
    """CPU of the server for a query in microseconds."""
    before = common.cpu_seconds(pid)
    answers = [client.ask(body) for body in prepared]
    return (common.cpu_seconds(pid) - before) / n * 1e6, answers


def quality(sources, answers, batch):
    """(of how many it said that it is sure, how many of those were wrong, how many had the right one first, in the first five)"""
    sure = wrong = first = five = 0
    for at, answer in enumerate(answers):
        for name, found in json.loads(answer).items():
            truth = f"hotel-{sources[at * batch + int(name[1:])]['dict_id']}"
            ids = [c["id"] for c in found["result"]]
            first += ids[:1] == [truth]
            five += truth in ids
            if found["result"] and found["result"][0]["match"]:
                sure += 1
                wrong += ids[0] != truth
    return sure, wrong, first, five


def resident(pid):
    lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def drive(url, pid, sources, keys, work):
    """Queries a second of real time: the median of rounds in which every sort takes its turn."""
    rates = {}
    for _ in range(ROUNDS):
        for name, properties in SORTS.items():
            for batch, n_keys in ((50, 2), (100, 2), (100, 1)):
                forms = work / "forms"
                forms.write_text("".join(form + "\n" for form in bodies([query(s, *properties) for s in sources], batch)), "ascii")
                cpu, began = common.cpu_seconds(pid), time.perf_counter()
                rate, p99, requests = common.wrk(url, connections=8, seconds=3, script=BENCH / "reconcile.lua",
                                                 env={"BODIES": str(forms), "KEYS": " ".join(keys[:n_keys])})
                cores = (common.cpu_seconds(pid) - cpu) / (time.perf_counter() - began)
                assert requests > 0
                rates.setdefault((name, batch, n_keys), []).append((rate * batch, p99, cores))
    kept = True
    for (name, batch, n_keys), rounds in rates.items():
        rate, p99, cores = (statistics.median(r[i] for r in rounds) for i in range(3))
        text = f"{name}, {batch} in a batch, {n_keys} key{'s' if n_keys > 1 else ''}: queries/s (p99 {p99:.0f} ms, the server had {cores:.1f} cores)"
        if n_keys > 1:
            kept &= common.verdict(text, rate, GOAL, smaller=False)
        else:
            print(f"  {text} {rate:,.0f}")
    return kept


def run(client, pid, sources):
    before, began, cpu = resident(pid), time.perf_counter(), common.cpu_seconds(pid)
    client.ask(next(bodies([query(sources[0])], 1)))
    print(f"the first answer, with the making of the names: {time.perf_counter() - began:.1f} s, {common.cpu_seconds(pid) - cpu:.1f} s of CPU, "
          f"{resident(pid) - before:,.0f} MiB of memory")
    kinds = {(name, batch): list(bodies([query(s, *p) for s in sources], batch)) for name, p in SORTS.items() for batch in (10, 50)}
    found, said = {kind: [] for kind in kinds}, {}
    for _ in range(ROUNDS):
        for kind, prepared in kinds.items():
            cpu, said[kind] = measure(client, pid, prepared, len(sources))
            found[kind].append(cpu)
    kept = True
    for (name, batch), rounds in found.items():
        kept &= common.verdict(f"{name}, batches of {batch}: queries/s of two cores by CPU", 2e6 / statistics.median(rounds), GOAL, smaller=False)
    for name in SORTS:
        sure, wrong, first, five = quality(sources, said[(name, 10)], 10)
        print(f"  {name:28} right one first {first / len(sources):.1%}, among five {five / len(sources):.1%}; sure {sure / len(sources):.1%}, "
              f"wrong {wrong} of {sure}")
    return kept


def measure_size(binary, hotels):
    with common.folder() as work:
        dragoman = common.Dragoman(binary, work / "data")
        common.synth(binary, work / "synth.ndjson", hotels, 3, 1, "--content", "0")
        sources = split(work / "synth.ndjson", work / "reference.ndjson")
        random.Random(1).shuffle(sources)
        sources = sources[:QUERIES]
        dragoman.run("import", work / "reference.ndjson", "--create")
        keys = [dragoman.key("b", "--role", "reader")["key"] for _ in range(2)]
        with dragoman.serve("--snapshot", "none") as server:
            print(f"{hotels:,} hotels, {QUERIES:,} queries, {os.cpu_count()} cores")
            kept = run(Client(dragoman.port, keys[0]), server.pid, sources)
            return drive(dragoman.url("/"), server.pid, sources, keys, work) and kept


def main():
    build = common.programs(sys.argv[1])
    sizes = [int(n) for n in sys.argv[2:]] or [20_000, 100_000]
    return 0 if all([measure_size(build / "dragoman", hotels) for hotels in sizes]) else 1


if __name__ == "__main__":
    sys.exit(main())
