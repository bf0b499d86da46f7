#!/usr/bin/env python3
"""What one file of src/ gives to the others is used by another.

Reads with nm the objects of the program in a built tree: a symbol drg_* that one defines and no other refers to is
nobody's, or only its own file's (then it is static), or only the tests' (then it belongs there), or stands below.

Usage: tools/lint_unused.py BUILD"""

import json
import pathlib
import subprocess
import sys

# Symbol: why it stays without a user.
EXCEPTIONS = {
    "drg_body_parse_fields": "a fuzz target reads bodies with attributes of its own",
    "drg_catalog_epoch": "of what history a catalog is, beside drg_catalog_seq(); only tests ask the catalog",
    "drg_clock_set_fixed": "the clock of unit tests",
    "drg_worker_is_due": "the simulation",
    "drg_worker_make_step": "the simulation",
    "drg_worker_step_by_hand": "the simulation",
    "drg_conn_answer_deadline": "tested by itself: how long a client may read an answer",
    "drg_jaro_winkler": "tested by itself; the likeness of tokens in its file uses it",
    "drg_langs_find": "tested by itself: what the table holds when it is full",
    "drg_record_eq": "what tests and fuzz targets compare records with",
    "drg_scorecard_places": "a scorecard that hotels do not use yet; held to the model by tests/unit/match",
    "drg_synth_base_index": "tested by itself",
    "drg_synth_cyrillic": "tested by itself",
}


def objects(build):
    commands = json.loads((build / "compile_commands.json").read_text())
    return [str(build / c["output"]) for c in commands if c["output"].startswith(("src/", "dragoman.p/", "synth/", "dragoman-synth.p/"))]


def symbols(paths):
    """Yields (object, letter of nm, name)."""
    out = subprocess.run(["nm", "-A", *paths], check=True, capture_output=True, text=True).stdout
    for line in out.splitlines():
        path, rest = line.split(":", 1)
        yield path, *rest.split()[-2:]


def unused(build):
    defined, used = {}, set()
    for path, letter, name in symbols(objects(build)):
        if letter == "U":
            used.add(name)
        elif letter.isupper() and name.startswith("drg_"):
            defined[name] = path
    return {name: path for name, path in defined.items() if name not in used}


def main():
    found = unused(pathlib.Path(sys.argv[1]))
    wrong = [f"{path}: {name} is used by no other file" for name, path in sorted(found.items()) if name not in EXCEPTIONS]
    wrong += [f"tools/lint_unused.py: {name} is used, or gone: no exception" for name in EXCEPTIONS if name not in found]
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
