"""Lists that were made for people, not for programs: decisions P4, P7 and P10."""
import re

import pytest

import sheets
from test_load import Desk

pytestmark = pytest.mark.store


@pytest.fixture
def desk(run, tmp_path):
    return Desk(run, tmp_path)


def csv(*rows):
    return "\n".join(";".join(row) for row in rows).encode()


HEAD = ["Code", "Hotel", "Country", "Latitude", "Longitude"]
ROW = ["h1", "Ada", "Turkey", "36,80", "31,40"]


def loaded(desk, *rows, options=(), name="list.csv"):
    said = desk.ok("load", "coral", desk.text(csv(*rows), name), "--accept", *options)
    return said, desk.hotels()


@pytest.mark.parametrize("row, why", [
    (["1. GRUP"], "nothing but this cell"), (["", "Antalya"], "no id"), (["", "Nobody", "Turkey", "36,8", "31,4"], "no id"),
    (["Total", "2093"], "a total"), (["TOPLAM"], "a total"), (["Итого:", "2 094"], "a total"), (["Total: 2093"], "a total"),
    (["Всего", "", "", "12,5"], "a total"), (HEAD, "the header once more"), (["* prices with VAT"], "nothing but this cell")])
def test_p10_rows_that_are_no_records_are_skipped_and_counted(desk, row, why):
    said, hotels = loaded(desk, HEAD, row, ROW, row)
    assert list(hotels) == ["h1"]
    assert re.search(rf"skipped +\S+:2: hotel [^\n]*: {why}\n", said) and "2 rows skipped" in said


def test_a_column_whose_name_has_a_comma_is_named(desk):
    rows = [["Nr", "Hotel, category", "Country", "Free, places"], ["h1", "Ada", "Turkey", "36,80"]]
    _, hotels = loaded(desk, *rows, options=("--map", "name=Hotel, category,id=Nr", "--map", "lat=Free, places"))
    assert hotels["h1"]["name"] == "Ada"


@pytest.mark.parametrize("row", [["Total", "Grand Hotel", "Turkey"], ["Totalia", "2093"], ["h2", "Total"]])
def test_p10_hotels_that_are_called_like_a_total_are_none(desk, row):
    assert len(loaded(desk, HEAD, row, ROW)[1]) == 2


@pytest.mark.parametrize("row", [
    ["Итого отелей: 12", "12"], ["TOPLAM OTEL SAYISI", "12"], ["Sum", "12"], ["Suma", "12"], ["Hotels: 12", "12"], ["Count: 12", "", "", "", "12"],
    ["Отелей: 1 204"], ["Note: prices are per night", "12"], ["Page 1 of 3", "12"], ["*** END OF FILE ***", "12"], ["Total", "12 hotels"],
    ["Toplam", "-", "-", "–"], ["Total", "12", "3 countries"]])
@pytest.mark.parametrize("head", [HEAD, HEAD[:2]])
def test_p10_totals_and_notes_with_text_beside_them(desk, row, head):
    rows = [head, ["h1", "Ada"], row if len(head) > 2 else row[:2]]
    said, hotels = loaded(desk, *rows)
    assert list(hotels) == ["h1"] and "1 row skipped" in said and "rejected" not in said


@pytest.mark.parametrize("head, row, found", [
    (HEAD, ["h2", "Total Palace", "", "36,8", "31,4"], "h2"), (HEAD, ["Total", "Total Palace"], "Total"), (HEAD, ["Note: 2", "Page Hotel"], "Note: 2"),
    (HEAD, ["SUM-1", "1881"], "SUM-1"), (HEAD, ["tui:12", "1881"], "tui:12"), (HEAD, ["FIN", "1881"], "FIN"), (HEAD, ["Total", "12 Islands Hotel"], "Total"),
    (["Name", "Code"], ["Total Palace", "12"], "12"), (["Name", "Code"], ["Sum", "12"], "12"), (["Name", "Code"], ["Page 4", "12"], "12")])
def test_p10_a_hotel_with_an_id_and_a_name_is_no_total(desk, head, row, found):
    said, hotels = loaded(desk, head, row)
    assert list(hotels) == [found] and "skipped" not in said


