"""Whatever is decided is a batch, and `batch undo` takes it back: decisions M28, C3."""
import json

import pytest

pytestmark = pytest.mark.store

FREE, MAPPED = (7, "hotel", "1002"), (7, "hotel", "1001")  # of mini.ndjson: the second is to 55

#: What is decided before, what is decided and taken back.
CASES = {
    "map": ([], ["map", "set", *FREE, 55]),
    "map another": ([], ["map", "set", *MAPPED, 56]),
    "map what was said not to be": ([["match", "reject", *FREE, 55]], ["map", "set", *FREE, 55]),
    "clear": ([], ["map", "clear", *MAPPED]),
    "undo": ([["map", "set", *MAPPED, 56]], ["map", "undo", *MAPPED]),
    "undo what was cleared": ([["map", "clear", *MAPPED]], ["map", "undo", *MAPPED]),
    "accept": ([], ["match", "accept", *FREE, 55]),
    "reject": ([], ["match", "reject", *FREE, 55]),
    "reject what it is mapped to": ([], ["match", "reject", *MAPPED, 55]),
    "name": ([], ["dict", "name", "hotel", 55, "en", "Another"]),
    "name in a new language": ([], ["dict", "name", "hotel", 55, "fr", "Un autre"]),
    "remove a name": ([["dict", "name", "hotel", 55, "fr", "Un autre"]], ["dict", "name", "hotel", 55, "fr", "--remove"]),
    "undo a name": ([["dict", "name", "hotel", 55, "en", "Another"]], ["dict", "name", "hotel", 55, "en", "--undo"]),
    "merge": ([], ["dict", "merge", "hotel", 55, 56]),
    "merge a city": ([], ["dict", "merge", "city", -44, 331]),
    "merge a country": ([], ["dict", "merge", "country", 2, 1]),
    "merge on": ([["dict", "merge", "hotel", 55, 56]], ["dict", "merge", "hotel", 56, 57]),
    "split": ([["dict", "merge", "hotel", 55, 56]], ["dict", "split", "hotel", 55]),
    "split what was merged on": ([["dict", "merge", "hotel", 55, 56], ["dict", "merge", "hotel", 56, 57]], ["dict", "split", "hotel", 56]),
    "place": ([], ["air", "map", 21, "x", 2]),
    "another place": ([["air", "map", 21, "x", 2]], ["air", "map", 21, "x", 4]),
    "no place": ([["air", "map", 21, "x", 2]], ["air", "unmap", 21, "x"]),
    "reject no more": ([["match", "reject", *FREE, 55]], ["match", "reject", "--undo", *FREE, 55]),
}


def state(data):
    """All but events, and who has merged when."""
    return [{k: v for k, v in r.items() if r["type"] != "redirect" or k not in ("at", "by", "why")}
            for r in data.records() if r["type"] not in ("mapping_event", "dict_event")]


def batches(data):
    return [json.loads(line) for line in data.ok("batch", "list", "--format", "ndjson").splitlines()]


def newest(data):
    return max(b["id"] for b in batches(data))


@pytest.mark.parametrize("name", CASES)
def test_m28_a_decision_is_a_batch_that_is_taken_back_and_again(data, name):
    before, decide = CASES[name]
    for command in before:
        data.ok(*command)
    was = state(data)
    data.ok(*decide, "--by", "olena", "--why", "a look")
    decided = state(data)
    assert decided != was
    (last,) = [b for b in batches(data) if b["id"] == newest(data)]
    assert (last["what"], last["by"], last["why"]) == ("decide", "olena", "a look")
    data.ok("batch", "undo", last["id"], "--by", "ivan")
    assert state(data) == was
    data.ok("batch", "undo", last["id"] + 1)
    assert state(data) == decided
    data.is_sound()


@pytest.mark.parametrize("name", CASES)
def test_m28_a_decision_that_changes_nothing_is_no_batch(data, name):
    before, decide = CASES[name]
    for command in before:
        data.ok(*command)
    data.ok(*decide)
    was, n = data.export(), len(batches(data))
    if not name.startswith(("undo", "merge", "split", "no place")):
        data.ok(*decide)
        assert data.export() == was and len(batches(data)) == n


