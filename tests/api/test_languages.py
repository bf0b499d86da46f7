"""Languages: L1 (fallback), L5 (order by the collation of the language), L11, on a data set made for it."""
import json

import pytest


ORDERED = {
    # language: names in the order in which a speaker expects them
    "uk": ["Гай", "Ґанок", "Еней", "Єва", "Жук", "Іва", "Їжак", "Йод"],
    "ru": ["Ежик", "Ёлка", "Ель", "Жар"],
    "de": ["Apfel", "Äpfel", "Ofen", "Öl", "Ost", "Zebra"],
    "sv": ["Alvik", "Zebra", "Åre", "Ärla", "Öland"],
    "tr": ["Cide", "Çeşme", "Iğdır", "İzmir", "Ordu", "Ölüdeniz", "Side", "Şile"],
    "es": ["Nantes", "Nube", "Ñandú", "Oca"],
    "cs": ["Cesta", "Hrad", "Cheb"],
    "zh": ["北京", "广州", "上海"],
    "ar": ["القاهرة", "بيروت", "عمان"],
    "en": ["aardvark", "Äpfel", "Apple", "banana", "Çeşme", "Cide", "Zebra"],
}
FALLBACK = {
    # what the record has, what is asked for, what is answered
    "exact": ({"en": "e", "uk": "u"}, "uk", "u"),
    "region": ({"en": "e", "uk": "u"}, "uk-UA", "u"),
    "region and case": ({"en": "e", "uk": "u"}, "UK-ua", "u"),
    "region known": ({"en": "e", "pt": "p", "pt-BR": "b"}, "pt-br", "b"),
    "region not asked for": ({"en": "e", "pt-BR": "b"}, "pt", "e"),
    "script and region": ({"en": "e", "zh-Hant": "t"}, "zh-Hant-TW", "t"),
    "between": ({"en": "e", "zh": "z"}, "zh-Hant-TW", "z"),
    "alias": ({"en": "e", "he": "h"}, "iw", "h"),
    "alias of what the record has": ({"en": "e", "in": "i"}, "id-ID", "i"),
    "CLDR's parent": ({"en": "e", "nb": "n"}, "no", "n"),
    "likely script": ({"en": "e", "zh": "z", "zh-Hant": "t"}, "zh_TW", "t"),
    "likely script of the record": ({"en": "e", "zh": "z", "zh-TW": "t"}, "zh-HK", "t"),
    "usual script": ({"en": "e", "zh-Hans": "z", "zh-Hant": "t"}, "zh-CN", "z"),
    "likely script, Latin": ({"en": "e", "sr": "c", "sr-Latn": "l"}, "sr-ME", "l"),
    "default": ({"en": "e", "uk": "u"}, "fr", "e"),
    "any": ({"de": "d"}, "fr", "d"),
    "any, region": ({"de": "d"}, "uk-UA", "d"),
    "any for the default": ({"de": "d"}, "en", "d"),
    "plain text is English": ("plain", "uk", "plain"),
    "unassigned language": ({"en": "e"}, "xx", "e"),
}


def records():
    id = 1
    for lang, names in ORDERED.items():
        # Ids against the order, so that it cannot come from them.
        for name in reversed(names):
            yield {"type": "dict", "kind": "hotel_category", "id": id, "name": {lang: name, "fr": lang}}
            id += 1
    for i, (name, _, _) in enumerate(FALLBACK.values()):
        yield {"type": "dict", "kind": "meal", "id": i + 1, "name": name}
    yield {"type": "dict", "kind": "country", "id": 1, "name": {"en": "Land", "uk": "Край"}, "iso_alpha_2": "TR"}


@pytest.fixture(scope="module")
def polyglot(module_servers):
    return module_servers.make(list(records()))


@pytest.mark.parametrize("case", FALLBACK)
def test_l1_fallback(polyglot, case):
    _, lang, expected = FALLBACK[case]
    id = list(FALLBACK).index(case) + 1
    rows = polyglot.b(f"tour/reference?lang={lang}").data()["meal"]
    assert [row["name"] for row in rows if row["id"] == id] == [expected]


def test_l1_the_default_is_english(server):
    assert server.a("tour/main-references").body == server.a("tour/main-references?lang=en").body
    assert server.b("tour/reference").body == server.b("tour/reference?lang=en").body


