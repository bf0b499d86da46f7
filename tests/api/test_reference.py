"""API B, GET tour/reference and tour/referenceData (spec 2.2, 4.2; decisions R1 to R3, L8, L9, L11)."""
import pytest

import model
from client import assert_error


@pytest.fixture(scope="module")
def english(server):
    response = server.b("tour/reference")
    assert response.status == 200
    return response.json()


@pytest.fixture(scope="module")
def kyiv_turkey(server):
    return server.b("tour/referenceData?dep_city=10&country=1").data()


# tour/reference

def test_spec_2_2_the_envelope_has_status_success_and_data(server, english):
    assert server.b("tour/reference").headers["Content-Type"].split(";")[0] == "application/json"
    assert english["status"] == "success"
    assert set(english) == {"status", "data", "items"}


def test_spec_4_2_data_holds_the_six_arrays(english):
    assert set(english["data"]) == {"operator", "country", "dep_city", "hotel_category", "meal", "currency"}
    assert all(isinstance(rows, list) for rows in english["data"].values())


@pytest.mark.parametrize("kind, rows", [
    ("operator", [{"id": 8, "name": "Anexa"}, {"id": 7, "name": "Coral Tours"}]),
    ("country", [{"id": 3, "name": "Egypt"}, {"id": 1, "name": "Turkey"}]),
    ("dep_city", [{"id": 10, "name": "Kyiv", "country": {"id": 2, "name": "Ukraine"}},
                  {"id": 12, "name": "Warsaw", "country": {"id": 4, "name": "Poland"}}]),
    ("hotel_category", [{"id": 4, "name": "4*"}, {"id": 5, "name": "5*"}]),
    ("meal", [{"id": 1, "name": "AI"}, {"id": 2, "name": "BB"}]),
    ("currency", [{"id": 1, "name": "Euro"}, {"id": 2, "name": "US Dollar"}]),
])
def test_spec_4_2_members_of(english, kind, rows):
    assert english["data"][kind] == rows


def test_l9_items_has_every_entry_as_kind_id_name(english):
    assert all(set(item) == {"kind", "id", "name"} for item in english["items"])
    found = sorted((item["kind"], item["id"], item["name"]) for item in english["items"])
    assert found == model.items(english["data"])


def test_l2_demo_adds_adapters_of_the_mapping_stage_and_what_only_they_bring(server):
    answer = server.b("tour/reference?demo=true").json()
    assert [row["id"] for row in answer["data"]["operator"]] == [8, 7, 9]
    assert [row["id"] for row in answer["data"]["dep_city"]] == [10, 11, 12]
    assert {"kind": "operator", "id": 9, "name": "New Operator"} in answer["items"]


@pytest.mark.parametrize("code, ids", [("UA", [10]), ("ua", [10]), ("PL", [12]), ("DE", []), ("ZZ", [])])
def test_l3_country_limits_the_departure_cities_alone(server, english, code, ids):
    data = server.b(f"tour/reference?country={code}").data()
    assert [row["id"] for row in data.pop("dep_city")] == ids
    assert data == {kind: rows for kind, rows in english["data"].items() if kind != "dep_city"}


@pytest.mark.parametrize("lang", ["en", "uk", "de", "UK-ua"])
@pytest.mark.parametrize("demo", [False, True])
@pytest.mark.parametrize("country", [None, "ua", "pl"])
def test_the_whole_answer_is_what_the_decisions_say(server, mini, lang, demo, country):
    query = f"lang={lang}&demo={int(demo)}" + (f"&country={country}" if country else "")
    answer = server.b("tour/reference?" + query).json()
    expected = model.Model.from_file(mini).reference(lang, demo, country)
    for kind, rows in expected.items():
        assert sorted(answer["data"][kind], key=lambda row: row["id"]) == sorted(rows, key=lambda row: row["id"])
    assert sorted((i["kind"], i["id"], i["name"]) for i in answer["items"]) == model.items(expected)


# tour/referenceData

def test_spec_4_2_reference_data_has_status_and_data_with_city_and_hotel(server):
    answer = server.b("tour/referenceData?dep_city=10&country=1").json()
    assert set(answer) == {"status", "data"} and answer["status"] == "success"
    assert set(answer["data"]) == {"city", "hotel"}


def test_spec_4_2_reference_data_city_fields_are_integers_l8(kyiv_turkey):
    assert kyiv_turkey["city"] == [{"id": 331, "name": "Antalya", "country_id": 1}]


def test_spec_4_2_reference_data_hotel_fields_are_integers_l8(kyiv_turkey):
    assert kyiv_turkey["hotel"] == [{"id": 55, "name": "Blue Bay Palace", "country_id": 1, "city_id": 331,
                                     "hotel_category": {"id": 5, "name": "5*"}}]


def test_spec_2_2_a_dict_value_can_be_negative(server):
    data = server.b("tour/referenceData?dep_city=11&country=1&demo=1").data()
    assert data["city"] == [{"id": -44, "name": "Belek", "country_id": 1}]
    assert data["hotel"][0]["city_id"] == -44


def test_l4_an_empty_array_is_an_empty_array(server):
    assert server.b("tour/referenceData?dep_city=10&country=4").data() == {"city": [], "hotel": []}


def test_l5_arrays_are_ordered_by_name(server):
    data = server.b("tour/referenceData?dep_city=12&country=1").data()
    assert [row["id"] for row in data["hotel"]] == [56, 55, 58]
    assert [row["id"] for row in data["city"]] == [331, -44]


def test_l11_lang_is_accepted(server):
    data = server.b("tour/referenceData?dep_city=10&country=1&lang=uk").data()
    assert data["hotel"][0]["name"] == "Блю Бей Палас" and data["city"][0]["name"] == "Анталья"


@pytest.mark.parametrize("missing, query", [("dep_city", "country=1"), ("country", "dep_city=10"),
                                            ("country", "dep_city=10&country=")])
def test_spec_4_2_dep_city_and_country_are_required(server, missing, query):
    assert_error(server.b("tour/referenceData?" + query), 400, missing, "missing_field")


@pytest.mark.parametrize("field, query", [("dep_city", "dep_city=404404&country=1"),
                                          ("country", "dep_city=10&country=404404")])
def test_e2_an_unknown_identifier_is_400_with_a_message_that_names_it(server, field, query):
    assert_error(server.b("tour/referenceData?" + query), 400, field, names="404404")


@pytest.mark.parametrize("lang", ["en", "uk"])
@pytest.mark.parametrize("demo", [False, True])
@pytest.mark.parametrize("dep_city", [10, 11, 12])
@pytest.mark.parametrize("country", [1, 2, 3])
def test_the_whole_reference_data_is_what_the_decisions_say(server, mini, lang, demo, dep_city, country):
    query = f"dep_city={dep_city}&country={country}&lang={lang}&demo={int(demo)}"
    data = server.b("tour/referenceData?" + query).data()
    expected = model.Model.from_file(mini).reference_data(dep_city, country, lang, demo)
    for kind, rows in expected.items():
        assert sorted(data[kind], key=lambda row: row["id"]) == sorted(rows, key=lambda row: row["id"])
