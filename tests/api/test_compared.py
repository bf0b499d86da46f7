"""tour/compared, deprecated: spec 4.2, decision M12 and those it shares with sourceAdd."""
import pytest

from client import assert_error
from registration import KINDS, element, is_registered, new_id, post, source_info


@pytest.fixture(scope="module")
def server(module_servers, mini):
    return module_servers.make(mini)


def compared(server, headers=None, adapter_id=7, lang_code="en", lang=..., key=None, secret=None, **kinds):
    body = {"adapter_id": adapter_id, "lang_code": lang_code, "lang": lang, **kinds}
    return post(server, "compared", {k: v for k, v in body.items() if v is not ...}, headers, key, secret)


def one(server, kind, id, name="sent", **fields):
    lang = fields.pop("lang", ...)
    made = {"id": id, "name": name, **({"iso_code": "XXX"} if kind == "currency" else {}), **fields}
    members = compared(server, lang=lang, **{kind: [made]}).data()[kind]
    assert list(members) == [str(id)]
    return members[str(id)]


# The answer

def test_the_answer_has_language_adapter_and_a_map_for_each_kind_sent(server):
    data = compared(server, lang="uk", **{kind: [] for kind in KINDS}).data()
    assert set(data) == {"language", "adapter", *KINDS}
    assert data["adapter"] == {"id": 7, "code": "coral", "name": "Coral Tours"}
    assert set(compared(server, meal=[]).data()) == {"language", "adapter", "meal"}


def test_m12_the_answer_says_that_it_is_deprecated_and_what_replaces_it(server):
    for response in (compared(server), compared(server, adapter_id=99)):
        assert response.headers["Deprecation"][0] == "@" and int(response.headers["Deprecation"][1:]) > 1.7e9
        assert response.headers["Link"] == f'<{server.url}/v1/tour/sourceAdd>; rel="successor-version"'


@pytest.mark.parametrize("lang, language", [(..., "en"), (None, "en"), ("uk", "uk"), ("UK-ua", "uk"), ("uk_UA", "uk"), ("pl", "en"),
                                            ("de-AT", "de")])
def test_m12_language_is_the_resolved_lang(server, lang, language):
    assert compared(server, lang=lang).data()["language"] == language


@pytest.mark.parametrize("kind, id, dict_id, name", [
    ("country", 90, 1, "Туреччина"), ("dep_city", "KBP", 10, "Київ"), ("city", "502", -44, "Белек"),
    ("meal", "AI", 1, "AI"), ("hotel_category", 5, 5, "5*")])
def test_a_mapped_element_is_its_dict_record_in_the_language_asked(server, kind, id, dict_id, name):
    assert one(server, kind, id, lang="uk") == {"id": dict_id, "name": name}


def test_a_known_element_that_is_not_mapped_has_a_null_id_and_the_name_sent(server):
    assert one(server, "city", 503, "Kemer!") == {"id": None, "name": "Kemer!"}
    assert source_info(server, city="503")["city"][0]["source"]["name"] == "KEMER"


@pytest.mark.parametrize("kind", [k for k in KINDS if k not in ("currency", "hotel")])
def test_m12_an_unknown_element_is_registered(server, kind):
    id = new_id()
    assert one(server, kind, id, "New one") == {"id": None, "name": "New one"}
    item = source_info(server, **{kind: [id]})[kind][0]
    assert item["source"]["name"] == "New one" and item["dict"] is None
    assert one(server, kind, id, "Other name") == {"id": None, "name": "Other name"}
    assert source_info(server, **{kind: [id]})[kind][0]["source"]["name"] == "New one"


@pytest.mark.parametrize("id, sent, member", [
    ("978", "EUR", {"id": 1, "iso_code": "EUR", "name": "Euro"}),
    ("978", "eur", {"id": 1, "iso_code": "EUR", "name": "Euro"}),
    ("978", None, {"id": 1, "iso_code": None, "name": "Euro"}),
    ("c-new-1", "ZZZ", {"id": None, "iso_code": "ZZZ", "name": "sent"}),
    ("978", "", {"id": 1, "iso_code": None, "name": "Euro"}),
    ("c-new-3", "", {"id": None, "iso_code": None, "name": "sent"}),
    ("c-new-2", None, {"id": None, "iso_code": None, "name": "sent"})])
def test_currency_iso_code_is_null_when_the_sent_value_was_empty(server, id, sent, member):
    assert one(server, "currency", id, iso_code=sent) == member


def test_a_mapped_hotel_has_what_its_dict_record_refers_to(server):
    assert one(server, "hotel", 1001, lang="uk", country_name="not this", city_id="nor this") == {
        "id": 55, "name": "Блю Бей Палас", "hotel_category": {"id": 5, "name": "5*"},
        "country": {"id": 1, "name": "Туреччина"}, "city": {"id": 331, "name": "Анталья"}}


def test_m12_an_unmapped_hotel_is_resolved_by_the_supplier_ids_sent(server):
    assert one(server, "hotel", new_id(), "New", lang="uk", category_id=5, category_name="a", country_id="90",
               country_name="b", city_id=502, city_name="c") == {
        "id": None, "name": "New", "hotel_category": {"id": 5, "name": "5*"},
        "country": {"id": 1, "name": "Туреччина"}, "city": {"id": -44, "name": "Белек"}}


