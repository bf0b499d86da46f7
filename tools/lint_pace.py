#!/usr/bin/python3
"""Fail where a test depends on the machine's pace: where it sleeps, or reads a clock to compare it with a bound.
tools/lint_pace.py [ENDING...]: of files with these endings, or of all.

Tests wait for a condition (tests/api/client.py wait_until, tests/unit/unit.h, tests/web/lib), for a version or a line of the
log, or set the clock themselves (src/base/clock.h). What is measured in time belongs to bench/."""
import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
#: ending -> what is refused there
REFUSED = {
    ".py": re.compile(r"\bsleep\(|\btime\.(monotonic|perf_counter|process_time|time)(_ns)?\(|\b(monotonic|perf_counter)\(\)"),
    ".c": re.compile(r"\b(u|nano|clock_nano)?sleep\(|\bclock_gettime\(|drg_clock_ns\(\) - \w+ <"),
    ".h": re.compile(r"\b(u|nano|clock_nano)?sleep\("),
    ".js": re.compile(r"waitForTimeout|networkidle|\bset(Timeout|Interval)\b|Date\.now\b|performance\.now\b|timers/promises"),
}
#: file -> why it may
ALLOWED = {
    "tests/web/lib/calm.js": "until(): the same; and a turn of the page's loop, which takes no time",
    "tests/api/client.py": "wait_until(): looks again after a moment, and gives up where something hangs",
    "tests/unit/unit.h": "wait_until(): the same",
    "tests/seams/seams.h": "its delays are what it is for; no test waits for them",
    "tests/cluster/parts.py": "wait_for(): the same, for tools/run-cluster too",
    "tests/cluster/campaign.py": "figures that are printed; the long form lasts for so long",
    "tests/cluster/test_campaign.py": "likewise",
    "tests/cluster/test_patroni.py": "make long alone; figures that are printed",
    "tests/fault/test_connections.py": "the long form has a pace and a bound; else what is printed",
    "tests/fault/test_fairness.py": "make long alone: it compares waiting times",
    "tests/fault/test_slow.py": "likewise",
    "tests/fault/soak.py": "make long alone: it lasts for so long; slopes that are printed",
    "tests/fault/test_lists.py": "what the other one waited is printed",
}


def lines():
    names = subprocess.run(["git", "ls-files", "tests", "data/test"], cwd=TOP, stdout=subprocess.PIPE, text=True, check=True).stdout
    for name in names.split():
        path = TOP / name
        pattern = REFUSED.get(path.suffix)
        if pattern is not None and path.exists():
            for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
                if pattern.search(line):
                    yield name, number, line.strip()


def main():
    found = list(lines())
    wrong = [line for line in found if line[0] not in ALLOWED]
    for name, number, line in wrong:
        print(f"{name}:{number}: a test that depends on the machine's pace (tools/lint_pace.py): {line[:100]}", file=sys.stderr)
    idle = [name for name in ALLOWED if name not in {line[0] for line in found}]
    for name in idle:
        print(f"tools/lint_pace.py: {name} needs no exception any more", file=sys.stderr)
    return 1 if wrong or idle else 0


if __name__ == "__main__":
    sys.exit(main())
