"""dragoman match: decisions M30 and M31, docs/matching.md."""
import json
import re

import pytest

import mapping

PLACES = [
    {"type": "adapter", "id": 1, "code": "sunny", "name": "Sunny", "domain": "tour"},
    {"type": "adapter", "id": 2, "code": "other", "name": "Other", "domain": "tour"},
    {"type": "dict", "kind": "country", "id": 1, "name": {"en": "Turkey", "uk": "Туреччина"}, "iso_alpha_2": "TR"},
    {"type": "dict", "kind": "country", "id": 2, "name": {"en": "Spain", "uk": "Іспанія"}, "iso_alpha_2": "ES"},
    {"type": "dict", "kind": "currency", "id": 978, "name": {"en": "Euro"}, "iso_code": "EUR"},
    {"type": "dict", "kind": "city", "id": 10, "name": {"en": "Side", "uk": "Сіде"}, "country_id": 1, "lat": 36.767, "lng": 31.389},
    {"type": "dict", "kind": "city", "id": 11, "name": {"en": "Toledo"}, "country_id": 2, "lat": 39.86, "lng": -4.02},
    {"type": "dict", "kind": "hotel_category", "id": 5, "name": "5*"},
]
HOTELS = ["Orkide Resort & Spa", "Pamfilya Konak", "Sultan Sahil Palace", "Meridia Beach", "Zeytin Hotel", "Defne Residence",
          "Lykia Garden 2", "Aspendos Mirage", "Kervansaray Bahce", "Turkuaz Yakamoz"]


def dict_hotels():
    return [{"type": "dict", "kind": "hotel", "id": 100 + i, "name": name, "country_id": 1, "city_id": 10,
             "hotel_category_id": 5, "lat": 36.76 + i * 0.002, "lng": 31.38} for i, name in enumerate(HOTELS)]


def source(id, name, adapter=1, **more):
    return {"type": "source", "adapter_id": adapter, "kind": "hotel", "id": str(id), "name": name,
            "country_name": "TURKEY", "city_name": "SIDE", **more}


def near(i):
    return {"lat": 36.76 + i * 0.002 + 0.0001, "lng": 31.38}


@pytest.fixture
def data(run, import_file, tmp_path):
    import_file(tmp_path, PLACES + dict_hotels())
    return mapping.Data(run, tmp_path)


@pytest.fixture
def add(data, import_file):
    return lambda *records: import_file(data.path, list(records))


def results(data, *options, report=None):
    """What a dry run says of each source."""
    path = report or data.path / "report.ndjson"
    data.ok("match", "--dry-run", "--samples", "0", "--report", path, *options)
    return {(r["adapter_id"], r["kind"], r["id"]): r for r in map(json.loads, path.read_text("utf-8").splitlines())}


def test_m30_what_is_certain_is_mapped_with_an_event_that_tells_why(data, add):
    add(source(1, "ORKIDE RST AND SPA 5*", **near(0)))
    out = data.ok("match")
    assert "1 automatic" in out and "match undo" in out
    assert data.mapped_to(1, "hotel", "1") == 100
    (event,) = data.of("mapping_event")
    assert event["how"] == "match" and event["to"] == 100 and event["by"].startswith("match 20")
    assert event["why"].startswith("automatic, ") and "orkide" in event["why"]
    data.is_sound()


def test_m30_the_bits_of_an_explanation_add_up(data, add):
    add(*(source(i, name.upper(), **near(i)) for i, name in enumerate(HOTELS)))
    for r in results(data).values():
        total, rest = re.match(r"automatic, (-?[\d.]+) bits \(p [\d.]+\): (.*)", r["explanation"]).groups()
        assert sum(map(float, re.findall(r"[+-]\d+\.\d\b", rest))) == pytest.approx(float(total), abs=0.11)


def test_m30_a_second_run_decides_nothing_new(data, add):
    add(source(1, "Orkide Resort", **near(0)), source(2, "Nobody's House", **near(5)))
    data.ok("match")
    before = data.export()
    assert "nothing new" in data.ok("match")
    assert data.export() == before


def test_m30_a_dry_run_writes_nothing(data, add):
    add(source(1, "Orkide Resort", **near(0)))
    before = data.export()
    assert "nothing was written" in data.ok("match", "--dry-run")
    assert data.export() == before


def test_m31_one_undo_takes_a_run_back_and_the_next_run_may_map_again(data, add):
    add(source(1, "Orkide Resort", **near(0)), source(2, "Meridia Beach", **near(3)))
    data.ok("match")
    assert "2 taken back, 0 left" in data.ok("match", "undo")
    assert data.mapped_to(1, "hotel", "1") is None and data.mapped_to(1, "hotel", "2") is None
    data.ok("match")
    assert data.mapped_to(1, "hotel", "1") == 100
    data.is_sound()


