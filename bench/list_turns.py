#!/usr/bin/python3
"""Lists that are not ready: what one costs to build, and what one client waits for his beside another who asks for 900 at once and
leaves (decision R8); what a stop takes then.

bench/list_turns.py BUILD_DIR
"""
import http.client
import json
import pathlib
import random
import signal
import socket
import statistics
import sys
import time

import common

LANGS = "en uk ru de pl tr fr es it cs zh ja ar ko ro bg".split()
MANY, STAYS = 900, 1.0
ATTACKER, OTHER = "127.0.0.2", "127.0.0.3"
CODINGS = ("identity", "gzip", "zstd", "br")
ROUNDS, BUILDS = 9, 40


class Wishes:
    """Random hotel lists, none of them twice."""

    def __init__(self, d, key):
        self.d, self.key, self.rng, self.seen = d, key, random.Random(1), set()
        lists = json.loads(self.get("/api/v1/tour/main-references")[1])["data"]
        self.cities = [int(city) for city in lists["dep_cities"]]
        self.countries = [country["id"] for country in lists["countries"].values()]

    def path(self, country=None):
        while True:
            wish = self.rng.choice(self.cities), country or self.rng.choice(self.countries), self.rng.choice(LANGS)
            if wish not in self.seen:
                self.seen.add(wish)
                return "/api/v1/tour/hotel-references?dep_city={}&country={}&lang={}".format(*wish)

    def get(self, path, coding="identity", source=OTHER):
        """Seconds, and the answer's bytes."""
        link = http.client.HTTPConnection("127.0.0.1", self.d.port, timeout=120, source_address=(source, 0))
        began = time.monotonic()
        link.request("GET", path, headers={"X-Api-Key": self.key, "Accept-Encoding": coding})
        answer = link.getresponse()
        body = answer.read()
        took = time.monotonic() - began
        assert answer.status == 200, (answer.status, body)
        link.close()
        return took, body

    def attack(self):
        """MANY connections from one address, each with a wish; and how long sending them took."""
        heads = [f"GET {self.path()} HTTP/1.1\r\nHost: a\r\nX-Api-Key: {self.key}\r\nAccept-Encoding: gzip, br, zstd\r\n\r\n".encode()
                 for _ in range(MANY)]
        links, began = [], time.monotonic()
        for head in heads:
            links.append(socket.create_connection(("127.0.0.1", self.d.port), source_address=(ATTACKER, 0)))
            links[-1].sendall(head)
        return links, time.monotonic() - began


def hotels_of(wishes, country):
    return wishes.get(wishes.path(country))[1].count(b'"hotel_category"')


def builder_ms(pid, work):
    """CPU of the thread that did most, in ms."""
    def each():
        return {task.name: int(task.joinpath("schedstat").read_text().split()[0]) for task in pathlib.Path(f"/proc/{pid}/task").iterdir()}
    before = each()
    work()
    return max(ns - before.get(task, 0) for task, ns in each().items()) / 1e6


def build_cost(wishes, pid):
    """ms of CPU for 1,000 hotels, by coding: lists of the largest countries."""
    sizes = {country: hotels_of(wishes, country) for country in wishes.countries}
    largest = sorted(sizes, key=sizes.get)[-5:]
    cost = {}
    for coding in CODINGS:
        ms = []
        for n in range(BUILDS):
            country = largest[n % len(largest)]
            path = wishes.path(country)
            took = builder_ms(pid, lambda: wishes.get(path, coding))
            ms.append(took / max(1, wishes.get(path)[1].count(b'"hotel_category"')) * 1000)
        cost[coding] = statistics.median(ms)
    return cost


def waits(wishes, seconds):
    """What another client waits for its lists, one after the other, in ms."""
    took, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        took.append(wishes.get(wishes.path())[0] * 1000)
    return took


def others_wait(wishes):
    """The longest of a second, idle and beside the attack: the medians of some rounds."""
    idle, beside = [], []
    for _ in range(ROUNDS):
        idle.append(waits(wishes, STAYS))
        links, took = wishes.attack()
        beside.append(waits(wishes, STAYS))
        for link in links:
            link.close()
    longest = [statistics.median(max(one) for one in each) for each in (idle, beside)]
    usual = [statistics.median(ms for one in each for ms in one) for each in (idle, beside)]
    print(f"{MANY} lists asked for in {took:.2f} s; another's lists, medians of {ROUNDS} rounds: idle {usual[0]:.1f} ms, the longest "
          f"{longest[0]:.1f}; beside them {usual[1]:.1f} ms, the longest {longest[1]:.1f}")
    return longest[1] / (2 * longest[0] + 250)


def stop_seconds(wishes, server):
    links, _ = wishes.attack()
    began = time.monotonic()
    server.send_signal(signal.SIGTERM)
    status = server.wait(60)
    took = time.monotonic() - began
    for link in links:
        link.close()
    assert status == 0, status
    return took


def main():
    build = common.programs(sys.argv[1])
    reference = build / "data" / "reference.ndjson"
    base = ["--base", str(reference)] if reference.exists() else []
    with common.folder() as folder:
        d = common.Dragoman(build / "dragoman", folder / "data")
        data = folder / "synth.ndjson"
        common.synth(d.binary, data, 20_000, 12, 1, *base)
        d.run("import", data)
        key = d.key("a")["key"]
        with d.serve("--snapshot", "none", "--match", "off") as server:
            wishes = Wishes(d, key)
            cost = build_cost(wishes, server.pid)
            print("CPU of a list for 1,000 hotels, in ms: " + ", ".join(f"{coding} {ms:.2f}" for coding, ms in cost.items()))
            kept = common.verdict("CPU of a list that is not compressed, for 1,000 hotels, in ms", cost["identity"], 10)
            kept &= common.verdict("another client's list beside 900 of one, to twice his idle time and 250 ms", others_wait(wishes), 1.0)
            kept &= common.verdict("a stop beside 900 lists that are waited for, in s", stop_seconds(wishes, server), 2.0)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
