"""Random small sets of air data, imported one after another into a running server: detail and compared against a model.

The data is so small that ids, codes and titles often meet. At the end a fresh server must say the same."""
import itertools
import json

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import air
import model
from client import wait_until
from conftest import SLOW

pytestmark = pytest.mark.store

ADAPTERS = (21, 22, 7)  # the last one for tours
IDS = (-2, 1, 2, 3, 4, 5)
CODES = ("AAA", "BBB", "CCC")
TITLES = ("Bee", "Ant Hill", "Cat")
TYPED = {"Bee": "BEE", "Ant Hill": "ant hill", "Cat": "Càt"}  # as others write them
AIRPORTS = {"Bee": "Bee Intl Airport", "Ant Hill": "Aeropuerto de Hill Ant", "Cat": "Cat-Flughafen"}
EXTERNAL = ("1", "02", "x")
DATA = ('{"n":1.10}', "{ }", '{"t":"\\u0041"}', '{"e":1E+2,"deep":[[{}]]}')
IDENTITY = {"air_place": ("source_id",), "air_source": ("adapter_id", "source_id"), "air_map": ("adapter_id", "external_id")}

names = st.one_of(st.sampled_from(TITLES), st.fixed_dictionaries({"en": st.sampled_from(TITLES), "uk": st.sampled_from(TITLES)}))


@st.composite
def data_sets(draw):
    """Records by identity; `data` is text."""
    rows = {}
    for weight, id in enumerate(sorted(draw(st.sets(st.sampled_from(IDS))))):
        kind = draw(st.sampled_from(["city", "apt"]))
        rows["air_place", id] = air.place(id, draw(st.sampled_from(CODES)), draw(names), kind, weight=(weight * 5) % 7)
    ids = [id for _, id in rows]
    for adapter, id in itertools.product(ADAPTERS[:2], ids):
        if draw(st.booleans()):
            row = {"type": "air_source", "adapter_id": adapter, "source_id": id, "data": draw(st.sampled_from(DATA))}
            external = draw(st.sampled_from((None, *EXTERNAL)))
            rows["air_source", adapter, id] = row if external is None else {**row, "external_id": external}
    for adapter, external in itertools.product(ADAPTERS[:2], EXTERNAL):
        if ids and draw(st.integers(0, 3)) == 0:
            rows["air_map", adapter, external] = {"type": "air_map", "adapter_id": adapter, "external_id": external,
                                                  "source_id": draw(st.sampled_from(ids))}
    return rows


def line(row):
    return air.source(row["adapter_id"], row["source_id"], row["data"], row.get("external_id")) if "data" in row else row


def difference(before, rows):
    """The import that turns one set into another."""
    gone = [{"type": key[0], **dict(zip(IDENTITY[key[0]], key[1:])), "deleted": True} for key in before if key not in rows]
    return gone + [line(row) for row in rows.values()]


class Model:
    def __init__(self, rows):
        self.rows = rows

    def of(self, type):
        return [row for key, row in self.rows.items() if key[0] == type]

    def by_external(self, adapter, external):
        mapped = self.rows.get(("air_map", adapter, external))
        if mapped is not None:
            return mapped["source_id"]
        return min((row["source_id"] for row in self.of("air_source")
                    if row["adapter_id"] == adapter and row.get("external_id") == external), default=None)

    def by_code(self, code):
        found = [row for row in self.of("air_place") if row["code"] == code.upper()]
        return min(found, key=lambda row: (row["place"] != "apt", -row["weight"]))["source_id"] if found else None

    def by_title(self, title, airport, country=None):
        named = [row for row in self.of("air_place")
                 if title in ([row["name"]] if isinstance(row["name"], str) else row["name"].values())]
        found = [row for row in named if (row["place"] == "apt" or not airport) and country in (None, row["country_code"])]
        found.sort(key=lambda row: -row["weight"])
        clear = len(found) == 1 or (found and found[0]["weight"] >= 1.2 * found[1]["weight"] > 0) or \
            (len(found) > 1 and found[0]["weight"] > found[1]["weight"] == 0)
        if not clear or (country is None and not self.is_of_one_town(found[0], named)):
            return None
        return found[0]["source_id"]

    @staticmethod
    def is_of_one_town(first, named):
        """No airport here has a city."""
        town = [row for row in named if row is first or row["place"] == first["place"] == "city" and row["code"] == first["code"]]
        others = [row["weight"] for row in named if row not in town]
        return 2 * max(row["weight"] for row in town) >= 3 * max(others, default=0)

    def match(self, adapter, external, code, title, airport=False, country=None):
        for found in (external and self.by_external(adapter, external), code and self.by_code(code),
                      title and self.by_title(title, airport, country)):
            if found is not None and found != "":
                return found
        return None

    def detail(self, ids, lang):
        """(adapter ids, {source_id: (title, [(adapter, data)])}), items in the order asked for."""
        items, occurring = {}, set()
        for id in dict.fromkeys(ids):
            place = self.rows.get(("air_place", id))
            if place is not None:
                data = [(a, self.rows["air_source", a, id]["data"]) for a in sorted(ADAPTERS) if ("air_source", a, id) in self.rows]
                occurring |= {a for a, _ in data}
                items[id] = (model.text(place["name"], lang), data)
        return sorted(occurring), items


