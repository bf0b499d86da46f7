#!/usr/bin/python3
"""The air search beside what a team would put there instead, on the same names in one run: PostgreSQL 15 with pg_trgm and
unaccent (over its protocol, as dragoman over HTTP), and SQLite FTS5 with the trigram tokenizer (in the process, as the search
alone). Once on the demo data, once with made-up names added up to 100,000. CPU time of the servers.

    bench/air_search.py BUILD_DIR"""
import http.client
import json
import pathlib
import random
import sqlite3
import subprocess
import sys
import time
import unicodedata
import urllib.parse

import common
from translate import Postgres

LETTERS = "abcdefghijklmnopqrstuvwxyz"
KINDS = ("keystroke", "name", "other language", "typing error")
PER_KIND = 500
NAMES = 100000
REFERENCE = common.ROOT / "build" / "data" / "reference.ndjson"


def typo(rng, text):
    """One edit: a letter dropped, added, replaced, or swapped with its neighbour; the first letter is mostly right."""
    while True:
        at = rng.randrange(len(text))
        kind = rng.randrange(4)
        if kind == 0:
            made = text[:at] + text[at + 1:]
        elif kind == 1:
            made = text[:at] + rng.choice(LETTERS) + text[at:]
        elif kind == 2:
            made = text[:at] + rng.choice(LETTERS) + text[at + 1:]
        else:
            made = text[:at] + text[at + 1:at + 2] + text[at:at + 1] + text[at + 2:]
        if made != text:
            return made


def read_places():
    return [r for r in map(json.loads, open(REFERENCE, encoding="utf-8")) if r["type"] == "air_place"]


