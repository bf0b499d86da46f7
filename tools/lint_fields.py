#!/usr/bin/python3
"""A field's number carries its record type (src/model/model.h), so it is not an index and not a number of bits to shift by.

The compiler finds a constant as a wrong index. This finds variables of type enum drg_field."""
import pathlib
import re
import sys

DECLARED = re.compile(r"\benum drg_field \*?([\w\[\], ]+)")
ALWAYS = {"field"}  # of struct drg_field_def
OWN = {"src/model/record.h", "src/model/model.h"}


def variables(text):
    """Names of variables, parameters and members that are field numbers; of a list of parameters, only the first is one."""
    names = set(ALWAYS)
    for declared in DECLARED.findall(text):
        for part in declared.split(","):
            if not (name := re.fullmatch(r"\s*(\w+)\s*(\[\w*\])?\s*", part)):
                break
            names.add(name[1])
    return "|".join(sorted(names))


root = pathlib.Path(__file__).resolve().parent.parent
failed = False
for path in sorted(path for folder in ("src", "synth", "bench", "tests") for path in (root / folder).rglob("*.[ch]")):
    name, text = str(path.relative_to(root)), path.read_text()
    if name in OWN:
        continue
    number = rf"(?:[\w.\[\]]|->)*\b(?:{variables(text)})\b(?:\[\w+\])?"
    wrong = re.compile(rf"(?:->|\.)v\[{number}\]|<<\s*{number}(?!\()|\bfields\[{number}\]")
    for line, code in enumerate(text.splitlines(), 1):
        if wrong.search(code):
            print(f"{name}:{line}: {code.strip()}: use the functions of model/record.h, drg_field_index() or drg_field_bit()")
            failed = True
sys.exit(failed)
