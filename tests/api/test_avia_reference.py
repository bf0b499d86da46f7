"""avia/reference: spec 4.3, decisions A1 to A3, A6, L1, L5. The search itself is tested rule by rule in
tests/unit/catalog/test_air_search.c; here it is against a slow model, and as HTTP shows it."""
import itertools
import string
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import client
from client import assert_error
from conftest import SLOW

PATH = "avia/reference"


def place(id, code, name, city_code=None, country="FR", **more):
    kind = {"place": "city"} if city_code is None else {"place": "apt", **({"city_code": city_code} if city_code else {})}
    return {"type": "air_place", "source_id": id, **kind, "code": code, "name": name, "country_code": country, **more}


PLACES = [
    {"type": "dict", "kind": "country", "id": 1, "iso_alpha_2": "FR", "name": {"en": "France", "uk": "Франція"}},
    place(1, "PAR", {"en": "Paris", "uk": "Париж"}, lat=48.85341, lng=2.3488, weight=900),
    place(2, "CDG", "Charles \"de\" Gaulle", "PAR", lat=49.0128, lng=2.55, weight=800),
    place(3, "ORY", {"en": "Orly", "uk": "Орлі"}, "PAR", weight=700),
    place(4, "LYS", "Lyon-Saint Exupéry", "LYO", weight=500),
    place(5, "XQA", "Nameless", "", country="QQ"),
    place(6, "MUC", {"de": "München"}, country="DE", lat=48.14, lng=11.58),
]


@pytest.fixture(scope="module")
def air(module_servers):
    return module_servers.make(PLACES)


def items(server, **query):
    return server.b(f"{PATH}?{urlencode(query)}").data()["items"]


def ids(server, **query):
    return [item["source_id"] for item in items(server, **query)]


# ---- items ----

def test_an_airport_as_the_specification_shows_it(air):
    assert items(air, search="cdg", lang="uk") == [{
        "source_id": 2, "language": "en", "type": "apt", "code": "CDG", "title": "Charles \"de\" Gaulle",
        "city": {"code": "PAR", "title": "Париж"}, "country": {"code": "FR", "title": "Франція"},
        "coordinates": {"lat": 49.0128, "lng": 2.55}}]


def test_a_city_has_no_city(air):
    item = items(air, search="par")[0]
    assert (item["type"], item["city"], item["coordinates"]) == ("city", None, {"lat": 48.85341, "lng": 2.3488})


def test_what_is_not_known_is_null_or_its_code(air):
    lyon, nameless = items(air, search="lys")[0], items(air, search="xqa")[0]
    assert lyon["city"] == {"code": "LYO", "title": "LYO"} and lyon["coordinates"] is None
    assert nameless["city"] is None and nameless["country"] == {"code": "QQ", "title": "QQ"}


@pytest.mark.parametrize("lang,title,language", [("uk", "Орлі", "uk"), ("uk-UA", "Орлі", "uk"), ("fr", "Orly", "en")])
def test_an_item_tells_the_language_of_its_title(air, lang, title, language):
    item = items(air, search="ory", lang=lang)[0]
    assert (item["title"], item["language"]) == (title, language)


def test_without_the_language_and_english_any_title(air):
    item = items(air, search="muc", lang="uk")[0]
    assert (item["title"], item["language"]) == ("München", "de")


# ---- the whole list ----

def test_without_search_the_whole_list_by_title(air):
    assert ids(air) == [2, 4, 6, 5, 3, 1]
    assert [i["title"] for i in items(air)] == [
        "Charles \"de\" Gaulle", "Lyon-Saint Exupéry", "München", "Nameless", "Orly", "Paris"]


@pytest.mark.parametrize("search", ["", " ", "\t  "])
def test_a_blank_search_is_none(air, search):
    assert ids(air, search=search) == ids(air)


@pytest.mark.parametrize("query,expected", [
    ({"types": "city"}, [6, 1]), ({"types": "apt"}, [2, 4, 5, 3]), ({"types": "apt,city"}, [2, 4, 6, 5, 3, 1]),
    ({"country": "de"}, [6]), ({"country": "QQ"}, [5]), ({"country": "ZZ"}, []), ({"country": "FR", "types": "city"}, [1]),
    ({"near": "48.9,2.4"}, [1, 2]), ({"near": "48.9,2.4", "limit": 1}, [1]), ({"near": "48.9,2.4", "radius": 1000}, [1, 2, 6]),
    ({"near": "48.9,2.4", "radius": 1}, []), ({"near": "-48.9,-2.4"}, []),
])
def test_the_list_is_narrowed(air, query, expected):
    assert ids(air, **query) == expected


