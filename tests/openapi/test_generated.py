"""10,000 requests made from each OpenAPI document and 10,000 slips of them: never a 500, every answer is in the document, and what the
document calls valid is never refused for its form. DRG_REQUESTS=1000 makes fewer, DRG_SEED=2 others."""
import base64
import collections
import http.client
import json
import os
import re
import subprocess
import urllib.parse

import pytest

from browser import Browser
from conftest import DOCUMENTS, HERE
from generated import Generator
from templates import PASSWORD

REQUESTS, SEED = int(os.environ.get("DRG_REQUESTS", "10000")), int(os.environ.get("DRG_SEED", "1"))
#: Values that mini.ndjson has, and times to wait that are none.
KNOWN = {"adapter_id": [7, 7, 8, 21, 22], "dep_city": [10, 11, 12], "country": [1, 3, "TR", "ua"], "hotel": [55, 56], "city": [331, -44],
         "hotel_orig_id": ["1001", "1001-B"], "currency": [1], "meal": [1], "hotel_category": [5], "source_id": [1, 2, 3], "wait": [0],
         "search": ["kyiv", "лондон", "KBP"], "iata_code": ["KBP", "lon"], "external_id": [301, "KBP-Z"], "dict_id": [55, 56, 331, 1], "into": [57],
         "q": ["blue", "KBP"], "batch": [2, 3, 4, 5], "kind": ["hotel"], "(file)": [b"id;name;country;city\nN1;Hotel Nile;Egypt;Hurghada\n"]}
#: What a request that the document calls valid may still be refused for, whatever its operation: what no schema can know.
OF_DATA = {
    "unknown_adapter", "unknown_dep_city", "unknown_country", "unknown_hotel",  # an id that the data does not have
    "unknown_source", "unknown_dict", "unknown_batch", "unknown_user", "unknown_key", "unknown_flag", "not_found",
    "user_exists", "not_unique", "revoked_key", "overlap_running", "undone_already", "changed_since",  # what is as it is
    "not_authorized", "role_not_allowed", "adapter_not_allowed", "sign_in_failed",  # rights
    "too_many_attempts", "idempotency_mismatch", "busy", "queue_full",  # limits, and the Idempotency-Key of another body
    "invalid_cursor",  # opaque
}
ELEMENTS = {"already_exists", "duplicate_id"}
#: Of single operations: what a password may be depends on the name, and behind a proxy that signs in nothing is required; what a key may
#: have depends on its API and role, and it does not end in the past; a file is what it is (an empty one is none), and so are the columns of a new one; either
#: queries or extend; a name to search for has letters or digits.
OF_ONE = {("choosePassword", "invalid_password"), ("signIn", "missing_field"), ("reconcileService", "repeated_parameter"), ("curateSearch", "bad_request"),
          *((key, reason) for key in ("keyCreate", "keySet") for reason in ("invalid_option", "invalid_date")),
          *((file, reason) for file in ("curateLoad", "curateTakeBack") for reason in ("missing_field", "not_processable", "bad_rows", "new_columns", "other_file",
                                                                                       "too_many_gone"))}
#: No test asks for these to succeed: signing out ends the session, a link works once, signing in has to wait, and takeBack takes what
#: queueFile has given.
NOT_ANSWERED = {"signOut", "choosePassword", "signIn", "curateTakeBack"}


def ways(server, curator, person=None):
    """How each security scheme is met; without a person, who has signed in, sessions are not."""
    key, secret = curator["key"], curator["secret"]
    of_person = {} if person is None else {"session": {"Cookie": person.cookie}, "csrf": {"X-CSRF-Token": person.csrf}}
    return {**of_person, "keyA": {"X-Api-Key": server.key_a}, "keyB": {"X-Service-Api-Key": key}, "clientKeyB": {"X-Service-Client-Key": key},
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


def is_kept_out(request, own, lasting):
    """True if the request would break the other requests: end the session, revoke one of the keys (`own`: their numbers; `lasting`: a key
    that can change but is never revoked), or stop the import of the data."""
    address = urllib.parse.urlsplit(request.path)
    if address.path == "/v1/access/keyRevoke":
        own = own | {lasting}
    return (request.method == "DELETE" or (address.path.startswith("/v1/access/key") and own & set(dict(urllib.parse.parse_qsl(address.query)).values()))
            or (address.path == "/v1/curate/batchUndo" and re.search(rb'"batch": ?"?1\b', request.body or b"")))


def refusal(status, body):
    return json.loads(body)["error"]["reason"] if status >= 400 and body else None


@pytest.mark.parametrize("name", list(DOCUMENTS))
def test_generated_requests_and_slips(name, documents, make_server, new_key, run, seen, mini, tmp_path):
    server = make_server(mini)
    for who, role in (("olga", "admin"), ("vera", "viewer")):
        assert run("user", "add", who, "--role", role, "--password-file", "-", "--data", server.data, stdin=PASSWORD.encode()).returncode == 0
    olga = Browser(server)
    assert seen(lambda: olga.sign_in("olga").status == 200)
    curator, reader = new_key(server.data, "b", "--secret", "--role", "curator"), new_key(server.data, "b", "--role", "reader")
    assert seen(lambda: server.b("tour/reference", key=curator["key"]).status == 200)
    assert seen(lambda: server.request(f"/v1/reconcile/{reader['key']}").status == 200)
    document = json.loads(documents[name].read_text("utf-8"))
    spare = [new_key(server.data, "b", "--secret")["id"] for _ in range(3)]
    known = {**KNOWN, "key": [reader["key"]], "id": [*spare, 55, "1001", "hotel-55"], "name": ["vera"]}
    made = Generator(document, f"{SEED} {name}", known, ways(server, curator, olga))
    own = {str(key["id"]) for key in (*server.keys.values(), curator, reader)}
    sender = Sender(server, tmp_path / "exchanges")
    statuses, refused, answered, failed = collections.Counter(), collections.Counter(), set(), []
    for _ in range(REQUESTS):
        request = made.request()
        if is_kept_out(request, own, str(spare[0])):
            continue
        status, headers, body = sender.send(request)
        reason = refusal(status, body)
        statuses[status] += 1
        if status == 200:
            answered.add(request.operation)
        if status >= 400:
            refused[request.operation, reason] += 1
        elif request.operation == "sourceAdd" and '"error"' in body.decode("utf-8", "replace") and "content-encoding" not in headers:
            refused.update(("sourceAdd", m["error"]["reason"]) for of in json.loads(body)["data"].values() if isinstance(of, dict)
                           for m in of.values() if isinstance(m, dict) and "error" in m)
        if status >= 500:
            failed.append((status, request))
        slip = made.slip(request)
        if is_kept_out(slip, own, str(spare[0])):
            continue
        status, headers, body = sender.send(slip)
        if status in (500, 502):
            failed.append((status, slip))
    sender.file.close()
    assert olga.is_in()
    print(f"seed {SEED} {name}: {dict(statuses)}, refused: {dict(refused)}")
    assert failed == []
    forms = {what: n for what, n in refused.items() if what[1] not in OF_DATA | (ELEMENTS if what[0] == "sourceAdd" else set())
             and what not in OF_ONE}
    assert forms == {}, f"refused, and the document calls it valid: {forms}"
    assert statuses[200] > REQUESTS / 10
    never = {o["operationId"] for *_, o in made.operations} - answered - NOT_ANSWERED
    assert REQUESTS < 10000 or never == set()
    done = subprocess.run(["node", HERE / "validate.js", documents["both"], tmp_path / "exchanges", "--some"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 0, done.stderr[:5000]
