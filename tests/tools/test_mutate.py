"""tools/mutate: which slips it makes of a line, and which lines it leaves alone."""
import importlib.machinery
import importlib.util
import pathlib
import re
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def mutate():
    sys.path.insert(0, str(ROOT / "tools"))
    loader = importlib.machinery.SourceFileLoader("mutate", str(ROOT / "tools" / "mutate"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutate", loader))
    loader.exec_module(module)
    return module


def slips(mutate, line):
    hidden = mutate.HIDDEN.sub(lambda found: " " * len(found.group()), line)
    return list(mutate.slips(line, hidden.rstrip()))


@pytest.mark.parametrize("line, expected", [
    ("\tif (n < max) {", ["\tif (n <= max) {", "\tif (!(n < max)) {"]),
    ("\twhile (a && !b)", ["\twhile (a || !b)", "\twhile (!(a && !b))"]),
    ("\tn += 2;", ["\tn -= 2;", "\tn += 3;", "\tn += 1;"]),
    ("\treturn 0;", ["\treturn 1;"]),
    ("\treturn rc;", ["\treturn DRG_OK;"]),
    ("\treturn DRG_OK;", ["\treturn DRG_EINVAL;"]),
    ("\tok = true; /* 3 < 4 */", ["\tok = false; /* 3 < 4 */"]),
    ('\twrite_name(p, "1 < 2");', ["\t;"]),
    ("\t\tx[n - 1] = y;", ["\t\tx[n + 1] = y;", "\t\tx[n - 2] = y;", "\t\tx[n - 0] = y;"]),
])
def test_what_becomes_of_a_line(mutate, line, expected):
    assert slips(mutate, line) == expected


@pytest.mark.parametrize("line", ["static int first(int n < 3)", "#define MAX 3", "\tassert(n < 3);", "\tchar name[16];", "\tcase 3:",
                                  "\t.limit = 3,", "\tfree(p);", "\tdrg_err_done(&e);", "\t/* n < 3 */", "\tx = p;", "\tn = 0x1f;"])
def test_lines_that_are_left_alone(mutate, line):
    assert not slips(mutate, line)


def test_each_reason_is_about_a_line_that_is_there(mutate):
    """One that is not may go."""
    lines = [line for line in mutate.SURVIVORS.read_text("utf-8").splitlines() if line.startswith("- ")]
    assert len(mutate.reasons()) == len(lines) > 0
    for words in mutate.reasons():
        file, before = re.match(r"`(.*)`: `(.*)` became `", words).groups()
        assert before in map(str.strip, (ROOT / file).read_text("utf-8").splitlines()), words
