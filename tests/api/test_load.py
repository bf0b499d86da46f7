"""dragoman load and dragoman supplier: lists as suppliers send them (docs/lists.md)."""
import csv
import json
import re
import zipfile
from xml.sax.saxutils import escape

import openpyxl
import pytest

import sheets
from loading import MONTH, NEXT_MONTH, REFERENCE

pytestmark = pytest.mark.store

CYRILLIC = ["Код отеля", "Название отеля", "Страна", "Курорт", "Телефон"]


class Desk:
    """A data folder and one who loads lists into it."""

    def __init__(self, run, path):
        self.run_, self.path, self.data = run, path, path / "data"
        self.ok("supplier", "add", "coral", "--create")

    def run(self, *args):
        return self.run_(*args, "--data", self.data)

    def ok(self, *args):
        done = self.run(*args)
        assert done.returncode == 0, (args, done.stdout, done.stderr)
        return done.stdout

    def fails(self, *args):
        before = self.records()
        done = self.run(*args)
        assert done.returncode == 1, (args, done.stdout, done.stderr)
        assert self.records() == before
        assert done.stderr.startswith("dragoman: ") and done.stderr.count("\n") == 1, done.stderr
        return done.stderr

    def records(self, **wanted):
        lines = [json.loads(line) for line in self.ok("export").splitlines()]
        return [r for r in lines if all(r.get(k) == v for k, v in wanted.items())]

    def hotels(self):
        return {r["id"]: r for r in self.records(type="source", kind="hotel")}

    def workbook(self, table, name="list.xlsx", **more):
        return sheets.workbook(self.path / name, table, **more)

    def text(self, content, name="list.csv"):
        path = self.path / name
        path.write_bytes(content)
        return path


@pytest.fixture
def desk(run, tmp_path):
    return Desk(run, tmp_path)


# a new sort of file

def test_a_new_file_is_shown_and_not_loaded(desk):
    path = desk.workbook(sheets.rows(7))
    done = desk.run("load", "coral", path)
    assert done.returncode == 1 and "--accept" in done.stderr
    assert re.search(r"Hotel Code +-> id +H0 \| H1 \| H2 \| H3 \| H4\n", done.stdout)
    assert re.search(r"hotel +7 new +0 changed +0 same +0 gone\n", done.stdout)
    assert desk.records(type="source") == [] and desk.records(type="profile") == []


def test_a_list_of_cities_tells_of_their_countries_too(desk):
    desk.ok("load", "coral", desk.text(b"city_id,city_name,country_id,country_name\n7,Side,90,Turkey\n8,Kemer,90,Turkey\n"), "--kind", "city",
            "--accept")
    assert [(r["kind"], r["name"]) for r in desk.records(type="source")] == [("country", "Turkey"), ("city", "Side"), ("city", "Kemer")]


@pytest.mark.store_core
def test_accepted_it_is_loaded_and_known_from_then_on(desk):
    desk.ok("load", "coral", desk.workbook(sheets.rows(7)), "--accept")
    assert desk.hotels()["H3"] == {
        "type": "source", "adapter_id": 1, "kind": "hotel", "id": "H3", "name": "Hotel 3", "country_id": "TR",
        "country_name": "Turkey", "city_id": "500", "city_name": "Kemer", "lat": 36.5, "phone": "+90 3"}
    assert [(r["kind"], r["id"], r["name"]) for r in desk.records(type="source") if r["kind"] != "hotel"] == [
        ("country", "TR", "Turkey"), ("city", "500", "Kemer")]
    said = desk.ok("load", "coral", desk.workbook(sheets.rows(6), "second.xlsx"))
    assert re.search(r"hotel +0 new +0 changed +6 same", said) and "proposed" not in said
    assert "Hotel Code" in desk.ok("supplier", "show", "coral")


@pytest.mark.parametrize("kind, text, like", [
    ("hotel", "Code;Name;Currency code\n1;Euro;EUR\n", "currency"), ("hotel", "Currency code;Currency\nEUR;Euro\n", "currency"),
    ("hotel", "City ID;City;Country\n1;Side;Turkey\n", "city"), ("city", "Hotel code;Hotel name;City\n1;Ada;Side\n", "hotel"),
    ("hotel", "Meal code;Meal\nHB;Half board\n", "meal"), ("currency", "Country code;Country\nTR;Turkey\n", "country"),
    ("meal", "Category ID;Stars\n5;5*\n", "hotel_category"), ("city", "Departure city id;Departure city\n1;Moscow\n", "dep_city")])
def test_a_list_that_looks_like_another_kind_is_told_as_that(desk, kind, text, like):
    path = desk.text(text.encode())
    done = desk.run("load", "coral", path, "--kind", kind)
    assert done.returncode == 1 and "look" in done.stdout + done.stderr and f"add --kind {like}" in done.stdout + done.stderr
    said = desk.ok("load", "coral", path, "--kind", like, "--accept")
    assert f"{like} records" in said and "columns look" not in said


def test_a_list_of_currencies_is_known_by_their_codes(desk):
    desk.ok("load", "coral", desk.text(b"Currency code;Currency\nEUR;Euro\n"), "--kind", "currency", "--accept")
    assert [(r["id"], r["name"], r["iso_code"]) for r in desk.records(type="source")] == [("EUR", "Euro", "EUR")]


def test_a_column_of_another_name_is_mapped(desk):
    path = desk.workbook([["1", "One", "x"]], header=["Nr", "Object", "Remarks"])
    assert "--map id=COLUMN" in desk.fails("load", "coral", path)
    said = desk.ok("load", "coral", path, "--accept", "--map", "id=Nr,name=Object")
    assert re.search(r"Remarks +-> \(not read\)", said)
    assert desk.hotels()["1"]["name"] == "One"
    desk.ok("load", "coral", path)


def test_a_file_without_columns_of_the_profile_is_refused(desk):
    desk.ok("load", "coral", desk.workbook(sheets.rows(3)), "--accept")
    header = [h.replace("Phone", "Fax") for h in sheets.HEADER]
    said = desk.fails("load", "coral", desk.workbook(sheets.rows(3), "other.xlsx", header=header))
    assert "the column Phone (phone), and the file has" in said and "Fax" in said
    cut = desk.workbook([r[:5] for r in sheets.rows(3)], "cut.xlsx", header=sheets.HEADER[:5])
    said = desk.fails("load", "coral", cut)
    assert "the column City (city_name), the column Latitude (lat), the column Phone (phone), and the file has Hotel Code," in said
    assert "its lists of hotel records look now, --map FIELD=COLUMN --accept makes a new profile" in said
    desk.ok("load", "coral", cut, "--map", "id=Hotel Code", "--accept")
    assert desk.hotels()["H1"]["phone"] == "+90 1", "a column that is not there clears nothing"


HOW = {"encoding": "windows-1254", "separator": "|", "decimal": ",", "lang": "tr", "complete": True}


def test_p7_naming_a_column_keeps_what_else_is_known_of_the_files(desk):
    """Of the only kind that is remembered: what each row is, too."""
    desk.ok("supplier", "set", "coral", "--kind", "meal", "--map", "id=Nr,name=Ad", "--encoding", "windows-1254", "--separator", "|", "--decimal", ",",
            "--lang", "tr", "--complete", "yes")
    path = desk.text(sheets.csv_text([["1", "Yarım Şile"]], "|", ["Nr", "Yeni"]).encode("cp1254"))
    desk.ok("load", "coral", path, "--map", "id=Nr,name=Yeni", "--accept")
    (profile,) = desk.records(type="profile")
    assert (profile["kind"], profile["data"]) == ("meal", {"columns": {"id": "Nr", "name": "Yeni"}, **HOW})
    (meal,) = desk.records(type="source")
    assert (meal["kind"], meal["name"], meal["lang"]) == ("meal", "Yarım Şile", "tr")
    desk.ok("load", "coral", path, "--map", "id=Nr,name=Yeni", "--accept", "--lang", "de", "--kind", "hotel", "--encoding", "cp1254")
    assert [(r["kind"], r["data"].get("lang"), r["data"].get("decimal")) for r in desk.records(type="profile")] == [("meal", "tr", ","), ("hotel", "de", None)]


