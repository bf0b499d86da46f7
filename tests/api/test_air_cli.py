"""dragoman air: the mapping desk of the air suppliers (decisions A5, A8)."""
import csv
import io
import json
import re

import pytest

import air
import mapping

pytestmark = pytest.mark.store


@pytest.fixture
def data(run, import_file, tmp_path):
    air.import_lines(import_file, tmp_path / "data", tmp_path, *air.ADAPTERS, *air.PLACES, *air.MAPS)
    return mapping.Data(run, tmp_path / "data")


@pytest.fixture
def server(data, servers):
    return servers.make(None, data=data.path)


def maps(data):
    return [(r["adapter_id"], r["external_id"], r["source_id"]) for r in data.of("air_map")]


# map, unmap, list

def test_map_lets_an_id_mean_a_place(data):
    assert data.ok("air", "map", 21, "301", 2) == "adapter 21 301: not mapped -> 2\n"
    assert maps(data) == [(21, "301", 2), (21, "77", 5)]
    data.is_sound()


@pytest.mark.store_core
def test_map_moves_a_mapping(data):
    assert data.ok("air", "map", 21, "77", -9) == "adapter 21 77: 5 -> -9\n"
    assert maps(data) == [(21, "77", -9)]


def test_map_again_changes_nothing(data):
    before = data.export()
    assert data.ok("air", "map", 21, "77", 5) == "adapter 21 77: 5 already, nothing changed\n"
    assert data.export() == before


@pytest.mark.store_core
def test_unmap_takes_it_away_and_it_can_come_back(data):
    assert data.ok("air", "unmap", 21, "77") == "adapter 21 77: 5 -> not mapped\n"
    assert maps(data) == []
    assert data.fails("air", "unmap", 21, "77") == 'dragoman: adapter 21 has no mapping of "77"\n'
    assert data.ok("air", "map", 21, "77", 2) == "adapter 21 77: not mapped -> 2\n"


def test_ids_are_texts_kept_as_given(data, run):
    for id in ("007", "a b", "é\U0001f6eb", "x" * 64):
        data.ok("air", "map", 22, id, 2)
    assert run("air", "map", "--data", data.path, "--", 22, "-1", -9).returncode == 0
    assert {id for adapter, id, _ in maps(data) if adapter == 22} == {"007", "a b", "é\U0001f6eb", "-1", "x" * 64}


def test_what_cannot_be_is_said(data):
    assert data.fails("air", "map", 99, "1", 2) == "dragoman: there is no adapter 99\n"
    assert data.fails("air", "map", 7, "1", 2) == "dragoman: adapter 7 is not one for air\n"
    assert data.fails("air", "map", 21, "1", 99) == "dragoman: there is no air place 99\n"
    assert data.fails("air", "unmap", 99, "77") == "dragoman: there is no adapter 99\n"
    for id in ("", " ", "x" * 65, "a\u0001", "\udcff"):
        assert data.fails("air", "map", 21, id, 2).startswith("dragoman: external_id: expected ")


@pytest.mark.parametrize("args", [("map",), ("map", 21), ("map", 21, "1"), ("map", 21, "1", 2, 3), ("map", 0, "1", 2),
                                  ("map", 21, "1", "x"), ("map", 21, "1", 2**63), ("unmap", 21), ("unmap", -1, "1"),
                                  ("list", 21), ("unmatched", 21), ("unmatched", "--adapter", 0), ("list", "--format", "x"), ()])
def test_wrong_usage(data, args):
    done = data.run("air", *args)
    assert done.returncode == 2 and done.stdout == "" and done.stderr.startswith("dragoman: ")


def test_without_data(run, tmp_path):
    for args in (("map", 21, "1", 2), ("unmap", 21, "1"), ("list",), ("unmatched",)):
        assert run("air", *args, "--data", tmp_path / "none").returncode == 1


def test_list(data):
    data.ok("air", "map", 22, "a,b", 2)
    assert data.ok("air", "list") == (
        "adapter_id  external_id           source_id\n"
        "21          77                    5\n"
        "22          a,b                   2\n")
    assert data.ok("air", "list", "--adapter", 22, "--format", "csv") == 'adapter_id,external_id,source_id\r\n22,"a,b",2\r\n'
    lines = data.ok("air", "list", "--format", "ndjson")
    assert lines == data.export("--type", "air_map")


# suppliers by their codes
def test_air_suppliers_by_code(data):
    data.ok("air", "map", "skyone", "77", 2)
    assert data.ok("air", "list", "--adapter", "skyone").split()[-3:] == ["21", "77", "2"]
    assert "there is no supplier sky (there are:" in data.fails("air", "unmap", "sky", "77")


# unmatched