def test_m31_an_undo_leaves_what_people_decided_since(data, add):
    add(source(1, "Orkide Resort", **near(0)), source(2, "Meridia Beach", **near(3)), source(3, "Zeytin Hotel", **near(4)))
    data.ok("match")
    data.map("set", 1, "hotel", "1", 105)
    data.map("undo", 1, "hotel", "2")
    assert "1 taken back, 2 left" in data.ok("match", "undo")
    assert data.mapped_to(1, "hotel", "1") == 105


def test_m31_batches_have_names(data, add):
    add(source(1, "Orkide Resort", **near(0)))
    data.ok("match")
    add(source(2, "Meridia Beach", **near(3)))
    data.ok("match")
    first, second = sorted({e["by"] for e in data.of("mapping_event")})
    data.ok("match", "undo", first)
    assert data.mapped_to(1, "hotel", "1") is None and data.mapped_to(1, "hotel", "2") == 103
    assert "no mapping was made by" in data.fails("match", "undo", "match 1999")


def test_m31_nothing_to_undo(data):
    assert "no run of the matcher" in data.fails("match", "undo")


def test_m30_what_people_decided_stands(data, add):
    add(source(1, "Orkide Resort", **near(0)), source(2, "Meridia Beach", **near(3)))
    data.map("set", 1, "hotel", "1", 109)
    data.map("set", 1, "hotel", "2", 103)
    data.map("clear", 1, "hotel", "2")
    before = data.export()
    out = data.ok("match", "--kind", "hotel")
    assert "1 mapped before" in out and "1 left as people decided" in out
    assert data.export() == before


def test_two_records_of_one_supplier_that_claim_one_hotel_are_asked(data, add):
    add(source(1, "Orkide Resort", **near(0)), source(2, "Orkide Resort & Spa", **near(0)),
        source(1, "Orkide Resort", adapter=2, **near(0)))
    got = results(data)
    assert {got[1, "hotel", i]["reason"] for i in "12"} == {"veto_claimed"}
    assert got[2, "hotel", "1"]["outcome"] == "automatic"


def test_a_hotel_that_is_mapped_keeps_others_of_its_supplier_off(data, add):
    add(source(1, "Whatever", dict_id=100), source(2, "Orkide Resort & Spa", **near(0)))
    assert results(data)[1, "hotel", "2"]["reason"] == "veto_claimed"


@pytest.mark.parametrize("name, more, outcome, reason", [
    ("Orkide Residence", near(0), "ask", "veto_residence"),
    ("Lykia Garden 3", near(6), "ask", "veto_numbers"),
    ("Orkide Resort Gym", near(0), "ask", "veto_part"),
    ("Xyzzy Plugh", {"lat": 50.0, "lng": 10.0}, "none", "no_candidates"),
    ("!!!", near(0), "none", "lacks_name"),
    ("H", near(0), "not automatic", None),
    ("Hotel", {"lat": 0.0, "lng": 0.0}, "none", None),
    ("Orkide Resort & Spa", {"country_name": "Spain", "city_name": "Toledo", **near(0)}, "none", "veto_country"),
    ("Orkide Resort & Spa", {"lat": 31.38, "lng": 36.76}, "ask", None),
    ("Orkide Resort & Spa", {"city_name": "Nowhere"}, "ask", "lacks_place"),
    ("Orkide Resort & Spa", {}, "automatic", "sure"),
    ("Orkide (ex. Belmondo Palas) 5*", near(0), "automatic", "sure"),
    ("Orkide Side", near(0), "automatic", "sure"),
    ("x" * 1000, near(0), "not automatic", None),
    ("ab " * 340, near(0), "not automatic", None),
], ids=lambda v: v[:20] if isinstance(v, str) else "")
def test_outcomes_and_their_reasons(data, add, name, more, outcome, reason):
    add(source(1, name, **more))
    r = results(data)[1, "hotel", "1"]
    assert r["outcome"] == outcome or (outcome == "not automatic" and r["outcome"] != "automatic"), r
    assert reason in (None, r["reason"]), r


def test_one_name_for_all_maps_nothing(data, add):
    add(*(source(i, "Hotel", lat=36.76, lng=31.38) for i in range(3000)),
        *({"type": "dict", "kind": "hotel", "id": 10000 + i, "name": "Hotel", "country_id": 1, "city_id": 10,
           "hotel_category_id": 5, "lat": 36.76, "lng": 31.38} for i in range(3000)))
    assert not [r for r in results(data).values() if r["kind"] == "hotel" and r["outcome"] == "automatic"]


