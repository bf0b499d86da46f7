"""A plain HTTP client for the tests: one connection per request, nothing decoded unless asked."""
import gzip
import http.client
import json
import os
import pathlib
import re
import subprocess
import time

import brotli

import recording

#: Sanitizers or valgrind.
SLOW = os.environ.get("DRG_SLOW") == "1"
#: Seconds that a test waits for what has to come: a guard against hanging, never a measure.
PATIENCE = 300
HEADER = {"a": "X-Api-Key", "b": "X-Service-Api-Key"}
BASE = {"a": "/api/v1/", "b": "/v1/"}


def no_duplicates(pairs):
    """For json.loads: a member name that stands twice in one object is a fault of the server."""
    names = [name for name, _ in pairs]
    assert len(names) == len(set(names)), f"duplicate members among {names}"
    return dict(pairs)


class Response:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def plain(self):
        """The body without its content coding."""
        coding = self.headers.get("Content-Encoding", "identity")
        return DECODE[coding](self.body)

    def json(self):
        return json.loads(self.plain().decode("utf-8"), object_pairs_hook=no_duplicates)

    def data(self):
        assert self.status == 200, (self.status, self.body[:500])
        return self.json()["data"]

    def __repr__(self):
        return f"<{self.status} {self.body[:300]!r}>"


def unpack_zstd(body):
    return subprocess.run(["zstd", "-dc"], input=body, stdout=subprocess.PIPE, check=True).stdout


DECODE = {"identity": bytes, "gzip": gzip.decompress, "br": brotli.decompress, "zstd": unpack_zstd}


def request(port, path, method="GET", headers=None, body=None, timeout=5 * PATIENCE, host="127.0.0.1"):
    """One request on a connection of its own. Raises what http.client raises when the answer is cut."""
    connection = http.client.HTTPConnection(host, port, timeout=timeout)
    try:
        connection.request(method, path, body=body, headers={"Connection": "close", **(headers or {})})
        answer = connection.getresponse()
        response = Response(answer.status, answer.headers, answer.read())
        recording.exchange(method, path, response)
        return response
    finally:
        connection.close()


def wait_until(condition, seconds=PATIENCE):
    """The first true value of condition(); the last one asked for is asked for when the time is over, not before."""
    end = time.monotonic() + seconds
    while True:
        began = time.monotonic()
        value = condition()
        if value or began > end:
            return value
        time.sleep(0.02)


def eventually(condition, seconds=PATIENCE):
    """wait_until(), where it fails the test that it never came."""
    found = wait_until(condition, seconds)
    assert found, "it never came to hold"
    return found


def settled(value):
    """What it is when it has been the same for a while; for what comes before a test's own doing."""
    seen = []

    def same():
        seen.append(value())
        return len(seen) > 20 and len(set(seen[-20:])) == 1
    eventually(same)
    return seen[-1]


def documented_reasons():
    """(reason, status) of the table in docs/contract.md."""
    document = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "contract.md").read_text("utf-8")
    rows = re.findall(r"^\| (`[a-z_0-9]+`(?:, `[a-z_0-9]+`)*) \| (\d{3}(?:, \d{3})*) \|", document, re.M)
    return {(reason, int(status)) for reasons, statuses in rows for reason in re.findall(r"\w+", reasons)
            for status in statuses.split(", ")}


REASONS = documented_reasons()


def assert_error(response, status, field=None, reason=None, names=None):
    """The error body of decision E1, to the letter."""
    assert response.status == status, response
    assert response.headers["Content-Type"].split(";")[0] == "application/json"
    body = response.json()
    assert set(body) == {"status", "error"}, body
    assert body["status"] == "error"
    error = body["error"]
    assert set(error) == {"code", "reason", "field", "message"}, error
    assert error["code"] == status and isinstance(error["code"], int)
    assert (error["reason"], status) in REASONS, f"docs/contract.md has no such reason: {error}"
    assert isinstance(error["message"], str) and error["message"]
    assert "\n" not in error["message"]
    if field is not None:
        assert error["field"] == field, error
        assert field in error["message"], error
    else:
        assert error["field"] is None or isinstance(error["field"], str), error
    if reason is not None:
        assert error["reason"] == reason, error
    if names is not None:
        assert names in error["message"], error
    return error


def ready(port, member):
    """What /readyz says of itself."""
    return request(port, "/readyz").json()[member]


def waits(port, n):
    """So many requests have come to wait for something new."""
    assert wait_until(lambda: ready(port, "waiting") == n), ready(port, "waiting")
