"""tour/hotelDescription: spec 4.2, decisions M13, M15, E2, L1; what changes is seen (E8), however much is kept."""
import concurrent.futures
import json
import os
import random
import signal
import socket

import pytest

import store
from client import assert_error
from conftest import SLOW
from description import Description, describe

CONTENT = {"type": "hotel_content", "adapter_id": 7, "hotel_id": "1001"}
HOTEL_55 = {"type": "dict", "kind": "hotel", "id": 55, "name": "Blue Bay Palace", "country_id": 1, "city_id": 331,
            "hotel_category_id": 5}


def source(id, **more):
    return {"type": "source", "adapter_id": 7, "kind": "hotel", "id": id, "name": "h", "category_name": "c",
            "country_name": "c", "city_name": "c", **more}


@pytest.fixture(scope="module")
def expected(mini):
    return Description.from_file(mini)


# ---- the answer

def test_spec_every_part_of_the_answer_in_its_order(server):
    answer = describe(server, 7, "1001")
    assert answer.headers["Content-Type"].split(";")[0] == "application/json"
    body = answer.json()
    assert list(body) == ["status", "data"] and body["status"] == "success"
    data = body["data"]
    assert data == {
        "adapter": {"id": 7, "code": "coral", "name": "Coral Tours", "logo": "https://cdn.example.com/coral.png"},
        "hotel": {"id": 55, "title": "Blue Bay Palace",
                  "country": {"en": "Turkey", "uk": "Туреччина", "de": "Türkei"},
                  "city": {"en": "Antalya", "uk": "Анталья"}, "hotel_category": "5*", "lat": 36.85, "lng": 30.78,
                  "hotel_type": {"en": "Beach hotel", "uk": "Пляжний готель"}, "address": "Lara Cd. 12",
                  "zip": "07100"},
        "orig_hotel": {"orig_id": "1001", "title": "BLUE BAY PALACE 5*", "country": "TURKEY", "city": "ANTALYA",
                       "hotel_category": "HV-1/5*", "address": "Lara Caddesi 12", "check_in": "14:00:00",
                       "check_out": "12:00:00", "room_count": 420, "url": "https://coral.example.com/h/1001",
                       "zip": "07110", "lat": 36.8501, "lng": 30.7802},
        "hotel_description": [
            {"type": {"en": "Location", "uk": "Розташування"}, "orig_type": {"en": "Position"},
             "orig_description": {"en": "On the beach of Lara."}},
            {"type": {}, "orig_type": {"en": "Misc"}, "orig_description": {"en": "Renovated in 2024."}}],
        "hotel_facility": [
            {"facility_group": {"en": "Beach", "uk": "Пляж"}, "orig_facility_group": {"en": "BEACH"}, "data": [
                {"facility_type": {"en": "Private beach"}, "orig_facility_type": {"en": "own beach"},
                 "value_type": "boolean", "value": "1"},
                {"facility_type": {}, "orig_facility_type": {"en": "sunbeds"}, "value_type": "free_or_paid",
                 "value": "free"}]}],
        "hotel_photo": [{"url_orig": "https://coral.example.com/p/1.jpg", "is_main": True},
                        {"url_orig": "https://coral.example.com/p/2.jpg", "is_main": False}]}
    assert list(data) == ["adapter", "hotel", "orig_hotel", "hotel_description", "hotel_facility", "hotel_photo"]
    assert list(data["hotel"]) == ["id", "title", "country", "city", "hotel_category", "lat", "lng", "hotel_type",
                                   "address", "zip"]
    assert list(data["orig_hotel"]) == ["orig_id", "title", "country", "city", "hotel_category", "address",
                                        "check_in", "check_out", "room_count", "url", "zip", "lat", "lng"]


@pytest.mark.parametrize("adapter, hotel", [(7, "1001"), (7, "1001-B"), (7, "1002"), (8, "9007199254740993"),
                                            (9, "77")])
@pytest.mark.parametrize("lang", ["en", "uk", "de"])
def test_the_model_agrees(server, expected, adapter, hotel, lang):
    assert describe(server, adapter, hotel, f"&lang={lang}").data() == expected.description(adapter, hotel, lang)


