"""avia/compared: spec 4.3, 2.2, 5 and 7, decisions A5 to A8, E6, L1, L6, L7, L10, M11."""
import concurrent.futures
import json

import pytest

import air
import store
from client import assert_error, wait_until

KBP = {
    "source_id": 2, "language": "en", "type": "apt", "code": "KBP", "title": "Boryspil International",
    "city": {"code": "IEV", "title": "Kyiv"}, "country": {"code": "UA", "title": "Ukraine"},
    "coordinates": {"lat": 50.345, "lng": 30.8947}}


@pytest.fixture(scope="module")
def server(module_servers, import_file, tmp_path_factory):
    data = tmp_path_factory.mktemp("data")
    air.import_lines(import_file, data, tmp_path_factory.mktemp("import"), *air.ADAPTERS, *air.COUNTRIES, *air.PLACES,
                     *air.SOURCES, *air.MAPS)
    return module_servers.make(None, data=data)


@pytest.fixture
def desk(servers, import_file, tmp_path):
    """A server of the test's own, for tests that look at reports."""
    air.import_lines(import_file, tmp_path / "data", tmp_path, *air.ADAPTERS, *air.PLACES)
    return servers.make(None, data=tmp_path / "data")


def reported(run, server, count):
    """The reports, once they have been counted so often."""
    wait_until(lambda: sum(row[-1] for row in air.unmatched(run, server.data)) >= count)
    return air.unmatched(run, server.data)


# the answer

def test_spec_a_match(server):
    assert air.compared(server, iata_code="KBP", external_id=None, title="Borispol").json() == {
        "status": "success", "data": {
            "language": "en",
            "request": {"lang_code": "en", "iata_code": "KBP", "external_id": None, "title": "Borispol",
                        "adapter": {"id": 21, "code": "skyone", "title": "Sky \"One\""}},
            "compared": KBP}}


def test_spec_no_match_is_all_null_but_for_the_language(server):
    data = air.compared(server, iata_code="QQQ", external_id=5, title="Nowhere").data()
    assert data["compared"] == {**air.NULLS, "language": "en"} and data["language"] == "en"
    assert list(data["compared"]) == list(KBP)


RAW = ['{"adapter_id":21, "lang_code" : "EN" , "iata_code":"\\u004bBP","external_id": -0,"title":"\\u00e9\\/\\n"}',
       '{"adapter_id":21,"lang_code":"pt-BR","external_id":"0301","title":null,"iata_code":" kbp "}',
       '{"adapter_id":21,"lang_code":"en","external_id":9223372036854775807,"iata_code":"","title":"Київ \U0001f6eb"}']


@pytest.mark.parametrize("body", RAW)
def test_a7_the_request_as_sent(server, body):
    answer = air.post(server, body.encode("utf-8"))
    sent, request = json.loads(body), answer.data()["request"]
    assert {name: request[name] for name in sent if name != "adapter_id"} == {
        name: value for name, value in sent.items() if name != "adapter_id"}
    assert list(request) == ["lang_code", "iata_code", "external_id", "title", "adapter"]


def test_a7_what_was_not_sent_is_null(server):
    request = air.compared(server, title="Zhuliany").data()["request"]
    assert request == {"lang_code": "en", "iata_code": None, "external_id": None, "title": "Zhuliany",
                       "adapter": {"id": 21, "code": "skyone", "title": "Sky \"One\""}}


# the language

@pytest.mark.parametrize("path, language, title", [
    ("avia/compared", "en", "Boryspil International"), ("avia/compared?lang=uk", "uk", "Бориспіль"),
    ("avia/compared?lang=UK-ua", "uk", "Бориспіль"), ("avia/compared/uk", "uk", "Бориспіль"),
    ("avia/compared/uk-UA", "uk", "Бориспіль"), ("avia/compared?lang=xx", "en", "Boryspil International"),
    ("avia/compared?lang=", "en", "Boryspil International"), ("avia/compared/uk?lang=en", "uk", "Бориспіль"),
    ("avia/compared/en?lang=uk", "en", "Boryspil International")])
def test_a5_the_language_of_query_or_path(server, path, language, title):
    data = air.compared(server, path, iata_code="KBP", lang_code="pl").data()
    assert (data["language"], data["compared"]["language"], data["compared"]["title"]) == (language, language, title)