def test_m12_where_that_fails_id_is_null_and_name_is_what_was_sent(server):
    assert one(server, "hotel", new_id(), "New", category_id="?", category_name="a", country_id=503,
               city_id="503", city_name="c") == {
        "id": None, "name": "New", "hotel_category": {"id": None, "name": "a"},
        "country": {"id": None, "name": None}, "city": {"id": None, "name": "c"}}


def test_a_hotel_with_only_id_and_name_is_registered(server):
    id = new_id()
    assert one(server, "hotel", id, "Bare")["id"] is None
    assert source_info(server, hotel=[id])["hotel"][0]["source"] == {
        "id": id, "name": "Bare", "category_id": None, "category_title": None, "country_id": None,
        "country_title": None, "city_id": None, "city_title": None}


def test_an_id_given_twice_is_answered_once_and_the_first_is_registered(server):
    id = new_id()
    assert compared(server, meal=[element("meal", id=id, name="first"), element("meal", id=id, name="second")]
                    ).data()["meal"] == {id: {"id": None, "name": "first"}}
    assert source_info(server, meal=[id])["meal"][0]["source"]["name"] == "first"


# Validation: one invalid element is the request's

@pytest.mark.parametrize("kind, made, field", [
    ("meal", {"name": "x"}, "meal[1].id"), ("meal", {"id": "x"}, "meal[1].name"),
    ("meal", {"id": "x", "name": " "}, "meal[1].name"), ("meal", {"id": 1.5, "name": "x"}, "meal[1].id"),
    ("meal", {"id": "x" * 65, "name": "x"}, "meal[1].id"), ("meal", {"id": "x", "name": "x" * 1025}, "meal[1].name"),
    ("meal", 5, "meal[1]"), ("currency", {"id": "x", "name": "x"}, "currency[1].iso_code"),
    ("city", {"id": "x", "name": "x", "is_resort": "yes"}, "city[1].is_resort"),
    ("hotel", {"id": "x", "name": "x", "city_id": 1.5}, "hotel[1].city_id"),
    ("hotel", {"id": "x", "name": "x", "country_name": 5}, "hotel[1].country_name")])
def test_m12_an_invalid_element_makes_the_whole_request_400(server, kind, made, field):
    good = element(kind)
    error = assert_error(compared(server, **{kind: [good, made]}), 400)
    assert error["message"].startswith(field), error
    assert not is_registered(server, kind, good["id"])


@pytest.mark.parametrize("kind, made", [
    ("hotel", {"id": "x", "name": "x" * 1024}), ("hotel", {"id": 7, "name": "x", "category_id": "x" * 64}),
    ("hotel", {"id": "y", "name": "x", "country_name": "я" * 1024}), ("city", {"id": "z", "name": "x"})])
def test_m12_its_own_table_has_its_own_bounds(server, kind, made):
    assert compared(server, **{kind: [made]}).status == 200


def test_its_cities_have_no_country_it_is_ignored_and_named(server):
    response = compared(server, city=[{"id": new_id(), "name": "x", "country_id": "90"}])
    assert response.status == 200 and response.headers["X-Ignored-Fields"] == "city.country_id"


@pytest.mark.parametrize("lang", ["", "e n", "e", "x" * 36])
def test_l1_what_is_no_language_tag_counts_as_not_sent_and_is_named(server, lang):
    answer = compared(server, lang=lang)
    assert answer.data()["language"] == "en" and answer.headers["X-Ignored-Fields"] == "lang"


@pytest.mark.parametrize("lang", [5, 1.5, True, False, [], ["uk"], {}, {"uk": 1}])
def test_l1_a_lang_that_is_no_text_is_400(server, lang):
    assert_error(compared(server, lang=lang), 400, "lang", "wrong_type")


@pytest.mark.parametrize("field", ["adapter_id", "lang_code"])
def test_a_required_attribute_that_is_missing_is_400(server, field):
    assert_error(compared(server, **{field: ...}), 400, field, "missing_field")


@pytest.mark.parametrize("adapter", [99, 21])
def test_e2_an_unknown_adapter_is_400(server, adapter):
    assert_error(compared(server, adapter_id=adapter), 400, "adapter_id", "unknown_adapter")


def test_m5_max_batch(module_servers, mini):
    small = module_servers.make(mini, "--max-batch", "2")
    assert compared(small, meal=[element("meal") for _ in range(2)]).status == 200
    assert_error(compared(small, meal=[element("meal") for _ in range(3)]), 400, "meal", "too_many_elements", "2")


def test_e4_the_secret_is_required(server):
    assert_error(compared(server, {"X-Service-Api-Secret": None}), 403)


def test_e6_a_key_for_other_adapters_gets_403_even_where_nothing_is_new(server, new_key, seen):
    key = new_key(server.data, "b", "--secret", "--adapter", "8")
    limited = {"key": key["key"], "secret": key["secret"]}
    assert seen(lambda: compared(server, adapter_id=8, **limited).status == 200)
    assert_error(compared(server, country=[{"id": 90, "name": "x"}], **limited), 403, "adapter_id")


def test_idempotency_key_has_no_meaning_here(server):
    body = {"meal": [element("meal")]}
    for _ in range(2):
        assert "Idempotent-Replayed" not in compared(server, {"Idempotency-Key": "k"}, **body).headers
