"""What the README and docs/ show is run as it stands: commands, records, the search form."""
import json
import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]

#: As much of a browser as the search form of the README needs.
BROWSER = """
const list = () => ({ replaceChildren(...items) { this.items = items; this.value = (items.find(i => i.selected) ?? items[0])?.value; } });
const [city, country, hotels] = [list(), list(), list()];
const document = { createElement: () => ({}) };
function Option(text, value, preset, selected) { Object.assign(this, { text, value, selected }); }
process.on('exit', () => console.log(JSON.stringify([city, country, hotels].map(l => l.items))));
"""


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


def test_curl_lines_of_the_readme_answer(demo, tmp_path):
    script = block_with("README.md", "sh", "curl").replace(". demo/keys.env\n", "")
    lines = script.replace("curl ", "curl -sSf ").splitlines()
    answers = [shell(line, tmp_path, KEY_A=demo.key_a, KEY_B=demo.key_b, BASE=f"http://127.0.0.1:{demo.port}") for line in lines]
    assert [bool(json.loads(answer)["data"]) for answer in answers[:3]] == [True] * 3
    assert (tmp_path / "tr.svg").read_text("utf-8").startswith("<svg")


def test_supplier_ids_of_the_readme_are_known(demo, tmp_path):
    script = block_with("README.md", "sh", "sourceInfo").replace(". demo/keys.env\n", "")
    lines = script.replace("curl ", "curl -sSf ").splitlines()
    info, check = (json.loads(shell(line, tmp_path, KEY_B=demo.key_b, BASE=f"http://127.0.0.1:{demo.port}"))["data"] for line in lines)
    assert [bool(item["dict"]) for item in info["hotel"]] == [True, True, False]
    assert info["meal"][0]["dict"]["name"] == "AI" and info["meal"][0]["dict"]["id"] == 10
    assert info["hotel"][0]["dict"]["id"] == 1000005
    assert ("73898", 101) in [(item["hotel_orig_id"], item["adapter_id"]) for item in check]


def test_search_form_of_the_readme_shows_hotels(demo, tmp_path):
    script = block_with("README.md", "sh", "search.html").replace(". demo/keys.env\n", "")
    shell(script, tmp_path, KEY_A=demo.key_a, BASE=f"http://127.0.0.1:{demo.port}")
    page = (tmp_path / "search.html").read_text("utf-8")
    (tmp_path / "form.js").write_text(BROWSER + re.search(r"<script>(.*)</script>", page, re.S).group(1), "utf-8")
    cities, countries, hotels = json.loads(shell("node form.js", tmp_path))
    assert len(cities) > 10 and len(countries) > 10 and len(hotels) > 10
    assert all(item["text"] for item in cities + countries) and all(item["textContent"] for item in hotels)
    chosen = {item["text"] for item in cities + countries if item["selected"]}
    assert chosen == {"Київ", "Туреччина"}
    flown = shell(f"curl -sSf -H 'X-Api-Key: {demo.key_a}' 'http://127.0.0.1:{demo.port}/api/v1/tour/hotel-references"
                  "?dep_city=703448&country=792'", tmp_path)
    assert json.loads(flown)["data"]["operators"]  # somebody flies there


def test_what_the_readme_makes_is_ignored_by_git():
    for name in ("my-data/dragoman.db", "my.ndjson", "search.html", "tr.svg", "demo/keys.env"):
        assert subprocess.run(["git", "check-ignore", "-q", name], cwd=ROOT).returncode == 0, name
