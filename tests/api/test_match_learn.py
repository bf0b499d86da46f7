"""dragoman match learn: decision M38."""
import csv
import json
import re

import pytest

import mapping
from conftest import synth
from hotels import PLACES, dict_hotels, source

pytestmark = pytest.mark.store

HOTELS, ADAPTERS = 5000, 5


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Made-up suppliers, and what their hotels are."""
    folder = tmp_path_factory.mktemp("synth")
    size = ("--hotels", HOTELS, "--adapters", ADAPTERS)
    blind = folder / "blind.ndjson"
    blind.write_bytes(synth(*size, "--blind"))
    records = map(json.loads, synth(*size).splitlines())
    return blind, {(r["adapter_id"], r["kind"], r["id"]): r.get("dict_id") for r in records if r["type"] == "source"}


@pytest.fixture
def data(run, made, tmp_path):
    done = run("import", made[0], "--create", "--data", tmp_path / "data")
    assert done.returncode == 0, done.stderr
    data = mapping.Data(run, tmp_path / "data")
    data.ok("match", "--samples", "0")
    return data


def answer(data, made, n, folder):
    """A person who knows the truth answers the first of the queue. How many got what."""
    rows = [json.loads(line) for line in data.ok("match", "queue", "--kind", "hotel", "--format", "ndjson").splitlines()]
    given = []
    for row in rows:
        truth = made[1][row["adapter_id"], "hotel", row["id"]]
        decision = "accept" if truth == row["dict_id"] else truth if truth is not None else "reject"
        if row["dict_id"] is not None and len(given) < n:
            given.append({**{k: row[k] for k in ("adapter_id", "kind", "id", "dict_id")}, "decision": decision})
    path = folder / "answers.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, list(given[0]))
        out.writeheader()
        out.writerows(given)
    data.ok("match", "load", path)
    return len([g for g in given if g["decision"] != "reject"]), len([g for g in given if g["decision"] == "reject"])


def numbers(line):
    return [int(n) for n in re.findall(r"\d+", line)]


def report(text):
    """records, pairs apart; pairs, same; before and after: right, wrong, ask, none; the gain and its bounds."""
    lines = text.splitlines()
    before, after = (line for line in lines if line.startswith("  before ") or line.startswith("  after "))
    gain = re.search(r"a gain of (\S+) \(from (\S+) to (\S+), 95", text)
    return numbers(lines[0]), numbers(lines[1])[:2], numbers(before)[:4], numbers(after)[:4], [float(g) for g in gain.groups()]


@pytest.mark.heavy
def test_m38_it_learns_from_what_people_say(data, made, tmp_path):
    mapped = len([r for r in data.of("source", kind="hotel") if r.get("dict_id") is not None])
    same, apart = answer(data, made, 300, tmp_path)
    assert mapped > 500 and same >= 100
    said = data.ok("match", "learn", "--output", tmp_path / "card.txt")
    records, (pairs, were_same), before, after, gain = report(said)
    assert records == [same, apart]
    assert same - 5 <= were_same <= same < pairs
    assert after[1] <= before[1] and 0 < gain[1] < gain[0] < gain[2] and "it is better" in said
    assert sum(before) == sum(after) == numbers(said.split("\non ")[1])[0]
    assert "# the program's own" in data.ok("match", "weights")
    data.ok("match", "weights", "set", tmp_path / "card.txt")
    assert data.ok("match", "weights").split("\n", 1)[1] == (tmp_path / "card.txt").read_text("utf-8")


@pytest.mark.heavy
def test_m38_what_it_has_learnt_maps_more_and_not_wrong(data, made, tmp_path):
    answer(data, made, 300, tmp_path)
    said = data.ok("match", "learn", "--apply", "--by", "olena")
    assert "scorecard 1 is in use" in said
    first = data.ok("match", "weights", "list")
    assert "olena" in first and "learnt from" in first
    before = {(r["adapter_id"], r["id"]): r.get("dict_id") for r in data.of("source", kind="hotel")}
    data.ok("match", "--samples", "0")
    more = [r for r in data.of("source", kind="hotel") if r.get("dict_id") is not None and before[r["adapter_id"], r["id"]] is None]
    assert more and all(made[1][r["adapter_id"], "hotel", r["id"]] == r["dict_id"] for r in more)
    again = data.ok("match", "learn")
    assert report(again)[0] == report(said)[0], "what it has mapped teaches nothing"


def test_m38_with_fewer_only_the_bias_and_one_factor_change(data, made, tmp_path):
    answer(data, made, 120, tmp_path)
    said = data.ok("match", "learn", "--output", tmp_path / "card.txt")
    assert "too few for each level" in said
    own, learnt = (dict(line.split(" ", 1) for line in text.splitlines() if not line.startswith("#")) for text in
                   (data.ok("match", "weights"), (tmp_path / "card.txt").read_text("utf-8")))
    old, new = ([float(n) for n in card["name"].split()] for card in (own, learnt))
    factor = new[0] / old[0]
    assert all(abs(o * factor - n) < 0.02 for o, n in zip(old, new))
    moved = [(float(c["automatic"]) - float(c["bias"])) for c in (own, learnt)]
    assert abs(moved[0] * factor - moved[1]) < 0.03 and own["metres"] == learnt["metres"], "it decides as before"
    before, after = report(said)[2:4]
    assert before == after


def test_m38_too_few_decisions_are_refused(data, made, tmp_path):
    assert "people have said of 0 hotels" in data.fails("match", "learn"), "what the matcher has mapped says nothing"
    answer(data, made, 19, tmp_path)
    said = data.fails("match", "learn", "--apply", "--output", tmp_path / "card.txt")
    assert "it takes 20" in said and "match audit" in said
    assert not (tmp_path / "card.txt").exists() and "# the program's own" in data.ok("match", "weights")


def test_m38_with_imported_what_came_mapped_counts_and_what_the_matcher_mapped_does_not(run, made, tmp_path):
    lines = [json.loads(line) for line in made[0].read_text("utf-8").splitlines()]
    came = 0
    for r in lines:
        if r["type"] == "source" and r["kind"] == "hotel" and r["adapter_id"] == 101 and made[1][101, "hotel", r["id"]] is not None:
            r["dict_id"] = made[1][101, "hotel", r["id"]]
            came += 1
    path = tmp_path / "some.ndjson"
    path.write_text("".join(json.dumps(r) + "\n" for r in lines), encoding="utf-8")
    assert run("import", path, "--create", "--data", tmp_path / "data").returncode == 0
    data = mapping.Data(run, tmp_path / "data")
    data.ok("match", "--samples", "0")
    assert len([r for r in data.of("source", kind="hotel") if r.get("dict_id") is not None]) > came > 100
    assert report(data.ok("match", "learn", "--imported"))[0] == [came, 0]
    assert "people have said of 0 hotels" in data.fails("match", "learn")


def test_m38_a_record_that_was_made_from_it_teaches_nothing(run, import_file, tmp_path):
    import_file(tmp_path, PLACES + dict_hotels() + [source(i, f"Xyzzy {i} Plugh", lat=36.9, lng=31.0 + i / 1000) for i in range(60)] + [
        {"type": "source", "adapter_id": 1, "kind": "hotel_category", "id": "5", "name": "5*", "dict_id": 5}])
    data = mapping.Data(run, tmp_path)
    import_file(tmp_path, [{**r, "category_name": "5*"} for r in data.of("source", kind="hotel")])
    data.ok("match")
    path = tmp_path / "new.csv"
    path.write_text("adapter_id,kind,id,dict_id,decision\n" + "".join(f"1,hotel,{i},,new\n" for i in range(60)), encoding="utf-8")
    assert "60 made new" in data.ok("match", "load", path)
    assert "people have said of 0 hotels" in data.fails("match", "learn")
    # Nor with what came mapped: nobody has confirmed that a record is what was made from it.
    assert "0 hotels" in data.fails("match", "learn", "--imported")
