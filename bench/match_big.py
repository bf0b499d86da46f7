#!/usr/bin/python3
"""A large supplier against a large reference: how long dragoman match takes from its start to its last commit, and its peak memory.

    bench/match_big.py BUILD_DIR [HOTELS [--beside]]

One supplier of synth, which has a third of the HOTELS (3,000,000) of the reference; bounds are 360 s and 3 GiB. With fewer hotels the
figures are told as they are and, after "at this rate", for 1,000,000 records: places that stay the same have fewer hotels each then, so
the truth is above that. Needs 6 GB of disk for the whole.

--beside: a server on the same store is asked for one id, 400 times a second, before the run and during it, which has the lowest
priority (nice -n 19). The run takes longer then, so its own bounds are not judged; the p99 may be three times that of before."""
import contextlib
import http.client
import json
import os
import pathlib
import subprocess
import sys
import threading
import time

import common
import match_quality

SECONDS, GIB, WHOLE = 360, 3, 3_000_000
EVERY, IDLE_SECONDS, TIMES = 0.0025, 10, 3


def make(program, data, hotels, base):
    """synth into a store, without a file between."""
    made = [f"{program}-synth", "--hotels", str(hotels), "--adapters", "1", "--seed", "1", "--content", "0", "--blind",
            *(("--base", base) if base.exists() else ())]
    with subprocess.Popen(made, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as synth:
        subprocess.run([program, "import", "-", "--create", "--data", data], stdin=synth.stdout, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)


def ask(d, key, stop, took):
    """Ask for one id until told to stop, and note the milliseconds of each answer."""
    headers = {"X-Service-Api-Key": key["key"], "X-Service-Api-Secret": key["secret"], "Content-Type": "application/json"}
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", d.port)) as c:
        while not stop.wait(EVERY):
            began = time.perf_counter()
            c.request("POST", "/v1/tour/sourceInfo?adapter_id=101", json.dumps({"hotel": ["100002"]}), headers)
            answer = c.getresponse()
            answer.read()
            assert answer.status == 200, answer.status
            took.append((time.perf_counter() - began) * 1e3)


@contextlib.contextmanager
def asked(d, key):
    """The list that the milliseconds come into."""
    stop, took = threading.Event(), []
    asking = threading.Thread(target=ask, args=(d, key, stop, took))
    asking.start()
    try:
        yield took
    finally:
        stop.set()
        asking.join()


def beside(program, data):
    d = common.Dragoman(program, data)
    key = d.key("b", "--secret")
    with d.serve("--match", "off"):
        with asked(d, key) as idle:
            time.sleep(IDLE_SECONDS)
        began = time.monotonic()
        with asked(d, key) as busy:
            subprocess.run(["nice", "-n", "19", program, "match", "--data", data, "--samples", "0"], check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
        wall = time.monotonic() - began
    before, during = common.percentile(idle, 99), common.percentile(busy, 99)
    print(f"one id, p99: {before:.2f} ms before ({len(idle)} requests), {during:.2f} ms beside a run of {wall:.0f} s ({len(busy)})")
    return common.verdict("p99 beside a run, to that of before", during / before, TIMES)


def main():
    program = pathlib.Path(sys.argv[1], "dragoman").resolve()
    hotels = int(sys.argv[2]) if len(sys.argv) > 2 else WHOLE
    base = pathlib.Path(os.environ.get("DRG_REFERENCE", program.parent / "data" / "reference.ndjson"))
    with common.folder() as folder:
        data, report = folder / "data", "/dev/null"
        make(program, data, hotels, base)
        if "--beside" in sys.argv[3:]:
            return 0 if beside(program, data) else 1
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
