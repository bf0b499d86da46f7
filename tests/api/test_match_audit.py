"""dragoman match audit, match precision: decision M39."""
import csv
import json
import math

import pytest

import mapping
from hotels import PLACES, dict_hotels, near, source

pytestmark = pytest.mark.store

NAMES = ["Orkide Resort & Spa", "Pamfilya Konak", "Sultan Sahil Palace", "Meridia Beach", "Zeytin Hotel", "Defne Residence"]
#: What `data` has, and what is run on it.
RECORDS = PLACES + dict_hotels() + [source(i, name, **near(i)) for i, name in enumerate(NAMES)]
STEPS = [("match", "--samples", "0")]


def drawn(data, *options):
    return [json.loads(line) for line in data.ok("match", "audit", "--format", "ndjson", *options).splitlines()]


def judge(data, file, decisions, *options, size=100):
    """Fill in what is drawn; what has no decision stays empty."""
    data.ok("match", "audit", "--size", size, "--output", file)
    if file.suffix == ".csv":
        with open(file, encoding="utf-8-sig", newline="") as f:
            rows = list(csv.DictReader(f))
        for row in rows:
            row["decision"] = decisions.get(row["id"], "")
        with open(file, "w", encoding="utf-8", newline="") as f:
            w = csv.DictWriter(f, rows[0])
            w.writeheader()
            w.writerows(rows)
    else:
        import openpyxl
        book = openpyxl.load_workbook(file)
        sheet = book.active
        titles = [c.value for c in sheet[1]]
        for row in sheet.iter_rows(min_row=2):
            row[titles.index("decision")].value = decisions.get(str(row[titles.index("id")].value))
        book.save(file)
    return data.run("match", "load", file, *options)


def precision(data, *options):
    return {p["kind"]: p for p in map(json.loads, data.ok("match", "precision", "--format", "ndjson", *options).splitlines())}


def wilson(right, n, z=1.959963984540054):
    share = right / n
    middle, half = share + z * z / (2 * n), z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return [round((middle + sign * half) / (1 + z * z / n), 4) for sign in (-1, 1)]


def test_m39_what_is_drawn_was_mapped_by_the_matcher_and_is_not_judged(data, import_file):
    import_file(data.path, [source(7, "Aspendos Mirage", dict_id=107)])
    data.map("set", 1, "hotel", "2", 109)
    data.map("clear", 1, "hotel", "3")
    rows = drawn(data)
    assert sorted(r["id"] for r in rows) == ["0", "1", "4", "5"]
    (row,) = [r for r in rows if r["id"] == "0"]
    assert (row["dict_id"], row["dict_name"], row["dict_city"], row["city"]) == (100, "Orkide Resort & Spa", "Side", "SIDE")
    assert row["metres"] == 11 and row["explanation"].startswith("automatic, ") and row["drawn"] == "audit"
    assert drawn(data, "--kind", "meal") == drawn(data, "--adapter", "other") == []


@pytest.mark.heavy
def test_m39_a_seed_draws_the_same_and_each_is_drawn(data):
    one = drawn(data, "--size", 2, "--seed", 5)
    assert one == drawn(data, "--size", 2, "--seed", 5) and len(one) == 2
    seen = {r["id"] for seed in range(40) for r in drawn(data, "--size", 1, "--seed", seed)}
    assert seen == {"0", "1", "2", "3", "4", "5"}


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_m39_judgements_are_read_back_and_told(data, tmp_path, form):
    file = tmp_path / f"audit.{form}"
    decisions = {"0": "accept", "1": "accept", "2": "reject", "3": "109"}
    before = data.export()
    assert judge(data, file, decisions, "--dry-run").returncode == 0
    assert data.export() == before
    done = judge(data, file, decisions, "--by", "olena")
    assert "6 rows: 2 accepted, 2 rejected, 0 made new, 2 as before or not answered, 0 refused" in done.stdout
    assert "3 of" not in done.stdout and "; undo it with" in done.stdout
    assert [data.mapped_to(1, "hotel", str(i)) for i in range(6)] == [100, 101, None, 109, 104, 105]
    assert sorted(s["dict_id"] for s in data.of("not_same")) == [102, 103]
    assert [e[:2] for e in data.events() if e[2] == "audit"] == [(100, 100), (101, 101), (102, None), (103, 109)]
    told = precision(data)
    hotel = {name: round(value, 4) if isinstance(value, float) else value for name, value in told["hotel"].items()}
    assert hotel == {"kind": "hotel", "judged": 4, "right": 2, "precision": 0.5, "from": wilson(2, 4)[0], "to": wilson(2, 4)[1]}
    assert {**told["all"], "kind": "hotel"} == told["hotel"]
    assert sorted(r["id"] for r in drawn(data)) == ["4", "5"]
    again = data.run("match", "load", file)
    assert again.returncode == 1 and "2 refused" in again.stdout, "what was wrong is not the matcher's any more"
    assert precision(data)["all"]["judged"] == 4
    data.ok("match", "--samples", "0")
    assert data.mapped_to(1, "hotel", "2") is None
    data.is_sound()