def test_the_second_answer_is_the_first(server):
    assert describe(server, 7, "1001").body == describe(server, 7, "1001").body


def test_m15_the_title_is_in_the_language_asked_and_the_rest_in_every_language(server):
    in_english, in_ukrainian = (describe(server, 7, "1001", f"&lang={lang}").data() for lang in ("en", "uk"))
    assert in_english["hotel"].pop("title") == "Blue Bay Palace"
    assert in_ukrainian["hotel"].pop("title") == "Блю Бей Палас"
    assert in_english == in_ukrainian


@pytest.mark.parametrize("lang, title", [("", "Blue Bay Palace"), ("&lang=", "Blue Bay Palace"),
                                         ("&lang=uk-UA", "Блю Бей Палас"), ("&lang=uk_UA", "Блю Бей Палас"), ("&lang=UK", "Блю Бей Палас"),
                                         ("&lang=fr", "Blue Bay Palace"), ("&lang=de", "Blue Bay Palace")])
def test_l1_languages_fall_back(server, lang, title):
    assert describe(server, 7, "1001", lang).data()["hotel"]["title"] == title


def test_l1_what_is_no_language_tag_counts_as_not_sent(server):
    assert describe(server, 7, "1001", "&lang=uk+").body == describe(server, 7, "1001").body


def test_m15_without_content_the_arrays_are_empty_and_its_fields_null(server):
    data = describe(server, 7, "1001-B").data()
    assert [data[part] for part in ("hotel_description", "hotel_facility", "hotel_photo")] == [[], [], []]
    assert [data["orig_hotel"][field] for field in ("check_in", "check_out", "room_count")] == [None] * 3


def test_m15_hotel_is_null_when_the_suppliers_hotel_is_not_mapped(server):
    data = describe(server, 7, "1002").data()
    assert data["hotel"] is None
    assert data["orig_hotel"]["title"] == "BELEK GOLF"


def test_what_is_not_known_is_null(server):
    hotel = describe(server, 9, "77").data()["hotel"]
    assert [hotel[field] for field in ("lat", "lng", "address", "zip")] == [None] * 4
    orig = describe(server, 7, "1001-B").data()["orig_hotel"]
    assert [orig[field] for field in ("address", "url", "zip", "lat", "lng")] == [None] * 5


def test_m15_what_is_keyed_by_language_is_never_null(make_server, mini):
    """So that `x.type[lang]` works on every answer."""
    content = {"type": "hotel_content", "adapter_id": 7, "hotel_id": "1001-B",
               "descriptions": [{"type_id": None, "orig_type": None, "text": {"en": "x"}}, {"text": {"en": "y"}}],
               "facilities": [{"group_id": None, "orig_group": None, "items": [
                   {"type_id": None, "orig_type": None, "value_type": None, "value": None}, {}]}, {"items": []}]}
    data = describe(make_server([*map(json.loads, mini.read_text("utf-8").splitlines()), content]), 7, "1001-B").data()
    assert [(d["type"], d["orig_type"]) for d in data["hotel_description"]] == [({}, {})] * 2
    assert [(g["facility_group"], g["orig_facility_group"]) for g in data["hotel_facility"]] == [({}, {})] * 2
    assert data["hotel_facility"][0]["data"] == \
        [{"facility_type": {}, "orig_facility_type": {}, "value_type": None, "value": None}] * 2


def test_m15_a_hotel_without_a_type_has_an_empty_object(server):
    assert describe(server, 9, "77").data()["hotel"]["hotel_type"] == {}


def test_an_adapter_without_a_logo(server):
    assert describe(server, 8, "9007199254740993").data()["adapter"] == \
        {"id": 8, "code": "anex", "name": "Anexa", "logo": None}


def test_r1_every_stage(server):
    assert describe(server, 9, "77").data()["hotel"]["id"] == 56


IDS = ["0", "007", "-1", "A-1/б", "a b", "100%", "a+b&c=d", "q\"uo\\te", "x" * 64, "ї" * 64, "\U0001f3e8" * 64]


