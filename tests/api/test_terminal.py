"""What commands print of text that came from elsewhere does nothing to a terminal: decision P8."""
import os
import re
import zipfile

import pytest

import client
import sheets
import store

ESCAPE, C1, BELL, DELETE, OVERRIDE = "\x1b[2J", "\x9b31m", "\x07", "\x7f", "\u202e"
EVIL = f"No{ESCAPE}te{C1}{BELL}{DELETE}\rx{OVERRIDE}y"
TAMED = "No?[2Jte?31m???x?y"
LISTED = "No?[2Jte?31m?? x?y"  # in a list a carriage return ends a line
CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\udc80-\udcff]")


@pytest.fixture
def tell(run, tmp_path):
    """tell(*args): both texts that a command prints, when they are harmless."""
    data = tmp_path / "data"
    assert run("supplier", "add", "coral", "--create", "--data", data).returncode == 0

    def tell(*args):
        done = run(*args, "--data", data)
        assert not CONTROLS.search(done.stdout), (args, done.stdout)
        assert not CONTROLS.search(done.stderr), (args, done.stderr)
        return done

    tell.data, tell.path = data, tmp_path
    return tell


def listed(tell, rows, name="list.csv"):
    path = os.path.join(os.fsencode(tell.path), os.fsencode(name))
    with open(path, "wb") as file:
        file.write("\n".join(";".join(f'"{cell}"' for cell in row) for row in rows).encode())
    return os.fsdecode(path)


# Lists

def test_p8_headings_and_cells_that_are_shown(tell):
    rows = [["Code", "Name", EVIL], ["1", "Ada", f"a{ESCAPE}"], ["2", "Deniz", "one\ntwo\tthree"]]
    said = tell("load", "coral", listed(tell, rows), "--dry-run").stdout
    assert f"  {LISTED} " in said and "a?[2J | one two three" in said
    assert LISTED in tell("load", "coral", listed(tell, rows), "--accept").stdout
    assert f'the column "{LISTED}"' in tell("supplier", "show", "coral").stdout
    rows[0].append(f"Ne{BELL}w")
    assert 'the column "Ne?w" is new' in tell("load", "coral", listed(tell, rows), "--dry-run").stdout


def test_p8_a_cell_is_no_line_of_its_own(tell):
    rows = [["Code", "Name", "Latitude"], ["1\nloaded, 9 rows", "Ada", "north"]]
    said = tell("load", "coral", listed(tell, rows), "--dry-run").stdout
    assert "\nloaded, 9 rows" not in said and "1 loaded, 9 rows: lat" in said


def test_p8_columns_that_a_refusal_names(tell):
    tell("load", "coral", listed(tell, [["Code", "Name", EVIL], ["1", "Ada", ""]]), "--accept", "--map", f"address={EVIL}")
    assert f'from the column "{LISTED}"' in tell("supplier", "show", "coral").stdout
    done = tell("load", "coral", listed(tell, [["Code", "Name", f"Other{ESCAPE}"], ["1", "Ada", ""]]))
    assert done.returncode == 1 and f"names the column {LISTED}" in done.stderr and "Other?[2J" in done.stderr


def test_p8_the_name_of_a_sheet(tell):
    with zipfile.ZipFile(sheets.by_hand(tell.path / "a.xlsx", sheets.inline("Code", "Name") + sheets.inline("1", "A"))) as book:
        parts = {part: book.read(part).decode() for part in book.namelist()}
    parts["xl/workbook.xml"] = parts["xl/workbook.xml"].replace('name="List"', f'name="Li{C1}st"')
    with zipfile.ZipFile(tell.path / "b.xlsx", "w") as book:
        for part, content in parts.items():
            book.writestr(part, content)
    assert 'sheet "Li?31mst"' in tell("load", "coral", tell.path / "b.xlsx", "--accept").stdout


@pytest.mark.parametrize("name, shown", [(f"a{ESCAPE}.csv", "a?[2J.csv"), ("a\udcff\udc9b.csv", "a??.csv")])
def test_p8_the_name_of_a_file(tell, name, shown):
    done = tell("load", "coral", listed(tell, [["Code", "Name"], ["1", "Ada"]], name), "--accept")
    assert shown in done.stdout + done.stderr
    tell("batch", "list")
    assert "No such file" in tell("load", "coral", os.path.join(tell.path, "not", name)).stderr


@pytest.mark.files
def test_p8_the_name_of_a_store(tell, run):
    folder = tell.path / f"da{ESCAPE}{C1}ta"
    tell.data.rename(folder)
    done = run("status", "--data", folder)
    assert done.returncode == 0 and not CONTROLS.search(done.stdout), done
    assert "da?[2J?31mta/dragoman.db, " in done.stdout


