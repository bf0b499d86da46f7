"""Mixed clients for a long time: pytest tests/fault/soak.py (its name keeps it out of other runs), DRG_SOAK_SECONDS=900.

Readers, registrations, lists, decisions and what takes them back, new records for the matcher, keys that come and go, snapshots, long
polls. What each does comes again and again with the same ids, so that what the server holds does not grow with the data, and there is a
history from the beginning that fills what SQLite keeps in memory (docs/reliability.md). Memory, descriptors, threads, files of the data
folder and the answers' times are measured each second; of the last half each has a slope with its error, in its unit per hour. It fails
where a request fails, and where something grows that must not: within the run by a tenth of what there is and 8 MiB, or by a whole
descriptor, thread or file, and by more than three times its error."""
import datetime
import itertools
import json
import math
import os
import statistics
import threading
import time

import client
import every_request
import loading
import usage
from registration import element, post

SECONDS = float(os.environ.get("DRG_SOAK_SECONDS", "900"))
HOTELS, KEYS = 40, 6
HISTORY = 250_000  # decisions of before: some 16 MiB, as much as a handle that writes keeps
OPTIONS = ("--match", "suggest", "--snapshot-interval", "5")
#: Answers that are no failure: what somebody else does at that moment.
EXPECTED = {"import_running", "conflict", "version_changed"}


class Clients:
    def __init__(self, place):
        self.place, self.over = place, threading.Event()
        self.took, self.done, self.failed = [], {}, []
        self.threads = [threading.Thread(target=self.repeat, args=(name, step)) for name, step in (
            ("reads", self.read), ("registrations", self.register), ("decisions", self.decide), ("lists", self.load),
            ("keys", self.change_keys), ("long polls", self.poll))]

    def repeat(self, name, step):
        for n in itertools.count():
            if self.over.is_set():
                return
            began = time.monotonic()
            try:
                answer = step(n)
                wrong = answer.status != 200 and answer.json()["error"]["reason"] not in EXPECTED
                if wrong:
                    self.failed.append(f"{name} {n}: {answer}")
            except (OSError, ValueError, AssertionError) as fault:
                if not self.over.is_set():
                    self.failed.append(f"{name} {n}: {fault!r}")
            self.done[name] = n + 1
            if name == "reads":
                self.took.append((began, time.monotonic() - began))

    def read(self, n):
        if n % 3 == 0:
            return post(self.place.server, "sourceInfo?adapter_id=7", {"hotel": [f"soak{n % HOTELS}"]})
        return self.place.get("/readyz" if n % 3 == 1 else f"/v1/changes?limit={1 + n % 50}")

    def register(self, n):
        ids = [f"soak{(n + i) % HOTELS}" for i in range(3)]
        return post(self.place.server, "sourceAdd", {"adapter_id": 7, "lang_code": "en", "hotel": [element("hotel", id=id) for id in ids]},
                    {"Idempotency-Key": f"soak-{n % 1000}-{n % HOTELS}"})

    def decide(self, n):
        """A hotel is mapped and unmapped by turns."""
        post(self.place.server, "sourceAdd", {"adapter_id": 7, "lang_code": "en", "hotel": [element("hotel", id=f"soak{n % HOTELS}")]})
        case = self.place.desk.get("case", adapter_id=7, kind="hotel", id=f"soak{n % HOTELS}")
        if case.status != 200:
            return case
        what = {"decide": "map", "dict_id": 55 + n % 3} if n // HOTELS % 2 == 0 else {"decide": "clear"}
        return self.place.desk.decide({"adapter_id": 7, "kind": "hotel", "id": f"soak{n % HOTELS}", "version": case.data()["version"], **what})

    def load(self, n):
        rows = loading.HOTELS[:1] + [[f"list{i}", f"Mavi Koy {n % 2}", "TR", "Turkey", "36,80", "x"] for i in range(20)]
        return self.place.desk.load(loading.text(rows), 7, accept="1")

    def change_keys(self, n):
        made = self.place.administer("keyCreate", api="a", name=f"soak {n % KEYS}")
        if made.status != 200:
            return made
        self.over.wait(0.2)
        return self.place.administer("keyRevoke", id=made.data()["id"])

    def poll(self, n):
        return self.place.get("/v1/changes?since=now&wait=2")


def history():
    began = datetime.datetime(2026, 1, 1)
    return [{"type": "mapping_event", "adapter_id": 7, "kind": "hotel", "id": f"soak{n % HOTELS}", "how": "set", "to": 55, "by": "olena",
             "at": f"{began + datetime.timedelta(seconds=n):%Y-%m-%dT%H:%M:%SZ}"} for n in range(HISTORY)]


def slope(points):
    """Of (time, value): what it rises in an hour, and the error of that."""
    n = len(points)
    t0, v0 = statistics.fmean(t for t, _ in points), statistics.fmean(v for _, v in points)
    spread = sum((t - t0) ** 2 for t, _ in points)
    rise = sum((t - t0) * (v - v0) for t, v in points) / spread
    rest = sum((v - v0 - rise * (t - t0)) ** 2 for t, v in points)
    return rise * 3600, 3600 * math.sqrt(rest / max(1, n - 2) / spread)


def files_in(folder):
    return sum(len(names) for _, _, names in os.walk(folder))


def watch(server, clients, seconds):
    """What was measured: name -> [(time, value)]."""
    pid, end = server.process.pid, time.monotonic() + seconds
    measured = {name: [] for name in ("memory, MiB", "descriptors", "threads", "files", "median answer, ms")}
    while (now := time.monotonic()) < end:
        clients.over.wait(1)
        took = [t for began, t in clients.took[-2000:] if began >= now]
        values = (usage.memory(pid, "RssAnon") / 2**20, usage.descriptors(pid), len(os.listdir(f"/proc/{pid}/task")), files_in(server.data))
        for points, value in zip(measured.values(), values):
            points.append((now, value))
        if took:
            measured["median answer, ms"].append((now, 1000 * statistics.median(took)))
    return measured


def test_what_must_not_grow_does_not(make_server, mini, run, import_file, new_key, record_property):
    server = make_server(mini, *OPTIONS, people=["anna", "boss"])
    import_file(server.data, history())
    assert run("user", "role", "boss", "admin", "--data", server.data).returncode == 0
    place = every_request.Place(server, new_key(server.data, "b", "--secret", "--role", "curator"), None)
    place.sign_in()
    client.eventually(lambda: place.desk.get("queue").status == 200)
    clients = Clients(place)
    for thread in clients.threads:
        thread.start()
    try:
        measured = watch(server, clients, SECONDS)
    finally:
        clients.over.set()
        for thread in clients.threads:
            thread.join()
    grown = []
    for name, points in measured.items():
        late = points[len(points) // 2:]
        rise, error = slope(late)
        level = statistics.fmean(v for _, v in late)
        in_all, least = rise * SECONDS / 3600, 1 if name in ("descriptors", "threads", "files") else level / 10 + 8
        print(f"{name:<18} {level:8.2f} and {rise:+9.3f} an hour, error {error:.3f}")
        record_property("soak", json.dumps({"name": name, "level": round(level, 3), "slope": round(rise, 3), "error": round(error, 3)}))
        if in_all > least and rise > 3 * error and "answer" not in name:
            grown.append(name)
    print(clients.done)
    record_property("nth", {f"{name} made".replace(" ", "_"): n for name, n in clients.done.items()})
    assert not clients.failed, f"{len(clients.failed)} of {sum(clients.done.values())}: {clients.failed[:5]}"
    assert not grown, grown
