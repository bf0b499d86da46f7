"""avia/detail: spec 4.3 and 2.2, decisions A3, A4, A6, L1, L6, L7."""
import json

import pytest

import air
from client import assert_error

#: Numbers, spaces, escapes and letters that a JSON library would write in another way.
NASTY = [
    '{"lat":49.0128,"lon":2.55}',
    '{"n":[1.0,1.10,-0,-0.0,0.1e1,1E5,1e-7,1e308,5e-324,9223372036854775807,9007199254740993,12345678901234567.8]}',
    '{"n":49.012799999999999000000000000000001}',
    '{ "spaces" : [ 1 , 2 ,3 ] ,\t"tab":\t1 }',
    '{"escapes":"\\u0041\\/\\"\\\\\\n\\u00e9","\\u006bey":1}',
    '{"letters":"Київ パリ é \U0001f6eb"}',
    '{"null":null,"true":true,"false":false,"empty":{},"list":[]}',
    '{"deep":' + '[' * 20 + ']' * 20 + '}',
    '{}',
    # Beyond 64 bits, beyond a double: numbers are kept as sent.
    '{"n":[9223372036854775808,-9223372036854775809,1e400,-1E+400,123456789012345678901234567890.5]}',
]


@pytest.fixture(scope="module")
def server(module_servers, import_file, tmp_path_factory):
    data = tmp_path_factory.mktemp("data")
    nasty = [air.place(1000 + i, f"N{i:02}", f"Nasty {i}") for i in range(len(NASTY))]
    many = [air.place(10000 + i, f"{i:03}", f"Many {i}") for i in range(1000)]
    sources = [air.source(23, 1000 + i, text) for i, text in enumerate(NASTY)]
    air.import_lines(import_file, data, tmp_path_factory.mktemp("import"), *air.ADAPTERS, *air.COUNTRIES, *air.PLACES,
                     *air.SOURCES, *nasty, *many, *sources)
    return module_servers.make(None, data=data)


def ids_of(response):
    return list(response.data()["items"])


# the answer

def test_spec_a_place_with_what_each_supplier_says(server):
    assert air.detail(server, 2).json() == {"status": "success", "data": {
        "adapters": {"21": {"id": 21, "code": "skyone", "title": "Sky \"One\""},
                     "22": {"id": 22, "code": "aerofeed", "title": "AeroFeed"}},
        "items": {"2": {
            "source_id": 2, "language": "en", "type": "apt", "code": "KBP", "title": "Boryspil International",
            "city": {"code": "IEV", "title": "Kyiv"}, "country": {"code": "UA", "title": "Ukraine"},
            "coordinates": {"lat": 50.345, "lng": 30.8947},
            "adapters": [
                {"adapter_id": 21, "data": {"idx": 301, "name": "BORYSPIL"}},
                {"adapter_id": 22, "data": {"code": "KBP", "timezone": 2, "lat": 50.345, "lon": 30.894722,
                                            "city": False}}]}}}}


def test_spec_a_city_has_no_city_and_a_place_may_have_no_adapters(server):
    data = air.detail(server, 1).data()
    assert data["adapters"] == {}
    assert data["items"]["1"] == {
        "source_id": 1, "language": "en", "type": "city", "code": "IEV", "title": "Kyiv", "city": None,
        "country": {"code": "UA", "title": "Ukraine"}, "coordinates": None, "adapters": []}


def test_a6_titles_in_the_language_asked_for(server):
    item = air.detail(server, 2, lang="uk-UA").data()["items"]["2"]
    assert (item["language"], item["title"]) == ("uk", "Бориспіль")
    assert item["city"] == {"code": "IEV", "title": "Київ"} and item["country"] == {"code": "UA", "title": "Україна"}
    item = air.detail(server, 6, lang="uk").data()["items"]["6"]
    assert (item["language"], item["title"], item["country"]) == ("en", "Düsseldorf", {"code": "DE", "title": "DE"})


