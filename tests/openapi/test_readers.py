"""Programs as teams write them by hand, from the specification and the table of nulls in docs/contract.md, read every answer of the two
APIs: those that the black box got (DRG_EXCHANGES), or those to requests made from the document; and ask a server themselves. Debian has no
.NET: nothing reads as C# does."""
import base64
import fcntl
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

from conftest import HERE
from generated import Generator
from test_generated import KNOWN, Sender, ways

#: Of the specification; what else there is are extensions, and errors have one form.
OPERATIONS = {"mainReferences", "mainReferencesOfCountry", "hotelReferences", "reference", "referenceData", "sourceInfo", "sourceData", "hotelCheck",
              "hotelDescription", "sourceAdd", "tourCompared", "aviaReference", "aviaDetail", "aviaCompared", "aviaComparedIn"}
FOLDER = HERE / "readers"
JARS = [f"/usr/share/java/jackson-{part}.jar" for part in ("annotations", "core", "databind")]
#: Of a language: what it needs besides its program, and how the reader is run; that of Go is built first.
PROGRAMS = {"php": ([], ["php", FOLDER / "reader.php"]), "java": (JARS, ["java", "-cp", ":".join(JARS), FOLDER / "Reader.java"]),
            "zod": ([], ["node", FOLDER / "reader.mjs"]), "go": ([], ["go"]), "curl": ([], ["php", FOLDER / "client.php"])}
READERS = ["php", "java", "zod", "go"]


@pytest.fixture(scope="session")
def command(tmp_path_factory):
    """command(language): how its program is run."""
    def command(language):
        files, run = PROGRAMS[language]
        if shutil.which(run[0]) is None or not all(map(os.path.exists, files)):
            pytest.skip(f"no {language}: tools/install-deps test-all")
        if language != "go":
            return run
        own = tmp_path_factory.getbasetemp()
        built = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "reader-go"  # of all workers
        with open(f"{built}.lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not built.exists():
                subprocess.run(["go", "build", "-o", built, FOLDER / "reader.go"], check=True, cwd=built.parent)
        return [built]
    return command


def run_of(command, *args, **env):
    return subprocess.run([*command, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=600, check=False, env={**os.environ, **env})


def operation_of(document, method, path):
    for pattern, item in document["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", pattern), path.split("?")[0]) and method.lower() in item:
            return item[method.lower()]["operationId"]
    return None


def exchanges(folder):
    for file in sorted(pathlib.Path(folder).glob("*.ndjson")):
        for line in file.open(encoding="utf-8"):
            yield json.loads(line)


@pytest.fixture(scope="module")
def answers(documents, session_servers, mini, tmp_path_factory):
    """A file: the name of the operation, or `error`, a tab, the body."""
    document, folder = json.loads(documents["both"].read_text("utf-8")), tmp_path_factory.mktemp("answers")
    recorded = os.environ.get("DRG_EXCHANGES")
    if recorded is None:
        server = session_servers.make(mini)
        made = Generator(document, 1, KNOWN, ways(server, server.keys["b"]))
        made.operations = [o for o in made.operations if o[2]["operationId"] in OPERATIONS]
        sender = Sender(server, folder / "exchanges")
        for _ in range(1000):
            sender.send(made.request())
        sender.file.close()
    with (folder / "answers").open("w", encoding="utf-8") as out:
        for x in exchanges(recorded or folder / "exchanges"):
            operation = operation_of(document, x["method"], x["path"])
            if operation not in OPERATIONS or x["status"] == 304 or x["headers"].get("content-encoding", "identity") not in ("identity", "gzip"):
                continue
            body = base64.b64decode(x["body"])
            if x["headers"].get("content-encoding") == "gzip":
                body = gzip.decompress(body)
            # JSON has line breaks between values only, where a supplier's object has them.
            text = body.decode().translate({10: 32, 13: 32})
            # Jackson 2.14.1, which Debian has, calls numbers of 19 digits "out of range of long", even the largest long.
            text = re.sub(r":(-?\d{18})\d\b", r":\1", text)
            out.write(f"{operation if x['status'] == 200 else 'error'}\t{text}\n")
    return folder / "answers"


@pytest.mark.parametrize("language", READERS)
def test_a_reader_written_by_hand_reads_every_answer(answers, command, language):
    done = run_of(command(language), answers)
    assert done.returncode == 0, done.stderr[:3000]
    read = json.loads(done.stdout)
    print(language, read)
    assert set(read) == OPERATIONS | {"error"} and sum(read.values()) == answers.read_bytes().count(b"\n")


@pytest.mark.parametrize("language", READERS)
@pytest.mark.parametrize("operation, body", [
    ("hotelCheck", '{"status":"success","data":[{"hotel_orig_id":1001,"adapter_id":7,"adapter":{"code":"a","name":"A"}}]}'),
    ("sourceData", '{"status":"success","data":{"adapter":{"id":7,"code":"a","name":"A"},"dep_city":null,"country":{"dict_id":null,"orig_id":1},'
                   '"city":[],"hotel":[],"hotel_category":[],"meal":[],"currency":null}}'),
    ("aviaReference", '{"status":"success","data":{"items":[],"more":true}}'), ("error", '{"status":"error","error":{"code":"400"}}')])
def test_readers_find_what_is_planted(tmp_path, command, language, operation, body):
    (tmp_path / "answers").write_text(f"{operation}\t{body}\n", "utf-8")
    done = run_of(command(language), tmp_path / "answers")
    assert done.returncode == 1 and done.stderr.startswith(operation), done


@pytest.mark.parametrize("language", ["zod", "go", "curl"])
def test_clients_written_by_hand_ask(command, session_servers, mini, new_key, seen, language):
    """A list; again with its tag; for a supplier that is not there; where nobody flies; more than the key may send today."""
    server = session_servers.make(mini)
    few = new_key(server.data, "b", "--secret", "--adds-per-day", "1")
    assert seen(lambda: server.b("tour/reference", key=few["key"]).status == 200)
    done = run_of(command(language), BASE=server.url, KEY_A=server.key_a, KEY_B=server.key_b, KEY_FEW=few["key"], SECRET_FEW=few["secret"])
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"meals": 2, "unchanged": [304, ""], "refused": [400, "unknown_adapter", "adapter_id"],
                                       "empty": [0, 0, 0, 0], "limited": [429, "too_many_today", True]}
