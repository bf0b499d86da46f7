"""Every record respects the model's limits, whatever its origin, so every store can be exported and imported. Rows of an older dragoman
beyond these limits are repaired once (decisions M44, D9)."""
import hashlib
import json

import pytest

import store
from test_backup import did, refused

pytestmark = pytest.mark.store

KINGDOM = "Королівство " + "дуже довге " * 20  # 231 characters
OTHER = KINGDOM[:-1] + "!"


def id_of(name):
    name = name.strip()
    return name if len(name) <= 64 else f"{name[:55]}-{hashlib.blake2b(name.encode(), digest_size=32).hexdigest()[:8]}"


def hotel(id, country, **more):
    return {"type": "source", "adapter_id": 7, "kind": "hotel", "id": id, "name": f"Nowhere {id}", "country_name": country, **more}


def imported_again(run, data, tmp_path, name="again"):
    """An export of the store can be imported, byte for byte."""
    again, file = tmp_path / name, tmp_path / f"{name}.ndjson"
    file.write_text(data.export(), "utf-8")
    did(run("import", "--create", "--data", again, file))
    assert run("export", "--data", again).stdout == data.export()
    did(run("check", "--data", again))


def test_m44_an_id_made_of_a_long_name_is_short(run, data, import_file, tmp_path):
    import_file(data.path, [hotel("l1", KINGDOM), hotel("l2", KINGDOM), hotel("l3", OTHER)])
    for id in ("l1", "l2", "l3"):
        data.ok("map", "country", 7, "hotel", id, 1, "--by", "olena")
    made = {r["id"]: (r["name"], r["dict_id"]) for r in data.of("source", adapter_id=7, kind="country")}
    assert {id_of(name): (name.strip(), 1) for name in (KINGDOM, OTHER)}.items() <= made.items()
    assert len(id_of(KINGDOM)) == 64
    data.is_sound()
    imported_again(run, data, tmp_path)


@pytest.mark.parametrize("args, field", [
    (("key", "create", "--api", "a", "--name", "x" * 256), "name: expected a text of 1 to 255 characters, found 256 characters"),
    (("key", "create", "--api", "a", "--note", "x" * 1025), "note: expected a text of 1 to 1024 characters, found 1025 characters"),
    (("key", "create", "--api", "a", "--name", "  "), "name: expected a text of 1 to 255 characters, found only white space"),
    (("key", "create", "--api", "a", "--name", "a\x01"), "name: expected a text of 1 to 255 characters, found a control character"),
    (("key", "set", "1", "--name", "x" * 2000), "name: expected a text of 1 to 255 characters, found 2000 characters"),
    (("key", "set", "1", "--note", "x" * 2000), "note: expected a text of 1 to 1024 characters, found 2000 characters"),
    (("user", "add", "x" * 65, "--no-password"), "name: expected 1 to 64 characters"),
    (("user", "add", "\u00a0", "--no-password"), "name: expected 1 to 64 characters"),
    (("supplier", "add", "x" * 65), "code: expected a text of 1 to 64 characters, found 65 characters"),
    (("supplier", "add", "sunny", "--name", "x" * 1025), "name: expected a text of 1 to 1024 characters, found 1025 characters"),
    (("map", "clear", "7", "hotel", "1001", "--why", "x" * 1025), "why: expected a text of 1 to 1024 characters, found 1025 characters"),
    (("match", "--by", "x" * 256), "by: expected a text of 1 to 255 characters, found 256 characters"),
    (("dict", "name", "hotel", "55", "en", "x" * 1025), "name.en: expected a text of 1 to 1024 characters"),
    (("air", "map", "21", "x" * 65, "1"), "external_id: expected a text of 1 to 64 characters, or an integer, found 65 characters")])
def test_every_command_refuses_a_text_beyond_its_limit(data, args, field):
    data.ok("key", "create", "--api", "a", "--name", "ї" * 255, "--note", "ї" * 1024)
    before = data.export(), data.ok("key", "list", "--json"), data.ok("user", "list")
    done = data.run(*args)
    assert done.returncode == 1 and field in done.stderr and done.stderr.count("\n") == 1, done.stderr
    assert before == (data.export(), data.ok("key", "list", "--json"), data.ok("user", "list"))


def test_an_import_by_somebody_of_a_long_name_is_refused(run, data, tmp_path):
    file = tmp_path / "one.ndjson"
    file.write_text(json.dumps(hotel("n1", "Turkey")) + "\n", "utf-8")
    for option, value in (("--by", "x" * 256), ("--why", "x" * 1025), ("--by", "a\x07b")):
        refused(run("import", "--data", data.path, option, value, file), f"{option[2:]}: expected a text of 1 to ")
    did(run("import", "--data", data.path, "--by", "x" * 255, "--why", "x" * 1024, file))


# ---- rows of an older store ------------------------------------------------------------------------------------------------------


LONG = {f"Land {i}": f"Land {i} {'so weit das Auge reicht ' * 8}".strip() for i in (1, 2)}
ONE, TWO = (id_of(name) for name in LONG.values())


