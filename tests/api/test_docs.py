"""What the README and docs/ show is run as it stands: commands, requests, records."""
import json
import re
import subprocess

import pytest

import client
import copying
from guide import ROOT, Reader, assert_printed, blocks, free_port, page


def of_language(name, language):
    return [text for of, text in blocks(name) if of == language]


def block_with(name, language, text):
    return next(block for block in of_language(name, language) if text in block)


def test_examples_of_the_interchange_format_are_imported(run, mini, tmp_path):
    lines = [line for block in of_language("docs/interchange.md", "json") for line in block.splitlines()]
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
def test_own_data_of_the_readme_is_served_as_it_says(run, dragoman, tmp_path):
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "dragoman").symlink_to(dragoman)
    script, shown = re.search(r"```sh\n(cat > my.ndjson.*?)```\n.*?`(?=kill %1`).*?```json\n(.*?)```", page("README.md"), re.S).groups()
    said = Reader(tmp_path).types(script.replace("8081", str(free_port())) + "kill %1\n")
    assert_printed(shown, said)
    kinds = {json.loads(line).get("kind") for line in run("export", "--data", tmp_path / "my-data").stdout.splitlines()}
    assert {"hotel", "meal", "city", "hotel_category"} <= kinds  # or the form would show nothing


def test_the_requests_of_the_readme_answer_as_it_says(reader):
    keys, *requests = block_with("README.md", "sh", "keys.env").splitlines()
    shown = of_language("README.md", "json")[:3]
    assert len(requests) == 3
    for request, answer in zip(requests, shown):
        assert_printed(answer.replace("http://127.0.0.1:8080", reader.base), reader.types(f"{keys}\n{request}"))


def test_every_program_of_a_guide_finds_what_it_reads_exported(reader):
    exported = {line.partition("=")[0] for line in reader.types(". demo/keys.env\nenv").splitlines()}
    for name in ("docs/integrator.md", "docs/clients.md", "docs/changes.md"):
        for language, text in blocks(name):
            read = set(re.findall(r"(?i)(?:getenv|GetEnvironmentVariable|environ)[(\[][\"'](\w+)", text))
            for names in re.findall(r"const {([^}]*)} = process\.env", text):
                read |= {each.strip() for each in names.split(",")}
            assert read <= exported, (name, language)
            assert read or language in ("sh", "text", "json"), (name, language)


def test_the_copy_of_the_changes_guide_is_made_by_its_command(reader):
    (reader.folder / "mapping_copy.py").write_text(copying.CODE, "utf-8")
    with reader.keeps_running(block_with("docs/changes.md", "sh", "mapping_copy.py")) as program:
        def hotel():
            assert program.poll() is None
            copy = copying.Copy(str(reader.folder / "mapping.db"), "", "")
            return copy.look_up(101, "hotel", "73898")["dict"]
        assert client.eventually(hotel)["name"] == "Bela Dolphin Hotel & Spa"


def test_the_curators_requests_are_answered(make_server, mini, dragoman, tmp_path):
    server = make_server(mini)
    reader = Reader(tmp_path)
    reader.environment.update(DRAGOMAN_DATA=str(server.data), BASE=server.url, PATH=f"{dragoman.parent}:{reader.environment['PATH']}")
    create, curl = block_with("docs/curating.md", "sh", "key create").splitlines()
    made = dict(line.split(maxsplit=1) for line in reader.types(create).splitlines() if line.split()[0] in ("key", "secret"))
    reader.environment.update(KEY=made["key"], SECRET=made["secret"])
    curl = curl.replace("curl ", "curl -sSf ")
    answer = client.eventually(lambda: reader.types(f"{curl} || true"))      # a key is known within a second
    assert json.loads(answer)["data"]["items"] == []
    (tmp_path / "hotels.xlsx").write_bytes((ROOT / "docs" / "first-week" / "mavi.xlsx").read_bytes())
    for script in of_language("docs/curating.md", "sh")[1:]:
        reader.types(script.replace("curl ", "curl -sSf "))


def test_what_the_readme_makes_is_ignored_by_git():
    for name in ("my-data/dragoman.db", "my.ndjson", "demo/keys.env"):
        assert subprocess.run(["git", "check-ignore", "-q", name], cwd=ROOT).returncode == 0, name
