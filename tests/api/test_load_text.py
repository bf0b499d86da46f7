"""dragoman load: text files that other programs make, with their quotes, backslashes, encodings and ids (docs/lists.md#recognised-formats)."""
import pytest

from test_load import Desk

pytestmark = pytest.mark.store

HEAD = "Code|Hotel|Country|City\n"
UNPAIRED = (HEAD + 'h1|Ada|Turkey|Side\nh2|"Bora Palace|Turkey|Side\nh3|Can|Turkey|Side\nh4|Deniz|Turkey|Side\n'
            'h5|Hotel "Ege"|Turkey|Side\nh6|Fener|Turkey|Side\n')


@pytest.fixture
def desk(run, tmp_path):
    return Desk(run, tmp_path)


def names(desk):
    return {key: r["name"] for key, r in desk.hotels().items()}


# quotes

@pytest.mark.parametrize("separator", list("|;,\t"))
def test_a_file_that_never_quotes_is_recognised(desk, separator):
    said = desk.ok("load", "coral", desk.text(UNPAIRED.replace("|", separator).encode()), "--accept", "--complete")
    assert "quotes: none" in said
    assert names(desk) == {"h1": "Ada", "h2": '"Bora Palace', "h3": "Can", "h4": "Deniz", "h5": 'Hotel "Ege"', "h6": "Fener"}


def test_how_cells_are_quoted_can_be_said_and_is_remembered(desk):
    few = desk.text((HEAD + 'h1|"Ada"|Turkey|Side\n').encode())
    desk.ok("load", "coral", few, "--accept", "--quote", "none")
    assert names(desk) == {"h1": '"Ada"'}
    assert "quotes         none" in desk.ok("supplier", "show", "coral")
    desk.ok("load", "coral", few)
    assert names(desk) == {"h1": '"Ada"'}
    desk.ok("load", "coral", few, "--quote", "double")
    assert names(desk) == {"h1": "Ada"}
    done = desk.run("load", "coral", few, "--quote", "single")
    assert done.returncode == 2 and "double" in done.stderr


@pytest.mark.parametrize("opening, closing", ["''", "“”", "„“", "«»"])
def test_quotes_that_a_whole_column_has_are_taken_off_and_told(desk, opening, closing):
    rows = [["Code", "Hotel"], ["h1", "Sun, Sea"], ["h2", "Bora"]]
    said = desk.ok("load", "coral", desk.text("".join(",".join(f"{opening}{cell}{closing}" for cell in row) + "\n" for row in rows).encode()), "--accept")
    assert f"quotes: {opening}{closing}" in said
    assert names(desk) == {"h1": "Sun, Sea", "h2": "Bora"}


# separators and line ends

@pytest.mark.parametrize("separator", ["||", "::", "~|~"])
def test_a_separator_may_be_several_characters(desk, separator):
    said = desk.ok("load", "coral", desk.text(f"Code{separator}Hotel{separator}Lat\nh1{separator}Ada{separator}36.5\n".encode()), "--accept")
    assert names(desk) == {"h1": "Ada"} and desk.hotels()["h1"]["lat"] == 36.5, said


@pytest.mark.parametrize("separator", ["，", "、", "¦", "\x1f"])
def test_separators_of_other_scripts_are_recognised(desk, separator):
    desk.ok("load", "coral", desk.text(UNPAIRED.replace("|", separator).encode()), "--accept")
    assert names(desk)["h2"] == '"Bora Palace'


def test_a_separator_of_any_script_can_be_said_and_is_remembered(desk):
    few = desk.text("CodeЖHotel\nh1ЖAda Bora\n".encode())
    assert "--separator" in desk.fails("load", "coral", few, "--accept")
    desk.ok("load", "coral", few, "--accept", "--separator", "Ж")
    assert names(desk) == {"h1": "Ada Bora"}
    assert "separator      Ж" in desk.ok("supplier", "show", "coral")
    assert "1 same" in desk.ok("load", "coral", few)
    assert desk.run("load", "coral", few, "--separator", "ЖЖ").returncode == 2
    assert "ASCII" in desk.run("import", few, "--csv", "source:hotel", "--separator", "Ж").stderr


