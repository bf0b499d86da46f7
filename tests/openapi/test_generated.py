"""10,000 requests made from each OpenAPI document and 10,000 slips of them: never a 500, every answer is in the document, and what the
document calls valid is never refused for its form. DRG_REQUESTS=1000 makes fewer, DRG_SEED=2 others."""
import base64
import collections
import http.client
import json
import os
import subprocess

import pytest

from conftest import DOCUMENTS, HERE
from generated import Generator

REQUESTS, SEED = int(os.environ.get("DRG_REQUESTS", "10000")), int(os.environ.get("DRG_SEED", "1"))
#: Values that mini.ndjson has, and times to wait that are none.
KNOWN = {"adapter_id": [7, 7, 8, 21, 22], "dep_city": [10, 11, 12], "country": [1, 3, "TR", "ua"], "hotel": [55, 56], "city": [331, -44],
         "hotel_orig_id": ["1001", "1001-B"], "currency": [1], "meal": [1], "hotel_category": [5], "source_id": [1, 2, 3], "wait": [0],
         "search": ["kyiv", "лондон", "KBP"], "iata_code": ["KBP", "lon"], "external_id": [301, "KBP-Z"]}
#: What a request that the document calls valid may still be refused for, whatever its operation: what no schema can know.
OF_DATA = {
    "unknown_adapter", "unknown_dep_city", "unknown_country", "unknown_hotel",  # an id that the data does not have
    "unknown_source", "unknown_dict", "unknown_batch", "unknown_user", "unknown_key", "unknown_flag", "not_found",
    "not_authorized", "role_not_allowed", "adapter_not_allowed", "sign_in_failed",  # rights
    "too_many_attempts", "idempotency_mismatch", "busy", "queue_full",  # limits, and the Idempotency-Key of another body
}
ELEMENTS = {"already_exists", "duplicate_id"}
#: Of single operations: a cursor is opaque, what a password may be depends on the name, and behind a proxy that signs in nothing is required.
OF_ONE = {("changes", "invalid_cursor"), ("choosePassword", "invalid_password"), ("signIn", "missing_field")}
#: Operations whose texts have forms that are documented in words only; the two APIs of the specification have none.
BY_WORDS = {"Curating", "Reconciliation"}


def ways(server, curator):
    """People's sessions are left out: what only administrators may ask for is refused, before its form is looked at."""
    key, secret = curator["key"], curator["secret"]
    return {"keyA": {"X-Api-Key": server.key_a}, "keyB": {"X-Service-Api-Key": key}, "clientKeyB": {"X-Service-Client-Key": key},
            "secretB": {"X-Service-Api-Secret": secret}, "clientSecretB": {"X-Service-Client-Secret": secret}}


class Sender:
    """One connection; what was asked and answered goes into a file as tests/api records it."""

    def __init__(self, server, folder):
        self.server, self.connection = server, None
        folder.mkdir()
        self.file = (folder / "1.ndjson").open("w", encoding="utf-8")

    def send(self, request):
        if self.connection is None:
            self.connection = http.client.HTTPConnection(self.server.process.host, self.server.port, timeout=300)
        self.connection.request(request.method, request.path, request.body, request.headers)
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.will_close:
            self.connection.close()
            self.connection = None
        headers = {}
        for name, value in answer.getheaders():
            headers[name.lower()] = f"{headers[name.lower()]}, {value}" if name.lower() in headers else value
        test = f"{request.operation} {(request.body or b'')[:2000]!r} {request.headers}"
        self.file.write(json.dumps({"test": test, "method": request.method, "path": request.path, "status": answer.status, "headers": headers,
                                    "body": base64.b64encode(body).decode()}) + "\n")
        return answer.status, headers, body


def refusal(status, body):
    return json.loads(body)["error"]["reason"] if status >= 400 and body else None


@pytest.mark.parametrize("name", list(DOCUMENTS))
def test_generated_requests_and_slips(name, documents, make_server, new_key, seen, mini, tmp_path):
    server = make_server(mini)
    curator, reader = new_key(server.data, "b", "--secret", "--role", "curator"), new_key(server.data, "b", "--role", "reader")
    assert seen(lambda: server.b("tour/reference", key=curator["key"]).status == 200)
    assert seen(lambda: server.request(f"/v1/reconcile/{reader['key']}").status == 200)
    document = json.loads(documents[name].read_text("utf-8"))
    made = Generator(document, f"{SEED} {name}", {**KNOWN, "key": [reader["key"]]}, ways(server, curator))
    sender = Sender(server, tmp_path / "exchanges")
    statuses, refused, failed = collections.Counter(), collections.Counter(), []
    for _ in range(REQUESTS):
        request = made.request()
        status, headers, body = sender.send(request)
        reason = refusal(status, body)
        statuses[status] += 1
        if status >= 400:
            refused[request.operation, reason] += 1
        elif request.operation == "sourceAdd" and '"error"' in body.decode("utf-8", "replace") and "content-encoding" not in headers:
            refused.update(("sourceAdd", m["error"]["reason"]) for of in json.loads(body)["data"].values() if isinstance(of, dict)
                           for m in of.values() if isinstance(m, dict) and "error" in m)
        if status >= 500:
            failed.append((status, request))
        slip = made.slip(request)
        status, headers, body = sender.send(slip)
        if status in (500, 502):
            failed.append((status, slip))
    sender.file.close()
    print(f"seed {SEED} {name}: {dict(statuses)}, refused: {dict(refused)}")
    assert failed == []
    by_words = {o["operationId"] for *_, o in made.operations if BY_WORDS & set(o["tags"])}
    forms = {what: n for what, n in refused.items() if what[1] not in OF_DATA | (ELEMENTS if what[0] == "sourceAdd" else set())
             and what not in OF_ONE and what[0] not in by_words}
    assert forms == {}, f"refused, and the document calls it valid: {forms}"
    assert statuses[200] > REQUESTS / 10
    done = subprocess.run(["node", HERE / "validate.js", documents["both"], tmp_path / "exchanges", "--some"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 0, done.stderr[:5000]
