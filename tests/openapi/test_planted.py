"""Answers that are a little wrong are caught, each by itself: else a validator that passes everything would go unseen."""
import base64
import copy
import json
import subprocess

import pytest

from conftest import HERE


@pytest.fixture(scope="module")
def recorded(described):
    """Good exchanges of several sorts, as tests/api records them."""
    def of(method, path, body=None, headers=None):
        keys = {"X-Api-Key": described.key_a, "X-Service-Api-Key": described.key_b, "X-Service-Api-Secret": described.secret_b}
        answer = described.request(path, method, keys | (headers or {}), body and json.dumps(body).encode())
        return {"test": "planted", "method": method, "path": path, "status": answer.status, "body": answer.body.decode(),
                "headers": {name.lower(): value for name, value in answer.headers.items()}}

    return {"info": of("POST", "/v1/tour/sourceInfo?adapter_id=7", {"hotel": "1001", "meal": "AI"}),
            "list": of("GET", "/v1/tour/reference"), "error": of("GET", "/v1/tour/hotelCheck"),
            "export": of("GET", "/v1/export/sources"), "nowhere": of("GET", "/nope"),
            "old": of("POST", "/v1/tour/compared", {"adapter_id": 7, "lang_code": "en"})}


def held(documents, tmp_path, exchange):
    """What validate.js says of one exchange."""
    folder = tmp_path / "exchanges"
    folder.mkdir(exist_ok=True)
    line = exchange | {"body": base64.b64encode(exchange["body"].encode()).decode()}
    (folder / "1.ndjson").write_text(json.dumps(line) + "\n", "utf-8")
    done = subprocess.run(["node", HERE / "validate.js", documents["both"], folder, "--some"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stderr


def test_good_ones_pass(documents, tmp_path, recorded):
    for name, exchange in recorded.items():
        assert held(documents, tmp_path, exchange) == (0, ""), name


def body(**changes):
    """Each change: a path of members with dots between, and the value that it gets; ... takes it away."""
    def change(exchange):
        value = json.loads(exchange["body"])
        for path, new in changes.items():
            *way, last = path.split("__")
            at = value
            for step in way:
                at = at[int(step) if step.isdigit() else step]
            if new is ...:
                del at[last]
            else:
                at[last] = new
        exchange["body"] = json.dumps(value)
    return change


def header(name, value):
    return lambda exchange: exchange["headers"].update({name: value})


PLANTED = [
    ("info", body(status="ok"), "/status"), ("info", body(data__hotel__0__id=1001), "/data/hotel/0/id"),
    ("info", body(data__hotel__0__dict__city_id="331"), "city_id"), ("info", body(data__hotel__0__dict__name=None), "name"),
    ("info", body(data__hotel__0__source=...), "source"), ("info", body(data__meal__0__dict__extra=1), "extra"),
    ("info", body(more=True), "more"), ("info", lambda x: x.update(status=418), "418"), ("info", lambda x: x.update(body="{}"), "status"),
    ("info", header("content-type", "text/html"), "text/html"), ("info", header("x-surprise", "1"), "x-surprise"),
    ("info", header("x-data-version", "7"), "x-data-version"), ("list", body(items__0__kind="planet"), "kind"),
    ("list", body(data__country={}), "/data/country"), ("error", body(error__code="400"), "code"),
    ("error", body(error__reason=5), "reason"), ("error", body(error__reason="made_up"), "made_up"), ("error", body(error__field=...), "field"),
    ("export", lambda x: x.update(body=x["body"].replace('"end"', '"fin"')), "type"),
    ("nowhere", body(error__code=400), "error"), ("old", header("deprecation", "yes"), "deprecation"),
    ("old", header("access-control-allow-origin", "*"), "access-control-allow-origin"), ("list", header("access-control-allow-methods", "GET"), "allow-methods"),
]


@pytest.mark.parametrize("name, plant, word", PLANTED, ids=range(len(PLANTED)))
def test_a_planted_fault_is_caught(documents, tmp_path, recorded, name, plant, word):
    exchange = copy.deepcopy(recorded[name])
    plant(exchange)
    status, said = held(documents, tmp_path, exchange)
    assert status == 1 and word in said, said