def test_p7_naming_a_column_of_a_file_that_is_written_in_another_way_now(desk):
    desk.ok("supplier", "set", "coral", "--map", "id=Hotel Code,name=Object", "--sheet", "Archive", "--lang", "tr")
    assert "no sheet of this name" in desk.fails("load", "coral", desk.workbook(sheets.rows(2)))
    desk.ok("load", "coral", desk.workbook(sheets.rows(2)), "--map", "phone=", "--accept")
    (profile,) = desk.records(type="profile")
    assert "sheet" not in profile["data"] and profile["data"]["lang"] == "tr"
    assert list(desk.hotels()) == ["H0", "H1"]


def test_a_new_column_is_said_before_all_else(desk):
    desk.ok("load", "coral", desk.workbook(sheets.rows(3)), "--accept")
    table = [[*r, "new", "31.4"] for r in sheets.rows(3)]
    path = desk.workbook(table, "more.xlsx", header=[*sheets.HEADER, "Beach", "Longitude"])
    for options in (["--dry-run"], []):
        said = desk.ok("load", "coral", path, *options).splitlines()
        assert said[0].endswith('more.xlsx: warning: the column "Beach" is new; nothing reads it')
        assert said[1].endswith('warning: the column "Longitude" is new; nothing reads it; --map lng="Longitude" --accept does')
    said = desk.ok("load", "coral", path, "--map", "lng=Longitude", "--accept")
    assert "nothing reads it" not in said and desk.hotels()["H0"]["lng"] == 31.4
    assert "nothing reads it" not in desk.ok("load", "coral", path), "it was seen"


def test_a_list_of_names_uses_them_as_ids_if_it_is_said(desk):
    path = desk.text("Nombre;Ciudad\nAda;Side\nBora;Kemer\n".encode())
    said = desk.fails("load", "coral", path, "--accept")
    assert "no column is the supplier's id" in said and '--map "id=Nombre" takes its names as ids' in said and not desk.hotels()
    desk.ok("load", "coral", path, "--map", "id=Nombre", "--accept")
    assert {i: h["name"] for i, h in desk.hotels().items()} == {"Ada": "Ada", "Bora": "Bora"}
    assert "0 new" in desk.ok("load", "coral", path), "so it is remembered"
    desk.ok("supplier", "set", "coral", "--map", "id=Nombre,name=Nombre")
    assert "cannot feed both name and lat" in desk.fails("load", "coral", path, "--map", "name=Nombre,lat=Nombre", "--accept")


# once for a whole list

CITIES = b"Code,Name\n1001,Brisbane\n1002,Sydney\n"


def countries(desk, kind="city"):
    return [r.get("country_name") for r in desk.records(type="source", kind=kind)]


def test_the_country_of_a_list_is_said_once(desk):
    path = desk.text(CITIES)
    said = desk.ok("load", "coral", path, "--kind", "city", "--country", "Australia", "--dry-run")
    assert "rows that name no country are of Australia" in said
    desk.ok("load", "coral", path, "--kind", "city", "--country", "Australia", "--accept")
    assert countries(desk) == ["Australia"] * 2
    said = desk.ok("load", "coral", path, "--kind", "city")
    assert re.search(r"city +0 new +0 changed +2 same", said) and "are of Australia" in said, "it is remembered"
    assert re.search(r"country +Australia\n", desk.ok("supplier", "show", "coral"))
    assert desk.records(type="profile")[0]["data"]["country"] == "Australia"


def test_what_is_said_once_holds_where_a_row_says_nothing(desk):
    path = desk.text("Code;Hotel;Country;Country Code;Stars\n1;Ada;Turkey;;5*\n2;Bora;;TR;\n3;Cem;;;\n".encode())
    desk.ok("load", "coral", path, "--country", "AU", "--category", "3*", "--lang", "tr", "--accept")
    hotels = desk.hotels()
    assert [hotels[i].get("country_name") for i in "123"] == ["Turkey", None, "AU"]
    assert [hotels[i].get("category_name") for i in "123"] == ["5*", "3*", "3*"]
    assert {h["lang"] for h in hotels.values()} == {"tr"}
    short = desk.text(b"Code;Hotel;Country Code\n2;Bora;TR\n3;Cem;\n", "short.csv")
    desk.ok("load", "coral", short, "--map", "id=Code", "--country", "AU", "--accept")
    hotels = desk.hotels()
    assert hotels["2"]["country_id"] == "TR" and "country_name" not in hotels["2"] and hotels["3"]["country_name"] == "AU"


def test_what_is_said_once_is_changed_and_taken_back(desk):
    path = desk.text(CITIES)
    options = ["--kind", "city"]
    desk.ok("load", "coral", path, *options, "--country", "Australia", "--accept")
    desk.ok("load", "coral", path, *options, "--country", "New Zealand")
    assert countries(desk) == ["New Zealand"] * 2 and desk.records(type="profile")[0]["data"]["country"] == "Australia", "for this load"
    desk.ok("load", "coral", path, *options, "--country", "Austria", "--lang", "de", "--accept")
    assert [desk.records(type="profile")[0]["data"].get(n) for n in ("country", "lang")] == ["Austria", "de"]
    desk.ok("supplier", "set", "coral", *options, "--country", "none")
    assert "country" not in desk.records(type="profile")[0]["data"]
    desk.ok("load", "coral", path, *options)
    assert countries(desk) == ["Austria"] * 2, "a column that is not there clears nothing"


@pytest.mark.parametrize("options, said", [
    (["--kind", "currency", "--country", "Turkey"], "--country: a currency has no country"),
    (["--kind", "city", "--category", "5*"], "--category: a city has no category"),
    (["--kind", "city", "--country", "x" * 257], "--country: expected a name of at most 256 bytes")])
def test_what_a_list_cannot_have_is_refused(desk, options, said):
    assert said in desk.fails("load", "coral", desk.text(CITIES), *options, "--accept")
    assert said in desk.fails("supplier", "set", "coral", *options, "--map", "id=Code")
    assert desk.records(type="profile") == []


def test_the_country_of_a_list_shows_the_order_of_its_coordinates(worldly):
    rows = "".join(f'u{i};H{i};"{lat},{lng}"\n' for i, (lat, lng) in enumerate(exchanged(DUBAI)))
    said = worldly.ok("load", "coral", worldly.text(f"Code;Hotel;Coordinates\n{rows}".encode()), "--country", "AE", "--accept")
    assert "  coordinates are read as longitude, latitude\n" in said and worldly.hotels()["u0"]["lat"] == DUBAI[0][0]


def test_a_file_of_another_supplier_is_refused(desk):
    desk.ok("load", "coral", desk.workbook(sheets.rows(30)), "--accept")
    other = desk.workbook(sheets.rows(30, 1000), "other.xlsx")
    assert "is it another's file?" in desk.fails("load", "coral", other)
    desk.ok("load", "coral", other, "--accept")
    assert len(desk.hotels()) == 60


# what would happen

def test_a_dry_run_tells_what_changes(desk):
    desk.ok("load", "coral", desk.workbook(sheets.rows(5)), "--accept")
    table = [sheets.hotel(0), sheets.hotel(1, **{"Hotel Name": "Other"}), sheets.hotel(2, Phone=None), sheets.hotel(9),
             sheets.hotel(9)]
    path = desk.workbook(table, "next.xlsx")
    before = desk.records()
    said = desk.ok("load", "coral", path, "--dry-run", "--complete", "--max-gone", "50", "--report",
                   desk.path / "report.csv")
    assert desk.records() == before
    assert re.search(r"changed +\S+:3: hotel H1: name \"Hotel 1\" -> \"Other\"\n", said)
    assert re.search(r"cleared +\S+:4: hotel H2: phone \"\+90 2\" -> \"\"\n", said)
    assert re.search(r"twice +\S+:6: hotel H9", said)
    assert re.search(r"gone +hotel H3 Hotel 3\n", said)
    with open(desk.path / "report.csv", encoding="utf-8-sig", newline="") as f:
        report = [(r["what"], r["id"], r["field"]) for r in csv.DictReader(f)]
    assert sorted(report) == [("changed", "H1", "name"), ("cleared", "H2", "phone"), ("gone", "H3", ""),
                              ("gone", "H4", ""), ("new", "H9", ""), ("twice", "H9", "")]


