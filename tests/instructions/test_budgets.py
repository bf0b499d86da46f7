"""Compares the instructions of each request, counted by bench/instructions.py, with its budget.

A budget is the count on Debian 12 (gcc 12, x86-64 with AVX2) plus 5 %. With other compilers, which generate other instructions, the test
only prints the figures. If you make a request cheaper, lower its budget, and the figure in docs/performance.md."""
import os
import pathlib
import re
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "bench"))
import instructions  # noqa: E402

PROGRAM = pathlib.Path(os.environ.get("DRG_BIN", ROOT / "build" / "dragoman"))
MORE = 0.05
COUNTED = {
    "hotelCheck, the key alone": 9_100,
    "hotelCheck, Accept, Accept-Encoding, Origin": 10_470,
    "hotelCheck, a browser's headers": 11_490,
    "main-references, 304": 11_050,
    "main-references, 304, a browser's headers": 13_580,
    "a hotel list of about 281 kB": 12_670,
}


def is_budgeted():
    """True if the program was built with the compiler of the budgets, and the processor has AVX2, which the C library uses."""
    made_by = PROGRAM.read_bytes()
    flags = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    return re.search(rb"GCC: \(Debian 12\.", made_by) and b"clang version" not in made_by and re.search(r"^flags\b.*\bavx2\b", flags, re.M)


@pytest.fixture(scope="module")
def counts():
    return instructions.count(PROGRAM)


@pytest.mark.parametrize("request_name", COUNTED)
def test_a_request_keeps_its_budget(counts, request_name):
    budget, count = COUNTED[request_name] * (1 + MORE), counts[request_name]
    print(f"\n{request_name}: {count:,.0f} instructions, budget {budget:,.0f}{'' if is_budgeted() else ' (another compiler or processor)'}")
    assert count <= budget or not is_budgeted()


def test_each_counted_request_has_a_budget(counts):
    assert set(counts) == set(COUNTED)
