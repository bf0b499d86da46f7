#!/usr/bin/python3
"""How good dragoman match is on made-up suppliers whose truth is known, and what it costs; beside it, on the same records, what a
user would write: Jaro-Winkler over the hotels of a city, with and without a bound on the distance.

    bench/match_quality.py BUILD_DIR [HOTELS [ADAPTERS]] [--seed N] [--hard] [--lacks PERCENT] [--misses N] [--no-rival]
                           [--real REFERENCE.csv LIST.csv TRUTH.csv]...

precision: of the automatic mappings, how many are right; recall: of the records that have a match, how many are mapped to it.
A record that nobody else has (synth makes some) and is mapped is an error. Candidates' recall: of the records that have a match,
of how many it is among the best three that were compared, and so a lower bound. Calibration: what is said of pairs against what is right,
by tenths; of real lists (the files of match_lists.py) apart from made-up ones, after them. Made-up data tells whether the engine works; it says
little about the world."""
import argparse
import collections
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import common
import match_lists

KINDS = ("country", "currency", "dep_city", "city", "hotel_category", "meal", "hotel")
BOUNDS = {"precision": 0.998, "recall": 0.85, "candidates": 0.98}


def read_truth(path):
    """(adapter, kind, id) -> dict id or None"""
    with open(path, encoding="utf-8") as lines:
        records = (json.loads(line) for line in lines if '"type":"source"' in line)
        return {(r["adapter_id"], r["kind"], r["id"]): r.get("dict_id") for r in records}


def leave_out(blind, truth, percent):
    """Take some of its hotels from the reference, as real ones lack houses. @return the truth without them."""
    gone, kept = set(), []
    with open(blind, encoding="utf-8") as lines:
        for line in lines:
            if '"type":"dict","kind":"hotel",' in line and (id_ := json.loads(line)["id"]) * 2654435761 // 128 % 100 < percent:
                gone.add(id_)
            else:
                kept.append(line)
    blind.write_text("".join(kept), "utf-8")
    return {source: None if source[1] == "hotel" and meant in gone else meant for source, meant in truth.items()}


def ratio(part, whole):
    return part / whole if whole else 1.0


class Kind:
    def __init__(self):
        self.records = self.matches = self.automatic = self.right = self.found = 0
        self.reasons, self.wrong, self.said = collections.Counter(), [], []

    def add(self, r, meant):
        self.records += 1
        self.matches += meant is not None
        self.found += meant is not None and any(c["dict_id"] == meant for c in r.get("candidates", ()))
        if r["outcome"] != "automatic":
            self.reasons[r["reason"]] += meant is not None
        else:
            self.automatic += 1
            self.right += r["dict_id"] == meant
            if r["kind"] == "hotel":
                self.said.append((match_lists.said_of(r), r["dict_id"] == meant))
            if r["dict_id"] != meant:
                self.wrong.append((meant, r))


