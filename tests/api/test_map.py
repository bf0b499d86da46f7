"""dragoman map: decisions M16, M17 and, of merged ids, M19."""
import csv
import datetime
import io
import json
import re

import pytest

import mapping
import translation

pytestmark = pytest.mark.store

HOTEL = (7, "hotel", "1002")  # not mapped in mini.ndjson; 1001 is mapped to 55


def only_event(data, *source):
    (event,) = data.of("mapping_event", adapter_id=source[0], kind=source[1], id=source[2])
    return event


# set and clear

def test_m16_set_maps_and_keeps_the_decision(data):
    assert data.map("set", *HOTEL, 55, "--by", "olena", "--why", "same pool") == (
        "adapter 7 hotel 1002: not mapped -> 55\n")
    assert data.mapped_to(*HOTEL) == 55
    event = only_event(data, *HOTEL)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(\d{3})?Z", event.pop("at"))
    assert event == {"type": "mapping_event", "adapter_id": 7, "kind": "hotel", "id": "1002", "to": 55,
                     "by": "olena", "why": "same pool", "batch": 2}
    data.is_sound()


def test_m16_set_moves_a_mapping(data):
    data.map("set", 7, "hotel", "1001", 56)
    assert data.mapped_to(7, "hotel", "1001") == 56
    assert data.events(7, "hotel", "1001") == [(55, 56, "set")]


def test_m16_clear_takes_a_mapping_away(data):
    assert data.map("clear", 7, "hotel", "1001") == "adapter 7 hotel 1001: 55 -> not mapped\n"
    assert data.mapped_to(7, "hotel", "1001") is None
    assert data.events(7, "hotel", "1001") == [(55, None, "set")]


def test_m16_a_decision_that_changes_nothing_is_none(data):
    before = data.export()
    assert data.map("set", 7, "hotel", "1001", 55) == "adapter 7 hotel 1001: 55 already, nothing changed\n"
    assert data.map("clear", *HOTEL) == "adapter 7 hotel 1002: not mapped already, nothing changed\n"
    assert data.export() == before


def test_m16_the_other_fields_of_the_source_stay(data):
    (before,) = data.of("source", adapter_id=7, kind="hotel", id="1001-B")
    data.map("set", 7, "hotel", "1001-B", 56)
    assert data.of("source", adapter_id=7, kind="hotel", id="1001-B") == [{**before, "dict_id": 56}]


def test_m16_by_is_the_user_where_it_is_not_given(data, monkeypatch):
    monkeypatch.setenv("USER", "taras")
    data.map("set", *HOTEL, 55)
    assert only_event(data, *HOTEL)["by"] == "taras"
    monkeypatch.delenv("USER")
    data.map("clear", *HOTEL)
    assert data.of("mapping_event")[-1]["by"], "the name that the system knows"


@pytest.mark.store_core
def test_m16_times_of_decisions_differ_and_grow(data, import_file):
    ahead = {"type": "mapping_event", "adapter_id": 7, "kind": "hotel", "id": "1002", "at": "2999-01-01T00:00:00Z"}
    import_file(data.path, [ahead])
    for dict_id in (55, 56, 57):
        data.map("set", *HOTEL, dict_id)
    times = [json.loads(line)["at"] for line in data.map("history", *HOTEL, "--format", "ndjson").splitlines()]
    assert times == ["2999-01-01T00:00:00.000Z", "2999-01-01T00:00:00.000001Z", "2999-01-01T00:00:00.000002Z",
                     "2999-01-01T00:00:00.000003Z"]


def test_negative_ids_are_arguments(data):
    data.map("set", 7, "city", "503", -44)
    assert data.mapped_to(7, "city", "503") == -44


@pytest.mark.parametrize("args, says", [
    ((99, "hotel", "1001", 55), "there is no adapter 99"),
    ((7, "hotel", "nope", 55), 'adapter 7 has no hotel "nope"'),
    ((7, "meal", "1001", 1), 'adapter 7 has no meal "1001"'),
    ((7, "hotel", "1001", 99), "there is no hotel 99"),
    ((7, "hotel", "1001", 331), "there is no hotel 331"),
    ((7, "hotel", "1001", 56, "--by", "x" * 256), "by: expected a text of 1 to 255 characters"),
    ((7, "hotel", "1001", 56, "--why", "a\x07b"), "why: "),
    ((7, "hotel", "1001", 56, "--why", "\udcff"), "why: expected a text of 1 to 1024 characters, found a text that is not UTF-8"),
])
def test_e2_what_is_unknown_or_wrong_is_named(data, args, says):
    assert says in data.fails("map", "set", *args)