def test_p10_a_known_record_that_is_nothing_but_an_id_now_is_no_title(desk):
    loaded(desk, HEAD, ROW, ["h2", "Deniz"])
    said = desk.run("load", "coral", desk.text(csv(HEAD, ROW, ["h2"])))
    assert said.returncode == 1 and "h2: name: expected a name, found nothing" in said.stdout


def test_p10_a_list_of_which_no_row_has_an_id_is_refused(desk):
    done = desk.run("load", "coral", desk.text(csv(HEAD, ["", "Ada", "x"], ["Total", "2"])), "--accept")
    assert done.returncode == 1 and "none of 2 rows has an id: --map id=COLUMN" in done.stderr and desk.records(type="profile") == []


def test_p4_skipped_rows_do_not_keep_a_complete_list_from_removing(desk):
    loaded(desk, HEAD, *([f"h{i}", f"Hotel {i}", "Turkey"] for i in range(20)))
    desk.ok("load", "coral", desk.text(csv(HEAD, ["1. GRUP"], *([f"h{i}", f"Hotel {i}", "Turkey"] for i in range(19)), ["Total", "19"])), "--complete")
    assert len(desk.hotels()) == 19


@pytest.mark.parametrize("row, kept", [
    (["", "Hotel 7", "Turkey"], True), (["", "Antalya"], False), (["", "", "Turkey", "36,8"], False), (["", "Total", "", "29"], False)])
def test_p4_a_row_without_an_id_may_be_any_of_those_that_are_missing(desk, row, kept):
    hotels = [[f"h{i}", f"Hotel {i}", "Turkey"] for i in range(30)]
    loaded(desk, HEAD, *hotels)
    later = desk.text(csv(HEAD, *hotels[:7], row, *hotels[8:9], *hotels[10:]))
    looked = desk.ok("load", "coral", later, "--complete", "--dry-run")
    said = desk.ok("load", "coral", later, "--complete")
    assert len(desk.hotels()) == (30 if kept else 28)
    for text in looked, said:
        assert ("2 that the list lacks are not removed, because rows were rejected, have no id" in text) == kept
    if kept:
        desk.ok("load", "coral", later, "--complete", "--accept-rejected")
        assert len(desk.hotels()) == 28


@pytest.mark.parametrize("word, number", [("Sum", "860"), ("Somme", "80"), ("Suma", "12"), ("Count", "7")])
def test_p10_records_whose_name_means_an_amount_elsewhere(desk, word, number):
    desk.ok("load", "coral", desk.text(csv(["Name", "Code"], ["Euro", "978"], [word, number])), "--kind", "currency", "--accept")
    assert {r["id"]: r["name"] for r in desk.records(type="source", kind="currency")} == {"978": "Euro", number: word}


def test_p10_a_record_that_is_stored_is_no_total(desk):
    hotels = [[f"{i}", f"Hotel {i}"] for i in range(20)]
    loaded(desk, ["Code", "Name"], ["860", "Hotel Sum"], *hotels, options=["--kind", "hotel"])
    path = desk.text(csv(["Name", "Code"], ["Total", "860"], ["Total", "900"], *([n, i] for i, n in hotels)))
    said = desk.ok("load", "coral", path, "--kind", "hotel", "--complete", "--accept")
    assert {i: h["name"] for i, h in desk.hotels().items() if i in ("860", "900")} == {"860": "Total"}
    assert "1 row skipped" in said


@pytest.mark.parametrize("number, skipped", [("860", False), ("2", True)])
def test_p10_a_total_below_a_list_of_codes_says_how_many_there_are(desk, number, skipped):
    said = desk.ok("load", "coral", desk.text(csv(["Name", "Code"], ["Euro", "978"], ["Lira", "949"], ["Total", number])), "--kind", "currency", "--accept")
    assert ("1 row skipped" in said) == skipped
    assert len(desk.records(type="source", kind="currency")) == (2 if skipped else 3)


def test_p10_each_id_counts_once_as_its_last_row_has_it(desk):
    """A row for each room, and one that says something else."""
    loaded(desk, ["Code", "Hotel", "Phone"], ["h1", "Ada", "1"], ["h2", "Deniz", "2"])
    rooms = desk.text(csv(["Code", "Hotel", "Phone"], *[["h1", "Ada", "9"]] * 3, ["h2", "Deniz", "3"], ["h2", "Deniz", "2"], *[["h3", "Mavi", "4"]] * 2), "next.csv")
    looked = desk.ok("load", "coral", rooms, "--dry-run")
    said = desk.ok("load", "coral", rooms)
    for text in looked, said:
        assert re.search(r"hotel +1 new +1 changed +1 same +0 gone", text) and "4 ids twice" in text
        assert text.count("hotel h1: phone") == 1 and text.count("new ") == 2
    assert {i: h["phone"] for i, h in desk.hotels().items()} == {"h1": "9", "h2": "2", "h3": "4"}