def test_p8_answers_that_are_read_back(tell):
    head = ["adapter_id", "kind", "id", "dict_id", "decision"]
    for command in (("map", "load"), ("match", "load")):
        for row in (["1", "hotel", f"1{ESCAPE}", "7", "accept"], ["1", f"ho{C1}", "1", "7", "accept"], ["1", "hotel", "1", f"7{BELL}", f"accept{ESCAPE}"]):
            assert "refused" in tell(*command, listed(tell, [head, row], f"an{ESCAPE}swers.csv")).stdout
        tell(*command, listed(tell, [[*head[:3], EVIL, EVIL], ["1", "hotel", "1", "", ""]]))


def test_p8_what_an_import_refuses(tell):
    path = tell.path / f"re{ESCAPE}cords.ndjson"
    path.write_text(f'{{"type":"source","adapter_id":1,"kind":"ho{C1}{DELETE}","id":"2"}}\n'
                    f'{{"type":"source","adapter_id":1,"kind":"hotel","id":"2","na{C1}me":1}}\n')
    said = tell("import", path).stderr
    assert "re?[2Jcords.ndjson:1: kind: expected one of" in said and "ho?31m?" in said and "na?31mme" in said


def test_p8_what_the_command_line_says(tell):
    assert "nobody?[2J" in tell("load", f"nobody{ESCAPE}", listed(tell, [["Code", "Name"], ["1", "A"]])).stderr
    assert f"--{TAMED}" in tell("supplier", "list", f"--{EVIL}").stderr


def test_p8_what_a_server_logs(tell, processes):
    process = processes("--snapshot", f"/not/there{C1}{ESCAPE}/snapshot", data=tell.data)
    try:
        assert client.wait_until(lambda: "no snapshot is written" in process.stderr())
    finally:
        process.popen.terminate()
        process.popen.wait()
    assert "/not/there?31m?[2J/snapshot" in process.stderr() and not CONTROLS.search(process.stderr())


# The store: none of its texts has a control character (M11), unless something else than the program has written it

POISONED = ("UPDATE source SET name = name || '" + EVIL + "' WHERE kind = {hotel}", "UPDATE adapter SET name = 'Coral" + EVIL + "', code = 'c" + C1 + "'",
            "UPDATE dict SET name = '{{\"en\":\"Ada\\u001b[2J\\u009b\"}}'")
RECORDS = [{"type": "dict", "kind": "country", "id": 1, "name": "Turkey", "iso_alpha_2": "TR"}, {"type": "dict", "kind": "city", "id": 2, "country_id": 1, "name": "Side"},
           {"type": "dict", "kind": "hotel", "id": 3, "country_id": 1, "city_id": 2, "hotel_category_id": 4, "name": "Ada"},
           {"type": "dict", "kind": "hotel_category", "id": 4, "name": "5*"},
           {"type": "source", "adapter_id": 1, "kind": "hotel", "id": "h", "name": "Ada", "country_id": "TR", "city_id": "S"},
           {"type": "source", "adapter_id": 1, "kind": "hotel", "id": "m", "name": "Ada", "dict_id": 3},
           {"type": "source", "adapter_id": 1, "kind": "hotel", "id": "q", "name": "Quite Another", "country_id": "TR", "city_id": "S"}]
COMMANDS = ["map list", "map list --unmapped", "map find Ada", "dict find Ada", "dict history", "dict duplicates", "map history 1 hotel m", "map history",
            "coverage", "supplier list", "supplier show 1", "match --dry-run --samples 3", "match", "match queue", "match explain 1 hotel h", "match stats", "match doubles", "match new",
            "batch list", "batch show 1", "changes --since 2020-01-01", "check", "check --min-coverage 100", "status", "air list", "air unmatched", "map set 1 hotel h 3",
            "dict name hotel 3 en Adalet", "match audit", "batch undo 1"]


def test_p8_what_a_store_has(tell, import_file):
    import_file(tell.data, RECORDS)
    hotel = store.execute(tell.data, "SELECT kind FROM source WHERE id = 'h'")[0][0]
    store.execute(tell.data, *(statement.format(hotel=hotel) for statement in POISONED))
    shown = {command: tell(*command.split()) for command in COMMANDS}
    unknown = [command for command, done in shown.items() if done.returncode == 2]
    assert not unknown, (unknown, shown[unknown[0]].stderr)
    for command in ("map list", "dict find Ada", "coverage", "supplier list", "match --dry-run --samples 3", "match queue", "match explain 1 hotel h"):
        assert re.search(r"\?\[2J|\?31m", shown[command].stdout), shown[command].stdout


def test_p8_programs_get_text_as_it_is(tell, run, import_file):
    import_file(tell.data, RECORDS)
    store.execute(tell.data, *(statement.format(hotel=0) for statement in POISONED[1:2]))
    told = run("supplier", "list", "--format", "csv", "--data", tell.data).stdout
    assert EVIL in told, told
