"""docs/first-week.md: every command of the guide, in order, on its files."""
import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs" / "first-week.md").read_text("utf-8")


@pytest.fixture
def week(dragoman, tmp_path):
    """Runs blocks of the guide in one copy of its folder; returns what each command said."""
    folder = tmp_path / "week"
    shutil.copytree(ROOT / "docs" / "first-week", folder)
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    (bin_ / "dragoman").symlink_to(dragoman)
    env = {**os.environ, "PATH": f"{bin_}:{os.environ['PATH']}", "DRAGOMAN_DATA": "data", "USER": "olena"}

    def run(command):
        done = subprocess.run(["bash", "-ec", command], cwd=folder, env=env, capture_output=True, text=True, timeout=120,
                              check=False)
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        return done.stdout

    return run


def test_the_guide_goes_through_and_says_the_truth(week):
    said = {}
    for block in re.findall(r"```sh\n(.*?)```", GUIDE, re.S):
        for line in block.strip().splitlines():
            if not line.startswith("export"):
                said[line] = week(line)
    look = said["dragoman load sunny sunny-week1.csv --dry-run"]
    assert "windows-1251 (recognised), semicolon, header in row 3" in look
    assert re.search(r"Комментарий +-> \(not read\)", look) and re.search(r"hotel +15 new", look)
    assert "00017" in said["dragoman load mavi mavi.xlsx --accept --lang tr"]
    assert "Blue Bay Palace, Kemer, Turkey" in said['dragoman dict find "bay palace"']
    assert "Золотой песок" in said['dragoman dict find "золотой"']
    assert "8 rows: 8 mapped, 0 cleared, 0 as before, 0 refused" in said["dragoman map load filled-in.csv --by olena"]
    assert re.search(r"mavi +hotel +4 +4 +0 +100.0 %", said["dragoman coverage --kind hotel"])
    assert re.search(r"hotel +1 new +1 changed +13 same +1 gone",
                     said["dragoman load sunny sunny-week2.csv --complete --dry-run"])
    assert "2 mapped" in said["dragoman map load wrong.csv --by ivan"]
    assert "2 records as before, 0 removed, 0 left alone" in said[
        'dragoman batch undo 6 --by olena --why "a list of last year"']
    history = said["dragoman map history sunny hotel 1002"].splitlines()
    assert [line.split()[1] for line in history[1:]] == ["import", "import", "undo"]
