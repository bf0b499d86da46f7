#!/usr/bin/python3
"""Does avia/reference find what people mean? Queries are made from the data (build/data/reference.ndjson, and the airports
with scheduled service of the npm package behind it), never from the code of the search; each is asked over HTTP.

    bench/search_quality.py BUILD_DIR [SEED]

A city is found when it, or the airport that was meant, is among the first five; a code when the first item has it."""
import http.client
import json
import random
import subprocess
import sys
import urllib.parse

import common

LETTERS = "abcdefghijklmnopqrstuvwxyz"
SCHEDULED = """
import { readFileSync } from 'fs';
import { airports } from './data/lib/airports.js';
const known = new Set(readFileSync(process.argv[1], 'utf8').split('\\n').filter((l) => l.startsWith('{"type":"air_place"'))
  .map((l) => JSON.parse(l).country_code));
console.log(JSON.stringify((await airports(known)).filter((a) => a.scheduled).map((a) => a.code)));
"""


def scheduled(reference):
    out = subprocess.run(["node", "--input-type=module", "-e", SCHEDULED, str(reference)], check=True, cwd=common.ROOT,
                         stdout=subprocess.PIPE, text=True).stdout
    return json.loads(out)


class Search:
    def __init__(self, port, key):
        self.http, self.key = http.client.HTTPConnection("127.0.0.1", port), key

    def __call__(self, text):
        query = urllib.parse.urlencode({"search": text, "limit": 5})
        self.http.request("GET", f"/v1/avia/reference?{query}", headers={"X-Service-Api-Key": self.key})
        answer = self.http.getresponse()
        body = answer.read()
        assert answer.status == 200, body
        return json.loads(body)["data"]["items"]


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


def questions(airports, cities, rng):
    """(set, weight, what is typed, ids of which one is to be found)"""
    for a in airports:
        yield "code", 1, a["code"].lower(), {a["code"]}
        yield "name", 1, a["name"]["en"], {a["source_id"]}
        city = cities.get(a.get("city_code"))
        if city is None:
            continue
        meant, name = {a["source_id"], city["source_id"]}, city["name"]["en"]
        yield "city in English", 1, name, meant
        others = sorted(lang for lang in city["name"] if lang != "en")
        if others:
            yield "city in another language", 1, city["name"][rng.choice(others)], meant
        if len(name) >= 4:
            yield "first 4 letters, by weight", a.get("weight", 0), name[:4], meant
            yield "one typing error", 1, typo(rng, name.lower()), meant


def run(search, asked):
    found, total, misses = {}, {}, {}
    for kind, weight, text, meant in asked:
        items = search(text)
        if kind == "code":
            hit = bool(items) and items[0]["code"] in meant
        else:
            hit = any(item["source_id"] in meant for item in items)
        total[kind] = total.get(kind, 0) + weight
        found[kind] = found.get(kind, 0) + weight * hit
        if not hit:
            misses.setdefault(kind, []).append((text, [f"{i['code']} {i['title']}" for i in items[:3]], meant))
    return found, total, misses


BOUNDS = {"code": 100, "name": 97, "city in English": 97, "city in another language": 97, "first 4 letters, by weight": 90,
          "one typing error": 92}


def main():
    build, seed = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
    reference = common.ROOT / "build" / "data" / "reference.ndjson"
    places = [r for r in map(json.loads, open(reference, encoding="utf-8")) if r["type"] == "air_place"]
    wanted = set(scheduled(reference))
    airports = [p for p in places if p["place"] == "apt" and p["code"] in wanted]
    cities = {p["code"]: p for p in places if p["place"] == "city"}
    titles = {p["source_id"]: f"{p['code']} {p['name']['en']}" for p in places}
    with common.folder() as folder:
        d = common.Dragoman(f"{build}/dragoman", folder)
        d.run("import", reference)
        key = d.key("b")["key"]
        with d.serve():
            found, total, misses = run(Search(d.port, key), questions(airports, cities, random.Random(seed)))
    print(f"{len(places)} places, {len(airports)} airports with scheduled service")
    kept = [common.verdict(kind, 100 * found[kind] / total[kind], bound, " %", smaller=False)
            for kind, bound in BOUNDS.items()]
    for kind in BOUNDS:
        for text, items, meant in misses.get(kind, [])[:6]:
            said = [titles.get(m, m) for m in meant]
            print(f"    missed, {kind}: {text!r} found {items}, meant {said}")
    sys.exit(not all(kept))


if __name__ == "__main__":
    main()
