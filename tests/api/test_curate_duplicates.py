"""GET curate/duplicates: decision C7."""
import pytest

import client
from client import eventually
from curating import Desk
from test_duplicates import PLACES, hotel, source

pytestmark = pytest.mark.store

PAIRS = [hotel(n, {"en": f"Pair {n // 2}", "uk": f"Пара {n // 2}"}, lat=36.77, lng=31.39) for n in range(2, 6)]
SOURCES = [source("a", 3), source("b", 3, 2), source("c", 2), source("d", 4)]


@pytest.fixture
def desk(make_server, new_key, import_file, tmp_path):
    import_file(tmp_path, [*PLACES, *PAIRS, hotel(6, "Alone"), *SOURCES])
    key = new_key(tmp_path, "b", "--secret", "--role", "curator")
    return Desk(make_server(None, data=tmp_path), key)


def pairs(desk, **query):
    return [(i["from"]["id"], i["into"]["id"]) for i in desk.get("duplicates", **query).data()["items"]]


def test_c7_duplicates_the_worst_first(desk):
    found = desk.get("duplicates", lang="uk").data()
    assert found["total"] == 2 and found["items"][0] == {
        "kind": "hotel", "metres": 0, "shared": 1,
        "from": {"id": 2, "name": "Пара 1", "country": {"id": 1, "name": "Turkey"}, "city": {"id": 10, "name": "Side"},
                 "hotel_category": {"id": 5, "name": "5*"}, "records": 1},
        "into": {"id": 3, "name": "Пара 1", "country": {"id": 1, "name": "Turkey"}, "city": {"id": 10, "name": "Side"},
                 "hotel_category": {"id": 5, "name": "5*"}, "records": 2}}
    assert pairs(desk) == [(2, 3), (5, 4)]
    assert pairs(desk, limit=1) == [(2, 3)] and desk.get("duplicates", limit=1).data()["total"] == 2
    assert pairs(desk, kind="city") == pairs(desk, country_id=7) == []
    for bad, field in ((dict(kind="planet"), "kind"), (dict(limit=0), "limit"), (dict(limit=201), "limit")):
        assert desk.get("duplicates", **bad).status == 400, field


def test_c7_duplicates_that_were_merged_are_none(desk):
    assert pairs(desk) == [(2, 3), (5, 4)]
    ends = {id: desk.get("reference", kind="hotel", id=id).data()["version"] for id in (2, 3)}
    desk.decided({"decide": "merge", "kind": "hotel", "dict_id": 2, "version": ends[2], "into": 3, "into_version": ends[3]})
    assert pairs(desk) == [(5, 4)] and desk.get("duplicates").data()["total"] == 1


def test_c7_duplicates_are_not_for_keys_of_some_suppliers(desk, new_key, tmp_path):
    narrow = Desk(desk.server, new_key(tmp_path, "b", "--secret", "--role", "curator", "--reads", "1", "--adapter", "1"))
    eventually(lambda: narrow.get("coverage").status == 200)
    client.assert_error(narrow.get("duplicates"), 403, reason="adapter_not_allowed")
