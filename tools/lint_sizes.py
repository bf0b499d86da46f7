#!/usr/bin/python3
"""Fail where src/ is larger than CONTRIBUTING.md allows: lines of a function and of a file; and where a line of C or of web/*.js is too
wide. --print adds the figures. Whether a function is one thing and a file one subject is for a reader to judge.
clang-format has settled that a body stands between a { and a } in the first column."""
import pathlib
import re
import statistics
import sys

FUNCTION, FILE = 80, 900
COLUMNS, TAB = {"c": 112, "h": 112, "js": 140}, 8  # by suffix; a tab is as wide as .clang-format says
C = ("src", "synth", "bench", "tests")  # folders whose lines are measured
TOP = pathlib.Path(__file__).resolve().parent.parent
BODY = re.compile(r"^(\w[^;{}]*?\b(\w+)\([^;{}]*\))\n\{\n(.*?)^\}", re.MULTILINE | re.DOTALL)


def too_large(print_figures):
    lengths, files = [], 0
    for path in sorted((TOP / "src").rglob("*.[ch]")):
        text, name = path.read_text(encoding="utf-8"), path.relative_to(TOP)
        files += 1
        if (lines := text.count("\n")) > FILE:
            yield f"{name}: {lines} lines; the limit is {FILE}"
        for whole in BODY.finditer(text):
            lengths.append(lines := whole[0].count("\n") + 1)  # with the signature
            if lines > FUNCTION:
                yield f"{name}: {whole[2]}() has {lines} lines; the limit is {FUNCTION}"
    if print_figures:
        print(f"{files} files, {len(lengths)} functions, median {statistics.median(lengths):.0f} lines, longest {max(lengths)}")


def wide_lines():
    for path in sorted([*(TOP / "web").glob("*.js"), *(p for top in C for p in (TOP / top).rglob("*.[ch]"))]):
        most = COLUMNS[path.suffix[1:]]
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if (width := len(line.expandtabs(TAB))) > most:
                yield f"{path.relative_to(TOP)}:{number}: {width} columns; the limit is {most}"


failed = [*too_large("--print" in sys.argv), *wide_lines()]
print("\n".join(failed), end="\n" if failed else "", file=sys.stderr)
sys.exit(1 if failed else 0)
