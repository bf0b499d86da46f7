"""What people type and what they mean by it, made from other lists than the demo data (search_lists.py): the classes of
bench/search_quality.py. A query is a text and the places that are right, as ("apt", code) and ("city", code)."""
import hashlib
import re

import search_lists as lists

PER_CLASS = 400  # each half
KNOWN_CITY = 200000  # people; or it has a large airport
LETTERS = "abcdefghijklmnopqrstuvwxyz"
CYRILLIC = "абвгдежзийклмнопрстуфхцчшщыьэюя"
GENERIC = set("airport airfield aerodrome international regional municipal domestic county national intl the of and de la el"
              " air base field".split())
ABBREVIATIONS = {"international": ("intl", "int'l"), "airport": ("apt", "arpt"), "saint": ("st", "st."), "mount": ("mt",),
                 "fort": ("ft",), "st": ("saint",), "regional": ("rgnl", "regl"), "municipal": ("muni",)}
KEYS_EN = "`qwertyuiop[]asdfghjkl;'zxcvbnm,."
KEYS_RU = "ёйцукенгшщзхъфывапролджэячсмитьбю"
# What travellers call a place: no list has these.
FAMILIAR = """
питер LED|спб LED|мск MOW|екб SVX|нск OVB|vegas LAS|frisco SFO|philly PHL|nyc NYC|la LAX
washington dc WAS|rio RIO|sampa SAO|saigon SGN|bombay BOM|calcutta CCU|madras MAA|bangalore BLR|peking BJS|canton CAN
rangoon RGN|constantinople IST|leningrad LED|kiev IEV|odessa ODS|lvov LWO|kharkov HRK|київ IEV|одесса ODS|днепропетровск DNK
mailand MIL|venedig VCE|genf GVA|warschau WAW|prag PRG|mailand bergamo BGY|florenz FLR|neapel NAP|lissabon LIS|athen ATH
moskau MOW|kopenhagen CPH|brüssel BRU|londres LON|milan malpensa MXP|roma fiumicino FCO|new york jfk JFK|paris orly ORY
london gatwick LGW|istanbul sabiha SAW|chicago o'hare ORD|new york city NYC|new delhi DEL|istanbul new airport IST
sharm SSH|sharm el sheikh SSH|шарм SSH|шарм эль шейх SSH|пхукет HKT|самуи USM|бали DPS|bali DPS|tenerife TCI TFS TFN|тенерифе TCI TFS TFN
mallorca PMI|майорка PMI|ibiza IBZ|ибица IBZ|crete HER CHQ|rhodes RHO|родос RHO|kos KGS|corfu CFU|zanzibar ZNZ|занзибар ZNZ
phuket HKT|koh samui USM|punta cana PUJ|пунта кана PUJ|cancun CUN|гоа GOI GOX|goa GOI GOX|мальдивы MLE|maldives MLE|jfk JFK|lax LAX
"""


def sample(key):
    return hashlib.sha256(key.encode()).hexdigest()


def half(meant):
    """"tune" or "held-out", by what is meant: spellings of one place stay together."""
    return "held-out" if int(sample(min(code for _, code in meant))[:2], 16) % 2 else "tune"


