#!/usr/bin/python3
"""Fail where a file of src/ names a kind of records (DRG_KIND_MEAL) and has no row in tools/kinds.md, or has a row and names none. The
table of kinds is src/model/kinds.h; src/model/ may name them."""
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
#: Not of one kind: how many there are, none, all that name others. A macro that pastes a name together names kinds, too.
NAMED = re.compile(r"\bDRG_KIND_(?!(?:COUNT|NONE|PARENTS|BIT|ENUM)\b)(?:[A-Z_]+\b|##)")
ROW = re.compile(r"^\| `([\w/]+\.[ch])` \| (.+) \|$", re.MULTILINE)


def problems(src, table):
    rows = dict(ROW.findall(table))
    naming = {str(path.relative_to(src)) for path in src.rglob("*.[ch]")
              if path.relative_to(src).parts[0] != "model" and NAMED.search(path.read_text(encoding="utf-8"))}
    for file in sorted(naming - set(rows)):
        yield f"src/{file}: names a kind; ask the table of kinds (src/model/kinds.h), or give the file a row with its reason in tools/kinds.md"
    for file in sorted(set(rows) - naming):
        yield f"tools/kinds.md: src/{file} has a row, and names no kind"
    if not rows:
        yield "tools/kinds.md: has no rows"


def main():
    top = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else TOP
    found = list(problems(top / "src", (top / "tools/kinds.md").read_text(encoding="utf-8")))
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
