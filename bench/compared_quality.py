#!/usr/bin/python3
"""Does avia/compared answer only where it knows? Titles of airports that airlines serve, as four other lists write them
(search_lists.py) and the demo data does not, by title alone and with what narrows it; and cities with their country or the code of an
airport in the title. Asked over HTTP.

    bench/compared_quality.py BUILD_DIR [--reference FILE] [--half tune|held-out] [--misses N]

precision: of the answers, how many are the airport that was meant, or its city where it has no other; recall: of the titles, how
many have a right answer. Halves as in bench/search_quality.py: figures are of the one that is held out, misses of the other."""
import http.client
import json
import pathlib
import sys

import common
import search_lists
import search_quality
import search_queries

BOUND = 98.0


class Compared:
    def __init__(self, port, key):
        self.http = http.client.HTTPConnection("127.0.0.1", port)
        self.headers = {"X-Service-Api-Key": key["key"], "X-Service-Api-Secret": key["secret"], "Content-Type": "application/json"}

    def __call__(self, **fields):
        body = json.dumps({"adapter_id": 1, "lang_code": "en", **fields})
        self.http.request("POST", "/v1/avia/compared", body, self.headers)
        answer = self.http.getresponse()
        text = answer.read()
        assert answer.status == 200, text
        found = json.loads(text)["data"]["compared"]
        return found["code"] and ("city" if found["type"] == "city" else "apt", found["code"])


def questions(places):
    """[(half, title, country, city, right)]: names that the data has are left out."""
    world = search_queries.World(places)
    names = search_quality.known_names(places)
    known = set().union(*names.values())
    for title, list_ in search_lists.airport_lists().items():
        for code in world.served:
            name = list_.get(code, "")
            if name and search_lists.plain(name) not in known:
                right = world.airport(code)
                yield search_queries.half(right), name, world.served[code]["iso_country"], world.city_of.get(code, ""), right


FORMS = {
    "City, CC": lambda city, code, country, names: f"{city}, {country}",
    "City, Country": lambda city, code, country, names: f"{city}, {names.get(country, {}).get('en', country)}",
    "CITY (CODE)": lambda city, code, country, names: f"{city.upper()} ({code})",
    "City CODE": lambda city, code, country, names: f"{city} {code}",
    "CODE - City": lambda city, code, country, names: f"{code} - {city}",
}


def forms(places):
    """{form: [(half, title, country, city, right)]}: a city as OpenTravelData calls it, with its country or the code of its airport"""
    world, names = search_queries.World(places), search_lists.country_names()
    for title, form in FORMS.items():
        asked = []
        for code, city in world.city_of.items():
            country = world.served[code]["iso_country"]
            siblings = world.by_city.get((country, search_lists.plain(city)), {code})
            right = world.meant({code}) if "CODE" in title.upper() else world.meant(siblings)
            asked.append((search_queries.half(right), form(city, code, country, names), country, city, right))
        yield title, asked


def report_forms(half, places, compared):
    for title, asked in forms(places):
        asked = [q for q in asked if q[0] == half]
        answered, right, _ = ask(compared, asked, WAYS["title alone"])
        near = ["{:.1f}-{:.1f}".format(*common.wilson(right, n)) for n in (len(asked), answered)]
        print(f"  {half:<9} {title:<18} {len(asked):>6} titles, recall {100 * right / len(asked):5.1f} % ({near[0]}), "
              f"precision {100 * right / max(1, answered):6.2f} % ({near[1]})")


def ask(compared, asked, narrow):
    answered = right = 0
    misses = []
    for _, title, country, city, meant in asked:
        found = compared(title=title, **narrow(country, city))
        answered += found is not None
        right += found in meant
        if found is not None and found not in meant:
            misses.append((title, found, sorted(meant)))
    return answered, right, misses


WAYS = {
    "title alone": lambda country, city: {},
    "with country_code": lambda country, city: {"country_code": country},
    "with both": lambda country, city: {"country_code": country, "city_name": city},
}


def report(half, asked, compared, misses):
    kept = True
    for way, narrow in WAYS.items():
        answered, right, wrong = ask(compared, asked, narrow)
        precision = 100 * right / answered
        print(f"  {half:<9} {way:<18} {len(asked):>6} titles, answered {100 * answered / len(asked):5.1f} %, "
              f"recall {100 * right / len(asked):5.1f} %, precision {precision:6.2f} %")
        for title, found, meant in wrong[:misses] if half == "tune" else ():
            print(f"    wrong: {title!r} is {found}, meant {meant[:3]}")
        if half == "held-out":
            kept &= common.verdict(f"precision, {way}", precision, BOUND, " %", smaller=False)
    return kept


def main():
    o = search_quality.arguments(__doc__).parse_args()
    search_quality.prepare()
    places = [r for r in map(json.loads, open(o.reference, encoding="utf-8")) if r["type"] == "air_place"]
    asked, kept = list(questions(places)), True
    with common.folder() as folder:
        d = common.Dragoman(f"{o.build}/dragoman", folder)
        adapter = pathlib.Path(folder) / "adapter.ndjson"
        adapter.write_text('{"type":"adapter","id":1,"code":"bench","name":"Bench","domain":"air"}\n', "utf-8")
        d.run("import", o.reference)
        d.run("import", adapter)
        key = d.key("b", "--secret")
        with d.serve():
            compared = Compared(d.port, key)
            for half in ("tune", "held-out") if o.half == "both" else (o.half,):
                kept &= report(half, [q for q in asked if q[0] == half], compared, o.misses)
                report_forms(half, places, compared)
    sys.exit(not kept)


if __name__ == "__main__":
    main()
