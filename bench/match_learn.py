#!/usr/bin/python3
"""What match learn makes of 200 confirmed pairs: F1 of the automatic mappings of other made-up suppliers, before and after.

    bench/match_learn.py BUILD_DIR [HOTELS [ADAPTERS]] [--hard] [--pairs N]

People (the truth of synth) answer the queue of one seed from its beginning, until half of N pairs are confirmed, and judge a random sample of
what was mapped (match audit) for the other half; then as many as N more of the queue. What they refuse on the way counts too. What is
learnt is tried on seeds that nobody has answered anything of."""
import argparse
import csv
import json
import os
import pathlib
import subprocess
import tempfile

import common
import match_quality

LEARNT_FROM, HELD_OUT = 21, (22, 23)


class Made:
    """Suppliers of a seed in a data folder, and the truth."""

    def __init__(self, program, folder, seed, a, more):
        self.program, self.folder = program, folder / f"seed{seed}"
        self.folder.mkdir()
        truth, blind = self.folder / "truth.ndjson", self.folder / "blind.ndjson"
        common.synth(program, truth, a.hotels, a.adapters, seed, *more)
        common.synth(program, blind, a.hotels, a.adapters, seed, "--blind", *more)
        self.truth = match_quality.read_truth(truth)
        self.run("import", "--create", blind)

    def run(self, *args):
        return subprocess.run([str(x) for x in (self.program, *args, "--data", self.folder / "data")], check=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True).stdout

    def answered(self, rows, n):
        """Rows of the queue or of an audit with a decision, until n pairs are confirmed."""
        given, same = [], 0
        for row in rows:
            meant = self.truth[int(row["adapter_id"]), "hotel", row["id"]]
            if row.get("dict_id") in (None, "") or same == n:
                continue
            right = meant is not None and meant == int(row["dict_id"])
            given.append({**{k: row[k] for k in ("adapter_id", "kind", "id", "dict_id")}, "decision": "accept" if right else meant or "reject"})
            same += meant is not None
        path = self.folder / "answers.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            out = csv.DictWriter(file, list(given[0]))
            out.writeheader()
            out.writerows(given)
        self.run("match", "load", path)
        return same, len(given) - same

    def quality(self, card=None):
        report = self.folder / "report.ndjson"
        self.run("match", "--dry-run", "--samples", "0", "--report", report, *(("--weights", card) if card else ()))
        hotel = match_quality.Kind()
        with report.open(encoding="utf-8") as lines:
            for r in map(json.loads, lines):
                if r["kind"] == "hotel":
                    hotel.add(r, self.truth[r["adapter_id"], "hotel", r["id"]])
        return hotel


def told(name, kinds):
    automatic, right, matches = (sum(getattr(k, f) for k in kinds) for f in ("automatic", "right", "matches"))
    precision, recall = match_quality.ratio(right, automatic), match_quality.ratio(right, matches)
    print(f"{name:42} precision {precision:.4f} ({automatic - right} wrong of {automatic}), recall {recall:.4f}, "
          f"F1 {2 * precision * recall / (precision + recall):.4f}", flush=True)


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("build")
    p.add_argument("hotels", nargs="?", type=int, default=5000)
    p.add_argument("adapters", nargs="?", type=int, default=6)
    p.add_argument("--pairs", type=int, default=200)
    p.add_argument("--hard", action="store_true")
    a = p.parse_args()
    build = pathlib.Path(a.build).resolve()
    base = pathlib.Path(os.environ.get("DRG_REFERENCE", build / "data" / "reference.ndjson"))
    more = ["--content", "0", *(("--base", str(base)) if base.exists() else ()), *(("--hard",) if a.hard else ())]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        held = [Made(build / "dragoman", folder, seed, a, more) for seed in HELD_OUT]
        told("shipped scorecard", [h.quality() for h in held])
        made = Made(build / "dragoman", folder, LEARNT_FROM, a, more)
        made.run("match", "--samples", "0")
        queue = [json.loads(line) for line in made.run("match", "queue", "--kind", "hotel", "--format", "ndjson").splitlines()]
        half = made.answered(queue, a.pairs // 2)
        audit = folder / "audit.csv"
        made.run("match", "audit", "--kind", "hotel", "--size", a.pairs - half[0], "--output", audit)
        with audit.open(encoding="utf-8-sig", newline="") as file:
            sample = made.answered([row for row in csv.DictReader(file) if row["kind"] == "hotel"], a.pairs)
        card = folder / "card.txt"
        made.run("match", "learn", "--output", card)
        told(f"{half[0]} confirmed of the queue, {sample[0]} of a sample", [h.quality(card) for h in held])
        more_of_queue = made.answered(queue[sum(half):], a.pairs)
        made.run("match", "learn", "--output", card)
        told(f"and {more_of_queue[0]} more of the queue", [h.quality(card) for h in held])
        print(f"refused: {half[1]} of the queue, {sample[1]} of the sample, {more_of_queue[1]} more of the queue")


if __name__ == "__main__":
    main()