@pytest.mark.parametrize("end", ["\u0085", "\u2028", "\u2029", "\r"])
def test_every_line_end_ends_a_row(desk, end):
    desk.ok("load", "coral", desk.text(end.join(["Code;Hotel", "h1;Ada", "h2;Bora", ""]).encode()), "--accept")
    assert names(desk) == {"h1": "Ada", "h2": "Bora"}


QUOTED = '"Code","Hotel","City"\n' + "".join(f'"h{n}","Hotel, number {n}","Side"\n' for n in range(9))


def test_an_unpaired_quote_is_told_with_its_line_and_column(desk):
    said = desk.fails("load", "coral", desk.text((QUOTED + '"h9","Ada,Side\n"h10","B, C","Side"\n"h11","D","Side\n').encode()), "--accept")
    assert "list.csv:13: " in said and "column 3" in said and "--quote none" in said


def test_a_cell_that_is_not_closed_is_no_sign_of_a_file_that_never_quotes(desk):
    said = desk.fails("load", "coral", desk.text(b'Code,Hotel,City\n"1,Ada\n2,Bora,Side\n'), "--accept")
    assert "list.csv:2: the quote that begins the cell of column 1 is never closed" in said


def test_rows_that_a_cell_has_swallowed_are_told(desk):
    """The quotes pair by accident: the record has the name of two rows."""
    path = desk.text((QUOTED + '"h9","Ada,Side\n"h10,B","Side"\n"h11","D","Side"\n').encode())
    assert "1 of 11 rows are bad" in desk.fails("load", "coral", path, "--accept")
    assert "list.csv:11: hotel h9: the cell of column 2 has line ends" in desk.run("load", "coral", path, "--accept").stdout
    even = QUOTED + 'h9,"Ada,Side\nh10,Bora",Side\n"h11","D","Side"\n'
    said = desk.ok("load", "coral", desk.text(even.encode()), "--accept")
    assert "list.csv:11: " in said and "as if it were several rows" in said and "1 row with a warning" in said
    assert "h11" in names(desk)


def test_p4_rows_that_a_cell_has_swallowed_are_not_gone(desk):
    rows = [f'"h{n}","Hotel {n}","Side"\n' for n in range(30)]
    desk.ok("load", "coral", desk.text(("Code,Hotel,City\n" + "".join(rows)).encode()), "--accept")
    rows[9:11] = ['h9,"Ada,Side\nh10,Bora",Side\n']
    later = desk.text(("Code,Hotel,City\n" + "".join(rows[:-1])).encode())
    assert "2 that the list lacks are not removed" in desk.ok("load", "coral", later, "--complete")
    assert len(names(desk)) == 30
    desk.ok("load", "coral", later, "--complete", "--accept-rejected")
    assert "h10" not in names(desk) and len(names(desk)) == 28


def test_prose_with_line_ends_and_commas_is_no_warning(desk):
    text = 'Code,Hotel,Address\nh1,Ada,"Sun Street 1,\nSide, Turkey"\nh2,B,"1,5 km from the sea,\n2,5 from the town, quiet"\n'
    assert "warning" not in desk.ok("load", "coral", desk.text(text.encode()), "--accept")
    assert len(names(desk)) == 2


def test_quotes_within_quotes_are_read_as_they_are(desk):
    desk.ok("load", "coral", desk.text(b'"Code","Hotel","City"\n"h1","Hotel "Ege" Palace","Side"\n"h2","B, C","Side"\n'), "--accept")
    assert names(desk) == {"h1": 'Hotel "Ege" Palace', "h2": "B, C"}


def test_backslashes_of_a_database_are_understood(desk):
    text = '"Code","Hotel","Country","City"\n"h1","Hotel \\"Sun, Sea\\" Palace","Turkey","Side"\n"h2","Plain",\\N,"Side"\n"h3","Villa \\"Ada\\"","Turkey","Side"\n'
    desk.ok("load", "coral", desk.text(text.encode()), "--accept")
    assert names(desk) == {"h1": 'Hotel "Sun, Sea" Palace', "h2": "Plain", "h3": 'Villa "Ada"'}
    assert "country_name" not in desk.hotels()["h2"]