@pytest.fixture(scope="module")
def odd(module_servers):
    return module_servers.make([{"type": "adapter", "id": 7, "code": "c", "name": "\"7\" \\", "domain": "tour",
                                 "logo": "https://x.example/\"?a=1&b=2"},
                                *(source(id, address="Line 1\nline \"2\"") for id in IDS)])


@pytest.mark.parametrize("id", IDS)
def test_m13_any_id_of_a_supplier(odd, id):
    data = describe(odd, 7, id).data()
    assert data["orig_hotel"]["orig_id"] == id and data["orig_hotel"]["address"] == "Line 1\nline \"2\""
    assert data["adapter"]["logo"] == "https://x.example/\"?a=1&b=2" and data["adapter"]["name"] == "\"7\" \\"


@pytest.mark.parametrize("id", ["7", "00", "+0", "a-1/б", "a", "A-1/б "])
def test_m13_ids_are_compared_as_they_are(odd, id):
    assert_error(describe(odd, 7, id), 400, "hotel_orig_id", "unknown_hotel")


# ---- what is refused

@pytest.mark.parametrize("adapter", [1, 0, -7, 21, 2**31, 2**63 - 1])
def test_e2_an_unknown_adapter_or_one_for_air_is_400(server, adapter):
    assert_error(describe(server, adapter, "1001"), 400, "adapter_id", "unknown_adapter", names=str(adapter))


@pytest.mark.parametrize("hotel", ["nope", "1001b", "77", "90", "55"])
def test_e2_an_unknown_hotel_is_400_and_named(server, hotel):
    assert_error(describe(server, 7, hotel), 400, "hotel_orig_id", "unknown_hotel", names=hotel)


def test_both_parameters_are_required(server):
    assert_error(server.b("tour/hotelDescription?adapter_id=7"), 400, "hotel_orig_id", "missing_field")
    assert_error(server.b("tour/hotelDescription?adapter_id=7&hotel_orig_id="), 400, "hotel_orig_id")
    assert_error(server.b("tour/hotelDescription?hotel_orig_id=1001"), 400, "adapter_id", "missing_field")


@pytest.mark.parametrize("adapter", ["x", "7.0", "9223372036854775808"])
def test_l7_adapter_id_is_an_integer(server, adapter):
    assert_error(describe(server, adapter, "1001"), 400, "adapter_id", "bad_integer")


def test_a_longer_id_than_any_is_400(server):
    assert_error(describe(server, 7, "ї" * 65), 400, "hotel_orig_id")


def test_l6_repeated_and_unknown_parameters(server):
    assert_error(describe(server, 7, "1001", "&adapter_id=8"), 400, "adapter_id", "repeated_parameter")
    answer = describe(server, 7, "1001", "&hotel=55")
    assert answer.status == 200 and answer.headers["X-Ignored-Fields"] == "hotel"


def test_e4_only_keys_of_api_b(server):
    path = "/v1/tour/hotelDescription?adapter_id=7&hotel_orig_id=1001"
    assert_error(server.request(path, "GET", {"X-Api-Key": server.key_a}), 403)
    assert_error(server.request(path), 403)


def test_post_is_405(server):
    answer = server.b("tour/hotelDescription?adapter_id=7&hotel_orig_id=1001", method="POST")
    assert_error(answer, 405)
    assert "GET" in answer.headers["Allow"]


def test_head_has_the_headers_of_get(server):
    path = "tour/hotelDescription?adapter_id=7&hotel_orig_id=1001"
    assert server.b(path, method="HEAD").headers["Content-Length"] == str(len(server.b(path).body))


# ---- changes are seen

def test_e8_content_that_is_replaced(own, import_file, seen):
    assert describe(own, 7, "1001").data()["orig_hotel"]["room_count"] == 420
    import_file(own.data, [{**CONTENT, "room_count": 421, "photos": [{"url": "https://x.example/new.jpg"}]}])
    assert seen(lambda: describe(own, 7, "1001").data()["orig_hotel"]["room_count"] == 421)
    data = describe(own, 7, "1001").data()
    assert data["hotel_photo"] == [{"url_orig": "https://x.example/new.jpg", "is_main": False}]
    assert data["hotel_description"] == [] and data["orig_hotel"]["check_in"] is None