def test_a5_the_language_of_an_item_is_that_of_its_title(server):
    data = air.compared(server, "avia/compared/uk", title="Heathrow").data()
    assert (data["language"], data["compared"]["language"]) == ("uk", "en")
    data = air.compared(server, "avia/compared/uk", title="Nowhere").data()
    assert data["compared"] == {**air.NULLS, "language": "uk"}


def test_a5_the_path_wins_and_the_query_is_named_as_ignored(server):
    answer = air.compared(server, "avia/compared/uk?lang=..", iata_code="KBP")
    assert answer.data()["language"] == "uk" and answer.headers["X-Ignored-Fields"] == "lang"


@pytest.mark.parametrize("path", ["avia/compared/1", "avia/compared/" + "a" * 36, "avia/compared/%D1%83",
                                  "avia/compared/en-", "avia/compared?lang=e+n", "avia/compared/%20en"])
def test_l1_what_is_no_language_tag_counts_as_not_sent_and_is_named(server, path):
    answer = air.compared(server, path, iata_code="KBP")
    assert answer.data() == air.compared(server, "avia/compared", iata_code="KBP").data()
    assert answer.headers["X-Ignored-Fields"] == "lang"


@pytest.mark.parametrize("path", ["avia/compared/uk_UA", "avia/compared?lang=uk_UA"])
def test_l1_an_underscore_counts_as_a_hyphen(server, path):
    data = air.compared(server, path, iata_code="KBP", lang_code="pt_BR").data()
    assert data["language"] == "uk" and data["request"]["lang_code"] == "pt_BR"


def test_the_language_that_the_path_leaves_empty_counts_as_not_there(server):
    assert air.compared(server, "avia/compared/", iata_code="KBP").body == \
        air.compared(server, "avia/compared", iata_code="KBP").body


# the match

@pytest.mark.parametrize("fields, source_id", [
    ({"external_id": "301"}, 2), ({"external_id": 301}, 2), ({"external_id": 77}, 5), ({"external_id": "77"}, 5),
    ({"external_id": "0301"}, None), ({"external_id": " 301"}, None), ({"external_id": "KBP-Z"}, None),
    ({"external_id": "KBP-Z", "adapter_id": 22}, 2), ({"external_id": "kbp-z", "adapter_id": 22}, None),
    ({"external_id": 301, "adapter_id": 22}, None)])
def test_a5_by_external_id_of_the_adapter(server, fields, source_id):
    assert air.match(server, **fields) == source_id


@pytest.mark.parametrize("code, source_id", [("KBP", 2), ("kbp", 2), (" KBP\t", 2), ("IEV", 3), ("LON", 4), ("KB", None),
                                             ("KBPX", None), ("КВР", None), ("K B", None), ("_._", None)])
def test_a5_by_iata_code_an_airport_before_a_city(server, code, source_id):
    assert air.match(server, iata_code=code) == source_id


@pytest.mark.parametrize("title, source_id", [
    ("London", 4), ("LONDON", 4), ("Лондон", 4), ("ЛОНДОН", 4), ("Dusseldorf", 6), ("düsseldorf", 6), ("Springfield", None),
    ("Heathro", None), ("KBP", None), ("Boryspil International", 2), ("Бориспіль", 2), ("!!!", None), ("\U0001f6eb", None)])
def test_a5_by_title_if_only_one_place_has_it(server, title, source_id):
    assert air.match(server, title=title) == source_id


def test_a5_external_id_then_code_then_title(server):
    everything = {"external_id": 77, "iata_code": "KBP", "title": "London"}
    assert air.match(server, **everything) == 5
    assert air.match(server, **{**everything, "external_id": "?"}) == 2
    assert air.match(server, **{**everything, "external_id": "?", "iata_code": "QQQ"}) == 4
    assert air.match(server, **{**everything, "external_id": None, "iata_code": ""}) == 4


def test_a5_a_mapping_goes_before_the_suppliers_data(servers, import_file, tmp_path):
    maps = [{"type": "air_map", "adapter_id": 21, "external_id": "301", "source_id": 5}]
    air.import_lines(import_file, tmp_path / "data", tmp_path, *air.ADAPTERS, *air.PLACES, *air.SOURCES, *maps)
    assert air.match(servers.make(None, data=tmp_path / "data"), external_id=301) == 5


# what is required