def test_a_dump_is_understood(desk):
    text = "Code\tHotel\tCountry\tPhone\tCity\nh1\tAda\\tBeach\tTurkey\t\\N\tSide\n\\N\tNobody\tTurkey\t1\tSide\nh2\tBora\\\\Palas\tTurkey\t2\t\\N\n"
    said = desk.ok("load", "coral", desk.text(text.encode(), "list.tsv"), "--accept")
    assert "quotes: dump" in said and "1 row skipped" in said
    hotels = desk.hotels()
    assert names(desk) == {"h1": "Ada\tBeach", "h2": "Bora\\Palas"} and "phone" not in hotels["h1"] and "city_name" not in hotels["h2"]


# ids

@pytest.mark.parametrize("ids, what", [
    (["6.553", "103.815", "442", "14.390"], "thousands"), (["6,553", "103,815", "442", "1,234,567"], "thousands"),
    (["6 553", "442"], "thousands"), (["6\u00a0553", "442"], "thousands"), (["6'553", "442"], "thousands"),
    (["6553.0", "103815.0", "442.0"], "decimals"), (["1,03,815", "442"], "thousands"),
    (["6553,00", "442,00"], "decimals"), (["6,553.00"], "decimals")])
def test_ids_that_a_program_took_for_numbers_are_errors(desk, ids, what):
    path = desk.text(("Code;Hotel\n" + "".join(f"{i};Hotel {n}\n" for n, i in enumerate(ids))).encode())
    said = desk.run("load", "coral", path, "--accept")
    assert said.returncode == 1 and f"a number with {what}" in said.stdout
    assert not desk.hotels()


@pytest.mark.parametrize("ids", [["1.2", "1.234"], ["6.553", "12345"], ["A.123"], ["0.001", "1.002"], ["10.5"], ["1.2.3"], ["1,03,81"], ["v1.000"]])
def test_ids_with_points_of_their_own_are_taken(desk, ids):
    desk.ok("load", "coral", desk.text(("Code;Hotel\n" + "".join(f"{i};Hotel {n}\n" for n, i in enumerate(ids))).encode()), "--accept")
    assert sorted(desk.hotels()) == sorted(ids)


def test_the_number_of_a_city_with_thousands_is_a_warning(desk):
    said = desk.ok("load", "coral", desk.text(b"Code;Hotel;City id;City\nh1;Ada;6.553;Side\nh2;B;442;Side\n"), "--accept")
    assert "city_id: expected an id, found 6.553" in said and sorted(desk.hotels()) == ["h1", "h2"]


# what shows nothing

@pytest.mark.parametrize("sign", ["\u200e", "\u200b", "\ufeff", "\u3000", "\u00a0", "\u202f", "\u2060", "\u00ad", "\u061c", "\u180e", "\u2028", "\ufe0f", "\u115f"])
def test_characters_that_show_nothing_are_no_part_of_a_cell(desk, sign):
    desk.ok("load", "coral", desk.text("Code;Hotel;City\n1001;Ada;Side\n1002;Bora;Side\n".encode()), "--accept", "--complete")
    within = "" if sign.isspace() else sign
    text = f"Co{within}de{sign};{sign}Hotel;City\n{sign}1001;Ada{sign};Side\n1002{sign}{sign};{sign}Bora;Side\n"
    said = desk.ok("load", "coral", desk.text(text.encode()))
    assert names(desk) == {"1001": "Ada", "1002": "Bora"}
    assert "2 same" in said


@pytest.mark.parametrize("again", ["\ufeffCode;Hotel;City", "Code;Hotel;City", "CODE;HOTEL;CITY", '\ufeff"Code";"Hotel";"City"', "code ; Hotel;\u200bCity"])
def test_the_header_of_a_joined_file_is_skipped(desk, again):
    said = desk.ok("load", "coral", desk.text(f"\ufeffCode;Hotel;City\nh1;Ada;Side\n{again}\nh2;Bora;Side\n".encode()), "--accept")
    assert "the header once more" in said and names(desk) == {"h1": "Ada", "h2": "Bora"}


def test_drawn_lines_between_cells_are_skipped(desk):
    text = "| Code | Hotel | City |\n|------|:------|-----:|\n| h1 | Ada | Side |\n+------+-------+------+\n| h2 | --- | Side |\n"
    desk.ok("load", "coral", desk.text(text.encode()), "--accept")
    assert names(desk) == {"h1": "Ada", "h2": "---"}


# encodings