def test_e8_content_that_comes_and_goes(own, import_file, seen):
    assert describe(own, 7, "1002").data()["hotel_photo"] == []
    content = {**CONTENT, "hotel_id": "1002", "photos": [{"url": "https://x.example/1.jpg", "is_main": True}]}
    import_file(own.data, [content])
    assert seen(lambda: len(describe(own, 7, "1002").data()["hotel_photo"]) == 1)
    import_file(own.data, [{"type": "hotel_content", "adapter_id": 7, "hotel_id": "1002", "deleted": True}])
    assert seen(lambda: describe(own, 7, "1002").data()["hotel_photo"] == [])


def test_e8_a_suppliers_record_that_changes(own, import_file, seen):
    describe(own, 7, "1002")
    import_file(own.data, [source("1002", name="NEW NAME", address="New address", lat=1.5, lng=-2)])
    assert seen(lambda: describe(own, 7, "1002").data()["orig_hotel"]["title"] == "NEW NAME")
    orig = describe(own, 7, "1002").data()["orig_hotel"]
    assert (orig["address"], orig["lat"], orig["lng"]) == ("New address", 1.5, -2)


def test_e8_a_hotel_of_the_common_reference_that_changes(own, import_file, seen):
    assert describe(own, 7, "1001").data()["hotel"]["address"] == "Lara Cd. 12"
    import_file(own.data, [{**HOTEL_55, "name": "Renamed", "zip": "1"}])
    assert seen(lambda: describe(own, 7, "1001").data()["hotel"]["title"] == "Renamed")
    for adapter, hotel in [(7, "1001"), (7, "1001-B"), (8, "9007199254740993")]:
        found = describe(own, adapter, hotel).data()["hotel"]
        assert [found[field] for field in ("title", "zip", "address", "lat", "hotel_type")] == \
            ["Renamed", "1", None, None, {}]


@pytest.mark.parametrize("kind, id, more, part", [
    ("country", 1, {"iso_alpha_2": "TR"}, lambda d: d["hotel"]["country"]),
    ("city", 331, {"country_id": 1}, lambda d: d["hotel"]["city"]),
    ("hotel_type", 1, {}, lambda d: d["hotel"]["hotel_type"]),
    ("description_type", 1, {}, lambda d: d["hotel_description"][0]["type"]),
    ("facility_group", 1, {}, lambda d: d["hotel_facility"][0]["facility_group"]),
    ("facility_type", 1, {"facility_group_id": 1}, lambda d: d["hotel_facility"][0]["data"][0]["facility_type"]),
])
def test_e8_names_that_change(own, import_file, seen, kind, id, more, part):
    describe(own, 7, "1001")
    import_file(own.data, [{"type": "dict", "kind": kind, "id": id, "name": {"pl": "Nowa", "en": "New"}, **more}])
    assert seen(lambda: part(describe(own, 7, "1001").data()) == {"pl": "Nowa", "en": "New"})


def test_e8_a_mapping_that_moves_and_goes(own, import_file, seen):
    def hotel():
        return describe(own, 7, "1001").data()["hotel"]

    assert hotel()["id"] == 55
    import_file(own.data, [source("1001", dict_id=57)])
    assert seen(lambda: hotel()["id"] == 57)
    assert (hotel()["title"], hotel()["address"], hotel()["country"]["en"]) == ("Nile View", None, "Egypt")
    import_file(own.data, [source("1001", dict_id=None)])
    assert seen(lambda: hotel() is None)
    import_file(own.data, [source("1001", dict_id=55)])
    assert seen(lambda: hotel() is not None and hotel()["zip"] == "07100")


def test_e8_a_hotel_that_is_removed_and_comes_back(own, import_file, seen):
    assert describe(own, 7, "1001").status == 200
    import_file(own.data, [{**CONTENT, "deleted": True}, {**source("1001"), "deleted": True}])
    assert seen(lambda: describe(own, 7, "1001").status == 400)
    assert_error(describe(own, 7, "1001"), 400, "hotel_orig_id", "unknown_hotel")
    import_file(own.data, [source("1001", name="Back")])
    assert seen(lambda: describe(own, 7, "1001").status == 200)
    data = describe(own, 7, "1001").data()
    assert data["orig_hotel"]["title"] == "Back" and data["hotel"] is None and data["hotel_photo"] == []


