"""Words that collide in a table whose hash is known (prepared.c): whoever may register hotels must not stop the matcher for all.

Counted in slots of the table: tests/unit/match/test_place.c."""
import json
import pathlib
import subprocess

import pytest

import registration
from client import eventually
from hotels import PLACES, dict_hotels

RECORDS = PLACES + dict_hotels()
REQUESTS, HOTELS, WORDS = 7, 9740, 20  # 1,500,000 words: with a hash without a secret some hours of CPU
HERE = pathlib.Path(__file__).parent


@pytest.fixture
def words(tmp_path):
    program = tmp_path / "prepared"
    subprocess.run(["cc", "-O2", "-I", HERE.parents[1] / "src", "-o", program, HERE / "prepared.c"], check=True)
    made = subprocess.run([program, str(REQUESTS * HOTELS * WORDS), "22"], check=True, stdout=subprocess.PIPE, text=True)
    return iter(made.stdout.split())


def suggested(data, adapter):
    return [json.loads(line)["id"] for line in data.ok("match", "queue", "--adapter", adapter, "--format", "ndjson").splitlines()]


@pytest.mark.long
def test_prepared_words_do_not_keep_the_matcher_from_others(make_server, data, words):
    server = make_server(None, "--match", "suggest", data=data.path)
    eventually(lambda: server.request("/readyz").json()["matched"] is not None)
    for request in range(REQUESTS):
        hotels = [registration.element("hotel", f"{request}-{i}", name=" ".join(next(words) for _ in range(WORDS)), country_name="TURKEY",
                                       city_name="SIDE") for i in range(HOTELS)]
        answer = registration.source_add(server, adapter_id=1, hotel=hotels).data()["hotel"]
        assert [member for member in answer.values() if "error" in member][:1] == []
    registration.source_add(server, adapter_id=2, hotel=[registration.element("hotel", "good", name="Orkide Resort", country_name="TURKEY",
                                                                              city_name="SIDE")]).data()
    eventually(lambda: suggested(data, 2) == ["good"])