@pytest.mark.parametrize("header, lang", [(["Code", "Hotel Name (DE)", "Hotel Name (EN)"], "name EN"), (["Code", "name_ru", "Notes"], "name RU"),
                                          (["Код\nCode", "Название\nName", "Notes"], "name RU")])
def test_p10_a_column_for_each_language(desk, header, lang):
    text = '\r\n'.join(','.join(f'"{c}"' for c in row) for row in [header, ["h1", "name RU" if "RU" in lang else "name DE", "name EN"]]).encode()
    desk.ok("load", "coral", desk.text(text), "--accept")
    assert desk.hotels()["h1"]["name"] == lang


@pytest.mark.parametrize("cell", ["N/A", "-", "n.a."])
def test_p10_a_word_for_no_number_is_an_empty_cell(desk, cell):
    assert "lat" not in loaded(desk, HEAD, ["h1", "Ada", "Turkey", cell, cell])[1]["h1"]
    assert loaded(desk, HEAD, ["h1", cell, "Turkey", "1", "2"])[1]["h1"]["name"] == cell, "a name may be called so"


@pytest.mark.parametrize("word", ["N/A", "NULL", "#N/A", "n.a.", "-", "\u2014", "?", "none"])
def test_p10_a_word_for_nothing_is_no_id_and_an_empty_cell(desk, word):
    said, hotels = loaded(desk, ["Code", "Hotel", "Country Code", "Country", "City", "Phone", "Coordinates"],
                          [word, "Nobody", "TR", "Turkey", "Side", "1", "36.8, 31.4"], ["h1", "Ada", *[word] * 5])
    assert hotels == {"h1": {"type": "source", "adapter_id": 1, "kind": "hotel", "id": "h1", "name": "Ada"}}
    assert "no id" in said and "1 row skipped" in said and "without coordinates" not in said
    assert desk.records(type="source", kind="country") == []


def test_p10_a_word_for_nothing_in_a_cell_of_two_parts(desk):
    assert list(loaded(desk, ["Code / Name", "Phone"], ["N/A", "1"], ["h1 / Ada", "2"])[1]) == ["h1"]


def test_p10_codes_and_answers_that_look_like_a_word_for_nothing(desk):
    """Namibia, an airport, and a no."""
    assert loaded(desk, ["Code", "Hotel", "Country Code"], ["NAN", "Ada", "NA"])[1]["NAN"]["country_id"] == "NA"
    for words in ("yes", "evet"), ("-", "?"):
        desk.ok("load", "coral", desk.text(csv(["City Code", "City Name", "Is Resort"], *([w, "Side", w2] for w, w2 in zip("ab", words)))), "--kind", "city",
                "--accept", "--map", "is_resort=Is Resort")
        assert [r.get("is_resort", False) for r in desk.records(type="source", kind="city")] == [words[0] == "yes"] * 2


@pytest.mark.parametrize("header", ["Coordinates", "Координаты\nCoordinates", "Position / Coordinates"])
def test_p10_coordinates_in_two_languages(desk, header):
    text = f'Code,Hotel,"{header}"\r\nh1,Ada,"36.8, 31.4"\r\n'.encode()
    desk.ok("load", "coral", desk.text(text), "--accept")
    assert (desk.hotels()["h1"].get("lat") == 36.8) == (not header.startswith("Position"))


def test_p10_a_header_of_two_rows(desk):
    rows = [["Price list 2026"], ["Hotel", "", "Country", "", "Position", ""], ["Code", "Name", "Code", "Name", "Lat", "Lng"],
            ["h1", "Ada", "TR", "Türkiye", "36,8", "31,4"]]
    said, hotels = loaded(desk, *rows)
    assert "header in row 3" in said and re.search(r"Country Code +-> country_id", said)
    assert hotels["h1"] == {"type": "source", "adapter_id": 1, "kind": "hotel", "id": "h1", "name": "Ada", "country_id": "TR", "country_name": "Türkiye",
                            "lat": 36.8, "lng": 31.4}
    assert "0 new" in desk.ok("load", "coral", desk.text(csv(*rows))), "so it is remembered"
    loaded(desk, ["City Code", "City Name", "Position", ""], ["", "", "Latitude", "Longitude"], ["c2", "Side", "36.8", "31.4"], options=["--kind", "city"])
    assert [r["lng"] for r in desk.records(type="source", kind="city")] == [31.4]