def test_an_id_that_means_another_house_now_is_told_and_asked_about(desk, import_file):
    def as_text(rows):
        return desk.text("\n".join(";".join(row) for row in rows).encode() + b"\n")

    desk.ok("load", "coral", as_text(MONTH), "--accept")
    import_file(desk.data, REFERENCE)
    desk.ok("map", "set", "coral", "hotel", "given", 100)
    for options in (["--dry-run", "--report", desk.path / "report.csv"], []):
        said = desk.ok("load", "coral", as_text(NEXT_MONTH), *options)
        assert re.search(r"other +\S+:2: hotel given: name \"Mavi Koy Resort\" -> \"Grand Bellevue\"\n", said)
        assert "warning: 2 ids seem to mean another house now (\"other\"); 1 of them mapped: " in said
        assert (desk.hotels()["given"].get("dict_id") == 100) == bool(options)
    with open(desk.path / "report.csv", encoding="utf-8-sig", newline="") as f:
        assert {r["id"] for r in csv.DictReader(f) if r["what"] == "other"} == {"given", "nowhere"}
    asked = [json.loads(line) for line in desk.ok("match", "queue", "--format", "ndjson").splitlines()]
    assert [(q["id"], q["reason"], q["dict_id"]) for q in asked] == [("given", "taken_back", 100)]
    desk.ok("match")
    asked = {q["id"]: q for q in map(json.loads, desk.ok("match", "queue", "--format", "ndjson").splitlines())}
    assert asked["given"]["reason"] != "taken_back"


def test_a_report_can_be_a_workbook(desk):
    import openpyxl
    desk.ok("load", "coral", desk.workbook(sheets.rows(3)), "--accept", "--report", desk.path / "report.xlsx")
    lines = list(openpyxl.load_workbook(desk.path / "report.xlsx").active.values)
    assert lines[0][:4] == ("what", "kind", "id", "name") and lines[1][:4] == ("new", "hotel", "H0", "Hotel 0")


def test_a_column_that_is_not_there_clears_nothing(desk):
    desk.ok("load", "coral", desk.workbook(sheets.rows(3)), "--accept")
    before = desk.hotels()
    short = desk.workbook([["H0", "Hotel 0"], ["H1", "Renamed"]], "short.xlsx", header=["Hotel Code", "Hotel Name"])
    desk.ok("load", "coral", short, "--accept", "--map", "id=Hotel Code")
    assert desk.hotels() == before | {"H1": before["H1"] | {"name": "Renamed"}}


def test_a_list_without_names_says_so(desk):
    said = "no column is the name; --map name=COLUMN says which one is\n"
    path = desk.text(b"Code;City;What\nH1;Side;Sunny\n")
    assert said in desk.run("load", "coral", path, "--dry-run").stdout
    assert said not in desk.ok("load", "coral", path, "--dry-run", "--map", "name=What")
    assert said not in desk.ok("load", "coral", desk.text(b"Code;Zip\nAI;1\n"), "--dry-run", "--kind", "meal"), "a code is its name"


@pytest.mark.parametrize("header", ["Code;Name;City", "Code / Hotel;City", "Code;Hotel"])
@pytest.mark.parametrize("line", ["\u00a9 2026 Coral", "(c) Coral", "End", "*** END ***", "---", "***", "\u2014\u2014\u2014", "\u041a\u043e\u043d\u0435\u0446"])
def test_p10_a_line_that_ends_a_list_is_no_hotel(desk, header, line):
    more, one = header.count(";"), "H1 / Ada" if "/" in header else "H1;Ada"
    body = f"{header}\n{one};Side\n{line}{';' * more}\n{';'.join([line] * (more + 1))}\n{';' * more}{line}\n"
    said = desk.ok("load", "coral", desk.text(body.replace("Ada;Side", "Ada" if header == "Code;Hotel" else "Ada;Side").encode()), "--accept")
    assert list(desk.hotels()) == ["H1"] and "3 rows skipped" in said and said.count("a line or a note") == 3


def test_p10_what_could_be_a_record_is_one(desk):
    desk.ok("load", "coral", desk.text("Code / Hotel;City\nEnd;Side\n*;Side\n".encode()), "--accept")
    assert sorted(desk.hotels()) == ["*", "End"]
    desk.ok("load", "coral", desk.text(b"Code\nAI\nEnd\n"), "--accept", "--kind", "meal")
    desk.ok("load", "coral", desk.text(b"Code\n**\n***\n"), "--accept", "--kind", "hotel_category")
    assert {r["id"] for r in desk.records(type="source") if r["kind"] != "hotel"} == {"AI", "End", "**", "***"}


def test_one_number_is_no_place(desk):
    path = desk.text("Code;Name;Coords\n1;A;36.86\n2;B;36.86, 30.63\n3;C;36,86\n4;D;36\n5;E;\n".encode())
    said = desk.ok("load", "coral", path, "--accept")
    assert "list.csv:2: hotel 1: lat: expected two numbers such as 36.86, 30.63, found 36.86" in said and "3 records without coordinates" in said
    assert {i: (h.get("lat"), h.get("lng")) for i, h in desk.hotels().items()} == {
        "1": (None, None), "2": (36.86, 30.63), "3": (None, None), "4": (None, None), "5": (None, None)}
    desk.ok("load", "coral", desk.text("Code;Name;Coords;East\n1;A;36.86;30.63\n".encode()), "--accept", "--map", "lat=Coords,lng=East")
    assert (desk.hotels()["1"]["lat"], desk.hotels()["1"]["lng"]) == (36.86, 30.63), "it is a column for one"


# the order of coordinates

def places(n, lat, lng):
    """So many hotels near a place, no two at one."""
    return [(round(lat + i % 7 * 0.013, 4), round(lng + i % 5 * 0.017, 4)) for i in range(n)]


def in_one_cell(where, country=""):
    return ("Code;Name;Country;Coordinates\n" + "".join(f"u{i};Creek {i};{country};{a},{b}\n" for i, (a, b) in enumerate(where))).encode()


def in_two_columns(where, country):
    return ("Code;Name;Country;Lat;Lng\n" + "".join(f"u{i};Creek {i};{country};{a};{b}\n" for i, (a, b) in enumerate(where))).encode()


def exchanged(where):
    return [(b, a) for a, b in where]


@pytest.fixture
def worldly(desk):
    """A reference with cities of some countries."""
    country = [(1, "Turkey", "TR"), (2, "United Arab Emirates", "AE"), (3, "Latvia", "LV")]
    city = [(1, 1, 36.89, 30.71), (2, 1, 41.01, 28.98), (3, 2, 25.20, 55.27), (4, 2, 24.45, 54.38), (5, 3, 56.95, 24.11), (6, 3, 56.51, 21.01)]
    lines = [{"type": "dict", "kind": "country", "id": i, "name": {"en": name}, "iso_alpha_2": iso} for i, name, iso in country]
    lines += [{"type": "dict", "kind": "city", "id": i, "name": {"en": f"C{i}"}, "country_id": of, "lat": lat, "lng": lng}
              for i, of, lat, lng in city]
    desk.ok("import", desk.text("".join(json.dumps(line) + "\n" for line in lines).encode(), "reference.ndjson"))
    return desk


DUBAI, BEIJING, ANTALYA = places(30, 25.1, 55.2), places(30, 39.8, 116.3), places(30, 36.8, 30.6)


@pytest.mark.parametrize("where, country, read, sure", [
    (exchanged(DUBAI), "United Arab Emirates", "longitude, latitude", True), (exchanged(DUBAI), "AE", "longitude, latitude", True),
    (DUBAI, "United Arab Emirates", "latitude, longitude", True), (exchanged(ANTALYA), "Türkiye", "longitude, latitude", True),
    (exchanged(BEIJING), "", "longitude, latitude", True), (BEIJING, "", "latitude, longitude", True),
    (exchanged(BEIJING)[:6] + exchanged(DUBAI), "", "longitude, latitude", True),
    (ANTALYA, "", "latitude, longitude", False), (ANTALYA[:2], "Turkey", "latitude, longitude", False)])