def test_m39_what_people_changed_meanwhile_is_refused(data, tmp_path):
    file = tmp_path / "audit.csv"
    data.ok("match", "audit", "--output", file)
    data.map("set", 1, "hotel", "0", 109)
    data.map("clear", 1, "hotel", "1")
    text = file.read_text("utf-8-sig")
    rows = list(csv.DictReader(text.splitlines()))
    for row in rows:
        row["decision"] = {"0": "accept", "1": "accept", "2": "new", "3": "maybe", "4": "99999"}.get(row["id"], "")
    with open(file, "w", encoding="utf-8", newline="") as f:
        w = csv.DictWriter(f, rows[0])
        w.writeheader()
        w.writerows(rows)
    done = data.run("match", "load", file)
    assert done.returncode == 1 and "5 refused" in done.stdout, done.stdout
    assert "by now" in done.stdout and "not mapped any more" in done.stdout and "an audit" in done.stdout
    assert precision(data) == {} and data.of("not_same") == []


def test_m39_a_judgement_stands(data, tmp_path):
    assert judge(data, tmp_path / "audit.csv", {"0": "accept"}).returncode == 0
    data.ok("match", "reject", 1, "hotel", "0", 100)
    data.ok("match")
    assert data.mapped_to(1, "hotel", "0") is None


def months(data):
    (row,) = map(json.loads, data.ok("match", "stats", "--format", "ndjson").splitlines())
    return {what: row[what] for what in ("automatic", "people", "confirmed", "overruled", "undone")}


def test_m39_a_judgement_is_taken_back(data, tmp_path):
    """As if it had never been: the mapping is the matcher's, drawn again, and counted nowhere."""
    before, drawn_before = months(data), drawn(data)
    assert judge(data, tmp_path / "a.csv", {"0": "accept", "1": "reject", "2": "109", "3": "accept"}).returncode == 0
    assert precision(data)["all"]["judged"] == 4 and months(data) == {**before, "people": 4, "confirmed": 2, "overruled": 2}
    for id in "012":
        data.map("undo", 1, "hotel", id)
    assert [data.mapped_to(1, "hotel", str(i)) for i in range(4)] == [100, 101, 102, 103] and data.of("not_same") == []
    assert months(data) == {**before, "people": 1, "confirmed": 1}
    assert (precision(data)["all"]["judged"], precision(data)["all"]["right"]) == (1, 1)
    assert sorted(drawn(data), key=lambda row: row["id"]) == sorted((row for row in drawn_before if row["id"] != "3"), key=lambda row: row["id"])
    data.map("undo", 1, "hotel", "0")
    assert precision(data)["all"]["judged"] == 1, "there is none to take back"
    assert judge(data, tmp_path / "b.csv", {"0": "reject", "1": "accept"}).returncode == 0
    assert (precision(data)["all"]["judged"], precision(data)["all"]["right"]) == (3, 2)
    assert months(data) == {**before, "people": 3, "confirmed": 2, "overruled": 1}
    batch = json.loads(data.ok("batch", "list", "--format", "ndjson").splitlines()[0])["id"]
    data.ok("batch", "undo", batch)
    assert data.mapped_to(1, "hotel", "0") == 100
    assert months(data) == {**before, "people": 2, "confirmed": 2}, "what was wrong is undone with its batch; what was right changed nothing"
    data.is_sound()


def test_m39_by_supplier_and_time(data, tmp_path):
    judge(data, tmp_path / "audit.csv", {"0": "accept"})
    assert precision(data, "--adapter", "sunny")["all"]["judged"] == 1
    assert precision(data, "--adapter", "other") == precision(data, "--since", "2099-01-01") == precision(data, "--kind", "meal") == {}