@pytest.mark.parametrize("fields", [{"iata_code": "KBP"}, {"external_id": 1}, {"external_id": "1"}, {"title": "Kyiv"}])
def test_a5_one_of_three_is_enough(server, fields):
    assert air.compared(server, **fields).status == 200
    others = {name: None for name in ("iata_code", "external_id", "title")}
    assert air.compared(server, **{**others, **fields}).status == 200
    assert air.compared(server, **{**dict.fromkeys(others, ""), **fields}).status == 200
    assert air.compared(server, **{**dict.fromkeys(others, " \u3000\t"), **fields}).status == 200


@pytest.mark.parametrize("fields", [{}, {"iata_code": "", "external_id": None, "title": " "}, {"iata_code": None}])
def test_a5_nothing_to_look_for_is_no_match(server, fields):
    data = air.compared(server, **fields).data()
    assert {name for name, value in data["compared"].items() if value is not None} == {"language"}
    assert {name: data["request"][name] for name in fields} == fields


@pytest.mark.parametrize("name", ["adapter_id", "lang_code"])
def test_a5_adapter_and_language_are_required(server, name):
    for value in (..., None):
        assert_error(air.compared(server, iata_code="KBP", **{name: value}), 400, name, "missing_field")


WRONG = [
    ("adapter_id", "021", "bad_integer"), ("adapter_id", 21.0, "bad_integer"), ("adapter_id", [21], "bad_integer"),
    ("adapter_id", True, "bad_integer"), ("adapter_id", "", "bad_integer"),
    ("lang_code", "", "bad_language"), ("lang_code", "e n", "bad_language"), ("lang_code", 1, "bad_language"),
    ("lang_code", ["en"], "bad_language"), ("lang_code", "a" * 36, "bad_language"),
    ("iata_code", 1, "wrong_type"), ("iata_code", ["KBP"], "wrong_type"), ("iata_code", {}, "wrong_type"),
    ("iata_code", "x" * 65, "too_long"), ("iata_code", "K\u0001", "control_character"),
    ("external_id", 1.5, "wrong_type"), ("external_id", True, "wrong_type"), ("external_id", [], "wrong_type"),
    ("external_id", {"a": 1}, "wrong_type"), ("external_id", "x" * 65, "too_long"),
    ("external_id", "\u007f", "control_character"),
    ("title", 1, "wrong_type"), ("title", False, "wrong_type"), ("title", "é" * 1025, "too_long"),
    ("title", "a\u0085b", "control_character")]


@pytest.mark.parametrize("name, value, reason", WRONG)
def test_wrong_values_are_errors(server, name, value, reason):
    body = {"adapter_id": 21, "lang_code": "en", "iata_code": "KBP", "external_id": 1, "title": "x", name: value}
    error = assert_error(air.post(server, body), 400, name, reason)
    assert error["message"].startswith(name + ": expected ")


def test_m11_texts_at_their_bounds(server):
    assert air.compared(server, iata_code="é" * 64, external_id="\U0001f6eb" * 64, title="é" * 1024).status == 200
    assert air.compared(server, title="line\nand\ttab").status == 200


@pytest.mark.parametrize("adapter_id", [7, 0, 99, -1, 2**63 - 1, -2**63])
def test_r1_an_adapter_for_tours_or_none_is_unknown(server, adapter_id):
    assert_error(air.compared(server, adapter_id=adapter_id, title="x"), 400, "adapter_id", "unknown_adapter",
                 names=str(adapter_id))


@pytest.mark.parametrize("body", [
    b"", b"{", b"null", b"[]", b'"x"', b"{}x", b'{"adapter_id":21,"lang_code":"en","title":"a","title":"a"}',
    b'{"adapter_id":21,"lang_code":"en","title":"a","x":{"y":1,"y":2}}', b'{"adapter_id":9223372036854775808}',
    b'{"adapter_id":21,"lang_code":"en","external_id":-9223372036854775809}', b'{"title":"\\u0000"}',
    b'{"title":"\xff"}', b'{"title":"\\ud800"}', b"[" * 40 + b"]" * 40, b"\xef\xbb\xbf{}", b'{"adapter_id":01}'])
def test_l10_bad_json_is_an_error(server, body):
    assert air.post(server, body).status == 400


def test_l7_the_text_of_an_adapter_id_is_taken(server):
    assert air.compared(server, adapter_id="21", iata_code="KBP").body == air.compared(server, adapter_id=21, iata_code="KBP").body