def test_p10_one_order_holds_for_all_pairs_of_a_column(worldly, where, country, read, sure):
    """By values that only one order allows, or by the countries."""
    said = worldly.ok("load", "coral", worldly.text(in_one_cell(where, country)), "--accept")
    assert f"coordinates are read as {read}" in said and ("warning: coordinates" in said) == (not sure)
    got = {i: (h["lat"], h["lng"]) for i, h in worldly.hotels().items()}
    assert got == {f"u{i}": p for i, p in enumerate(exchanged(where) if read.startswith("longitude") else where)}


def test_p10_columns_that_are_exchanged_are_read_so_and_it_is_told(worldly):
    for where, country in [(DUBAI, "AE"), (BEIJING, "China")]:
        path = worldly.text(in_two_columns(exchanged(where), country))
        for _ in range(2):
            said = worldly.ok("load", "coral", path, "--accept")
            assert "coordinates are read as longitude, latitude\n" in said
            assert {i: (h["lat"], h["lng"]) for i, h in worldly.hotels().items()} == {f"u{i}": p for i, p in enumerate(where)}


def test_p10_columns_that_are_as_they_are_called_are_not_worth_a_line(worldly):
    assert "coordinates are read" not in worldly.ok("load", "coral", worldly.text(in_two_columns(DUBAI, "AE")), "--accept")
    assert worldly.hotels()["u0"]["lat"] == 25.1


def test_p10_what_the_user_says_of_columns_holds_and_a_doubt_is_told(worldly):
    path = worldly.text(in_two_columns(exchanged(DUBAI), "AE"))
    said = worldly.ok("load", "coral", path, "--accept", "--map", "lat=Lat,lng=Lng")
    assert "warning: coordinates are read as latitude, longitude; " in said and worldly.hotels()["u0"]["lat"] == 55.2
    said = worldly.ok("load", "coral", path, "--accept", "--map", "lat=Lng,lng=Lat")
    assert "coordinates are read" not in said and worldly.hotels()["u0"]["lat"] == 25.1


def test_p10_a_remembered_list_keeps_the_order(worldly):
    worldly.ok("load", "coral", worldly.text(in_one_cell(exchanged(DUBAI), "AE")), "--accept")
    assert worldly.records(type="profile")[0]["data"]["exchanged"] is True
    said = worldly.ok("load", "coral", worldly.text(in_one_cell(exchanged(ANTALYA))))
    assert "  coordinates are read as longitude, latitude\n" in said and worldly.hotels()["u0"]["lat"] == 36.8


def test_p10_single_slips_are_no_order(worldly):
    where = ANTALYA + exchanged(BEIJING)[:2]
    said = worldly.ok("load", "coral", worldly.text(in_two_columns(where, "")), "--accept")
    assert "2 records without coordinates" in said and worldly.hotels()["u0"]["lat"] == 36.8


@pytest.mark.parametrize("form", ["Point({x} {y})", "SRID=4326;POINT ({x} {y})", '{{"type":"Point","coordinates":[{x},{y}]}}',
                                  '{{"lat": {y}, "lng": {x}}}'])
@pytest.mark.parametrize("column", ["coordinates", "lng,lat", "the_geom"])
def test_p10_points_say_their_order_whatever_the_column_is_called(desk, form, column):
    where = [(36.775, 31.376), (32.65, -17.25), (64.15, -21.9)]
    body = "\t".join(["Code", "Hotel", column]) + "\n" + "".join(
        f"u{i}\tH{i}\t" + form.format(x=lng, y=lat) + "\n" for i, (lat, lng) in enumerate(where)) + "u3\tH3\t\n"
    said = desk.ok("load", "coral", desk.text(body.encode()), "--accept")
    order = "latitude, longitude" if "lat" in form else "longitude, latitude"
    assert re.search(rf"{re.escape(column)} +-> l(at|ng), l(at|ng)", said) and "without coordinates" not in said and "warning" not in said, order
    got = desk.hotels()
    assert [(got[f"u{i}"]["lat"], got[f"u{i}"]["lng"]) for i in range(3)] == where and "lat" not in got["u3"]


def test_p10_points_with_the_latitude_first_are_read_so_by_all_of_them(desk):
    """MySQL writes them so; a column of its own, and single points among pairs."""
    rows = "".join(f"u{i}\tH{i}\tPOINT({lat} {lng})\n" for i, (lat, lng) in enumerate(BEIJING))
    said = desk.ok("load", "coral", desk.text(f"Code\tHotel\tgeometry\n{rows}".encode()), "--accept")
    assert "  coordinates are read as latitude, longitude\n" in said
    assert (desk.hotels()["u0"]["lat"], desk.hotels()["u0"]["lng"]) == BEIJING[0]
    mixed = "v1\tA\t36.775, 31.376\nv2\tB\tPoint(31.376 36.775)\nv3\tC\tPOLYGON((31.3 36.7, 31.4 36.7, 31.3 36.7))\n"
    said = desk.ok("load", "coral", desk.text(f"Code\tHotel\tCoordinates\n{mixed}".encode(), "mixed.tsv"), "--map", "id=Code", "--accept", "--decimal", ",")
    got = desk.hotels()
    assert [(got[i].get("lat"), got[i].get("lng")) for i in ("v1", "v2", "v3")] == [(36.775, 31.376)] * 2 + [(None, None)]
    assert "1 record without coordinates" in said


# complete lists

@pytest.mark.store_core
def test_a_complete_list_removes_what_it_lacks(desk):
    desk.ok("load", "coral", desk.workbook(sheets.rows(20)), "--accept")
    desk.ok("load", "coral", desk.workbook(sheets.rows(19), "b.xlsx"), "--complete")
    assert len(desk.hotels()) == 19


def test_a_complete_list_that_lacks_too_much_is_refused(desk):
    desk.ok("load", "coral", desk.workbook(sheets.rows(20)), "--accept")
    path = desk.workbook(sheets.rows(17), "b.xlsx")
    for more in ([], ["--dry-run"]):
        done = desk.run("load", "coral", path, "--complete", *more)
        assert done.returncode == 1 and "3 of 20 stored hotel records" in done.stderr
        assert "they are H17 Hotel 17, H18 Hotel 18, H19 Hotel 19\n" in done.stderr
        assert re.search(r"kept +hotel H19 Hotel 19\n", done.stdout) and "3 that the list lacks would be removed" in done.stdout
    assert "H18 Hotel 18, ...\n" in desk.fails("load", "coral", desk.workbook(sheets.rows(16), "c.xlsx"), "--complete")
    desk.ok("load", "coral", path, "--complete", "--max-gone", "15")
    assert len(desk.hotels()) == 17


def test_a_refusal_of_a_complete_list_says_what_would_go(desk):
    desk.ok("load", "coral", desk.workbook(sheets.rows(20)), "--accept")
    desk.ok("supplier", "set", "coral", "--forget")
    done = desk.run("load", "coral", desk.workbook(sheets.rows(15), "b.xlsx"), "--complete")
    assert done.returncode == 1 and "this file is new" in done.stderr, "its removing is not what is in the way"
    assert re.search(r"kept +hotel H15 Hotel 15\n", done.stdout) and "5 that the list lacks would be removed" in done.stdout
    bad = [*sheets.rows(18), sheets.hotel(18, Phone="1" * 65)]
    done = desk.run("load", "coral", desk.workbook(bad, "c.xlsx"), "--accept", "--complete")
    assert done.returncode == 1 and "--keep-going" in done.stderr and "--accept-rejected also removes" in done.stderr
    assert re.search(r"kept +hotel H19 Hotel 19\n", done.stdout) and "1 that the list lacks is not removed" in done.stdout
    done = desk.run("load", "coral", desk.workbook(bad, "c.xlsx"), "--accept")
    assert done.returncode == 1 and "--accept-rejected" not in done.stderr and "H19" not in done.stdout
    assert len(desk.hotels()) == 20


