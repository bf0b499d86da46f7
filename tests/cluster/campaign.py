"""Writers, watchers and readers on several nodes and the database beneath, and the comparison of the two.

What is compared is asked of a node by `sourceInfo`, which is answered from its catalog, and of PostgreSQL by SQL of our own. While
they are compared the writers' lock is held, so that both are of one version."""
import collections
import contextlib
import hashlib
import http.client
import itertools
import json
import os
import pathlib
import random
import statistics
import threading
import time
import uuid

import psycopg2

import parts
import registration
from client import PATIENCE

WRITERS = 16
LOCK = "LOCK TABLE dragoman.branch IN EXCLUSIVE MODE"  # of writers
ADAPTER = 7
ROLLED_BACK, DIRECT, CHANGED = 0.05, 0.25, 0.35  # the rest are requests
PAUSE_S, HOLD_S = 0.2, 0.003
#: In the short form as many writes count as a second.
WRITES_A_SECOND = 40
KINDS = ("meal", "hotel")
BATCH = 5000

SECONDS = float(os.environ.get("DRG_CLUSTER_SECONDS", "3"))
#: Bounds of time count in the long form alone.
IN_EARNEST = "DRG_CLUSTER_SECONDS" in os.environ


def seq_of(version):
    return int(version.rstrip("+").partition("-")[2])


def why_not(answer):
    """Why a request was not carried out: our reason, or that of the proxy, which answers with a page where it finds no server."""
    if isinstance(answer, Exception):
        return type(answer).__name__
    if "json" not in answer.headers.get("Content-Type", ""):
        assert answer.status in (502, 503, 504), answer
        return f"proxy {answer.status}"
    return answer.json()["error"]["reason"]


class Ids:
    """What was tried, and what came of it. An id is tried once."""

    def __init__(self):
        self.lock, self.numbers = threading.Lock(), itertools.count(1)
        self.tried, self.acknowledged, self.rolled_back, self.refusals = [], [], [], collections.Counter()

    def new(self, sort):
        with self.lock:
            kind = KINDS[len(self.tried) % len(KINDS)]
            self.tried.append((kind, f"{sort}{next(self.numbers)}"))
            return self.tried[-1]

    def done(self, made):
        with self.lock:
            self.acknowledged.append(made)

    def undone(self, made):
        with self.lock:
            self.rolled_back.append(made)

    def refused(self, why):
        with self.lock:
            self.refusals[why] += 1


