"""Lists as suppliers of hotels publish them, seeded: each after the documentation of one sort of supplier, with its own names of columns,
codes of countries, ways to write stars and places, and what is written around the data for people.

A generator takes houses and a random.Random and gives (bytes, name of the file, options of `dragoman load`). As a program it writes all of
them into a folder, with their second week, the reference and what there is (lists.json), for the tests of the pages."""
import csv
import dataclasses
import datetime
import io
import json
import pathlib
import random
import sys

import openpyxl
import xlsxwriter

COUNTRIES = {"TR": ("TUR", "792", "Turkey", "Турция"), "CZ": ("CZE", "203", "Czech Republic", "Чехия"), "AE": ("ARE", "784", "UAE", "ОАЭ"),
             "RU": ("RUS", "643", "Russian Federation", "Россия"), "HK": ("HKG", "344", "Hong Kong", "Гонконг")}
CITIES = {"TR": [("Side", 36.77, 31.39), ("Kemer", 36.6, 30.56)], "CZ": [("Prague", 50.08, 14.43)], "AE": [("Dubai", 25.2, 55.27)],
          "RU": [("Sochi", 43.6, 39.73)], "HK": [("Kowloon", 22.31, 114.18)]}
FIRST = ["Amber", "Cedar", "Coral", "Falcon", "Ivory", "Jasmine", "Lotus", "Marble", "Orchid", "Pearl", "Sapphire", "Topaz", "Violet", "Willow"]
SECOND = ["Bay", "Castle", "Garden", "Grove", "Harbour", "Meadow", "Orchard", "Palace", "Plaza", "Terrace", "Tower", "Vista"]


@dataclasses.dataclass
class House:
    number: int
    name: str
    country: str
    city: str
    stars: int
    lat: float
    lng: float


def houses(n, seed):
    rng, names = random.Random(seed), [f"{a} {b}" for a in FIRST for b in SECOND]
    rng.shuffle(names)
    found = []
    for i in range(n):
        country = list(CITIES)[i % len(CITIES)]
        city, lat, lng = rng.choice(CITIES[country])
        found.append(House(100 + i, names[i], country, city, rng.randint(3, 5), round(lat + rng.uniform(-.03, .03), 5), round(lng + rng.uniform(-.03, .03), 5)))
    return found


def reference(all_houses):
    """Records of a reference of these houses; Hong Kong is in China."""
    codes = {"TR": 1, "CZ": 2, "AE": 3, "RU": 4, "HK": 5}
    cities = {name: (10 + i, country) for i, (country, name) in enumerate((c, city[0]) for c in CITIES for city in CITIES[c])}
    return [*({"type": "dict", "kind": "country", "id": i, "iso_alpha_2": "CN" if c == "HK" else c, "name": "China" if c == "HK" else COUNTRIES[c][2]}
              for c, i in codes.items()),
            *({"type": "dict", "kind": "city", "id": i, "country_id": codes[c], "name": name} for name, (i, c) in cities.items()),
            *({"type": "dict", "kind": "hotel_category", "id": i, "name": f"{i}*"} for i in (3, 4, 5)),
            *({"type": "dict", "kind": "hotel", "id": h.number, "name": h.name, "country_id": codes[h.country], "city_id": cities[h.city][0],
               "hotel_category_id": h.stars, "lat": h.lat, "lng": h.lng} for h in all_houses)]


def text(rows, separator, encoding="utf-8"):
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator="\r\n").writerows(rows)
    return out.getvalue().encode(encoding)


def book(sheets):
    made = openpyxl.Workbook()
    made.remove(made.active)
    for name, rows, merged in sheets:
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(row)
        for cells in merged:
            sheet.merge_cells(cells)
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def comma(x):
    return str(x).replace(".", ",")


def affiliate_tsv(all_houses, rng):
    """Tabs, a country in small letters, the class as a number with decimals, longitude before latitude."""
    rows = [["id", "name", "address", "zip", "city_hotel", "cc1", "ufi", "class", "currencycode", "longitude", "latitude"]]
    rows += [[h.number, f"{h.name} Hotel" if rng.random() < .5 else h.name, "", "", h.city, h.country.lower(), rng.randint(-9**6, 0), f"{h.stars}.0", "EUR", h.lng, h.lat]
             for h in all_houses]
    return text(rows, "\t"), "hotels.tsv", ["--map", "city_name=city_hotel,country_id=cc1,category_name=class"]


