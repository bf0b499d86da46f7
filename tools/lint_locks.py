#!/usr/bin/python3
"""Fail where tools/locks.md and the locks of src/ differ: a lock is a mutex, read-write lock or
spin lock that somebody declares, and that of a worker (src/base/worker.h), which is its user's too."""
import collections
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
DECLARED = re.compile(r"^\s*(?:static )?(pthread_(?:mutex|rwlock|spinlock)_t|struct drg_worker)\s+(\w+)( = \w+)?;", re.MULTILINE)
ROW = re.compile(r"^\| `([\w/]+\.[ch])` (worker|`\w+`) \|", re.MULTILINE)


def declared():
    for path in sorted((TOP / "src").rglob("*.[ch]")):
        for type_, name, _ in DECLARED.findall(path.read_text(encoding="utf-8")):
            yield str(path.relative_to(TOP / "src")), "worker" if type_ == "struct drg_worker" else f"`{name}`"


def main():
    code = collections.Counter(declared())
    rows = collections.Counter(ROW.findall((TOP / "tools/locks.md").read_text(encoding="utf-8")))
    for what, who in (code - rows, "has no row"), (rows - code, "has a row, and is not in src/"):
        for file, name in sorted(what):
            print(f"tools/locks.md: {file} {name} {who}", file=sys.stderr)
    return 1 if code != rows or not code else 0


sys.exit(main())
