"""Countries, cities and categories as suppliers write them, without records of their own: decision M44."""
import csv
import json

import pytest


pytestmark = pytest.mark.store

ADAPTER = {"type": "adapter", "id": 1, "code": "sunny", "name": "Sunny", "domain": "tour"}
#: The reference has no Hong Kong: what lies there is in China.
COUNTRIES = {1: ("TR", "Türkiye"), 2: ("CZ", "Czechia"), 3: ("RU", "Россия"), 4: ("US", "United States"), 5: ("AE", "United Arab Emirates"),
             6: ("CN", "China"), 7: ("MO", "Macao"), 8: ("DE", "Germany"), 9: ("CG", "Congo"), 10: ("CD", "Congo (Kinshasa)"), 11: ("AT", "Austria")}


RECORDS = [ADAPTER, *({"type": "dict", "kind": "country", "id": i, "iso_alpha_2": code, "name": name} for i, (code, name) in COUNTRIES.items()),
           {"type": "dict", "kind": "city", "id": 10, "country_id": 1, "name": "Side"},
           *({"type": "dict", "kind": "hotel_category", "id": i, "name": f"{i}*"} for i in (3, 4, 5)),
           {"type": "dict", "kind": "hotel_category", "id": 9, "name": "HV-1"}]


@pytest.fixture
def say(data, add):
    """Hotels whose fields these are, as the matcher has them: their ids."""
    def say(*hotels, others=()):
        add(*others, *({"type": "source", "adapter_id": 1, "kind": "hotel", "id": f"h{i}", "name": f"Nowhere {i}", **h} for i, h in enumerate(hotels)))
        data.ok("match", "--samples", "0")
        return [f"h{i}" for i in range(len(hotels))]
    return say


@pytest.fixture
def countries(say, data):
    """The country of each, by what the queue of a country has."""
    def countries(*hotels, **more):
        ids, found = say(*hotels, **more), {}
        for country, (code, _) in COUNTRIES.items():
            queue = data.ok("match", "queue", "--country", code, "--kind", "hotel", "--format", "ndjson").splitlines()
            found.update({json.loads(line)["id"]: country for line in queue})
        return [found.get(i) for i in ids]
    return countries


@pytest.mark.parametrize("code", ["alpha-2", "alpha-3", "numeric"])
def test_m44_codes_of_iso_3166_in_either_column(countries, code):
    forms = {"alpha-2": ["TR", "cz", "HK", "UK"], "alpha-3": ["TUR", "cze", "HKG", "GBR"], "numeric": ["792", "203", "344", "826"]}[code]
    wanted = [1, 2, 6, None]
    assert countries(*({"country_id": c} for c in forms), *({"country_name": c} for c in forms )) == wanted + wanted


@pytest.mark.parametrize("name, country", [
    ("Turkey", 1), ("TÜRKİYE", 1), ("Турция", 1), ("Туреччина", 1), ("Czech Republic", 2), ("Чехия", 2), ("Russian Federation", 3), ("Russia", 3),
    ("USA", 4), ("U.S.A.", 4), ("United States of America", 4), ("ABD", 4), ("UAE", 5), ("ОАЭ", 5), ("Hong Kong", 6), ("Hong Kong SAR", 6),
    ("Гонконг", 6), ("Macau", 7), ("Macao SAR China", 7), ("Almanya", 8), ("Puerto Rico", 4), ("Congo", 9), ("DR Congo", 10), ("Atlantis", None)])
def test_m44_names_of_countries_that_nobody_has_mapped(countries, name, country):
    assert countries({"country_name": name}, {"country_id": name}) == [country, country]


def test_m44_numbers_of_its_own_are_no_codes_of_iso(countries):
    """792 is Turkey, 40 is nothing, so 792 is the supplier's own."""
    assert countries({"country_id": "792"}, {"country_id": "40"}) == [None, None]


