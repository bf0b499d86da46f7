"""API A, GET tour/hotel-references (spec 2.1, 4.1; decisions R1, R2, L4, L5, L8, L11)."""
import pytest

import model
from client import assert_error


def get(server, query):
    return server.a("tour/hotel-references?" + query)


@pytest.fixture(scope="module")
def kyiv_turkey(server):
    return get(server, "dep_city=10&country=1").data()


def test_spec_4_1_the_answer_is_an_object_with_data_alone_r6(server):
    response = get(server, "dep_city=10&country=1")
    assert response.headers["Content-Type"].split(";")[0] == "application/json"
    assert list(response.json()) == ["data"]


def test_spec_4_1_data_holds_the_four_maps(kyiv_turkey):
    assert set(kyiv_turkey) == {"operators", "cities", "resorts", "hotels"}


def test_r2_operators_are_those_listed_that_serve_the_direction(kyiv_turkey):
    assert kyiv_turkey["operators"] == {"anex": {"id": 8, "name": "Anexa", "code": "anex"},
                                        "coral": {"id": 7, "name": "Coral Tours", "code": "coral"}}


def test_r2_hotels_are_those_linked_to_an_operator_of_the_direction(kyiv_turkey):
    assert set(kyiv_turkey["hotels"]) == {"55"}


def test_spec_2_1_hotel_fields_l8(kyiv_turkey):
    assert kyiv_turkey["hotels"]["55"] == {"id": 55, "name": "Blue Bay Palace", "country_id": "1", "city_id": "331",
                                           "hotel_category": {"id": 5, "name": "5*"}}


def test_spec_2_1_city_fields_l8(kyiv_turkey):
    assert kyiv_turkey["cities"] == {"331": {"id": 331, "title": "Antalya", "country_id": "1",
                                             "country_title": "Turkey"}}


def test_l4_no_resort_is_an_empty_object(server):
    assert b'"resorts":{}' in get(server, "dep_city=10&country=1").body


def test_r2_resorts_are_the_cities_with_is_resort_and_ids_can_be_negative(server):
    data = get(server, "dep_city=11&country=1&demo=1").data()
    assert data["resorts"] == {"-44": {"id": -44, "name": "Belek"}}
    assert data["cities"] == {"-44": {"id": -44, "title": "Belek", "country_id": "1", "country_title": "Turkey"}}
    assert data["hotels"] == {"56": {"id": 56, "name": 'Belek Golf "Resort" & Spa', "country_id": "1",
                                     "city_id": "-44", "hotel_category": {"id": 4, "name": "4*"}}}
    assert list(data["operators"]) == ["newop"]


def test_r2_a_direction_without_operators_gives_every_hotel_of_the_country(server):
    data = get(server, "dep_city=12&country=3").data()
    assert data["operators"] == {}
    assert set(data["hotels"]) == {"57"} and set(data["cities"]) == {"332"}


def test_r2_an_operator_of_the_mapping_stage_does_not_count_without_demo(server):
    """It flies there, so the direction is flown; but nothing is sold yet."""
    data = get(server, "dep_city=11&country=1").data()
    assert data == {"operators": {}, "cities": {}, "resorts": {}, "hotels": {}}
    assert set(get(server, "dep_city=11&country=1&demo").data()["hotels"]) == {"56"}


def test_r2_a_direction_of_nobody_gives_every_hotel_with_demo_too(server):
    for query in ("dep_city=12&country=1", "dep_city=12&country=1&demo"):
        data = get(server, query).data()
        assert data["operators"] == {} and set(data["hotels"]) == {"55", "56", "58"}


def test_r2_demo_changes_nothing_where_no_mapping_operator_flies(server, kyiv_turkey):
    assert get(server, "dep_city=10&country=1&demo").data() == kyiv_turkey


def test_r2_a_country_without_hotels_gives_empty_maps_l4(server):
    assert get(server, "dep_city=10&country=4").data() == {"operators": {}, "cities": {}, "resorts": {},
                                                           "hotels": {}}


def test_l11_lang_is_accepted(server):
    data = get(server, "dep_city=10&country=1&lang=uk").data()
    assert data["hotels"]["55"]["name"] == "Блю Бей Палас"
    assert data["cities"]["331"]["title"] == "Анталья"
    assert data["cities"]["331"]["country_title"] == "Туреччина"


def test_l5_maps_are_ordered_by_name(server):
    data = get(server, "dep_city=12&country=1").data()
    assert list(data["hotels"]) == ["56", "55", "58"]
    assert list(data["cities"]) == ["331", "-44"]


@pytest.mark.parametrize("missing, query", [("dep_city", "country=1"), ("country", "dep_city=10"),
                                            ("dep_city", "dep_city=&country=1")])
def test_spec_4_1_dep_city_and_country_are_required(server, missing, query):
    assert_error(get(server, query), 400, missing, "missing_field")


@pytest.mark.parametrize("field, query", [("dep_city", "dep_city=404404&country=1"),
                                          ("country", "dep_city=10&country=404404"),
                                          ("dep_city", "dep_city=-404404&country=1")])
def test_e2_an_unknown_identifier_is_400_with_a_message_that_names_it(server, field, query):
    assert_error(get(server, query), 400, field, names="404404")


@pytest.mark.parametrize("lang", ["en", "uk", "de"])
@pytest.mark.parametrize("demo", [False, True])
@pytest.mark.parametrize("dep_city", [10, 11, 12])
@pytest.mark.parametrize("country", [1, 2, 3])
def test_the_whole_answer_is_what_the_decisions_say(server, mini, lang, demo, dep_city, country):
    query = f"dep_city={dep_city}&country={country}&lang={lang}&demo={int(demo)}"
    assert get(server, query).data() == model.Model.from_file(mini).hotel_references(dep_city, country, lang, demo)
