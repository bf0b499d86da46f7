"""docs/clients.md: its programs print what the page says, on the demo data, also where requests and answers get lost on the way."""
import os
import pathlib
import re
import shutil
import subprocess

import pytest

import client
from spoiling import Spoiler

pytestmark = pytest.mark.heavy
PAGE = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "clients.md").read_text("utf-8")
BLOCKS = dict(re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.M | re.S))
#: Of what make test-all runs; tests/openapi runs `ts`, and the others were run by hand.
RUN = {"php": ("client.php", "php"), "python": ("client.py", "/usr/bin/python3"), "js": ("client.mjs", "node")}
BY_HAND = {"java", "go", "csharp"}


@pytest.fixture(scope="module")
def demo_store(demo, run, tmp_path_factory):
    """A copy of the demo's data folder, for each test to copy."""
    folder = tmp_path_factory.mktemp("demo-copy")
    for command in (("backup", folder / "b", "--data", demo.data), ("restore", folder / "b", "--data", folder / "data")):
        done = run(*command)
        assert done.returncode == 0, done.stderr
    return folder / "data"


@pytest.mark.cases("spoilt-python")
@pytest.mark.parametrize("language", RUN)
@pytest.mark.parametrize("faults", [(), ("503", None, "html", "cut", None, "drop")], ids=["plain", "spoilt"])
def test_a_client_prints_what_the_page_says(demo, demo_store, start_server, tmp_path, language, faults):
    shutil.copytree(demo_store, tmp_path / "data")
    server = start_server(data=tmp_path / "data")
    name, interpreter = RUN[language]
    (tmp_path / name).write_text(BLOCKS[language], "utf-8")
    with Spoiler(server.port) as way:
        way.spoil(*faults)
        env = {**os.environ, "BASE": way.url, "KEY_B": demo.key_b, "SECRET_B": demo.secret_b}
        done = subprocess.run([interpreter, name], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=client.PATIENCE, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, BLOCKS["text"], "")
        assert way.seen.count("/v1/tour/sourceAdd") == (2 if faults else 1) and not way.faults


def test_every_program_of_the_page_is_known_here():
    assert set(BLOCKS) == {"text", "sh", "ts", *RUN, *BY_HAND}
