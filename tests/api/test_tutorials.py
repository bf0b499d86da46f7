"""docs/integrator.md on the demo data: each block is run, and what is printed beneath it is what it prints. (docs/search-form.md is
opened in a browser, tests/web.)"""
import json
import os
import pathlib
import re
import subprocess

import pytest

import client

GUIDE = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "integrator.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", GUIDE, re.M | re.S)
RUN = {"js": ("program.mjs", "node")}


@pytest.fixture
def environment(demo):
    return {**os.environ, "BASE": demo.url, "KEY_A": demo.key_a, "KEY_B": demo.key_b, "SECRET_B": demo.secret_b}


@pytest.mark.parametrize("language, text, said", [b for b in BLOCKS if b[0] in RUN])
def test_a_program_prints_what_the_guide_says(environment, tmp_path, language, text, said):
    name, interpreter = RUN[language]
    (tmp_path / name).write_text(text, "utf-8")
    done = subprocess.run([interpreter, name], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=client.PATIENCE, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert said and done.stdout == said


def test_the_curl_lines_answer_as_the_guide_says(environment, tmp_path):
    lines = [text for language, text, _ in BLOCKS if language == "sh" and "curl" in text]
    info, back, suppliers = (json.loads(subprocess.run(["sh", "-ec", line.replace("curl ", "curl -f ")], cwd=tmp_path, env=environment,
                                            stdout=subprocess.PIPE, check=True).stdout)["data"] for line in lines)
    assert [(bool(x["source"]), bool(x["dict"])) for x in info["hotel"]] == [(True, True), (True, True), (True, False), (False, False)]
    assert info["meal"][0]["dict"]["name"] == "AI"
    assert back["hotel"] == [{"dict_id": 1000005, "orig_id": 73898}] and back["dep_city"] is None
    assert back["country"]["dict_id"] == 499
    assert [(hotel["adapter_id"], hotel["hotel_orig_id"]) for hotel in suppliers][0] == (101, "73898") and len(suppliers) == 2


def test_every_block_is_run():
    assert {language for language, _, _ in BLOCKS} == {"sh", "js"}
    assert [text for language, text, _ in BLOCKS if language == "sh" and "curl" not in text] == [". demo/keys.env\n"]
