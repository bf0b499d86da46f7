"""tools/pack_web.py: what pages share is put in from web/pieces/, and what cannot be put in stops the build and says where."""
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def pack(tmp_path, **pages):
    """The packed bytes of the pages of the project, some of which are written over; and what the tool said."""
    shutil.copytree(ROOT / "web", tmp_path / "web", dirs_exist_ok=True, ignore=shutil.ignore_patterns("viewer"))
    (tmp_path / "docs").mkdir(exist_ok=True)
    shutil.copy(ROOT / "docs/contract.md", tmp_path / "docs")
    for name, text in pages.items():
        (tmp_path / "web" / name.replace("__", "/").replace("_html", ".html").replace("_", "-")).write_text(text, encoding="utf-8")
    blob, table = tmp_path / "web.blob", tmp_path / "web.c"
    done = subprocess.run([sys.executable, ROOT / "tools/pack_web.py", tmp_path / "web", "", blob, table], capture_output=True, text=True, check=False)
    return done, blob.read_bytes().decode("utf-8", "replace") if blob.exists() else None


def test_every_page_of_the_workbench_has_its_head_and_its_header(tmp_path):
    done, packed = pack(tmp_path)
    assert done.returncode == 0, done.stderr
    pages = len([*(ROOT / "web").glob("bench-*.html"), ROOT / "web/workbench.html"])
    assert packed.count('<header class="top bench-top">') == pages == packed.count('<nav id="pages"')
    assert packed.count("<!doctype html>") == len(list((ROOT / "web").glob("*.html"))) - 1  # one of the two pages of the reference
    assert "<h1 class=\"unseen\">Air</h1>" in packed and "<!--" not in packed and "{up}" not in packed


@pytest.mark.parametrize("page, says", [
    ("<!-- bench-haed title=\"x\" up=\"\" -->", 'no piece "bench-haed"'),
    ("<!-- title title=\"x\" -->", 'needs up="..."'),
    ("<!-- title title=\"x\" up=\"\" home=\".\" -->", 'no {home} for home="..."'),
    ("<!-- title title='x' up='' -->", "a comment that is no piece: <!-- title title='x'"),
    ("<p><!-- begin --></p>", "a comment that is no piece"),
    ("<!-- a word to the reader -->", "a comment that is no piece: <!-- a word"),
])
def test_what_cannot_be_put_in_stops_the_build(tmp_path, page, says):
    done, packed = pack(tmp_path, index_html=page + "\n")
    assert done.returncode == 1 and packed is None
    assert done.stderr.startswith("pack_web.py: index.html: ") and says in done.stderr, done.stderr


def test_a_piece_that_is_a_part_of_itself_stops_the_build(tmp_path):
    done, _ = pack(tmp_path, pieces__begin_html="<!-- bench-end -->\n", pieces__bench_end_html="<!-- begin -->\n")
    assert done.returncode == 1 and 'there is no piece "begin"' in done.stderr, done.stderr
