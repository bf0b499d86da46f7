#!/usr/bin/python3
"""How good the new records are that dragoman match new proposes, on made-up suppliers whose truth is known and a reference without hotels.

    bench/match_new.py BUILD_DIR [HOTELS [ADAPTERS [SEED]]]

pure: proposals whose records are all of one house; pairs: of two records of a proposal, how many are of one house; found: of the houses that
two suppliers or more have, how many are proposed. Made-up data: whether the engine works, little about the world."""
import collections
import itertools
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time


def lines(program, *args):
    return subprocess.run([program, *args], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode("utf-8").splitlines()


def without_hotels(rows):
    return [row for row in rows if '"type":"hotel_content"' not in row and not ('"type":"dict"' in row and '"kind":"hotel"' in row)]


def truth_of(rows):
    records = (json.loads(row) for row in rows if '"type":"source"' in row and '"kind":"hotel"' in row)
    return {(r["adapter_id"], r["id"]): r.get("dict_id") for r in records}


def measure(program, data):
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    rows = lines(program, "match", "new", "--format", "ndjson", "--data", data)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    clusters = collections.defaultdict(list)
    for r in map(json.loads, rows):
        clusters[r["cluster"]].append((r["adapter_id"], r["id"]))
    return list(clusters.values()), time.monotonic() - begin, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, after.ru_maxrss / 1024


def main():
    program = str(pathlib.Path(sys.argv[1], "dragoman").resolve())
    hotels, adapters, seed = (sys.argv[2:] + ["20000", "10", "1"][len(sys.argv) - 2:])[:3]
    size = ["--hotels", hotels, "--adapters", adapters, "--seed", seed, "--content", "0"]
    truth = truth_of(lines(f"{program}-synth", *size))
    with tempfile.TemporaryDirectory() as folder:
        file, data = pathlib.Path(folder, "lists.ndjson"), pathlib.Path(folder, "data")
        file.write_text("\n".join(without_hotels(lines(f"{program}-synth", *size, "--blind"))) + "\n", encoding="utf-8")
        lines(program, "import", file, "--create", "--data", data)
        lines(program, "match", "--samples", "0", "--data", data)
        clusters, seconds, cpu, peak = measure(program, data)
    suppliers = collections.defaultdict(set)
    for (adapter, _), house in truth.items():
        suppliers[house].add(adapter)
    wanted = {house for house, of in suppliers.items() if house is not None and len(of) > 1}
    pure = [c for c in clusters if len({truth[m] for m in c}) == 1 and truth[c[0]] is not None]
    pairs = [truth[a] is not None and truth[a] == truth[b] for c in clusters for a, b in itertools.combinations(c, 2)]
    found = wanted & {truth[m] for c in clusters for m in c}
    print(f"{len(truth)} hotels that the reference has not; {len(clusters)} proposals, {len(pure)} pure; {len(pairs)} pairs, {sum(pairs)} right "
          f"({sum(pairs) / len(pairs):.4f}); {len(found)} of {len(wanted)} houses found ({len(found) / len(wanted):.3f})")
    print(f"{seconds:.1f} s, {cpu:.1f} s of CPU, peak {peak:.0f} MiB of the largest command")


if __name__ == "__main__":
    main()