def test_rejected_rows_keep_a_complete_list_from_removing(desk):
    desk.ok("load", "coral", desk.workbook(sheets.rows(20)), "--accept")
    table = [*sheets.rows(18), sheets.hotel(18, Phone="1" * 65)]
    path = desk.workbook(table, "b.xlsx")
    said = desk.ok("load", "coral", path, "--complete", "--keep-going")
    assert "1 that the list lacks is not removed, because rows were rejected" in said and "--accept-rejected" in said
    assert re.search(r"kept +hotel H19 Hotel 19\n", said) and len(desk.hotels()) == 20
    said = desk.ok("load", "coral", path, "--complete", "--accept-rejected")
    assert sorted(desk.hotels()) == sorted(f"H{i}" for i in range(19)), "what is rejected is in the list all the same"
    assert re.search(r"gone +hotel H19 Hotel 19\n", said)


def test_what_a_profile_says_of_completeness(desk):
    desk.ok("load", "coral", desk.workbook(sheets.rows(20)), "--accept")
    desk.ok("supplier", "set", "coral", "--complete", "yes")
    desk.ok("load", "coral", desk.workbook(sheets.rows(19), "b.xlsx"))
    assert len(desk.hotels()) == 19


# bad rows

def test_every_bad_cell_of_a_row_is_told_and_rows_can_be_mended(desk):
    table = [*sheets.rows(2), sheets.hotel(2, **{"Hotel Code": "1.10E+03", "Country Code": "1.10E+02", "Phone": "1" * 65})]
    rejects = desk.path / "rejects.csv"
    done = desk.run("load", "coral", desk.workbook(table), "--accept", "--rejects", rejects)
    assert done.returncode == 1 and "1 of 3 rows are bad" in done.stderr
    (line,) = [text for text in done.stdout.splitlines() if "rejected " in text and "list.xlsx:4" in text]
    assert " id: " in line and "country_id: " in line and "phone: " in line
    desk.ok("load", "coral", desk.workbook(table), "--accept", "--keep-going")
    text = rejects.read_text("utf-8-sig")
    assert text.splitlines()[0].endswith('rejected because')
    mended = text.replace('"1.10E+03","Hotel 2"', '"H2","Hotel 2"').replace("1.10E+02", "TR").replace("1" * 65, "1")
    desk.ok("load", "coral", desk.text(mended.encode()))
    assert sorted(desk.hotels()) == ["H0", "H1", "H2"]


@pytest.mark.parametrize("cell, said", [
    ("1.10E+03", "Excel has shortened"), ("1,23456E+12", "Excel has shortened"), (1100.5, "decimals"),
    (12345678901234567890, "make the column text")])
def test_what_excel_made_of_an_id_is_refused(desk, cell, said):
    done = desk.run("load", "coral", desk.workbook([sheets.hotel(0, **{"Hotel Code": cell})]), "--accept")
    assert done.returncode == 1 and said in done.stdout


def test_dates_where_ids_are_meant_are_refused(desk):
    path = sheets.by_hand(desk.path / "d.xlsx", sheets.inline("Code", "Name") +
                          '<row><c s="1"><v>45000</v></c><c t="str"><v>One</v></c></row>',
                          styles='<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>')
    done = desk.run("load", "coral", path, "--accept")
    assert done.returncode == 1 and "found a date" in done.stdout


def test_zeros_that_excel_cut_are_missed(desk):
    desk.ok("load", "coral", desk.workbook([sheets.hotel(0, **{"Hotel Code": "00123"})]), "--accept")
    done = desk.run("load", "coral", desk.workbook([sheets.hotel(0, **{"Hotel Code": 123})], "b.xlsx"))
    assert done.returncode == 1 and "expected 00123 as it is known, found 123" in done.stdout


def test_decimals_that_a_program_added_to_known_ids_are_missed(desk):
    desk.ok("load", "coral", desk.workbook([sheets.hotel(0, **{"Hotel Code": "00123"}), sheets.hotel(1, **{"Hotel Code": "7"})]), "--accept")
    table = [sheets.hotel(n, **{"Hotel Code": code}) for n, code in enumerate(["123.0", "7.0", "8.0"])]
    done = desk.run("load", "coral", desk.text(sheets.csv_text(table).encode(), "b.csv"))
    assert done.returncode == 1 and "3 of 3 rows are bad" in done.stderr, done.stderr
    assert "found 8.0, a number with decimals" in done.stdout
    assert "expected 00123 as it is known, found 123.0" in done.stdout and "expected 7 as it is known, found 7.0" in done.stdout


def test_a_formula_is_read_by_its_saved_value(desk):
    head = sheets.inline("Code", "Name")
    good = head + '<row><c t="str"><f>"A"</f><v>A1</v></c><c t="str"><v>One</v></c></row>'
    desk.ok("load", "coral", sheets.by_hand(desk.path / "f.xlsx", good), "--accept")
    assert list(desk.hotels()) == ["A1"]
    bad = head + '<row><c><f>A7</f></c><c t="e"><v>#N/A</v></c></row>'
    done = desk.run("load", "coral", sheets.by_hand(desk.path / "g.xlsx", bad))
    assert "id: expected a value, found an error of Excel" in done.stdout
    assert "name: expected a value" in done.stdout


def test_a_date_that_there_is_not_is_left_as_it_is(desk):
    path = sheets.by_hand(desk.path / "d.xlsx", sheets.inline("Code", "Name", "Zip") +
                          '<row><c t="str"><v>A1</v></c><c t="str"><v>One</v></c><c s="1"><v>99999999</v></c></row>',
                          styles='<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>')
    desk.ok("load", "coral", path, "--accept")
    assert desk.hotels()["A1"]["zip"] == "99999999"


def test_a_row_that_is_bad_twice_is_one_row(desk):
    """The zeros of two ids were cut; and the rows behind it are told too."""
    desk.ok("load", "coral", desk.workbook([sheets.hotel(0, **{"Hotel Code": "00123", "Country Code": "007"})]), "--accept")
    table = [sheets.hotel(0, **{"Hotel Code": 123, "Country Code": 7}), sheets.hotel(1, Phone="1" * 65)]
    rejects = desk.path / "rejects.csv"
    done = desk.run("load", "coral", desk.workbook(table, "b.xlsx"), "--rejects", rejects)
    assert done.returncode == 1 and "2 of 2 rows are bad" in done.stderr, done.stderr
    with open(rejects, encoding="utf-8-sig", newline="") as f:
        _, first, second = csv.reader(f)
    assert "found 123" in first[-1] and "found 7" in first[-1] and "phone: " in second[-1]


def test_the_rejects_are_not_written_over_the_list(desk):
    path = desk.text(sheets.csv_text([sheets.hotel(0, Phone="1" * 65)]).encode())
    before = path.read_bytes()
    done = desk.run("load", "coral", path, "--accept", "--rejects", path)
    assert done.returncode == 2 and "name another file for the rejects" in done.stderr
    assert path.read_bytes() == before


HARMFUL = ["=1+1", "Hotel;=1+1", "Hotel,=2+2", "Hotel\t@x", "Hotel\n+cmd|' /C calc'!A0", "a;'=1", "a; \"=1\"", "\uff1d1+1", "b,\uff0b1", "c;\uff0d1", "\uff20d"]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_p6_no_file_has_a_formula_whatever_separates_its_cells(desk, separator):
    """For a program that splits it by a comma, a semicolon or a tab: which one that is depends on its country."""
    desk.ok("load", "coral", desk.workbook([sheets.hotel(n, **{"Hotel Name": name}) for n, name in enumerate(HARMFUL)]), "--accept")
    bad = [sheets.hotel(n, Phone=f"x;{name}" + "1" * 65, **{"Hotel Name": name}) for n, name in enumerate(HARMFUL)]
    files = [desk.path / name for name in ("list.csv", "excel.csv", "report.csv", "rejects.csv")]
    desk.ok("map", "list", "--output", files[0])
    desk.ok("map", "list", "--excel", "--output", files[1])
    desk.run("load", "coral", desk.workbook(bad, "b.xlsx"), "--keep-going", "--report", files[2], "--rejects", files[3])
    for path in files:
        with open(path, encoding="utf-8-sig", newline="") as f:
            cells = [cell.lstrip(' "') for row in csv.reader(f, delimiter=separator) for cell in row]
        assert any("1+1" in cell for cell in cells), path
        assert not [cell for cell in cells if cell[:1] in tuple("=+-@\uff1d\uff0b\uff0d\uff20") and len(cell) > 1], path
    assert " 0 mapped, 0 cleared, 13 as before, 0 refused" in desk.ok("map", "load", files[0])