class Direct:
    """Transactions as a writer of its own makes them, by SQL: lock, rows, clock, announcement."""

    def __init__(self, url, kinds):
        self.url, self.kinds, self.connection = url, kinds, None

    def close(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = None

    @contextlib.contextmanager
    def transaction(self, commit=True):
        """The cursor and the number of the commit. Whoever opens the store begins a branch with its first change."""
        begins = self.connection is None
        try:
            if begins:
                self.connection = psycopg2.connect(self.url, connect_timeout=2, target_session_attrs="read-write",
                                                   options="-c synchronous_commit=on")
            cursor = self.connection.cursor()
            cursor.execute(LOCK)
            cursor.execute("SELECT seq + 1 FROM dragoman.clock FOR UPDATE")
            seq = cursor.fetchone()[0]
            yield cursor, seq
            cursor.execute("UPDATE dragoman.clock SET seq = %s", (seq,))
            if begins:
                cursor.execute("INSERT INTO dragoman.branch VALUES (%s, %s)", (seq, random.getrandbits(62) + 1))
            cursor.execute("NOTIFY dragoman")
            (self.connection.commit if commit else self.connection.rollback)()
            if begins and not commit:
                self.close()  # its branch has not begun either
        except psycopg2.Error:
            self.close()
            raise

    def insert(self, cursor, seq, kind, id):
        hotel = ("5*", "TURKEY", "ANTALYA") if kind == "hotel" else (None, None, None)
        cursor.execute("INSERT INTO dragoman.source (deleted, seq, created_seq, data_seq, mapped_seq, adapter_id, kind, id, name, "
                       "category_name, country_name, city_name) VALUES (0, %s, %s, %s, 0, %s, %s, %s, %s, %s, %s, %s)",
                       (seq, seq, seq, ADAPTER, self.kinds[kind], id, f"Name of {id}", *hotel))

    def change(self, cursor, seq, kind, id):
        dict_id = random.choice((55, 56, 57) if kind == "hotel" else (1, 2))
        cursor.execute("UPDATE dragoman.source SET seq = %s, data_seq = %s, mapped_seq = %s, name = %s, dict_id = %s "
                       "WHERE adapter_id = %s AND kind = %s AND id = %s",
                       (seq, seq, seq, f"Name {seq} of {id}", dict_id, ADAPTER, self.kinds[kind], id))


class Writer(threading.Thread):
    def __init__(self, campaign, number):
        super().__init__(daemon=True)
        self.c, self.random = campaign, random.Random(number)
        self.direct = Direct(campaign.url, campaign.kinds)
        self.fault = None

    def run(self):
        try:
            while not self.c.stopping.wait(self.random.uniform(0, PAUSE_S)):
                self.step(self.random.random())
        except BaseException as fault:  # pylint: disable=broad-except
            self.fault = fault
        finally:
            self.direct.close()

    def step(self, dice):
        if dice >= CHANGED:
            return self.request()
        try:
            if dice < DIRECT:
                self.insert(commit=dice >= ROLLED_BACK)
            else:
                self.change()
        except psycopg2.Error as fault:
            self.c.ids.refused(type(fault).__name__)
            self.c.stopping.wait(0.1)
        return None

    def insert(self, commit):
        made = self.c.ids.new("d" if commit else "r")
        with self.direct.transaction(commit) as (cursor, seq):
            self.direct.insert(cursor, seq, *made)
            self.c.stopping.wait(self.random.uniform(0, HOLD_S))
        (self.c.ids.done if commit else self.c.ids.undone)(made)

    def change(self):
        known = len(self.c.ids.acknowledged)
        if known > 0:
            with self.direct.transaction() as (cursor, seq):
                self.direct.change(cursor, seq, *self.c.ids.acknowledged[self.random.randrange(known)])

    def request(self):
        """Until it is stored: the same request again, to any node."""
        kind, id = self.c.ids.new("a")
        name = {"Idempotency-Key": str(uuid.uuid4())}
        body = {kind: [registration.element(kind, id)]}
        while not self.c.stopping.is_set():
            try:
                answer = registration.source_add(self.random.choice(self.c.asked), name, ADAPTER, **body)
            except (OSError, http.client.HTTPException) as fault:
                answer = fault
            if getattr(answer, "status", 0) == 200:
                assert "error" not in answer.data()[kind][id], answer
                return self.c.ids.done((kind, id))
            self.c.ids.refused(why_not(answer))
            self.c.stopping.wait(0.1)
        return None


class Watcher(threading.Thread):
    """When a node shows a commit: it is asked for the next one, which is answered as soon as it is there (D2)."""

    def __init__(self, campaign, server):
        super().__init__(daemon=True)
        self.c, self.server, self.shown, self.failed, self.slowest_s, self.asked = campaign, server, {}, [], 0, 0
        self.seen, self.stopping = 0, threading.Event()

    def run(self):
        history = ""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)) as connection:
            while not self.stopping.is_set():
                want = {"X-Min-Data-Version": f"{history}-{self.seen + 1}"} if history else {}
                status, version = self.ask(connection, want)
                if status == 412:
                    history = ""
                elif status == 200:
                    now, last = time.time(), seq_of(version)
                    self.shown.update((seq, now) for seq in range(self.seen + 1, last + 1) if history)
                    history, self.seen = version.partition("-")[0], last

    def ask(self, connection, want):
        """(status, version). What waits longer than a second for a commit is told so (503), and that is no failure."""
        self.asked += 1
        try:
            connection.request("GET", "/v1/tour/hotelCheck?hotel=55", headers={"X-Service-Api-Key": self.server.key_b, **want})
            answer = connection.getresponse()
            body = answer.read()
        except (OSError, http.client.HTTPException) as fault:
            self.failed.append(repr(fault))
            connection.close()
            return None, None
        if answer.status not in (200, 412) and b"version_not_reached" not in body:
            self.failed.append((answer.status, body))
        return answer.status, answer.headers["X-Data-Version"]


class Reader(threading.Thread):
    """Reads of a node, one after the other; whether each is answered and how long the slowest took."""

    def __init__(self, campaign, server):
        super().__init__(daemon=True)
        self.c, self.server, self.asked, self.failed, self.slowest_s = campaign, server, 0, [], 0

    def run(self):
        while not self.c.stopping.wait(0.01):
            began = time.monotonic()
            try:
                answer = registration.post(self.server, f"sourceInfo?adapter_id={ADAPTER}", {"hotel": "1001,1002", "meal": "AI"})
                if answer.status != 200 or answer.data()["hotel"][0]["source"]["name"] != "BLUE BAY PALACE 5*":
                    self.failed.append(answer)
            except (OSError, http.client.HTTPException) as fault:
                self.failed.append(repr(fault))
            self.asked, self.slowest_s = self.asked + 1, max(self.slowest_s, time.monotonic() - began)


class Front:
    """What a client knows of a server, or of the proxy before several."""

    def __init__(self, port, keys):
        self.port, self.key_b, self.secret_b = port, keys["b"]["key"], keys["b"]["secret"]
        self.host, self.process = "127.0.0.1", self