def bar_catalogue(all_houses, rng):
    """Bars between cells, long names of columns, a total of records at the end."""
    rows = [["EANHotelID", "SequenceNumber", "Name", "Address1", "City", "StateProvince", "Country", "Latitude", "Longitude", "StarRating"]]
    rows += [[h.number, i, f"The {h.name}" if rng.random() < .3 else h.name, "", h.city, "", h.country, f"{h.lat:.5f}", f"{h.lng:.5f}", f"{h.stars}"]
             for i, h in enumerate(all_houses)]
    return text([*rows, ["Total", len(all_houses)]], "|"), "ActivePropertyList.txt", ["--map", "id=EANHotelID"]


def wholesaler_map(all_houses, rng):
    """The place in one cell, with a bar in it; stars in words; a country by its usual name."""
    words = {3: "ThreeStar", 4: "FourStar", 5: "FiveStar"}
    rows = [["HotelCode", "HotelName", "HotelRating", "Map", "CountryName", "CityName"]]
    rows += [[h.number, h.name.upper() if rng.random() < .5 else h.name, words[h.stars], f"{h.lat}|{h.lng}", COUNTRIES[h.country][2], h.city] for h in all_houses]
    return text(rows, ","), "static.csv", ["--map", "lat=Map,lng=Map,country_name=CountryName,city_name=CityName"]


def workbook_with_notes(all_houses, rng):
    """A sheet of notes before the list, two rows of titles over groups of columns, codes of three letters, places exchanged here and there."""
    notes = [["Static data, confidential"], ["Updated", "2026-11-01"], ["Contact", "support"]]
    rows = [["Property", None, "Location", None, None, None, "Official"], ["Code", "Name", "Country Code", "City", "Latitude", "Longitude", "Category"]]
    for h in all_houses:
        there = [h.lng, h.lat] if abs(h.lng) > 90 and rng.random() < .5 else [h.lat, h.lng]
        rows.append([f"{h.number:06}", f"{h.name} by Example", COUNTRIES[h.country][0], h.city, *there, f"{h.stars}*"])
    return book([("READ ME", notes, []), ("Hotels", rows, ["A1:B1", "C1:F1"])]), "static_data.xlsx", []


def operator_in_turkish(all_houses, rng):
    """Groups with merged titles, decimal commas as text, the province before the district, a total; the region is no city."""
    rows, merged = [["OTEL LİSTESİ 2026"], ["Otel Kodu", "Otel Adı", "ÜLKE", "BÖLGE", "İL / İLÇE", "SINIF", "Enlem", "Boylam"]], ["A1:H1"]
    for n, country in enumerate(CITIES, 1):
        rows.append([f"{n}. GRUP"])
        merged.append(f"A{len(rows)}:H{len(rows)}")
        rows += [[str(h.number), h.name + rng.choice(["", " Otel"]), COUNTRIES[h.country][2], "Bölge", h.city, f"Apart {h.stars}*" if rng.random() < .2 else f"{h.stars}*",
                  comma(h.lat), comma(h.lng)] for h in all_houses if h.country == country]
    return book([("LİSTE", [*rows, ["TOPLAM", len(all_houses)]], merged)]), "oteller.xlsx", []


def operator_in_russian(all_houses, rng):
    """windows-1251, semicolons, the header again on each page, a total, numbers of countries as the standard has them."""
    head = ["Код", "Отель", "Код страны", "Курорт", "Звездность", "Координаты"]
    rows = [["Справочник отелей", "", "", "", "", ""], head]
    for i, h in enumerate(all_houses):
        rows += [head] if i and i % 20 == 0 else []
        rows.append([h.number, h.name + rng.choice(["", f" {h.stars}*"]), COUNTRIES[h.country][1], h.city, f"{h.stars}*", f"{comma(h.lat)}, {comma(h.lng)}"])
    return text([*rows, ["Итого:", len(all_houses)]], ";", "cp1251"), "hotels.csv", ["--encoding", "windows-1251"]


def comparison_feed(all_houses, rng):
    """A country by name and by code, a former name, half the rows without a place, a line for people at the end."""
    rows = [["hotel_id", "hotel_name", "hotel_formerly_name", "addressline1", "zipcode", "city", "country", "countryisocode", "star_rating", "longitude", "latitude"]]
    rows += [[h.number, h.name, "", "", "", h.city, COUNTRIES[h.country][2], h.country, f"{h.stars}.0", *([h.lng, h.lat] if rng.random() < .5 else ["", ""])]
             for h in all_houses]
    return text([*rows, ["", "Data may be used for comparison only"]], ","), "feed.csv", ["--map", "country_id=countryisocode"]


