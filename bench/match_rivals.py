#!/usr/bin/python3
"""What a user would do instead of dragoman match, beside it on the same records: PostgreSQL's pg_trgm within a distance, and Jaro-Winkler
over the hotels of a city, in Python.

    bench/match_rivals.py BUILD_DIR [HOTELS [ADAPTERS]] [--seed N] [--hard] [--asked N]

Both are told more than dragoman is: where a supplier names a city, they are given the right one of the reference. pg_trgm looks within 0.02
degrees, and in that city where a record has no coordinates. Each takes the most alike of what is above its bound. Precision and recall as in
bench/match_quality.py, of some N records of all suppliers; processor time of all processes, without loading and indexing for the rivals,
with everything for dragoman."""
import argparse
import collections
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import common
import match_quality
import postgres

TRIGRAM, JARO = (0.3, 0.5, 0.7), (0.85, 0.9, 0.95)
SCHEMA = """CREATE EXTENSION pg_trgm;
CREATE TABLE ref (id bigint, name text, city bigint, at point);
CREATE TABLE asked (n bigint, name text, city bigint, at point);"""
INDEXES = "CREATE INDEX ON ref USING gist (at); CREATE INDEX ON ref (city); ANALYZE;"
# The best above the bound, within 0.02 degrees or, without coordinates, in the city.
QUERY = """SET pg_trgm.similarity_threshold = {bound};
COPY (SELECT a.n, b.id FROM asked a CROSS JOIN LATERAL (SELECT id FROM ref r
        WHERE r.at <@ box(point(a.at[0] - 0.02, a.at[1] - 0.02), point(a.at[0] + 0.02, a.at[1] + 0.02)) AND r.name % a.name
        ORDER BY similarity(r.name, a.name) DESC LIMIT 1) b WHERE a.at IS NOT NULL
    UNION ALL SELECT a.n, b.id FROM asked a CROSS JOIN LATERAL (SELECT id FROM ref r
        WHERE r.city = a.city AND r.name % a.name
        ORDER BY similarity(r.name, a.name) DESC LIMIT 1) b WHERE a.at IS NULL) TO STDOUT"""