class Campaign:
    """with Campaign(url of the database, servers): everything runs; then compare(), latencies(). With a front requests go there, and
    nobody watches the servers, which may die."""

    def __init__(self, url, servers, front=None):
        self.url, self.servers, self.ids, self.stopping = url, servers, Ids(), threading.Event()
        self.asked = servers if front is None else [front]
        self.checks, self.kinds = 0, self._kinds()
        self.writers = [Writer(self, n) for n in range(WRITERS)]
        self.watchers = [Watcher(self, server) for server in servers] if front is None else []
        self.readers = [Reader(self, server) for server in self.asked]
        self.began_pressure = pressure_us()
        self.began = time.monotonic()

    def _kinds(self):
        with self.database() as cursor:
            cursor.execute("SELECT id, kind FROM dragoman.source WHERE adapter_id = 7 AND id IN ('AI', '1001')")
            found = dict(cursor.fetchall())
            return {"meal": found["AI"], "hotel": found["1001"]}

    @contextlib.contextmanager
    def database(self):
        with contextlib.closing(psycopg2.connect(self.url, connect_timeout=PATIENCE, target_session_attrs="read-write")) as connection:
            connection.autocommit = True
            yield connection.cursor()

    def __enter__(self):
        if self.watchers:
            self.begin_branches()
        self.first = self.last() + 1
        for thread in (*self.watchers, *self.readers):
            thread.start()
        parts.wait_for(lambda: all(w.seen > 0 for w in self.watchers), PATIENCE, "the watchers know where they begin")
        for writer in self.writers:
            writer.start()
        return self

    def begin_branches(self):
        """Whoever writes for the first time begins a branch, and who waits for a commit of the one before waits in vain (D2)."""
        for writer in self.writers:
            writer.insert(commit=True)
        for server in self.servers:
            made = self.ids.new("a")
            assert registration.source_add(server, None, ADAPTER, **{made[0]: [registration.element(*made)]}).status == 200
            self.ids.done(made)

    def stop(self, whole=True):
        """@param whole  The watchers see the last commit before they stop."""
        if self.stopping.is_set():
            return
        self.stopping.set()
        for thread in (*self.writers, *self.readers):
            thread.join(120)
        if whole:
            last = self.last()
            parts.wait_for(lambda: all(w.seen >= last or w.failed for w in self.watchers), PATIENCE, f"the watchers see commit {last}")
        for watcher in self.watchers:
            watcher.stopping.set()
            watcher.join(120)
        self.seconds = time.monotonic() - self.began

    def __exit__(self, kind, *_):
        self.stop(whole=kind is None)
        if kind is None:
            for writer in self.writers:
                if writer.fault is not None:
                    raise writer.fault

    def run(self, seconds, every=None, do=None):
        """Let them write for so long, and every so many seconds do(). In the short form as much as counts as that."""
        if IN_EARNEST:
            return self.pass_time(seconds, every, do)
        each = max(1, int((every or seconds) * WRITES_A_SECOND))
        for turn in range(max(1, round(seconds / (every or seconds)))):
            if turn > 0:
                do()
            known = len(self.ids.acknowledged)
            parts.wait_for(lambda known=known: self.no_fault() and len(self.ids.acknowledged) >= known + each, PATIENCE, "they write")
        return None

    def pass_time(self, seconds, every=None, do=None):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            time.sleep(min(left, every or left))
            if do is not None and time.monotonic() < end:
                do()
            self.no_fault()

    def no_fault(self):
        faults = [writer.fault for writer in self.writers if writer.fault is not None]
        assert not faults, faults
        return True

    # ---- both sides at one version --------------------------------------------------------------------------

    def of_database(self, cursor):
        cursor.execute("SELECT kind, id, name, category_name, country_name, city_name, dict_id FROM dragoman.source "
                       "WHERE adapter_id = %s AND deleted = 0 AND kind = ANY(%s)", (ADAPTER, list(self.kinds.values())))
        words = {number: kind for kind, number in self.kinds.items()}
        return {(words[row[0]], row[1]): row[2:] for row in cursor.fetchall()}

    def of_node(self, server, asked, version):
        found = {}
        for kind in self.kinds:
            ids = sorted(id for k, id in asked if k == kind)
            for start in range(0, len(ids), BATCH):
                answer = registration.post(server, f"sourceInfo?adapter_id={ADAPTER}", {kind: ids[start:start + BATCH]},
                                           {"X-Min-Data-Version": version})
                assert answer.headers["X-Data-Version"] == version, (answer, answer.headers["X-Data-Version"], version)
                for item in answer.data()[kind]:
                    if (said := item["source"]) is not None:
                        of_hotel = [said.get(f"{name}_title") for name in ("category", "country", "city")]
                        found[kind, item["id"]] = (said["name"], *of_hotel, item["dict"] and item["dict"]["id"])
        return found

    def compare(self, seconds=PATIENCE):
        """The nodes and the database at one version, with the writers held. @return the content of the database."""
        with self.database() as cursor:
            cursor.execute("SET statement_timeout = '120s'")
            cursor.execute(f"BEGIN; {LOCK}")
            cursor.execute("SELECT seq FROM dragoman.clock")
            seq = cursor.fetchone()[0]
            version = self.same_version(seq, seconds)
            stored = self.of_database(cursor)
            asked = set(self.ids.tried) | set(stored)
            shown = [self.of_node(server, asked, version) for server in self.servers]
        for server, content in zip(self.servers, shown):
            differ = [(key, stored.get(key), content.get(key)) for key in asked if stored.get(key) != content.get(key)]
            assert not differ, f"{len(differ)} of {len(asked)} differ on the node of port {server.port} at {version}: {differ[:5]}"
            assert digest(content) == digest(stored)
        missing = [made for made in self.ids.rolled_back if made in stored]
        assert not missing, f"rolled back and there: {missing[:5]}"
        self.checks += 1
        return stored

    def same_version(self, seq, seconds):
        def versions():
            return {answer and answer[1]["X-Data-Version"] for answer in (parts.get(s.port, "/readyz") for s in self.servers)}

        def same():
            found = versions()
            version = found.pop()
            return version if not found and version and not version.endswith("+") and seq_of(version) == seq else None
        return parts.wait_for(same, seconds, lambda: f"all nodes show {seq}: {versions()}")

    # ---- figures ------------------------------------------------------------------------------------------------

    def commits(self):
        """When each commit was that a writer made past the nodes, by its number. Rows that changed since have a later one."""
        with self.database() as cursor:
            cursor.execute("SELECT seq, extract(epoch FROM pg_xact_commit_timestamp(xmin)) FROM dragoman.source "
                           "WHERE id LIKE 'd%%' AND seq >= %s", (self.first,))
            return {seq: float(when) for seq, when in cursor.fetchall()}

    def last(self):
        with self.database() as cursor:
            cursor.execute("SELECT seq FROM dragoman.clock")
            return cursor.fetchone()[0]

    def latencies(self, first=0, last=1 << 62):
        """Milliseconds from a commit to its being shown, of all nodes, in order; of the commits from first to last."""
        commits = self.commits()
        return sorted((watcher.shown[seq] - when) * 1000 for watcher in self.watchers for seq, when in commits.items()
                      if seq in watcher.shown and first <= seq <= last)

    def lost(self, stored):
        """What was acknowledged and is not there."""
        return {made for made in self.ids.acknowledged if made not in stored}

    def report(self, name, ms=None):
        """Reads that failed are a fault; the line of figures."""
        for thread in (*self.readers, *self.watchers):
            assert not thread.failed, (len(thread.failed), thread.failed[:3])
            assert thread.asked > 0
        reads = sum(thread.asked for thread in (*self.readers, *self.watchers))
        seconds = self.seconds
        line = (f"{name}: {seconds:.0f} s, {len(self.ids.acknowledged):,} writes acknowledged, {len(self.ids.rolled_back):,} rolled back, "
                f"refused at first {dict(self.ids.refusals)}; {self.checks} comparisons, difference 0; {reads:,} reads, 0 failed, "
                f"slowest {max(r.slowest_s for r in self.readers) * 1000:.0f} ms")
        if ms:
            line += f"; commit to visible ms p50 {statistics.median(ms):.1f} p99 {p99(ms):.1f} longest {ms[-1]:.1f} of {len(ms):,}"
        say(line + f"; waiting for a CPU: {100 * (pressure_us() - self.began_pressure) / 1e6 / seconds:.0f} % of the time")


def p99(values):
    return values[min(len(values) - 1, int(len(values) * 0.99))]


def digest(content):
    return hashlib.sha256(json.dumps(sorted((*key, *value) for key, value in content.items()), default=str).encode()).hexdigest()


def pressure_us():
    """How long somebody on this machine wanted a CPU and had none, in all."""
    with contextlib.suppress(OSError, ValueError):
        return int(pathlib.Path("/proc/pressure/cpu").read_text().split("\n", maxsplit=1)[0].rpartition("=")[2])
    return 0


def say(line):
    print(line)
    if "DRG_CLUSTER_FIGURES" in os.environ:
        with open(os.environ["DRG_CLUSTER_FIGURES"], "a", encoding="utf-8") as out:
            out.write(line + "\n")
