#!/usr/bin/python3
"""What a hostile workbook costs: each part filled to 1 MB with what was once quadratic, or could be, and read by `dragoman load --dry-run`.
The bound is CPU seconds of the whole command. tests/unit/sheet/test_steps.c counts steps of the same parts.

bench/workbooks.py BUILD_DIR
"""
import resource
import subprocess
import sys
import zipfile

import common

PART = 1_000_000
BOUND = 2
SHEETS = 256
HEADER = "<row><c t='inlineStr'><is><t>Code</t></is></c><c t='inlineStr'><is><t>Name</t></is></c></row>"
#: name of a part: its path, what is before and after, what it usually holds
PARTS = {
    "cells": ("xl/worksheets/sheet1.xml", f"<worksheet><sheetData>{HEADER}", "<row><c><v>1</v></c><c><v>2</v></c></row>", "</sheetData></worksheet>"),
    "strings": ("xl/sharedStrings.xml", "<sst>", "", "</sst>"),
    "styles": ("xl/styles.xml", "<styleSheet>", "", "</styleSheet>"),
    "book": ("xl/workbook.xml", "<workbook>", "<sheet name='List' id='rId1'/>", "</workbook>"),
    "relations": ("xl/_rels/workbook.xml.rels", "<Relationships>", "<Relationship Id='rId1' Target='worksheets/sheet1.xml'/>",
                  "</Relationships>"),
}


def many(text, n=None):
    """So often, with its number for each #; without N as often as a part of 1 MB has room."""
    parts, size = [], 0
    while size < PART if n is None else len(parts) < n:
        parts.append(text.replace("#", str(len(parts))))
        size += len(parts[-1])
    return "".join(parts)


def books():
    yield "sheets and relations without ids", {"book": many("<sheet name='S#'/>", SHEETS), "relations": many("<Relationship/>")}
    yield "sheets and relations of one id", {"book": many("<sheet name='S#' id='r'/>", SHEETS), "relations": many("<Relationship Id='r'/>")}
    yield "relations", {"book": many("<sheet name='S#' id='r#'/>", SHEETS), "relations": many("<Relationship Id='r#' Target='s#.xml'/>")}
    yield "formats and styles", {"styles": many("<numFmt numFmtId='#' formatCode='yyyy'/>") + "<cellXfs>" + many("<xf numFmtId='9'/>") +
                                 "</cellXfs>"}
    yield "shared strings", {"strings": many("<si><t>a #</t><rPh><t>b</t></rPh></si>"), "cells": many("<row><c t='s'><v>#</v></c><c t='s'><v>1</v></c></row>")}
    yield "a long string in pieces", {"strings": "<si><t>" + many("&amp;#\n") + "</t></si>",
                                      "cells": many("<row><c t='s'><v>0</v></c><c t='s'><v>0</v></c></row>")}
    yield "attributes", {"cells": "<row><c " + many("a#='1' ") + "><v>1</v></c></row>"}
    yield "wide rows", {"cells": many("<row><c r='AAA1'><v>1</v></c></row>")}
    yield "columns of no order", {"cells": many("<row><c r='B1'><v>1</v></c><c r='A1'><v>2</v></c></row>")}


def cpu_of(d, path):
    """Of a look at it; it may be refused."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([d.binary, "load", "acme", path, "--kind", "hotel", "--dry-run", "--data", d.data], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    kept = True
    with common.folder() as folder:
        d = common.Dragoman(common.programs(sys.argv[1]) / "dragoman", folder / "data")
        d.run("supplier", "add", "acme", "--name", "Acme", "--create")
        for name, fills in books():
            path = folder / "list.xlsx"
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
                for part, (inner, before, usual, after) in PARTS.items():
                    book.writestr(inner, before + fills.get(part, usual) + after)
            kept &= common.verdict(f"a workbook of {name}, {path.stat().st_size:,} bytes: CPU seconds", cpu_of(d, path), BOUND)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
