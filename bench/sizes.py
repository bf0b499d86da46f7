#!/usr/bin/python3
"""What a store of so many records takes: the table of docs/sizes.md. bench/sizes.py BUILD_DIR [RECORDS...]

100,000 and 1,000,000 unless said otherwise. 30,000,000 take 15 GB of disk and 5 GB of memory. Seconds are those of processors."""
import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.request

import common

EACH = 4.276  # records for a hotel of the reference, with 12 suppliers
MEASURES = ("records", "store", "snapshot", "backup", "import peak", "import s", "loaded", "load peak", "load s", "asked", "again", "again s",
            "backup peak", "backup s")


class Watched:
    """A process: the most memory that it had, its processor seconds."""

    def __init__(self, args, **kwargs):
        self.process = subprocess.Popen([str(arg) for arg in args], stdout=subprocess.DEVNULL, **kwargs)

    def end(self):
        _, status, used = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        if self.process.returncode != 0:
            raise SystemExit(f"{self.process.args} ended with {self.process.returncode}")
        return used.ru_maxrss << 10, used.ru_utime + used.ru_stime


def memory(pid, what):
    text = pathlib.Path(f"/proc/{pid}/status").read_text("ascii")
    return next(int(line.split()[1]) << 10 for line in text.splitlines() if line.startswith(f"{what}:"))


def fill(build, d, hotels, content):
    made = subprocess.Popen([build / "dragoman-synth", "--hotels", str(hotels), "--content", str(content)], stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL)
    found = Watched([d.binary, "import", "-", "--create", "--data", d.data], stdin=made.stdout).end()
    made.stdout.close()
    made.wait()
    return found


def ask(d, key):
    """What clients do in an hour: lists in three languages, and ids."""
    for lang in ("en", "de", "uk"):
        request = urllib.request.Request(d.url(f"/v1/tour/reference?lang={lang}"), headers={"X-Service-Api-Key": key})
        urllib.request.urlopen(request).read()
    for begin in range(0, 100_000, 1000):
        body = f'{{"hotel": "{",".join(map(str, range(begin, begin + 1000)))}"}}'.encode()
        request = urllib.request.Request(d.url("/v1/tour/sourceInfo?adapter_id=101"), body, {"X-Service-Api-Key": key, "Content-Type": "application/json"})
        urllib.request.urlopen(request).read()


def measure(build, place, records, content):
    """name -> bytes or seconds"""
    d, found = common.Dragoman(build / "dragoman", place), {}
    found["import peak"], found["import s"] = fill(build, d, round(records / EACH), content)
    found["records"] = sum(count["records"] for count in json.loads(d.run("status", "--json"))["counts"])
    key = d.key("b")["key"]
    snapshot = d.data / "dragoman.db.snapshot"
    with d.serve("--snapshot-interval", "1") as p:
        found["loaded"], found["load peak"], found["load s"] = memory(p.pid, "VmRSS"), memory(p.pid, "VmHWM"), common.cpu_seconds(p.pid)
        ask(d, key)
        found["asked"] = memory(p.pid, "VmRSS")
        while not snapshot.exists():
            time.sleep(0.2)
    with d.serve() as p:
        found["again"], found["again s"] = memory(p.pid, "VmRSS"), common.cpu_seconds(p.pid)
    found["store"], found["snapshot"] = (d.data / "dragoman.db").stat().st_size, snapshot.stat().st_size
    found["backup peak"], found["backup s"] = Watched([d.binary, "backup", place / "b.backup", "--data", d.data]).end()
    found["backup"] = (place / "b.backup").stat().st_size
    return found


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    for records in map(int, sys.argv[2:] or ("100000", "1000000")):
        for content in (0, 100) if records <= 100_000 else (0,):
            with common.folder() as place:
                found = measure(build, place, records, content)
            print(f"{records:,} records, descriptions of {content} % of the hotels: " + ", ".join(
                f"{name} {found[name]:,.1f}" if name.endswith(" s") else f"{name} {found[name]:,}" if name == "records" else
                f"{name} {found[name] / 1e6:,.0f} MB" for name in MEASURES), flush=True)


if __name__ == "__main__":
    main()