def incoming_in_turkish(all_houses, rng):
    """windows-1254, a title, zeros before numbers, three columns of one name, semicolons and quotes inside cells, decimal commas."""
    names = {"TR": "TÜRKİYE", "CZ": "Çek Cumhuriyeti", "AE": "Birleşik Arap Emirlikleri", "RU": "Rusya", "HK": "Hong Kong"}
    rows = [["İŞ ORTAĞI OTEL LİSTESİ"], ["Kod", "Otel Adı", "Ülke", "Kod", "Şehir", "Kod", "Yıldız", "Adres", "Enlem", "Boylam"]]
    rows += [[f"{h.number:05}", h.name + rng.choice(["", " Oteli", ' "Ğ"']), names[h.country], rng.randint(1, 99), h.city, f"S{h.stars}", f"{h.stars} Yıldız",
              f"Sahil Cd.; No {rng.randint(1, 99)}", comma(h.lat), comma(h.lng)] for h in all_houses]
    return text(rows, ";", "cp1254"), "otel_listesi.csv", ["--encoding", "windows-1254"]


def bed_bank_by_room(all_houses, rng):
    """A row for each room and board, lines inside cells, stars as Spaniards count them."""
    rows = [["Hotel Code", "Hotel Name", "Country Code", "City", "Category", "Latitude", "Longitude", "Room Code", "Room Name", "Board Code"]]
    for h in all_houses:
        own = [h.number, h.name, h.country, h.city, f"{h.stars}EST", h.lat, h.lng]
        rows += [[*own, f"DBL.{n}", 'Double "Sea",\r\nfirst line', board] for n in range(rng.randint(1, 3)) for board in rng.sample(["RO", "BB", "HB", "AI"], 2)]
    return text(rows, ","), "rooms.csv", []


def catalogue_for_people(all_houses, rng):
    """Titles, a header of two rows with merged cells both ways, columns and rows that are hidden, numbers as text with spaces that do not
    break, ids and countries as formulas of which the values are saved."""
    out = io.BytesIO()
    made = xlsxwriter.Workbook(out, {"in_memory": True})
    sheet = made.add_worksheet("Catalogue")
    sheet.merge_range("A1:H1", "Winter 2026/27")
    sheet.write_datetime("A2", datetime.datetime(2026, 11, 1), made.add_format({"num_format": "dd.mm.yyyy"}))
    for cells, title in [("A4:A5", "Code"), ("B4:B5", "Hotel"), ("C4:D4", "Place"), ("E4:F4", "Position"), ("G4:G5", "Stars")]:
        sheet.merge_range(cells, title)
    for column, title in [(2, "Country"), (3, "City"), (4, "Latitude"), (5, "Longitude")]:
        sheet.write(4, column, title)
    sheet.merge_range("H4:H5", "Margin")
    sheet.set_column("H:H", None, None, {"hidden": True})
    for i, h in enumerate(all_houses, 5):
        sheet.write_formula(i, 0, f"=ROW()+{h.number - i - 1}", None, h.number)
        sheet.write(i, 1, f"\u00a0{h.name}\u00a0")
        sheet.write_formula(i, 2, f'=VLOOKUP("{h.country}",Countries!A:B,2,0)', None, COUNTRIES[h.country][2])
        sheet.write_row(i, 3, [h.city, f"{comma(h.lat)}\u00a0", f"\u00a0{comma(h.lng)}", "★" * h.stars, round(rng.random(), 2)])
        if rng.random() < .1:
            sheet.set_row(i, None, None, {"hidden": True})
    hidden = made.add_worksheet("Countries")
    hidden.hide()
    for i, country in enumerate(CITIES):
        hidden.write_row(i, 0, [country, COUNTRIES[country][2]])
    made.close()
    return out.getvalue(), "catalogue.xlsx", []