@pytest.mark.parametrize("args, says", [
    (("set", 7, "hotel", "1001"), "SUPPLIER KIND ID DICT_ID is missing"),
    (("set", "0", "hotel", "1001", 55), 'expected an integer of 1 to 2147483647 or a code, found "0"'),
    (("set", 7, "hotel_type", "1001", 55), 'KIND: expected one of country, dep_city, currency, city, meal,'),
    (("set", 7, "hotel", "1001", "y"), 'DICT_ID: expected an integer, found "y"'),
    (("list", "--mapped", "--unmapped"), "not both"),
    (("list", "--format", "xml"), "--format: expected one of table, ndjson, csv"),
    (("list", "--kind", "castle"), "KIND: expected one of"),
    (("history", 7), "expected SUPPLIER KIND ID"),
])
def test_a_wrong_command_line_has_exit_status_2(data, args, says):
    done = data.run("map", *args)
    assert done.returncode == 2 and says in done.stderr, done.stderr


def test_without_a_store_nothing_is_made(run, tmp_path):
    done = run("map", "set", *HOTEL, 55, "--data", tmp_path)
    assert done.returncode == 1 and "there is no store" in done.stderr
    assert list(tmp_path.iterdir()) == []


# undo

@pytest.mark.store_core
def test_m17_undo_takes_the_last_decision_back(data):
    data.map("set", 7, "hotel", "1001", 56)
    assert data.map("undo", 7, "hotel", "1001", "--by", "ivan") == "adapter 7 hotel 1001: 56 -> 55\n"
    assert data.mapped_to(7, "hotel", "1001") == 55
    assert data.events(7, "hotel", "1001") == [(55, 56, "set"), (56, 55, "undo")]
    assert data.of("mapping_event")[-1]["by"] == "ivan"


def test_m17_undo_of_the_first_decision_leaves_it_unmapped(data):
    data.map("set", *HOTEL, 56)
    data.map("undo", *HOTEL)
    assert data.mapped_to(*HOTEL) is None


def test_m17_undo_of_a_clear_maps_again(data):
    data.map("clear", 7, "hotel", "1001")
    data.map("undo", 7, "hotel", "1001")
    assert data.mapped_to(7, "hotel", "1001") == 55


def test_m17_two_undos_cancel_out(data):
    data.map("set", *HOTEL, 56)
    data.map("undo", *HOTEL)
    data.map("undo", *HOTEL)
    assert data.mapped_to(*HOTEL) == 56
    assert data.events(*HOTEL) == [(None, 56, "set"), (56, None, "undo"), (None, 56, "undo")]


def test_m17_without_a_decision_there_is_nothing_to_undo(data):
    assert "there is no decision" in data.fails("map", "undo", 7, "hotel", "1001")
    assert 'has no hotel "nope"' in data.fails("map", "undo", 7, "hotel", "nope")


def test_m17_what_an_import_changed_is_undone(data, import_file):
    data.map("set", *HOTEL, 56)
    import_file(data.path, [{"type": "source", "adapter_id": 7, "kind": "hotel", "id": "1002", "name": "x", "dict_id": 57}])
    data.map("undo", *HOTEL)
    assert data.mapped_to(*HOTEL) == 56
    assert data.events(*HOTEL) == [(None, 56, "set"), (56, 57, "import"), (57, 56, "undo")]


def test_m17_a_merge_is_undone_by_a_split(data):
    data.merge("hotel", 55, 56)
    assert "dict split hotel 55" in data.fails("map", "undo", 7, "hotel", "1001")
    data.split("hotel", 55)
    assert "came from a split" in data.fails("map", "undo", 7, "hotel", "1001")


def test_m17_undo_to_what_was_merged_meanwhile(data):
    data.map("set", 7, "hotel", "1001", 57)
    data.merge("hotel", 55, 56)
    assert data.map("undo", 7, "hotel", "1001").splitlines() == [
        "hotel 55 was merged into 56", "adapter 7 hotel 1001: 57 -> 56"]


def test_m17_undo_to_what_is_gone_fails(data, import_file):
    data.map("set", *HOTEL, 58)
    data.map("set", *HOTEL, 57)
    import_file(data.path, [{"type": "dict", "kind": "hotel", "id": 58, "deleted": True}])
    assert "there is no hotel 58" in data.fails("map", "undo", *HOTEL)


