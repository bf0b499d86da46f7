#!/usr/bin/python3
"""The mapping desk on the command line: a list of 100,000 hotels looked at and loaded, 100,000 mappings taken back while others
write, names among three million, coverage of many records. Beside each time is the CPU of the command, and of PostgreSQL's processes.

bench/desk.py BUILD_DIR [--postgres] [--rows N] [--names N] [--records N]

--rows     of the list and of the mappings; default 100,000; bounds are for that many
--names    hotels of the reference, and as many of suppliers; default 3,000,000; 0: not measured
--records  whose coverage is asked; default 23,000,000; 0: not measured. The defaults take half an hour to make
--postgres in a cluster of its own, with fsync, instead of SQLite
"""
import argparse
import contextlib
import csv
import io
import itertools
import json
import pathlib
import resource
import subprocess
import sys
import threading
import time
import urllib.request

import xlsxwriter

import common
import postgres

ROUNDS = 5
HEADER = ["Hotel Code", "Hotel Name", "Country Code", "Country", "City Code", "City", "Latitude", "Phone"]
BASE = [{"type": "dict", "kind": "country", "id": 1, "name": {"en": "Turkey"}, "iso_alpha_2": "TR"},
        {"type": "dict", "kind": "city", "id": 1, "name": {"en": "Kemer"}, "country_id": 1},
        {"type": "dict", "kind": "hotel_category", "id": 5, "name": "5*"},
        *({"type": "dict", "kind": "hotel", "id": n, "name": f"H {n}", "country_id": 1, "city_id": 1, "hotel_category_id": 5}
          for n in range(1000))]


def hotel(n):
    return [f"H{n}", f"Отель Солнечный берег {n}", "TR", "Турция", str(n % 500), "Кемер", 36.5 + n / 1e6, f"+90 {n}"]


