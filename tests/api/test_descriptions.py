"""Descriptions of meals and hotel categories in the four lists, where they are asked for: decision L12."""
import json

import pytest

from client import assert_error

LISTS = [("a", "tour/main-references?"), ("a", "tour/hotel-references?dep_city=10&country=1&"), ("b", "tour/reference?"),
         ("b", "tour/referenceData?dep_city=10&country=1&")]
FIVE = {"type": "dict", "kind": "hotel_category", "id": 5, "name": "5*",
        "description": {"en": "Five stars", "uk": "П'ять зірок"}}


@pytest.fixture(scope="module")
def server(module_servers, mini):
    return module_servers.make([*map(json.loads, mini.read_text("utf-8").splitlines()), FIVE])


def without_descriptions(value):
    if isinstance(value, list):
        return [without_descriptions(v) for v in value]
    if isinstance(value, dict):
        return {k: without_descriptions(v) for k, v in value.items() if k != "description"}
    return value


@pytest.mark.parametrize("api, path", LISTS)
@pytest.mark.parametrize("lang", ["en", "uk", "de"])
def test_l12_only_descriptions_are_added_and_only_where_asked_for(server, api, path, lang):
    plain, described = (server.api(api, f"{path}lang={lang}{more}") for more in ("", "&with=description"))
    assert b'"description"' not in plain.body and b'"description"' in described.body
    assert without_descriptions(described.json()) == plain.json()
    assert described.headers["ETag"] != plain.headers["ETag"]


@pytest.mark.parametrize("lang, all_inclusive, five", [("en", "All inclusive", "Five stars"), ("uk", "Все включено", "П'ять зірок"),
                                                       ("uk_UA", "Все включено", "П'ять зірок"), ("de", "All inclusive", "Five stars")])
def test_l12_descriptions_are_in_the_language_asked_for(server, lang, all_inclusive, five):
    query = f"with=description&lang={lang}"
    data = server.a("tour/main-references?" + query).data()
    assert data["meals"]["AI"] == {"id": 1, "name": "AI", "description": all_inclusive}
    assert data["hotel_categories"]["5*"] == {"id": 5, "name": "5*", "description": five}
    data = server.a("tour/hotel-references?dep_city=10&country=1&" + query).data()
    assert data["hotels"]["55"]["hotel_category"] == {"id": 5, "name": "5*", "description": five}
    data = server.b("tour/reference?" + query).json()
    assert {"id": 1, "name": "AI", "description": all_inclusive} in data["data"]["meal"]
    assert {"id": 5, "name": "5*", "description": five} in data["data"]["hotel_category"]
    assert all(set(item) == {"kind", "id", "name"} for item in data["items"])
    data = server.b("tour/referenceData?dep_city=10&country=1&" + query).data()
    assert data["hotel"][0]["hotel_category"] == {"id": 5, "name": "5*", "description": five}


def test_l12_what_has_no_description_has_null(server):
    data = server.a("tour/main-references?with=description").data()
    assert data["hotel_categories"]["4*"] == {"id": 4, "name": "4*", "description": None}


@pytest.mark.parametrize("api, path", LISTS)
def test_l12_however_the_word_is_written_the_list_is_one(server, api, path):
    for same in ("with=description,description", "with=%20description%20,", "with=,description"):
        assert server.api(api, path + same).body == server.api(api, path + "with=description").body
    for none in ("with=", "with=,"):
        assert server.api(api, path + none).body == server.api(api, path).body


@pytest.mark.parametrize("api, path", LISTS)
@pytest.mark.parametrize("value", ["descriptions", "description,x", "1", "Description"])
def test_l12_another_word_is_400(server, api, path, value):
    assert_error(server.api(api, f"{path}with={value}"), 400, "with", "unknown_word")


def test_e8_a_changed_description_is_seen(make_server, mini, import_file, seen):
    own = make_server(mini)
    own.a("tour/main-references?with=description")
    import_file(own.data, [FIVE])
    assert seen(lambda: own.a("tour/main-references?with=description").data()["hotel_categories"]["5*"]["description"] == "Five stars")


def test_sourceinfo_shows_categories_as_the_specification_has_them(server):
    answer = server.request("/v1/tour/sourceInfo?adapter_id=7", "POST", {"X-Service-Api-Key": server.key_b}, b'{"hotel_category":"5"}')
    assert answer.data()["hotel_category"][0]["dict"] == {"id": 5, "name": "5*"}