def test_m19_hotels_and_types_that_are_merged_and_split(own, import_file, run, seen):
    import_file(own.data, [{"type": "dict", "kind": "description_type", "id": 2, "name": "Kept"}])
    assert describe(own, 9, "77").data()["hotel"]["id"] == 56
    before = describe(own, 7, "1001").data()
    for kind, old, new in [("hotel", 56, 55), ("description_type", 1, 2)]:
        done = run("dict", "merge", kind, str(old), str(new), "--data", own.data)
        assert done.returncode == 0, done.stderr
    assert seen(lambda: describe(own, 9, "77").data()["hotel"]["id"] == 55)
    assert describe(own, 9, "77").data()["hotel"]["address"] == "Lara Cd. 12"
    assert seen(lambda: describe(own, 7, "1001").data()["hotel_description"][0]["type"] == {"en": "Kept"})
    for kind, old in [("hotel", 56), ("description_type", 1)]:
        done = run("dict", "split", kind, str(old), "--data", own.data)
        assert done.returncode == 0, done.stderr
    assert seen(lambda: describe(own, 9, "77").data()["hotel"]["id"] == 56)
    assert seen(lambda: describe(own, 7, "1001").data() == before)


def test_m9_a_hotel_that_was_just_registered_is_described(own):
    body = {"adapter_id": 7, "lang_code": "en",
            "hotel": [{"id": "new", "name": "New", "category_name": "4*", "country_name": "TR", "city_name": "Side"}]}
    assert_error(describe(own, 7, "new"), 400, "hotel_orig_id")
    answer = own.request("/v1/tour/sourceAdd", "POST", {"X-Service-Api-Key": own.key_b,
                                                        "X-Service-Api-Secret": own.secret_b}, json.dumps(body))
    assert "source" in answer.data()["hotel"]["new"]
    orig = describe(own, 7, "new").data()["orig_hotel"]
    assert (orig["title"], orig["hotel_category"], orig["country"], orig["city"]) == ("New", "4*", "TR", "Side")


@pytest.mark.parametrize("kept", [0, 3000, 64 << 20])
def test_random_changes_against_the_model(make_server, import_file, seen, mini, kept):
    """However little is kept. A commit is shown as a whole: with its marker all of it."""
    own, model, rng = make_server(mini, "--content-cache", str(kept)), Description.from_file(mini), random.Random(kept)
    ids = [f"r{i}" for i in range(12)]

    def change():
        id = rng.choice(ids)
        kind = rng.randrange(3)
        if kind == 0:
            hotel = rng.choice([55, 56, 57, 58])
            return [{**HOTEL_55, "id": hotel, "name": f"Hotel {rng.random()}", "address": f"Street {rng.random()}"}]
        if kind == 1 and ("source", 7, "hotel", id) in model.records and (7, id) not in model.contents:
            return [{**source(id), "deleted": True}]
        return [source(id, address=f"{rng.random()}", dict_id=rng.choice([None, 55, 56, 57, 58])),
                {**CONTENT, "hotel_id": id, "room_count": rng.randrange(1000), "descriptions": [
                    {"type_id": rng.choice([None, 1]), "text": {"en": f"{rng.random()}"}}]}]

    for turn in range(4 if SLOW else 12):
        records = [record for _ in range(3) for record in change()]
        records = list({json.dumps([record.get(name) for name in ("type", "kind", "id", "hotel_id")]): record
                        for record in records}.values())
        gone = {r["id"] for r in records if r.get("deleted")}
        records = [r for r in records if r.get("hotel_id") not in gone]
        import_file(own.data, [*records, source("marker", address=f"turn {turn}")])
        model.apply(records)
        for id in ids:
            describe(own, 7, id)  # in the middle of it
        assert seen(lambda: f'"address":"turn {turn}"' in describe(own, 7, "marker").body.decode())
        for id in ids + ["1001", "1001-B"]:
            answer, said = describe(own, 7, id), model.description(7, id)
            assert answer.status == (200 if said else 400), (turn, id)
            assert said is None or answer.data() == said, (turn, id)


