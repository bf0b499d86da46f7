"""`kill -9` of commands in every phase of their work, on SQLite and PostgreSQL: at the nth write, sync, rename or message of as
many as a whole run makes, n drawn from each part of them in turn. In SQLite every other kill is a loss of power too (power.py).

* The store is sound, and what is no batch is not there: a command of one commit has done all or nothing; of several, each batch is whole.
* A file that a command makes is the old one or the new one; a store that it makes is empty, says that it is incomplete, or is whole.
* What has ended with status 0 is there, whatever power is lost.
* The same command run again ends with what a run without a kill has.

DRG_KILLS=N   so many kills in SQLite, and a fifth of them in PostgreSQL (default 18: two of each command, and one)"""
import collections
import csv
import os
import random
import re
import shutil
import subprocess
import threading

import pytest

import client
import faults as faults_module
import older
import power
import sheets
from api_conftest import Clock, command, synth
from test_postgres import cluster, pg_cluster  # pylint: disable=unused-import

KILLS = int(os.environ.get("DRG_KILLS", "18"))
SEED = os.environ.get("DRG_KILLS_SEED", "1")
CALLS = {"sqlite": "write,put,sync,rename,truncate", "postgresql": "send,put,sync,rename"}
TOLD = [("export",), ("batch", "list", "--format", "csv"), ("map", "history"), ("dict", "history")]
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")
#: What a command says that finds its work done.
DONE = ("not empty", "was already undone", "was merged already", "was made of it before")
HEADER = ["Code", "Hotel Name", "Country", "City"]

#: What it makes: None (it changes the store), or a place. Has it several commits?
Scene = collections.namedtuple("Scene", "words makes several", defaults=[None, False])
SCENES = {
    "import": Scene("import {lists}/more.ndjson", several=True),
    "load": Scene("load 101 {lists}/list.xlsx --accept", several=True),
    "match": Scene("match", several=True),
    "batch undo": Scene("batch undo 2", several=True),
    "dict merge": Scene("dict merge hotel 1000003 1000004"),
    "upgrade": Scene("key create --api a --name upgrades"),
    "backup": Scene("backup {out}/b.backup", "file"),
    "restore": Scene("restore {lists}/b.backup --store {target}", "store"),
    "migrate": Scene("migrate --from {store} --to {target}", "store"),
}