def test_m44_one_or_two_numbers_that_iso_has_too_are_no_codes_of_iso(countries, data):
    """A supplier of Egypt whose number for it is 840, the one of the United States."""
    cities = [{"type": "dict", "kind": "city", "id": 20 + i, "country_id": 4, "name": name} for i, name in enumerate(("Cairo", "Alexandria"))]
    own = [{"type": "source", "adapter_id": 1, "kind": "city", "id": f"c{i}", "name": name, "country_id": "840"} for i, name in enumerate(("Cairo", "Alexandria"))]
    assert countries({"country_id": "840"}, {"country_id": "840"}, {"country_id": "792"}, others=[*cities, *own]) == [None, None, None]
    assert [r.get("dict_id") for r in data.of("source", kind="city")] == [None, None]


def test_m44_one_number_beside_letters_of_iso_is_one_of_iso(countries):
    assert countries({"country_id": "792"}, {"country_id": "CZ"}) == [1, 2]


def test_m44_letters_of_another_standard_are_no_codes_of_iso(countries):
    """FIPS 10-4: TU is Turkey, SP Spain, AU Austria; in ISO AU is Australia, CH (China) Switzerland."""
    assert countries({"country_id": "TU"}, {"country_id": "SP"}, {"country_id": "AE"}) == [None, None, None]


def test_m44_what_a_supplier_says_of_its_own_code_goes_first(countries):
    own = {"type": "source", "adapter_id": 1, "kind": "country", "id": "DE", "name": "Delta", "dict_id": 1}
    assert countries({"country_id": "DE"}, others=[own]) == [1]


def test_m44_a_list_of_countries_is_mapped_by_its_names(say, data):
    own = [{"type": "source", "adapter_id": 1, "kind": "country", "id": i, "name": n}
           for i, n in [("90", "Turkey"), ("x", "TUR"), ("CZ", "Czech Republic"), ("y", "Hong Kong"), ("z", "Atlantis")]]
    say(others=own)
    assert {r["id"]: r.get("dict_id") for r in data.of("source", kind="country")} == {"90": 1, "x": 1, "CZ": 2, "y": 6, "z": None}


#: By country of the reference: what lists of suppliers in several languages call it.
SPELLINGS = {
    "TR": ("TR - Turkey", "TR-Turkey", "TR Turkey", "Turkey, TR", "Turkey (TR)", "792 / Türkiye", "Türkiye (Turkey)", "Турция / Turkey", "Republic of Türkiye",
           "Türkiye Cumhuriyeti"),
    "AE": ("BAE", "B.A.E.", "VAE", "EAU", "ZEA", "ОАЕ", "Emiratos Árabes", "Emirati Arabi", "Arab Emirates", "Арабские Эмираты",
           "Utd. Arab Emirates", "United Arab Em."),
    "BA": ("Bosnia-Herzegovina", "Bosnia & Herzegovina", "Bosnien", "Bosnien-Herzegowina", "Bosnie", "Bosnia Erzegovina", "Bosna-Hersek", "Bosna ve Hersek",
           "Босния-Герцеговина", "Боснія та Герцеговина"),
    "GB": ("İngiltere", "INGILTERE", "Großbritannien", "GROSSBRITANNIEN", "Schottland", "Angleterre", "Gran Bretagna", "Inglaterra", "Великобританія", "Büyük Britanya"),
    "US": ("Vereinigte Staaten von Amerika", "États-Unis d'Amérique", "EUA", "Amerika (USA)", "Estados Unidos de América"),
    "CZ": ("Czech Rep.", "Rép. tchèque", "Rep. Ceca", "Rep. Checa", "Republika Czeska", "Çek Cum.", "Czech, Republic of"),
    "RU": ("Russische Föderation", "Fédération de Russie", "Rusya Federasyonu", "Російська Федерація", "Russia (Russian Federation)"),
    "CD": ("Congo, Dem. Rep.", "Congo, Democratic Republic of the", "RDC", "ДР Конго", "Kongo Dem. Cum.", "Dem. Rep. Congo"),
    "TT": ("Trinidad", "Trinidad-Tobago", "Trinidad/Tobago", "Тринидад", "Trinidad & Tob."), "BS": ("Bahamas, The", "The Bahamas", "Багамские острова"),
    "KR": ("Korea, Republic of", "Korea (South)", "Южная Корея"), "TH": ("Kingdom of Thailand",), "FJ": ("Fiji Islands",), "ES": ("Canary Islands", "Kanarya Adaları"),
    "MM": ("Мьянма", "Myanmar (Burma)"), "GM": ("Gambia, The",), "ZA": ("South Africa, Republic of", "RPA"),
    "SB": ("Solomon Is.",), "KY": ("Cayman Is.",), "VG": ("Br. Virgin Is.",), "VI": ("U.S. Virgin Is.",), "GQ": ("Eq. Guinea",), "ST": ("Sao Tome & Prin.",),
    "CF": ("Cent. Afr. Rep.",), "AG": ("Antigua & Barb.",), "VC": ("St. Vincent & the Gren.",), "PG": ("Papua N. Guinea", "PNG"), "TZ": ("Tanzania, U.R.",),
    "KP": ("Korea, Dem. People's Rep.",), "SA": ("S. Arabistan",), "DO": ("Доминиканская респ.", "Dominik Cum."),
    None: ("Virgin Is.", "Is.", "Dem. Rep.", "Guinea Rep. Eq. N.", "Korea", "Virgin Islands", "TR - Germany", "AT Turkey", "Turkey / Germany", "Turkey - Antalya", "Congo / Zaire", "Islands", "Republic of"),
}


