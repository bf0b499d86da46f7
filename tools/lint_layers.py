#!/usr/bin/python3
"""Fail on an include that runs against the one-way order of the folders of src/ (docs/architecture.md)."""
import pathlib
import re
import sys

LEVELS = {
    "base": 0,
    "text": 1,
    "http": 2, "model": 2, "sheet": 2, "console": 2,
    "store": 3, "catalog": 3, "match": 3,
    "names": 4, "decide": 4, "admin": 4, "server": 4, "access": 4,
    "matching": 5, "import": 5, "reconcile": 5,
    "load": 6,
    "api": 7,
    "accounts": 8, "openapi": 8, "workbench": 8,
    "cli": 9,
}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def on_one_branch(a: pathlib.Path, b: pathlib.Path):
    return a.parent in b.parents or b.parent in a.parents


def problems(src: pathlib.Path):
    for path in sorted(src.rglob("*.[ch]")):
        room = path.relative_to(src).parts[0]
        if room not in LEVELS:
            yield f"{path}: folder {room}/ is not in the order; give it a level in tools/lint_layers.py"
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            found = INCLUDE.match(line)
            if not found:
                continue
            target = found.group(1)
            other = target.split("/")[0]
            if "/" not in target or other not in LEVELS:
                yield f"{path}:{number}: \"{target}\": write includes as \"folder/file.h\", from src/"
            elif not (src / target).is_file():
                yield f"{path}:{number}: \"{target}\" does not exist"
            elif target.endswith("_priv.h") and not on_one_branch(path, src / target):
                yield f"{path}:{number}: \"{target}\" is for the files of its own folder"
            elif other != room and LEVELS[other] >= LEVELS[room]:
                yield (f"{path}:{number}: {room}/ (level {LEVELS[room]}) must not include "
                       f"{other}/ (level {LEVELS[other]})")


def main():
    src = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "src")
    found = list(problems(src))
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
