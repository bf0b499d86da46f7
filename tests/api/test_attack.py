"""Hostile input: what attacks found, and bodies with random faults, the same ones in each run."""
import json
import random
from urllib.parse import quote

import pytest

from client import assert_error


@pytest.mark.parametrize("before", range(4))
@pytest.mark.parametrize("character", "ж漢🎵")
def test_a_text_quoted_in_an_error_is_cut_between_characters(server, before, character):
    value = quote("." * before + character * 60)
    assert_error(server.b(f"tour/reference?country={value}"), 400, "country", "invalid_country")
    assert_error(server.b(f"avia/reference?types={value}"), 400, "types", "invalid_types")
    assert_error(server.b(f"avia/reference?near={value}"), 400, "near", "invalid_near")
    assert_error(server.b(f"avia/detail?source_id={value}"), 400, "source_id", "bad_integer")


BODIES = {
    "tour/sourceInfo?adapter_id=7": {"hotel": "1001,1002", "city": ["501", 5], "meal": "AI"},
    "tour/sourceData": {"adapter_id": 7, "dep_city": 11, "country": 1, "hotel": [55, 54], "currency": 1},
    "tour/sourceAdd": {"adapter_id": 7, "lang_code": "en", "meal": [{"id": "m", "name": "Meal"}],
                       "currency": [{"id": 1, "name": "Euro", "iso_code": None}]},
    "tour/compared": {"adapter_id": 7, "lang_code": "en", "city": [{"id": 501, "name": "Antalya", "is_resort": True}]},
    "avia/compared": {"adapter_id": 21, "lang_code": "en", "external_id": 301, "title": "Бориспіль"},
}
FAULTS = [b'"', b"\\", b"\\u0000", b"\\ud800", b"{", b"]", b",", b"\xff", b"\xed\xa0\x80", b"9" * 30, b"1e999", b"-",
          b"\0", b"[" * 40, b"null", b"\xf0\x9f\x8e\xb5" * 300]


def with_faults(body, rng):
    for _ in range(rng.randint(1, 3)):
        at, fault = rng.randrange(len(body) + 1), rng.choice(FAULTS + [b""])
        body = body[:at] + fault + body[at + rng.choice([0, 0, 1, 5]):]
    return body


@pytest.fixture(scope="module")
def written_to(module_servers, mini):
    return module_servers.make(mini)


@pytest.mark.parametrize("path", BODIES)
def test_a_body_with_faults_is_answered_or_refused_in_words(written_to, path):
    rng = random.Random(path)
    headers = {"X-Service-Api-Key": written_to.key_b, "X-Service-Api-Secret": written_to.secret_b}
    plain = json.dumps(BODIES[path], ensure_ascii=False).encode()
    for _ in range(100):
        body = with_faults(plain, rng)
        answer = written_to.request("/v1/" + path, "POST", {**headers, "Content-Type": "application/json"}, body)
        if answer.status == 200:
            assert answer.json()["status"] == "success", body
        else:
            assert_error(answer, 400)
