"""Random small data sets, imported one after another into a running server: translation both ways against the model,
JSON against forms, and a fresh server at the end."""
import itertools

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from client import wait_until
from conftest import SLOW
from test_property import difference
from translation import FORM, KINDS, Translation, form, source_data, source_info

pytestmark = pytest.mark.store

ADAPTERS = {1: "tour", 2: "tour", 3: "air"}
DICT_IDS = (-2, 1, 2, 3)
#: Some are integers, some only look like one; some need escapes; two differ in case.
SOURCE_IDS = ("0", "7", "07", "-3", "a", "A", "a b", "quo\"te", "back\\slash", "ї", "x" * 64)

texts = st.sampled_from(["plain", "quo\"te", "back\\slash", "tab\tbed", "новий", "\U0001f3e8", "a" * 200])
names = st.one_of(texts, st.fixed_dictionaries({"en": texts}, optional={"uk": texts, "de": texts}),
                  st.fixed_dictionaries({"uk": texts}))
maybe_id = st.none() | st.sampled_from(["90", "q\"", "00"])


def dict_row(draw, kind, id, known):
    row = {"type": "dict", "kind": kind, "id": id, "name": draw(names)}
    if kind == "country":
        row["iso_alpha_2"] = {-2: "AA", 1: "AB", 2: "AC", 3: "AD"}[id]
    if kind == "currency":
        row["iso_code"] = {-2: "AAA", 1: "AAB", 2: "AAC", 3: "AAD"}[id]
    if kind == "meal" and draw(st.booleans()):
        row["description"] = draw(names)
    if kind == "city":
        row["is_resort"] = draw(st.booleans())
    if kind in ("dep_city", "city", "hotel"):
        row["country_id"] = draw(st.sampled_from(known["country"]))
    if kind == "hotel":
        row["city_id"] = draw(st.sampled_from(known["city"]))
        row["hotel_category_id"] = draw(st.sampled_from(known["hotel_category"]))
    return row


def source_row(draw, adapter, kind, id, known):
    mapped = draw(st.none() | st.sampled_from(known[kind])) if known[kind] else None
    row = {"type": "source", "adapter_id": adapter, "kind": kind, "id": id, "name": draw(texts), "dict_id": mapped}
    if kind == "currency":
        row["iso_code"] = draw(st.sampled_from([None, "EUR"]))
    if kind == "city":
        row["is_resort"] = draw(st.booleans())
    if kind == "hotel":
        for part in ("category", "country", "city"):
            row[part + "_name"] = draw(texts)
            part_id = draw(maybe_id)
            if part_id is not None:
                row[part + "_id"] = part_id
    return row


@st.composite
def data_sets(draw):
    rows = [{"type": "adapter", "id": id, "code": f"c{id}", "name": draw(texts), "domain": domain,
             "stage": draw(st.sampled_from(["live", "mapping"]))} for id, domain in ADAPTERS.items()]
    known = {}
    for kind in KINDS:
        least = 1 if kind in ("country", "city", "dep_city", "hotel_category") else 0
        known[kind] = sorted(draw(st.sets(st.sampled_from(DICT_IDS), min_size=least)))
        rows += [dict_row(draw, kind, id, known) for id in known[kind]]
    for adapter, kind in itertools.product((1, 2), KINDS):
        for id in sorted(draw(st.sets(st.sampled_from(SOURCE_IDS), max_size=4))):
            rows.append(source_row(draw, adapter, kind, id, known))
    return rows


def questions(data):
    """Requests about everything there is and some that there is not, with the answers expected."""
    for adapter in (1, 2):
        everything = {kind: list(SOURCE_IDS) for kind in KINDS}
        for lang in ("en", "uk-UA", "de"):
            yield "info", adapter, everything, lang, data.source_info(adapter, everything, lang)
        some = {"hotel": " a ,7,,07,nope,A,7", "city": "", "meal": None}
        yield "info", adapter, some, "uk", data.source_info(adapter, some, "uk")
        for dep_city, country in itertools.product(*([r["id"] for r in data.all(kind)] for kind in ("dep_city", "country"))):
            body = {"adapter_id": adapter, "dep_city": dep_city, "country": country, "currency": dep_city,
                    **{kind: [3, *DICT_IDS, 99, 1] for kind in ("city", "hotel", "hotel_category", "meal")}}
            yield "data", adapter, body, "en", data.source_data(body)


def narrow(found, expected):
    """The innermost parts of two answers that differ."""
    if isinstance(found, dict) and isinstance(expected, dict) and found.keys() == expected.keys():
        return next(narrow(found[name], expected[name]) for name in found if found[name] != expected[name])
    if isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        return next(narrow(*pair) for pair in zip(found, expected) if pair[0] != pair[1])
    return f"found {found!r}, expected {expected!r}"


def first_difference(server, data):
    """None, or what differs, readably."""
    for what, adapter, body, lang, expected in questions(data):
        if what == "info":
            answer = source_info(server, adapter, body, f"&lang={lang}")
        else:
            answer = source_data(server, body, f"?lang={lang}")
            as_form = source_data(server, form(body, "numbers"), type=FORM)
            if as_form.body != answer.body:
                return f"{body}\nJSON {answer}\nform {as_form}"
        found = answer.json().get("data")       # none while the import is on its way
        if found != expected:
            return f"{what} {adapter} {lang}: {narrow(found, expected)}"
    for hotel in DICT_IDS:
        found, expected = server.b(f"tour/hotelCheck?hotel={hotel}").data(), data.hotel_check(hotel)
        if found != expected:
            return f"check {hotel}: {narrow(found, expected)}"
    return None


@pytest.mark.heavy
def test_translation_is_what_the_model_says_after_every_import(make_server, import_file):
    server, data = make_server([]), Translation()
    imports = itertools.count(1)

    @settings(max_examples=5 if SLOW else 12, deadline=None, phases=[Phase.generate], database=None,
              suppress_health_check=list(HealthCheck))
    @given(rows=data_sets())
    def import_and_compare(rows):
        changes = difference(data, rows)
        import_file(server.data, changes)
        data.apply(changes)
        number = next(imports)
        wait_until(lambda: first_difference(server, data) is None)
        fault = first_difference(server, data)
        assert fault is None, f"after import {number}: {fault}"

    import_and_compare()
    fresh = make_server(None, data=server.data)
    assert first_difference(fresh, data) is None
