"""Random sequences of sourceAdd, compared and imports against a model of a supplier's records.

Every answer must be the model's, and after every step sourceInfo must show what the model holds."""
import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import SLOW
from client import wait_until
from registration import post, source_info

pytestmark = pytest.mark.store

KINDS = ("meal", "currency", "city")
IDS = ("1", "2", "a", "№3")
NAMES = ("one", "two", "три")
ADAPTERS = itertools.count(1)
DICT = {"meal": 1, "currency": 1, "city": 331}

good_ids = st.sampled_from((1, 2, *IDS))
bad_ids = st.sampled_from((None, "", " ", 1.5, "x" * 65))


@st.composite
def elements(draw, kind, valid=False):
    made = {"id": draw(good_ids if valid else st.one_of(good_ids, good_ids, good_ids, bad_ids)),
            "name": draw(st.sampled_from(NAMES if valid else (*NAMES, *NAMES, "", 5)))}
    if kind == "currency":
        made["iso_code"] = draw(st.sampled_from(("EUR", None) if valid else ("EUR", None, "EUR", "")))
    if kind == "city":
        made["is_resort"] = draw(st.sampled_from((True, False, None) if valid else (True, False, None, 1)))
    return made


def kinds_of(valid):
    return st.fixed_dictionaries({}, optional={k: st.lists(elements(k, valid), max_size=5) for k in KINDS})


imports = st.lists(st.tuples(st.sampled_from(KINDS), st.sampled_from(IDS), st.sampled_from(NAMES),
                             st.sampled_from(("upsert", "map", "delete"))), min_size=1, max_size=4,
                   unique_by=lambda row: row[:2])
steps = st.one_of(st.tuples(st.just("add"), kinds_of(False)), st.tuples(st.just("add"), kinds_of(False)),
                  st.tuples(st.just("compared"), kinds_of(True)), st.tuples(st.just("import"), imports))


class Model:
    """(kind, id) -> [name, mapped, the rest of the record]."""

    def __init__(self):
        self.records = {}

    @staticmethod
    def is_valid(kind, e):
        id_ok = type(e["id"]) is int or (isinstance(e["id"], str) and e["id"].strip() and len(e["id"]) <= 64)
        name_ok = isinstance(e["name"], str) and e["name"]
        return bool(id_ok and name_ok and e.get("iso_code") in (None, "EUR") and
                    (kind != "city" or e["is_resort"] is None or isinstance(e["is_resort"], bool)))

    @staticmethod
    def source(kind, e):
        source = {"id": str(e["id"]), "name": e["name"]}
        if kind == "currency":
            source["iso_code"] = e["iso_code"]
        if kind == "city":
            source.update(is_resort=bool(e["is_resort"]), country_id=None, country_name=None)
        return source

    @staticmethod
    def key(at, e):
        return str(e["id"]) if type(e["id"]) in (int, str) else f"#{at}"

    def add(self, kinds):
        """The answer: the kinds, and for each key either the source or "error"."""
        answer = {}
        for kind, sent in kinds.items():
            keys = [self.key(at, e) for at, e in enumerate(sent)]
            answer[kind] = {}
            for key in dict.fromkeys(keys):
                same = [e for k, e in zip(keys, sent) if k == key]
                fits = (key_kind := (kind, key)) not in self.records and all(self.is_valid(kind, e) for e in same) and \
                    all(self.source(kind, e) == self.source(kind, same[0]) for e in same)
                answer[kind][key] = self.source(kind, same[0]) if fits else "error"
                if fits:
                    self.records[key_kind] = (same[0]["name"], False)
        return answer

    def compared(self, kinds):
        answer = {}
        for kind, sent in kinds.items():
            answer[kind] = {}
            for e in sent:
                name, mapped = self.records.setdefault((kind, str(e["id"])), (e["name"], False))
                member = {"id": DICT[kind] if mapped else None, "name": "dict" if mapped else e["name"]}
                if kind == "currency":
                    member["iso_code"] = e["iso_code"]
                answer[kind].setdefault(str(e["id"]), member)
        return answer

    def apply(self, rows):
        for kind, id, name, what in rows:
            if what == "delete":
                self.records.pop((kind, id), None)
            else:
                mapped = what == "map" or self.records.get((kind, id), (0, False))[1]
                self.records[kind, id] = (name, mapped)

    def shown(self):
        return {kind: [self.records.get((kind, id)) for id in IDS] for kind in KINDS}


def record(adapter, kind, id, name, what):
    row = {"type": "source", "adapter_id": adapter, "kind": kind, "id": id}
    if what == "delete":
        return row | {"deleted": True}
    return row | {"name": name} | ({"dict_id": DICT[kind]} if what == "map" else {})


def shown(server, adapter):
    data = source_info(server, adapter, **{kind: list(IDS) for kind in KINDS})
    return {kind: [item["source"] and (item["source"]["name"], item["dict"] is not None) for item in data[kind]]
            for kind in KINDS}


@pytest.fixture(scope="module")
def server(module_servers):
    records = [{"type": "adapter", "id": i, "code": f"op{i}", "name": f"Op {i}", "domain": "tour"}
               for i in range(1, 401)]
    records += [{"type": "dict", "kind": "country", "id": 1, "name": "dict", "iso_alpha_2": "TR"},
                {"type": "dict", "kind": "meal", "id": 1, "name": "dict"},
                {"type": "dict", "kind": "currency", "id": 1, "name": "dict", "iso_code": "EUR"},
                {"type": "dict", "kind": "city", "id": 331, "name": "dict", "country_id": 1}]
    return module_servers.make(records, "--poll-ms", "10")


def step(server, import_file, model, adapter, what, argument):
    if what == "import":
        # Removing what is not there is an error of the import.
        rows = [row for row in argument if row[3] != "delete" or row[:2] in model.records]
        if rows:
            import_file(server.data, [record(adapter, *row) for row in rows])
        model.apply(rows)
        assert wait_until(lambda: shown(server, adapter) == model.shown())
        return
    data = post(server, "sourceAdd" if what == "add" else "compared",
                {"adapter_id": adapter, "lang_code": "en", **argument}).data()
    answer = {kind: data[kind] for kind in KINDS if kind in data}
    if what == "add":
        assert all(m["dict"] is None for ms in answer.values() for m in ms.values() if "source" in m)
        answer = {kind: {key: m.get("source", "error") for key, m in ms.items()} for kind, ms in answer.items()}
    wanted = model.add(argument) if what == "add" else model.compared(argument)
    assert answer == wanted
    assert [list(members) for members in answer.values()] == [list(wanted[kind]) for kind in answer]
    assert shown(server, adapter) == model.shown()


@pytest.mark.heavy
@settings(max_examples=8 if SLOW else 20, deadline=None, database=None,
          suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(st.lists(steps, min_size=1, max_size=8))
def test_any_sequence_is_answered_as_the_model_does(server, import_file, sequence):
    adapter, model = next(ADAPTERS), Model()
    for what, argument in sequence:
        step(server, import_file, model, adapter, what, argument)