def map_countries(data, import_file):
    import_file(data.path, [hotel(f"o{i}", name) for i, name in enumerate(LONG)])
    for i in range(2):
        data.ok("map", "country", 7, "hotel", f"o{i}", 1, "--by", "olena", "--why", "as the atlas says")


def lengthen(data):
    """Give countries ids as long as their names, as an older dragoman did."""
    for short, name in LONG.items():
        tables = ("source", "mapping_event", "not_same", "suggestion", "case_note")
        store.execute(data.path, *(f"UPDATE {table} SET id = '{name}' WHERE id = '{short}'" for table in tables),
                      f"UPDATE source SET name = '{name}' WHERE id = '{name}' AND deleted = 0",
                      f"UPDATE source SET country_name = '{name}' WHERE country_name = '{short}'",
                      f"UPDATE batch_item SET was = replace(was, '\"{short}\"', '\"{name}\"')")
    store.execute(data.path, "DELETE FROM repair")


def repair(run, data):
    """Repair a store by opening it, and return the report."""
    return did(run("key", "create", "--api", "a", "--data", data.path)).stderr


def batches(data):
    return [json.loads(line) for line in data.ok("batch", "list", "--format", "ndjson").splitlines()]


def undo(data, batch):
    done = data.run("batch", "undo", batch)
    assert done.returncode in (0, 1) and "expected" not in done.stderr, done.stderr
    return done.stdout


def older(data, import_file):
    """Make a store of an older dragoman: country ids as long as the names, keys with long names and notes."""
    map_countries(data, import_file)
    data.ok("map", "clear", 7, "country", "Land 2", "--by", "olena")
    data.ok("map", "set", 7, "country", "Land 2", 2, "--by", "petro")
    key = json.loads(data.ok("key", "create", "--api", "b", "--secret", "--json", "--name", "short"))["id"]
    lengthen(data)
    store.execute(data.path, f"UPDATE api_key SET name = '{'ї' * 2000}', note = '{'n' * 3000}' WHERE id = {key}")
    return key


def is_repaired(run, data, key, tmp_path, name):
    sources = {r["id"]: r for r in data.of("source", adapter_id=7, kind="country")}
    assert not {id for id in sources if len(id) > 64} and (sources[ONE]["dict_id"], sources[TWO]["dict_id"]) == (1, 2)
    assert sources[ONE]["name"] == LONG["Land 1"]
    assert data.events(7, "country", ONE) == [(None, 1, "set")]
    assert data.events(7, "country", TWO) == [(None, 1, "set"), (1, None, "set"), (None, 2, "set")]
    told = [batch for batch in batches(data) if batch.get("by") == "dragoman"]
    assert [(batch["why"], batch["changed"]) for batch in told] == [("ids of countries had more than 64 characters and were shortened", 2)]
    (listed,) = [k for k in json.loads(data.ok("key", "list", "--json")) if k["id"] == key]
    assert listed["name"] == "ї" * 255 and listed["note"] == "n" * 1024
    assert "dragoman" in data.ok("key", "history", key) and "too long" in data.ok("key", "history", key)
    data.is_sound()
    imported_again(run, data, tmp_path, name)


def test_check_names_the_rows_that_break_the_model(data, import_file):
    key = older(data, import_file)
    store.execute(data.path, "UPDATE source SET lat = 91 WHERE id = '1001' AND kind = 6", "UPDATE api_key SET note = NULL")
    done = data.run("check")
    lines = done.stdout.splitlines()
    assert done.returncode == 1 and "findings" in done.stderr
    assert any(line.startswith("source 7 country Land 1 so weit") and "id: expected a text of 1 to 64 characters, or an integer, found 198 characters" in line
               for line in lines), lines
    assert any(line.startswith("mapping_event 7 country Land 1") for line in lines)
    assert f"api_key {key}: name: expected a text of 1 to 255 characters, found 2000 characters" in lines
    assert "source 7 hotel 1001: lat: expected a number from -90 to 90, found the number 91.0" in lines


def test_an_older_store_is_repaired_once(run, data, import_file, tmp_path):
    """If a process ends between the upgrade of the schema and the repair, the next process repairs."""
    key = older(data, import_file)
    batch = next(e["batch"] for e in data.of("mapping_event") if e["id"] == LONG["Land 1"])
    refused(run("key", "list", "--no-such", "--data", data.path), "")  # a usage error opens no store
    assert "Land 2" in data.export("--type", "source")
    did(run("key", "create", "--api", "a", "--no-upgrade", "--data", data.path))
    assert {len(r["id"]) for r in data.of("source", kind="country")} > {198}
    said = repair(run, data)
    assert said.count("\n") == 1 and "had 2 ids of countries and 1 names and notes of keys that were too long" in said
    is_repaired(run, data, key, tmp_path, "again")
    assert repair(run, data) == ""
    # The batch's records were renamed too: it can still be undone, or reports that they have changed since.
    undo(data, batch)
    data.is_sound()


