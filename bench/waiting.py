#!/usr/bin/python3
"""Who waits for changes (GET /v1/changes?wait=) costs nothing, and is told soon after a commit.

    bench/waiting.py BUILD_DIR"""
import concurrent.futures
import http.client
import json
import sys
import time

import common

WAITING = 500
SECONDS = 5
ROUNDS = 10


def ask(d, method, path, key, body=None):
    link = http.client.HTTPConnection("127.0.0.1", d.port, timeout=120)
    link.request(method, path, body and json.dumps(body), {
        "X-Service-Api-Key": key["key"], "X-Service-Api-Secret": key["secret"], "Content-Type": "application/json"})
    answer = link.getresponse()
    return answer.status, answer.headers, json.loads(answer.read())


def await_waiting(d, key, n):
    while ask(d, "GET", "/readyz", key)[2]["waiting"] != n:
        time.sleep(0.01)


def add(d, key, n):
    status, headers, _ = ask(d, "POST", "/v1/tour/sourceAdd", key, {
        "adapter_id": 1, "lang_code": "en", "meal": [{"id": f"w{n}", "name": "Brunch"}]})
    assert status == 200
    return headers["X-Data-Version"]


def told(d, key, since, **more):
    path = "/v1/changes?" + "&".join(f"{name}={value}" for name, value in {"since": since, "wait": 60, **more}.items())
    items = ask(d, "GET", path, key)[2]["data"]["items"]
    return time.monotonic(), len(items)


def measure(d, key, server):
    """CPU of the server in a second while all wait; ms from the answer to the writer until the last of them is told."""
    took = []
    for n in range(ROUNDS):
        since = ask(d, "GET", "/v1/changes?since=now", key)[2]["data"]["cursor"]
        with concurrent.futures.ThreadPoolExecutor(WAITING) as pool:
            waiting = [pool.submit(told, d, key, since) for _ in range(WAITING if n == 0 else 1)]
            await_waiting(d, key, len(waiting))
            if n == 0:
                before = common.cpu_seconds(server.pid)
                time.sleep(SECONDS)
                cpu = (common.cpu_seconds(server.pid) - before) / SECONDS
            add(d, key, n)
            stored = time.monotonic()
            ends = [one.result() for one in waiting]
            assert all(items == 1 for _, items in ends)
            if n > 0:
                took.append((max(at for at, _ in ends) - stored) * 1000)
    return cpu, took


def main():
    build = common.programs(sys.argv[1])
    with common.folder() as folder:
        d = common.Dragoman(f"{build}/dragoman", folder / "data")
        (folder / "adapter.ndjson").write_text('{"type":"adapter","id":1,"code":"one","name":"One","domain":"tour"}\n', "utf-8")
        d.run("import", folder / "adapter.ndjson")
        key = d.key("b", "--secret")
        with d.serve("--max-connections-per-address", "4096") as server:
            cpu, took = measure(d, key, server)
    kept = [common.verdict(f"CPU of a second in which {WAITING} wait, in s", cpu, 0.05),
            common.verdict("from the answer to the writer to who waits, the longest, in ms", max(took), 300)]
    sys.exit(not all(kept))


if __name__ == "__main__":
    main()
