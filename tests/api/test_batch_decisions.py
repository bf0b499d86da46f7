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
    "reject no more": ([["match", "reject", *FREE, 55]], ["match", "reject", "--undo", *FREE, 55]),
}


def state(data):
    return [r for r in data.records() if r["type"] not in ("mapping_event", "dict_event")]


def batches(data):
    return [json.loads(line) for line in data.ok("batch", "list", "--format", "ndjson").splitlines()]


@pytest.mark.parametrize("name", CASES)
def test_m28_a_decision_is_a_batch_that_is_taken_back_and_again(data, name):
    before, decide = CASES[name]
    for command in before:
        data.ok(*command)
    was = state(data)
    data.ok(*decide, "--by", "olena", "--why", "a look")
    decided = state(data)
    assert decided != was
    (newest, *_) = sorted(batches(data), key=lambda b: -b["id"])
    assert (newest["what"], newest["by"], newest["why"]) == ("decide", "olena", "a look")
    data.ok("batch", "undo", newest["id"], "--by", "ivan")
    assert state(data) == was
    data.ok("batch", "undo", newest["id"] + 1)
    assert state(data) == decided
    data.is_sound()


@pytest.mark.parametrize("name", CASES)
def test_m28_a_decision_that_changes_nothing_is_no_batch(data, name):
    before, decide = CASES[name]
    for command in before:
        data.ok(*command)
    data.ok(*decide)
    was, n = data.export(), len(batches(data))
    if not name.startswith("undo"):
        data.ok(*decide)
        assert data.export() == was and len(batches(data)) == n


def names(data):
    return [(e["how"], e["lang"], e.get("was"), e.get("is"), e["by"]) for e in data.of("dict_event")]


def test_m41_a_name_that_is_taken_back_with_its_batch_is_an_event_too(data):
    data.ok("dict", "name", "hotel", 55, "fr", "Un autre", "--by", "olena")
    (newest, *_) = sorted(batches(data), key=lambda b: -b["id"])
    data.ok("batch", "undo", newest["id"], "--by", "ivan")
    assert names(data) == [("name", "fr", None, "Un autre", "olena"), ("undo", "fr", "Un autre", None, "ivan")]
    assert data.ok("dict", "name", "hotel", 55, "fr", "--undo", "--by", "olena") == 'hotel 55 in fr: no name -> "Un autre"\n'


def test_m41_a_name_that_was_decided_since_stays(data):
    data.ok("dict", "name", "hotel", 55, "fr", "Un autre")
    (newest, *_) = sorted(batches(data), key=lambda b: -b["id"])
    data.ok("dict", "name", "hotel", 55, "en", "Another")
    assert "it was changed since" in data.ok("batch", "undo", newest["id"])
    assert data.ok("dict", "name", "hotel", 55, "fr", "Un autre").endswith("already, nothing changed\n")


def test_m28_what_was_decided_since_is_left_alone(data):
    data.ok("match", "reject", *MAPPED, 55)
    (newest, *_) = sorted(batches(data), key=lambda b: -b["id"])
    data.map("set", *MAPPED, 56)
    told = data.ok("batch", "undo", newest["id"])
    assert "its mapping was changed since" in told
    assert data.mapped_to(*MAPPED) == 56 and data.of("not_same") == []
    data.is_sound()
