"""tools/lint_kinds.py finds files that name a kind of records and do not say why, and rows of files that name none."""
import pathlib
import subprocess

import pytest

LINT = pathlib.Path(__file__).resolve().parents[2] / "tools/lint_kinds.py"
TABLE = "# Kinds\n\n| file | why it names a kind |\n|---|---|\n| `api/meals.c` | meals |\n"


def linted(top, sources):
    (top / "tools").mkdir()
    (top / "tools/kinds.md").write_text(TABLE, encoding="utf-8")
    for name, text in {"api/meals.c": "DRG_KIND_MEAL\n", **sources}.items():
        path = top / "src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return subprocess.run([LINT, top], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("sources", [
    {},
    {"model/model.c": "DRG_KIND_HOTEL"},
    {"api/all.c": "DRG_KIND_COUNT DRG_KIND_NONE DRG_KINDS_SOURCE DRG_KIND_PARENTS drg_kind_name(kind)"},
])
def test_a_listed_file_may_name_a_kind_and_any_file_all_of_them(tmp_path, sources):
    assert linted(tmp_path, sources).returncode == 0


@pytest.mark.parametrize("text", ["x == DRG_KIND_MEAL", "[DRG_KIND_HOTEL_CATEGORY] = 1", "#define K(kind) (1U << DRG_KIND_##kind)"])
def test_another_file_may_not(tmp_path, text):
    found = linted(tmp_path, {"load/columns.c": text})
    assert found.returncode == 1
    assert "src/load/columns.c: names a kind" in found.stderr


def test_a_row_without_a_kind_is_found(tmp_path):
    found = linted(tmp_path, {"api/meals.c": "nothing"})
    assert found.returncode == 1
    assert "api/meals.c has a row, and names no kind" in found.stderr
