"""The curators' API by a grammar: requests of somebody who has signed in, made of what earlier answers had (cases, versions, batches,
cursors); of each fourth one value is another. Nothing is a 500, every answer is what it says, at least half of the requests are accepted,
and the store is sound at the end.

DRG_KILLS=N   25 requests for each (default 400 requests); DRG_KILLS_SEED=S others."""
import collections
import json
import os
import random
import re
import urllib.parse

import pytest

import client
from api_conftest import synth
from browser import Browser

REQUESTS = 25 * int(os.environ.get("DRG_KILLS", "16"))
SEED = os.environ.get("DRG_KILLS_SEED", "1")
KINDS = ["country", "city", "hotel", "meal", "hotel_category", "dep_city", "currency"]
ODD = ["", "-1", "0", "9223372036854775807", "9223372036854775808", "1e3", "a" * 3000, "\u0000", "\ud800", "{}", "[]", "null", "é", "%", "../x",
       None, True, [], {}, [1], {"en": 1}, -1, 1 << 70, 0.5]
SORTS = ["worth", "probability", "asked", "newest", "supplier", "country", "city", "reason"]


class Curator:
    """What somebody knows who has read the answers so far."""

    def __init__(self, server, rng):
        self.browser, self.rng = Browser(server), rng
        self.cases, self.records, self.batches, self.cursors, self.versions = [], [], [2], {}, {}

    def about(self):
        r = self.rng
        pool = self.cases if self.cases and r.random() < 0.7 else self.records
        return r.choice(pool) if pool else {"adapter_id": 101, "kind": "hotel", "id": "none", "version": 1, "best": None}

    def pair(self):
        case = self.about()
        best = case.get("best") or {"id": case.get("dict_id") or self.dict(case["kind"])}
        return {**self.key(case), "version": case.get("version", 1), "dict_id": best["id"]}

    @staticmethod
    def key(case):
        return {name: case[name] for name in ("adapter_id", "kind", "id")}

    def dict(self, kind):
        known = [id for k, id in self.versions if k == kind]
        return self.rng.choice(known) if known else 1000001

    def some_dict(self):
        return self.rng.choice(sorted(self.versions)) if self.versions else ("hotel", 1000001)

    def decision(self):
        r = self.rng
        what = r.choice(["map", "map", "map", "clear", "not_same", "undo_not_same", "new", "undo", "right", "wrong", "merge", "split", "name",
                         "name", "undo_name"])
        if what in ("map", "not_same", "undo_not_same", "right", "wrong"):
            return {"decide": what, **self.pair()}
        if what in ("clear", "new", "undo"):
            case = self.about()
            return {"decide": what, **self.key(case), "version": case.get("version", 1)}
        kind, id = self.some_dict()
        said = {"decide": what, "kind": kind, "dict_id": id, "version": self.versions.get((kind, id), 1)}
        if what == "merge":
            into = self.dict(kind)
            return {**said, "into": into, "into_version": self.versions.get((kind, into), 1)}
        named = {"lang": r.choice(["uk", "de", "en", "pt-br"]), "name": r.choice(["Name", "Назва", "名前", None])} if "name" in what else {}
        return {**said, **{k: v for k, v in named.items() if what == "name" or k == "lang"}}

    def request(self):
        """A method, a path, parameters of the query, a body or None."""
        r = self.rng
        case, (kind, id) = self.about(), self.some_dict()
        page = {"limit": r.choice([1, 5, 100])}
        some = [
            ("GET", "queue", {**page, "sort": r.choice(SORTS), **r.choice([{}, {"kind": r.choice(KINDS)}, {"suggested": r.choice([0, 1])},
                                                                            {"above": "0.5"}, {"since": "7d"}, {"adapter_id": 101}])}),
            ("GET", "queue", {"limit": 500}), ("GET", "facets", {}), ("GET", "case", self.key(case)), ("GET", "case", self.key(case)),
            ("GET", "reference", {"kind": kind, "id": id}), ("GET", "reference", {"kind": r.choice(KINDS), "id": r.randint(1, 60)}),
            ("GET", "search", {"q": r.choice(["hotel", "blue", "bel", "туреччина"]), "kind": r.choice(KINDS)}),
            ("GET", "duplicates", {**page, "kind": "hotel"}), ("GET", "history", page), ("GET", "batches", page), ("GET", "agreement", {}),
            ("GET", "records", {"adapter_id": r.choice([101, 102]), "kind": r.choice(KINDS), "format": r.choice(["csv", "xlsx", "ndjson"])}),
            ("GET", "coverage", {}), ("GET", "audit", {"seed": r.randint(1, 9)}), ("GET", "precision", {}), ("GET", "air", page),
            ("GET", "airPlaces", {"q": "kyiv"}), ("GET", "changes", {"since": self.cursors.get("changes", "now"), **page}),
            ("GET", "day", {}), ("POST", "open", {}, self.key(case)), ("POST", "note", {}, {**self.key(case), "what": "comment", "text": "looks right"}),
            ("POST", "batchUndo", {}, {"batch": r.choice(self.batches[:8])}), ("POST", "accept", {}, {"above": 0.99, "kind": r.choice(KINDS)}),
            *[("POST", "decide", {}, {"decisions": [self.decision() for _ in range(n)], "why": "a test"}) for n in (1, 1, 1, 2, 5, 20)],
        ]
        method, path, query, *body = r.choice(some)
        return method, path, query, body[0] if body else None

    def learn(self, path, answer):
        data = answer.json().get("data") if answer.headers.get("Content-Type", "").startswith("application/json") else None
        if not isinstance(data, dict):
            return
        if path == "queue":
            self.cases = [c for c in data["items"] if "version" in c][:200] or self.cases
        elif path == "batches":
            self.batches = [b["id"] for b in data["items"] if b["what"] == "decide"] or self.batches
        elif path == "changes":
            self.cursors["changes"] = data["cursor"]
        elif path in ("search", "reference"):
            for item in data.get("items", [data]):
                if "version" in item and "kind" in item:
                    self.versions[item["kind"], item["id"]] = item["version"]
        elif path == "case" and "version" in data:
            self.records = [{**data, "best": None}, *self.records[:50]]


