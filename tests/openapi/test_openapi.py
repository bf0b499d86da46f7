"""Spectral and Redocly find nothing; generated clients compile and call everything; answers are what the documents say."""
import json
import os
import re
import pathlib
import subprocess

import pytest

import client

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = ROOT / "tests" / "openapi" / "node_modules" / ".bin"


def load(file):
    return json.loads(file.read_text("utf-8"))


def operations(document):
    return {(method.upper(), path): o for path, item in document["paths"].items() for method, o in item.items()}


def test_linters_find_nothing(node, documents):
    assert node("lint.js", *documents.values()).startswith("3 documents, 0 findings")


@pytest.mark.parametrize("spoilt, found", [
    (lambda d: d["paths"]["/healthz"]["get"].update(operationId="ready"), "operationId"),
    (lambda d: d["components"]["schemas"].pop("Adapter"), "ref"),
])
def test_linters_find_what_is_planted(documents, tmp_path, spoilt, found):
    document = load(documents["both"])
    spoilt(document)
    (tmp_path / "spoilt.json").write_text(json.dumps(document), "utf-8")
    done = subprocess.run(["node", ROOT / "tests/openapi/lint.js", tmp_path / "spoilt.json"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1 and found.lower() in done.stderr.lower(), done.stderr


BY_KEY = [{"keyB": [], "secretB": []}, {"clientKeyB": [], "clientSecretB": []}]


def test_every_route_is_there(documents):
    """Those of docs/contract.md and docs/curator-api.md, which the lint holds to the code."""
    contract = "".join((ROOT / "docs" / name).read_text("utf-8") for name in ("contract.md", "curator-api.md"))
    rows = re.findall(r"^\| `(GET|POST|DELETE) (/\S+)` \| ([^|]+) \| \[([^\]]*)\]", contract, re.M)
    told = {(m, re.sub(r":(\w+)", r"{\1}", p)): (key, summary) for m, p, key, summary, *_ in rows}
    # A key in the path is a parameter (decision O1): OpenAPI has no scheme for it.
    keys = {"none": [], "B, in the path": [], "A": [{"keyA": []}], "B": [{"keyB": []}, {"clientKeyB": []}], "B and secret": BY_KEY,
            "person": [{"session": []}], "person, or nobody": [{}, {"session": []}], "viewer": BY_KEY + [{"session": []}], "curator": BY_KEY + [{"session": []}], "admin": [{"session": []}]}
    both = operations(load(documents["both"]))
    assert {o: v for o, v in told.items() if o not in both and v[0] != "none"} == {}
    for operation, found in both.items():
        ways = [{scheme: [] for scheme in way if scheme != "csrf"} for way in found["security"]]
        # What changes something has the token beside the cookie.
        assert all(("csrf" in way) == (operation[0] != "GET") for way in found["security"] if "session" in way)
        assert (ways, found["summary"]) == (keys[told[operation][0]], told[operation][1]), operation
    parts = {name: set(operations(load(documents[name]))) for name in ("a", "b")}
    assert parts["a"] | parts["b"] == set(both)
    open_to_all = {o for o, found in both.items() if found["security"] == []}
    by_path = {o for o, (key, _) in told.items() if key == "B, in the path"}
    assert parts["a"] & parts["b"] == open_to_all - by_path and by_path == parts["b"] & by_path != set()


def test_what_is_deprecated(documents):
    assert [path for (_, path), o in operations(load(documents["both"])).items() if o.get("deprecated")] == ["/v1/tour/compared"]


def test_reasons_are_those_of_the_contract(documents):
    schemas = load(documents["both"])["components"]["schemas"]
    told = {(word, int(name[5:])) for name, schema in schemas.items() if re.fullmatch(r"Error\d+", name)
            for word in schema["properties"]["error"]["properties"]["reason"]["examples"]}
    statuses = {status for _, status in told}
    of_elements = {("already_exists", 400), ("duplicate_id", 400)}
    assert told - client.REASONS == of_elements
    assert {word for word, status in client.REASONS if status in statuses} == {word for word, _ in told - of_elements}


def test_examples_are_answered_as_they_say(described, documents):
    """Parameters, body and answer of one name. (docs/contract.md's own test compares every member.)"""
    keys = {"X-Api-Key": described.key_a, "X-Service-Api-Key": described.key_b, "X-Service-Api-Secret": described.secret_b}
    document, count = load(documents["both"]), 0
    for (method, path), o in operations(document).items():
        content = o["responses"]["200"].get("content", {}).get("application/json", {})
        for name, example in content.get("examples", {}).items():
            body = o.get("requestBody", {}).get("content", {}).get("application/json", {}).get("examples", {}).get(name)
            address = path
            query = []
            for p in o["parameters"]:
                if name not in p.get("examples", {}):
                    continue
                value = p["examples"][name]["value"]
                if p["in"] == "path":
                    address = address.replace("{" + p["name"] + "}", str(value))
                for one in value if isinstance(value, list) else [value]:
                    query += [f"{p['name']}={one}"] if p["in"] == "query" else []
            answer = described.request(address + ("?" + "&".join(query) if query else ""), method, keys,
                                       json.dumps(body["value"]).encode() if body else None)
            assert answer.status == 200, (name, answer)
            assert set(answer.json()) == set(example["value"])
            count += 1
    assert count >= 18


def clients_made(workshop, documents):
    subprocess.run([BIN / "openapi-typescript", documents["both"], "-o", workshop / "schema.d.ts"], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run([BIN / "openapi-ts", "-i", documents["both"], "-o", "heyapi", "-c", "@hey-api/client-fetch"], check=True,
                   cwd=workshop, stdout=subprocess.DEVNULL)
    done = subprocess.run([BIN / "tsc", "-p", "."], cwd=workshop, stdout=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_clients_of_two_generators_call_everything(workshop, documents, make_server, new_key, seen, run, mini):
    clients_made(workshop, documents)
    server = make_server(mini)
    assert run("user", "add", "anna", "--role", "curator", "--password-file", "-", "--data", server.data,
               stdin=b"correct horse battery\n").returncode == 0
    curator = new_key(server.data, "b", "--secret", "--role", "curator")
    assert seen(lambda: server.b("tour/reference", key=curator["key"]).status == 200)
    reader = new_key(server.data, "b", "--role", "reader")
    assert seen(lambda: server.request(f"/v1/reconcile/{reader['key']}").status == 200)
    env = {**os.environ, "KEY_READER": reader["key"], "SERVER": server.url, "KEY_A": server.key_a, "KEY_B": curator["key"], "SECRET_B": curator["secret"]}
    document = operations(load(documents["both"]))
    for script, wanted in (("fetch", sorted(f"{method} {path}" for method, path in document)),
                           ("heyapi", sorted(o["operationId"] for o in document.values()))):
        done = subprocess.run(["node", f"out/{script}.js"], cwd=workshop, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout) == wanted


def test_the_client_of_the_page_compiles_as_shown_and_runs(workshop, documents, make_server):
    page = (ROOT / "docs" / "clients.md").read_text("utf-8")
    (workshop / "shown.ts").write_text(re.search(r"^```ts\n(.*?)^```$", page, re.M | re.S).group(1), "utf-8")
    (workshop / "tsconfig.shown.json").write_text('{"extends": "./tsconfig.json", "files": ["shown.ts"]}', "utf-8")
    subprocess.run([BIN / "openapi-typescript", documents["both"], "-o", workshop / "schema.d.ts"], check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run([BIN / "tsc", "-p", "tsconfig.shown.json"], cwd=workshop, stdout=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 0, done.stdout
    server = make_server([{"type": "adapter", "id": 101, "code": "sunny", "name": "Sunny", "domain": "tour"},
                          {"type": "source", "adapter_id": 101, "kind": "hotel", "id": "73898", "name": "Bela Dolphin", "country_name": "Montenegro", "dict_id": 1},
                          {"type": "dict", "kind": "country", "id": 499, "name": "Montenegro", "iso_alpha_2": "ME"}, {"type": "dict", "kind": "city", "id": 2, "name": "Budva", "country_id": 499},
                          {"type": "dict", "kind": "hotel_category", "id": 3, "name": "3*"},
                          {"type": "dict", "kind": "hotel", "id": 1, "name": "Dolphin", "country_id": 499, "city_id": 2, "hotel_category_id": 3}])
    env = {**os.environ, "BASE": server.url, "KEY_B": server.key_b, "SECRET_B": server.secret_b}
    done = subprocess.run(["node", "out/shown.js"], cwd=workshop, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
    assert done.returncode == 0 and done.stdout.startswith("73898 Dolphin\nnope undefined\n") and "'New Palace'" in done.stdout and "dict_id: null" in done.stdout, done.stdout


@pytest.mark.skipif("DRG_EXCHANGES" not in os.environ, reason="no exchanges were recorded (DRG_EXCHANGES)")
def test_every_recorded_answer_is_in_the_document(node, documents):
    print(node("validate.js", documents["both"], os.environ["DRG_EXCHANGES"]))


@pytest.mark.parametrize("operation, name, valid, refused", [
    ("keyRotate", "overlap", ["90s", "999h", "1999h", "2160h", "90d"], ["2161h", "4321h", "91d", "h"]),
    ("userAdd", "name", ["olena", "O. K", "Žofie", "keyra"], ["\u00a0", "\u3000", "\u2003olena", "olena ", "key 7", "KEY x"]),
])
def test_forms_of_parameters_are_those_of_the_server(documents, run, make_server, mini, operation, name, valid, refused):
    """What the pattern of the document refuses the server may refuse, and what it takes the server takes."""
    _, parameters = next((key, o["parameters"]) for key, o in operations(load(documents["both"])).items() if o["operationId"] == operation)
    pattern = next(re.compile(p["schema"]["pattern"]) for p in parameters if p["name"] == name)
    assert [value for value in valid + refused if pattern.search(value)] == valid
    server = make_server(mini)
    for value in valid:
        done = (run("user", "add", value, "--role", "viewer", "--no-password", "--data", server.data) if name == "name" else
                run("key", "rotate", server.keys["b"]["id"], "--overlap", value, "--force", "--data", server.data))
        assert done.returncode == 0, (value, done.stderr)