def test_the_list_is_kept_ready(air):
    first = air.b(PATH, {"Accept-Encoding": "gzip"})
    assert first.status == 200 and first.headers["ETag"]
    again = air.b(PATH, {"Accept-Encoding": "gzip", "If-None-Match": first.headers["ETag"]})
    assert again.status == 304 and not again.body


# ---- the search over HTTP ----

@pytest.mark.parametrize("search", ["paris", "Париж", "Парижъ", "parizh", "PARIS", "Pàris", "パリ", "巴黎", "зфкшы", "gfhb;", "prais"])
def test_paris_is_found(demo, search):
    found = items(demo, search=search, limit=5)
    assert found and (found[0]["code"], found[0]["type"]) == ("PAR", "city")


@pytest.mark.parametrize("search,code", [("vjcrdf", "MOW"), ("дщтвщт", "LON"), ("kyiv", "IEV"), ("kiev", "IEV"), ("munchen", "MUC"),
                                         ("muenchen", "MUC"), ("heathrow", "LHR"), ("new york", "NYC"), ("newyork", "NYC")])
def test_what_people_type_is_found(demo, search, code):
    assert items(demo, search=search)[0]["code"] == code


def test_the_limit_is_50_unless_told(demo):
    assert len(items(demo, search="a")) == 50
    assert len(items(demo, search="a", limit=500)) == 500
    assert ids(demo, search="a") == ids(demo, search="a", limit=500)[:50]


def test_filters_narrow_a_search(air):
    assert ids(air, search="paris") == [1, 2, 3]
    assert ids(air, search="paris", types="apt") == [2, 3]
    assert ids(air, search="paris", country="de") == []
    assert ids(air, search="paris", near="49.01,2.55") == [1, 2]


@pytest.mark.parametrize("query,field", [
    ({"limit": "0"}, "limit"), ({"limit": "501"}, "limit"), ({"limit": "x"}, "limit"), ({"search": "a", "limit": "-1"}, "limit"),
    ({"types": "city,port"}, "types"), ({"types": "CITY"}, "types"), ({"types": ","}, "types"),
    ({"country": "F"}, "country"), ({"country": "F1"}, "country"),
    ({"near": "1"}, "near"), ({"near": "1,2,3"}, "near"), ({"near": "91,0"}, "near"), ({"near": "0,180.01"}, "near"),
    ({"near": "nan,0"}, "near"), ({"near": "1e1,0"}, "near"), ({"near": "0x1,0"}, "near"), ({"near": ",0"}, "near"),
    ({"near": "0,0", "radius": "0"}, "radius"), ({"near": "0,0", "radius": "20001"}, "radius"),
    ({"search": "a" * 201}, "search"), ({"search": "ж" * 201}, "search"),
])
def test_bad_parameters(air, query, field):
    assert_error(air.b(f"{PATH}?{urlencode(query)}"), 400, field=field)


def test_a_search_of_200_characters_is_none_too_long(air):
    assert ids(air, search="ж" * 200) == []


@pytest.mark.parametrize("search", ["😀", "\u0300\u0301", "'; DROP TABLE air_place; --", "\x01\x02", "\u202eparis\u202c",
                                    "باريس", "%", "_", "*", "\\", "a" * 200, "a " * 100, "巴" * 200, "\u200b"])
def test_odd_searches_are_answered(demo, search):
    answer = demo.b(f"{PATH}?{urlencode({'search': search})}")
    assert answer.status == 200 and isinstance(answer.data()["items"], list)


def test_a_key_of_api_b_is_needed(air):
    assert_error(air.request(client.BASE["b"] + PATH), 403)
    assert_error(air.b(PATH, key=air.key_a), 403)


# ---- against a model ----

WORDS = ["ab", "abc", "abcd", "bad", "cab", "dab", "abba", "cadda"]
CODES = ["ABC", "BAD", "CAB", "DAB", "XYZ"]


