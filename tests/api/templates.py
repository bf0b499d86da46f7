"""Stores that tests begin with. What the same commands would make again is made once by each process of tests, and copied: an
import, keys and people cost more than most tests. Every copy is a store of its own, with an epoch of its own."""
import hashlib
import json
import os
import pathlib

import store

#: Larger ones are made anew.
LARGEST = 32 << 20
#: Of the people of make_server().
PASSWORD = "correct horse battery"
#: Of it, with the least that Argon2id takes: to compare it costs nothing. What it costs users is tested with passwords of theirs.
CHEAP = "$argon2id$v=19$m=8,t=1,p=1$qXj3jrDJ5qTR5mJjm7AqsQ$jujHKP3cvFxN2gnUa62iFMpiNA/jSpsGVEeQe4t5ZQA"
#: What a server of tests has.
KEYS = {"a": ("key", "create", "--api", "a", "--json"), "b": ("key", "create", "--api", "b", "--json", "--secret")}


def content(word):
    if isinstance(word, pathlib.Path):
        return word.name.encode() + b"\0" + word.read_bytes()
    return word if isinstance(word, bytes) else str(word).encode()


def digest(steps):
    """Of what a store that these commands make depends on."""
    return hashlib.sha256(repr([[content(word) for word in step] for step in steps]).encode()).digest()


class Templates:
    def __init__(self, run, folder):
        self.run, self.folder = run, folder
        self.asked_for, self.kept, self.keys = set(), {}, {}

    def run_step(self, step, data):
        words = list(step)
        for i, word in enumerate(words):
            if isinstance(word, bytes):
                words[i] = self.folder / "records.ndjson"
                words[i].write_bytes(word)
        done = self.run(*words, "--data", data)
        assert done.returncode == 0, done.stderr
        return done

    def fill(self, data, *steps):
        """Runs commands on a data folder, the first of which makes the store if there is none; what they said, now or when they
        were run first. Of a path among their words the file counts, and bytes are what a file has."""
        new, wanted = store.is_new(data), digest(steps)
        if new and wanted in self.kept:
            kept, done = self.kept[wanted]
            store.copy(kept, data)
            return done
        if new:
            store.begin_migrated(data, lambda first: self.run_step(("import", os.devnull, "--create"), first), self.folder)
        done = [self.run_step(step, data) for step in steps]
        if new and wanted in self.asked_for and store.size(data) <= LARGEST:
            kept = self.folder / str(len(self.kept))
            store.keep(data, kept)
            self.kept[wanted] = kept, done
        self.asked_for.add(wanted)
        return done

    def fill_with_keys(self, data, *steps, keys=None):
        """fill(), and then keys: their names, and the commands that make them. What the steps said."""
        keys = {**KEYS, **(keys or {})}
        done = self.fill(data, *steps, *keys.values())
        self.keys[pathlib.Path(data)] = dict(zip(keys, (json.loads(made.stdout) for made in done[len(steps):])))
        return done[:len(steps)]

    def keys_of(self, data):
        """The keys that a store was made with; one that was made without is given some."""
        data = pathlib.Path(data)
        if data not in self.keys:
            self.keys[data] = {name: json.loads(self.run_step(key, data).stdout) for name, key in KEYS.items()}
        return self.keys[data]
