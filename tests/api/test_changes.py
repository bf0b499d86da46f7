"""What an import changes is seen by a running server within a second (E8), and ETags follow the data alone."""
import pytest

import client
import registration
import store

pytestmark = [pytest.mark.concurrent, pytest.mark.store]
NEWOP = {"type": "adapter", "id": 9, "code": "newop", "name": "New Operator", "domain": "tour", "stage": "mapping"}
HOTEL_59 = {"type": "dict", "kind": "hotel", "id": 59, "name": "Brand New", "country_id": 1, "city_id": 331,
            "hotel_category_id": 5}


def source(adapter, id, **more):
    return {"type": "source", "adapter_id": adapter, "kind": "hotel", "id": id, "name": "h", **more}


def hotels(server, query="dep_city=10&country=1"):
    return set(server.a("tour/hotel-references?" + query).data()["hotels"])


def test_e8_a_new_hotel_is_seen_once_an_operator_is_linked_to_it(own, import_file, seen):
    assert hotels(own) == {"55"}
    import_file(own.data, [HOTEL_59])
    assert seen(lambda: "59" in hotels(own, "dep_city=12&country=1"))
    assert hotels(own) == {"55"}
    import_file(own.data, [source(8, "new", dict_id=59)])
    assert seen(lambda: hotels(own) == {"55", "59"})


@pytest.mark.store_core
def test_e8_a_changed_name_is_seen_everywhere(own, import_file, seen):
    own.a("tour/main-references"), own.b("tour/reference")
    import_file(own.data, [{"type": "dict", "kind": "country", "id": 1, "name": "Türkiye", "iso_alpha_2": "TR"}])
    assert seen(lambda: own.a("tour/main-references").data()["countries"]["TR"]["name"] == "Türkiye")
    assert seen(lambda: {"id": 1, "name": "Türkiye"} in own.b("tour/reference").data()["country"])
    assert seen(lambda: own.a("tour/hotel-references?dep_city=10&country=1").data()["cities"]["331"]["country_title"]
                == "Türkiye")


def test_e8_a_deleted_mapping_takes_the_hotel_away(own, import_file, seen):
    import_file(own.data, [{"type": "hotel_content", "adapter_id": 7, "hotel_id": "1001", "deleted": True},
                           {"type": "source", "adapter_id": 7, "kind": "hotel", "id": "1001", "deleted": True},
                           {"type": "source", "adapter_id": 7, "kind": "hotel", "id": "1001-B", "deleted": True},
                           {"type": "dict", "kind": "meal", "id": 100, "name": "marker"}])
    assert seen(lambda: "marker" in own.a("tour/main-references").data()["meals"])
    assert hotels(own) == {"55"}, "adapter 8 still sells it"
    import_file(own.data, [{"type": "source", "adapter_id": 8, "kind": "hotel", "id": "9007199254740993",
                            "deleted": True}])
    assert seen(lambda: hotels(own) == set())


def test_e8_a_null_dict_id_clears_the_mapping_and_an_absent_one_keeps_it(own, import_file, seen):
    import_file(own.data, [source(7, "1001"), source(7, "1001-B"), source(8, "9007199254740993")])
    marker = {"type": "dict", "kind": "meal", "id": 100, "name": "marker"}
    import_file(own.data, [marker])
    assert seen(lambda: "marker" in own.a("tour/main-references").data()["meals"])
    assert hotels(own) == {"55"}
    import_file(own.data, [source(7, "1001", dict_id=None), source(7, "1001-B", dict_id=None),
                           source(8, "9007199254740993", dict_id=None)])
    assert seen(lambda: hotels(own) == set())


def test_e8_a_mapping_moved_to_another_hotel_moves(own, import_file, seen):
    import_file(own.data, [source(7, "1001", dict_id=58), source(7, "1001-B", dict_id=58)])
    assert seen(lambda: hotels(own) == {"55", "58"})
    import_file(own.data, [source(8, "9007199254740993", dict_id=58)])
    assert seen(lambda: hotels(own) == {"58"})


def test_e8_a_deleted_direction_and_the_last_one_of_a_city_r3(own, import_file, seen):
    def dep_cities():
        return set(own.a("tour/main-references").data()["dep_cities"])

    def direction(adapter, dep_city, **more):
        return {"type": "direction", "adapter_id": adapter, "dep_city_id": dep_city, "country_id": 1, **more}

    assert dep_cities() == {"10", "12"}
    import_file(own.data, [direction(9, 10), direction(7, 10, deleted=True), direction(8, 10, deleted=True)])
    assert seen(lambda: dep_cities() == {"12"}), "who is left to fly from 10 is not listed"
    import_file(own.data, [direction(9, 10, deleted=True), direction(9, 11, deleted=True)])
    assert seen(lambda: dep_cities() == {"10", "11", "12"})