def test_spec_only_adapters_that_occur(server):
    data = air.detail(server, 4, 1).data()
    assert list(data["adapters"]) == ["22"]
    data = air.detail(server, 2, 4).data()
    assert list(data["adapters"]) == ["21", "22"]


@pytest.mark.parametrize("i", range(len(NASTY)))
def test_spec_data_is_returned_byte_for_byte(server, i):
    body = air.detail(server, 1000 + i).body
    assert b'"adapters":[{"adapter_id":23,"data":' + NASTY[i].encode("utf-8") + b"}]" in body


def test_numbers_of_any_size_survive_an_export(server, run, tmp_path):
    exported = run("export", "--data", server.data).stdout
    assert '"data":' + NASTY[-1] + "}" in exported
    (tmp_path / "all.ndjson").write_text(exported, "utf-8")
    assert run("import", "--create", tmp_path / "all.ndjson", "--data", tmp_path / "copy").returncode == 0
    assert run("export", "--data", tmp_path / "copy").stdout == exported


def test_a_member_that_stands_twice_inside_is_refused_by_the_import(run, tmp_path):
    path = tmp_path / "records.ndjson"
    path.write_text(air.lines(*air.ADAPTERS, *air.PLACES, air.source(21, 2, '{"n":1,"n":1e400}')), "utf-8")
    done = run("import", "--create", path, "--data", tmp_path / "data")
    assert done.returncode == 1 and f"{path}:15: data: expected different member names inside" in done.stderr


# which ids

FORMS = ["source_id=5,2,4", "source_id[]=5&source_id[]=2&source_id[]=4", "source_id[0]=5&source_id[1]=2&source_id[2]=4",
         "source_id=5&source_id=2&source_id=4", "source_id[]=5,2&source_id=4", "source_id%5B%5D=5&source_id%5B%5D=2,4",
         "source_id=%205%20,%202,4%20", "source_id=5,,2,&source_id=&source_id[]=4", "source_id=005,2,4"]


@pytest.mark.parametrize("query", FORMS)
def test_spec_forms_of_the_parameter(server, query):
    assert ids_of(server.b("avia/detail?" + query)) == ["5", "2", "4"]


def test_a4_items_have_the_order_asked_for(server):
    assert ids_of(air.detail(server, 6, -9, 2**63 - 1, 1)) == ["6", "-9", str(2**63 - 1), "1"]


def test_a4_an_id_asked_for_twice_is_answered_once(server):
    assert ids_of(air.detail(server, 5, 2, 5, 2, 5)) == ["5", "2"]


@pytest.mark.parametrize("unknown", [0, 99, -1, 2**63 - 2, -2**63])
def test_a4_an_unknown_id_is_left_out(server, unknown):
    assert ids_of(air.detail(server, unknown, 2)) == ["2"]
    assert air.detail(server, unknown).json() == {"status": "success", "data": {"adapters": {}, "items": {}}}


def test_a4_at_most_1000_ids(server):
    ids = list(range(10000, 11000))
    assert ids_of(air.detail(server, *ids)) == [str(id) for id in ids]
    assert_error(air.detail(server, *ids, 1), 400, "source_id", "too_many_ids", names="1000")
    assert_error(air.detail(server, *[1] * 1001), 400, "source_id", "too_many_ids")
    query = "&".join(["source_id=1," + ",".join(["1"] * 99)] * 10)
    assert server.b("avia/detail?" + query).status == 200
    assert_error(server.b("avia/detail?" + query + "&source_id=1"), 400, "source_id", "too_many_ids")


@pytest.mark.parametrize("name", ["source_id=", "source_id[]=", "source_id%5B%5D=", "source_id%5B0%5D=", ",", "%2C", "%2C%20"])
def test_e9_a_thousand_ids_in_each_spelling(server, name):
    ids = range(10000, 11000)
    query = "&".join(f"{name}{id}" for id in ids) if "=" in name else "source_id=" + name.join(map(str, ids))
    assert ids_of(server.b("avia/detail?" + query)) == [str(id) for id in ids]


