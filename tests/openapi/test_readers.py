"""Programs as teams write them by hand, from the specification and the table of nulls in docs/contract.md, read every answer of the two
APIs: those that the black box got (DRG_EXCHANGES), or those to requests made from the document. Debian has no .NET: nothing reads as C# does."""
import base64
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
JARS = ":".join(f"/usr/share/java/jackson-{part}.jar" for part in ("annotations", "core", "databind"))
READERS = {"php": ["php", HERE / "readers" / "reader.php"], "java": ["java", "-cp", JARS, HERE / "readers" / "Reader.java"]}


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
def test_a_reader_written_by_hand_reads_every_answer(answers, language):
    if shutil.which(READERS[language][0]) is None or (language == "java" and not all(map(os.path.exists, JARS.split(":")))):
        pytest.skip(f"no {language}: tools/install-deps test-all")
    done = subprocess.run([*READERS[language], answers], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=600, check=False)
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
def test_readers_find_what_is_planted(tmp_path, language, operation, body):
    if shutil.which(READERS[language][0]) is None or (language == "java" and not all(map(os.path.exists, JARS.split(":")))):
        pytest.skip(f"no {language}: tools/install-deps test-all")
    (tmp_path / "answers").write_text(f"{operation}\t{body}\n", "utf-8")
    done = subprocess.run([*READERS[language], tmp_path / "answers"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=600, check=False)
    assert done.returncode == 1 and done.stderr.startswith(operation), done
