"""Random sequences of decisions, merges, splits and imports against a model: what a running server answers after each of them, and
what the store holds at the end, with the events of all of them."""
import json

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import mapping
import translation
from client import wait_until
from conftest import SLOW
from mapping_model import Model, Refused, shown

pytestmark = pytest.mark.store

COUNTRIES, CITIES, HOTELS = (1, 2), (1, 2, -3), (1, 2, 3, 4)
HOTEL_SOURCES = [(1, "hotel", "a"), (1, "hotel", "b"), (1, "hotel", "c"), (2, "hotel", "a")]
CITY_SOURCES = [(1, "city", "x"), (2, "city", "y")]


def dict_record(kind, id, **fields):
    return {"type": "dict", "kind": kind, "id": id, "name": f"{kind} {id}", **fields}


def hotel(id, city):
    return dict_record("hotel", id, country_id=1, city_id=city, hotel_category_id=1)


def source(key, dict_id):
    return {"type": "source", "adapter_id": key[0], "kind": key[1], "id": key[2], "name": "s", "dict_id": dict_id}


START = [
    *({"type": "adapter", "id": id, "code": f"a{id}", "name": "A", "domain": "tour"} for id in (1, 2)),
    *(dict_record("country", id, iso_alpha_2=code) for id, code in zip(COUNTRIES, ("TR", "UA"))),
    *(dict_record("city", id, country_id=1 + index % 2) for index, id in enumerate(CITIES)),
    dict_record("hotel_category", 1),
    *(hotel(id, CITIES[id % 3]) for id in HOTELS),
    *(source(key, dict_id) for key, dict_id in zip(HOTEL_SOURCES, (1, 2, 2, 3))),
    *(source(key, 1) for key in CITY_SOURCES),
]

kinds = st.sampled_from(["hotel", "hotel", "city", "country"])
IDS = {"hotel": (*HOTELS, 9), "city": (*CITIES, 9), "country": (*COUNTRIES, 9)}
sources = st.sampled_from(HOTEL_SOURCES + CITY_SOURCES)


def ids(kind):
    return st.sampled_from(IDS[kind])


steps = st.one_of(
    sources.flatmap(lambda key: st.tuples(st.just("set"), st.just(key), ids(key[1]))),
    st.tuples(st.just("clear"), sources),
    st.tuples(st.just("undo"), sources),
    *2 * [kinds.flatmap(lambda kind: st.tuples(st.just("merge"), st.just(kind), ids(kind), ids(kind)))],
    *2 * [kinds.flatmap(lambda kind: st.tuples(st.just("split"), st.just(kind), ids(kind)))],
    sources.flatmap(lambda key: st.tuples(st.just("import_source"), st.just(key), st.none() | ids(key[1]))),
    st.tuples(st.just("import_dict"), st.builds(hotel, st.sampled_from(HOTELS), st.sampled_from(CITIES))),
)


def command(step, file):
    """The command of a step."""
    what, *args = step
    if what in ("set", "clear", "undo"):
        return ["map", what, *args[0], *args[1:]]
    if what in ("merge", "split"):
        return ["dict", what, *args]
    file.write_text(json.dumps(source(*args) if what == "import_source" else args[0]) + "\n", "utf-8")
    return ["import", file]


def answers(server):
    """hotelCheck of every hotel id, and the dict ids of every source."""
    checks = {id: sorted((row["adapter_id"], row["hotel_orig_id"]) for row in server.b(f"tour/hotelCheck?hotel={id}").data())
              for id in IDS["hotel"]}
    mapped = {}
    for adapter in (1, 2):
        asked = {kind: [key[2] for key in HOTEL_SOURCES + CITY_SOURCES if key[:2] == (adapter, kind)]
                 for kind in ("hotel", "city")}
        for kind, rows in translation.source_info(server, adapter, asked).data().items():
            for row in rows:
                mapped[adapter, kind, row["id"]] = row["dict"] and row["dict"]["id"]
    return checks, mapped


def expected_answers(model):
    checks = {}
    for id in IDS["hotel"]:
        try:
            live = model.resolve("hotel", id)
        except Refused:
            live = None
        checks[id] = sorted((key[0], key[2]) for key in HOTEL_SOURCES
                            if live is not None and model.sources[key].dict_id == live)
    return checks, {key: source.dict_id for key, source in model.sources.items()}


def restore(data, server_data, import_file):
    """Back to the start, without a new server for each example."""
    gone = [r for r in data.records() if r["type"] in ("source", "dict", "redirect", "mapping_event")]
    identity = {"source": ("adapter_id", "kind", "id"), "dict": ("kind", "id"), "redirect": ("kind", "id"),
                "mapping_event": ("adapter_id", "kind", "id", "at")}
    if gone:
        import_file(server_data, [{"type": r["type"], **{f: r[f] for f in identity[r["type"]]}, "deleted": True}
                                  for r in gone])
    import_file(server_data, START)


@pytest.fixture(scope="module")
def server(module_servers):
    return module_servers.make(START)


@pytest.mark.heavy
@settings(max_examples=3 if SLOW else 10, deadline=None, phases=[Phase.explicit, Phase.generate, Phase.shrink],
          suppress_health_check=list(HealthCheck))
@given(sequence=st.lists(steps, min_size=1, max_size=14))
def test_m16_to_m21_hold_for_any_sequence(server, run, import_file, tmp_path_factory, sequence):
    data, model = mapping.Data(run, server.data), Model(START)
    file = tmp_path_factory.mktemp("step") / "step.ndjson"
    restore(data, server.data, import_file)
    for number, step in enumerate(sequence):
        done = data.run(*command(step, file))
        try:
            getattr(model, step[0])(*step[1:])
            assert done.returncode == 0, (step, done.stderr)
        except Refused as refusal:
            assert done.returncode == 1, (step, refusal, done.stdout)
        wanted = expected_answers(model)
        assert wait_until(lambda: answers(server) == wanted), (number, step, answers(server), wanted)
    data.is_sound()
    text = data.export()
    assert shown([json.loads(line) for line in text.splitlines()]) == model.shown()
    other = mapping.Data(run, tmp_path_factory.mktemp("other"))
    file.write_text(text, "utf-8")
    other.ok("import", file)
    assert other.export() == text