def test_m44_usual_spellings_of_countries(say, data):
    own = [(code, name) for code, names in SPELLINGS.items() for name in names]
    more = [c for c in SPELLINGS if c and c not in dict(COUNTRIES.values())]
    say(others=[*({"type": "dict", "kind": "country", "id": 100 + i, "iso_alpha_2": c, "name": f"Land {c}"} for i, c in enumerate(more)),
                *({"type": "source", "adapter_id": 1, "kind": "country", "id": f"x{i}", "name": name} for i, (_, name) in enumerate(own))])
    codes = {r["id"]: r["iso_alpha_2"] for r in data.of("dict", kind="country")}
    found = {r["name"]: codes.get(r.get("dict_id")) for r in data.of("source", kind="country")}
    assert found == {name: code for code, name in own}


@pytest.mark.parametrize("id, name, country", [
    ("CG", "Congo (Zaire)", None), ("CG", "Congo (Leopoldville)", None), ("CG", "Congo (Brazzaville)", 9), ("x", "Congo (Zaire)", None), ("CD", "Congo (Kinshasa)", 10),
    ("CG", "Congo", 9), ("TR", "Turkey (Türkiye)", 1), ("TR", "Turkey (TR)", 1)])
def test_m44_a_code_does_not_confirm_what_a_bracket_makes_doubtful(say, data, id, name, country):
    say(others=[{"type": "source", "adapter_id": 1, "kind": "country", "id": id, "name": name}])
    assert [r.get("dict_id") for r in data.of("source", kind="country")] == [country]


def listed(data):
    """Why records are not mapped, as 'map list' says it."""
    rows = csv.DictReader(data.ok("map", "list", "--unmapped", "--excel").lstrip("\ufeff").splitlines(), delimiter=";")
    return {row["id"]: row["reason"] for row in rows}


