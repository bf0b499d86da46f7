"""API A, GET tour/main-references[/:country] (spec 2.1, 4.1; decisions R1, R3, R4, R6, L3, L4, L5)."""
import pytest

import model


@pytest.fixture(scope="module")
def english(server):
    return server.a("tour/main-references").data()


def test_spec_4_1_the_answer_is_an_object_with_data_alone_r6(server):
    response = server.a("tour/main-references")
    assert response.status == 200
    assert response.headers["Content-Type"].split(";")[0] == "application/json"
    assert list(response.json()) == ["data"]


def test_spec_4_1_data_holds_the_six_maps(english):
    assert set(english) == {"operators", "countries", "dep_cities", "hotel_categories", "meals", "currencies"}
    assert all(isinstance(part, dict) for part in english.values())


def test_r1_operators_are_the_live_tour_adapters(english):
    assert english["operators"] == {"anex": {"id": 8, "name": "Anexa", "code": "anex"},
                                    "coral": {"id": 7, "name": "Coral Tours", "code": "coral"}}


def test_r1_air_adapters_are_never_operators(server):
    for query in ("", "?demo"):
        assert not {"skyone", "aerofeed"} & set(server.a("tour/main-references" + query).data()["operators"])


def test_r3_countries_are_those_of_listed_operators_and_those_with_hotels_that_nobody_flies_to(english):
    assert set(english["countries"]) == {"TR", "EG"}


def test_spec_2_1_country_fields(server, english):
    assert english["countries"]["TR"] == {
        "id": 1, "name": "Turkey", "iso_alpha_2": "TR",
        "ico": {"1x1": server.url + "/flags/1x1/tr.svg", "4x3": server.url + "/flags/4x3/tr.svg"}}


def test_spec_2_1_departure_city_fields(english):
    assert english["dep_cities"]["10"] == {"id": 10, "name": "Kyiv",
                                           "country": {"id": 2, "name": "Ukraine", "iso_alpha_2": "UA"}}


def test_r3_departure_cities_are_all_but_those_from_which_only_operators_of_the_mapping_stage_fly(server, english):
    assert set(english["dep_cities"]) == {"10", "12"}
    assert set(server.a("tour/main-references?demo").data()["dep_cities"]) == {"10", "11", "12"}


def test_r3_a_country_that_only_operators_of_the_mapping_stage_fly_to_comes_with_demo(make_server, mini, import_file, seen):
    own = make_server(mini)
    import_file(own.data, [{"type": "direction", "adapter_id": 9, "dep_city_id": 10, "country_id": 3}])
    assert seen(lambda: set(own.a("tour/main-references").data()["countries"]) == {"TR"})
    assert set(own.a("tour/main-references?demo").data()["countries"]) == {"TR", "EG"}


def test_spec_2_1_the_countries_can_lack_the_country_of_a_departure_city(english):
    assert english["dep_cities"]["10"]["country"]["iso_alpha_2"] not in english["countries"]


def test_spec_2_1_hotel_category_fields(english):
    assert english["hotel_categories"] == {"4*": {"id": 4, "name": "4*"}, "5*": {"id": 5, "name": "5*"}}


def test_spec_2_1_meal_fields(english):
    assert english["meals"] == {"AI": {"id": 1, "name": "AI"}, "BB": {"id": 2, "name": "BB"}}


def test_spec_2_1_currency_fields(english):
    assert english["currencies"] == {"EUR": {"id": 1, "name": "Euro", "iso_code": "EUR"},
                                     "USD": {"id": 2, "name": "US Dollar", "iso_code": "USD"}}


def test_l2_demo_adds_adapters_of_the_mapping_stage_and_what_only_they_bring(server):
    data = server.a("tour/main-references?demo=1").data()
    assert list(data["operators"]) == ["anex", "coral", "newop"]
    assert data["operators"]["newop"] == {"id": 9, "name": "New Operator", "code": "newop"}
    assert list(data["dep_cities"]) == ["10", "11", "12"]
    assert set(data["countries"]) == {"TR", "EG"}


def test_l1_names_in_the_language_asked_for(server):
    data = server.a("tour/main-references?lang=uk").data()
    assert data["countries"]["TR"]["name"] == "Туреччина"
    assert data["dep_cities"]["10"]["name"] == "Київ"
    assert data["dep_cities"]["10"]["country"]["name"] == "Україна"
    assert data["currencies"]["EUR"]["name"] == "Євро"


def test_l1_what_has_no_name_in_the_language_has_its_english_one(server):
    assert server.a("tour/main-references?lang=uk").data()["currencies"]["USD"]["name"] == "US Dollar"


@pytest.mark.parametrize("code", ["UA", "ua", "uA"])
def test_l3_country_narrows_the_departure_cities_whatever_its_case(server, code):
    assert list(server.a(f"tour/main-references/{code}?demo").data()["dep_cities"]) == ["10", "11"]


def test_l3_country_narrows_nothing_but_the_departure_cities(server, english):
    narrowed = server.a("tour/main-references/DE").data()
    assert narrowed.pop("dep_cities") == {}
    assert narrowed == {name: part for name, part in english.items() if name != "dep_cities"}


@pytest.mark.parametrize("code", ["DE", "ZZ", "XX"])
def test_l3_a_country_without_departures_or_unknown_gives_none(server, code):
    assert server.a(f"tour/main-references/{code}").data()["dep_cities"] == {}


def test_l4_an_empty_map_is_an_empty_object(server):
    assert b'"dep_cities":{}' in server.a("tour/main-references/DE").body


@pytest.mark.parametrize("lang", ["en", "uk", "de", "uk-UA", "fr"])
@pytest.mark.parametrize("demo", [False, True])
@pytest.mark.parametrize("country", [None, "ua", "pl"])
def test_the_whole_answer_is_what_the_decisions_say(server, mini, lang, demo, country):
    path = "tour/main-references" + (f"/{country}" if country else "") + f"?lang={lang}&demo={int(demo)}"
    expected = model.Model.from_file(mini).main_references(server.url, lang, demo, country)
    assert server.a(path).data() == expected


def test_r3_without_any_direction_every_country_with_hotels_and_every_departure_city_is_listed(make_server, mini, tmp_path):
    lines = [line for line in mini.read_text("utf-8").splitlines() if '"type":"direction"' not in line]
    path = tmp_path / "no-directions.ndjson"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    server = make_server(path)
    data = server.a("tour/main-references").data()
    assert set(data["countries"]) == {"TR", "EG"}
    assert set(data["dep_cities"]) == {"10", "11", "12"}
    assert set(server.a("tour/main-references/pl").data()["dep_cities"]) == {"12"}


def test_an_empty_store_gives_empty_maps_l4(make_server):
    server = make_server([])
    expected = {"operators": {}, "countries": {}, "dep_cities": {}, "hotel_categories": {}, "meals": {},
                "currencies": {}}
    assert server.a("tour/main-references").data() == expected
    reference = server.b("tour/reference").json()
    assert all(rows == [] for rows in reference["data"].values()) and reference["items"] == []


def test_a_country_that_the_path_leaves_empty_counts_as_not_there(server):
    assert server.a("tour/main-references/").body == server.a("tour/main-references").body
    assert server.a("tour/main-references//").status == 404