def test_p10_a_header_of_two_rows_once_more(desk):
    head = [["Hotel", "", "Country", ""], ["Code", "Name", "Code", "Name"]]
    said, hotels = loaded(desk, *head, ["h1", "Ada", "TR", "Turkey"], *head, ["h2", "Deniz", "TR", "Turkey"])
    assert list(hotels) == ["h1", "h2"] and said.count("the header once more") == 2


@pytest.mark.parametrize("upper, lower", [
    ("Код;Название;Страна;Город;Отметка", "Code;Name;Country;City;Remark"), ("Otel Kodu;Otel Adı;Ülke;Enlem;Boylam", "Hotel Code;Hotel Name;Country;Latitude;Longitude"),
    ("Code;Hotel;Region;Coordinates", "Код;Отель;Регион;Координаты")])
def test_p10_a_header_in_two_languages(desk, upper, lower):
    rows = [upper.split(";"), lower.split(";"), ["h1", "Ada", "1", "2", "3"][:upper.count(";") + 1]]
    said, hotels = loaded(desk, *rows)
    assert "header in row 2" in said and list(hotels) == ["h1"] and hotels["h1"]["name"] == "Ada"
    assert "0 new" in desk.ok("load", "coral", desk.text(csv(*rows))), "so it is remembered"
    assert "0 new" in desk.ok("load", "coral", desk.text(csv(*rows[::2]))), "and is the same list without the second row"


@pytest.mark.parametrize("upper, lower", [
    ("Code;Name;Coordinates;;Stars", ";;Latitude;Longitude;"), ("KOD;OTEL ADI;KONUM;;SINIF", ";;ENLEM;BOYLAM"),
    ("Code;Name;Stars;Coordinates", ";;;Latitude;Longitude"), ("Код;Название;Координаты;Координаты;Звезды", "Code;Name;Latitude;Longitude;Stars")])
def test_p10_a_group_of_coordinates_above_their_names(desk, upper, lower):
    rows = [upper.split(";"), lower.split(";"), ["h1", "Ada", *(["5*", "36,8", "31,4"] if lower[2] == ";" else ["36,8", "31,4", "5*"])]]
    said, hotels = loaded(desk, *rows)
    assert "header in row 2" in said and "skipped" not in said
    assert (hotels["h1"]["name"], hotels["h1"]["lat"], hotels["h1"]["lng"], hotels["h1"]["category_name"]) == ("Ada", 36.8, 31.4, "5*")
    assert "0 new" in desk.ok("load", "coral", desk.text(csv(*rows))), "so it is remembered"


def test_p10_a_profile_that_has_the_group_in_place_of_its_columns_is_told(desk):
    desk.ok("supplier", "set", "coral", "--kind", "hotel", "--map", "id=Code,name=Name,lat=Coordinates")
    path = desk.text(csv(["Code", "Name", "Coordinates", ""], ["", "", "Latitude", "Longitude"], ["h1", "Ada", "36,8", "31,4"]))
    assert "the profile names the column Coordinates (lat)" in desk.fails("load", "coral", path)
    desk.ok("load", "coral", path, "--map", "lat=Latitude", "--accept")
    assert (desk.hotels()["h1"]["lat"], desk.hotels()["h1"]["lng"]) == (36.8, 31.4)


@pytest.mark.parametrize("row", [["Code", "Ada", "Country"], ["Country", "Hotel", "Code"], ["Code"]])
def test_p10_a_record_below_the_header_is_no_second_header(desk, row):
    said, hotels = loaded(desk, HEAD[:3], row, ["h1", "Ada", "Turkey"], options=["--keep-going"])
    assert "header in row 1" in said and len(hotels) == (2 if len(row) > 1 else 1)


