"""Every operation (every_request.py) with the nth call of each sort failing in the server, once for each n, and `serve` as it starts. A
request is answered as without failures, or with a 5xx that says why, or its connection is cut; the same sent again is answered as it
should be. What was answered with 200 is in the store at the end, and the store is sound. DRG_NTH, DRG_NTH_SEED: test_nth_command.py."""
import http.client
import os
import re
import signal
import sqlite3

import pytest

import client
import every_request
import nth

from test_contract_examples import ENDPOINTS
from test_disk import ALONE

#: What changes from one answer to the next: versions, times, random names.
CHANGING = re.compile(r'"(data_version|matched|generated|started|version|at|age\w*|uptime\w*|cursor|csrf|used_at|last_\w+)": ?[^,}]+')


class Served:
    """The server under failures; one that has crashed is started anew."""

    def __init__(self, servers, faults, run, new_key, mini):
        self.servers, self.faults, self.run = servers, faults, run
        server = self.start(lambda: servers.make(mini, *ALONE, people=["anna", "boss", "eva"]))
        assert run("user", "role", "boss", "admin", "--data", server.data).returncode == 0
        curator = new_key(server.data, "b", "--secret", "--role", "curator")
        reader = new_key(server.data, "b", "--role", "reader")["key"]
        self.place = every_request.Place(server, curator, reader)
        self.place.sign_in()
        client.eventually(lambda: self.place.get(f"/v1/reconcile/{reader}").status == 200)
        assert run("match", "--data", server.data).returncode == 0
        client.eventually(lambda: (a := self.place.desk.get("facets", country_id=1)).status == 200 and a.data()["total"] > 0)
        self.acknowledged = []

    def start(self, make):
        with pytest.MonkeyPatch.context() as patch:
            for name, value in self.faults.environment.items():
                patch.setenv(name, value)
            return make()

    @property
    def popen(self):
        return self.place.server.process.popen

    def revive(self):
        """@return what it left when it crashed, if it has."""
        if self.popen.poll() is None:
            return None
        old = self.place.server
        ended = f"status {self.popen.returncode}, said {old.process.stderr()[-1500:]!r}"
        server = self.start(lambda: self.servers.make(None, *ALONE, data=old.data))
        server.keys, server.key_a, server.key_b, server.secret_b = old.keys, old.key_a, old.key_b, old.secret_b
        self.place.of(server)
        return ended

    def end(self):
        """It stops as it should, and what it acknowledged is there."""
        self.faults.clear()
        os.kill(self.popen.pid, signal.SIGTERM)
        assert self.popen.wait(client.PATIENCE) == 0, self.place.server.process.stderr()
        data = self.place.server.data
        with sqlite3.connect(f"{data}/dragoman.db") as db:
            lost = [(table, where) for table, where in self.acknowledged
                    if not db.execute(f"SELECT count(*) FROM {table} WHERE {where}").fetchone()[0]]
        db.close()
        assert not lost, f"{len(lost)} of {len(self.acknowledged)} lost: {lost[:5]}"
        done = self.run("check", "--data", data)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def served(module_servers, faults_library, tmp_path_factory, run, new_key, mini):
    faults = nth.Faults(faults_library, tmp_path_factory.mktemp("nth") / "faults")
    served = Served(module_servers, faults, run, new_key, mini)
    yield served
    served.end()


def test_the_operations_are_all_of_them():
    assert {f"{method} {path}" for method, path in ENDPOINTS} <= {name.partition(",")[0] for name in every_request.OPERATIONS}


@pytest.mark.parametrize("operation", every_request.OPERATIONS)
def test_a_request_with_an_nth_call_that_fails(served, operation, record_property):
    Trial(served, operation).make(record_property)


class Trial:
    def __init__(self, served, operation):
        self.served, self.operation, self.broken = served, operation, []
        self.counts = {"points": 0, "tried": 0, "reached": 0, "answered": 0, "error": 0, "cut": 0}

    def prepared(self):
        return every_request.OPERATIONS[self.operation](self.served.place)

    def send(self, request):
        """Status and text; None: the connection was cut."""
        try:
            answer = request.send()
        except (http.client.HTTPException, ConnectionError):
            return None
        if answer.status == 200:
            self.served.acknowledged += request.stored
        return answer

    def calibrate(self):
        """What it answers without failures; of what changes the data, or is never the same, only that it succeeds."""
        first = self.prepared()
        answers = [client.eventually(lambda r=r: (a := self.send(r)) and a.status == 200 and a) for r in (first, self.prepared())]
        texts = [CHANGING.sub("", a.plain().decode("utf-8", "replace")) for a in answers]
        same = texts[0] == texts[1] and not first.stored and not texts[0].startswith("PK")  # a workbook has its time inside
        self.text = texts[0] if same else None

    def make(self, record_property):
        faults = self.served.faults
        self.calibrate()
        for call in nth.ERRORS:
            request = self.prepared()
            faults.count(call, self.served.popen.pid)
            self.send(request)
            points = faults.counted()
            self.counts["points"] += points
            for n in nth.chosen(points, f"{self.operation} {call}", self.operation in every_request.THROUGHOUT):
                request = self.prepared()
                faults.arm(call, n, self.served.popen.pid)
                self.judge(f"{call} {n}", request)
                faults.clear()
                self.recovers(f"{call} {n}")
        record_property("nth", self.counts)
        print(self.operation, self.counts)
        assert not self.broken, f"{self.operation}: {len(self.broken)} of {self.counts['tried']}:\n" + "\n".join(self.broken)

    def judge(self, where, request):
        self.counts["tried"] += 1
        try:
            answer = self.send(request)
        except TimeoutError:
            self.broken.append(f"{where}: hangs")
            return
        self.counts["reached"] += self.served.faults.was_reached()
        if answer is None:
            self.counts["cut"] += 1
        elif answer.status == 200:
            self.counts["answered"] += 1
            text = CHANGING.sub("", answer.plain().decode("utf-8", "replace"))
            if self.text is not None and text != self.text:
                self.broken.append(f"{where}: another answer {differ(text, self.text)}")
        elif answer.status >= 500 and (answer.json()["error"]["reason"], answer.status) in client.REASONS:
            self.counts["error"] += 1
        else:
            self.broken.append(f"{where}: {answer}")

    def recovers(self, where):
        ended = self.served.revive()
        if ended is not None:
            self.broken.append(f"{where}: a crash, {ended}")
        request = self.prepared()
        last = []
        if not client.wait_until(lambda: (last.append(self.send(request)) or last[-1]) and last[-1].status == 200, nth.PATIENCE):
            self.broken.append(f"{where}: afterwards {last[-1]}")


def differ(text, wanted):
    at = next((i for i, (a, b) in enumerate(zip(text, wanted)) if a != b), min(len(text), len(wanted)))
    return f"...{text[max(at - 60, 0):at + 150]!r} instead of {wanted[max(at - 60, 0):at + 150]!r}"