def run_match(program, data, report):
    """Seconds of wall and CPU time and peak memory in MiB of a run."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run([program, "match", "--data", data, "--report", report, "--samples", "0"], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - begin, cpu, after.ru_maxrss / 1024, done.stdout


def judge(report, truth, misses):
    kinds = {k: Kind() for k in KINDS}
    with open(report, encoding="utf-8") as lines:
        for r in map(json.loads, lines):
            kinds[r["kind"]].add(r, truth[r["adapter_id"], r["kind"], r["id"]])
    print(f"{'kind':15} {'records':>9} {'matches':>9} {'automatic':>9} {'precision':>9} {'recall':>7}")
    for name, k in kinds.items():
        print(f"{name:15} {k.records:9} {k.matches:9} {k.automatic:9} {ratio(k.right, k.automatic):9.4f} {ratio(k.right, k.matches):7.3f}")
    hotel = kinds["hotel"]
    print(f"hotels: candidates' recall at least {ratio(hotel.found, hotel.matches):.4f}; not automatic although there is a match: "
          + ", ".join(f"{reason} {n}" for reason, n in hotel.reasons.most_common() if n))
    for meant, r in hotel.wrong[:misses]:
        print(f"  wrong: {r['name']!r} -> {r['dict_id']}, meant {meant}: {r['explanation']}")
    return hotel


def calibration(program, data, truth, hotel):
    out = subprocess.run([program, "match", "queue", "--kind", "hotel", "--limit", "0", "--format", "ndjson", "--data", data], check=True,
                         stdout=subprocess.PIPE, text=True).stdout
    queue = [r for r in map(json.loads, out.splitlines()) if r["dict_id"] is not None]
    common.calibration("made up, automatic", hotel.said)
    common.calibration("made up, first suggestions of the queue",
                       [(float(r["probability"]), truth[r["adapter_id"], "hotel", r["id"]] == r["dict_id"]) for r in queue])


def real(program, paths):
    with tempfile.TemporaryDirectory() as folder:
        reference, list_, truth = paths
        lists = match_lists.Lists(program, pathlib.Path(folder), argparse.Namespace(
            reference=reference, list=list_, truth=truth, without_places=False))
        match_lists.judge(lists.results(), lists.truth, 0)
        match_lists.calibration(lists, f"real, {list_}")


# ---- what a user would write --------------------------------------------------------------------------------

def rival(truth_path, truth, limit=20000):
    """Jaro-Winkler of the names in small letters, over the hotels of the (true) city, the best above 0.9; CPU time for each."""
    import Levenshtein
    cities, asked, own = collections.defaultdict(list), [], {}
    with open(truth_path, encoding="utf-8") as lines:
        for line in lines:
            if '"kind":"hotel",' in line and '"type":"dict"' in line:
                r = json.loads(line)
                cities[r["city_id"]].append((r["id"], r["name"]["en"].lower(), r.get("lat"), r.get("lng")))
                own[r["id"]] = r["city_id"]
            elif '"kind":"hotel",' in line and '"type":"source"' in line and len(asked) < limit:
                asked.append(json.loads(line))
    for bound in (None, 0.02):
        right = answered = matches = 0
        began = time.process_time()
        for r in asked:
            meant = truth[r["adapter_id"], "hotel", r["id"]]
            matches += meant is not None
            best = (0.9, None)
            for id, name, lat, lng in cities[own[meant]] if meant is not None else ():
                far = bound and "lat" in r and lat is not None and max(abs(lat - r["lat"]), abs(lng - r["lng"])) > bound
                if not far:
                    best = max(best, (Levenshtein.jaro_winkler(r["name"].lower(), name), id), key=lambda x: x[0])
            answered += best[1] is not None
            right += best[1] is not None and best[1] == meant
        each = (time.process_time() - began) / max(1, len(asked))
        print(f"Jaro-Winkler in the true city{'' if bound is None else ', within 0.02 degrees'} ({len(asked)} records): precision "
              f"{ratio(right, answered):.4f}, recall {ratio(right, matches):.3f}, {each * 1e6:.0f} us each; only records that have a match are asked")


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("build")
    p.add_argument("hotels", nargs="?", type=int, default=100000)
    p.add_argument("adapters", nargs="?", type=int, default=10)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--hard", action="store_true")
    p.add_argument("--lacks", type=int, default=0, metavar="PERCENT", help="of its hotels, which the reference lacks")
    p.add_argument("--misses", type=int, default=5)
    p.add_argument("--no-rival", action="store_true")
    p.add_argument("--real", nargs=3, action="append", default=[], metavar="FILE")
    a = p.parse_args()
    build = pathlib.Path(a.build).resolve()
    program, base = build / "dragoman", build / "data" / "reference.ndjson"
    base = pathlib.Path(os.environ["DRG_REFERENCE"]) if "DRG_REFERENCE" in os.environ else base
    more = ("--content", "0", *(("--base", str(base)) if base.exists() else ()), *(("--hard",) if a.hard else ()))
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        truth_path, blind, data, report = (folder / n for n in ("truth.ndjson", "blind.ndjson", "data", "report.ndjson"))
        common.synth(program, truth_path, a.hotels, a.adapters, a.seed, *more)
        common.synth(program, blind, a.hotels, a.adapters, a.seed, "--blind", *more)
        truth = read_truth(truth_path)
        if a.lacks:
            truth = leave_out(blind, truth, a.lacks)
        subprocess.run([program, "import", "--create", blind, "--data", data], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        wall, cpu, peak, out = run_match(program, data, report)
        hotel = judge(report, truth, a.misses)
        print(f"{len(truth)} records in {wall:.1f} s, {cpu:.1f} s of CPU ({cpu / len(truth) * 1e6:.0f} us each), peak {peak:.0f} MiB; {out.splitlines()[-1]}")
        calibration(program, data, truth, hotel)
        again = run_match(program, data, report)[3].splitlines()[-1]
        print(f"second run: {again}")
        if not a.no_rival:
            rival(truth_path, truth)
    for paths in a.real:
        real(program, paths)
    got = {"precision": ratio(hotel.right, hotel.automatic), "recall": ratio(hotel.right, hotel.matches),
           "candidates": ratio(hotel.found, hotel.matches)}
    missed = [f"{k} {got[k]:.4f}, wanted {BOUNDS[k]}" for k in BOUNDS if got[k] < BOUNDS[k]]
    if again != "nothing new":
        missed.append("the second run decided something")
    print("missed: " + "; ".join(missed) if missed else "all bounds kept")
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
