"""An agency's list of 300 messy rows, written by hand (tests/fixtures/messy), goes from file to mapped in two commands: docs/matching.md.

list.csv is the list, truth.csv says what each row is and what is wrong with it, reference.ndjson the reference: made-up houses in real cities."""
import csv
import json
import pathlib

import pytest

import mapping

pytestmark = pytest.mark.store

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "fixtures" / "messy"
RECALL = 0.75  # measured: 194 of 257, 0.755


@pytest.fixture(scope="module")
def truth():
    with (FOLDER / "truth.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: int(row["dict_id"]) if row["dict_id"] else None for row in csv.DictReader(file)}


@pytest.fixture
def data(run, tmp_path):
    data = mapping.Data(run, tmp_path / "data")
    data.ok("import", "--create", FOLDER / "reference.ndjson")
    data.ok("supplier", "add", "agency", "--name", "Agency")
    return data


def hotels(data):
    return {r["id"]: r.get("dict_id") for r in data.of("source", kind="hotel")}


def test_m30_two_commands_map_a_messy_list_and_nothing_wrong(data, truth, tmp_path):
    data.ok("load", "agency", FOLDER / "list.csv", "--accept")
    data.ok("match", "agency", "--report", tmp_path / "report.ndjson")
    mapped = hotels(data)
    assert len(truth) == 300 and mapped.keys() == truth.keys()
    wrong = {i: (to, truth[i]) for i, to in mapped.items() if to is not None and to != truth[i]}
    assert wrong == {}
    right = [i for i, to in mapped.items() if to is not None]
    assert len(right) >= RECALL * sum(to is not None for to in truth.values()), len(right)
    said = [r for r in map(json.loads, (tmp_path / "report.ndjson").read_text("utf-8").splitlines()) if r["kind"] == "hotel"]
    assert {r["id"] for r in said} == truth.keys()
    assert all(r["explanation"].startswith(r["outcome"] + ", ") and "\n" not in r["explanation"] for r in said)
    assert all(r["reason"] == "sure" if r["outcome"] == "automatic" else r["reason"] != "sure" for r in said)
    data.is_sound()


def test_m30_of_what_is_asked_the_first_candidate_is_nearly_always_right(data, truth, tmp_path):
    data.ok("load", "agency", FOLDER / "list.csv", "--accept")
    data.ok("match", "agency")
    asked = [r for r in map(json.loads, data.ok("match", "queue", "--kind", "hotel", "--format", "ndjson").splitlines())
             if truth[r["id"]] is not None and r["dict_id"] is not None]
    assert len(asked) >= 40
    assert sum(r["dict_id"] == truth[r["id"]] for r in asked) >= 0.9 * len(asked)


def test_m31_one_command_takes_it_back(data):
    data.ok("load", "agency", FOLDER / "list.csv", "--accept")
    before = hotels(data)
    batch = data.ok("match", "agency").rsplit("batch undo ", 1)[1].split("'")[0]
    assert hotels(data) != before
    data.ok("batch", "undo", batch)
    assert hotels(data) == before
