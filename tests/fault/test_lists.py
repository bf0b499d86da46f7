"""One client asks for hundreds of lists that nobody has asked for, all at once, and leaves: others have theirs meanwhile, nothing is
built for who has gone, and a stop beside it ends in order (decision R8). `make long` does it with 900, and several times; what the
others wait is measured by bench/list_turns.py."""
import os
import random
import signal
import time

import pytest

import client
from raw import Raw

LONG = "DRG_KILLS" in os.environ
MANY, ROUNDS = (900, 5) if LONG else (200, 1)
CITIES, COUNTRIES, HOTELS = 40, 12, 6000
LANGS = "en uk ru de pl tr fr es it cs zh ja ar ko ro bg".split()
ATTACKER, OTHER = "127.0.0.2", "127.0.0.3"


def records():
    yield {"type": "dict", "kind": "hotel_category", "id": 1, "name": "5*"}
    for n in range(1, COUNTRIES + 1):
        yield {"type": "dict", "kind": "country", "id": n, "name": {"en": f"Land {n}", "uk": f"Край {n}"}, "iso_alpha_2": f"A{chr(64 + n)}"}
        yield {"type": "dict", "kind": "city", "id": n, "name": {"en": f"City {n}", "uk": f"Місто {n}"}, "country_id": n}
    for n in range(1, CITIES + 1):
        yield {"type": "dict", "kind": "dep_city", "id": n, "name": f"From {n}", "country_id": 1}
    for n in range(1, HOTELS + 1):
        place = n % COUNTRIES + 1
        yield {"type": "dict", "kind": "hotel", "id": n, "name": {"en": f"Hotel {n * 7919 % HOTELS}", "uk": f"Готель {n}"},
               "country_id": place, "city_id": place, "hotel_category_id": 1}


class Wishes:
    """Lists that nobody has asked for yet."""

    def __init__(self, server):
        self.server, self.open = server, []
        self.wishes = [(city, country, lang) for city in range(1, CITIES + 1) for country in range(1, COUNTRIES + 1) for lang in LANGS]
        random.Random(1).shuffle(self.wishes)

    def ask(self, source):
        raw = Raw(self.server.port, source=source)
        self.open.append(raw)
        path = "/api/v1/tour/hotel-references?dep_city={}&country={}&lang={}".format(*self.wishes.pop())
        return raw.send(f"GET {path} HTTP/1.1\r\nHost: a\r\nX-Api-Key: {self.server.key_a}\r\nAccept-Encoding: br\r\n\r\n".encode())

    def leave(self):
        for raw in self.open:
            raw.socket.close()
        self.open.clear()


@pytest.fixture
def wishes(make_server):
    wishes = Wishes(make_server(list(records())))
    yield wishes
    wishes.leave()


def test_one_with_hundreds_of_wishes_and_another_with_a_few(wishes):
    took = []
    for _ in range(ROUNDS):
        many = [wishes.ask(ATTACKER) for _ in range(MANY)]
        for _ in range(10):
            began = time.monotonic()
            assert wishes.ask(OTHER).answer().status == 200
            took.append(time.monotonic() - began)
        statuses = {answer.status for answer in (raw.answer() for raw in many[::50])}
        assert statuses <= {200, 503}, statuses
        wishes.leave()
        client.eventually(lambda: client.ready(wishes.server.port, "lists_waiting") == 0)
    print(f"\nthe other one waited {max(took) * 1000:.0f} ms at most, {sorted(took)[len(took) // 2] * 1000:.0f} ms in the middle")


def test_a_stop_beside_hundreds_of_wishes(wishes):
    many = [wishes.ask(ATTACKER) for _ in range(MANY)]
    process = wishes.server.process
    os.kill(process.pid, signal.SIGTERM)
    assert process.popen.wait(client.PATIENCE) == 0, process.stderr()
    answered = [raw.answer() for raw in many]
    assert {answer.status for answer in answered if answer is not None} <= {200, 503}
    print(f"\n{process.stderr().splitlines()[-1]}")
