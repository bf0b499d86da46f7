"""A month of a data manager by command line: files of suppliers whose formats nobody fitted the loader to (supplier_lists.py)."""
import json
import random
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import mapping
import sheets
import supplier_lists
from conftest import SLOW

pytestmark = pytest.mark.store

HOUSES = supplier_lists.houses(60, 26)
RECORDS = supplier_lists.reference(HOUSES)


def load(data, path, made, *options):
    body, name, own = made
    (path / name).write_bytes(body)
    return data.ok("load", "list", path / name, *own, *options)


@pytest.mark.parametrize("generator", supplier_lists.GENERATORS, ids=lambda g: g.__name__)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_month_with_a_supplier(data, tmp_path, generator, seed):
    """Looked at, loaded, matched; a week later with one house less, another name, and nothing to say but the file."""
    rng = random.Random(seed)
    data.ok("supplier", "add", "list")
    first = generator(HOUSES, rng)
    assert re.search(r"hotel +60 new", load(data, tmp_path, first, "--dry-run")) and not data.of("source", kind="hotel")
    load(data, tmp_path, first, "--accept")
    hotels = data.of("source", kind="hotel")
    assert {int(h["id"]) for h in hotels} == {h.number for h in HOUSES}
    data.ok("match", "list")
    mapped = {int(h["id"]): h.get("dict_id") for h in data.of("source", kind="hotel")}
    assert all(to in (None, id) for id, to in mapped.items()), "nothing is mapped wrongly"
    assert sum(to is not None for to in mapped.values()) >= 54, mapped
    asked = [json.loads(line) for line in data.ok("match", "queue", "--kind", "hotel", "--format", "ndjson").splitlines()]
    assert not [r for r in asked if r["reason"] in ("country_unmapped", "city_unmapped")]
    fewer = [supplier_lists.House(**{**vars(h), "name": "Quite Another"} if h.number == 101 else vars(h)) for h in HOUSES if h.number != 105]
    body, name, _ = generator(fewer, random.Random(seed))
    path = tmp_path / f"second-{name}"
    path.write_bytes(body)
    looked = data.ok("load", "list", path, "--complete", "--dry-run")
    said = data.ok("load", "list", path, "--complete")
    for text in (looked, said):
        assert re.search(r"hotel +0 new +\d+ changed +\d+ same +1 gone", text) and re.search(r"gone +hotel 0*105 ", text), text
    assert 105 not in {int(h["id"]) for h in data.of("source", kind="hotel")}


# what is looked at is what is loaded

NAMES = ["Code", "Hotel", "Name", "Country", "Country Code", "City", "Region", "BÖLGE", "İL / İLÇE", "lat, lng", "Latitude", "Longitude", "Stars", "Phone", "Notiz", "CC", "Id / Name", ""]
CELLS = ["", "h1", "h2", "007", "Total", "Ada", "Turkey", "TR", "36,8", "31.4", "136.8", "36.8, 31.4", "5*", "north", "1.10E+03", "2026", "x / y"]
maps = st.lists(st.tuples(st.sampled_from(["id", "name", "country_id", "country_name", "lat", "lng", "phone", "city_name"]), st.sampled_from(NAMES)).map("=".join), max_size=3)


def told(text):
    """All but the columns of a file that is known, which only a dry run shows, and what it ends with: whether it was done, in what time."""
    return [line for line in text.splitlines() if not re.match(r"loaded|checked|batch|dragoman:|  [^\"]* -> ", line)]


@pytest.mark.heavy
@settings(max_examples=10 if SLOW else 40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(header=st.lists(st.sampled_from(NAMES), min_size=2, max_size=7), rows=st.lists(st.lists(st.sampled_from(CELLS), max_size=8), max_size=6),
       named=maps, later=maps, complete=st.booleans())
def test_p7_a_dry_run_is_the_load(run, tmp_path_factory, header, rows, named, later, complete):
    """Twice: of a new file, and of one that is known with other columns named. The same words, counts, columns and fields."""
    folder = tmp_path_factory.mktemp("load")
    data = mapping.Data(run, folder / "data")
    data.ok("supplier", "add", "list", "--create")
    path = sheets.workbook(folder / "list.xlsx", [[cell or None for cell in row] for row in rows], header=[h or None for h in header])
    more = ["--complete", "--max-gone", "100"] if complete else []
    for choice in (named, later):
        options = [*(part for pair in choice for part in ("--map", pair)), "--accept", "--keep-going", *more]
        before = data.export()
        looked = data.run("load", "list", path, *options, "--dry-run")
        assert data.export() == before
        done = data.run("load", "list", path, *options)
        assert (looked.returncode, looked.stderr, told(looked.stdout)) == (done.returncode, done.stderr, told(done.stdout))
        if done.returncode == 0:
            again = data.run("load", "list", path, "--keep-going")
            assert again.returncode == 0 and not re.search(r" [1-9]\d* new ", again.stdout), "what was accepted is remembered"
