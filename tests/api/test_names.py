"""Names as they come: R5 (two of one name), quotes, emoji, right to left, very long ones."""
import json

import pytest

NASTY = ['a "quoted" \\ name', "back\\slash", "</script><!--", "😀 👨‍👩‍👧 🇺🇦", "فندق \u200f(البحر)", "שלום", "e\u0301 é",
         "nul-like \\u0000", "line\u2028separator\u2029", "a/b", " spaced ", "'", "`", "#", "{}", "[]", "null",
         "İstanbul ıİ", "a\u00a0b", "\u200b", "\U0010ffff", "ﷺ", "x" * 1000, "😀" * 300]


def meal(id, name):
    return {"type": "dict", "kind": "meal", "id": id, "name": name}


def category(id, name):
    return {"type": "dict", "kind": "hotel_category", "id": id, "name": name}


def meals_of(server, lang="en"):
    return server.a(f"tour/main-references?lang={lang}").data()["meals"]


def test_r5_the_lower_id_keeps_the_bare_name(make_server):
    server = make_server([meal(9, "AI"), meal(3, "AI"), meal(20, "AI"), category(8, "5*"), category(-8, "5*")])
    assert meals_of(server) == {"AI": {"id": 3, "name": "AI"}, "AI #9": {"id": 9, "name": "AI"},
                                "AI #20": {"id": 20, "name": "AI"}}
    assert server.a("tour/main-references").data()["hotel_categories"] == {
        "5*": {"id": -8, "name": "5*"}, "5* #8": {"id": 8, "name": "5*"}}


def test_r5_is_a_matter_of_the_language_asked_for(make_server):
    server = make_server([meal(1, {"en": "All inclusive", "uk": "Все"}), meal(2, {"en": "Ultra", "uk": "Все"}),
                          meal(3, {"de": "Ultra"})])
    assert list(meals_of(server, "uk").items()) == [
        ("Все", {"id": 1, "name": "Все"}), ("Все #2", {"id": 2, "name": "Все"}),
        ("Ultra", {"id": 3, "name": "Ultra"})]
    assert meals_of(server, "en") == {"All inclusive": {"id": 1, "name": "All inclusive"},
                                      "Ultra": {"id": 2, "name": "Ultra"}, "Ultra #3": {"id": 3, "name": "Ultra"}}


@pytest.mark.parametrize("records", [
    [meal(1, "AI"), meal(3, "AI"), meal(9, "AI #3")],                      # the real name has the higher id
    [meal(1, "AI #3"), meal(2, "AI"), meal(3, "AI")],                      # ... and the lower
    [meal(1, "AI"), meal(3, "AI"), meal(4, "AI #3"), meal(5, "AI #3")],    # ... and twice
    [meal(1, "AI"), meal(3, "AI"), meal(4, "AI #3"), meal(5, "AI #3 #4"), meal(6, "AI #3 #3")],
    [meal(1, "AI #2"), meal(2, "AI #2"), meal(3, "AI #2 #2")],
])
def test_r5_a_meal_really_called_as_a_key_of_another_leaves_nothing_out(make_server, records):
    found = meals_of(make_server(records))         # a key used twice would fail in json()
    assert sorted((row["id"], row["name"]) for row in found.values()) == [(r["id"], r["name"]) for r in records]
    for key, row in found.items():
        assert key == row["name"] or key.startswith(f"{row['name']} #{row['id']}"), (key, row)
    first = min(records, key=lambda r: r["id"])
    assert found[first["name"]]["id"] == first["id"]


def test_r5_names_that_differ_only_in_case_or_accents_are_two_names(make_server):
    names = ["ai", "AI", "Ai", "é", "e\u0301", "e"]
    found = meals_of(make_server([meal(i, name) for i, name in enumerate(names)]))
    assert sorted(found) == sorted(names)


@pytest.fixture(scope="module")
def nasty(module_servers):
    records = [{"type": "dict", "kind": "country", "id": 1, "name": NASTY[0], "iso_alpha_2": "TR"}]
    for i, name in enumerate(NASTY):
        records += [meal(i, name), category(i, {"en": name, "ar": name[::-1]}),
                    {"type": "adapter", "id": i + 1, "code": f"c{i}", "name": name, "domain": "tour"},
                    {"type": "dict", "kind": "dep_city", "id": i, "name": name, "country_id": 1},
                    {"type": "dict", "kind": "city", "id": i, "name": name, "country_id": 1, "is_resort": True},
                    {"type": "dict", "kind": "hotel", "id": i, "name": name, "country_id": 1, "city_id": i,
                     "hotel_category_id": i}]
    return module_servers.make(records)


@pytest.mark.parametrize("i", range(len(NASTY)))
def test_a_nasty_name_comes_back_as_it_is(nasty, i):
    main = nasty.a("tour/main-references").data()
    assert main["meals"][NASTY[i]] == {"id": i, "name": NASTY[i]}
    assert main["hotel_categories"][NASTY[i]] == {"id": i, "name": NASTY[i]}
    assert main["operators"][f"c{i}"]["name"] == NASTY[i]
    assert main["dep_cities"][str(i)]["name"] == NASTY[i]
    assert main["dep_cities"][str(i)]["country"]["name"] == NASTY[0]
    hotels = nasty.a("tour/hotel-references?dep_city=1&country=1").data()
    assert hotels["cities"][str(i)]["title"] == hotels["resorts"][str(i)]["name"] == NASTY[i]
    assert hotels["hotels"][str(i)]["name"] == hotels["hotels"][str(i)]["hotel_category"]["name"] == NASTY[i]
    reference = nasty.b("tour/reference").json()
    assert {"id": i, "name": NASTY[i]} in reference["data"]["meal"]
    assert {"kind": "meal", "id": i, "name": NASTY[i]} in reference["items"]


def test_nasty_adapter_codes_are_keys_as_they_are(make_server):
    codes = ['"', "\\", "a b", "#", "ü"]
    records = [{"type": "adapter", "id": i + 1, "code": code, "name": "x", "domain": "tour"}
               for i, code in enumerate(codes)]
    operators = make_server(records).a("tour/main-references").data()["operators"]
    assert {code: row["code"] for code, row in operators.items()} == {code: code for code in codes}


def test_control_characters_in_a_body_are_escaped(make_server, run, tmp_path):
    path = tmp_path / "tab.ndjson"
    path.write_text(json.dumps(meal(1, "tab\there\nline")) + "\n")
    data = tmp_path / "data"
    if run("import", "--create", path, "--data", data).returncode != 0:
        return          # an import may refuse such a name; a list may not be broken by one
    body = make_server(None, data=data).a("tour/main-references").plain()
    assert b"\t" not in body and b"\n" not in body.rstrip()
    assert json.loads(body)["data"]["meals"]["tab\there\nline"]["id"] == 1