class Desk:
    """Where the data folders are: with a store of their own, or each with a database of a cluster."""

    def __init__(self, build, folder, cluster):
        self.binary, self.folder, self.cluster = build / "dragoman", folder, cluster

    def data(self, name):
        if self.cluster is None:
            return common.Dragoman(self.binary, self.folder / name)
        self.cluster.psql("postgres", f"CREATE DATABASE {name}")
        return postgres.OnPostgres(self.binary, self.folder / name, self.cluster.url(name))

    def timed(self, fn):
        """Seconds, of our CPU, of the database's."""
        before, pg, began = resource.getrusage(resource.RUSAGE_CHILDREN), self.database(), time.monotonic()
        fn()
        took, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        return took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, self.database() - pg

    def database(self):
        """Seconds of all its processes, those that have ended too."""
        while self.cluster is not None:
            with contextlib.suppress(OSError): # one that ends while it is counted
                return common.cpu_seconds(self.cluster.server.pid) + postgres.server_cpu(self.cluster)
        return 0

    def told(self, what, fn, bound=None, rounds=1):
        """One line, by the median of some rounds; what came before the first of several is thrown away."""
        runs = sorted(self.timed(fn) for _ in range(rounds + (rounds > 1)))
        took, own, theirs = runs[len(runs) // 2]
        cpu = f"CPU {own:.2f} s" + (f" + {theirs:.2f} s of the database" if self.cluster is not None else "")
        if bound is not None:
            return common.verdict(f"{what}, {cpu}", took, bound, " s")
        print(f"  {what}, {cpu:<50} {took:>10,.2f} s", flush=True)
        return True


def imported(d, lines):
    """Import an iterable of lines."""
    more = ["--store", d.store] if isinstance(d, postgres.OnPostgres) else []
    with subprocess.Popen([str(d.binary), "import", "-", "--create", "--data", str(d.data), *more], stdin=subprocess.PIPE, text=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as p:
        for line in lines:
            p.stdin.write(line)
        p.stdin.close()
        if p.wait() != 0:
            raise SystemExit("the import failed")


def as_lines(records):
    return (json.dumps(r) + "\n" for r in records)


def workbook(path, n):
    book = xlsxwriter.Workbook(str(path), {"constant_memory": True})
    sheet = book.add_worksheet("Hotels")
    for r, row in enumerate([HEADER, *map(hotel, range(n))]):
        sheet.write_row(r, 0, row)
    book.close()


def delimited(path, n):
    text = io.StringIO()
    csv.writer(text, delimiter=";").writerows([HEADER, *map(hotel, range(n))])
    path.write_bytes(text.getvalue().encode("cp1251"))


def lists(desk, rows):
    kept = True
    for name, make in (("xlsx", workbook), ("csv", delimited)):
        d = desk.data(f"list_{name}")
        imported(d, as_lines(BASE))
        d.run("supplier", "add", "coral")
        path = desk.folder / f"hotels.{name}"
        make(path, rows)
        load = lambda *more: d.run("load", "coral", path, *more)
        kept &= desk.told(f"preview of {rows:,} hotels, {name}", lambda: load("--dry-run"), 5)
        kept &= desk.told("load of them", lambda: load("--accept"), 10)
        kept &= desk.told("preview of them, a second week", lambda: load("--dry-run"), 5)
        kept &= desk.told("load of them, nothing is new", load, 10)
    return d, kept


class Writer(threading.Thread):
    """A client that registers elements one after the other, and how long each took."""

    def __init__(self, d, key):
        super().__init__()
        self.url, self.times, self.over = d.url("/v1/tour/sourceAdd"), [], threading.Event()
        self.headers = {"X-Service-Api-Key": key["key"], "X-Service-Api-Secret": key["secret"], "Content-Type": "application/json"}

    def run(self):
        for n in itertools.count():
            if self.over.is_set():
                break
            body = {"adapter_id": 1, "lang_code": "en", "meal": [{"id": f"M{n}", "name": f"Meal {n}"}]}
            request = urllib.request.Request(self.url, json.dumps(body).encode(), self.headers)
            began = time.monotonic()
            urllib.request.urlopen(request).read()
            self.times.append(time.monotonic() - began)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.join()


def undo(desk, d, rows):
    """Mappings by a list taken back, while a client registers elements."""
    path = desk.folder / "map.csv"
    with open(path, "w", encoding="utf-8") as out:
        out.write("adapter_id,kind,id,dict_id\n")
        out.writelines(f"1,hotel,H{n},{n % 1000}\n" for n in range(rows))
    desk.told(f"map load of {rows:,} mappings", lambda: d.run("map", "load", path))
    batch = d.run("batch", "list", "--format", "csv").splitlines()[1].split(",")[0]
    key = d.key("b", "--secret")
    with d.serve():
        with Writer(d, key) as writer:
            wrote = resource.getrusage(resource.RUSAGE_CHILDREN).ru_oublock
            kept = desk.told(f"undo of {rows:,} mappings, beside a writer", lambda: d.run("batch", "undo", batch), 10)
            wrote = resource.getrusage(resource.RUSAGE_CHILDREN).ru_oublock - wrote
    print(f"  the command wrote {wrote * 512 / 1e6:.0f} MB; the other writer's p50 was {common.percentile(writer.times, 50) * 1000:.0f} ms")
    kept &= common.verdict(f"p99 of {len(writer.times)} writes meanwhile", common.percentile(writer.times, 99) * 1000, 200, " ms")
    again = d.run("batch", "list", "--format", "csv").splitlines()[1].split(",")[0]
    return desk.told("undo of the undo, alone", lambda: d.run("batch", "undo", again), 10) and kept


def suppliers_hotels(reference):
    """The lines of a reference, and a supplier's record for each of its hotels."""
    yield from as_lines([{"type": "adapter", "id": 1, "code": "one", "name": "One", "domain": "tour"}])
    for line in reference:
        yield line
        if '"kind":"hotel"' in line:
            r = json.loads(line)
            name = r["name"] if isinstance(r["name"], str) else next(iter(r["name"].values()))
            yield json.dumps({"type": "source", "adapter_id": 1, "kind": "hotel", "id": str(r["id"]), "name": name}) + "\n"


def names(desk, count):
    d = desk.data("names")
    with subprocess.Popen([f"{d.binary}-synth", "--hotels", str(count), "--adapters", "0", "--content", "0"], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as synth:
        imported(d, suppliers_hotels(synth.stdout))
    kept = True
    for what in ("dict", "map"):
        desk.told(f"the first {what} find, which makes the index", lambda: d.run(what, "find", "palace"))
        for query in ("sunny palace", "hotel", "сонячний"):
            kept &= desk.told(f'{what} find "{query}" among {count:,} hotels', lambda: d.run(what, "find", query), 0.05, ROUNDS)
    desk.told("dict duplicates of all of them", lambda: d.run("dict", "duplicates"))
    return kept


def coverage(desk, count):
    d = desk.data("coverage")

    def records():
        yield from as_lines(BASE)
        yield from as_lines({"type": "adapter", "id": a, "code": f"a{a}", "name": f"A {a}", "domain": "tour"} for a in range(1, 16))
        for a in range(1, 16):
            for i in range(count // 15):
                mapped = f',"dict_id":{i % 1000}' if i % 10 else ""
                yield f'{{"type":"source","adapter_id":{a},"kind":"hotel","id":"{i:07d}","name":"Hotel {i}"{mapped}}}\n'

    imported(d, records())
    return desk.told(f"coverage of {count:,} records", lambda: d.run("coverage", "--since", "2026-01-01"), 1, ROUNDS)


def measure(desk, o):
    kept = True
    if o.rows > 0:
        d, kept = lists(desk, o.rows)
        kept &= undo(desk, d, o.rows)
    if o.names > 0:
        kept &= names(desk, o.names)
    if o.records > 0:
        kept &= coverage(desk, o.records)
    return 0 if kept else 1


def main():
    o = argparse.ArgumentParser()
    o.add_argument("build", type=pathlib.Path)
    o.add_argument("--postgres", action="store_true")
    for name, default in (("--rows", 100_000), ("--names", 3_000_000), ("--records", 23_000_000)):
        o.add_argument(name, type=int, default=default)
    o = o.parse_args()
    build = common.programs(o.build)
    with common.folder() as folder, postgres.pg_cluster.Cluster(True) if o.postgres else contextlib.nullcontext() as cluster:
        return measure(Desk(build, folder, cluster), o)


if __name__ == "__main__":
    sys.exit(main())