def spoil(rng, query, body):
    """One value, wherever it stands, is another."""
    places = [query, body] if isinstance(body, dict) else [query]
    places += body["decisions"] if isinstance(body, dict) and "decisions" in body else []
    place = rng.choice([p for p in places if p] or [query])
    place[rng.choice([*place, "nothing"])] = rng.choice(ODD)


def sent(curator, method, path, query, body):
    words = urllib.parse.urlencode({k: v for k, v in query.items() if v is not None}, errors="surrogatepass")
    return curator.browser.request(method, f"/v1/curate/{path}{'?' + words if words else ''}", body)


def accepted(answer, path):
    if answer.status != 200:
        return False
    return path != "decide" or any(item["result"] != "refused" for item in answer.json()["data"]["items"])


@pytest.fixture
def served(servers, run, import_file, tmp_path):
    path = tmp_path / "in.ndjson"
    path.write_bytes(synth("--hotels", 120, "--adapters", 3, "--blind", "--content", 0))
    server = servers.make(path, people=["anna"])
    for words in ("match",), ("user", "role", "anna", "admin"):
        assert run(*words, "--data", server.data).returncode == 0
    return server


def test_requests_of_a_grammar(served, run, record_property):
    rng, count = random.Random(SEED), collections.Counter()
    curator = Curator(served, rng)
    assert client.wait_until(lambda: curator.browser.sign_in().status == 200)
    assert client.wait_until(lambda: sent(curator, "GET", "queue", {"limit": 5}, None).json()["data"]["items"])
    for _ in range(REQUESTS):
        method, path, query, body = curator.request()
        if rng.random() < 0.25:
            spoil(rng, query, body)
        answer = sent(curator, method, path, query, body)
        what = method, path, query, body, answer
        assert answer.status in (200, 400, 403, 404, 409, 410, 413, 422, 503), what
        if answer.status == 200:
            curator.learn(path, answer)
        else:
            assert re.fullmatch(r"[a-z_]+", answer.json()["error"]["reason"]), what
        count["accepted"] += accepted(answer, path)
        count[f"{answer.status}"] += 1
        count[path] += 1
    record_property("curators", dict(count))
    print(json.dumps(count))
    assert 2 * count["accepted"] >= REQUESTS, count
    served.process.stop()
    done = run("check", "--data", served.data)
    assert done.returncode == 0, done.stdout + done.stderr
