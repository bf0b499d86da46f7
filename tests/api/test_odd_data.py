"""Whatever an import takes, the feed must take too: one odd record may not hide the changes after it (E8)."""
import json

import pytest

LANGUAGES = [a + b + c for a in "abcdefghij" for b in "abcdefghij" for c in "xyz"]
WIDE = "\U0001f3d6" * 1024
CONTROL = "\n\t" * 500
COUNTRY = {"type": "dict", "kind": "country", "id": 1, "name": "Land", "iso_alpha_2": "TR"}
CITY = {"type": "dict", "kind": "city", "id": 1, "name": "City", "country_id": 1}
CATEGORY = {"type": "dict", "kind": "hotel_category", "id": 1, "name": "5*"}
HOTEL = {"type": "dict", "kind": "hotel", "id": 1, "name": "Hotel", "country_id": 1, "city_id": 1, "hotel_category_id": 1}
TOUR = {"type": "adapter", "id": 1, "code": "a", "name": "A", "domain": "tour"}
AIR = {"type": "adapter", "id": 2, "code": "b", "name": "B", "domain": "air"}
MEAL = {"type": "dict", "kind": "meal", "id": 1}
SOURCE = {"type": "source", "adapter_id": 1, "kind": "hotel", "id": "1", "name": "h"}
PLACE = {"type": "air_place", "source_id": 1, "place": "city", "code": "IEV", "name": "Kyiv", "country_code": "UA"}
LOW, HIGH = -2**63, 2**63 - 1

ODD = {
    "300 languages": [{**MEAL, "name": {lang: "n" for lang in LANGUAGES}}],
    "300 long names": [{**MEAL, "name": {lang: WIDE for lang in LANGUAGES}}],
    "100 long names": [{**MEAL, "name": {lang: WIDE for lang in LANGUAGES[:100]}}],
    "names of escapes": [{**MEAL, "name": "\\\"" * 512}],
    "names of control characters": [{**MEAL, "name": "x" + CONTROL}],
    "a description of 1 MB": [{**MEAL, "name": "x", "description": {"en": "d" * 1000000}}],
    "a description of 20 MB": [{**MEAL, "name": "x", "description": {"en": "d" * 20000000}}],
    "descriptions in 300 languages": [{**MEAL, "name": "x", "description": {lang: "d" * 2000 for lang in LANGUAGES}}],
    "an adapter with long texts": [{**TOUR, "code": "c" * 1024, "name": WIDE, "logo": "https://x.example/" + "l" * 9000}],
    "an adapter with the highest id": [{**TOUR, "id": 2**31 - 1, "code": "z"}],
    "an adapter with a higher id": [{**TOUR, "id": 2**31}],
    "an adapter with the highest id of 64 bits": [{**TOUR, "id": HIGH}],
    "an adapter with id 0": [{**TOUR, "id": 0}],
    "an adapter with a negative id": [{**TOUR, "id": -1}],
    "ids at the limits": [{**COUNTRY, "id": LOW, "iso_alpha_2": "EG"}, {**CITY, "id": HIGH, "country_id": LOW},
                          {**CATEGORY, "id": LOW}, {**HOTEL, "id": LOW, "country_id": LOW, "city_id": HIGH,
                                                    "hotel_category_id": LOW}],
    "coordinates at the limits": [COUNTRY, {**CITY, "lat": -90, "lng": 180}],
    "coordinates beyond them": [COUNTRY, {**CITY, "lat": 91, "lng": 181}],
    "coordinates beyond doubles": [COUNTRY, {**CITY, "lat": 1e308, "lng": -1e308}],
    "lower-case codes": [{**COUNTRY, "iso_alpha_2": "tr"}],
    "codes that are none": [{**COUNTRY, "iso_alpha_2": "\U0001f1f9\U0001f1f7"}],
    "a long currency code": [{"type": "dict", "kind": "currency", "id": 1, "name": "x", "iso_code": "E" * 100}],
    "long source texts": [TOUR, {**SOURCE, "id": "\U0001f3d6" * 64, "name": WIDE, "category_name": WIDE[:255],
                                 "country_name": WIDE[:255], "city_name": WIDE[:255], "address": WIDE,
                                 "zip": WIDE, "url": "https://x.example/" + "u" * 9000, "phone": WIDE}],
    "source texts of escapes": [TOUR, {**SOURCE, "id": "\"" * 64, "name": "\\" * 1024, "category_name": "\"" * 255,
                                       "country_name": "\"" * 255, "city_name": "\"" * 255, "address": "\"" * 1024}],
    "a source of an odd language": [TOUR, *({**SOURCE, "id": lang, "lang": lang} for lang in LANGUAGES)],
    "every kind of dict": [{"type": "dict", "kind": kind, "id": 1, "name": "x"}
                           for kind in ("hotel_type", "description_type", "facility_group")]
                          + [{"type": "dict", "kind": "facility_type", "id": 1, "name": "x", "facility_group_id": 1}],
    "a city that moves to another country": [COUNTRY, {**COUNTRY, "id": 2, "iso_alpha_2": "UA"}, CITY,
                                             {**CITY, "country_id": 2}],
    "content of 5 MB": [TOUR, SOURCE, {"type": "hotel_content", "adapter_id": 1, "hotel_id": "1", "descriptions": [
        {"type_id": None, "orig_type": {"en": "x"}, "text": {"en": "t" * 5000000}}]}],
    "10,000 photos": [TOUR, SOURCE, {"type": "hotel_content", "adapter_id": 1, "hotel_id": "1", "photos": [
        {"url": f"https://x.example/{i}", "is_main": False} for i in range(10000)]}],
    "an air place in 300 languages": [{**PLACE, "name": {lang: f"n {lang}" for lang in LANGUAGES}}],
    "an air place with odd values": [{**PLACE, "source_id": LOW, "weight": HIGH, "lat": -90, "lng": -180}],
    "air data of 2 MB": [AIR, PLACE, {"type": "air_source", "adapter_id": 2, "source_id": 1, "external_id": "e" * 64,
                                      "data": {"x": "d" * 2000000}}],
    "air data 31 deep": [AIR, PLACE, {"type": "air_source", "adapter_id": 2, "source_id": 1,
                                      "data": json.loads("{\"x\":" * 30 + "1" + "}" * 30)}],
    "air maps": [AIR, PLACE, {"type": "air_map", "adapter_id": 2, "external_id": "\"" * 64, "source_id": 1}],
    "redirects": [COUNTRY, {"type": "redirect", "kind": "country", "id": 7, "to": 1}],
    "a redirect of an id that lives": [COUNTRY, {**COUNTRY, "id": 2, "iso_alpha_2": "UA"},
                                       {"type": "redirect", "kind": "country", "id": 2, "to": 1}],
    "redirects in a circle": [COUNTRY, {"type": "redirect", "kind": "country", "id": 7, "to": 8},
                              {"type": "redirect", "kind": "country", "id": 8, "to": 7}],
    "mapping events": [TOUR, SOURCE, {"type": "mapping_event", "adapter_id": 1, "kind": "hotel", "id": "1",
                                      "at": "2026-01-01T00:00:00Z", "from": None, "to": 1, "by": WIDE, "why": WIDE}],
}