def test_e8_the_first_and_the_last_hotel_of_a_country_r3(own, import_file, seen):
    def countries():
        return set(own.a("tour/main-references").data()["countries"])

    assert countries() == {"TR", "EG"}
    import_file(own.data, [{**HOTEL_59, "country_id": 4}])
    assert seen(lambda: countries() == {"TR", "EG", "PL"})
    import_file(own.data, [{"type": "dict", "kind": "hotel", "id": 59, "deleted": True},
                           {"type": "dict", "kind": "hotel", "id": 57, "deleted": True}])
    assert seen(lambda: countries() == {"TR"})


def test_e8_a_new_direction_r3(own, import_file, seen):
    import_file(own.data, [{"type": "direction", "adapter_id": 8, "dep_city_id": 11, "country_id": 4},
                           {"type": "direction", "adapter_id": 8, "dep_city_id": 12, "country_id": 3}])
    assert seen(lambda: set(own.a("tour/main-references").data()["dep_cities"]) == {"10", "11", "12"})
    assert set(own.a("tour/main-references").data()["countries"]) == {"TR", "EG", "PL"}
    assert seen(lambda: hotels(own, "dep_city=12&country=3") == set())


def test_e8_a_changed_stage_r1(own, import_file, seen):
    def operators():
        return set(own.a("tour/main-references").data()["operators"])

    assert operators() == {"anex", "coral"}
    import_file(own.data, [{**NEWOP, "stage": "live"}])
    assert seen(lambda: operators() == {"anex", "coral", "newop"})
    assert seen(lambda: set(own.a("tour/main-references").data()["dep_cities"]) == {"10", "11", "12"})
    assert seen(lambda: hotels(own, "dep_city=11&country=1") == {"56"})
    import_file(own.data, [NEWOP])
    assert seen(lambda: operators() == {"anex", "coral"})
    assert seen(lambda: hotels(own, "dep_city=11&country=1") == set())


@pytest.mark.store_core
def test_e8_deleted_dict_records_leave_the_lists(own, import_file, seen):
    import_file(own.data, [{"type": "dict", "kind": "meal", "id": 2, "deleted": True},
                           {"type": "dict", "kind": "hotel", "id": 58, "deleted": True}])
    assert seen(lambda: set(own.a("tour/main-references").data()["meals"]) == {"AI"})
    assert seen(lambda: hotels(own, "dep_city=12&country=1") == {"55", "56"})


def test_a_deleted_record_can_come_back(own, import_file, seen):
    meal = {"type": "dict", "kind": "meal", "id": 2, "name": "BB again"}
    import_file(own.data, [{"type": "dict", "kind": "meal", "id": 2, "deleted": True}])
    assert seen(lambda: set(own.a("tour/main-references").data()["meals"]) == {"AI"})
    import_file(own.data, [meal])
    assert seen(lambda: own.a("tour/main-references").data()["meals"].get("BB again") == {"id": 2, "name": "BB again"})


def test_e8_a_new_language_is_seen(own, import_file, seen):
    assert own.b("tour/reference?lang=pl").data()["country"][1]["name"] == "Turkey"
    import_file(own.data, [{"type": "dict", "kind": "country", "id": 1, "name": {"en": "Turkey", "pl": "Turcja"},
                            "iso_alpha_2": "TR"}])
    assert seen(lambda: own.b("tour/reference?lang=pl").data()["country"][1]["name"] == "Turcja")


def test_e8_an_identifier_that_becomes_known(own, import_file, seen):
    assert own.b("tour/referenceData?dep_city=77&country=1").status == 400
    import_file(own.data, [{"type": "dict", "kind": "dep_city", "id": 77, "name": "Odesa", "country_id": 2}])
    assert seen(lambda: own.b("tour/referenceData?dep_city=77&country=1").status == 200)
    import_file(own.data, [{"type": "dict", "kind": "dep_city", "id": 77, "deleted": True}])
    assert seen(lambda: own.b("tour/referenceData?dep_city=77&country=1").status == 400)


LISTS = [("a", "tour/main-references"), ("a", "tour/hotel-references?dep_city=10&country=1"),
         ("b", "tour/reference"), ("b", "tour/referenceData?dep_city=10&country=1")]


def test_e8_the_first_request_a_second_after_an_import_is_fresh(clock, own, import_file, seen):
    """Asking for each until it is fresh would hide a list that is renewed only because somebody asked for it."""
    etags = [own.api(*path).headers["ETag"] for path in LISTS]
    import_file(own.data, [{"type": "dict", "kind": "country", "id": 1, "name": "Türkiye", "iso_alpha_2": "TR"},
                           {**HOTEL_59, "id": 55, "name": "Renamed"}])
    assert seen(lambda: own.api(*LISTS[0], {"If-None-Match": etags[0]}).status == 200)
    clock.advance(1)
    for path, etag in zip(LISTS, etags):
        response = own.api(*path, {"If-None-Match": etag})
        assert response.status == 200, path
        assert "Türkiye" in response.body.decode() or "Renamed" in response.body.decode(), path


