"""Every command (every_command.py) with the nth call of each sort failing, once for each n: an allocation, a write, sync, read, open, rename,
truncation, mapping, start of a thread. It ends by itself, with the answer that it has without failures, or with status 1 and a line that says
why. What it said to have stored is stored, and of the rest all or nothing; the store is sound.

DRG_NTH=N    points of each command and sort of call, drawn by DRG_NTH_SEED (default 2; `make test-all`); all: every one
DRG_LEAKS=1  DRG_BIN is built with -fsanitize=leak: what a command that ended has not freed and cannot reach fails the test"""
import contextlib
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess

import pytest

import every_command
import nth
from api_conftest import command as command_line


#: Times are when it was done, and `moment` is what a feed by time goes by: they are not the same twice.
PACE = re.compile(rb"[\d.]+ s\b|\d+ records/s|\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?Z?")
LSAN_OPTIONS = f"exitcode=23:fast_unwind_on_malloc=0:print_suppressions=0:suppressions={pathlib.Path(__file__).with_name('leaks.supp')}"
#: They are several commits: what was not done is completed by the same once more.
STEPWISE = ("import", "load", "match")


def masked(value, today):
    """A time of today is none."""
    if isinstance(value, int) and any(abs(value / unit - today) < 86400 for unit in (1, 1e3, 1e6, 1e9)):
        return "now"
    return value


class Store:
    """What the tables of a store have; of columns that differ between two runs of one command nothing."""

    def __init__(self, path):
        self.tables, self.sound = {}, True
        if not os.path.exists(path):
            return
        today = os.stat(path).st_mtime
        with contextlib.closing(sqlite3.connect(path)) as db:
            self.sound = db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'moment'").fetchall():
                found = db.execute(f'SELECT * FROM "{table}"')
                self.tables[table] = [c[0] for c in found.description], [[masked(v, today) for v in row] for row in found.fetchall()]

    def random_columns(self, other):
        return {(table, name) for table, (names, rows) in self.tables.items() for i, name in enumerate(names)
                if [r[i] for r in rows] != [r[i] for r in other.tables[table][1]]}

    def without(self, columns):
        return {table: sorted(repr([v for name, v in zip(names, row) if (table, name) not in columns]) for row in rows)
                for table, (names, rows) in self.tables.items()}


class Place:
    """A store that each run begins with, and the files that commands read."""

    def __init__(self, folder, faults):
        self.folder, self.faults = folder, faults
        self.lists, self.kept = folder / "lists", folder / "kept"
        for made in self.lists, self.kept:
            made.mkdir()
        every_command.write_lists(self.lists)
        for words, stdin in every_command.STEPS:
            if words[:2] == ["match", "weights"]:
                (self.lists / "weights").write_text(self.run(["match", "weights", "--data", str(self.kept)]).stdout.decode(), "utf-8")
            done = self.run([w.format(lists=self.lists) for w in words] + ["--data", str(self.kept)], stdin)
            assert done.returncode == 0, (words, done)

    def run(self, words, stdin=None):
        env = {**os.environ, **self.faults.environment, "USER": "olena", "LSAN_OPTIONS": LSAN_OPTIONS, "TZ": "UTC"}
        return subprocess.run(command_line(*words), input=stdin or b"", stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env,
                              timeout=nth.PATIENCE, check=False)

    def begin(self):
        self.data, self.out = self.folder / "data", self.folder / "out"
        for made in self.data, self.out:
            shutil.rmtree(made, ignore_errors=True)
            made.mkdir(mode=0o700)
        shutil.copy(self.kept / "dragoman.db", self.data)

    def attempt(self, command):
        """It, from the beginning, and what it leaves."""
        self.begin()
        words = every_command.words_of(command, self.data, self.out, self.lists)
        return self.run(words, every_command.WITH_STDIN.get(command))

    def store(self):
        return Store(self.data / "dragoman.db")