def test_a_backup_of_an_older_store_is_repaired_when_it_is_restored(run, data, import_file, tmp_path):
    key = older(data, import_file)
    did(run("backup", tmp_path / "b", "--data", data.path))
    other = type(data)(run, tmp_path / "restored")
    did(run("restore", tmp_path / "b", "--store", f"sqlite:{other.path}/dragoman.db"))
    if store.POSTGRES is None:
        is_repaired(run, other, key, tmp_path, "again")
    repair(run, data)
    is_repaired(run, data, key, tmp_path, "once more")


def test_what_outlives_a_country_is_repaired_too(run, data, import_file, tmp_path):
    """A removed source keeps its history, and an undo of the batch that removed it restores it."""
    map_countries(data, import_file)
    data.ok("map", "set", 7, "country", "Land 2", 2)
    (mapped, *_) = (batch["id"] for batch in batches(data))
    data.ok("match", "reject", 7, "country", "Land 1", 2, "--by", "olena")
    store.execute(data.path, "INSERT INTO case_note (adapter_id, kind, id, at, what, who, detail) VALUES (7, 0, 'Land 1', 5, 'comment', 'olena', 'so far')")
    countries = tmp_path / "countries.csv"
    countries.write_text("id,name\nZZ,Nowhere\n", "utf-8")
    data.ok("load", 7, countries, "--kind", "country", "--complete", "--max-gone", 100, "--accept")
    (loaded, *_) = (batch["id"] for batch in batches(data))
    store.execute(data.path, "INSERT INTO suggestion (adapter_id, kind, id, outcome, country, city, category, reason, ranked, explanation) "
                  "VALUES (7, 0, 'Land 2', 1, 0, 0, 0, 'no_match', '1:3100', 'so far')")
    lengthen(data)
    assert "mapping_event 7 country Land 1 so weit" in data.run("check").stdout
    assert "had 2 ids of countries" in repair(run, data)
    data.is_sound()
    imported_again(run, data, tmp_path)
    assert data.events(7, "country", TWO)[-1] == (2, None, "gone")
    assert [row["dict_id"] for row in data.of("not_same", kind="country", id=ONE)] == [2]
    assert store.execute(data.path, f"SELECT detail FROM case_note WHERE id = '{ONE}'") == [["so far"]]
    assert store.execute(data.path, "SELECT id, explanation FROM suggestion WHERE kind = 0") == [[TWO, "so far"]]
    # The record was removed since, so the undo of an earlier decision restores nothing.
    assert "removed since" in undo(data, mapped)
    data.ok("batch", "undo", loaded)
    assert (data.mapped_to(7, "country", ONE), data.mapped_to(7, "country", TWO)) == (1, 2)
    data.is_sound()


def test_every_batch_of_an_older_store_can_be_undone(run, data, import_file):
    """A single decision that undoes a mapping does not name its batch, so the history does not lead to the batch."""
    map_countries(data, import_file)
    data.ok("map", "set", 7, "country", "Land 1", 2)
    data.ok("map", "undo", 7, "country", "Land 1")
    lengthen(data)
    repair(run, data)
    assert store.execute(data.path, f"SELECT was FROM batch_item WHERE was LIKE '%\"id\":\"{LONG['Land 1']}%'") == []
    for batch in batches(data):
        if batch["what"] != "import":
            undo(data, batch["id"])
    data.is_sound()


def test_the_last_decision_of_an_older_store_can_be_undone(run, data, import_file):
    map_countries(data, import_file)
    data.ok("map", "set", 7, "country", "Land 1", 2)
    lengthen(data)
    repair(run, data)
    data.ok("map", "undo", 7, "country", ONE)
    assert data.mapped_to(7, "country", ONE) == 1
    data.ok("map", "undo", 7, "country", TWO)
    assert data.mapped_to(7, "country", TWO) is None


def test_a_country_with_the_short_id_stays_as_it_is(run, data, import_file, tmp_path):
    map_countries(data, import_file)
    lengthen(data)
    import_file(data.path, [{"type": "source", "adapter_id": 7, "kind": "country", "id": ONE, "name": "Mine"}], "--no-upgrade")
    data.ok("map", "set", 7, "country", ONE, 2)
    said = repair(run, data)
    assert "had 2 ids of countries" in said and "1 of the short ids belonged to other records" in said and said.count("\n") == 1
    (mine,) = data.of("source", kind="country", id=ONE)
    assert (mine["name"], mine["dict_id"]) == ("Mine", 2) and data.mapped_to(7, "country", TWO) == 1
    assert data.events(7, "country", ONE) == [(None, 2, "set")]
    (told,) = [batch for batch in batches(data) if batch.get("by") == "dragoman"]
    assert (told["changed"], told["removed"]) == (1, 1)
    data.is_sound()
    imported_again(run, data, tmp_path)
    for batch in batches(data):
        if batch.get("by") == "olena":
            undo(data, batch["id"])
    assert data.mapped_to(7, "country", ONE) == 2
    data.ok("map", "undo", 7, "country", ONE)
    assert data.mapped_to(7, "country", ONE) is None