@pytest.mark.parametrize("kind, title", [("currency", "Currency"), ("hotel", "Destination")])
@pytest.mark.parametrize("more", [[], ["Stars"]])
def test_p10_a_title_is_no_part_of_the_header(desk, kind, title, more):
    said, _ = loaded(desk, [title], ["Code", "Name", *more], ["h1", "Ada", *("5" for _ in more)], options=["--kind", kind])
    assert "header in row 2" in said
    assert [(r["id"], r["name"]) for r in desk.records(type="source", kind=kind)] == [("h1", "Ada")]


@pytest.mark.parametrize("title, cell", [
    ("Enlem-Boylam", "36.775, 31.376"), ("Coordinates (WGS84)", "36.775, 31.376"),
    ("Coordinates", "36.775, 31.376"), ("lat, lng", "36,775; 31,376"), ("GPS", "36,775, 31,376"), ("Координаты", "36.775 31.376"), ("Koordinat", "(36.775,31.376)"),
    ("Lat/Lng", "36.775/31.376"), ("Longitude / Latitude", "31.376 / 36.775")])
def test_p10_a_place_in_one_cell(desk, title, cell):
    path = desk.workbook([["h1", "Ada", cell]], header=["Code", "Hotel", title])
    said = desk.ok("load", "coral", path, "--accept")
    assert re.search(r"-> l(at, lng|ng, lat)", said)
    assert (desk.hotels()["h1"]["lat"], desk.hotels()["h1"]["lng"]) == (36.775, 31.376)
    assert "1 same" in desk.ok("load", "coral", path), "so it is remembered"


def test_p10_a_place_in_one_cell_that_was_named(desk):
    path = desk.workbook([["h1", "Ada", "36.775, 31.376"]], header=["Code", "Hotel", "Where"])
    desk.ok("load", "coral", path, "--accept", "--map", "lat=Where,lng=Where")
    assert (desk.hotels()["h1"]["lat"], desk.hotels()["h1"]["lng"]) == (36.775, 31.376)


@pytest.mark.parametrize("lat, lng", [
    ("36°46'30\"N", "31°22'33.6\"E"), ("36° 46′ 30″ N", "31° 22′ 33,6″ E"), ("N36.775", "E31.376"), ("36.775°", "31.376°"), ("36,775 N", "31,376 E"),
    ("36 46 30 N", "31 22 33.6 E"), ("N 36º46.5'", "E 31º22.56'"), ("K 36,775", "D 31,376")])
@pytest.mark.parametrize("shared", [False, True])
def test_p10_coordinates_in_degrees_minutes_and_seconds(desk, lat, lng, shared):
    rows = [["Code", "Hotel", "GPS"], ["h1", "Ada", f"{lat}{';' if ',' in lng else ','} {lng}"]] if shared else [HEAD, ["h1", "Ada", "Turkey", lat, lng]]
    desk.ok("load", "coral", desk.workbook(rows[1:], header=rows[0]), "--accept")
    assert (desk.hotels()["h1"]["lat"], desk.hotels()["h1"]["lng"]) == pytest.approx((36.775, 31.376))


def test_p10_degrees_of_the_south_and_west_are_below_zero(desk):
    _, hotels = loaded(desk, HEAD, ["h1", "Ada", "Peru", "12°30'S", "77°15'0\"W"], ["h2", "Bora", "Peru", "-12.5°", "-77.25°"])
    assert [(h["lat"], h["lng"]) for h in hotels.values()] == [(-12.5, -77.25)] * 2


@pytest.mark.parametrize("lat", ["36°61'N", "36.5°30'N", "36°30'E", "36°N30", "N", "36°46'30\"15N", "-36°S", "°", "36'30", "36'30\"N", "36 46 30", "91°N", "36°46'30.5.5\"N"])
def test_p10_what_is_no_such_coordinate_is_left_out(desk, lat):
    said, hotels = loaded(desk, HEAD, ["h1", "Ada", "Turkey", lat, "31.376"])
    assert "lat" not in hotels["h1"] and "lng" not in hotels["h1"] and "1 record without coordinates" in said


@pytest.mark.parametrize("cell, place", [
    ("36,86", None), ("(36,86)", None), ("-36,8612", None), ("36.86,30.63", (36.86, 30.63)), ("36,86; 30,63", (36.86, 30.63)),
    ("36.86, 30.63", (36.86, 30.63)), ("36, 30", (36, 30)), ("36,30.63", (36, 30.63))])