def errors(typed, text):
    """Edits between typed and each beginning of text: a row of optimal string alignment."""
    rows = [[j for j in range(len(text) + 1)]]
    for i, a in enumerate(typed, 1):
        row = [i]
        for j, b in enumerate(text, 1):
            best = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (a != b))
            if i > 1 and j > 1 and a == text[j - 2] and typed[i - 2] == b:
                best = min(best, rows[-2][j - 2] + 1)
            row.append(best)
        rows.append(row)
    return rows[-1]


def allowed(text, most):
    return min(most, 0 if len(text) < 4 else 1 if len(text) < 8 else 2)


class Model:
    def __init__(self, places):
        self.places = places
        self.cities = {}
        for p in sorted(places, key=lambda p: (-p["weight"], p["source_id"])):
            if p["place"] == "city":
                self.cities.setdefault(p["code"], p)

    def names(self, p):
        return [name.lower() for name in p["name"].values()]

    def words(self, p):
        city = self.cities.get(p.get("city_code"))
        return {w for name in self.names(p) + (self.names(city) if city else []) for w in name.split()}

    def groups(self, q):
        """Group after group of places; equal names stand in a group of their own."""
        coded = [p for p in self.places if p["code"].lower() == q]
        yield [p for p in coded if q in self.names(p)]
        yield coded
        yield [p for p in self.places if q in self.names(p)]
        yield [p for p in self.places if any(name.startswith(q) for name in self.names(p))]
        yield [p for p in self.places if all(w == p["code"].lower() or any(word.startswith(w) for word in self.words(p))
                                             for w in q.split())]

    def error_groups(self, q, most):
        yield [p for p in self.places if any(errors(q, name)[-1] <= allowed(q, most) for name in self.names(p))]
        yield [p for p in self.places
               if any(min(errors(q, name)[1:]) <= allowed(q, most) for name in self.names(p))
               or (len(set(q.split())) <= {1: 5, 2: 3}[most] and
                   all(w == p["code"].lower() or any(min(errors(w, word)[1:]) <= allowed(w, most) for word in self.words(p))
                       for w in q.split()))]

    def search(self, q):
        q = " ".join(q.split())
        for groups in (self.groups(q), self.error_groups(q, 1), self.error_groups(q, 2)):
            found = []
            for group in groups:
                found += sorted((p for p in group if p not in found),
                                key=lambda p: (-p["weight"], p["name"].get("en", p["name"].get("uk")), p["source_id"]))
            if found:
                return [p["source_id"] for p in found]
        return []


names = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)


@st.composite
def air_places(draw):
    made = []
    for id in range(draw(st.integers(1, 8))):
        city = draw(st.booleans())
        made.append(place(id, draw(st.sampled_from(CODES)), {"en": draw(names), **({"uk": draw(names)} if draw(st.booleans()) else {})},
                          None if city else draw(st.sampled_from(["", *CODES])), weight=draw(st.integers(0, 2))))
    return made


queries = st.one_of(names, st.sampled_from(CODES).map(str.lower), st.text("abcd ", min_size=1, max_size=10).filter(str.strip),
                    st.tuples(names, st.sampled_from(CODES)).map(lambda t: f"{t[0]} {t[1].lower()}"))
DATA = itertools.count(1)


@pytest.mark.concurrent
def test_the_search_is_what_the_model_says(make_server, import_file, seen):
    server = make_server([place(1000, "ZZZ", "marker 0")])

    @settings(max_examples=8 if SLOW else 40, deadline=None, suppress_health_check=list(HealthCheck))
    @given(air_places(), st.lists(queries, min_size=20, max_size=40))
    def check(places, texts):
        number = next(DATA)
        gone = [{"type": "air_place", "source_id": id, "deleted": True} for id in range(8)]
        marker = "".join(string.ascii_lowercase[int(d) + 12] for d in str(number))
        import_file(server.data, gone)
        import_file(server.data, [*places, place(1000, "ZZZ", f"mmmm{marker}")])
        assert seen(lambda: [i["title"] for i in items(server, search="zzz")][:1] == [f"mmmm{marker}"])
        model = Model(places)
        for text in texts:
            assert ids(server, search=text, limit=500) == model.search(text), (text, places)

    check()
