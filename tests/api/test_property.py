"""Random small data sets, imported one after another into a running server: all four lists against the model.

Each import turns the data of before into the data wanted (upserts, deletions, moved mappings, changed stages), so
the feed is tested as much as the lists. At the end a fresh server must show the same."""
import itertools
import json

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import model
from conftest import SLOW
from client import wait_until

pytestmark = [pytest.mark.concurrent, pytest.mark.store]
# Letters of which the order is beyond doubt, so that the model can sort by code point.
LATIN = ["ant", "bee", "bee hive", "beetle", "cat", "dog"]
CYRILLIC = ["абак", "баба", "баран", "вага", "дуб"]
COUNTRIES, DEP_CITIES, CITIES, HOTELS = (1, 2, 3), (10, 11, -12), (-4, 5, 6), tuple(range(100, 108))
CATEGORIES, MEALS, ADAPTERS = (1, 2), (-1, 1, 2, 3), (1, 2, 3, 4)
CODES = {1: "TR", 2: "UA", 3: "PL"}


def order(lang, name):
    """Ukrainian puts Cyrillic first, English Latin; a space comes before every letter."""
    script = any("а" <= c <= "я" for c in name)
    return (not script if lang.split("-")[0] == "uk" else script, name)


names = st.one_of(st.sampled_from(LATIN),
                  st.fixed_dictionaries({"en": st.sampled_from(LATIN)}, optional={"uk": st.sampled_from(CYRILLIC)}),
                  st.fixed_dictionaries({"uk": st.sampled_from(CYRILLIC)}))


@st.composite
def data_sets(draw):
    rows = []

    def dict_rows(kind, ids, minimum, **fields):
        chosen = draw(st.sets(st.sampled_from(ids), min_size=minimum))
        for id in sorted(chosen):
            extra = {name: draw(strategy(id) if callable(strategy) else strategy) for name, strategy in fields.items()}
            rows.append({"type": "dict", "kind": kind, "id": id, "name": draw(names), **extra})
        return sorted(chosen)

    countries = dict_rows("country", COUNTRIES, 1, iso_alpha_2=lambda id: st.just(CODES[id]))
    dep_cities = dict_rows("dep_city", DEP_CITIES, 1, country_id=st.sampled_from(countries))
    cities = dict_rows("city", CITIES, 1, country_id=st.sampled_from(countries), is_resort=st.booleans())
    categories = dict_rows("hotel_category", CATEGORIES, 1)
    dict_rows("meal", MEALS, 0)
    dict_rows("currency", (1, 2), 0, iso_code=lambda id: st.just({1: "EUR", 2: "USD"}[id]))
    hotels = dict_rows("hotel", HOTELS, 0, country_id=st.sampled_from(countries), city_id=st.sampled_from(cities),
                       hotel_category_id=st.sampled_from(categories))
    adapters = sorted(draw(st.sets(st.sampled_from(ADAPTERS))))
    for id in adapters:
        rows.append({"type": "adapter", "id": id, "code": f"op{id}", "name": draw(st.sampled_from(LATIN)),
                     "domain": draw(st.sampled_from(["tour", "tour", "tour", "air"])),
                     "stage": draw(st.sampled_from(["live", "live", "mapping"]))})
    for triple in itertools.product(adapters, dep_cities, countries):
        if draw(st.integers(0, 3)) == 0:
            rows.append(dict(zip(("type", "adapter_id", "dep_city_id", "country_id"), ("direction", *triple))))
    for adapter in adapters:
        for id in range(draw(st.integers(0, 4))):
            link = draw(st.sampled_from([None, *hotels]))
            rows.append({"type": "source", "adapter_id": adapter, "kind": "hotel", "id": str(id), "name": "h",
                         "dict_id": link})
    return rows


def difference(before, rows):
    """The import that turns the records of before into rows."""
    wanted = {model.identity(row) for row in rows}
    gone = [{"type": row["type"], **{name: row[name] for name in model.IDENTITY[row["type"]]}, "deleted": True}
            for key, row in before.records.items() if key not in wanted]
    return gone + rows


def events_of_removed(run, data, changes):
    """An adapter can go when its history goes with it (M27)."""
    removed = {r["id"] for r in changes if r["type"] == "adapter" and r.get("deleted")}
    events = [json.loads(line) for line in run("export", "--type", "mapping_event", "--data", data).stdout.splitlines()]
    return [{k: e[k] for k in ("type", "adapter_id", "kind", "id", "at")} | {"deleted": True} for e in events
            if e["adapter_id"] in removed]


def said(response):
    """The data, or the error: what was imported a moment ago may not be known yet."""
    body = response.json()
    return body.get("data", body)


def answers(server, data):
    """(what was asked, the answer, what the model expects) for a good part of all there is to ask."""
    for demo, lang in itertools.product((False, True), ("en", "uk", "uk-UA")):
        query = f"?demo={int(demo)}&lang={lang}"
        yield (query, server.a("tour/main-references" + query).data(), data.main_references(server.url, lang, demo))
        answer = server.b("tour/reference" + query).json()
        yield (query, answer["data"], data.reference(lang, demo))
        items = sorted((item["kind"], item["id"], item["name"]) for item in answer["items"])
        yield (query, items, model.items(data.reference(lang, demo)))
    for country in CODES.values():
        yield (country, server.a(f"tour/main-references/{country}").data(),
               data.main_references(server.url, country=country))
        yield (country, server.b(f"tour/reference?country={country.lower()}&demo").data(),
               data.reference(demo=True, country=country))
    known = [[row["id"] for row in data.all(kind)] for kind in ("dep_city", "country")]
    for dep_city, country in itertools.product(*known):
        for lang, demo in (("en", False), ("uk", True)):
            query = f"?dep_city={dep_city}&country={country}&demo={int(demo)}&lang={lang}"
            yield (query, said(server.a("tour/hotel-references" + query)),
                   data.hotel_references(dep_city, country, lang, demo))
            yield (query, said(server.b("tour/referenceData" + query)),
                   data.reference_data(dep_city, country, lang, demo))


def first_difference(server, data):
    """None, or what differs, readably."""
    for asked, found, expected in answers(server, data):
        if "countries" in expected:
            for part in (found, expected):
                for row in part["countries"].values():
                    assert set(row["ico"]) == {"1x1", "4x3"}
                    row.pop("ico")            # test_flags.py has an eye on it
        # The order of arrays is part of ==, the order of members is not: hence the text.
        if isinstance(expected, dict):
            expected = {name: expected[name] for name in found if name in expected}
        if model.dump(found) != model.dump(expected):
            return f"{asked}\nfound    {model.dump(found)}\nexpected {model.dump(expected)}"
    return None


@pytest.mark.heavy
def test_lists_are_what_the_model_says_after_every_import(make_server, import_file, run):
    server, data = make_server([]), model.Model(order=order)
    imports = itertools.count(1)

    @settings(max_examples=5 if SLOW else 12, deadline=None, phases=[Phase.generate], database=None,
              suppress_health_check=list(HealthCheck))
    @given(rows=data_sets())
    def import_and_compare(rows):
        changes = difference(data, rows)
        import_file(server.data, events_of_removed(run, server.data, changes) + changes)
        data.apply(changes)
        number = next(imports)
        wait_until(lambda: first_difference(server, data) is None)
        fault = first_difference(server, data)
        assert fault is None, f"after import {number}: {fault}"

    import_and_compare()
    fresh = make_server(None, data=server.data)
    assert first_difference(fresh, data) is None