def test_p10_one_number_with_a_comma_is_no_place(desk, cell, place):
    """Or is it two whole degrees?"""
    path = desk.workbook([["h1", "Ada", cell]], header=["Code", "Hotel", "KONUM"])
    said = desk.ok("load", "coral", path, "--accept")
    hotel = desk.hotels()["h1"]
    assert (hotel.get("lat"), hotel.get("lng")) == (place or (None, None))
    assert ("1 record without coordinates" in said and "lat: expected two numbers such as 36.86, 30.63, found " in said) == (place is None)


def test_p10_coordinates_that_cannot_be_are_left_out_and_said(desk):
    said, hotels = loaded(desk, HEAD, ROW, ["h2", "Deniz", "Turkey", "131,4", "36,8"])
    assert "lat" not in hotels["h2"] and "lng" not in hotels["h2"] and hotels["h1"]["lat"] == 36.8
    assert "lat: expected -90 to 90, found 131.4 (exchanged with lng?)" in said and "1 record without coordinates" in said
    _, hotels = loaded(desk, HEAD, ["h1", "Ada Two", "Turkey", "131,4", "36,8"])
    assert (hotels["h1"]["lat"], hotels["h1"]["name"]) == (36.8, "Ada Two"), "what was known of its place stays"


@pytest.mark.parametrize("header, cells", [(["Coordinates"], ["Nord 36.86, Ost 30.63"]), (["Latitude", "Longitude"], ["north", "30,6"]), (["Latitude", "Longitude"], ["36,8", "east"])])
def test_p10_coordinates_in_words_are_left_out_like_bad_numbers(desk, header, cells):
    loaded(desk, ["Code", "Hotel", *header], ["h1", "Ada", *(["36.8, 31.4"] if len(cells) == 1 else ["36.8", "31.4"])])
    said, hotels = loaded(desk, ["Code", "Hotel", *header], *([i, "Ada Two", *cells] for i in ("h1", "h2")))
    assert "2 records without coordinates" in said and re.search("(lat|lng): expected a number[^\n]*, found ", said)
    assert hotels["h2"]["name"] == "Ada Two" and not {"lat", "lng"} & set(hotels["h2"])
    assert (hotels["h1"]["lat"], hotels["h1"]["lng"], hotels["h1"]["name"]) == (36.8, 31.4, "Ada Two")


@pytest.mark.parametrize("lat, lng, left_out", [("0", "0", True), ("0,000", "-0", True), ("0", "31,4", False), ("36,8", "0", False)])
def test_p10_null_island_has_no_hotels(desk, lat, lng, left_out):
    loaded(desk, HEAD, ROW)
    said, hotels = loaded(desk, HEAD, ["h1", "Ada Two", "Turkey", lat, lng], ["h2", "Deniz", "Turkey", lat, lng])
    assert ("lat, lng: expected a place, found 0, 0" in said and "2 records without coordinates" in said) == left_out
    assert ("lat" not in hotels["h2"]) == left_out and hotels["h1"]["name"] == "Ada Two"
    assert (hotels["h1"]["lat"] == 36.8 and hotels["h1"]["lng"] == 31.4) == left_out, "what was known of its place stays"


@pytest.mark.parametrize("kind, header, row, record", [
    ("meal", ["Kod", "Pansiyon Adı"], ["UAI", "Ultra herşey dahil"], ("UAI", "Ultra herşey dahil")),
    ("meal", ["Kod / Pansiyon Adı", "Not"], ["UAI / Ultra herşey dahil", "x"], ("UAI", "Ultra herşey dahil")),
    ("meal", ["Kod / Pansiyon Adı", "Not"], ["HB+", "x"], ("HB+", "HB+")),
    ("meal", ["Board code", "Remark"], ["HB+", "x"], ("HB+", "HB+")),
    ("hotel_category", ["KOD", "SINIF"], ["1", "HV-1"], ("1", "HV-1")),
    ("hotel_category", ["KOD / SINIF", "Not"], ["5* / Beş yıldız", "x"], ("5*", "Beş yıldız"))])
def test_p10_boards_and_categories(desk, kind, header, row, record):
    desk.ok("load", "coral", desk.workbook([row], header=header), "--accept", "--kind", kind)
    assert [(r["id"], r["name"]) for r in desk.records(type="source", kind=kind)] == [record]