REFUSED = {
    "300 languages", "300 long names", "a description of 1 MB", "a description of 20 MB", "descriptions in 300 languages", "an adapter with long texts",
    "an adapter with a higher id", "an adapter with the highest id of 64 bits", "an adapter with id 0", "an adapter with a negative id",
    "coordinates beyond them", "coordinates beyond doubles", "codes that are none", "a long currency code", "long source texts", "content of 5 MB",
    "an air place in 300 languages", "an air place with odd values", "a redirect of an id that lives", "redirects in a circle", "mapping events",
}


@pytest.fixture
def taken(run, tmp_path):
    """Import an odd list: was it taken? What is refused is told with its line."""
    def taken(data, name):
        path = tmp_path / "odd.ndjson"
        path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in ODD[name]), "utf-8")
        done = run("import", path, "--data", data, "--create")
        assert done.returncode in (0, 1), done.stderr
        assert done.returncode == 0 or "odd.ndjson:" in done.stderr.splitlines()[0], "refused, but not by its line"
        return done.returncode == 0
    return taken


def test_what_is_beyond_the_limits_is_refused_by_its_line(taken, tmp_path):
    assert {name for name in ODD if name in REFUSED and not taken(tmp_path / "data", name)} == REFUSED


def test_e8_holds_after_each_that_is_taken(make_server, import_file, seen, taken):
    """In one server, which then starts again with all of it."""
    server = make_server([])
    accepted = [name for name in ODD if name not in REFUSED]
    for id, name in enumerate(accepted, 1000):
        assert taken(server.data, name), name
        import_file(server.data, [{"type": "dict", "kind": "meal", "id": id, "name": f"after {name}"}])
        assert seen(lambda id=id: id in [row["id"] for row in server.b("tour/reference").data()["meal"]]), name
        for path in ("tour/main-references?lang=uk&demo", "tour/main-references"):
            assert server.a(path).status == 200, name
    server.stop()
    for options in ((), ("--snapshot", "none")):
        again = make_server(None, *options, data=server.data)
        assert {f"after {name}" for name in accepted} <= set(again.a("tour/main-references").data()["meals"])