def raw_data(body, adapters):
    """The texts of `data` of an item, cut out of the answer."""
    cut = []
    for adapter in adapters:
        at = body.index('{"adapter_id":%d,"data":' % adapter) + len('{"adapter_id":%d,"data":' % adapter)
        end = json.JSONDecoder().raw_decode(body, at)[1]
        cut.append(body[at:end])
        body = body[end:]
    return cut


def answers(server, rows):
    """(what was asked, the answer, what the model says)."""
    known = Model(rows)
    asked = [5, 1, 5, -2, 99, 3, 2, 4]
    for lang in ("en", "uk-UA"):
        data = air.detail(server, *asked, lang=lang).data()
        adapters, items = known.detail(asked, lang)
        yield ("adapters", list(data["adapters"]), [str(a) for a in adapters])
        yield (lang, [(id, item["title"], [part["adapter_id"] for part in item["adapters"]]) for id, item in data["items"].items()],
               [(str(id), title, [a for a, _ in parts]) for id, (title, parts) in items.items()])
    for id, (_, parts) in known.detail(IDS, "en")[1].items():
        yield (id, raw_data(air.detail(server, id).body.decode("utf-8"), [a for a, _ in parts]), [text for _, text in parts])
    for adapter, external, code, title in itertools.product((21, 22), (None, *EXTERNAL), ("", "AAA", "bbb"), (None, "Bee", "Cat")):
        if external or code or title:
            found = air.match(server, adapter_id=adapter, external_id=external, iata_code=code, title=TYPED.get(title))
            yield ((adapter, external, code, title), found, known.match(adapter, external, code, title))
    for title, country in itertools.product(TITLES, (None, "UA", "XX")):
        for airport, typed in ((False, TYPED[title]), (True, AIRPORTS[title])):
            found = air.match(server, title=typed, country_code=country)
            yield ((typed, country), found, known.match(21, None, "", title, airport, country))


def first_difference(server, rows):
    """None, or what differs."""
    for asked, found, expected in answers(server, rows):
        if found != expected:
            return f"{asked}\nfound    {found}\nexpected {expected}"
    return None


def test_answers_are_what_the_model_says_after_every_import(make_server, import_file, tmp_path):
    server, last = make_server(air.ADAPTERS), {}
    imports = itertools.count(1)

    @settings(max_examples=5 if SLOW else 20, deadline=None, phases=[Phase.generate], database=None,
              suppress_health_check=list(HealthCheck))
    @given(rows=data_sets())
    def import_and_compare(rows):
        air.import_lines(import_file, server.data, tmp_path, *difference(last, rows))
        last.clear()
        last.update(rows)
        number = next(imports)
        wait_until(lambda: first_difference(server, rows) is None)
        fault = first_difference(server, rows)
        assert fault is None, f"after import {number}: {fault}"

    import_and_compare()
    fresh = make_server(None, data=server.data)
    assert first_difference(fresh, last) is None