def test_m28_a_merge_that_was_taken_back_since_is_left_alone(data):
    data.merge("hotel", 55, 56)
    batch = newest(data)
    data.split("hotel", 55)
    was = state(data)
    told = data.ok("batch", "undo", batch)
    assert "left alone: dict hotel 55" in told and "it was changed since" in told
    assert state(data) == was


def test_m28_a_split_that_was_merged_again_since_is_left_alone(data):
    data.merge("hotel", 55, 56)
    data.split("hotel", 55)
    batch = newest(data)
    data.merge("hotel", 55, 57)
    was = state(data)
    assert "it was changed since" in data.ok("batch", "undo", batch)
    assert state(data) == was


def test_m28_what_was_decided_since_a_merge_stays(data):
    data.merge("hotel", 55, 56)
    batch = newest(data)
    data.map("set", *MAPPED, 57)
    data.ok("batch", "undo", batch)
    assert data.mapped_to(*MAPPED) == 57 and data.mapped_to(7, "hotel", "1001-B") == 55
    assert [e[2] for e in data.events(7, "hotel", "1001-B")] == ["merge", "split"]
    data.is_sound()


def test_m28_what_cannot_be_split_off_is_left_alone_and_nothing_is_lost(data, tmp_path):
    data.merge("hotel", 55, 56)
    batch = newest(data)
    gone = tmp_path / "gone.ndjson"
    gone.write_text('{"type":"dict","kind":"hotel_type","id":1,"deleted":true}\n', encoding="utf-8")
    data.ok("import", gone)
    was = state(data)
    told = data.ok("batch", "undo", batch)
    assert "left alone: dict hotel 55: it cannot be split off" in told
    assert state(data) == was
    data.is_sound()


def test_m28_what_cannot_be_merged_again_is_left_alone_and_stays(data, tmp_path):
    data.merge("city", -44, 331)
    merged = newest(data)
    data.ok("batch", "undo", merged)
    taken_back = newest(data)
    data.merge("city", 331, -44)
    was = state(data)
    told = data.ok("batch", "undo", taken_back)
    assert "left alone: dict city -44" in told
    assert state(data) == was
    data.is_sound()


def names(data):
    return [(e["how"], e["lang"], e.get("was"), e.get("is"), e["by"]) for e in data.of("dict_event")]


def test_m41_a_name_that_is_taken_back_with_its_batch_is_an_event_too(data):
    data.ok("dict", "name", "hotel", 55, "fr", "Un autre", "--by", "olena")
    data.ok("batch", "undo", newest(data), "--by", "ivan")
    assert names(data) == [("name", "fr", None, "Un autre", "olena"), ("undo", "fr", "Un autre", None, "ivan")]
    assert data.ok("dict", "name", "hotel", 55, "fr", "--undo", "--by", "olena") == 'hotel 55 in fr: no name -> "Un autre"\n'


def test_m41_a_name_that_was_decided_since_stays(data):
    data.ok("dict", "name", "hotel", 55, "fr", "Un autre")
    batch = newest(data)
    data.ok("dict", "name", "hotel", 55, "en", "Another")
    assert "it was changed since" in data.ok("batch", "undo", batch)
    assert data.ok("dict", "name", "hotel", 55, "fr", "Un autre").endswith("already, nothing changed\n")


def test_m28_what_was_decided_since_is_left_alone(data):
    data.ok("match", "reject", *MAPPED, 55)
    batch = newest(data)
    data.map("set", *MAPPED, 56)
    told = data.ok("batch", "undo", batch)
    assert "its mapping was changed since" in told
    assert data.mapped_to(*MAPPED) == 56 and data.of("not_same") == []
    data.is_sound()


def test_m33_what_an_import_mapped_to_what_it_is_not_is_taken_away_and_told(data, tmp_path):
    data.ok("match", "reject", *FREE, 55)
    (source,) = [r for r in data.records() if r["type"] == "source" and (r["adapter_id"], r["kind"], r["id"]) == FREE]
    again = tmp_path / "again.ndjson"
    again.write_text(json.dumps({**source, "dict_id": 55}) + "\n", "utf-8")
    data.ok("import", again)
    assert data.mapped_to(*FREE) == 55
    told, n = data.ok("match", "reject", *FREE, 55), len(batches(data))
    assert data.mapped_to(*FREE) is None
    assert "as was said before" not in told and "as was said before" in data.ok("match", "reject", *FREE, 55)
    assert len(batches(data)) == n