class Hurry(threading.Thread):
    """Time flies: a transaction of an import, which lasts for 250 ms at most, has a few records only, and there are many."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.clock, self.over = Clock(path), threading.Event()
        self.start()

    def run(self):
        while not self.over.wait(0.001):
            self.clock.advance(0.3)

    def end(self):
        self.over.set()
        self.join()


class Sqlite:
    """Stores in files."""
    name = "sqlite"

    def __init__(self, folder):
        self.kept, self.data, self.out = folder / "kept", folder / "data", folder / "out"
        self.store, self.target = f"sqlite:{self.data}/dragoman.db", f"sqlite:{self.out}/dragoman.db"

    def keep(self):
        shutil.copytree(self.data, self.kept, dirs_exist_ok=True)

    def fresh(self):
        shutil.rmtree(self.data, ignore_errors=True)
        shutil.copytree(self.kept, self.data)

    def empty(self):
        """The place of the store that a command makes."""

    def older(self):
        return older.Sqlite(self.data)


class Postgresql:
    """Stores in databases of a server."""
    name = "postgresql"

    def __init__(self, folder, cluster):
        self.cluster, self.data, self.out = cluster, folder / "data", folder / "out"
        self.store, self.target = cluster.url("killed"), cluster.url("made")
        self.make("killed")

    def make(self, name, more=""):
        self.cluster.psql("postgres", f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        self.cluster.psql("postgres", f"CREATE DATABASE {name} {more}")

    def keep(self):
        self.make("kept", "TEMPLATE killed STRATEGY FILE_COPY")

    def fresh(self):
        self.make("killed", "TEMPLATE kept STRATEGY FILE_COPY")

    def empty(self):
        self.make("made")

    def older(self):
        return older.Postgres(self.data, self.store)


class Stage:
    """A scene on an engine: what it begins with, and what a whole run of it makes."""

    def __init__(self, scene, engine, folder, libraries):
        self.scene, self.engine, self.folder = scene, engine, folder
        self.lists, self.clock = folder / "lists", folder / "clock"
        self.journal = folder / "journal"
        for made in engine.data, engine.out, self.lists:
            made.mkdir()
        self.journal.touch()
        self.faults = faults_module.Faults(libraries["faults"], folder / "faults")
        self.env = {**os.environ, "TZ": "UTC", "USER": "olena", "DRG_TEST_CLOCK": str(self.clock)}
        self.killing = {**self.env, **self.faults.environment, "DRG_TEST_POWER": str(self.journal)}
        if engine.name == "sqlite":
            self.killing["LD_PRELOAD"] = f"{libraries['power']}:{libraries['faults']}"
        self.hurry = Hurry(self.clock)
        self.furnish()

    def run(self, *words, store=None, env=None):
        where = [] if words[0] == "migrate" else ["--data", str(self.engine.data)]
        where += [] if "--store" in words or words[0] == "migrate" else ["--store", store or self.engine.store]
        return subprocess.run(command(*words, *where), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env=env or self.env, timeout=client.PATIENCE, check=False)

    def did(self, *words, **more):
        done = self.run(*words, **more)
        assert done.returncode == 0, (words, done.stderr)
        return done.stdout

    def furnish(self):
        records = synth("--hotels", 150, "--adapters", 3, "--blind", "--content", 0).splitlines(keepends=True)
        sources = [r for r in records if b'"type":"source"' in r]
        (self.lists / "first.ndjson").write_bytes(b"".join(r for r in records if b'"source"' not in r) + b"".join(sources[::2]))
        (self.lists / "second.ndjson").write_bytes(b"".join(sources[::4]).replace(b'"name":"', b'"name":"New '))
        (self.lists / "more.ndjson").write_bytes(b"".join(sources))
        sheets.workbook(self.lists / "list.xlsx", [[f"L{n}", f"Blue Bay {n}", "Turkey", "Belek"] for n in range(150)], header=HEADER)
        self.did("import", str(self.lists / "first.ndjson"), "--create")
        self.did("backup", str(self.lists / "old.backup"))
        self.did("import", str(self.lists / "second.ndjson"))
        self.did("backup", str(self.lists / "b.backup"))
        if self.scene.words.startswith("key"):
            self.make_older()
        self.engine.keep()

    def make_older(self):
        place = self.engine.older()
        older.make_older(place, len(older.migrations(place.engine)) // 2)
        if self.engine.name == "sqlite":
            for path in self.engine.data.glob("was.db*"):
                path.unlink()
        else:
            place.execute("DROP SCHEMA kept CASCADE")

    def begin(self):
        self.engine.fresh()
        self.engine.empty()
        shutil.rmtree(self.engine.out)
        self.engine.out.mkdir(mode=0o700)
        if self.scene.makes == "file":
            shutil.copy(self.lists / "old.backup", self.engine.out / "b.backup")
        self.journal.write_bytes(b"")

    def attempt(self, at):
        """The command, killed at the nth call."""
        self.begin()
        self.faults.kill_next(at, CALLS[self.engine.name])
        done = self.again(env=self.killing)
        self.calls = at - self.faults.page.left
        self.faults.clear()
        return done

    def again(self, **more):
        words = self.scene.words.split()
        return self.run(*(w.format(lists=self.lists, out=self.engine.out, store=self.engine.store, target=self.engine.target)
                          for w in words), **more)

    def told(self):
        """What the store says of itself."""
        if self.scene.words.startswith("key"):
            return self.upgraded()
        return {words: MOMENT.sub("", self.did(*words)) for words in (TOLD[:1] if self.scene.makes else TOLD)}

    def upgraded(self):
        """The same for a store that may be of an older schema."""
        done = self.run("export")
        if done.returncode == 0:
            return {TOLD[0]: done.stdout, "keys": len(self.did("key", "list").splitlines())}
        assert "made by an older dragoman" in done.stderr, done.stderr
        return {TOLD[0]: ""}


def batches(told):
    return [row["id"] for row in csv.DictReader(told[TOLD[1]].splitlines())]


def records(exported):
    """Lines, without what became of them: that stays when it is taken back."""
    return {line for line in exported.splitlines() if "_event" not in line[:24]}


class Trial:
    def __init__(self, stage):
        self.stage, self.count = stage, collections.Counter()
        stage.begin()
        self.before = stage.told()
        assert stage.attempt(faults_module.ALWAYS).returncode == 0
        self.points = stage.calls
        self.after = stage.told()
        self.made()
        if not stage.scene.makes:
            assert self.before != self.after

    def kill(self, turn, turns, loses_power, sooner=1):
        """At a point of the part of the run that this turn has, or at so small a part of that."""
        rng = random.Random(f"{SEED} {self.stage.scene.words} {self.stage.engine.name} {turn}")
        self.at = rng.randint(self.points * turn // turns + 1, max(self.points * turn // turns + 1, self.points * (turn + 1) // turns + 1))
        self.at = max(1, self.at // sooner)
        done = self.stage.attempt(self.at)
        assert done.returncode in (0, -9), done
        self.count["killed"] += done.returncode == -9
        if loses_power:
            self.count["power"] += 1
            self.count["sectors"] += power.lose(self.stage.journal, [self.stage.engine.data, self.stage.engine.out], rng)
        self.judge(done)
        again = self.stage.again()
        done_before = again.returncode == 1 and any(word in again.stderr for word in DONE)
        assert again.returncode == 0 or done_before and self.left == "after", again.stderr
        self.made()
        self.end()

    def judge(self, done):
        makes = self.stage.scene.makes
        if makes is None:
            self.left = self.look_at_store()
            if not self.stage.scene.words.startswith("key") or self.left != "before":
                assert "is sound" in self.stage.did("check")
        else:
            assert self.stage.told() == self.before
            self.left = self.look_at_file() if makes == "file" else self.look_at_target()
        self.count[self.left] += 1
        assert done.returncode != 0 or self.left == "after", "it ended with 0"

    def look_at_store(self):
        now = self.stage.told()
        if now == self.before:
            return "before"
        if now == self.after:
            return "after"
        assert self.stage.scene.several or "key" in self.stage.scene.words and now[TOLD[0]] == self.after[TOLD[0]], "half done"
        if self.stage.scene.several:
            old, new, got = (records(told[TOLD[0]]) for told in (self.before, self.after, now))
            assert got <= old | new, (got - old - new)
            self.take_back(now)
        return "between"

    def take_back(self, now):
        """What was done so far is of batches. What an undo that was taken back has touched is no more as the batch wrote it."""
        if self.stage.scene.words.startswith("batch undo"):
            return
        for batch in batches(now)[:len(batches(now)) - len(batches(self.before))]:
            self.stage.did("batch", "undo", batch)
        assert records(self.stage.did(*TOLD[0])) == records(self.before[TOLD[0]])

    def look_at_file(self):
        return "before" if (self.stage.engine.out / "b.backup").read_bytes() == (self.stage.lists / "old.backup").read_bytes() else self.look_at_backup()

    def look_at_backup(self):
        store = f"sqlite:{self.stage.engine.out}/restored.db"
        self.stage.did("restore", str(self.stage.engine.out / "b.backup"), "--store", store)
        assert self.stage.did("export", store=store) == self.before[TOLD[0]]
        for path in self.stage.engine.out.glob("restored*"):
            path.unlink()
        return "after"

    def look_at_target(self):
        done = self.stage.run("export", store=self.stage.engine.target)
        if done.returncode == 0 and done.stdout:
            assert done.stdout == self.before[TOLD[0]]
            return "after"
        if "is incomplete" in done.stderr:
            return "between"
        return "before"

    def made(self):
        """What the command makes is there, and whole."""
        if self.stage.scene.makes == "file":
            assert self.look_at_backup() == "after"
            assert os.listdir(self.stage.engine.out) == ["b.backup"]
        elif self.stage.scene.makes == "store":
            assert self.stage.did("export", store=self.stage.engine.target) == self.before[TOLD[0]]
            assert "is sound" in self.stage.did("check", "--store", self.stage.engine.target)

    def end(self):
        if self.stage.scene.makes is None:
            assert records(self.stage.told()[TOLD[0]]) == records(self.after[TOLD[0]])
            assert "is sound" in self.stage.did("check")


@pytest.fixture(scope="module")
def libraries(faults_library, tmp_path_factory):
    return {"faults": faults_library, "power": power.build(tmp_path_factory.mktemp("power"))}


def kill_often(stage, turns, record_property):
    trial = None
    try:
        trial = Trial(stage)
        for turn in range(turns):
            trial.kill(turn, turns, loses_power=stage.engine.name == "sqlite" and turn % 2 == 1)
        sooner = 1
        while trial.count["killed"] == 0 and sooner < trial.points:  # a run makes fewer calls where others keep it waiting
            sooner *= 2
            trial.kill(turn, turns, False, sooner)
    except AssertionError as wrong:
        where = f" in turn {turn} of {turns}, at call {trial.at} of {trial.points}" if trial else ""
        raise AssertionError(f"{stage.scene.words}{where}: {wrong}") from wrong
    finally:
        stage.hurry.end()
    record_property("kills", {"points": trial.points, **trial.count})
    print(stage.engine.name, stage.scene.words.partition(" {")[0], f"{trial.points} points", dict(trial.count))
    assert trial.count["killed"] > 0


@pytest.mark.parametrize("name", SCENES)
def test_a_command_that_is_killed_on_sqlite(name, tmp_path, libraries, record_property):
    kill_often(Stage(SCENES[name], Sqlite(tmp_path), tmp_path, libraries), max(2, KILLS // len(SCENES)), record_property)


@pytest.mark.skipif(not pg_cluster.pathlib.Path("/usr/lib/postgresql").exists(), reason="there is no PostgreSQL")
@pytest.mark.xdist_group("postgres")
@pytest.mark.parametrize("name", SCENES)
def test_a_command_that_is_killed_on_postgresql(name, cluster, tmp_path, libraries, record_property):
    kill_often(Stage(SCENES[name], Postgresql(tmp_path, cluster), tmp_path, libraries), max(1, KILLS // 5 // len(SCENES)), record_property)
