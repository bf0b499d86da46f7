#!/usr/bin/python3
"""Fail where two files of src/ define a struct, enum or union of one tag: a debugger, ctags and a reader take one for the
other. And where a comment says twice what is returned, or what one parameter is."""
import collections
import pathlib
import re
import sys

DEFINED = re.compile(r"^[ \t]*(?:static const |static |const |typedef )?((?:struct|enum|union) \w+) *\{", re.MULTILINE)


COMMENT = re.compile(r"/\*\*.*?\*/", re.DOTALL)
DOCUMENTED = re.compile(r"@(?:return|param\s+(?:\*\s+)?\w+)")

# What store.h leaves to each engine.
OF_ENGINES = {"struct drg_store", "struct drg_txn"}


def main():
    src = pathlib.Path(__file__).resolve().parent.parent / "src"
    places = collections.defaultdict(set)
    doubled = 0
    for path in sorted(src.rglob("*.[ch]")):
        text = path.read_text(encoding="utf-8")
        for tag in DEFINED.findall(text):
            places[tag].add(str(path.relative_to(src.parent)))
        for comment in COMMENT.finditer(text):
            said = collections.Counter(DOCUMENTED.findall(comment[0]))
            for what in (w for w, n in said.items() if n > 1):
                doubled += 1
                line = text.count("\n", 0, comment.start()) + 1
                print(f"{path.relative_to(src.parent)}:{line}: {what} is documented twice", file=sys.stderr)
    wrong = {tag: files for tag, files in places.items() if len(files) > 1 and tag not in OF_ENGINES}
    for tag, files in sorted(wrong.items()):
        print(f"{tag} is defined in {', '.join(sorted(files))}: give one of them its subject", file=sys.stderr)
    return 1 if wrong or doubled else 0


sys.exit(main())