@pytest.fixture(scope="module")
def place(tmp_path_factory, faults_library):
    folder = tmp_path_factory.mktemp("nth")
    return Place(folder, nth.Faults(faults_library, folder / "faults"))


def test_the_commands_are_all_of_them(run):
    names = [re.match(r"  ((?:[a-z]+ ?)+)", line).group(1).strip() for line in run("--help").stdout.splitlines() if re.match(r"  [a-z]", line)]
    assert len(names) > 50
    tried = {name for name in names for c in every_command.COMMANDS if f"{c} ".startswith(f"{name} ")}
    assert set(names) - tried == {"serve"}, "serve is in test_nth_request.py"


@pytest.mark.parametrize("command", every_command.COMMANDS)
def test_a_command_with_an_nth_call_that_fails(place, command, record_property):
    Trial(place, command).make(record_property)


class Trial:
    def __init__(self, place, command):
        self.place, self.command, self.broken = place, command, []

    def calibrate(self):
        """What it answers and leaves without failures, twice."""
        seen = []
        for _ in range(2):
            done = self.place.attempt(self.command)
            assert done.returncode == 0, done
            seen.append((PACE.sub(b"", done.stdout), self.place.store()))
        self.stdout = seen[0][0] if seen[0][0] == seen[1][0] else None
        self.columns = seen[0][1].random_columns(seen[1][1])
        self.after = seen[1][1].without(self.columns)
        self.place.begin()
        self.before = self.place.store().without(self.columns)

    def make(self, record_property):
        self.calibrate()
        counts = {"points": 0, "tried": 0, "reached": 0, "survived": 0}
        for call in nth.ERRORS:
            self.place.faults.count(call)
            self.place.attempt(self.command)
            points = self.place.faults.counted()
            counts["points"] += points
            for n in nth.chosen(points, f"{self.command} {call}", self.command in every_command.THROUGHOUT):
                counts["tried"] += 1
                self.place.faults.arm(call, n)
                try:
                    done = self.place.attempt(self.command)
                except subprocess.TimeoutExpired:
                    self.broken.append(f"{call} {n}: hangs")
                    continue
                reached = self.place.faults.was_reached()
                counts["reached"] += reached
                counts["survived"] += done.returncode == 0
                self.judge(f"{call} {n}", done)
        self.place.faults.clear()
        record_property("nth", counts)
        print(self.command, counts)
        assert not self.broken, f"{self.command}: {len(self.broken)} of {counts['tried']}:\n" + "\n".join(self.broken)

    def judge(self, where, done):
        said = done.stderr.decode("utf-8", "replace")
        store = self.place.store()
        left = store.without(self.columns)

        def wrong(what):
            self.broken.append(f"{where}: {what}; status {done.returncode}, said {said.strip()[-1500:]!r}")
        if done.returncode not in (0, 1):
            wrong("a crash" if done.returncode != 23 else "a leak")
        elif done.returncode == 1 and not said.startswith("dragoman: ") and "\ndragoman: " not in said:
            wrong("no word")
        elif done.returncode == 0 and self.stdout is not None and PACE.sub(b"", done.stdout) != self.stdout:
            wrong(f"another answer {done.stdout[-300:]!r}")
        if not store.sound:
            wrong("the store is broken")
        if done.returncode == 0 and left != self.after:
            wrong(f"not stored {differ(left, self.after)}")
        if done.returncode != 0 and left not in (self.before, self.after) and not self.completes():
            wrong(f"half stored {differ(left, self.before)}")


    def completes(self):
        """An import that did not end is completed by the same once more; a batch has another number then."""
        if not self.command.startswith(STEPWISE):
            return False
        self.place.faults.clear()
        again = self.place.run(every_command.words_of(self.command, self.place.data, self.place.out, self.place.lists))
        left = self.place.store().without(self.columns)
        return again.returncode == 0 and all(len(left[table]) == len(self.after[table]) for table in ("source", "dict", "adapter"))


def differ(left, wanted):
    return [table for table in wanted if left.get(table) != wanted[table]]
