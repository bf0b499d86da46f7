#!/usr/bin/python3
"""Fail where src/ outgrows what CONTRIBUTING.md says: lines of a function and of a folder, and functions that share their name
with one of another file; and where a line of web/*.js is longer than it says. With --print the figures. clang-format has settled that a body stands between a { and a } in the
first column."""
import collections
import pathlib
import re
import statistics
import sys

FUNCTION, MEDIAN, FOLDER, SHARED = 50, 10, 6000, 0.05
COLUMNS = 140  # of web/*.js; .clang-format has those of C
TOP = pathlib.Path(__file__).resolve().parent.parent
BODY = re.compile(r"^(\w[^;{}]*?\b(\w+)\([^;{}]*\))\n\{\n(.*?)^\}", re.MULTILINE | re.DOTALL)


def functions():
    """(file, name, lines) of each, its signature counted."""
    for path in sorted((TOP / "src").rglob("*.[ch]")):
        for whole in BODY.finditer(path.read_text(encoding="utf-8")):
            yield path.relative_to(TOP), whole[2], whole[0].count("\n") + 1


def folders():
    sizes = collections.Counter()
    for path in (TOP / "src").rglob("*.[ch]"):
        sizes[path.parent.relative_to(TOP)] += path.read_text(encoding="utf-8").count("\n")
    return sizes


def problems(found, sizes, shared, share):
    for path, name, lines in found:
        if lines > FUNCTION:
            yield f"{path}: {name}() has {lines} lines, {FUNCTION} are the most"
    if (median := statistics.median(lines for _, _, lines in found)) > MEDIAN:
        yield f"src: half of the functions have more than {median} lines, {MEDIAN} are the most"
    for folder, lines in sizes.items():
        if lines > FOLDER:
            yield f"{folder}: {lines} lines, {FOLDER} are the most: what belongs together gets a folder inside it"
    if share > SHARED:
        yield f"src: {share:.1%} of the functions have the name of one in another file: {', '.join(sorted(shared))}"


def wide_lines():
    for path in sorted((TOP / "web").glob("*.js")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if len(line) > COLUMNS:
                yield f"{path.relative_to(TOP)}:{number}: {len(line)} columns, {COLUMNS} are the most"


def main():
    found, sizes, files = list(functions()), folders(), collections.defaultdict(set)
    for path, name, _ in found:
        files[name].add(path)
    shared = {name for name, where in files.items() if len(where) > 1}
    share = sum(name in shared for _, name, _ in found) / len(found)
    if "--print" in sys.argv:
        lines = sorted(n for _, _, n in found)
        print(f"{len(found)} functions, median {statistics.median(lines):.0f} lines, longest {lines[-1]}; "
              f"{share:.1%} share a name; the largest folder: {max(sizes.items(), key=lambda x: x[1])}")
    failed = [*problems(found, sizes, shared, share), *wide_lines()]
    print("\n".join(failed), end="\n" if failed else "", file=sys.stderr)
    return 1 if failed else 0


sys.exit(main())