@pytest.mark.parametrize("header", [["Kod", "Otel", "BÖLGE", "İL / İLÇE"], ["Kod", "Otel", "Region", "City"]])
def test_p10_a_region_is_the_city_only_where_nothing_else_is(desk, header):
    desk.ok("load", "coral", desk.workbook([["h1", "Ada", "Akdeniz", "Antalya / Kemer"]], header=header), "--accept")
    assert desk.hotels()["h1"]["city_name"] == "Antalya / Kemer"
    desk.ok("supplier", "add", "azure")
    desk.ok("load", "azure", desk.workbook([["h2", "Ada", "Akdeniz"]], "b.xlsx", header=header[:3]), "--accept")
    assert desk.hotels()["h2"]["city_name"] == "Akdeniz"


# sheets

NOTES = ("BİLGİ", [["Güncelleme", "01.11.2026"], ["Bu liste", "gizlidir"]])


def test_p10_notes_on_another_sheet(desk):
    path = desk.workbook(sheets.rows(3), sheets=[NOTES])
    assert 'sheet "Hotels"' in desk.ok("load", "coral", path, "--accept")
    assert len(desk.hotels()) == 3


def test_p10_each_kind_has_its_sheet(desk):
    """Also once there are two of them, and neither is said."""
    path = desk.workbook(sheets.rows(3), sheets=[("Boards", [["Board code", "Board name"], ["UAI", "Ultra"]])])
    desk.ok("load", "coral", path, "--accept", "--sheet", "Hotels")
    desk.ok("load", "coral", path, "--accept", "--sheet", "Boards", "--kind", "meal")
    assert 'sheet "Hotels"' in desk.ok("load", "coral", path)
    assert 'sheet "Boards"' in desk.ok("load", "coral", path, "--kind", "meal")
    assert [r["data"]["sheet"] for r in desk.records(type="profile")] == ["Boards", "Hotels"]


# columns that are named

def test_p7_what_a_later_map_leaves_out_stays_as_it_was_accepted(desk):
    header = ["CC", "Code", "Hotel", "Class", "Fax"]
    rows = [["TR", "h1", "Ada", "5*", "+90"]]
    desk.ok("load", "coral", desk.workbook(rows, header=header), "--accept", "--map", "country_name=CC,category_name=Fax,name=Hotel")
    desk.ok("load", "coral", desk.workbook(rows, header=header), "--accept", "--map", "phone=Class")
    (profile,) = desk.records(type="profile")
    assert profile["data"]["columns"] == {"phone": "Class", "country_name": "CC", "category_name": "Fax", "name": "Hotel", "id": "Code"}
    desk.ok("load", "coral", desk.workbook(rows, header=header), "--accept", "--map", "phone=")
    (profile,) = desk.records(type="profile")
    assert profile["data"]["ignored"] == ["Class"] and "phone" not in profile["data"]["columns"]
    desk.ok("load", "coral", desk.workbook(rows, header=header), "--accept", "--map", "name=Hotel")
    assert desk.records(type="profile")[0]["data"]["ignored"] == ["Class"], "what was not wanted is not taken up again"


def test_p7_a_column_for_two_fields_is_an_error(desk):
    path = desk.workbook([["TR", "h1", "Ada"]], header=["CC", "Code", "Hotel"])
    for more in ((), ("--dry-run",)):
        assert "the column CC cannot feed both country_id and country_name" in desk.fails(
            "load", "coral", path, "--accept", "--map", "country_id=CC", "--map", "country_name=CC", *more)


def test_p7_supplier_set_refuses_a_column_for_two_fields_too(desk):
    path = desk.workbook([["TR", "h1", "Ada", "36.8, 31.4"]], header=["Country Code", "Code", "Hotel", "Where"])
    desk.ok("load", "coral", path, "--accept")
    (profile,) = desk.records(type="profile")
    assert "the column country_code cannot feed both country_id and country_name" in desk.fails("supplier", "set", "coral", "--map", "country_name=country_code")
    assert desk.records(type="profile") == [profile]
    desk.ok("supplier", "set", "coral", "--map", "lat=Where,lng=Where")
    desk.ok("load", "coral", path)
    assert (desk.hotels()["h1"]["lat"], desk.hotels()["h1"]["lng"]) == (36.8, 31.4)
    desk.ok("supplier", "set", "coral", "--kind", "meal", "--map", "id=Code / Name,name=Code / Name")