def made_up(places, rng):
    """More places, each with a name from the halves of two, until there are NAMES names."""
    names = [p["name"]["en"] for p in places]
    more = []
    for n in range(NAMES - sum(len(p["name"]) for p in places)):
        a, b = rng.choice(names), rng.choice(names)
        name = (a[:len(a) // 2 + 1] + b[len(b) // 2:]).strip()
        code = "".join(rng.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for _ in range(3))
        more.append({"type": "air_place", "source_id": 10**6 + n, "place": "city", "code": code, "name": {"en": name},
                     "country_code": "XX", "weight": rng.randrange(400)})
    return more


def questions(places, rng):
    cities = [p for p in places if p["place"] == "city" and p["source_id"] < 10**6 and len(p["name"]["en"]) >= 5]
    many = [p for p in cities if len(p["name"]) > 1]
    for kind in KINDS:
        for city in rng.choices(many if kind == "other language" else cities, k=PER_KIND):
            name = city["name"]["en"]
            if kind == "keystroke":
                yield kind, name[:rng.randint(3, len(name))]
            elif kind == "name":
                yield kind, name
            elif kind == "other language":
                yield kind, rng.choice([n for lang, n in city["name"].items() if lang != "en"])
            else:
                yield kind, typo(rng, name)


# ---- the three ----

def dragoman(d, key, asked):
    """Microseconds of the server's CPU for each query."""
    link = http.client.HTTPConnection("127.0.0.1", d.port)
    with d.serve() as server:
        link = http.client.HTTPConnection("127.0.0.1", d.port)

        def all_of(queries):
            before = common.cpu_seconds(server.pid)
            for text in queries:
                link.request("GET", "/v1/avia/reference?" + urllib.parse.urlencode({"search": text, "limit": 50}),
                             headers={"X-Service-Api-Key": key})
                assert link.getresponse().read()
            return (common.cpu_seconds(server.pid) - before) / len(queries) * 1e6

        all_of([text for _, text in asked])
        means = [all_of([text for _, text in asked] * 4) for _ in range(3)]
        by_kind = {kind: all_of([text for k, text in asked if k == kind] * 8) for kind in KINDS}
    return sorted(means)[1], by_kind


def plain(text):
    decomposed = unicodedata.normalize("NFKD", text.lower())
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def trigrams(text):
    return " OR ".join('"' + text[i:i + 3].replace('"', '""') + '"' for i in range(len(text) - 2))


def sqlite(places, asked):
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE names USING fts5(name, place UNINDEXED, tokenize='trigram')")
    db.execute("CREATE TABLE place (id INTEGER PRIMARY KEY, code, title, weight)")
    db.executemany("INSERT INTO names VALUES (?, ?)", ((plain(n), p["source_id"]) for p in places for n in p["name"].values()))
    db.executemany("INSERT INTO place VALUES (?, ?, ?, ?)", ((p["source_id"], p["code"], p["name"]["en"], p.get("weight", 0))
                                                             for p in places))
    db.execute("INSERT INTO names(names) VALUES ('optimize')")
    query = ("SELECT p.id, p.code, p.title FROM names n JOIN place p ON p.id = n.place WHERE names MATCH ?"
             " GROUP BY p.id ORDER BY min(n.rank), p.weight DESC LIMIT 50")
    texts = [(kind, plain(text)) for kind, text in asked]
    began = time.process_time()
    for kind, text in texts:
        # A text with an error is nowhere as it is: what shares most trigrams with it comes first.
        wanted = trigrams(text) if kind == "typing error" else '"' + text.replace('"', '""') + '"'
        if len(text) >= 3:
            db.execute(query, (wanted,)).fetchall()
    return (time.process_time() - began) / len(texts) * 1e6


POSTGRES = """
PREPARE search (text) AS SELECT p.id, p.code, p.title FROM (
  SELECT n.place, max(similarity(n.folded, lower(unaccent($1)))) AS sim FROM names n
  WHERE n.folded % lower(unaccent($1)) OR n.folded LIKE lower(unaccent($1)) || '%' GROUP BY n.place
) m JOIN place p ON p.id = m.place ORDER BY m.sim DESC, p.weight DESC LIMIT 50;
"""


def postgres(places, asked):
    with Postgres().run() as pg:
        pg.sql("CREATE EXTENSION pg_trgm; CREATE EXTENSION unaccent;"
               "CREATE TABLE names (place bigint, folded text); CREATE TABLE place (id bigint, code text, title text, weight int)")
        pg.sql("COPY names FROM STDIN", ((p["source_id"], n) for p in places for n in p["name"].values()))
        pg.sql("COPY place FROM STDIN", ((p["source_id"], p["code"], p["name"]["en"], p.get("weight", 0)) for p in places))
        pg.sql("UPDATE names SET folded = lower(unaccent(folded))")
        pg.sql("CREATE INDEX ON names USING gin (folded gin_trgm_ops); ALTER TABLE place ADD PRIMARY KEY (id)")
        for table in ("names", "place"):
            pg.sql(f"VACUUM ANALYZE {table}")
        psql = subprocess.Popen(["psql", "-q", "-X", "-A", "-t", "-h", "127.0.0.1", "-p", str(pg.port), "-U", pg.user, "-d",
                                 "postgres"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

        def talk(text):
            psql.stdin.write(text + "\\echo done\n")
            psql.stdin.flush()
            while psql.stdout.readline() != "done\n":
                pass

        quoted = ["EXECUTE search ('" + text.replace("'", "''") + "');\n" for _, text in asked]
        talk(POSTGRES + "".join(quoted[:50]))
        before = common.cpu_seconds(pg.pid)
        talk("".join(quoted))
        spent = common.cpu_seconds(pg.pid) - before
        psql.stdin.close()
        psql.wait()
    return spent / len(asked) * 1e6


def alone(build, reference, asked, folder):
    """The search without HTTP and JSON: {kind: (mean, median, p99, worst)}, the worst that a fuzzer found, rebuild in ms."""
    path = folder / "queries"
    path.write_text("".join(f"{kind}\t{text}\n" for kind, text in asked), "utf-8")
    out = subprocess.run([f"{build}/bench/air_bench", reference, path], check=True, stdout=subprocess.PIPE, text=True).stdout
    rows = [line.split("\t") for line in out.splitlines()]
    kinds = {r[0]: tuple(map(float, r[2:])) for r in rows if r[0] in (*KINDS, "all")}
    worst = next(r for r in rows if r[0] == "worst")
    return kinds, (float(worst[1]), worst[2]), float(next(r for r in rows if r[0] == "index")[2])


def measure(build, title, places):
    rng = random.Random(1)
    asked = list(questions(places, rng))
    names = sum(len(p["name"]) for p in places)
    print(f"{title}: {len(places):,} places, {names:,} names, {len(asked):,} queries", flush=True)
    with common.folder() as folder:
        reference = folder / "places.ndjson"
        reference.write_text("".join(json.dumps(p, ensure_ascii=False) + "\n" for p in places), "utf-8")
        kinds, (worst, text), index_ms = alone(build, reference, asked, folder)
        d = common.Dragoman(f"{build}/dragoman", folder / "data")
        d.run("import", reference)
        ours, by_kind = dragoman(d, d.key("b")["key"], asked)
    theirs, fts = postgres(places, asked), sqlite(places, asked)
    for kind in ("all", *KINDS):
        mean, median, p99, most = kinds[kind]
        print(f"  alone, {kind:<16} mean {mean:7.2f} us, median {median:7.2f}, p99 {p99:7.2f}, worst {most:7.2f}")
    print("  over HTTP, CPU us of the server: " + ", ".join(f"{kind} {us:.0f}" for kind, us in by_kind.items()))
    print(f"  CPU us for each query: dragoman over HTTP {ours:.1f}, alone {kinds['all'][0]:.2f}; PostgreSQL {theirs:.0f};"
          f" SQLite FTS5 {fts:.0f}")
    print(f"  index made anew in {index_ms:.0f} ms; worst query found: {worst:.0f} us, {text!r}")
    kept = [common.verdict("PostgreSQL's CPU to ours, both over a socket", theirs / ours, 20, smaller=False),
            common.verdict("SQLite FTS5's CPU to ours, both in the process", fts / kinds["all"][0], 10, smaller=False),
            common.verdict("p99 to median, alone", kinds["all"][2] / kinds["all"][1], 5),
            common.verdict("a typing error to an exact name, alone", kinds["typing error"][0] / kinds["name"][0], 5),
            common.verdict("the worst query found to the median, alone", worst / kinds["all"][1], 20),
            common.verdict("making the index anew, in ms", index_ms, 300),
            common.verdict("a request with the worst query found to the mean request", (worst + ours) / ours, 20)]
    return all(kept)


def main():
    build = common.programs(sys.argv[1])
    places = read_places()
    kept = measure(build, "the demo data", places)
    kept &= measure(build, "with made-up names", places + made_up(places, random.Random(2)))
    sys.exit(not kept)


if __name__ == "__main__":
    main()
