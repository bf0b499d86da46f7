"""docs/first-week.md: every command of the guide, in order, on its files."""
import re
import shutil

import pytest

import guide
import store

pytestmark = pytest.mark.store


@pytest.fixture
def reader(dragoman, tmp_path):
    """Somebody in a copy of the guide's folder, to whom `dragoman` is a command."""
    folder = tmp_path / "week"
    shutil.copytree(guide.ROOT / "docs" / "first-week", folder)
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    if store.POSTGRES is None:
        (bin_ / "dragoman").symlink_to(dragoman)
    else:
        (bin_ / "dragoman").write_text(f"#!/bin/sh\nexec '{dragoman}' \"$@\" --store '{store.database_of(folder / 'data')}'\n")
        (bin_ / "dragoman").chmod(0o755)
    return guide.Reader(folder, f"{bin_}:{guide.SYSTEM}")


@pytest.mark.heavy
def test_the_guide_goes_through_and_says_the_truth(reader):
    lines = [line for _, text in guide.blocks("docs/first-week.md") for line in text.splitlines()]
    script = "echo NEXT\n".join(f"{line}\n" for line in lines)
    said = dict(zip(lines, re.split(r"^NEXT\n", reader.types(script), flags=re.M)))
    look = said["dragoman load sunny sunny-week1.csv --dry-run"]
    assert "windows-1251 (recognised), semicolon, header in row 3" in look
    assert re.search(r"Комментарий +-> \(not read\)", look) and re.search(r"hotel +15 new", look)
    look = said["dragoman load mavi mavi.xlsx --dry-run"]
    assert "00017" in look and "checked, nothing applied" in look
    assert said["dragoman dict duplicates"].splitlines()[1].split()[:3] == ["hotel", "105", "102"]
    assert re.search(r"^hotel +6 automatic +3 ask +10 none", said["dragoman match --dry-run"], re.M)
    assert said["dragoman match --by olena"].endswith("9 mapped; undo with 'dragoman batch undo 5'\n")
    assert [line.split()[2] for line in said["dragoman match queue --kind hotel"].splitlines()[1:4]] == ["1003", "1004", "1005"]
    assert '102 "Pine Park"' in said["dragoman match explain sunny hotel 1003"]
    assert re.search(r"hotel +102 +Pine Park +Belek +Turkey +mavi", said['dragoman dict find "pine park"'])
    answered = "12 rows: 2 accepted, 0 rejected, 3 made new, 7 as before or not answered, 0 refused"
    for dry in ("", " --dry-run"):
        assert answered in said[f"dragoman match load answers.xlsx --by olena{dry}"]
    assert re.search(r"mavi +hotel +4 +4 +0 +100.0 +0 +-$", said["dragoman coverage --kind hotel"], re.M)
    assert said["dragoman map list --unmapped --kind hotel"].count("nothing in the reference is like it") == 7
    assert re.search(r"hotel +1 new +1 changed +13 same +1 gone",
                     said["dragoman load sunny sunny-week2.csv --complete --dry-run"])
    assert "2 mapped" in said["dragoman map load wrong.csv --by ivan"]
    assert "2 records as before, 0 removed, 0 left alone" in said[
        'dragoman batch undo "$batch" --by olena --why "a list of last year"']
    history = said["dragoman map history sunny hotel 1002"].splitlines()
    assert [line.split()[1] for line in history[1:]] == ["match", "import", "undo"]
