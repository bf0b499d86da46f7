"""What the README and docs/ show is run as it stands: commands, requests, records."""
import json
import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def blocks(name, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / name).read_text("utf-8"), re.M | re.S)


def block_with(name, language, text):
    return next(block for block in blocks(name, language) if text in block)


def shell(script, folder, **env):
    return subprocess.run(["sh", "-eu", "-c", script], cwd=folder, env={**os.environ, **env}, check=True,
                          stdout=subprocess.PIPE).stdout


def test_examples_of_the_interchange_format_are_imported(run, mini, tmp_path):
    lines = [line for block in blocks("docs/interchange.md", "json") for line in block.splitlines()]
    assert len(lines) > 15
    examples = tmp_path / "examples.ndjson"
    examples.write_text("\n".join(lines) + "\n", "utf-8")
    done = run("import", "--create", mini, examples, "--dry-run", "--data", tmp_path / "data")
    assert done.returncode == 0, done.stderr


def test_csv_example_is_imported(run, import_file, mini, tmp_path):
    import_file(tmp_path / "data", mini)
    example = block_with("docs/interchange.md", "sh", "--csv")
    options = re.search(r"import (--csv .*) hotels.csv", example).group(1)
    hotels = tmp_path / "hotels.csv"
    hotels.write_text("HotelCode,HotelName,Stars\n0042,Grand Hotel,5\n", "utf-8")
    done = run("import", "--create", *options.split(), hotels, "--data", tmp_path / "data")
    assert done.returncode == 0, done.stderr
    exported = run("export", "--type", "source", "--adapter", "7", "--data", tmp_path / "data").stdout
    assert '{"type":"source","adapter_id":7,"kind":"hotel","id":"0042","name":"Grand Hotel"}' in exported.splitlines()


@pytest.mark.files
def test_own_data_of_the_readme_is_imported(run, dragoman, tmp_path):
    script = block_with("README.md", "sh", "my.ndjson").replace("build/dragoman", str(dragoman))
    before_serve, serve = re.split(r"^(?=.* serve )", script, flags=re.M)
    assert b"drga_" in shell(before_serve, tmp_path)
    assert serve.count("\n") == 1
    assert json.loads(run("status", "--json", "--data", tmp_path / "my-data").stdout)
    kinds = {json.loads(line).get("kind") for line in run("export", "--data", tmp_path / "my-data").stdout.splitlines()}
    assert {"hotel", "meal", "city", "hotel_category"} <= kinds  # or the form would show nothing


def test_the_requests_of_the_readme_answer_as_it_says(demo, tmp_path):
    script = block_with("README.md", "sh", "curl").replace(". demo/keys.env\n", "")
    lines = script.replace("curl ", "curl -sSf ").splitlines()
    keys = {"KEY_A": demo.key_a, "KEY_B": demo.key_b, "BASE": f"http://127.0.0.1:{demo.port}"}
    lists, ids, places = (json.loads(shell(line, tmp_path, **keys))["data"] for line in lines)
    assert lists["countries"]["AU"]["name"] == "Австралія" and lists["dep_cities"]["2657832"]["name"] == "Абердин"
    assert [item["dict"] and item["dict"]["id"] for item in ids["hotel"]] == [1000005, None]
    assert ids["meal"][0]["dict"]["name"] == "AI" and ids["meal"][0]["dict"]["id"] == 10
    assert [place["code"] for place in places["items"]] == ["LHR"]


def test_what_the_readme_makes_is_ignored_by_git():
    for name in ("my-data/dragoman.db", "my.ndjson", "demo/keys.env"):
        assert subprocess.run(["git", "check-ignore", "-q", name], cwd=ROOT).returncode == 0, name