def test_a_dict_id_that_is_unknown_is_a_bad_row(desk):
    path = desk.text(b"Code;Name;dict_id\na;All;\nb;Half;999\n")
    rejects = desk.path / "rejects.csv"
    done = desk.run("load", "coral", path, "--accept", "--kind", "meal", "--rejects", rejects)
    assert done.returncode == 1 and "1 of 2 rows are bad" in done.stderr
    assert "list.csv:3: meal b: dict_id: expected a dict meal that exists, found 999" in done.stdout
    assert "b" in rejects.read_text("utf-8-sig").splitlines()[1]
    desk.ok("load", "coral", path, "--accept", "--kind", "meal", "--keep-going")
    assert [r["id"] for r in desk.records(type="source", kind="meal")] == ["a"]


# workbooks of other programs

def test_cells_without_references_keep_their_columns(desk):
    data = (sheets.inline("Code", "Name", "Phone", "Zip") +
            '<row><c t="str"><v>A1</v></c><c t="str"><v>One</v></c><c/><c t="str"><v>07000</v></c></row>')
    desk.ok("load", "coral", sheets.by_hand(desk.path / "e.xlsx", data), "--accept")
    hotel = desk.hotels()["A1"]
    assert hotel["zip"] == "07000" and "phone" not in hotel


def test_a_workbook_of_another_program(desk):
    """Prefixed names, rich shared texts, no references, empty rows, a title above the header, merged cells."""
    shared = "<si><r><t>Blue </t></r><r><t>Bay</t></r><rPh><t>no</t></rPh></si>"
    data = ('<x:row r="1"><x:c r="C1" t="inlineStr"><x:is><x:t>Hotels 2026</x:t></x:is></x:c></x:row>'
            '<x:row r="3">' + sheets.inline("Code", "Name", "Lat", prefix="x")[len("<x:row>"):] +
            '<x:row r="4"/><x:row r="7"><x:c r="A7"><x:v>1.1E3</x:v></x:c><x:c r="B7" t="s"><x:v>0</x:v></x:c>'
            '<x:c r="C7"><x:v>36.850000000000001</x:v></x:c></x:row>')
    path = sheets.by_hand(desk.path / "lo.xlsx", data, shared=shared, prefix="x",
                          after='<x:mergeCells><x:mergeCell ref="A1:C1"/></x:mergeCells>')
    said = desk.ok("load", "coral", path, "--accept")
    assert "header in row 3" in said
    assert desk.hotels()["1100"] == {"type": "source", "adapter_id": 1, "kind": "hotel", "id": "1100",
                                     "name": "Blue Bay", "lat": 36.85}


def test_zeros_that_the_format_shows_are_kept(desk):
    path = sheets.by_hand(desk.path / "z.xlsx", sheets.inline("Code", "Name") +
                          '<row><c s="1"><v>42</v></c><c t="str"><v>One</v></c></row>',
                          styles='<numFmts><numFmt numFmtId="170" formatCode="00000"/></numFmts>'
                                 '<cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs>')
    desk.ok("load", "coral", path, "--accept")
    assert list(desk.hotels()) == ["00042"]


def formatted(desk, code, value, name="f.xlsx"):
    """A workbook with one hotel whose id is a number in a format."""
    style = f'<numFmts><numFmt numFmtId="170" formatCode="{escape(code, {chr(34): "&quot;"})}"/></numFmts><cellXfs><xf/><xf numFmtId="170"/></cellXfs>'
    return sheets.by_hand(desk.path / name, sheets.inline("Code", "Name") + f'<row><c s="1"><v>{value}</v></c><c t="str"><v>One</v></c></row>',
                          styles=style)


@pytest.mark.parametrize("code, value, id", [
    ('"TR-"0000', 17, "TR-0017"), ("00-00", 1234, "12-34"), (r"0000\-0000", 12345678, "1234-5678"), ('[Red]"H"0', 5, "H5"), ("#,##0", 6553, "6553"),
    ("[<=99]000;0000", 17, "017"), ("0000000000000000000000", 17, "0" * 20 + "17")])
def test_ids_are_as_excel_shows_them(desk, code, value, id):
    desk.ok("load", "coral", formatted(desk, code, value), "--accept")
    assert list(desk.hotels()) == [id]


@pytest.mark.parametrize("code, value, said", [
    ("0.00E+00", 123456789012, "Excel has shortened"), ("# ?/?", 17, "(A2: 17 in the format # ?/?)"), ("[DBNum1]0", 17, "(A2: 17 in the format [DBNum1]0)"),
    ("h:mm", 0.5, "found a date"), ("0.00", 17.25, "decimals")])
def test_ids_that_excel_shows_in_another_way_are_refused(desk, code, value, said):
    done = desk.run("load", "coral", formatted(desk, code, value), "--accept")
    assert done.returncode == 1 and said in done.stdout


def test_coordinates_are_the_numbers_whatever_their_format(desk):
    path = sheets.by_hand(desk.path / "c.xlsx", sheets.inline("Code", "Name", "Lat", "Lng") +
                          '<row><c t="str"><v>A1</v></c><c t="str"><v>One</v></c><c s="1"><v>-36.853214</v></c><c s="2"><v>30.5</v></c></row>',
                          styles='<numFmts><numFmt numFmtId="170" formatCode="0&quot;°&quot;;0&quot;°&quot;"/></numFmts>'
                                 '<cellXfs><xf/><xf numFmtId="170"/><xf numFmtId="12"/></cellXfs>')
    desk.ok("load", "coral", path, "--accept")
    assert (desk.hotels()["A1"]["lat"], desk.hotels()["A1"]["lng"]) == (-36.853214, 30.5)


def test_an_iso_date_is_no_id(desk):
    path = sheets.by_hand(desk.path / "d.xlsx", sheets.inline("Code", "Name") +
                          '<row><c t="d"><v>2021-03-05</v></c><c t="str"><v>One</v></c></row>')
    done = desk.run("load", "coral", path, "--accept")
    assert done.returncode == 1 and "found a date" in done.stdout


def test_rows_that_a_filter_hides_are_read_and_told(desk):
    book = openpyxl.Workbook()
    for row in [("Hotel Code", "Hotel Name"), ("A1", "Sunny"), ("A2", "Grand"), ("A3", "Lara")]:
        book.active.append(row)
    book.active.auto_filter.ref = "A1:B4"
    for number in (3, 4):
        book.active.row_dimensions[number].hidden = True
    book.save(desk.path / "filtered.xlsx")
    assert "2 rows that the workbook hides" in desk.ok("load", "coral", desk.path / "filtered.xlsx", "--accept")
    assert set(desk.hotels()) == {"A1", "A2", "A3"}


def test_two_sheets_are_asked_about(desk):
    path = desk.workbook(sheets.rows(2), sheets=[("Empty", []), ("Archive", [["Code", "Name"], ["9", "Old"]])])
    assert '"Hotels", "Empty", "Archive"' in desk.fails("load", "coral", path)
    desk.ok("load", "coral", path, "--sheet", "Archive", "--accept")
    assert list(desk.hotels()) == ["9"]
    assert "no sheet of this name" in desk.fails("load", "coral", path, "--sheet", "Nope")


def hiding(desk, *hidden):
    book = openpyxl.Workbook()
    for name in ("Hotels", "Empty", "Old"):
        sheet = book.create_sheet(name)
        for row in [] if name == "Empty" else [("Code", "Name"), (f"{name}1", "Ada")]:
            sheet.append(row)
        sheet.sheet_state = "visible" if name not in hidden else "hidden" if name == "Old" else "veryHidden"
    del book["Sheet"]
    book.save(desk.path / "hiding.xlsx")
    return desk.path / "hiding.xlsx"


def test_a_hidden_sheet_is_told_and_not_taken(desk):
    said = desk.ok("load", "coral", hiding(desk, "Old"), "--accept", "--dry-run")
    assert 'sheet "Hotels": 1 row read\n' in said and 'sheet "Old": 2 rows, hidden, not read; select sheets' in said and '"Empty"' not in said
    assert "1 new" in said
    said = desk.ok("load", "coral", hiding(desk, "Old"), "--accept", "--sheet", "Old")
    assert set(desk.hotels()) == {"Old1"} and "1 row read, hidden" in said