def test_l10_every_cut_of_a_body_is_an_error(server):
    body = json.dumps({"adapter_id": 21, "lang_code": "en", "iata_code": "KBP", "external_id": "é\U0001f6eb", "title": "x"},
                      ensure_ascii=False).encode("utf-8")
    for end in range(len(body)):
        assert_error(air.post(server, body[:end]), 400)
    assert air.post(server, body).status == 200


def test_l6_unknown_members_are_ignored_and_named(server):
    answer = air.compared(server, "avia/compared?langs=uk", title="London", city="x")
    assert answer.status == 200 and set(answer.headers["X-Ignored-Fields"].split(", ")) == {"langs", "city"}


# keys

def test_the_secret_is_needed(server):
    for headers in ({"X-Service-Api-Secret": ...}, {"X-Service-Api-Secret": "drgs_x"}, {"X-Service-Api-Key": ...}):
        assert air.post(server, {"adapter_id": 21, "lang_code": "en", "title": "x"}, headers=headers).status == 403
        assert air.post(server, {}, "avia/compared/e_n", headers=headers).status == 403
    assert server.b("avia/compared").status == 405 and server.b("avia/compared/en").status == 405


def test_e6_a_key_writes_its_adapters_only(server, new_key, run, seen):
    key = new_key(server.data, "b", "--secret", "--adapter", "22")
    sent = {"key": key["key"], "secret": key["secret"]}
    body = {"adapter_id": 22, "lang_code": "en", "iata_code": "KBP"}
    assert seen(lambda: air.post(server, body, **sent).status == 200)
    assert_error(air.post(server, {**body, "adapter_id": 21}, **sent), 403, "adapter_id", "adapter_not_allowed")
    assert_error(air.post(server, {**body, "adapter_id": 99}, **sent), 403, "adapter_id", "adapter_not_allowed")


def test_no_cors_and_other_media_types(server):
    answer = air.post(server, {"adapter_id": 21, "lang_code": "en", "title": "x"}, headers={"Origin": "https://example.com"})
    assert "Access-Control-Allow-Origin" not in answer.headers
    assert air.post(server, b"adapter_id=21", headers={"Content-Type": "application/x-www-form-urlencoded"}).status == 415


# reports

@pytest.mark.store
def test_a5_what_did_not_match_is_reported(desk, run):
    for _ in range(3):
        air.compared(desk, iata_code="QQQ", external_id=5, title="Nowhere", lang_code="PT-br")
    air.compared(desk, external_id="05", adapter_id=22)
    air.compared(desk, title="Springfield")
    rows = reported(run, desk, 5)
    assert rows[0] == (21, "5", "QQQ", "Nowhere", "pt-br", 3)
    assert set(rows[1:]) == {(22, "05", None, None, "en", 1), (21, None, None, "Springfield", "en", 1)}


def test_a5_what_matches_or_is_refused_is_not_reported(desk, run):
    air.compared(desk, iata_code="KBP", title="Nowhere", external_id=5)
    air.compared(desk, title="x" * 1025)
    air.compared(desk, title="Nowhere", adapter_id=7)
    air.compared(desk, title=" ", iata_code="", country_code="FR", city_name="Paris")
    air.compared(desk, title="last")
    assert [row[3] for row in reported(run, desk, 1)] == ["last"]


@pytest.mark.store_core
@pytest.mark.store
def test_a8_reports_are_kept_over_a_stop(desk, servers, run):
    for i in range(50):
        air.compared(desk, title=f"Nowhere {i}")
    desk.stop()
    assert len(air.unmatched(run, desk.data)) == 50


@pytest.mark.store
def test_a8_what_is_stored_outlives_a_crash(desk, run):
    for i in range(20):
        air.compared(desk, title=f"Nowhere {i}")
    assert len(reported(run, desk, 20)) == 20
    desk.process.popen.kill()
    desk.process.popen.wait()
    assert len(air.unmatched(run, desk.data)) == 20
    assert run("check", "--data", desk.data).returncode == 0


@pytest.mark.store
def test_a8_an_answer_does_not_wait_for_the_store(desk, run):
    air.compared(desk, title="warm")
    held = store.hold(desk.data)
    for _ in range(50):
        air.compared(desk, title="Nowhere")
    held.close()
    assert reported(run, desk, 51)[0][-1] == 50