class World:
    """The places of the lists, and the demo data's record of each: what is right is a matter of codes alone."""

    def __init__(self, places):
        self.airports = {p["code"]: p for p in places if p["place"] == "apt"}
        self.served = {c: a for c, a in lists.scheduled().items() if a["type"] in ("large_airport", "medium_airport")}
        self.city_of = {c: name for c, name in lists.city_of().items() if c in self.served}
        self.by_city = {}  # (country, plain name): codes of its airports
        for code, a in self.served.items():
            for name in {self.city_of.get(code), re.sub(r"\s*[(,/].*", "", a["municipality"])} - {None, ""}:
                self.by_city.setdefault((a["iso_country"], lists.plain(name)), set()).add(code)
        self.metropolitan = lists.metropolitan()
        self.icao = lists.icao_codes()  # an airport whose code is another one today: Chisinau was KIV
        self.by_icao = {p["icao_code"]: p["code"] for p in places if p.get("icao_code")}

    def meant(self, codes):
        """These airports, the city that they are of, and the town that has the code of its airport: Newark is EWR, in NYC."""
        codes = {*codes, *(self.by_icao[i] for i in map(self.icao.get, codes) if i in self.by_icao)}
        right = {(kind, c) for c in codes for kind in ("apt", "city")}
        for c in codes:
            if c in self.airports and self.airports[c].get("city_code"):
                right.add(("city", self.airports[c]["city_code"]))
        return right

    def airport(self, code):
        """An airport; also its city where it is the only one there."""
        country = self.served[code]["iso_country"]
        siblings = self.by_city.get((country, lists.plain(self.city_of.get(code, ""))), set())
        city_code = self.airports.get(code, {}).get("city_code")
        alone = siblings <= {code} and len(self.metropolitan.get(city_code, ())) < 2
        return self.meant({code}) if alone else {("apt", code)}

    def large(self, codes):
        return any(self.served[c]["type"] == "large_airport" for c in codes)


def cities(world, population):
    """[(country, {language: name}, codes)] of libgweather that have an airport and are known beyond their region"""
    found = []
    for country, where, names in lists.weather_cities():
        codes = world.by_city.get((country, lists.plain(names["en"])), set())
        near = {c for c in codes if lists.distance(where, tuple(float(world.served[c][k]) for k in
                                                               ("latitude_deg", "longitude_deg"))) < lists.NEAR_KM + 40}
        if near and (world.large(near) or population(country, names["en"]) >= KNOWN_CITY):
            found.append((country, names, near))
    return found


def pick(key, options):
    return options[int(sample(key), 16) % len(options)]


def drop(text, at, key):
    return text[:at] + text[at + 1:]


def add(text, at, key):
    return text[:at] + pick(key, letters_of(text)) + text[at:]


def replace(text, at, key):
    return text[:at] + pick(key, letters_of(text)) + text[at + 1:]


def swap(text, at, key):
    return text[:at] + text[at + 1:at + 2] + text[at:at + 1] + text[at + 2:]


def letters_of(text):
    return CYRILLIC if re.search("[а-я]", text) else LETTERS


def wrong(text, edit, salt=""):
    """One error, not in the first letter, the same in every run."""
    for n in range(50):
        key = f"{salt}{n}{text}"
        at = 1 + int(sample(key), 16) % (len(text) - 1)
        made = edit(text, at, key)
        if made != text and " " not in (text[at], made[min(at, len(made) - 1)]):
            return made
    return None


def layout(text, typed, meant):
    keys = dict(zip(meant, typed))
    return "".join(keys.get(c, c) for c in text.lower())


def abbreviate(name):
    for n, word in enumerate(words := lists.plain(name).split()):
        if word in ABBREVIATIONS:
            yield " ".join([*words[:n], pick(name + word, ABBREVIATIONS[word]), *words[n + 1:]])


def code_classes(world):
    icao = lists.icao_codes()
    for code in world.served:
        yield "IATA code in capitals", code, {("apt", code), ("city", code)}
        yield "IATA code in lower case", code.lower(), {("apt", code), ("city", code)}
        if code in icao:
            yield "ICAO code", icao[code], world.airport(code)
    for city, members in world.metropolitan.items():
        served = members & set(world.served)
        if len(served) > 1 and city not in world.served:
            yield "metropolitan code", city, {("city", city)}


def name_classes(world):
    for title, names in lists.airport_lists().items():
        for code in world.served:
            if code in names:
                right, words = world.airport(code), lists.plain(names[code]).split()
                yield f"airport names of {title}", names[code], right
                for text in abbreviate(names[code]):
                    yield "abbreviations", text, right
                if len(words) > 2:
                    yield "words reversed", " ".join(reversed(words)), right
                    n = int(sample(names[code]), 16) % len(words)
                    left = [*words[:n], *words[n + 1:]]
                    if set(left) - GENERIC and words[n] not in GENERIC and world.city_of.get(code) \
                            and set(lists.plain(world.city_of[code]).split()) <= set(left):
                        yield "a word left out", " ".join(left), right