# What is wrong has few bits: it lies some 500 m off.
MANY, WRONG = 520, 8


@pytest.fixture(scope="module")
def many(run, import_file, tmp_path_factory):
    """A store with many automatic mappings, all judged; those with the fewest bits as wrong."""
    folder = tmp_path_factory.mktemp("many")
    words = ["".join("bdfgklmnprstvz"[n // 14 ** k % 14] + "aeiou"[(n + k) % 5] for k in range(4)) for n in range(37, 37 + 900 * 53, 53)]
    dict_hotels = [{"type": "dict", "kind": "hotel", "id": 1000 + i, "name": f"{words[i]} Hotel", "country_id": 1, "city_id": 10,
                    "hotel_category_id": 5, "lat": 36.0 + i * 0.01, "lng": 31.0} for i in range(MANY)]
    sources = [source(i, f"{words[i]} Hotel", lat=36.0 + i * 0.01 + (0.004 if i < WRONG else 0.0001), lng=31.0) for i in range(MANY)]
    import_file(folder, PLACES + dict_hotels + sources)
    data = mapping.Data(run, folder)
    data.ok("match", "--samples", "0")
    assert len([r for r in data.of("source") if r.get("dict_id") is not None]) == MANY
    file = folder / "audit.csv"
    done = judge(data, file, {str(i): "reject" if i < WRONG else "accept" for i in range(MANY)}, size=1000)
    assert done.returncode == 0, done.stdout
    return data


def test_m39_the_bound_follows_from_judgements(many):
    told = precision(many)["hotel"]
    assert (told["judged"], told["right"]) == (MANY, MANY - WRONG)
    assert [round(told["from"], 4), round(told["to"], 4)] == wilson(MANY - WRONG, MANY)
    assert "the bound in use is enough for 0.98" in many.ok("match", "precision", "--wanted", "0.98")
    said = many.ok("match", "precision", "--wanted", "0.995")
    assert f"of {MANY - WRONG} with " in said and f"more {MANY - WRONG} are right: 1.0000" in said and "--apply" in said
    assert "# the program's own" in many.ok("match", "weights")
    bound = float(said.split("is to be ")[1].split()[0])
    assert 1.44 < bound
    assert "scorecard 1 is in use" in many.ok("match", "precision", "--wanted", "0.995", "--apply")
    assert f"\nautomatic {bound:g}\n" in many.ok("match", "weights")


def test_m39_too_few_judgements_give_no_bound(data, tmp_path):
    judge(data, tmp_path / "audit.csv", {"0": "accept"})
    done = data.run("match", "precision", "--wanted", "0.99", "--apply")
    assert done.returncode == 1 and "a bound takes 500 judged hotels" in done.stderr and "there are 1" in done.stderr
    assert "# the program's own" in data.ok("match", "weights")


@pytest.mark.parametrize("options", [("--wanted", "2"), ("--wanted", "x"), ("--apply",), ("--since", "someday")])
def test_m39_a_wrong_command_line(data, options):
    assert data.run("match", "precision", *options).returncode == 2


def test_m34_what_was_wrong_and_is_taken_away_waits_for_nobody(data, import_file, tmp_path):
    """That it had waited before it was mapped is not remembered."""
    import_file(data.path, [source(40, "Orkide Residence", **near(0))])
    data.ok("match", "--samples", "0")
    data.ok("match", "queue")
    assert [q["id"] for q in map(json.loads, data.ok("match", "queue", "--format", "ndjson").splitlines())] == ["40"]
    before = {d["id"] for d in drawn(data)}
    import_file(data.path, [{"type": "dict", "kind": "hotel", "id": 940, "name": "Orkide Residence", "country_id": 1, "city_id": 10,
                             "hotel_category_id": 5, **near(0)}])
    data.ok("match", "--samples", "0")
    assert "40" in {d["id"] for d in drawn(data)} - before, "the matcher maps it"
    done = judge(data, tmp_path / "a.csv", {"40": "reject"})
    assert done.returncode == 0, done.stderr
    assert data.mapped_to(1, "hotel", "40") is None
    assert "40" not in [q["id"] for q in map(json.loads, data.ok("match", "queue", "--format", "ndjson").splitlines())]