# lists and history

def test_list_says_what_is_mapped(data):
    everything = data.map("list", "--format", "ndjson")
    assert everything == data.export("--type", "source")
    mapped, unmapped = (data.map("list", which, "--format", "ndjson") for which in ("--mapped", "--unmapped"))
    assert [json.loads(line)["id"] for line in unmapped.splitlines()] == ["503", "1002"]
    assert sorted((mapped + unmapped).splitlines()) == sorted(everything.splitlines())


def test_list_narrows_by_adapter_and_kind(data):
    rows = data.map("list", "--adapter", 7, "--kind", "hotel", "--format", "ndjson")
    assert rows == data.export("--type", "source", "--adapter", "7", "--kind", "hotel")


def test_list_as_a_table(data):
    lines = data.map("list", "--mapped", "--kind", "city").splitlines()
    assert [line.split() for line in lines][:2] == [
        ["adapter_id", "kind", "id", "dict_id", "name", "dict_name"], ["7", "city", "501", "331", "ANTALYA", "Antalya"]]


def test_list_of_what_is_not_mapped_says_where_it_is_and_why(data, import_file):
    def table(*options):
        """The rows, but for `since`."""
        header, *rows = [re.split(r" {2,}", line) for line in data.map("list", "--unmapped", *options).splitlines()]
        for row in rows:
            row.pop(header.index("since"))
        return header, rows

    header, rows = table()
    assert header == ["adapter_id", "kind", "id", "name", "city_name", "country_name", "category_name", "since", "asked", "reason"]
    assert rows == [["7", "city", "503", "KEMER", "-", "TURKEY", "-", "0", "lacks coordinates"],
                    ["7", "hotel", "1002", "BELEK GOLF", "BELEK", "TURKEY", "4*", "0", "lacks coordinates"]]
    hotel = {"type": "source", "adapter_id": 7, "kind": "hotel", "name": "N"}
    whole = hotel | {"city_name": "X", "lat": 1, "lng": 2}
    import_file(data.path, [hotel | {"id": "a", "city_id": "503"}, hotel | {"id": "b", "lat": 1, "lng": 2}, whole | {"id": "c"},
                            whole | {"id": "d", "name": "BLUE-BAY palace"},
                            {"type": "dict", "kind": "hotel", "id": 900, "name": "Twin", "country_id": 1, "city_id": 331, "hotel_category_id": 5},
                            {"type": "dict", "kind": "hotel", "id": 901, "name": "Twin", "country_id": 1, "city_id": 331, "hotel_category_id": 5},
                            whole | {"id": "e", "name": "TWIN"}])
    assert [row[-1] for row in table("--kind", "hotel")[1][1:]] == [
        "its city is not mapped", "lacks its city", "no candidate: nothing is called so", "is called like 55", "several are called so"]


def test_list_says_since_when_each_is_there(clock, data, import_file):
    def now():
        return datetime.datetime.now(datetime.timezone.utc)

    def since():
        header, *rows = [re.split(r" {2,}", line) for line in data.map("list", "--unmapped", "--kind", "hotel").splitlines()]
        return {row[header.index("id")]: datetime.datetime.fromisoformat(row[header.index("since")]) for row in rows}

    before, ahead, began = since(), datetime.timedelta(days=30), now().replace(microsecond=0)
    assert before["1002"] <= now()
    clock.advance(ahead.total_seconds())
    import_file(data.path, [{"type": "source", "adapter_id": 7, "kind": "hotel", "id": "n", "name": "N"}])
    after = since()
    assert began + ahead <= after.pop("n") <= now() + ahead
    assert after == before


def test_list_as_csv_can_be_filled_in_and_imported(data, import_file, tmp_path):
    rows = list(csv.DictReader(io.StringIO(data.map("list", "--unmapped", "--kind", "hotel", "--format", "csv"))))
    assert [row["id"] for row in rows] == ["1002"]
    (before,) = data.of("source", adapter_id=7, kind="hotel", id="1002")
    rows[0]["dict_id"] = "56"
    path = tmp_path / "done.csv"
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    import_file(data.path, path, "--csv", "source:hotel")
    assert data.of("source", adapter_id=7, kind="hotel", id="1002") == [{**before, "dict_id": 56}]


