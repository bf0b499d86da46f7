#!/usr/bin/env python3
"""What one file of src/ gives to the others is used by another.

A function or an object drg_* that one file defines and no other names is nobody's, or only its own file's (then it is
static), or only the tests' (then it belongs there), or stands below."""

import collections
import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
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


DEFINED = re.compile(r"^(?!static\b|typedef\b)[A-Za-z_][\w \*]*[ \*](drg_\w+)(?:\(|\[|\s*=)", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
NAME = re.compile(r"\bdrg_\w+")


def unused():
    """{name: file} of what a source file defines and neither another names, nor a header in a macro or an inline function."""
    listed = subprocess.run(["git", "ls-files", "src", "synth"], cwd=TOP, check=True, capture_output=True, text=True).stdout.split()
    texts = {name: COMMENT.sub("", (TOP / name).read_text("utf-8")) for name in listed if name.endswith((".c", ".h")) and (TOP / name).exists()}
    defined, users = {}, collections.defaultdict(set)
    for path, text in texts.items():
        if path.endswith(".c"):
            defined.update(dict.fromkeys(DEFINED.findall(text), path))
        else:  # a declaration begins its line
            text = "\n".join(line for line in text.split("\n") if line[:1] in ("\t", " ", "#"))
        for name in NAME.findall(text):
            users[name].add(path)
    return {name: path for name, path in defined.items() if users[name] <= {path}}


def main():
    found = unused()
    wrong = [f"{path}: {name} is used by no other file" for name, path in sorted(found.items()) if name not in EXCEPTIONS]
    wrong += [f"tools/lint_unused.py: {name} is used, or gone: no exception" for name in EXCEPTIONS if name not in found]
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
