"""tools/check_docs.py: a table is written in its place, and where there is no place it says so."""
import importlib.util
import pathlib
import shutil
import subprocess

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


def test_a_row_without_its_table_is_an_error():
    whole = "Text.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n"
    assert list(check_docs.cut_tables("a.md", whole)) == []
    assert list(check_docs.cut_tables("a.md", whole.replace("| 3", "\n| 3"))) == ["a.md: a table is cut before | 3 | 4 |"]


MADE = check_docs.option_tables()["serve"]


@pytest.mark.parametrize("pages, says", [
    ({"docs/a.md": "word " * 6000}, None),
    ({"docs/a.md": "word " * 6001}, "docs/a.md: 6001 words"),
    ({"docs/a.md": "word\n" * 6000 + "\n".join(MADE)}, None),
])
def test_pages_have_as_many_words_as_they_may(pages, says):
    found = list(check_docs.lengths(pages))
    assert len(found) == (says is not None) and (says is None or says in found[0]), found


@pytest.mark.parametrize("text, value", [("65535", 65535), ("1 << 20", 1 << 20), ("(UINT64_C(2) << 30)", 2 << 30), ("((size_t)8 << 20)", 8 << 20), ("(DRG_A << 2)", 12)])
def test_a_constant_is_read_from_the_source(text, value):
    assert check_docs.value_of(text, {"DRG_A": 3}) == value


def test_a_limit_has_the_value_of_its_constant_and_needs_one():
    page = "## Options of serve\n\nText.\n\n## Rest\n\n| suppliers | 7 | refused | `{}` |\n"
    assert "| suppliers | 65,535 | refused | `DRG_ADAPTERS_MAX` |" in check_docs.with_limits(page.format("DRG_ADAPTERS_MAX"))
    with pytest.raises(SystemExit, match="no constant DRG_NONE"):
        check_docs.with_limits(page.format("DRG_NONE"))


@pytest.mark.parametrize("message, missing", [("port … of … is taken by another program", 0), ("port … of … is taken by a cat", 1)])
def test_a_message_of_the_page_is_one_of_the_program(monkeypatch, message, missing):
    monkeypatch.setattr(check_docs, "messages", lambda: [message])
    assert len(list(check_docs.messages_there())) == missing


def test_documents_are_as_the_code_has_them():
    for name, text in check_docs.documents().items():
        assert text == check_docs.read(name), name


def test_the_completion_is_that_of_the_table():
    """As bash runs it."""
    script = subprocess.run([ROOT / "tools/make_man.py", "completion", "0"], check=True, capture_output=True, text=True).stdout
    script += 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _dragoman; echo "${COMPREPLY[@]}"\n'
    for words, found in ((["ke"], "key"), (["key", "ro"], "rotate"), (["key", "create", "--ro"], "--role"), (["match", "queue", "--re"], "--reason"),
                         (["match", "--pre"], "--precision"), (["serve", "--log-level", "w"], "warning"), (["help", "conf"], "config")):
        assert subprocess.run(["bash", "-s", "dragoman", *words], input=script, check=True, capture_output=True, text=True).stdout == f"{found}\n", words


@pytest.mark.skipif(shutil.which("scdoc") is None, reason="there is no scdoc (tools/install-deps install)")
def test_the_manual_has_every_option_and_setting():
    page, settings = (subprocess.run([ROOT / "tools/make_man.py", name, "0", "scdoc"], check=True, capture_output=True, text=True).stdout.replace("\\", "")
                      for name in ("dragoman.1", "dragoman.conf.5"))
    for command in check_docs.commands()[0]:
        assert f".SS {command.name}" in page
        for option in command.options:
            assert option.name == "config" or f"fB--{option.name}fR" in page, option.name
            assert option.name == "config" or f"fB{option.setting(command.name)}fR" in settings, option.setting(command.name)