def test_m44_a_country_that_the_reference_lacks_is_another_reason_than_one_that_nothing_tells(say, data):
    """Of hotels, of cities; with a record of the supplier and without. The list of what is not mapped says the same."""
    hotels = ({"country_id": "FRA"}, {"country_name": "Frankreich"}, {"country_id": "FR", "country_name": "Gaul"}, {"country_name": "IT - Italy"},
              {"country_name": "Ruritania"}, {"city_name": "Paris"}, {"country_id": "own-1"}, {"country_id": "own-2"}, {"country_id": "TR"})
    say(*hotels, others=[{"type": "source", "adapter_id": 1, "kind": "country", "id": "own-2", "name": "Utopia"},
                         {"type": "source", "adapter_id": 1, "kind": "city", "id": "c1", "name": "Nantes", "country_name": "Франция"},
                         {"type": "source", "adapter_id": 1, "kind": "city", "id": "c2", "name": "Strelsau", "country_name": "Ruritania"}])
    queue = [json.loads(line) for line in data.ok("match", "queue", "--format", "ndjson").splitlines()]
    reasons = {q["id"]: q["reason"] for q in queue}
    missing, unmapped = ("h0", "h1", "h2", "h3", "c1"), ("h4", "h5", "h6", "h7", "c2")
    assert {i: reasons[i] for i in (*missing, *unmapped)} == {**dict.fromkeys(missing, "country_missing"), **dict.fromkeys(unmapped, "country_unmapped")}
    assert {i: listed(data)[i] for i in (*missing, *unmapped)} == {**dict.fromkeys(missing, "the reference lacks its country"),
                                                                  **dict.fromkeys(unmapped, "its country is not mapped")}
    assert listed(data)["h8"] == "it has no coordinates and its city is not mapped"
    data.ok("map", "set", 1, "country", "own-2", 1)  # what the matcher said of h7 is out of date
    assert listed(data)["h7"] == "lacks its city"


def test_m44_few_letters_in_the_column_of_city_ids_are_no_name(made):
    cities = [{"type": "dict", "kind": "city", "id": 11, "country_id": 1, "name": "Kas"}]
    hotel = {"country_name": "Turkey", "category_id": "4*"}
    assert made({**hotel, "city_id": "KAS"}, {**hotel, "city_name": "Kas"}, {**hotel, "city_id": "Side"}, others=cities) == [None, (1, 11, 4), (1, 10, 4)]


@pytest.fixture
def made(say, data):
    """What the reference gets where each of these hotels is new: country, city and category; None where that is refused."""
    def made(*hotels, **more):
        ids, path = say(*hotels, **more), data.path.parent / "answers.csv"
        path.write_text("adapter_id,kind,id,dict_id,decision\n" + "".join(f"1,hotel,{i},,new\n" for i in ids), "utf-8")
        data.run("match", "load", path)
        dicts = {r["id"]: (r["country_id"], r["city_id"], r["hotel_category_id"]) for r in data.of("dict", kind="hotel")}
        return [dicts.get(data.mapped_to(1, "hotel", i)) for i in ids]
    return made


def test_m44_cities_and_categories_in_either_column(made):
    assert made({"country_id": "TUR", "city_id": "Side", "category_id": "HV-1"},
                {"country_id": "792", "city_name": "SIDE", "category_name": "5*"},
                {"country_name": "Turkey", "city_id": "side", "category_id": "Apart 4*"},
                {"country_name": "TR", "city_name": "Side", "category_name": "4"},
                {"country_name": "TR", "city_name": "Antalya / Side", "category_name": "4"},
                {"country_name": "TR", "city_name": "SIDE/Kumköy", "category_name": "4"},
                {"country_name": "TR", "city_name": "Side", "category_name": "4 yıldız"},
                {"country_name": "TR", "city_name": "Side", "category_id": "3", "category_name": "Lux"},
                {"country_name": "TR", "city_name": "Side", "category_name": "4* superior"}) == [
        (1, 10, 9), (1, 10, 5), *5 * [(1, 10, 4)], None, None]


@pytest.mark.parametrize("name, suggested", [("Germany", 8), ("Anywhere", 7), ("Macau", None)])
def test_a_country_whose_id_is_the_code_of_another_is_suggested_by_its_name(data, add, name, suggested):
    add({"type": "source", "adapter_id": 1, "kind": "country", "id": "MAC", "name": name})
    data.ok("match", "--samples", "0")
    queue = [json.loads(line) for line in data.ok("match", "queue", "--kind", "country", "--format", "ndjson").splitlines()]
    assert [case["dict_id"] for case in queue] == ([suggested] if suggested else [])