def airport_and_city(world):
    names = lists.airport_lists()["OpenFlights"]
    for code, city in world.city_of.items():
        city_words = lists.plain(city).split()
        core = [w for w in lists.plain(names.get(code, "")).split() if w not in GENERIC and w not in city_words]
        if core and len(core) < 4 and len(city_words) < 3:
            yield "airport and city", " ".join([*core, *city_words]), world.airport(code)
            yield "city and airport", " ".join([*city_words, *core]), world.airport(code)
        yield "city and code", f"{lists.plain(city)} {code.lower()}", world.meant({code})


def city_classes(world, known):
    countries = lists.country_names()
    for country, names, codes in known:
        right, name = world.meant(codes), lists.plain(names["en"])
        for lang, text in names.items():
            yield f"cities, {lang}", text, right
            place = countries.get(country, {}).get(lang)
            if place and lang in ("en", "ru", "uk", "de", "es"):
                yield "city and country", f"{text} {place}".lower(), right
        yield "a word added", f"{name} {pick(name, ('airport', 'international airport', 'apt', 'intl', 'city'))}", right
        if "ru" in names:
            yield "a word added", f"{pick(name, ('аэропорт', 'международный аэропорт'))} {names['ru'].lower()}", right
        yield from error_classes(name, names.get("ru", "").lower(), right)


def error_classes(name, russian, right):
    for text in (name, russian):
        if len(text) >= 5:
            for title, edit in (("a letter lost", drop), ("a letter added", add), ("a wrong letter", replace),
                                ("two letters swapped", swap)):
                made = wrong(text, edit)
                if made:
                    yield title, made, right
        if len(text) >= 8:
            once = wrong(text, pick(text, (drop, add, replace, swap)), "1")
            twice = once and wrong(once, pick(text, (add, replace, drop)), "2")
            if twice and twice != text:
                yield "two errors", twice, right
    if len(name) >= 4:
        yield "English on a Russian keyboard", layout(name, KEYS_RU, KEYS_EN), right
    if len(russian) >= 4:
        yield "Russian on an English keyboard", layout(russian, KEYS_EN, KEYS_RU), right


def prefix_classes(world, known, population):
    """The largest of the cities that begin so."""
    best = {}
    for country, names, codes in known:
        size = population(country, names["en"])
        for lang, lengths in (("en", (3, 4, 5)), ("ru", (3, 4)), ("uk", (4,))):
            text = names.get(lang, "").lower()
            for n in lengths:
                if len(text) > n and text[:n].isalpha():
                    best[lang, text[:n]] = max(best.get((lang, text[:n]), (0, "", None)), (size, names["en"], codes),
                                               key=lambda b: b[:2])
    for (lang, text), (_, _, codes) in best.items():
        foreign = lang == "en" and text.upper() in world.served and text.upper() not in codes
        title = "prefixes of 3 that are another's code" if foreign else f"prefixes of {len(text)}, {lang}"
        yield title, text, world.meant(codes)


def familiar(world):
    for entry in re.split(r"[|\n]", FAMILIAR.strip()):
        words = entry.split()
        codes = [w for w in words if re.fullmatch("[A-Z]{3}", w)]
        text = " ".join(words[:len(words) - len(codes)])
        yield "familiar names", text, {(kind, c) for c in codes for kind in ("apt", "city")} | world.meant(set(codes))


def questions(places, population):
    """{class: [(text, right)]}: one of each text, what is right for it in any list; PER_CLASS of each half."""
    world, asked = World(places), {}
    known = cities(world, population)
    for source in (code_classes(world), name_classes(world), airport_and_city(world), city_classes(world, known),
                   prefix_classes(world, known, population), familiar(world)):
        for title, text, right in source:
            known = asked.setdefault(title, {}).setdefault(text.strip(), set())
            known |= right
    return {title: cut(texts) for title, texts in asked.items()}


def cut(texts):
    """A half is chosen before the number: more queries in a list move none of the others across."""
    kept = {"tune": [], "held-out": []}
    for text in sorted(texts, key=sample):
        right = texts[text]
        if text and len(kept[half(right)]) < PER_CLASS:
            kept[half(right)].append((text, right))
    return kept
