"""Words of lists from elsewhere: codes that are names too, names that were cut, cities with what lies around them, categories."""
import json

import icu
import pytest


pytestmark = pytest.mark.store

COUNTRIES = {1: ("RU", "Russia"), 2: ("GB", "United Kingdom"), 3: ("US", "United States"), 4: ("PR", "Puerto Rico"), 5: ("AU", "Australia"), 6: ("AZ", "Azerbaijan"),
             7: ("TR", "Türkiye"), 8: ("VC", "St. Vincent & Grenadines"), 9: ("TC", "Turks & Caicos Islands"), 10: ("IR", "Iran"), 11: ("NG", "Nigeria"),
             12: ("CN", "China"), 13: ("DE", "Germany")}
CITIES = {101: (1, "Sochi", 43.6, 39.73), 102: (5, "Sydney", -33.87, 151.2), 103: (3, "New York", 40.71, -74.0), 104: (3, "Las Vegas", 36.17, -115.14),
          105: (6, "Baku", 40.38, 49.85), 106: (7, "Side", 36.77, 31.39), 107: (3, "Ponce", 18.01, -66.61), 108: (4, "Bayamon", 18.4, -66.16),
          109: (13, "Bremen", 53.08, 8.8), 110: (7, "Noida", 37.0, 31.0)}
RECORDS = [{"type": "adapter", "id": 1, "code": "sunny", "name": "Sunny", "domain": "tour"},
             *({"type": "dict", "kind": "country", "id": i, "iso_alpha_2": code, "name": {"en": name, "vi": "Nga" if code == "RU" else name}}
               for i, (code, name) in COUNTRIES.items()),
             *({"type": "dict", "kind": "city", "id": i, "country_id": c, "name": n, "lat": lat, "lng": lng} for i, (c, n, lat, lng) in CITIES.items()),
             *({"type": "dict", "kind": "hotel_category", "id": 200 + i, "name": f"{i}*"} for i in (3, 4, 5)),
             {"type": "dict", "kind": "hotel_category", "id": 210, "name": "Unrated"},
             {"type": "dict", "kind": "hotel", "id": 301, "name": "Velvet Season Inn", "country_id": 1, "city_id": 101, "hotel_category_id": 204,
              "lat": 43.42, "lng": 39.92},
             {"type": "dict", "kind": "hotel", "id": 302, "name": "Casa Pomarrosa", "country_id": 3, "city_id": 107, "hotel_category_id": 204,
              "lat": 18.01, "lng": -66.61},
             {"type": "dict", "kind": "hotel", "id": 303, "name": "Hacienda Guayacan", "country_id": 4, "city_id": 108, "hotel_category_id": 204,
              "lat": 18.4, "lng": -66.16}]


@pytest.fixture
def matched(data, add):
    """What the matcher says of each of a supplier's records: the outcome and the record of the reference."""
    def matched(kind, *records):
        add(*({"type": "source", "adapter_id": 1, "kind": kind, "id": f"x{i}", **r} for i, r in enumerate(records)))
        report = data.path / "report.ndjson"
        data.ok("match", "--dry-run", "--samples", "0", "--report", report)
        found = {r["id"]: (r["outcome"], r["dict_id"]) for r in map(json.loads, report.read_text("utf-8").splitlines()) if r["kind"] == kind}
        return [found[f"x{i}"] for i in range(len(records))]
    return matched


@pytest.mark.parametrize("field", ["country_id", "country_name"])
@pytest.mark.parametrize("code", ["RU", "RUS", "ru"])
def test_m44_a_code_is_a_code_before_it_is_a_name(matched, field, code):
    """"RU" is Spanish for the United Kingdom; "ru" is a code where the column holds codes."""
    hotel = {"name": "Velvet Season Inn", "lat": 43.42, "lng": 39.92, "city_name": "Sochi", field: code}
    assert matched("hotel", hotel) == [("automatic", 301)]


@pytest.mark.parametrize("name", ["RU", "RU - Russia"])
def test_m44_a_code_in_capitals_beside_names(matched, name):
    hotel = {"name": "Velvet Season Inn", "lat": 43.42, "lng": 39.92, "city_name": "Sochi"}
    others = [{"name": f"Nowhere {i}", "country_name": "Germany"} for i in range(9)]
    assert matched("hotel", {**hotel, "country_name": name}, *others)[0] == ("automatic", 301)


def test_m44_a_list_of_countries_says_codes_or_names(matched):
    assert matched("country", {"name": "RU"}, {"name": "NGA"}, {"name": "UK"}, {"name": "HK"}, {"name": "HKG"}, {"name": "tr"}, {"name": "FR"}) == [
        ("automatic", 1), ("automatic", 11), ("automatic", 2), ("automatic", 12), ("automatic", 12), ("automatic", 7), ("none", None)]


def test_m44_a_word_that_is_a_code_and_a_name_asks(matched):
    """Vietnamese calls Russia so."""
    assert matched("country", {"name": "Nga"}, {"name": "Nigeria"}) == [("ask", 1), ("automatic", 11)]