# ---- much of it

def test_large_content(make_server, mini, import_file):
    texts = {lang: "ї\"\\\n" * 16384 for lang in ("en", "uk", "de")}
    content = {**CONTENT, "descriptions": [{"type_id": 1, "orig_type": None, "text": texts}] * 8,
               "photos": [{"url": f"https://x.example/{i}.jpg", "is_main": i == 0} for i in range(3000)]}
    own = make_server(mini, "--content-cache", "1000000")
    import_file(own.data, [content])
    model = Description.from_file(mini)
    model.apply([content])
    for _ in range(2):
        assert describe(own, 7, "1001").data() == model.description(7, "1001")


@pytest.fixture(scope="module")
def exported(demo, run):
    lines = run("export", "--data", demo.data).stdout.splitlines()
    wanted = ('{"type":"adapter"', '{"type":"dict"', '{"type":"hotel_content"')
    return Description(json.loads(line) for line in lines
                       if line.startswith(wanted) or (line.startswith('{"type":"source"') and '"kind":"hotel"' in line))


@pytest.mark.xdist_group("demo")
@pytest.mark.concurrent
def test_64_clients_on_the_demo_data(demo, exported):
    rng = random.Random(64)
    described = rng.sample(sorted(exported.contents), 100)
    others = rng.sample([(r["adapter_id"], r["id"]) for r in exported.all(None, "source")], 100)

    def ask(n):
        own = random.Random(n)
        for _ in range(4 if SLOW else 12):
            adapter, hotel = own.choice(described + others)
            assert describe(demo, adapter, hotel).data() == exported.description(adapter, hotel), (adapter, hotel)

    with concurrent.futures.ThreadPoolExecutor(64) as pool:
        list(pool.map(ask, range(64)))


@pytest.mark.concurrent
def test_clients_that_go_away_while_they_wait(make_server, mini):
    own = make_server(mini, "--content-cache", "0")
    for _ in range(50):
        with socket.create_connection(("127.0.0.1", own.port)) as connection:
            connection.sendall(b"GET /v1/tour/hotelDescription?adapter_id=7&hotel_orig_id=1001 HTTP/1.1\r\n"
                               b"Host: x\r\nX-Service-Api-Key: " + own.key_b.encode() + b"\r\n\r\n")
    assert describe(own, 7, "1001").status == 200


# ---- the store is away

def end(server):
    """SIGTERM; what it says of the store is for the test to look at."""
    os.kill(server.pid, signal.SIGTERM)
    assert server.process.popen.wait(60) == 0


@pytest.mark.parametrize("text", ["", "[", "{}", "5", "[5]", '[{"type_id":1}', '[{"items":{}}]', '[{"items":[5]}]'])
def test_e3_content_that_is_damaged_in_the_store_is_500(own, text):
    store.execute(own.data, f"UPDATE hotel_content SET facilities = '{text}'")
    answer = describe(own, 7, "1001")
    error = assert_error(answer, 500)
    assert answer.headers["X-Request-Id"] in error["message"]
    assert describe(own, 7, "1001-B").status == 200
    end(own)


def test_while_the_store_is_away_what_is_not_kept_gets_503_and_all_else_goes_on(own, seen):
    store.take_away(own.data)
    answer = describe(own, 7, "1001")
    assert_error(answer, 503, reason="store_away")
    assert int(answer.headers["Retry-After"]) > 0
    assert "dragoman.db" not in answer.body.decode() and "postgres" not in answer.body.decode(), "E3: no paths"
    assert_error(describe(own, 7, "nope"), 400, "hotel_orig_id", "unknown_hotel")
    assert own.b("tour/hotelCheck?hotel=55").status == 200 and own.b("tour/reference").status == 200
    store.put_back(own.data)
    assert describe(own, 7, "1001").status == 200
    store.take_away(own.data)
    assert describe(own, 7, "1001").data()["hotel"]["id"] == 55, "it is kept"
    store.put_back(own.data)
    end(own)
    said = own.process.stderr()
    assert said.count("cannot read the store") == 1 and "the store can be read again" in said
