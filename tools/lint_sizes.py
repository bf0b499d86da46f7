#!/usr/bin/python3
"""Fail where src/ outgrows what CONTRIBUTING.md says: lines of a function, a file and a folder, functions that share their name with one
of another file or only forward (tools/forwarders.py), and too few asserts; and where a line of C or of web/*.js is wider than it says. With
--print the figures. clang-format has settled that a body stands between a { and a } in the first column."""
import collections
import pathlib
import re
import statistics
import sys

import forwarders

FUNCTION, MEDIAN, FILE, FOLDER, TREE, SHARED = 50, 10, 450, 6000, 10000, 0.015
FORWARDERS, ASSERTS = 108, 5.8  # at most so many; at least so many in 1,000 lines
# Folders with what is in them, and files, that are larger. What stands here shrinks, and none is added.
LARGER = {"src/store": 10540}
COLUMNS, TAB = {"c": 112, "h": 112, "js": 140}, 8  # by suffix; a tab is as wide as .clang-format says
C = ("src", "synth", "bench", "tests")  # folders whose lines are measured
ASSERT = re.compile(r"(?<!\w)assert\(")
TOP = pathlib.Path(__file__).resolve().parent.parent
BODY = re.compile(r"^(\w[^;{}]*?\b(\w+)\([^;{}]*\))\n\{\n(.*?)^\}", re.MULTILINE | re.DOTALL)


def functions():
    """(file, name, lines) of each, its signature counted."""
    for path in sorted((TOP / "src").rglob("*.[ch]")):
        for whole in BODY.finditer(path.read_text(encoding="utf-8")):
            yield path.relative_to(TOP), whole[2], whole[0].count("\n") + 1


def measure():
    """(lines by folder without its folders, by folder with them and by file; asserts in 1,000 lines)"""
    own, whole, asserts = collections.Counter(), collections.Counter(), 0
    for path in (TOP / "src").rglob("*.[ch]"):
        text, name = path.read_text(encoding="utf-8"), path.relative_to(TOP)
        own[str(name.parent)] += text.count("\n")
        for part in (name, *name.parents[:-1]):
            whole[str(part)] += text.count("\n")
        asserts += len(ASSERT.findall(text))
    return own, whole, asserts * 1000 / whole.pop("src")


def too_large(own, whole):
    for folder, lines in own.items():
        if lines > FOLDER:
            yield f"{folder}: {lines} lines, {FOLDER} are the most: what belongs together gets a folder inside it"
    for name, lines in whole.items():
        most = LARGER.get(name, FILE if pathlib.PurePath(name).suffix else TREE)
        if lines > most:
            yield f"{name}: {lines} lines, with what is in it; {most} are the most"


def problems(found, shared, share, asserts, forwarding):
    for path, name, lines in found:
        if lines > FUNCTION:
            yield f"{path}: {name}() has {lines} lines, {FUNCTION} are the most"
    if (median := statistics.median(lines for _, _, lines in found)) > MEDIAN:
        yield f"src: half of the functions have more than {median} lines, {MEDIAN} are the most"
    if share > SHARED:
        yield f"src: {share:.1%} of the functions have the name of one in another file: {', '.join(sorted(shared))}"
    if asserts < ASSERTS:
        yield f"src: {asserts:.2f} asserts in 1,000 lines, {ASSERTS} are the fewest"
    if forwarding > FORWARDERS:
        yield f"src: {forwarding} functions only call another one, {FORWARDERS} are the most: 'tools/forwarders.py --all' lists them"


def wide_lines():
    for path in sorted([*(TOP / "web").glob("*.js"), *(p for top in C for p in (TOP / top).rglob("*.[ch]"))]):
        most = COLUMNS[path.suffix[1:]]
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if (width := len(line.expandtabs(TAB))) > most:
                yield f"{path.relative_to(TOP)}:{number}: {width} columns, {most} are the most"


def main():
    found, files = list(functions()), collections.defaultdict(set)
    own, whole, asserts = measure()
    forwarding = len(list(forwarders.forwarders(every=True)))
    for path, name, _ in found:
        files[name].add(path)
    shared = {name for name, where in files.items() if len(where) > 1}
    share = sum(name in shared for _, name, _ in found) / len(found)
    if "--print" in sys.argv:
        lines = sorted(n for _, _, n in found)
        print(f"{len(found)} functions, median {statistics.median(lines):.0f} lines, longest {lines[-1]}; "
              f"{share:.1%} share a name, {forwarding} only forward; {asserts:.2f} asserts in 1,000 lines; "
              f"the largest folders: {own.most_common(2)}, {[x for x in whole.most_common(9) if '.' not in x[0]][:3]} with what is in them")
    failed = [*problems(found, shared, share, asserts, forwarding), *too_large(own, whole), *wide_lines()]
    print("\n".join(failed), end="\n" if failed else "", file=sys.stderr)
    return 1 if failed else 0


sys.exit(main())