class Records:
    """Hotels of the reference and of suppliers, and what these are."""

    def __init__(self, path, limit):
        self.ref, self.asked, self.meant, cities, named = [], [], [], {}, {}
        hotels = []
        with open(path, encoding="utf-8") as lines:
            for r in map(json.loads, lines):
                if r["type"] == "dict" and r["kind"] == "hotel":
                    self.ref.append(r)
                elif r["type"] == "source" and r["kind"] == "city":
                    cities[r["adapter_id"], r["id"]] = named[r["adapter_id"], r["name"]] = r.get("dict_id")
                elif r["type"] == "source" and r["kind"] == "hotel":
                    hotels.append(r)
        for r in hotels[::max(1, len(hotels) // limit)]:
            city = cities.get((r["adapter_id"], r.get("city_id"))) or named.get((r["adapter_id"], r.get("city_name")))
            self.asked.append({**r, "city": city})
            self.meant.append(r.get("dict_id"))

    def judge(self, who, answers, seconds):
        """@param answers  {number of the record: dict id}"""
        right = sum(self.meant[n] == id for n, id in answers.items())
        matches = sum(m is not None for m in self.meant)
        print(f"{who:45} {match_quality.ratio(right, len(answers)):9.4f} {match_quality.ratio(right, matches):7.3f} "
              f"{seconds / len(self.asked) * 1e6:10.0f} us", flush=True)


def point(r):
    return f"({r['lng']},{r['lat']})" if "lat" in r else None


def copy_rows(cluster, table, rows):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    subprocess.run([cluster.bin / "psql", "-q", "-h", "127.0.0.1", "-p", str(cluster.port), "-U", cluster.user, "rivals", "-c",
                    f"COPY {table} FROM STDIN CSV"], input=text.getvalue(), text=True, check=True)


def trigrams(records):
    with postgres.pg_cluster.Cluster() as cluster:
        cluster.psql("postgres", "CREATE DATABASE rivals")
        cluster.psql("rivals", SCHEMA)
        copy_rows(cluster, "ref", ((r["id"], r["name"]["en"].lower(), r["city_id"], point(r)) for r in records.ref))
        copy_rows(cluster, "asked", ((n, r["name"].lower(), r["city"], point(r)) for n, r in enumerate(records.asked)))
        cluster.psql("rivals", INDEXES)
        for bound in TRIGRAM:
            before = postgres.server_cpu(cluster)
            out = subprocess.run([cluster.bin / "psql", "-qAt", "-h", "127.0.0.1", "-p", str(cluster.port), "-U", cluster.user, "rivals",
                                  "-c", QUERY.format(bound=bound).split("\n", 1)[0], "-c", QUERY.split("\n", 1)[1]],
                                 check=True, stdout=subprocess.PIPE, text=True).stdout
            answers = {int(n): int(id) for n, id in (line.split("\t") for line in out.splitlines())}
            time.sleep(0.2)  # until the server has seen its process end
            records.judge(f"pg_trgm, similarity above {bound}", answers, postgres.server_cpu(cluster) - before)


def jaro_winkler(records, bound, near):
    import Levenshtein
    cities = collections.defaultdict(list)
    for r in records.ref:
        cities[r["city_id"]].append((r["id"], r["name"]["en"].lower(), r.get("lat"), r.get("lng")))
    answers, began = {}, time.process_time()
    for n, r in enumerate(records.asked):
        best, name = (bound, None), r["name"].lower()
        for id, other, lat, lng in cities[r["city"]]:
            if near and "lat" in r and lat is not None and max(abs(lat - r["lat"]), abs(lng - r["lng"])) > 0.02:
                continue
            best = max(best, (Levenshtein.jaro_winkler(name, other), id), key=lambda x: x[0])
        if best[1] is not None:
            answers[n] = best[1]
    records.judge(f"Jaro-Winkler above {bound} in the city{', within 0.02 degrees' if near else ''}", answers, time.process_time() - began)


def dragoman(program, blind, folder, records):
    data, report = folder / "data", folder / "report.ndjson"
    subprocess.run([program, "import", "--create", blind, "--data", data], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    cpu, number = match_quality.run_match(program, data, report)[1], {(r["adapter_id"], r["id"]): n for n, r in enumerate(records.asked)}
    answers, compared = {}, 0
    with report.open(encoding="utf-8") as lines:
        for r in map(json.loads, lines):
            compared += 1
            if r["kind"] == "hotel" and r["outcome"] == "automatic" and (r["adapter_id"], r["id"]) in number:
                answers[number[r["adapter_id"], r["id"]]] = r["dict_id"]
    records.judge("dragoman match, automatic", answers, cpu / compared * len(records.asked))


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("build")
    p.add_argument("hotels", nargs="?", type=int, default=20000)
    p.add_argument("adapters", nargs="?", type=int, default=10)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--hard", action="store_true")
    p.add_argument("--asked", type=int, default=20000)
    a = p.parse_args()
    build = pathlib.Path(a.build).resolve()
    program, base = build / "dragoman", pathlib.Path(os.environ.get("DRG_REFERENCE", build / "data" / "reference.ndjson"))
    more = ["--content", "0", *(("--base", str(base)) if base.exists() else ()), *(("--hard",) if a.hard else ())]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        truth, blind = folder / "truth.ndjson", folder / "blind.ndjson"
        common.synth(program, truth, a.hotels, a.adapters, a.seed, *more)
        common.synth(program, blind, a.hotels, a.adapters, a.seed, "--blind", *more)
        records = Records(truth, a.asked)
        print(f"{len(records.asked)} records of suppliers, {sum(m is not None for m in records.meant)} with a match, {len(records.ref)} hotels")
        print(f"{'':45} {'precision':>9} {'recall':>7} {'CPU each':>13}")
        dragoman(program, blind, folder, records)
        trigrams(records)
        for bound in JARO:
            jaro_winkler(records, bound, False)
            jaro_winkler(records, bound, True)


if __name__ == "__main__":
    sys.exit(main())