def booking_system_dump(all_houses, rng):
    """UTF-16 with a mark before it, tabs, names of columns of a database, a name in each alphabet, numbers of a system that only it knows."""
    rows = [["inc", "name", "lname", "state", "statename", "town", "townname", "star", "starname", "lat", "lon", "edate"]]
    towns, stars = {}, {3: 17, 4: 4, 5: 22}
    for h in all_houses:
        town = towns.setdefault(h.city, 900 + len(towns))
        rows.append([h.number, f"Отель {h.name}", f"{h.name} {h.stars}*", 10 + list(CITIES).index(h.country), COUNTRIES[h.country][3], town, h.city, stars[h.stars],
                     f"{h.stars}*", h.lat, h.lng, f"2026-{rng.randint(1, 12):02}-01"])
    return text(rows, "\t", "utf-16"), "hotels.txt", [
        "--map", "id=inc,name=lname,country_id=state,country_name=statename,city_id=town,city_name=townname,category_id=star,category_name=starname"]


def portal_in_languages(all_houses, rng):
    """A mark before UTF-8, tabs, a column for each language, cells of which nothing is known, empty columns and lines."""
    rows = [["Hotel ID", "Hotel Name (EN)", "Hotel Name (RU)", "Country (EN)", "Country (RU)", "City (EN)", "", "Stars", "Latitude", "Longitude"]]
    for i, h in enumerate(all_houses):
        rows += [[]] if i % 17 == 0 else []
        rows.append([f"{h.number:08}", h.name.lower() if rng.random() < .2 else h.name, rng.choice(["", "Отель"]), COUNTRIES[h.country][2], COUNTRIES[h.country][3], h.city, "",
                     h.stars, *([h.lat, h.lng] if rng.random() < .8 else ["N/A", "N/A"])])
    return text(rows, "\t", "utf-8-sig"), "portal.tsv", []


def catalogue_of_two_languages(all_houses, rng):
    """A workbook of an editor: names of columns in two languages, one below the other in a cell,
    stars as signs, a place in degrees of which it is said which."""
    out = io.BytesIO()
    made = xlsxwriter.Workbook(out, {"in_memory": True, "default_date_format": "d-mmm"})
    sheet, wrap = made.add_worksheet("Отели - Hotels"), made.add_format({"text_wrap": True})
    sheet.write_row(0, 0, ["Код отеля\nHotel code", "Название отеля\nHotel name", "Страна / Country", "Город\nCity", "Звёзды\nStars", "Координаты\nCoordinates", "Заметки\nNotes"], wrap)
    for i, h in enumerate(all_houses, 1):
        sheet.write_string(i, 0, str(h.number))
        sheet.write_row(i, 1, [h.name, f"{COUNTRIES[h.country][3]} / {COUNTRIES[h.country][2]}", h.city, "*" * h.stars, f"{h.lat}; {h.lng}", rng.choice(["", "new owner"])])
    made.close()
    return out.getvalue(), "editor.xlsx", []


GENERATORS = [affiliate_tsv, bar_catalogue, wholesaler_map, workbook_with_notes, operator_in_turkish, operator_in_russian, comparison_feed,
              incoming_in_turkish, bed_bank_by_room, catalogue_for_people, booking_system_dump, portal_in_languages,
              catalogue_of_two_languages]


def a_week_later(all_houses):
    """One house is called otherwise, one is gone, one is new, and of one the name is lost."""
    changed = {101: {"name": "Quite Another"}, 107: {"name": ""}}
    return [*(House(**{**vars(h), **changed.get(h.number, {})}) for h in all_houses if h.number != 105), House(999, "Second Moon", "TR", "Side", 4, 36.8, 31.4)]


def write_all(folder, n=60, seed=26):
    first, told = houses(n, seed), []
    (folder / "reference.ndjson").write_text("".join(json.dumps(r) + "\n" for r in reference(first)))
    for generator in GENERATORS:
        files = []
        for week, those in ("1", first), ("2", a_week_later(first)):
            body, name, options = generator(those, random.Random(seed))
            (folder / generator.__name__ / week).mkdir(parents=True)
            files.append(folder / generator.__name__ / week / name)
            files[-1].write_bytes(body)
        options = dict(zip(options[::2], options[1::2]))
        told.append({"name": generator.__name__, "files": [str(f) for f in files], "encoding": options.get("--encoding", ""),
                     "maps": [m.split("=") for m in options.get("--map", "").split(",") if m]})
    (folder / "lists.json").write_text(json.dumps(told))


if __name__ == "__main__":
    write_all(pathlib.Path(sys.argv[1]))