@pytest.mark.store_core
@pytest.mark.store
@pytest.mark.concurrent
def test_a8_sixteen_clients_are_counted_exactly(desk, run):
    def client(number):
        for i in range(40):
            assert air.compared(desk, external_id=1, title="Same").status == 200
            assert air.compared(desk, external_id=number, title="Own").status == 200

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        list(pool.map(client, range(100, 116)))
    rows = reported(run, desk, 2 * 16 * 40)
    assert rows[0] == (21, "1", None, "Same", "en", 640)
    assert sorted(rows[1:]) == [(21, str(n), None, "Own", "en", 40) for n in range(100, 116)]


@pytest.mark.store
def test_reports_are_not_exported_and_change_no_version(desk, run):
    def counts():
        return json.loads(run("status", "--json", "--data", desk.data).stdout)["counts"]

    before, export = counts(), run("export", "--data", desk.data).stdout
    air.compared(desk, title="Nowhere")
    assert reported(run, desk, 1)
    assert run("export", "--data", desk.data).stdout == export
    assert counts() == before
    assert run("check", "--data", desk.data).returncode == 0


# ---- titles ----

TOWNS = [
    air.place(101, "MUC", {"en": "Munich", "de": "München"}, "city", "DE", weight=900),
    air.place(102, "MUC", {"en": "Munich International Airport"}, country_code="DE", city_code="MUC", weight=890),
    air.place(103, "SGS", {"en": "Saint George"}, "city", "US", weight=300),
    air.place(104, "SGO", {"en": "St. George Airport"}, country_code="AU", city_code="SGO", weight=290),
    air.place(105, "AAB", {"en": "Alexandria"}, "city", "EG", weight=500),
    air.place(106, "AAC", {"en": "Alexandria"}, "city", "US", weight=100),
    air.place(107, "LCY", {"en": "London City Airport"}, country_code="GB", city_code="LON", weight=500),
    air.place(108, "LON", {"en": "London"}, "city", "GB", weight=900),
    air.place(109, "YXU", {"en": "London"}, "city", "CA", weight=890),
    air.place(110, "CCC", {"en": "Central"}, country_code="GB", city_code="LON", weight=10),
    air.place(111, "CCD", {"en": "Central"}, country_code="CA", city_code="YXU", weight=10),
]


@pytest.fixture(scope="module")
def towns(module_servers):
    return module_servers.make([*air.COUNTRIES, *air.ADAPTERS, *TOWNS])


@pytest.mark.parametrize("fields,expected", [
    ({"title": "Munich Intl Airport"}, 102), ({"title": "Flughafen München"}, None), ({"title": "MÜNCHEN"}, 101),
    ({"title": "International Munich"}, 102), ({"title": "Munich"}, 101), ({"title": "Munich", "city_name": "Stuttgart"}, None),
    ({"title": "St George"}, None), ({"title": "St George", "country_code": "us"}, 103), ({"title": "George Saint Apt"}, None),
    ({"title": "George Saint Apt", "country_code": "AU"}, 104),
    ({"title": "Alexandria"}, 105), ({"title": "Alexandria", "country_code": "US"}, 106), ({"title": "Alexandria Airport"}, None),
    ({"title": "London City"}, 107), ({"title": "London Airport"}, None), ({"title": "London"}, None),
    ({"title": "London", "country_code": "CA"}, 109), ({"title": "London", "country_code": None, "city_name": ""}, None),
    ({"title": "Central"}, None), ({"title": "Central", "city_name": "london", "country_code": "GB"}, 110),
    ({"title": "Central", "country_code": "CA"}, 111), ({"title": "Central", "country_code": "FR"}, None),
])
def test_titles_mean_the_heaviest_of_their_words(towns, fields, expected):
    assert air.match(towns, **fields) == expected


@pytest.mark.parametrize("code", ["USA", "U1", "1", "ÄÖ", 7])
def test_a_country_code_has_two_letters(towns, code):
    assert_error(air.compared(towns, title="Central", country_code=code), 400, field="country_code")


def test_narrowing_is_no_part_of_the_request(towns):
    data = air.compared(towns, title="Central", country_code="GB", city_name="London").data()
    assert set(data["request"]) == {"lang_code", "iata_code", "external_id", "title", "adapter"}
