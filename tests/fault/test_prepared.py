"""Keys that collide in a table whose hash is known (prepared.c): a client that registers hotels must not stop the matcher or the
curators' queue for everyone. Each attack runs twice, with prepared keys and with ordinary keys, and the test compares CPU time.

Tests that count slots of the table: tests/unit/match/test_place.c, tests/unit/base/test_hashtab.c."""
import collections
import json
import pathlib
import resource
import signal
import subprocess

import pytest

import mapping
import registration
import usage
from client import eventually
from curating import Desk
from hotels import PLACES, dict_hotels

RECORDS = PLACES + dict_hotels()
HOTELS, WORDS = 10_000, 21  # the limits of a request and of a name
CITIES, SEED = 10_000, 1 * 16 + 3  # of adapter 1, of the kind city
#: Requests, and the bits of the table that they fill. Seven have 1,470,000 words: hours of CPU with a hash that is known.
SIZES = [pytest.param(1, 19, id="one"), pytest.param(7, 22, id="seven", marks=pytest.mark.long)]
HERE = pathlib.Path(__file__).parent
Cost = collections.namedtuple("Cost", "work stop")  # CPU seconds


@pytest.fixture(scope="module")
def make_words(tmp_path_factory):
    """make_words(n, bits, seed) returns n words that collide in a table of 1 << bits slots; bits 0: ordinary words."""
    program = tmp_path_factory.mktemp("prepared") / "prepared"
    subprocess.run(["cc", "-O2", "-I", HERE.parents[1] / "src", "-o", program, HERE / "prepared.c"], check=True)

    def make_words(n, bits, seed=0):
        made = subprocess.run([program, str(n), str(bits), str(seed)], check=True, stdout=subprocess.PIPE, text=True)
        return iter(made.stdout.split())
    return make_words


@pytest.fixture
def make_data(run, import_file, tmp_path):
    def make_data(name):
        import_file(tmp_path / name, RECORDS)
        return mapping.Data(run, tmp_path / name)
    return make_data


def register(server, adapter, **elements):
    (kind,) = elements
    answer = registration.source_add(server, adapter_id=adapter, **elements).data()[kind]
    assert [member for member in answer.values() if "error" in member][:1] == []


def hotels_of(words, prefix):
    return [registration.element("hotel", f"{prefix}-{i}", name=" ".join(next(words) for _ in range(WORDS)), country_name="TURKEY",
                                 city_name="SIDE") for i in range(HOTELS)]


def is_suggested(data, adapter, id):
    return id in [json.loads(line)["id"] for line in data.ok("match", "queue", "--adapter", adapter, "--format", "ndjson").splitlines()]


def children_cpu():
    took = resource.getrusage(resource.RUSAGE_CHILDREN)
    return took.ru_utime + took.ru_stime


def stop(server):
    """Stop the server, which must finish before --stop-timeout, and return the CPU seconds of the stop."""
    before, others = usage.cpu_seconds(server.pid), children_cpu()
    server.process.popen.send_signal(signal.SIGTERM)
    assert server.process.popen.wait() == 0, server.process.stderr()
    return children_cpu() - others - before


@pytest.mark.parametrize("requests, bits", SIZES)
def test_prepared_words_do_not_keep_the_matcher_from_others(make_server, make_data, make_words, requests, bits):
    def attack(bits):
        data, words = make_data(f"bits{bits}"), make_words((requests + 1) * HOTELS * WORDS, bits)
        server = make_server(None, "--match", "suggest", data=data.path)
        eventually(lambda: server.request("/readyz").json()["matched"] is not None)
        for request in range(requests):
            register(server, 1, hotel=hotels_of(words, request))
        before = usage.cpu_seconds(server.pid)
        register(server, 2, hotel=[registration.element("hotel", "good", name="Orkide Resort", country_name="TURKEY", city_name="SIDE")])
        eventually(lambda: is_suggested(data, 2, "good"))
        work = usage.cpu_seconds(server.pid) - before
        register(server, 1, hotel=hotels_of(words, "more"))  # so that the matcher is busy when the stop begins
        return Cost(work, stop(server))

    compare(attack(0), attack(bits))


@pytest.mark.parametrize("requests, bits", [pytest.param(40, 20, marks=pytest.mark.long)])
def test_prepared_ids_do_not_keep_curators_from_the_queue(make_server, make_data, make_words, new_key, requests, bits):
    def attack(bits):
        data, ids = make_data(f"bits{bits}"), make_words(requests * CITIES, bits, SEED)
        key = new_key(data.path, "b", "--secret", "--role", "curator")
        server = make_server(None, "--match", "suggest", data=data.path)
        for _ in range(requests):
            register(server, 1, city=[registration.element("city", next(ids), country_name="TURKEY") for _ in range(CITIES)])
        eventually(lambda: Desk(server, key).queue(limit=1)["total"] >= requests * CITIES)  # all are matched
        server.stop()
        server = make_server(None, data=data.path)
        before = usage.cpu_seconds(server.pid)
        assert Desk(server, key).queue(limit=1)["total"] >= requests * CITIES
        return Cost(usage.cpu_seconds(server.pid) - before, stop(server))

    compare(attack(0), attack(bits))


def compare(usual, prepared):
    print(f"any keys: {usual}, prepared: {prepared}")
    assert prepared.work <= 2 * usual.work + 1 and prepared.stop <= 2 * usual.stop + 1, (usual, prepared)
