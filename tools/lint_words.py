#!/usr/bin/python3
"""Fail where a text uses a phrase that docs/style.md replaces: `file:line: "phrase": write …`.
tools/lint_words.py [FILE...]: only these files.

Checked: documents without their code, CHANGELOG.md down to its newest release, the English texts of web/ (the keys of its
translations), comments in C and JavaScript, and strings in C with more than one word. A rule belongs here if every match is a mistake."""
import json
import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
FILES = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "docs/*.md", "packaging/*.md", "web/*.html", "web/*.js", "web/lang-*.json",
         "src/*.[ch]", "synth/*.[ch]"]
LONGEST = 35  # words of a sentence in a document
VERBS = "asks|comes|decides|has|is|knows|looks|opens|reads|sees|sends|wants|waits|was|works|writes"
#: a phrase that begins with a word, and what to write
PHRASES = [
    (r"mend(s|ed|ing)?\b", "fix"),
    (r"(tak(e|es|ing|en)|took)( \w+){0,2} back\b", "undo"),
    (r"anew\b", 'again, from the start, or "new"'),
    (r"whoever\b", "the noun: the client, the caller"),
    (rf"(?<!\w )who ({VERBS})\b|(of|to|by|or|as|at|is|if|for|and|but|are|was|not|with|that|from|than|what|when) who ({VERBS})\b",
     "the noun: the client, the caller, the curator"),
    (r"what (it|they|he) lacks?\b", "what is missing: name it"),
    (r"but for\b", "except"),
    (r"(?<!there )(is|are|was|were) no (?!longer\b|more\b|other\b|such\b|different\b|better\b)\w+", "is not a …"),
    (r"only so\b", "otherwise …, or: this way"),
    (r"to begin with\b", "at first"),
    (r"under way\b", "in progress"),
    (r"at one time\b", "at the same time, at once"),
    (r"set(s|ting)? aside\b", "skip, quarantine, or keep"),
    (r"(is|was|are|were|being) set back\b", "restored to an earlier state"),
    (r"what (became|becomes|has become) of\b", "the result, the changes, the history: name it"),
    (r"(that|which|it) (is|are) none\b(?! of)", "that is not a …"),
    (r"in vain\b", "without a result"),
    (r"(in|takes?|took|taken) the place of\b", "replace, instead of"),
]
DOCUMENT = [(r"that of\b", "the noun again"), (r"those of\b", "the noun again")]
STRINGS = [(r"only (what|those)\b", "only and the noun")]
#: what a comment and a string do not begin with
COMMENT = re.compile(r"(Of|What|Who|Whose|Whom|Those|Which|Where|One that)\b")
STRING = re.compile(r'"(what|who|whose|whom|those)\b(?!:)', re.IGNORECASE)
#: file -> why no rule applies
ALLOWED = {"docs/style.md": "its table names the phrases"}
NOUN = 'an imperative for a function, a noun phrase for a value, "True if" for a condition'
QUOTED = r'"(?:[^"\\\n]|\\.)*"'
TOKENS = re.compile(rf"/\*(?P<block>.*?)\*/|//(?P<line>[^\n]*)|(?P<text>{QUOTED}(?:\s*{QUOTED})*)|'(?:[^'\\\n]|\\.)+'", re.DOTALL)


def spaces(match):
    """As long as it was, in as many lines, so that each offset stays."""
    return re.sub(r"[^\n]", " ", match[0])


def code(match):
    """Likewise, with a sign that is part of no word."""
    return "¤" + spaces(match)[1:]


def phrases(text, rules):
    """@yield (offset, phrase, what to write); a line break counts as a space"""
    runs = list(re.finditer(r"\s+|\S", text))
    line = "".join(" " if run[0].isspace() else run[0] for run in runs)
    for pattern, instead in rules:
        for found in re.finditer(rf"\b(?:{pattern})", line, re.IGNORECASE):
            yield runs[found.start()].start(), found[0], instead