@pytest.fixture
def reported(server, data):
    for fields, times in (({"external_id": 301, "iata_code": "QQQ", "title": 'No, "where"'}, 3),
                          ({"external_id": 301, "title": "Other", "lang_code": "uk"}, 2),
                          ({"external_id": 301, "adapter_id": 22}, 1), ({"title": "Springfield\tA"}, 4)):
        for _ in range(times):
            assert air.compared(server, **fields).data()["compared"]["source_id"] is None
    server.stop()
    return data


def test_unmatched_lists_the_most_frequent_first(reported, run):
    assert air.unmatched(run, reported.path) == [
        (21, None, None, "Springfield\tA", "en", 4), (21, "301", "QQQ", 'No, "where"', "en", 3),
        (21, "301", None, "Other", "uk", 2), (22, "301", None, None, "en", 1)]
    assert air.unmatched(run, reported.path, "--adapter", "22") == [(22, "301", None, None, "en", 1)]
    assert air.unmatched(run, reported.path, "--adapter", "23") == []


def test_unmatched_formats(reported):
    stamp = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"
    table = reported.ok("air", "unmatched").splitlines()
    assert re.fullmatch(r"count +first_seen +last_seen +adapter_id +external_id +iata_code +lang_code +title", table[0])
    assert re.fullmatch(rf"4 +{stamp} +{stamp} +21 +- +- +en +Springfield A", table[1])
    rows = list(csv.DictReader(io.StringIO(reported.ok("air", "unmatched", "--format", "csv"), newline="")))
    assert [row["title"] for row in rows] == ["Springfield\tA", 'No, "where"', "Other", ""]
    assert rows[1]["external_id"] == "301" and rows[1]["count"] == "3"
    first = json.loads(reported.ok("air", "unmatched", "--format", "ndjson").splitlines()[0])
    assert list(first) == ["type", "adapter_id", "title", "lang_code", "count", "first_seen", "last_seen"]
    assert re.fullmatch(stamp, first["first_seen"]) and first["first_seen"] <= first["last_seen"]


def test_unmatched_of_nothing(data):
    assert data.ok("air", "unmatched", "--format", "ndjson") == ""
    assert data.ok("air", "unmatched").count("\n") == 1


@pytest.mark.store_core
def test_map_forgets_the_reports_about_an_id(reported, run):
    assert reported.ok("air", "map", 21, "301", 2) == "adapter 21 301: not mapped -> 2; reports dealt with: 2\n"
    assert [row[:2] for row in air.unmatched(run, reported.path)] == [(21, None), (22, "301")]
    reported.ok("air", "unmap", 21, "301")
    assert len(air.unmatched(run, reported.path)) == 2


def test_an_imported_mapping_hides_them(reported, run, import_file):
    import_file(reported.path, [{"type": "air_map", "adapter_id": 21, "external_id": "301", "source_id": 2}])
    assert [row[:2] for row in air.unmatched(run, reported.path)] == [(21, None), (22, "301")]


def test_reports_are_no_records(reported, run, import_file, tmp_path):
    assert "air_report" not in reported.export()
    lines = reported.ok("air", "unmatched", "--format", "ndjson")
    path = tmp_path / "reports.ndjson"
    path.write_text(lines, "utf-8")
    assert reported.run("import", "--create", path).returncode == 1


# with a running server

def test_e8_the_next_call_matches_within_a_second(server, data, run, seen):
    assert air.match(server, external_id=301) is None
    assert seen(lambda: air.unmatched(run, data.path))
    data.ok("air", "map", 21, "301", 2)
    assert seen(lambda: air.match(server, external_id=301) == 2)
    data.ok("air", "map", 21, "301", 4)
    assert seen(lambda: air.match(server, external_id=301) == 4)
    data.ok("air", "unmap", 21, "301")
    assert seen(lambda: air.match(server, external_id=301) is None)


def test_a_report_on_its_way_when_the_id_is_mapped_is_not_stored(server, data, run):
    for _ in range(5):
        air.compared(server, external_id=301, title="Nowhere")
    data.ok("air", "map", 21, "301", 2)
    server.stop()
    assert air.unmatched(run, data.path) == []
    data.ok("air", "unmap", 21, "301")
    assert air.unmatched(run, data.path) == []


def test_a_mapping_whose_place_goes_is_no_match_and_reported(server, data, run, import_file, seen):
    data.ok("air", "map", 21, "301", 6)
    assert seen(lambda: air.match(server, external_id=301) == 6)
    import_file(data.path, [{"type": "air_map", "adapter_id": 21, "external_id": "301", "deleted": True},
                            {"type": "air_place", "source_id": 6, "deleted": True}])
    assert seen(lambda: air.match(server, external_id=301) is None)
    server.stop()
    assert [row[:2] for row in air.unmatched(run, data.path)] == [(21, "301")]
