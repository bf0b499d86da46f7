#!/usr/bin/python3
"""How good dragoman match is on lists of yours whose truth was made by reading, and what match learn gives there.

    bench/match_lists.py BUILD_DIR REFERENCE.csv LIST.csv TRUTH.csv [--learn] [--without-places] [--misses N]

The lists have the columns id, name, city, country (ISO code) and any of address, zip, lat, lng; the first stands for the reference.
TRUTH has the columns id and reference_id: ids of the reference separated by blanks where any of them is right (it has the house
twice), nothing where it has no such house. --learn judges match learn from 20, 100 and 300 answers by the truth."""
import argparse
import collections
import csv
import json
import pathlib
import random
import re
import subprocess
import tempfile
import unicodedata

import common

ADAPTER, ANSWERS, ROUNDS, LEFT = 1, (20, 100, 300), 5, 5
NUMBERS = ("lat", "lng")


def rows(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def plain(text):
    text = unicodedata.normalize("NFKD", text.lower().replace("œ", "oe"))
    return re.sub("^st ", "saint ", " ".join(re.findall(r"\w+", "".join(c for c in text if not unicodedata.combining(c)))))


def hotel(row, places, without_places):
    record = {k: row[k] for k in ("address", "zip") if row.get(k)}
    if not without_places and row.get("lat") and row.get("lng"):
        record |= {k: float(row[k]) for k in NUMBERS}
    return {**record, "kind": "hotel", "country_id": 1 + places["countries"].index(row["country"]),
            "city_id": 1 + places["cities"].index((row["country"], plain(row["city"])))}


def records(reference, supplier, without_places):
    """The NDJSON of both lists. Countries and cities are mapped: bench/match_quality.py judges those."""
    both = reference + supplier
    places = {"countries": sorted({r["country"] for r in both}), "cities": sorted({(r["country"], plain(r["city"])) for r in both})}
    kinds = {"country": [{"name": {"en": c}, "iso_alpha_2": c} for c in places["countries"]],
             "city": [{"name": {"en": name}, "country_id": 1 + places["countries"].index(c)} for c, name in places["cities"]],
             "hotel_category": [{"name": {"en": "unrated"}}]}
    yield {"type": "adapter", "id": ADAPTER, "domain": "tour", "code": "list", "name": "List"}
    for kind, made in kinds.items():
        for id, record in enumerate(made, 1):
            yield {"type": "dict", "kind": kind, "id": id, **record}
    for kind in ("country", "city"):
        for id, record in enumerate(kinds[kind], 1):
            yield {"type": "source", "adapter_id": ADAPTER, "kind": kind, "id": str(id), "name": record["name"]["en"], "dict_id": id,
                   **({"country_id": str(record["country_id"])} if kind == "city" else {})}
    for row in reference:
        yield {"type": "dict", "id": int(row["id"]), "name": {"en": row["name"]}, "hotel_category_id": 1, **hotel(row, places, False)}
    for row in supplier:
        made = hotel(row, places, without_places)
        yield {"type": "source", "adapter_id": ADAPTER, "id": row["id"], "name": row["name"], **made,
               "country_id": str(made["country_id"]), "city_id": str(made["city_id"])}


class Lists:
    def __init__(self, program, folder, a):
        self.program, self.folder = program, folder
        self.truth = {r["id"]: {int(i) for i in r["reference_id"].split()} for r in rows(a.truth)}
        both = folder / "both.ndjson"
        supplier = rows(a.list)
        assert {r["id"] for r in supplier} == set(self.truth), "the truth is about other records"
        with both.open("w", encoding="utf-8") as out:
            for r in records(rows(a.reference), supplier, a.without_places):
                out.write(json.dumps(r, ensure_ascii=False) + "\n")
        self.run("import", "--create", both)

    def run(self, *args, fails=False):
        done = subprocess.run([str(x) for x in (self.program, *args, "--data", self.folder / "data")], check=not fails,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return done.stdout + done.stderr

    def results(self, card=None, kept=None):
        """What match says of each record now, or of these."""
        report = self.folder / "report.ndjson"
        self.run("match", "--kind", "hotel", "--dry-run", "--samples", "0", "--report", report, *(("--weights", card) if card else ()))
        with report.open(encoding="utf-8") as lines:
            found = [r for r in map(json.loads, lines) if r["kind"] == "hotel"]
        return [r for r in found if kept is None or r["id"] in kept]


def share(right, n):
    return f"{right / n if n else 0:.4f} ({right} of {n}, {' to '.join(f'{x / 100:.4f}' for x in common.wilson(right, n))})"


def calibration(lists, title):
    """What is said of automatic pairs, and by the queue of its first suggestions, against what is right."""
    automatic = [(said_of(r), r["dict_id"] in lists.truth[r["id"]]) for r in lists.results() if r["outcome"] == "automatic"]
    lists.run("match", "--kind", "hotel", "--samples", "0")
    queue = map(json.loads, lists.run("match", "queue", "--kind", "hotel", "--limit", "0", "--format", "ndjson").splitlines())
    common.calibration(f"{title}, automatic", automatic)
    common.calibration(f"{title}, first suggestions of the queue",
                       [(float(r["probability"]), r["dict_id"] in lists.truth[r["id"]]) for r in queue if r["dict_id"] is not None])


def said_of(result):
    """The probability in an explanation."""
    return float(re.search(r"\(p ([\d.]+)\)", result["explanation"])[1])


def outcomes(results, truth):
    automatic = [r for r in results if r["outcome"] == "automatic"]
    matches = [r for r in results if truth[r["id"]]]
    right = [r for r in automatic if r["dict_id"] in truth[r["id"]]]
    return automatic, matches, right


def judge(results, truth, misses):
    automatic, matches, right = outcomes(results, truth)
    asked = [r for r in matches if r["outcome"] == "ask"]
    offered = [r for r in asked if any(c["dict_id"] in truth[r["id"]] for c in r["candidates"])]
    first = [r for r in offered if r["candidates"][0]["dict_id"] in truth[r["id"]]]
    print(f"{len(results)} records, {len(matches)} have a match; {sum(r['outcome'] == 'ask' for r in results)} are asked")
    print(f"  automatic, precision          {share(len(right), len(automatic))}")
    print(f"  automatic, recall             {share(len(right), len(matches))}")
    print(f"  automatic or among the asked  {share(len(right) + len(offered), len(matches))}")
    print(f"  of the asked the right first  {share(len(first), len(offered))}")
    reasons = collections.Counter(f"{r['outcome']} {r['reason']}" for r in matches if r["outcome"] != "automatic")
    print("  not automatic: " + ", ".join(f"{reason} {n}" for reason, n in reasons.most_common()))
    wrong = [r for r in automatic if r["dict_id"] not in truth[r["id"]]]
    for text, list_ in ("wrong", wrong), ("not automatic", [r for r in matches if r["outcome"] != "automatic"]):
        for r in list_[:misses]:
            print(f"    {text}: {r['id']} {r['name']!r} -> {r['dict_id']}, meant {sorted(truth[r['id']])}: {r['explanation']}")


def told(text, results, truth):
    automatic, matches, right = outcomes(results, truth)
    print(f"  {text:34} precision {share(len(right), len(automatic))}, recall {len(right) / max(1, len(matches)):.4f}", flush=True)
    return len(automatic) - len(right), len(right)


def learn(program, a):
    """Answers are drawn at random, as by match audit; what is learnt is judged on the records without one."""
    for n in ANSWERS:
        for seed in range(ROUNDS):
            with tempfile.TemporaryDirectory() as folder:
                lists = Lists(program, pathlib.Path(folder), a)
                best = {r["id"]: r for r in lists.results() if r["dict_id"] is not None}
                if len(best) < n + LEFT:
                    print(f"{n} answers: only {len(best)} records have a suggestion")
                    break
                chosen = set(random.Random(seed).sample(sorted(best), n))
                kept = set(lists.truth) - chosen
                answers = pathlib.Path(folder) / "answers.csv"
                with answers.open("w", encoding="utf-8", newline="") as file:
                    out = csv.writer(file)
                    out.writerow(("adapter_id", "kind", "id", "dict_id", "decision"))
                    for id in sorted(chosen):
                        right = best[id]["dict_id"] in lists.truth[id]
                        out.writerow((ADAPTER, "hotel", id, best[id]["dict_id"],
                                      "accept" if right else min(lists.truth[id], default="reject")))
                lists.run("match", "load", answers)
                before = lists.results(kept=kept)
                said = lists.run("match", "learn", "--apply", fails=True)
                print(f"{n} answers, draw {seed + 1}: {'applied' if 'in use' in said else 'refused'}")
                told("before", before, lists.truth)
                told("after", lists.results(kept=kept), lists.truth)


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    for name in ("build", "reference", "list", "truth"):
        p.add_argument(name, type=pathlib.Path)
    p.add_argument("--learn", action="store_true")
    p.add_argument("--without-places", action="store_true", help="the list without its coordinates")
    p.add_argument("--misses", type=int, default=0)
    a = p.parse_args()
    program = a.build.resolve() / "dragoman"
    with tempfile.TemporaryDirectory() as folder:
        lists = Lists(program, pathlib.Path(folder), a)
        judge(lists.results(), lists.truth, a.misses)
        calibration(lists, "real list")
    if a.learn:
        learn(program, a)


if __name__ == "__main__":
    main()