def long_sentences(text):
    """@yield the same; tables and headings have no sentences"""
    text = re.sub(r"^[|#].*$", lambda m: " " * len(m[0]), text, flags=re.MULTILINE)
    start = 0
    for end in re.finditer(r"\n\s*\n|\n\s*(?:[-*]|\d+\.)\s|(?<=[.!?:])[*)\"]*\s+|\Z", text):
        sentence = text[start:end.start()]
        if (words := len(re.findall(r"\S*[\w¤]\S*", sentence))) > LONGEST:
            beginning = " ".join(sentence.split()[:4]) + " …"
            yield start + len(sentence) - len(sentence.lstrip()), beginning, f"at most {LONGEST} words in a sentence, not {words}"
        start = end.end()


def in_document(text):
    text = re.sub(r"^```.*?^```", code, text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"(`+)[^`]+?\1|<!--.*?-->", code, text, flags=re.DOTALL)
    yield from phrases(text, PHRASES + DOCUMENT)
    yield from long_sentences(re.sub(r"\]\([^)\s]*\)", spaces, text))


def in_changelog(text):
    released = re.search(r"^## \[\d", text, re.MULTILINE)
    return in_document(text[:released.start()] if released else text)


def in_c(text):
    for found in TOKENS.finditer(text):
        kind = found.lastgroup
        if kind is None or kind == "text" and " " not in found[0]:
            continue
        between = r'"\s*\n\s*"' if kind == "text" else r"^\s*\*(?=\s)"  # two literals of a string, two lines of a comment
        said = re.sub(r"`[^`]*`", code, re.sub(between, spaces, found[kind], flags=re.MULTILINE))
        for at, phrase, instead in phrases(said, PHRASES + STRINGS if kind == "text" else PHRASES):
            yield found.start(kind) + at, phrase, instead
        if first := STRING.match(said) if kind == "text" else COMMENT.match(said.lstrip("*<! \t\n")):
            yield found.start(), first[0].strip('"'), NOUN


def in_script(text):
    """Comments; its texts are in the translations."""
    for found in re.finditer(r"/\*(.*?)\*/|(?<![:\"'`\w])//([^\n]*)", text, re.DOTALL):
        said = re.sub(r"`[^`]*`", code, re.sub(r"^\s*\*(?=\s)", spaces, found[0], flags=re.MULTILINE))
        for at, phrase, instead in phrases(said, PHRASES):
            yield found.start() + at, phrase, instead
        if first := COMMENT.match(said.lstrip("/*<! \t\n")):
            yield found.start(), first[0], NOUN


def in_page(text):
    yield from phrases(re.sub(r"<code>.*?</code>|<[^>]*>", spaces, text, flags=re.DOTALL), PHRASES)


def in_translation(text):
    for key in json.loads(text):
        for _, phrase, instead in phrases(key, PHRASES):
            yield text.index(json.dumps(key, ensure_ascii=False)), phrase, instead


READERS = {".c": in_c, ".h": in_c, ".html": in_page, ".js": in_script, ".json": in_translation, ".md": in_document}


def problems(name, text):
    """@yield (line, phrase, what to write)"""
    if name in ALLOWED:
        return
    reader = in_changelog if name == "CHANGELOG.md" else READERS[pathlib.PurePath(name).suffix]
    for at, phrase, instead in sorted(reader(text)):
        yield text.count("\n", 0, at) + 1, phrase, instead


def main():
    listed = subprocess.run(["git", "ls-files", *(sys.argv[1:] or FILES)], cwd=TOP, stdout=subprocess.PIPE, text=True, check=True)
    wrong = False
    for name in listed.stdout.split():
        if (TOP / name).exists():
            for line, phrase, instead in problems(name, (TOP / name).read_text("utf-8")):
                print(f'{name}:{line}: "{phrase}": write {instead}', file=sys.stderr)
                wrong = True
    return wrong


if __name__ == "__main__":
    sys.exit(main())
