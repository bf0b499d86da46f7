#!/usr/bin/python3
"""Write the numbered migrations of a store as a C table: embed_sql.py PREFIX OUT.c FILE.sql...

A migration is named NNNN_what.sql; their numbers run from 1 without a gap.
"""
import pathlib
import sys


def c_string(line: str) -> str:
    return '"' + line.replace("\\", "\\\\").replace('"', '\\"') + '\\n"'


def main():
    prefix, out, *files = sys.argv[1:]
    rows = []
    for number, path in enumerate(sorted(map(pathlib.Path, files), key=lambda p: p.name), 1):
        given, _, name = path.stem.partition("_")
        if int(given) != number:
            sys.exit(f"{path}: expected migration {number:04d}")
        sql = "\n\t  ".join(map(c_string, path.read_text(encoding="utf-8").splitlines()))
        rows.append(f'\t{{ {number}, "{name}",\n\t  {sql} }},\n')
    pathlib.Path(out).write_text(
        f'/* Made by tools/embed_sql.py. */\n#include "store/migration.h"\n\n'
        f"const struct drg_migration {prefix}_migrations[] = {{\n{''.join(rows)}}};\n"
        f"const unsigned {prefix}_n_migrations = {len(rows)};\n", encoding="utf-8")


if __name__ == "__main__":
    main()
