#!/usr/bin/python3
"""Fail where two files of src/ define a struct, enum or union of one tag: a debugger, ctags and a reader take one for the
other."""
import collections
import pathlib
import re
import sys

DEFINED = re.compile(r"^[ \t]*(?:static const |static |const |typedef )?((?:struct|enum|union) \w+) *\{", re.MULTILINE)


# What store.h leaves to each engine.
OF_ENGINES = {"struct drg_store", "struct drg_txn"}


def main():
    src = pathlib.Path(__file__).resolve().parent.parent / "src"
    places = collections.defaultdict(set)
    for path in sorted(src.rglob("*.[ch]")):
        for tag in DEFINED.findall(path.read_text(encoding="utf-8")):
            places[tag].add(str(path.relative_to(src.parent)))
    wrong = {tag: files for tag, files in places.items() if len(files) > 1 and tag not in OF_ENGINES}
    for tag, files in sorted(wrong.items()):
        print(f"{tag} is defined in {', '.join(sorted(files))}: give one of them its subject", file=sys.stderr)
    return 1 if wrong else 0


sys.exit(main())
