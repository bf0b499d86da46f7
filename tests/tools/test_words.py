"""tools/embed_words.py: what stands in src/match/words/ becomes a table of the program, or the build stops and says where."""
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def embed(tmp_path, **files):
    paths = []
    for name, text in files.items():
        paths.append(tmp_path / f"{name}.txt")
        paths[-1].write_bytes(text if isinstance(text, bytes) else text.encode())
    out = tmp_path / "words.c"
    done = subprocess.run([sys.executable, ROOT / "tools/embed_words.py", out, *paths], capture_output=True, text=True, check=False)
    return done, out.read_text() if out.exists() else None


def test_words_of_several_files_are_one_sorted_table(tmp_path):
    done, table = embed(tmp_path, a="type inn # a house\nwrite htl hotel\n", b="residence inn\nnumber two 2\n\n")
    assert done.returncode == 0, done.stderr
    rows = [line.strip() for line in table.splitlines() if line.startswith("\t{")]
    assert rows == ['{ "htl", 0, NULL, "hotel" },', '{ "inn", 3, NULL, NULL },', '{ "two", 0, "2", NULL },']


@pytest.mark.parametrize("line, says", [
    ("nonsense hotel", "expected type"), ("type", "expected a class"), ("type Hotel", "small letters"), ("write a", "expected"),
    ("write a b c", "expected"), ('type a"},{"', "small letters"), ("type ../../etc", "small letters"), ("type " + "x" * 41, "at most 40"),
    ("write ave " + "x" * 300, "at most 40"), ("type отель", "small letters"), ("type \0", "small letters"), ("type a\\", "small letters"),
])
def test_a_hostile_line_stops_the_build_and_is_named(tmp_path, line, says):
    done, table = embed(tmp_path, x="type hotel\n" + line + "\n")
    assert done.returncode == 1 and table is None
    assert "x.txt:2: " in done.stderr and says in done.stderr, done.stderr


def test_a_word_that_is_rewritten_in_two_ways_stops_the_build(tmp_path):
    done, table = embed(tmp_path, a="write st saint\n", b="write st street\n")
    assert done.returncode == 1 and table is None and "rewritten" in done.stderr


def test_words_that_rewrite_each_other_are_rewritten_once(tmp_path):
    done, table = embed(tmp_path, a="write a b\nwrite b a\n")
    assert done.returncode == 0 and '"a", 0, NULL, "b"' in table and '"b", 0, NULL, "a"' in table