def test_m44_no_code_is_a_name_in_any_language_of_cldr(data, add):
    """All codes of ISO 3166-1, in a reference with the names of all countries in all languages."""
    langs = sorted({locale.getLanguage() for locale in icu.Locale.getAvailableLocales().values()})[:190]
    codes, records, wanted = {}, [], {}
    for i, code in enumerate(icu.Locale.getISOCountries(), 1000):
        country = icu.Locale("", code)
        names = {lang: country.getDisplayCountry(icu.Locale(lang)) for lang in langs}
        records.append({"type": "dict", "kind": "country", "id": i, "iso_alpha_2": code, "name": names})
        records.append({"type": "dict", "kind": "city", "id": 1000 + i, "country_id": i, "name": f"Nowhere {i}"})
        own = country.getISO3Country()[:1] == "X" or code == "CQ"  # codes of ICU's own, and Sark's, which ISO reserves only
        codes.update({code: i, **({} if own else {country.getISO3Country(): i})})
    for code, i in codes.items():
        source = {"type": "source", "adapter_id": 1}
        records.append({**source, "kind": "country", "id": f"by-{code}", "name": code})
        records.append({**source, "kind": "city", "id": f"named-{code}", "name": f"Nowhere {i}", "country_name": code})
        records.append({**source, "kind": "city", "id": f"coded-{code}", "name": f"Nowhere {i}", "country_id": code})
        wanted.update({f"by-{code}": i, f"named-{code}": 1000 + i, f"coded-{code}": 1000 + i})
    add(*({"type": "dict", "kind": kind, "id": i, "deleted": True} for kind, old in (("hotel", (301, 302, 303)), ("city", CITIES), ("country", COUNTRIES)) for i in old),
        *records)
    report = data.path / "report.ndjson"
    data.ok("match", "--dry-run", "--samples", "0", "--report", report)
    found = {r["id"]: r["dict_id"] if r["outcome"] == "automatic" else None for r in map(json.loads, report.read_text("utf-8").splitlines())}
    assert {i: found.get(i) for i in wanted if found.get(i) != wanted[i]} == {}


@pytest.mark.parametrize("name, country", [
    ("St Vincent & Grenadi", 8), ("Saint Vincent and th", 8), ("Turks & Caicos Islan", 9), ("Iran, Islamic Republ", 10),
    ("United Kingdom of Great Britai", 2), ("Russian Federat", 1), ("United States of Ame", 3), ("United ", None), ("Russian Doll Land", None),
    ("Vincentia Grenadines", None)])
def test_m44_a_country_whose_name_was_cut_asks(matched, name, country):
    assert matched("country", {"name": name}) == [("ask" if country else "none", country)]


def test_a_territory_is_no_veto_against_its_state_nor_the_reverse(matched):
    found = matched("hotel", {"name": "Casa Pomarrosa", "lat": 18.01, "lng": -66.61, "country_id": "PR", "city_name": "Ponce"},
                    {"name": "Hacienda Guayacan", "lat": 18.4, "lng": -66.16, "country_id": "US", "city_name": "Bayamon"})
    assert found == [("automatic", 302), ("automatic", 303)]


def test_a_city_of_a_territory_that_the_reference_has_in_its_state(matched):
    assert matched("city", {"name": "Ponce", "country_id": "PR"}, {"name": "Bayamon", "country_id": "US"},
                   {"name": "Ponce", "country_id": "PR", "lat": 18.01, "lng": -66.61}, {"name": "Ponce", "country_id": "TR"}) == [
        ("ask", 107), ("automatic", 108), ("automatic", 107), ("none", None)]


@pytest.mark.parametrize("name", [
    "Baku Metropolitan Area", "Baku City Centre", "Baku-Zentrum", "Baku/Umg.", "Baku (Ortsteil)", "Baku und Umgebung", "Baku merkez", "Baku - centrum",
    "Баку и окрестности", "Баку (район)", "Baku, Azerbaijan", "Baku / AZ", "Baku (Baku)"])
def test_m44_words_of_an_area_belong_to_no_name(matched, name):
    assert matched("city", {"name": name, "country_id": "AZ"}) == [("automatic", 105)]


@pytest.mark.parametrize("name, country, city", [
    ("Sydney,   New South Wales", "AU", 102), ("New York, NY", "US", 103), ("Las Vegas - NV", "US", 104), ("Las Vegas-NV", "US", 104), ("NV | Las Vegas", "US", 104),
    ("Greater Noida", "TR", 110), ("Baku, Türkiye", "AZ", 105)])
def test_m44_a_city_beside_what_may_be_another_place_asks(matched, name, country, city):
    """There is a Las Vegas in New Mexico, too. Coordinates settle it."""
    _, _, lat, lng = CITIES[city]
    assert matched("city", {"name": name, "country_id": country}, {"name": name, "country_id": country, "lat": lat, "lng": lng},
                   {"name": name, "country_id": country, "lat": lat + 5, "lng": lng}) == [("ask", city), ("automatic", city), ("ask", city)]


@pytest.mark.parametrize("name", ["Mexico City", "Area", "Centre", "Springfield Area", "Zentrum-Umgebung"])
def test_m44_a_city_that_the_reference_lacks_stays_unknown(matched, name):
    assert matched("city", {"name": name, "country_id": "US"}) == [("none", None)]


@pytest.mark.parametrize("name, category", [
    ("FourStar", ("automatic", 204)), ("FiveStars", ("automatic", 205)), ("ЧетыреЗвезды", ("automatic", 204)), ("0.0", ("automatic", 210)),
    ("0", ("automatic", 210)), ("3.0", ("automatic", 203)), ("4.00", ("automatic", 204)), ("4.0 stars", ("automatic", 204)), ("0 stars", ("automatic", 210)), ("四星级", ("automatic", 204)),
    ("三星級", ("automatic", 203)), ("五星", ("automatic", 205)), ("5星级", ("automatic", 205)), ("4 Sup", ("ask", 204)), ("4.0 sup.", ("ask", 204)),
    ("GL", ("ask", 205)), ("5 GL", ("ask", 205)), ("5* GL", ("ask", 205))])
def test_m34_categories_of_joined_words_numbers_and_chinese(matched, name, category):
    assert matched("hotel_category", {"name": name}) == [category]
