"""tools/check_docs.py: a table is written in its place, and where there is no place it says so."""
import importlib.util
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("check_docs", ROOT / "tools/check_docs.py")
check_docs = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check_docs)

TABLE = ["| option | meaning |", "|---|---|", "| `--new` | it is new |"]
WRITTEN = "## dragoman do\n\nDoes it.\n\n{}\n\n```sh\ndragoman do\n```\n\n## dragoman else\n\nElse.\n"


@pytest.mark.parametrize("before", [
    "| option | default | |\n|---|---|---|\n| `--old` |  | it is old |\n\nAlso `--by`.",
    "| option | meaning |",
    "Also `--by`, `--why`.",
    None,
])
def test_a_table_takes_the_place_of_what_was_there_or_stands_behind_the_first_paragraph(before):
    text = WRITTEN.format(before) if before else WRITTEN.replace("{}\n\n", "")
    lines = [*TABLE, "", "Also `--why`."]
    assert check_docs.written(text, {"do": lines}) == WRITTEN.format("\n".join(lines))


def test_other_tables_of_the_section_stay():
    other = "## do\n\nText.\n\n| field | |\n|---|---|\n| `a` | b |\n\n"
    assert check_docs.written(other, {"do": TABLE}) == other.replace("Text.\n", "Text.\n\n" + "\n".join(TABLE) + "\n")


@pytest.mark.parametrize("text, says", [("## other\n\nText.\n", 'no heading "do"'), ("## do\n", 'no paragraph under "## do"')])
def test_a_table_without_a_place_is_an_error(text, says):
    with pytest.raises(SystemExit, match=says):
        check_docs.written(text, {"do": TABLE})


def test_documents_are_as_the_code_has_them():
    for name, text in check_docs.documents().items():
        assert text == check_docs.read(name), name
