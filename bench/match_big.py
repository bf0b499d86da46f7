#!/usr/bin/python3
"""A large supplier against a large reference: how long dragoman match takes from its start to its last commit, and its peak memory.

    bench/match_big.py BUILD_DIR [HOTELS]

One supplier of synth, which has a third of the HOTELS (3,000,000) of the reference; bounds are 360 s and 3 GiB. With fewer hotels the
figures are told as they are and, after "at this rate", for 1,000,000 records: places that stay the same have fewer hotels each then, so
the truth is above that. Needs 6 GB of disk for the whole."""
import os
import pathlib
import subprocess
import sys

import common
import match_quality

SECONDS, GIB, WHOLE = 360, 3, 3_000_000


def make(program, data, hotels, base):
    """synth into a store, without a file between."""
    made = [program, "synth", "--hotels", str(hotels), "--adapters", "1", "--seed", "1", "--content", "0", "--blind",
            *(("--base", base) if base.exists() else ())]
    with subprocess.Popen(made, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as synth:
        subprocess.run([program, "import", "-", "--create", "--data", data], stdin=synth.stdout, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)


def main():
    program = pathlib.Path(sys.argv[1], "dragoman").resolve()
    hotels = int(sys.argv[2]) if len(sys.argv) > 2 else WHOLE
    base = pathlib.Path(os.environ.get("DRG_REFERENCE", program.parent / "data" / "reference.ndjson"))
    with common.folder() as folder:
        data, report = folder / "data", "/dev/null"
        make(program, data, hotels, base)
        wall, cpu, peak, said = match_quality.run_match(program, data, report)
    print(said)
    records = sum(int(line.split()[i]) for line in said.splitlines() if line.startswith("hotel ") for i in (1, 3, 5))
    print(f"{records} hotels of a supplier against {hotels}: {wall:.1f} s, {cpu:.1f} s of CPU ({cpu / records * 1e6:.0f} us each), peak {peak:.0f} MiB")
    print(f"at this rate, 1,000,000: {wall / records * 1e6:.0f} s, {cpu / records * 1e6:.0f} s of CPU")
    if hotels < WHOLE:
        return 0
    kept = common.verdict("start to last commit", wall, SECONDS, " s")
    return 0 if common.verdict("peak memory", peak / 1024, GIB, " GiB") and kept else 1


if __name__ == "__main__":
    sys.exit(main())