@pytest.mark.parametrize("lang", ["uk/UA", "%D1%83%D0%BA", "e%20n", "en;q=1", "-", "en-", "-en", "uk--UA",
                                  "x" * 36, "en-" + "-".join(["abcdefgh"] * 4)])
@pytest.mark.parametrize("api, path", [("a", "tour/main-references?"), ("b", "tour/reference?"),
                                       ("a", "tour/hotel-references?dep_city=10&country=1&"),
                                       ("b", "tour/referenceData?dep_city=10&country=1&")])
def test_l1_what_is_no_language_tag_counts_as_not_sent_and_is_named(server, api, path, lang):
    answer = server.api(api, f"{path}lang={lang}")
    assert answer.body == server.api(api, path).body and answer.headers["X-Ignored-Fields"] == "lang"


def test_l1_an_underscore_counts_as_a_hyphen(server, polyglot):
    """As PHP, Java and Android write it."""
    assert server.b("tour/reference?lang=uk_UA").body == server.b("tour/reference?lang=uk").body
    assert server.b("tour/reference?lang=uk").body != server.b("tour/reference").body
    answer = polyglot.b("tour/reference?lang=zh_Hant_TW")
    assert answer.body == polyglot.b("tour/reference?lang=zh-Hant-TW").body and answer.headers["X-Ignored-Fields"] is None


@pytest.mark.parametrize("lang", ["en", "uk", "zh-Hant-TW", "de-1996", "sl-rozaj-biske-1994", "xx",
                                  "en-abcdefgh-abcdefgh-abcdefgh-abcde"])
def test_l1_a_well_formed_lang_is_taken_up_to_35_characters(server, lang):
    assert len(lang) <= 35
    assert server.b(f"tour/reference?lang={lang}").status == 200


@pytest.mark.parametrize("lang", ORDERED)
def test_l5_arrays_are_ordered_by_the_collation_of_the_language(polyglot, lang):
    rows = polyglot.b(f"tour/reference?lang={lang}").data()["hotel_category"]
    mine = {row["id"] for row in polyglot.b("tour/reference?lang=fr").data()["hotel_category"] if row["name"] == lang}
    assert [row["name"] for row in rows if row["id"] in mine] == ORDERED[lang]


def meals(server, lang):
    return [row["name"] for row in server.b(f"tour/reference?lang={lang}").data()["meal"]]


def test_l5_the_order_is_that_of_the_language_asked_for_even_where_the_names_fall_back(make_server):
    server = make_server([{"type": "dict", "kind": "meal", "id": i, "name": name}
                          for i, name in enumerate(["Ost", "Öl", "Zebra"])])
    assert meals(server, "de") == meals(server, "en") == ["Öl", "Ost", "Zebra"]
    assert meals(server, "sv") == ["Ost", "Zebra", "Öl"]


def test_l5_the_order_does_not_depend_on_a_language_that_is_gone(make_server, import_file, seen):
    """The same data in the same list, whether or not some record once had a name in the language."""
    rows = [{"type": "dict", "kind": "meal", "id": i, "name": name} for i, name in enumerate(["Apple", "Абрикос"])]
    server = make_server([*rows, {"type": "dict", "kind": "meal", "id": 9, "name": {"uk": "x", "xx": "y"}}])
    import_file(server.data, [{"type": "dict", "kind": "meal", "id": 9, "deleted": True}])
    assert seen(lambda: len(meals(server, "uk")) == 2)
    again = make_server(None, data=server.data)
    for lang in ("uk", "xx", "uk-UA"):
        assert server.b(f"tour/reference?lang={lang}").headers["ETag"] \
            == again.b(f"tour/reference?lang={lang}", key=server.key_b).headers["ETag"], lang
    assert meals(again, "uk") == ["Абрикос", "Apple"]


def test_l1_any_name_is_always_the_same_one(make_server, import_file, seen):
    def record(*langs):
        return {"type": "dict", "kind": "meal", "id": 1, "name": {lang: lang for lang in langs}}

    server = make_server([record("fr", "de", "it")])
    name = meals(server, "uk")
    import_file(server.data, [record("it", "de", "fr"), {"type": "dict", "kind": "meal", "id": 2, "name": "z"}])
    assert seen(lambda: meals(server, "uk") == [*name, "z"])
    assert meals(make_server(None, data=server.data), "uk") == [*name, "z"]