def test_a_list_that_is_hidden_is_told_as_that(desk):
    said = desk.fails("load", "coral", hiding(desk, "Hotels", "Old"), "--accept")
    assert "no visible sheet has cells; --sheet NAME reads a hidden one: \"Hotels\" (hidden), \"Empty\", \"Old\" (hidden)" in said


def test_an_empty_sheet_beside_the_list_is_none_of_several(desk):
    path = desk.workbook(sheets.rows(2), sheets=[("Empty", [])])
    for options in (["--dry-run"], []):
        assert 'sheet "Hotels": ' not in desk.ok("load", "coral", path, "--accept", *options)


def of_three(desk, **more):
    return desk.workbook(sheets.rows(2), sheets=[("Side", [sheets.HEADER, *sheets.rows(2, 10)]), ("Notes", [["Prices are in euro"]]),
                                                 ("Belek", [sheets.HEADER, *sheets.rows(1, 20)])], **more)


@pytest.mark.parametrize("wanted, ids", [
    (["all"], {"H0", "H1", "H10", "H11", "H20"}), (["Side"], {"H10", "H11"}), (["2"], {"H10", "H11"}), (["4", "Side"], {"H10", "H11", "H20"}),
    (["Hotels/Belek"], {"H0", "H1", "H20"}), (["Side", "Side"], {"H10", "H11"})])
def test_chosen_sheets_are_one_list_and_remembered(desk, wanted, ids):
    path = of_three(desk)
    desk.ok("load", "coral", path, *(word for name in wanted for word in ("--sheet", name)), "--accept")
    assert set(desk.hotels()) == ids
    assert desk.ok("load", "coral", path, "--complete").count("warning") == 0, "the profile has the sheets, so nothing is gone"
    assert set(desk.hotels()) == ids


def test_the_sheets_that_are_not_read_are_named_with_their_rows(desk):
    said = desk.ok("load", "coral", of_three(desk), "--sheet", "Side", "--dry-run")
    for line in ('sheet "Hotels": 3 rows, not read', 'sheet "Side": 2 rows read', 'sheet "Notes": 1 row, not read', 'sheet "Belek": 2 rows, not read'):
        assert line in said
    assert "not read" not in desk.ok("load", "coral", desk.workbook(sheets.rows(2), "one.xlsx"), "--sheet", "1", "--dry-run")


def test_bad_rows_of_several_sheets_are_named_by_their_sheet_and_can_be_mended(desk):
    bad = sheets.hotel(7, **{"Hotel Code": 1100.5})
    path = desk.workbook([bad], sheets=[("Side", [sheets.HEADER, sheets.hotel(8), bad])])
    done = desk.run("load", "coral", path, "--sheet", "all", "--accept", "--rejects", desk.path / "bad.csv")
    assert done.returncode == 1 and f"{path}, sheet Hotels:2: " in done.stdout and f"{path}, sheet Side:3: " in done.stdout
    rows = list(csv.reader((desk.path / "bad.csv").open(encoding="utf-8-sig")))
    assert [row[1] for row in rows] == ["Hotel Name", "Hotel 7", "Hotel 7"]


def test_sheets_with_other_columns_are_not_one_list(desk):
    path = desk.workbook(sheets.rows(1), sheets=[("Cities", [["Code", "Name", "Zip"], ["5", "Side", "07000"]])])
    assert 'the sheet "Cities" has other columns than "Hotels"' in desk.fails("load", "coral", path, "--sheet", "all", "--accept")
    assert "no sheet of this name" in desk.fails("load", "coral", path, "--sheet", "Hotels", "--sheet", "3", "--accept")
    path = desk.workbook(sheets.rows(1), sheets=[("Towns", [["Town", "Region"], ["Side", "Antalya"]])])
    assert 'sheet "Towns" of ' in desk.fails("load", "coral", path, "--sheet", "all", "--accept")


# hostile and broken ones

@pytest.mark.heavy
@pytest.mark.parametrize("megabytes, said", [(100, "unfolds to more than"), (1024, "at most 128 MiB in front of the first cells")])
def test_a_bomb_is_refused(desk, megabytes, said):
    path = sheets.bomb(desk.path / "bomb.xlsx", megabytes)
    assert path.stat().st_size < 2 << 20
    assert said in desk.fails("load", "coral", path)


@pytest.mark.parametrize("make, said", [
    (lambda p: sheets.by_hand(p, sheets.inline("Code", "Name"), doctype='<!DOCTYPE a [<!ENTITY b "c">]>'),
     "document type"),
    (lambda p: sheets.by_hand(p, "<a>" * 40 + "</a>" * 40), "nested too deeply"),
    (lambda p: sheets.by_hand(p, "<row><c>"), "damaged"),
    (lambda p: sheets.by_hand(p, '<row><c t="s"><v>5</v></c></row>'), "damaged"),
    (lambda p: sheets.by_hand(p, '<row><c r="ZZZ1"><v>5</v></c></row>'), "columns"),
    (lambda p: p.write_bytes(sheets.encrypted()), "encrypted"),
    (lambda p: p.write_bytes(b"PK\x03\x04" + bytes(100)), "damaged"),
    (lambda p: p.write_bytes(b""), "empty"),
    (lambda p: p.write_bytes(b"%PDF-1.7\n"), "a PDF"),
    (lambda p: p.write_bytes(b"\xef\xbb\xbf\r\n<html><table><tr><td>Code<td>Name</table>"), "save it as .xlsx"),
    (lambda p: p.write_bytes(b'<?xml version="1.0"?><Workbook/>'), "save it as .xlsx"),
    (lambda p: sheets.by_hand(p, ""), "no sheet has cells")])
def test_a_broken_workbook_is_refused(desk, make, said):
    path = desk.path / "broken.xlsx"
    make(path)
    assert said in desk.fails("load", "coral", path, "--accept")


