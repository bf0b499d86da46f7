"""dragoman match weights: the scorecard in use (decision M37)."""
import json

import pytest

import store
from hotels import PLACES, dict_hotels, near, source
from test_match_serve import add, hotel, is_matched, queue

pytestmark = pytest.mark.store

#: What `data` has.
RECORDS = PLACES + dict_hotels() + [source(1, "Orkide Resort", **near(0))]


def shown(data):
    """The line that tells which one it is, and the scorecard."""
    first, rest = data.ok("match", "weights", "show").split("\n", 1)
    return first, rest


def card(data, path, **lines):
    """The scorecard in use, with other lines."""
    text = "\n".join(" ".join([word, lines.get(word, numbers)]) for word, _, numbers in
                     (line.partition(" ") for line in shown(data)[1].splitlines())) + "\n"
    path.write_text(text, encoding="utf-8")
    return path


def test_m37_at_first_the_programs_own_is_in_use(data):
    first, rest = shown(data)
    assert first == "# the program's own scorecard, in use since no other one was taken"
    assert data.ok("match", "weights") == first + "\n" + rest
    assert data.run_command("match", "weights").stdout.split("\n", 1)[1] == rest
    assert json.loads("[%s]" % ",".join(data.ok("match", "weights", "list", "--format", "ndjson").splitlines())) == []


def test_m37_the_operators_decides(data, tmp_path):
    data.ok("match", "--dry-run")
    out = data.ok("match", "weights", "set", card(data, tmp_path / "card.txt", automatic="30"), "--by", "olena", "--why", "be careful")
    assert out == "scorecard 1 is in use; 'dragoman match --dry-run' shows what it decides\n"
    first, rest = shown(data)
    assert first.startswith("# scorecard 1: the operator's, in use since 20") and first.endswith(" by olena (be careful)")
    assert "\nautomatic 30\n" in rest
    assert "not sure enough" in data.ok("match", "explain", 1, "hotel", "1")
    assert "1 ask" in data.ok("match")
    assert data.mapped_to(1, "hotel", "1") is None
    assert "already" in data.ok("match", "weights", "set", tmp_path / "card.txt")
    data.ok("match", "weights", "reset")
    assert shown(data)[0].startswith("# scorecard 2: the program's own")
    data.ok("match")
    assert data.mapped_to(1, "hotel", "1") == 100


@pytest.mark.store_core
def test_m37_those_of_before_are_kept(data, tmp_path):
    for bound in ("30", "20"):
        data.ok("match", "weights", "set", card(data, tmp_path / "card.txt", automatic=bound))
    data.ok("match", "weights", "use", 1)
    assert "\nautomatic 30\n" in shown(data)[1] and shown(data)[0].startswith("# scorecard 3:")
    listed = [json.loads(line) for line in data.ok("match", "weights", "list", "--format", "ndjson").splitlines()]
    assert [(w["id"], w["what"]) for w in listed] == [(1, "operator"), (2, "operator"), (3, "operator")]
    assert "there is no scorecard 9" in data.fails("match", "weights", "use", 9)


@pytest.mark.parametrize("text, says", [
    ("", "it is empty"), ("version 1\nname 1 2\n", "line 2: name: expected 13 numbers"), ("version 2\n", "reads scorecards of version 1"),
    ("hello\n", 'a scorecard has no "hello"'), ("# nothing\n", "version is missing"), ("version 1\nbias 1\n", "name is missing"),
    ("version 1\nbias " + "9" * 70000 + "\n", "card.txt: ")])
def test_m37_a_broken_one_is_refused_and_changes_nothing(data, tmp_path, text, says):
    data.ok("match", "weights", "set", card(data, tmp_path / "good.txt", automatic="30"))
    before = shown(data)
    path = tmp_path / "card.txt"
    path.write_text(text, encoding="utf-8")
    said = data.fails("match", "weights", "set", path)
    assert says in said and str(path) in said
    assert shown(data) == before


def test_m37_a_file_that_is_not_there_or_a_wrong_word(data, tmp_path):
    assert "No such file" in data.fails("match", "weights", "set", tmp_path / "none.txt")
    for args in (("get",), ("set",), ("use",), ("show", "x"), ("use", "x"), ("use", "0")):
        assert data.run("match", "weights", *args).returncode == 2, args


def test_m37_one_that_another_program_wrote_is_not_passed_over(data, tmp_path):
    data.ok("match", "weights", "set", card(data, tmp_path / "card.txt", automatic="30"))
    store.execute(data.path, "UPDATE scorecard SET data = 'version 7'")
    said = data.fails("match")
    assert "scorecard 1, which is in use, cannot be read by this program" in said and "match weights reset" in said
    data.ok("match", "weights", "reset")
    data.ok("match")


def test_m37_a_server_uses_it_from_its_next_round_on(make_server, data, tmp_path):
    data.ok("match", "weights", "set", card(data, tmp_path / "card.txt", automatic="30"))
    assert "scorecard" not in data.export() + data.ok("status")
    server = make_server(None, "--match", "auto", data=data.path)
    add(server, hotel("h1", "Orkide Resort"))
    is_matched(server)
    assert queue(data)["h1"]["reason"] == "below_threshold"
    data.ok("match", "weights", "reset")
    add(server, hotel("h2", "Pamfilya Konak"))
    is_matched(server)
    assert data.mapped_to(1, "hotel", "h2") == 101
