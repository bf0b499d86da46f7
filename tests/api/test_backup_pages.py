"""docs/backup.md and docs/upgrade.md: every command in them is run, in the order of the page, by a shell."""
import os
import pathlib
import re
import subprocess

import pytest

import client
from conftest import ROOT, program

pytestmark = pytest.mark.files
SHELL = re.compile(r"^ *```sh\n(.*?)^ *```", re.M | re.S)
INDENTED = re.compile(r"^\n((?:    \S.*\n)+)", re.M)
#: What is of another place or program: the words in it that say so.
ELSEWHERE = ("postgresql://",)


def page(name):
    return (pathlib.Path(ROOT) / "docs" / name).read_text("utf-8")


def shell(folder, text):
    """Folders of the system are in a folder of the test."""
    text = text.replace("/var/backups/", f"{folder}/var/backups/")
    path = f"{folder / 'bin'}:{os.environ['PATH']}"
    done = subprocess.run(["sh", "-euc", text], cwd=folder, env={**os.environ, "PATH": path}, timeout=client.PATIENCE,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, (text, done.stdout)
    return done.stdout


@pytest.fixture
def machine(data, tmp_path):
    """A folder with the program, and a store in data/."""
    folder = tmp_path / "machine"
    for name in ("bin", "var/backups/dragoman"):
        (folder / name).mkdir(parents=True)
    (folder / "bin" / "dragoman").symlink_to(program())
    os.rename(data.path / "dragoman.db", (folder / "data").mkdir() or folder / "data" / "dragoman.db")
    return folder


def test_a_store_is_backed_up_and_restored_as_the_page_says(machine):
    blocks = [text for text in SHELL.findall(page("backup.md")) if not any(word in text for word in ELSEWHERE)]
    assert len(blocks) >= 6
    said = "".join(shell(machine, text) for text in blocks)
    assert said.count("read back and whole") == 2 and said.count("row by row, and sound") == 2 and "is whole" in said
    assert (machine / "data.broken" / "dragoman.db").exists() and len(os.listdir(machine / "backups")) == 1
    cron = re.search(r"dragoman  (dragoman backup .*)\n", page("backup.md")).group(1)
    shell(machine, cron.replace("/var/lib/dragoman", "data"))
    assert len(os.listdir(machine / "var/backups/dragoman")) == 1


def test_the_page_of_upgrades_holds(machine):
    for text in SHELL.findall(page("upgrade.md")):
        shell(machine, text)
    back = [text for text in INDENTED.findall(page("upgrade.md")) if "mv " in text]
    assert len(back) == 1
    (machine / "data" / "dragoman.db.schema-18").write_bytes((machine / "data" / "dragoman.db").read_bytes())
    shell(machine, back[0])
    assert "the store is sound" in shell(machine, "dragoman check --data data")