@pytest.mark.parametrize("encoding, name, place", [
    ("mac_roman", "Hôtel d’Été", "Nîmes"), ("cp1253", "Βίλα Αφροδίτη", "Κρήτη"), ("iso8859_7", "Βίλα Αφροδίτη", "Κρήτη"), ("cp437", "Hôtel Étoile", "Orléans"),
    ("cp1255", "מלון דן", "ירושלים"), ("cp1256", "فندق النخيل", "مرسى مطروح"), ("cp874", "บ้านสวน", "เชียงใหม่"), ("shift_jis", "ホテル桜", "東京"),
    ("euc_jp", "ホテル桜", "東京"), ("euc_kr", "호텔 신라", "서울"), ("gb18030", "北京饭店", "北京"), ("big5", "圓山大飯店", "臺北"), ("koi8_u", "Готель Їжак", "Львів"),
    ("cp866", "Отель Сочи", "Москва"), ("iso8859_5", "Отель Сочи", "Москва"), ("cp852", "Hotel Růže", "Žďár"), ("mac_cyrillic", "Отель Сочи", "Москва")])
def test_the_right_reading_of_an_encoding_is_shown_and_taken(desk, encoding, name, place):
    text = f"Code;Hotel;City;Description\n1;{name};{place};\n2;{name};{place};\n"
    path = desk.text(text.encode(encoding))
    said = desk.fails("load", "coral", path, "--accept")
    assert f'"{name}, {place}"' in said or f'"{place}, {name}"' in said, said
    option = said.split(next(x for x in (f' "{name}, {place}"', f' "{place}, {name}"') if x in said))[0].split()[-1]
    desk.ok("load", "coral", path, "--encoding", option, "--accept")
    assert names(desk) == {"1": name, "2": name}


def test_utf8_that_was_encoded_twice_is_a_warning(desk):
    text = "Code;Hotel;City\n1;Hôtel Étoile;Nîmes\n2;Güneş;Side\n".encode().decode("cp1252").encode()
    said = desk.ok("load", "coral", desk.text(text), "--accept")
    assert 'encoded twice, of "Hôtel Étoile"' in said and "2 rows with a warning" in said


def test_an_encoding_by_escapes_is_recognised(desk):
    assert "ISO-2022-JP (recognised)" in desk.ok("load", "coral", desk.text("Code;Hotel\n1;ホテル桜\n".encode("iso2022_jp")), "--accept")
    assert names(desk) == {"1": "ホテル桜"}


def test_utf_7_is_recognised(desk):
    assert "UTF-7 (recognised)" in desk.ok("load", "coral", desk.text("Code;Hotel\nh1;Güneş Café\n".encode("utf-7")), "--accept")
    assert names(desk) == {"h1": "Güneş Café"}


def test_a_file_of_a_mainframe_is_named_and_read_by_its_code_page(desk):
    path = desk.text("Code;Hotel\x85h1;Gut Müller\x85".encode("cp273"))
    assert "EBCDIC" in desk.fails("load", "coral", path, "--accept")
    desk.ok("load", "coral", path, "--accept", "--encoding", "ibm-273")
    assert names(desk) == {"h1": "Gut Müller"}


def test_zeros_among_text_are_no_encoding(desk):
    assert "it has zero bytes" in desk.fails("load", "coral", desk.text(b"Code,Hotel\nh1,Ad\0a\n"), "--accept")


# cells and rows that programs have spoilt

@pytest.mark.parametrize("lat, lng", [("\u221236.5", "\u221231.25"), ("\u201336,5", "\u201331,25"), ("-٣٦٫٥", "-٣١٫٢٥"), ("－３６．５", "－３１．２５"), ("-۳۶٫۵", "-۳۱٫۲۵")])
def test_numbers_in_the_digits_and_signs_of_other_scripts(desk, lat, lng):
    said = desk.ok("load", "coral", desk.text(f"Code;Hotel;Lat;Lng\nh1;Ada;{lat};{lng}\n".encode()), "--accept")
    assert (desk.hotels()["h1"]["lat"], desk.hotels()["h1"]["lng"]) == (-36.5, -31.25) and "warning" not in said


