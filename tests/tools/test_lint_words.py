"""tools/lint_words.py: a phrase that docs/style.md replaces is reported with its line, and code is left alone."""
import importlib.util
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("lint_words", ROOT / "tools/lint_words.py")
lint_words = importlib.util.module_from_spec(spec)
spec.loader.exec_module(lint_words)


def found(name, text):
    return [(line, phrase) for line, phrase, _ in lint_words.problems(name, text)]


@pytest.mark.parametrize("text, phrase", [
    ("First mend the file.", "mend"), ("A batch can be taken back.", "taken back"), ("Undo takes that back.", "takes that back"),
    ("It is made anew.", "anew"), ("Whoever asks is told.", "Whoever"), ("It is told to who asks.", "to who asks"),
    ("Here, who waits is told.", "who waits"), ("What it lacks is removed.", "What it lacks"), ("All but for one.", "but for"),
    ("It is no backup.", "is no backup"), ("A load is under way.", "under way"), ("Two at one time.", "at one time"),
    ("It is set aside.", "set aside"), ("The form is that of a list.", "that of"), ("It looks like a date that is none.", "that is none"),
])
def test_a_phrase_is_found_in_a_document_and_across_lines(text, phrase):
    assert found("docs/a.md", f"# Title\n\n{text}\n") == [(3, phrase)]
    assert found("docs/a.md", f"# Title\n\n{text}\n".replace(" ", "\n").replace("#\nTitle", "# Title"))[0][1] == phrase


@pytest.mark.parametrize("text", [
    "The curator who has the case decides.", "There is no backup.", "It is no longer valid.", "It is none of these.",
    "Amend the file. Take the backup.", "`is no backup`", "```\nwhoever asks\n```", "The set is aside."])
def test_plain_english_and_code_are_left_alone(text):
    assert found("docs/a.md", text + "\n") == []


def test_a_long_sentence_is_found_where_it_begins_and_a_link_counts_as_its_text():
    words = "word " * 34
    assert found("docs/a.md", f"One.\n{words}end.\n") == []
    assert found("docs/a.md", f"One.\n{words}[end](a.md#b).\n") == []
    assert found("docs/a.md", f"One.\n{words}and end.\n") == [(2, "word word word word …")]
    assert found("docs/a.md", f"* {words}\n* {words}\n\n| {words * 2} |\n") == []


def test_comments_and_strings_of_c_are_checked_and_code_is_not():
    text = '''/* src/a.h
 * It is no
 * backup. `anew` is a name. */
int anew(void); /**< Who asks. */
static const char *const words[] = { "anew", "made "
                                             "anew", "that 'is' \\"no\\" word" };
// Of a list.
char quote = '"'; /* mend */
static const char *const docs[] = { "what it is for", "what: expected a word", "only those", "who" };
'''
    assert found("src/a.h", text) == [(2, "is no backup"), (4, "Who"), (4, "Who asks"), (6, "anew"), (7, "Of"), (8, "mend"),
                                      (9, "what"), (9, "only those")]


def test_comments_of_a_script_are_checked_and_its_code_is_not():
    text = 'const a = "https://anew.example"; // made anew\n/** What it is. */\nconst b = t("anew");\n'
    assert found("web/a.js", text) == [(1, "anew"), (2, "What")]


def test_only_what_is_not_released_of_the_changelog_is_checked():
    text = "# Changelog\n\n## [Unreleased]\n\n- Made anew.\n\n## [1.0.0]\n\n- Made anew.\n"
    assert found("CHANGELOG.md", text) == [(5, "anew")]


def test_pages_and_the_english_of_translations_are_checked():
    assert found("web/a.html", '<p title="anew">Whoever\n<code>is no word</code> asks</p>\n') == [(1, "Whoever")]
    assert found("web/lang-xx.json", '{\n "ok": "anew",\n "Taken back": {\n  "one": "x"\n }\n}\n') == [(3, "Taken back")]


def test_a_hit_is_reported_with_its_replacement_and_fails(tmp_path, monkeypatch, capsys):
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / "README.md").write_text("Fine.\n")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text("Fine.\n\nDo it\nanew.\n")
    subprocess.run(["git", "-C", tmp_path, "add", "."], check=True)
    monkeypatch.setattr(lint_words, "TOP", tmp_path)
    monkeypatch.setattr(sys, "argv", ["lint_words.py"])
    assert lint_words.main() and capsys.readouterr().err == 'docs/a.md:4: "anew": write again, from the start, or "new"\n'
    monkeypatch.setattr(sys, "argv", ["lint_words.py", "README.md"])
    assert not lint_words.main() and capsys.readouterr().err == ""
