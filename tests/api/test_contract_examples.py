"""Every example of docs/contract.md and src/openapi/examples.md is a request and its whole answer: sent as it stands, compared
member by member, in their order. "…" as a value stands for any text, and 0 as data_version for any number, as
matched for null too (the matcher may not have looked, or is off)."""
import json
import pathlib
import re

import pytest

import client
from model import dump

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = (ROOT / "docs/contract.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```http\n(GET|POST) (\S+)\n(?:\n(.*?)\n)?```\n+```json\n(.*?)^```$",
                      DOCUMENT + (ROOT / "src/openapi/examples.md").read_text("utf-8"), re.M | re.S)
#: Method and path of each endpoint, from the tables of both pages.
ENDPOINTS = re.findall(r"^\| `(GET|POST) (/\S+)` \|", DOCUMENT + (ROOT / "docs/curator-api.md").read_text("utf-8"), re.M)
#: Answers that are no JSON document, or describe everything, or take somebody who has signed in (test_sign_in.py, test_access.py).
WITHOUT = {"/v1/session", "/v1/session/who", "/v1/session/password", "/v1/export/sources", "/flags/:ratio/:file", "/openapi.json", "/api/v1/openapi.json", "/v1/openapi.json"}

VERSIONS = {"data_version": (int,), "matched": (int, type(None))}


@pytest.fixture(scope="module")
def server(module_servers, mini):
    return module_servers.make(mini, "--public-url", "https://ref.example.com")


def ask(server, method, path, body):
    headers = {client.HEADER["a"]: server.key_a, client.HEADER["b"]: server.key_b,
               "X-Service-Api-Secret": server.secret_b}
    return server.request(path, method, headers, body.encode() if body else None)


def fill(expected, found):
    """What the document leaves open is as it was found."""
    if expected == "…" and isinstance(found, str) and found:
        return found
    if isinstance(expected, dict) and isinstance(found, dict):
        return {k: found.get(k) if type(found.get(k)) in VERSIONS.get(k, ()) else fill(v, found.get(k))
                for k, v in expected.items()}
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        return [fill(e, f) for e, f in zip(expected, found)]
    return expected


@pytest.mark.parametrize("method, path, body, answer", EXAMPLES, ids=[f"{m} {p}" for m, p, _, _ in EXAMPLES])
def test_an_example_is_answered_as_it_says(server, method, path, body, answer):
    response = ask(server, method, path, body)
    assert response.status == 200, response
    found = response.json()
    assert dump(found) == dump(fill(json.loads(answer), found))


def matches(endpoint, path):
    return re.fullmatch(re.sub(r":\w+", "[^/]+", endpoint), path.split("?")[0])


@pytest.mark.parametrize("method, endpoint", [e for e in ENDPOINTS if e[1] not in WITHOUT and not e[1].startswith(("/v1/curate/", "/v1/reconcile/", "/v1/access/"))])
def test_each_endpoint_has_an_example(method, endpoint):
    assert any(m == method and matches(endpoint, path) for m, path, _, _ in EXAMPLES)
