#!/usr/bin/python3
"""One new record in a server (serve --match auto): how long from tour/sourceAdd to the mapping in the change feed, and how much processor
time the matcher's thread takes.

    bench/match_serve.py BUILD_DIR [HOTELS [RECORDS]]

A store of synth with 10 suppliers, matched; hotels that are certain are taken out of it, and then come by sourceAdd, one after the other. The
first makes the matcher read the reference, which is told apart. Bounds: 5 s, 2 ms."""
import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.request

import common

SECONDS, MILLISECONDS = 5.0, 2.0
FIELDS = ("id", "name", "category_id", "category_name", "country_id", "country_name", "city_id", "city_name", "lat", "lng", "address", "zip")


def quiet(*args):
    subprocess.run([str(a) for a in args], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def certain(program, folder, blind, n):
    """Of the first supplier, hotels that match maps: spread over all of them."""
    quiet(program, "import", "--create", blind, "--data", folder / "look")
    quiet(program, "match", "--samples", "0", "--dry-run", "--report", folder / "report.ndjson", "--data", folder / "look")
    with open(folder / "report.ndjson", encoding="utf-8") as lines:
        ids = [r["id"] for r in map(json.loads, lines) if r["kind"] == "hotel" and r["adapter_id"] == 101 and r["outcome"] == "automatic"]
    return set(ids[::max(1, len(ids) // n)][:n])


def held_out(blind, rest, ids):
    """The records with these ids; all others go into a file."""
    out = []
    with open(blind, encoding="utf-8") as lines, open(rest, "w", encoding="utf-8") as others:
        for line in lines:
            r = json.loads(line)
            if r["type"] == "source" and r["kind"] == "hotel" and r["adapter_id"] == 101 and r["id"] in ids:
                out.append(r)
            else:
                others.write(line)
    return out


def idle_class_seconds(pid):
    """Processor time of the server's threads of the lowest class: the matcher's."""
    seconds = 0
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        fields = (task / "stat").read_text("ascii").rpartition(")")[2].split()
        if int(fields[38]) == os.SCHED_IDLE:
            seconds += int((task / "schedstat").read_text("ascii").split()[0]) / 1e9
    return seconds


class Client:
    def __init__(self, d):
        key = d.key("b", "--secret")
        self.d, self.headers = d, {"X-Service-Api-Key": key["key"], "X-Service-Api-Secret": key["secret"], "Content-Type": "application/json"}

    def ask(self, path, body=None):
        data = None if body is None else json.dumps(body).encode("utf-8")
        with urllib.request.urlopen(urllib.request.Request(self.d.url(path), data, self.headers), timeout=120) as answer:
            return json.load(answer)["data"]

    def add(self, r, patience=20):
        """Seconds from the request to the mapping in the feed; None: it is not mapped, since a server sees only some records of a supplier."""
        cursor, began = self.ask("/v1/changes?since=now")["cursor"], time.monotonic()
        self.ask("/v1/tour/sourceAdd", {"adapter_id": 101, "lang_code": "en", "hotel": [{k: r[k] for k in FIELDS if k in r}]})
        while time.monotonic() - began < patience:
            page = self.ask(f"/v1/changes?since={cursor}&wait=5")
            cursor = page["cursor"]
            for item in page["items"]:
                if item["type"] == "source" and item["id"] == r["id"] and item["dict"] is not None:
                    return time.monotonic() - began
        return None


def main():
    program = pathlib.Path(sys.argv[1], "dragoman").resolve()
    hotels, n = (int(x) for x in (*sys.argv[2:4], *("100000", "50")[len(sys.argv[2:4]):]))
    base = pathlib.Path(os.environ.get("DRG_REFERENCE", program.parent / "data" / "reference.ndjson"))
    with common.folder() as folder:
        blind, rest = folder / "blind.ndjson", folder / "rest.ndjson"
        common.synth(program, blind, hotels, 10, 1, "--content", "0", "--blind", *(("--base", str(base)) if base.exists() else ()))
        new = held_out(blind, rest, certain(program, folder, blind, n + 1))
        quiet(program, "import", "--create", rest, "--data", folder / "data")
        quiet(program, "match", "--samples", "0", "--data", folder / "data")
        d = common.Dragoman(program, folder / "data")
        client = Client(d)
        with d.serve("--match", "auto") as server:
            first = client.add(new[0], 600)
            reading = idle_class_seconds(server.pid)
            took = [client.add(r) for r in new[1:]]
            each = (idle_class_seconds(server.pid) - reading) / len(took) * 1e3
        print(f"{hotels} hotels in the reference; the first record: {first:.1f} s, with {reading:.2f} s of CPU for reading the reference")
        seen = [t for t in took if t is not None]
        print(f"{len(took)} others, {len(seen)} mapped; median {common.percentile(seen, 50):.2f} s")
        kept = common.verdict("visible in the feed, the slowest", max(seen), SECONDS, " s")
        kept = common.verdict("CPU of the matcher for each", each, MILLISECONDS, " ms") and kept
        return 0 if kept and len(seen) > len(took) / 2 else 1


if __name__ == "__main__":
    sys.exit(main())