@pytest.mark.parametrize("lang", ORDERED)
def test_l5_maps_are_in_the_same_order(polyglot, lang):
    rows = polyglot.b(f"tour/reference?lang={lang}").data()["hotel_category"]
    categories = polyglot.a(f"tour/main-references?lang={lang}").data()["hotel_categories"]
    assert [row["id"] for row in categories.values()] == [row["id"] for row in rows]


def test_l5_a_regional_language_has_the_order_of_its_language(polyglot):
    assert polyglot.b("tour/reference?lang=tr-TR").data() == polyglot.b("tour/reference?lang=tr").data()


def test_l5_ukrainian_puts_cyrillic_before_latin(make_server):
    server = make_server([{"type": "dict", "kind": "meal", "id": 1, "name": {"uk": "Яблуко"}},
                          {"type": "dict", "kind": "meal", "id": 2, "name": {"en": "Apple"}},
                          {"type": "dict", "kind": "meal", "id": 3, "name": {"uk": "Абрикос"}}])
    meals = server.b("tour/reference?lang=uk").data()["meal"]
    assert [row["id"] for row in meals] == [3, 1, 2]
    meals = server.b("tour/reference?lang=en").data()["meal"]
    assert [row["id"] for row in meals] == [2, 3, 1]


def test_l5_equal_names_are_ordered_by_id_as_a_number(make_server):
    ids = [10, 9, -3, 100, 2, -20]
    server = make_server([{"type": "dict", "kind": "hotel_category", "id": id, "name": "same"} for id in ids])
    rows = server.b("tour/reference").data()["hotel_category"]
    assert [row["id"] for row in rows] == sorted(ids)
    categories = server.a("tour/main-references").data()["hotel_categories"]
    assert [row["id"] for row in categories.values()] == sorted(ids)


def test_l5_every_map_and_array_is_ordered(make_server):
    names = ["Ґ", "Г", "Ж", "Є", "Е"]
    order = ["Г", "Ґ", "Е", "Є", "Ж"]
    rows = [{"type": "dict", "kind": "country", "id": 1, "name": "Z", "iso_alpha_2": "ZZ"},
            {"type": "dict", "kind": "hotel_category", "id": 1, "name": "c"}]
    for i, name in enumerate(names):
        rows += [{"type": "adapter", "id": i + 1, "code": f"op{i}", "name": name, "domain": "tour"},
                 {"type": "dict", "kind": "country", "id": i + 2, "name": {"uk": name}, "iso_alpha_2": f"A{'EDCBA'[i]}"},
                 {"type": "dict", "kind": "currency", "id": i + 1, "name": {"uk": name}, "iso_code": f"AA{'EDCBA'[i]}"},
                 {"type": "dict", "kind": "meal", "id": i + 1, "name": {"uk": name}},
                 {"type": "dict", "kind": "dep_city", "id": i + 1, "name": {"uk": name}, "country_id": 1},
                 {"type": "dict", "kind": "city", "id": i + 1, "name": {"uk": name}, "country_id": 1,
                  "is_resort": True},
                 {"type": "dict", "kind": "hotel", "id": i + 1, "name": {"uk": name}, "country_id": 1,
                  "city_id": i + 1, "hotel_category_id": 1},
                 {"type": "source", "adapter_id": i + 1, "kind": "hotel", "id": "1", "name": "h", "dict_id": i + 1},
                 {"type": "direction", "adapter_id": i + 1, "dep_city_id": i + 1, "country_id": i + 2},
                 {"type": "direction", "adapter_id": i + 1, "dep_city_id": 1, "country_id": 1}]
    server = make_server(rows)

    def names_of(rows):
        rows = rows.values() if isinstance(rows, dict) else rows
        return [row.get("name", row.get("title")) for row in rows if row.get("name", row.get("title")) != "Z"]

    main = server.a("tour/main-references?lang=uk").data()
    for part in ("operators", "countries", "dep_cities", "meals", "currencies"):
        assert names_of(main[part]) == order, part
    for part, found in server.b("tour/reference?lang=uk").data().items():
        assert part == "hotel_category" or names_of(found) == order, part
    for part, found in server.a("tour/hotel-references?lang=uk&dep_city=1&country=1").data().items():
        assert names_of(found) == order, part
    for part, found in server.b("tour/referenceData?lang=uk&dep_city=1&country=1").data().items():
        assert names_of(found) == order, part


def test_names_are_utf_8_and_not_escaped_beyond_need(polyglot):
    body = polyglot.b("tour/reference?lang=uk").body
    assert "Їжак".encode() in body
    json.loads(body.decode("utf-8"))