# bad input

@pytest.mark.parametrize("query", ["", "source_id=", "source_id[]=", "source_id=,", "source_id=%20,%20&source_id=", "lang=en"])
def test_source_id_is_required(server, query):
    assert_error(server.b("avia/detail?" + query), 400, "source_id", "missing_field")


@pytest.mark.parametrize("value", ["x", "2x", "2.0", "1e1", "%2B2", "0x2", "9223372036854775808", "-9223372036854775809",
                                   "9" * 400, "2;4", "2%004", "2,x", "--2", "%E2%91%A1", "null", "[2]"])
def test_a4_what_is_no_integer_is_an_error(server, value):
    answer = server.b("avia/detail?source_id=" + value)
    if value == "2%004":
        assert answer.status == 400
    else:
        assert_error(answer, 400, "source_id", "bad_integer")


@pytest.mark.parametrize("name", ["source_id[x]", "source_id[", "source_id[][]", "source_id[-1]"])
def test_l6_brackets_that_make_no_list_are_400(server, name):
    error = assert_error(server.b(f"avia/detail?source_id=2&{name}=4"), 400, "source_id", "bad_list", names=name)
    assert "expected source_id[]=..., source_id[0]=... or source_id=1,2" in error["message"]


@pytest.mark.parametrize("name", ["source_ids", "source_ids[x]", "source_i", "Source_id", "[source_id]"])
def test_l6_other_names_are_ignored_and_named(server, name):
    answer = server.b(f"avia/detail?source_id=2&{name}=4")
    assert ids_of(answer) == ["2"] and answer.headers["X-Ignored-Fields"] == name


def test_l1_what_is_no_language_tag_counts_as_not_sent_and_is_named(server):
    answer = server.b("avia/detail?source_id=2&lang=e+n")
    assert answer.body == server.b("avia/detail?source_id=2").body and answer.headers["X-Ignored-Fields"] == "lang"


def test_a_key_of_api_b_is_needed(server):
    assert server.request("/v1/avia/detail?source_id=2").status == 403
    assert server.request("/v1/avia/detail?source_id=2", headers={"X-Api-Key": server.key_a}).status == 403
    assert server.b("avia/detail?source_id=2", method="POST").status == 405


# changes

def test_e8_changes_are_seen_within_a_second(make_server, import_file, tmp_path, seen):
    server = make_server([*air.ADAPTERS, *air.PLACES])
    air.import_lines(import_file, server.data, tmp_path, air.source(21, 2, '{"v":1.10}'))
    assert seen(lambda: b'"data":{"v":1.10}' in air.detail(server, 2).body)
    air.import_lines(import_file, server.data, tmp_path, air.source(21, 2, '{"v":1.1}'), air.source(22, 2, "{}"))
    assert seen(lambda: b'"data":{"v":1.1}' in air.detail(server, 2).body)
    gone = {"type": "air_source", "adapter_id": 21, "source_id": 2, "deleted": True}
    air.import_lines(import_file, server.data, tmp_path, gone)
    assert seen(lambda: list(air.detail(server, 2).data()["adapters"]) == ["22"])
    gone = [{"type": "air_source", "adapter_id": 22, "source_id": 2, "deleted": True},
            {"type": "air_place", "source_id": 2, "deleted": True}]
    air.import_lines(import_file, server.data, tmp_path, *gone)
    assert seen(lambda: air.detail(server, 2).data() == {"adapters": {}, "items": {}})


def test_what_export_writes_gives_the_same_answer(server, make_server, run, tmp_path):
    done = run("export", "--data", server.data)
    path = tmp_path / "export.ndjson"
    path.write_text(done.stdout, "utf-8")
    other = make_server(path)
    for lang in ("en", "uk"):
        for first in (1, 1000):
            ids = range(first, first + 20)
            assert air.detail(other, *ids, lang=lang).body == air.detail(server, *ids, lang=lang).body
    assert json.loads(air.detail(other, 2).body)["data"]["items"]