@pytest.mark.parametrize("rows", [1, 499, 500, 700])
def test_each_refused_row_of_a_list_is_named(data, tmp_path, rows):
    """They are read some hundred at a time."""
    path = tmp_path / "map.csv"
    path.write_text("adapter_id,kind,id,dict_id\n" + "".join(f"7,hotel,none{i},55\n" for i in range(rows)), "utf-8")
    done = data.run("map", "load", path)
    assert done.returncode == 1 and f"{rows} rows were refused" in done.stderr
    said = [line for line in done.stdout.splitlines() if line.startswith("refused")]
    assert said == [f"refused {path}:{i + 2}: hotel none{i}: there is no such record of this supplier" for i in range(rows)]


def test_csv_quotes_what_needs_it(data, import_file):
    name = 'a, "b"\nc'
    import_file(data.path, [{"type": "source", "adapter_id": 7, "kind": "meal", "id": "q", "name": name}])
    (row,) = csv.DictReader(io.StringIO(data.map("list", "--unmapped", "--kind", "meal", "--format", "csv"), newline=""))
    assert row["name"] == name
    table = data.map("list", "--unmapped", "--kind", "meal").splitlines()
    assert 'a, "b" c' in table[1], "a row of a table is one line"


def test_history_of_one_and_of_all(data):
    data.map("set", *HOTEL, 55, "--by", "olena", "--why", "pool")
    data.map("clear", 7, "hotel", "1001", "--by", "ivan")
    # The same events, but the history is in the order of time.
    assert sorted(data.map("history", "--format", "ndjson").splitlines()) == data.export("--type", "mapping_event").splitlines()
    (line,) = data.map("history", *HOTEL, "--format", "ndjson").splitlines()
    assert json.loads(line)["by"] == "olena"
    title, row = data.map("history", *HOTEL).splitlines()
    assert title.split() == ["at", "how", "adapter_id", "kind", "id", "from", "to", "by", "why"]
    assert row.split()[1:] == ["set", "7", "hotel", "1002", "-", "55", "olena", "pool"]
    (row,) = csv.DictReader(io.StringIO(data.map("history", *HOTEL, "--format", "csv")))
    assert (row["to"], row["why"], row["how"]) == ("55", "pool", "set")


# travelling, merged ids, a running server

def test_history_of_all_is_in_the_order_of_time(data):
    sources = [(7, "hotel", "1002"), (7, "country", "90"), (7, "hotel", "1001"), (7, "hotel", "1002")]
    for number, source in enumerate(sources):
        data.map("clear" if number == 3 else "set", *source, *([] if number == 3 else [56 if source[1] == "hotel" else 2]))
    events = [json.loads(line) for line in data.map("history", "--format", "ndjson").splitlines()]
    assert [(e["adapter_id"], e["kind"], e["id"]) for e in events] == sources
    assert [e["at"] for e in events] == sorted(e["at"] for e in events)


@pytest.mark.store_core
def test_history_travels_in_export_and_import(data, run, tmp_path):
    data.map("set", *HOTEL, 55, "--why", "a\nb")
    data.map("undo", *HOTEL)
    file, other = tmp_path / "all.ndjson", mapping.Data(run, tmp_path / "other")
    file.write_text(data.export(), "utf-8")
    other.ok("import", file)
    assert other.export() == data.export()
    other.map("undo", *HOTEL)
    assert other.mapped_to(*HOTEL) == 55


def test_m19_set_to_a_merged_id_follows_the_redirect(data):
    data.merge("hotel", 57, 56)
    assert data.map("set", *HOTEL, 57).splitlines() == [
        "hotel 57 was merged into 56", "adapter 7 hotel 1002: not mapped -> 56"]
    assert data.mapped_to(*HOTEL) == 56
    assert data.events(*HOTEL) == [(None, 56, "set")]


def test_e8_a_running_server_shows_decisions(make_server, run, mini, seen):
    server = make_server(mini)
    data = mapping.Data(run, server.data)

    def dict_of(id):
        row = translation.source_info(server, 7, {"hotel": id}).data()["hotel"][0]
        return row["dict"]["id"] if row["dict"] else None

    assert dict_of("1002") is None
    data.map("set", *HOTEL, 56)
    assert seen(lambda: dict_of("1002") == 56)
    data.map("set", *HOTEL, 57)
    assert seen(lambda: dict_of("1002") == 57)
    data.map("undo", *HOTEL)
    assert seen(lambda: dict_of("1002") == 56)
    data.map("clear", *HOTEL)
    assert seen(lambda: dict_of("1002") is None)