@pytest.mark.parametrize("id", ["3-May", "Mar-05", "05.Mar", "5. Mai", "02.мар", "Ağu.12", "3-May-21", "05.03.2021", "2021-03-05", "3/5/2021", "2021-03-05 00:00:00"])
def test_an_id_that_a_program_took_for_a_date_is_an_error(desk, id):
    done = desk.run("load", "coral", desk.text(f"Code;Hotel\nh1;Ada\n{id};Bora\n".encode()), "--accept", "--keep-going")
    assert f"id: expected an id, found {id}, a date: export the ids as text" in done.stdout
    assert names(desk) == {"h1": "Ada"}


@pytest.mark.parametrize("ids", [["MAR-05", "MAY-1"], ["3-May", "3-Xyz"], ["Mar-05", "Kem-05"], ["05.03.2021", "05.33.2021"], ["1-2", "12-34"], ["May", "5"], ["20210305", "1"]])
def test_ids_with_parts_of_their_own_are_no_dates(desk, ids):
    desk.ok("load", "coral", desk.text("".join(["Code;Hotel\n", *(f"{id};Hotel {id}\n" for id in ids)]).encode()), "--accept")
    assert set(names(desk)) == set(ids)


def test_an_apostrophe_that_keeps_zeros_in_excel_is_no_part_of_an_id(desk):
    desk.ok("load", "coral", desk.text(b"Code;Hotel;City code;City\n'00123;'80s Club;'07;Side\n'a1;B;x;Kemer\n"), "--accept")
    assert names(desk) == {"00123": "'80s Club", "'a1": "B"} and desk.hotels()["00123"]["city_id"] == "07"


def test_rows_that_are_commented_out_are_skipped(desk):
    rows = "Code,Hotel,City\n# from here on\nh1,Ada,Side\n#2,Bora,Side\n"
    said = desk.ok("load", "coral", desk.text(("# made by us\n" + rows).encode()), "--accept")
    assert set(names(desk)) == {"h1"} and "#2: a comment\n" in said
    desk.ok("load", "coral", desk.text(rows.encode(), "plain.csv"))
    assert set(names(desk)) == {"h1", "#2"}


@pytest.mark.parametrize("types", ["varchar(20);VARCHAR(255);float", "Text;Text;Number", "required;required;optional", "char(8);string;decimal(9,6)"])
def test_a_row_of_types_below_the_header_is_skipped(desk, types):
    said = desk.ok("load", "coral", desk.text(f"Code;Hotel;Lat\n{types}\nh1;Ada;36.7\ntext;Text;\n".encode()), "--accept")
    assert set(names(desk)) == {"h1", "text"} and "a row of column types" in said and "without coordinates" not in said


@pytest.mark.parametrize("header", ["lat deg;lat min;lat sec;lng deg;lng min;lng sec", "Latitude;Latitude minutes;Latitude seconds;Longitude;Longitude minutes;Longitude seconds",
                                    "Lat;LatMin;LatSec;Lng;LngMin;LngSec", "lat;latmin;latsec;lng;lngmin;lngsec"])
def test_degrees_beside_columns_of_minutes_are_no_coordinates(desk, header):
    path = desk.text(f"Code;Hotel;{header}\nh1;Ada;36;46;30;31;22;48\n".encode())
    said = desk.ok("load", "coral", path, "--accept")
    assert "lat" not in desk.hotels()["h1"] and "columns for degrees, minutes and seconds are not read" in said
    lat, _, _, lng, *_ = header.split(";")
    desk.ok("load", "coral", path, "--map", f"lat={lat},lng={lng}", "--accept")
    assert desk.hotels()["h1"]["lat"] == 36


@pytest.mark.parametrize("word", ["(null)", "<NULL>", "[null]", "nil", "NaN", "nan", "<NA>", "undefined"])
def test_words_of_programs_for_nothing_are_empty_cells(desk, word):
    desk.ok("load", "coral", desk.text(f"Code;Hotel;City\nh1;Ada;{word}\n{word};Bora;Side\n".encode()), "--accept")
    assert set(names(desk)) == {"h1"} and "city_name" not in desk.hotels()["h1"]


@pytest.mark.parametrize("text, sort", [('{"id": "1"}\n{"id": "2"}\n', "JSON"), ('[{"id": "1"}]', "JSON"), ("{\\rtf1\\ansi Code}", "RTF")])
def test_files_that_are_no_tables_are_named(desk, text, sort):
    assert sort in desk.fails("load", "coral", desk.text(text.encode()), "--accept")