def test_a_workbook_that_was_cut_is_refused(desk):
    path = desk.workbook(sheets.rows(100))
    whole = path.read_bytes()
    for n in (10, 100, len(whole) // 2, len(whole) - 5):
        path.write_bytes(whole[:n])
        assert "damaged" in desk.fails("load", "coral", path, "--accept")


@pytest.mark.parametrize("names, said", [
    (["a.txt", "b.txt"], "without a workbook"), (["hotels.csv"], "the file hotels.csv in it: unpack it first"),
    (["mimetype", "content.xml"], "OpenDocument file (.ods)"), (["[Content_Types].xml", "xl/workbook.bin"], "binary workbook (.xlsb)")])
def test_a_zip_that_is_no_workbook(desk, names, said):
    with zipfile.ZipFile(desk.path / "a.xlsx", "w") as z:
        for name in names:
            z.writestr(name, "<a/>")
    assert said in desk.fails("load", "coral", desk.path / "a.xlsx")


# text files

@pytest.mark.parametrize("separator", list(",;|\t"))
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
def test_separators_and_encodings_that_are_told_safely(desk, separator, encoding):
    text = sheets.csv_text([["1", "Отель Лето", "Türkiye", "Кемер", "5"]], separator, CYRILLIC)
    desk.ok("load", "coral", desk.text(text.encode(encoding)), "--accept")
    assert desk.hotels()["1"]["name"] == "Отель Лето"


@pytest.mark.parametrize("n", [9, 5000])
def test_cyrillic_is_recognised_and_said(desk, n):
    table = [[f"{n:06d}", f"Гостиница Солнечный берег {n}", "Турция", "Кемер", "5"] for n in range(n)]
    path = desk.text(sheets.csv_text(table, ";", CYRILLIC).encode("cp1251"))
    assert "windows-1251 (recognised), semicolon" in desk.ok("load", "coral", path, "--accept")
    assert desk.hotels()["000003"]["name"] == "Гостиница Солнечный берег 3"


@pytest.mark.parametrize("encoding, name", [("cp1252", "Hôtel Château"), ("cp1254", "Işık Otel Şile"),
                                            ("cp1250", "Łódź Žižkov")])
def test_other_encodings_are_asked_for(desk, encoding, name):
    path = desk.text(sheets.csv_text([["1", name]], ";", ["Code", "Name"]).encode(encoding))
    said = desk.fails("load", "coral", path, "--accept")
    assert f'windows-{encoding[2:]} "{name}"' in said
    desk.ok("load", "coral", path, "--encoding", encoding, "--accept")
    assert desk.hotels()["1"]["name"] == name
    desk.ok("load", "coral", path)  # the profile knows


def test_mixed_encodings_are_refused_with_the_line(desk):
    text = sheets.csv_text([[str(n), "Готель Київ", "", "", ""] for n in range(100000)], ";", CYRILLIC)
    path = desk.text(text.encode() + "7;Отель\r\n".encode("cp1251"))
    assert "list.csv:100002: bytes that are not UTF-8" in desk.fails("load", "coral", path, "--accept")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_lines_may_end_with_a_carriage_return_alone(desk, encoding):
    """Excel on a Mac writes so, and a line feed for a break within a cell."""
    desk.ok("load", "coral", desk.text('Code,Hotel Name,City\rH1,Rixos,"Kemer\nTown"\rH2,"Nova, Spa",Kemer\r'.encode(encoding)), "--accept")
    assert {id: h["name"] for id, h in desk.hotels().items()} == {"H1": "Rixos", "H2": "Nova, Spa"}
    many = "Code,Hotel Name,City\r" + "".join(f"M{i},Inn {i},Kemer\r" for i in range(60_000))  # more than is sampled
    assert "60000 new" in " ".join(desk.ok("load", "coral", desk.text(many.encode(encoding), "many.csv")).split())
    assert "list.csv:3:" in desk.run("load", "coral", desk.text(b"Code,Hotel Name,City\rH1,Rixos,Kemer\r1.10E+03,A,B\r")).stdout


def test_a_sep_line_blanks_and_quotes(desk):
    path = desk.text(b'sep=;\r\n"Hotel Code" ;"Hotel Name";Lat;Lng\r\n;;;\r\n "1100" ; "Sun ""1"";\r\nSide" ;36,85;"1.030,5"\r\n')
    done = desk.run("load", "coral", path, "--accept")
    assert "lng: " in done.stdout  # 1030.5 is no longitude, so the thousands were read
    path.write_bytes(path.read_bytes().replace(b'"1.030,5"', b'30,78'))
    desk.ok("load", "coral", path, "--accept")
    (hotel,) = desk.hotels().values()
    assert (hotel["id"], hotel["name"], hotel["lat"], hotel["lng"]) == ("1100", 'Sun "1";\nSide', 36.85, 30.78)


def test_texts_that_passed_through_a_web_page_are_plain(desk):
    """"&eacute;" and tags are how a page writes a name; ids are taken as they are."""
    desk.ok("load", "coral", desk.text(b"Code,Hotel Name,City\nA&amp;1,Caf&eacute; &amp; Spa,<b>Kemer</b>\n"), "--accept")
    (hotel,) = desk.records(type="source", kind="hotel")
    assert (hotel["id"], hotel["name"], hotel["city_name"]) == ("A&amp;1", "Caf\u00e9 & Spa", "Kemer")
    for nothing in (b"&nbsp;", b"<br/>", b"&ndash;", b"<b>N/A</b>"):
        desk.ok("load", "coral", desk.text(b"Code,Hotel Name,City\nA&amp;1,Inn," + nothing + b"\n"))
        (hotel,) = desk.records(type="source", kind="hotel")
        assert (hotel["name"], hotel.get("city_name")) == ("Inn", None)


@pytest.mark.parametrize("header", [
    ["Kod", "Otel adı", "Ülke", "Şehir", "Telefon"], ["Код", "Назва готелю", "Країна", "Місто", "Телефон"],
    ["HOTEL_CODE", "hotel-name", "Country", "Resort", "Tel."], ["ИД", "Наименование", "Страна", "Курорт", "Телефон"]])
def test_names_of_columns_in_several_languages(desk, header):
    desk.ok("load", "coral", desk.text(sheets.csv_text([["1", "A", "B", "C", "5"]], ";", header).encode()), "--accept")
    (hotel,) = desk.hotels().values()
    assert (hotel["name"], hotel["country_name"], hotel["city_name"], hotel["phone"]) == ("A", "B", "C", "5")


# suppliers

def test_suppliers_are_found_by_code_and_number(desk):
    assert desk.ok("supplier", "add", "sun", "--name", "Sunny", "--stage", "mapping") == "supplier 2 sun\n"
    assert "already" in desk.fails("supplier", "add", "SUN")
    for code in ("a b", "a,b", "a\u00a0b", "12"):
        assert f'without blanks and commas, and no number, which would be taken for the id of a supplier; found "{code}"' \
            in desk.fails("supplier", "add", code)
    assert "coral, sun" in desk.fails("load", "corral", desk.workbook([]))
    assert "Sunny" in desk.ok("supplier", "list")
    desk.ok("supplier", "set", "2", "--map", "id=Nr,name=Name", "--decimal", ",", "--encoding", "cp1254", "--lang", "tr")
    (profile,) = desk.records(type="profile")
    assert profile == {"type": "profile", "adapter_id": 2, "kind": "hotel", "data": {
        "columns": {"id": "Nr", "name": "Name"}, "encoding": "cp1254", "decimal": ",", "lang": "tr"}}
    desk.ok("supplier", "set", "sun", "--forget")
    assert desk.records(type="profile") == []


def test_a_folder_is_made_when_the_file_is_good(run, tmp_path):
    data, path = tmp_path / "new" / "data", tmp_path / "hotels.csv"
    path.write_text("Hotel Code,Hotel Name\nA1,Sunny Palace\nA2,\n")
    load = ("load", "coral", path, "--data", data)
    said = run(*load)
    assert said.returncode == 1 and str(data) in said.stderr and "'load --create'" in said.stderr
    for more in (("--dry-run",), (), ("--accept",)):
        said = run(*load, "--create", *more)
        assert said.returncode == (0 if more == ("--dry-run",) else 1), said
        assert "Hotel Name" in said.stdout and not data.parent.exists()
    path.write_text("Hotel Code,Hotel Name\nA1,Sunny Palace\nA2,Grand Hotel\n")
    said = run(*load, "--create", "--accept")
    assert said.returncode == 0 and said.stdout.count("Sunny Palace") == 2, said  # in the preview and in the news
    assert run("supplier", "list", "--data", data).stdout.count("coral") == 2  # code and name
    assert run("load", "coral", path, "--data", data).returncode == 0
    assert run("load", "anex", path, "--create", "--data", data).returncode == 1
    assert not list(data.glob("dragoman-load*"))


@pytest.mark.parametrize("order", [("utf-8", "windows-1251"), ("windows-1251", "utf-8")])
def test_a_file_that_mixes_encodings_says_which_lines(desk, order):
    names = ["Отель Солнечный берег Севастополь", "Санаторий Морской прибой Ялта"] * 3
    header, rows = b"Hotel Code;Hotel Name\n", [f"A{i};{name}\n" for i, name in enumerate(names)]
    path = desk.path / "mixed.csv"
    path.write_bytes(header + "".join(rows[:3]).encode(order[0]) + "".join(rows[3:]).encode(order[1]))
    good, bad = (2, 5) if order[0] == "utf-8" else (5, 2)
    assert f"line {good} is UTF-8 and line {bad} is not: the file mixes encodings" in desk.fails("load", "coral", path)


def test_merged_cells_and_formulas_are_said(desk):
    book = openpyxl.Workbook()
    for row in [("Hotel Code", "Hotel Name", "City"), ("A1", "Sunny", "Kemer"), ("A2", "Grand", None), ("A3", "Lara", None)]:
        book.active.append(row)
    book.active.merge_cells("C2:C4")
    book.active["B3"] = "=1+1"
    book.save(desk.path / "merged.xlsx")
    said = desk.ok("load", "coral", desk.path / "merged.xlsx", "--dry-run")
    assert "1 range of merged cells: only the first cell of each has a value" in said
    assert "found an error of Excel or a formula without its value" in said and "1 formula: " in said