def test_countries_currencies_and_cities_come_before_the_hotels_that_use_them(data, add):
    def own(kind, id, name, **more):
        return {"type": "source", "adapter_id": 1, "kind": kind, "id": id, "name": name, **more}
    add(own("country", "90", "Туреччина"), own("currency", "7", "Euros", iso_code="EUR"), own("currency", "EUR", "Dollars"),
        own("city", "501", "СІДЕ", country_id="90"), own("city", "502", "Side", country_name="Spain"),
        own("city", "503", "Side (Antalya)", country_id="90"), own("city", "504", "Side", country_id="90", lat=41.0, lng=29.0),
        {"type": "source", "adapter_id": 1, "kind": "hotel", "id": "1", "name": "PAMFILYA KONAK", "country_id": "90", "city_id": "501"})
    got = {k[1:]: (r["outcome"], r["reason"], r["dict_id"]) for k, r in results(data).items()}
    assert got == {("country", "90"): ("automatic", "sure", 1), ("currency", "7"): ("automatic", "sure", 978),
                   ("currency", "EUR"): ("ask", "below_threshold", 978),
                   ("city", "501"): ("automatic", "sure", 10), ("city", "502"): ("none", "veto_country", None),
                   ("city", "503"): ("ask", "below_threshold", 10), ("city", "504"): ("ask", "below_threshold", 10),
                   ("hotel", "1"): ("automatic", "sure", 101)}


def test_only_the_adapters_and_kinds_that_are_named(data, add):
    add(source(1, "Orkide Resort", **near(0)), source(1, "Orkide Resort", adapter=2, **near(0)),
        {"type": "source", "adapter_id": 2, "kind": "country", "id": "TR", "name": "Turkey"})
    data.ok("match", 2, "--kind", "hotel")
    assert data.mapped_to(1, "hotel", "1") is None
    assert data.mapped_to(2, "hotel", "1") == 100
    assert data.mapped_to(2, "country", "TR") is None


def test_a_scorecard_of_ones_own(data, add, tmp_path):
    add(source(1, "Orkide Resort", **near(0)))
    card = tmp_path / "card.txt"
    card.write_text(data.run_command("match", "weights").stdout.replace("automatic 1.44", "automatic 30"))
    assert results(data, "--weights", card)[1, "hotel", "1"]["reason"] == "below_threshold"
    card.write_text("version 1\nname 1 2\n")
    assert "line 2: name: expected 13 numbers" in data.fails("match", "--weights", card)


@pytest.mark.parametrize("options, says", [
    (("--precision", "2"), "from 0.5 to 0.9999"), (("--kind", "castle"), "expected one of"), (("x",), "expected an integer")])
def test_a_wrong_command_line(data, options, says):
    done = data.run("match", *options)
    assert done.returncode == 2 and says in done.stderr


def test_an_adapter_that_there_is_not(data):
    assert "there is no adapter 77" in data.fails("match", 77)


def test_meals_and_categories_by_what_they_mean(data, add):
    def own(kind, id, name):
        return {"type": "source", "adapter_id": 1, "kind": kind, "id": id, "name": name}
    add({"type": "dict", "kind": "meal", "id": 1, "name": "AI", "description": {"en": "All inclusive"}},
        {"type": "dict", "kind": "meal", "id": 2, "name": "HB", "description": {"en": "Half board", "sv": "Halvpension"}},
        own("meal", "1", "Все включено"), own("meal", "2", "Halvpension"), own("meal", "3", "AI Light"), own("meal", "4", "BB"),
        own("hotel_category", "1", "HV-1/5*"), own("hotel_category", "2", "Пять звёзд"), own("hotel_category", "3", "4.5*"),
        own("hotel_category", "4", "SPECIAL"))
    got = {k[1:]: (r["outcome"], r["reason"], r["dict_id"]) for k, r in results(data).items()}
    assert got == {("meal", "1"): ("automatic", "sure", 1), ("meal", "2"): ("automatic", "sure", 2),
                   ("meal", "3"): ("ask", "unclear", None), ("meal", "4"): ("none", "no_candidates", None),
                   ("hotel_category", "1"): ("automatic", "sure", 5), ("hotel_category", "2"): ("automatic", "sure", 5),
                   ("hotel_category", "3"): ("ask", "unclear", None), ("hotel_category", "4"): ("none", "no_candidates", None)}
