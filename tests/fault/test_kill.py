"""`kill -9` in the middle of writes, under load: at the nth write or sync of the server; n is drawn. The checker stands outside: it
knows what was answered, and looks at what a new server and the store have.

* What was answered with 200 is there, to the letter.
* A request without an answer is there as a whole or not at all.
* A retry with an Idempotency-Key is answered as if nothing had happened.
* The catalog equals the store, and the store is sound."""
import http.client
import json
import os
import random
import threading

import pytest

import client
from registration import element, new_id, post, source_info

KILLS = int(os.environ.get("DRG_KILLS", "8"))
PER_STORE = 20  # then a new one: what is checked each time stays small
CLIENTS = 8
MOST_WRITES = 600
KINDS = ["meal", "city", "hotel", "hotel_category"]


class Request:
    """One sourceAdd with ids of its own, and what came of it."""

    def __init__(self, rng):
        self.kind = rng.choice(KINDS)
        self.elements = [element(self.kind, id=new_id("k")) for _ in range(rng.choice([1, 3, 30, 300]))]
        self.retry = new_id("retry-") if rng.random() < 0.4 else None
        self.answer = None

    def send(self, server):
        headers = {"Idempotency-Key": self.retry} if self.retry else {}
        return post(server, "sourceAdd", {"adapter_id": 7, "lang_code": "en", self.kind: self.elements}, headers)

    def ids(self):
        return [e["id"] for e in self.elements]

    def stored(self, shown):
        """Which of its elements a server shows; each must be what was sent."""
        assert all(shown[self.kind, e["id"]] in (None, e["name"]) for e in self.elements)
        return [id for id in self.ids() if shown[self.kind, id] is not None]


def show(server, requests):
    """The name of each element of the requests, or None, by kind and id."""
    shown, most = {}, 10000
    for kind in KINDS:
        ids = [id for r in requests if r.kind == kind for id in r.ids()]
        for at in range(0, len(ids), most):
            for item in source_info(server, **{kind: ids[at:at + most]})[kind]:
                shown[kind, item["id"]] = item["source"] and item["source"]["name"]
    return shown


def load(server, seed, requests, killed):
    rng = random.Random(seed)
    while not killed.is_set():
        request = Request(rng)
        requests.append(request)
        try:
            response = request.send(server)
        except (OSError, http.client.HTTPException):
            return  # killed: it is not known what became of the request
        assert response.status == 200, response
        request.answer = response.body


def kill_under_load(server, turn, faults):
    """Everything that was sent before the server was killed."""
    requests, killed = [], threading.Event()
    faults.kill(server.process, at=random.Random(turn).randint(1, MOST_WRITES))
    threads = [threading.Thread(target=load, args=(server, turn * CLIENTS + n, requests, killed))
               for n in range(CLIENTS)]
    for thread in threads:
        thread.start()
    server.process.popen.wait(client.PATIENCE)
    killed.set()
    for thread in threads:
        thread.join()
    return requests


def check(server, requests):
    shown = show(server, requests)
    for request in requests:
        stored = request.stored(shown)
        if request.answer is not None:
            assert stored == request.ids(), f"lost although answered: {set(request.ids()) - set(stored)}"
        else:
            assert stored in ([], request.ids()), f"half-written: {len(stored)} of {len(request.ids())}"


def check_retries(server, requests):
    """All that were not answered, and some that were."""
    named = [r for r in requests if r.retry is not None]
    retried = [r for r in named if r.answer is None] + [r for r in named if r.answer is not None][-10:]
    for request in retried:
        response = request.send(server)
        if request.answer is not None:
            assert response.body == request.answer and response.headers["Idempotent-Replayed"] == "true"
        members = response.data()[request.kind]
        assert all("source" in member for member in members.values()), "a retry found its own elements"
    shown = show(server, retried)
    assert all(request.stored(shown) == request.ids() for request in retried)


@pytest.mark.parametrize("first", range(0, KILLS, PER_STORE))
def test_nothing_answered_is_lost_and_nothing_is_half_written(servers, mini, run, faults, first):
    server = servers.make(mini)
    data = server.data
    everything = []
    for turn in range(first, min(first + PER_STORE, KILLS)):
        requests = kill_under_load(server, turn, faults)
        done = run("check", "--data", data)
        assert done.returncode == 0, f"turn {turn}: {done.stdout}{done.stderr}"
        server.process = servers.start(data=data)
        server.port = server.process.port
        check(server, requests)
        check_retries(server, requests)
        everything += requests
    answered = [r for r in everything if r.answer is not None]
    assert answered and len(answered) < len(everything)
    shown = show(server, answered)
    assert all(request.stored(shown) == request.ids() for request in answered)
    server.process.stop()
    exported = {json.loads(line)["id"] for line in run("export", "--type", "source", "--data", data).stdout.splitlines()}
    assert {id for r in answered for id in r.ids()} <= exported
    done = run("check", "--data", data)
    assert done.returncode == 0, done.stdout + done.stderr
