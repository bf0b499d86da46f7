#!/usr/bin/python3
"""How soon a server shows what another process has changed (decision E8: a second): bench/seen.py BUILD_DIR [ROUNDS]

A command that makes a key, revokes it or imports a record, and then requests until the server knows it: from the end of the command
to the first such answer. Beside it the same of a server that is asked for a list 16 at a time meanwhile."""
import json
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

import common

BOUND = 1.0
COUNTRY = {"type": "dict", "kind": "country", "id": 1, "iso_alpha_2": "UA", "name": {"en": "Ukraine"}}


def status(d, path, key):
    asked = urllib.request.Request(d.url(path), headers={"X-Service-Api-Key": key})
    try:
        with urllib.request.urlopen(asked, timeout=10) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        error.close()
        return error.code


def until(condition):
    """Seconds until it holds."""
    began = time.monotonic()
    while not condition():
        if time.monotonic() - began > 60:
            raise SystemExit("it was never seen")
        time.sleep(0.002)
    return time.monotonic() - began


def changes(d, rounds):
    for _ in range(rounds):
        made = d.key("b")
        yield until(lambda: status(d, "/v1/tour/reference", made["key"]) == 200)
        d.run("key", "revoke", str(made["id"]))
        yield until(lambda: status(d, "/v1/tour/reference", made["key"]) == 403)


def main():
    build = common.programs(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    kept = True
    with common.folder() as folder:
        d = common.Dragoman(build / "dragoman", folder / "data")
        path = folder / "one.ndjson"
        path.write_text(json.dumps(COUNTRY) + "\n", "utf-8")
        d.run("import", path, "--create")
        key = d.key("b")["key"]
        with d.serve():
            for name, load in (("idle", False), ("16 connections that ask for a list", True)):
                end = threading.Event()
                beside = threading.Thread(target=lambda: ask(d, key, end), daemon=True)
                if load:
                    beside.start()
                took = list(changes(d, rounds))
                end.set()
                if load:
                    beside.join()
                print(f"  {name}: {len(took)} changes, median {common.percentile(took, 50) * 1000:.0f} ms")
                kept &= common.verdict(f"{name}: the longest until it was seen", max(took), BOUND, " s")
    return 0 if kept else 1


def ask(d, key, end):
    while not end.is_set():
        try:
            common.wrk(d.url("/v1/tour/reference"), [f"X-Service-Api-Key: {key}"], seconds=1)
        except subprocess.CalledProcessError:
            return


if __name__ == "__main__":
    sys.exit(main())
