#!/usr/bin/python3
"""The curators' history at a million decisions: a page by each filter, all pages of a rare person, agreement.

bench/history.py BUILD_DIR [--postgres] [--events N]    default 1,000,000 decisions of ten suppliers, which take a minute to make

Times are of one client, the best of three; CPU is that of the server and, with --postgres, of the database's processes."""
import argparse
import contextlib
import datetime
import json
import pathlib
import time
import urllib.parse
import urllib.request

import common
import desk as desks
import postgres

SUPPLIERS, FEW, FEW_MORE = 10, 50, (1, 1_000)
FIRST = datetime.datetime(2026, 1, 1)
FILTERS = {"all": {}, "a kind": {"kind": "hotel"}, "one of ten suppliers": {"adapter_id": 3},
           f"a supplier with {2 * FEW} decisions": {"adapter_id": SUPPLIERS + 1}, "one of five people": {"by": "p1"},
           "a person with two decisions": {"by": "rare"}, "since a time to come": {"since": "2030-01-01"}}


def records(events):
    """Of each supplier's hotels the matcher's decision and a person's, in the order of time over all suppliers."""
    yield from desks.as_lines(desks.BASE)
    suppliers = [(a, events // 2 // SUPPLIERS) for a in range(1, SUPPLIERS + 1)] + [(SUPPLIERS + 1, FEW)]
    yield from desks.as_lines({"type": "adapter", "id": a, "code": f"s{a}", "name": f"S {a}", "domain": "tour"} for a, _ in suppliers)
    for a, n in suppliers:
        yield from desks.as_lines({"type": "source", "adapter_id": a, "kind": "hotel", "id": f"H{i:06d}", "name": f"Hotel {i}"} for i in range(n))
    for a, n in suppliers:
        for i in range(2 * n):
            at = FIRST + datetime.timedelta(milliseconds=20 * (i * len(suppliers) + a))
            by = "rare" if a == 3 and i // 2 == 7 else f"p{(i // 2 + a) % 5}"
            yield json.dumps({"type": "mapping_event", "adapter_id": a, "kind": "hotel", "id": f"H{i // 2:06d}", "by": by,
                              "at": at.isoformat(timespec="milliseconds") + "Z", "how": "set" if i % 2 else "match"}) + "\n"


def more(n):
    """A later decision about each of so many hotels of a supplier."""
    at = datetime.datetime(2027, 1, 1) + datetime.timedelta(days=n)
    return (json.dumps({"type": "mapping_event", "adapter_id": 5, "kind": "hotel", "id": f"H{i:06d}", "by": "p1",
                        "at": at.isoformat(timespec="milliseconds") + "Z", "how": "set"}) + "\n" for i in range(n))


class Client:
    def __init__(self, desk, d, key, pid):
        self.desk, self.d, self.pid = desk, d, pid
        self.headers = {"X-Service-Api-Key": key["key"], "X-Service-Api-Secret": key["secret"]}

    def ask(self, what, **query):
        url = self.d.url(f"/v1/curate/{what}?{urllib.parse.urlencode(query)}")
        with urllib.request.urlopen(urllib.request.Request(url, headers=self.headers)) as answer:
            return json.loads(answer.read())["data"]

    def cpu(self):
        return common.cpu_seconds(self.pid) + self.desk.database()

    def told(self, name, call, rounds=3):
        times, before = [], self.cpu()
        for _ in range(rounds):
            began = time.perf_counter()
            got = call()
            times.append(time.perf_counter() - began)
        print(f"  {name:48} {min(times) * 1000:9.1f} ms   CPU {(self.cpu() - before) / rounds * 1000:7.0f} ms", flush=True)
        return got

    def pages(self, **query):
        n, cursor = 0, None
        while n == 0 or cursor is not None:
            cursor = self.ask("history", **query, **({"cursor": cursor} if cursor else {}))["cursor"]
            n += 1
        return n


def measure(desk, events):
    d = desk.data("history")
    desks.imported(d, records(events))
    key = d.key("b", "--secret", "--role", "curator")
    with d.serve("--match", "off") as server:
        client = Client(desk, d, key, server.pid)
        for name, query in FILTERS.items():
            client.told(f"history of {name}", lambda query=query: client.ask("history", **query))
        n = client.told("all pages of the person with two decisions", lambda: client.pages(by="rare"), 1)
        print(f"  these were {n} pages")
        client.told("agreement of all, the first", lambda: client.ask("agreement"), 1)
        client.told("agreement of all, after that", lambda: client.ask("agreement"))
        client.told("agreement of one supplier", lambda: client.ask("agreement", adapter_id=3))
        for n in FEW_MORE:
            desks.imported(d, more(n))
            client.told(f"agreement of all, {n:,} decisions later", lambda: client.ask("agreement"), 1)


def main():
    o = argparse.ArgumentParser()
    o.add_argument("build", type=pathlib.Path)
    o.add_argument("--postgres", action="store_true")
    o.add_argument("--events", type=int, default=1_000_000)
    o = o.parse_args()
    build = common.programs(o.build)
    with common.folder() as folder, postgres.pg_cluster.Cluster(True) if o.postgres else contextlib.nullcontext() as cluster:
        measure(desks.Desk(build, folder, cluster), o.events)


if __name__ == "__main__":
    main()