@pytest.mark.store_core
def test_e8_holds_for_every_server_on_one_data_folder(own, make_server, import_file, seen):
    other = make_server(None, data=own.data)
    import_file(own.data, [{"type": "dict", "kind": "meal", "id": 1, "name": "Everything"}])
    assert seen(lambda: all("Everything" in s.a("tour/main-references", key=own.key_a).data()["meals"]
                            for s in (own, other)))


def test_two_servers_on_the_same_data_give_the_same_etags(make_server, mini, tmp_path):
    options = ("--public-url", "https://ref.example.com")
    one = make_server(mini, *options)
    two = make_server(None, *options, data=one.data)
    for path in LISTS:
        assert one.api(*path).headers["ETag"] == two.api(*path).headers["ETag"]


@pytest.mark.store_core
def test_lists_are_answered_while_the_data_folder_is_away(own, import_file, seen):
    before = own.a("tour/main-references").body
    away = own.data.with_name("away")
    own.data.rename(away)
    if store.POSTGRES is None:
        assert client.wait_until(lambda: own.request("/readyz").json()["store"] == "away")
    assert own.a("tour/main-references").body == before
    assert own.b("tour/reference?lang=uk").status == 200
    away.rename(own.data)
    import_file(own.data, [{"type": "dict", "kind": "meal", "id": 1, "name": "Everything"}])
    assert seen(lambda: "Everything" in own.a("tour/main-references").data()["meals"])


@pytest.mark.store_core
def test_an_import_that_fails_changes_nothing(own, run, import_file, seen, tmp_path):
    bad = tmp_path / "bad.ndjson"
    bad.write_text('{"type":"dict","kind":"meal","id":1,"name":"changed"}\n{"type":"dict"\n')
    assert run("import", bad, "--data", own.data).returncode == 1
    import_file(own.data, [{"type": "dict", "kind": "meal", "id": 100, "name": "marker"}])
    assert seen(lambda: "marker" in own.a("tour/main-references").data()["meals"])
    assert "changed" not in own.a("tour/main-references").data()["meals"]


# ETags and the data

def test_an_import_changes_the_etag(own, import_file, seen):
    before = own.b("tour/reference").headers["ETag"]
    import_file(own.data, [{"type": "dict", "kind": "meal", "id": 1, "name": "Everything"}])
    assert seen(lambda: own.b("tour/reference", {"If-None-Match": before}).status == 200)
    after = own.b("tour/reference")
    assert after.headers["ETag"] != before and "Everything" in after.body.decode()


@pytest.mark.store_core
def test_the_same_import_twice_keeps_the_etag(own, import_file, mini, seen):
    """And so does one that no list shows: once the server has seen it, it has seen the other."""
    before = [own.api(*path).headers["ETag"] for path in LISTS]
    import_file(own.data, mini)
    import_file(own.data, [source(7, "late")])
    assert seen(lambda: registration.is_registered(own, "hotel", "late"))
    assert [own.api(*path).headers["ETag"] for path in LISTS] == before


def test_data_put_back_gives_the_list_of_before(own, import_file, seen):
    meal = {"type": "dict", "kind": "meal", "id": 2, "name": "BB", "description": {"en": "Bed and breakfast"}}
    before = own.a("tour/main-references").body
    import_file(own.data, [{**meal, "name": "Changed"}])
    assert seen(lambda: own.a("tour/main-references").body != before)
    import_file(own.data, [meal])
    assert seen(lambda: own.a("tour/main-references").body == before)


def test_unchanged_data_keeps_the_etag_after_a_restart(make_server, mini):
    options = ("--public-url", "https://ref.example.com")
    first = make_server(mini, *options)
    paths = [("a", "tour/main-references"), ("b", "tour/reference?lang=uk"),
             ("b", "tour/referenceData?dep_city=10&country=1")]
    before = [(r.headers["ETag"], r.body) for r in (first.api(*path) for path in paths)]
    first.stop()
    second = make_server(None, *options, data=first.data)
    assert [(r.headers["ETag"], r.body) for r in (second.api(*path) for path in paths)] == before


def test_another_public_url_changes_the_etag_of_what_shows_it(make_server, mini):
    first = make_server(mini, "--public-url", "https://one.example.com")
    before = first.a("tour/main-references").headers["ETag"]
    first.stop()
    second = make_server(None, "--public-url", "https://two.example.com", data=first.data)
    assert second.a("tour/main-references", {"If-None-Match": before}).status == 200


@pytest.mark.store_core
def test_export_and_import_into_an_empty_store_give_the_same_lists(make_server, run, mini, tmp_path):
    options = ("--public-url", "https://ref.example.com")
    first = make_server(mini, *options)
    path = tmp_path / "export.ndjson"
    path.write_text(run("export", "--data", first.data).stdout, "utf-8")
    second = make_server(path, *options)
    for api, path in LISTS:
        assert second.api(api, path).headers["ETag"] == first.api(api, path).headers["ETag"]
