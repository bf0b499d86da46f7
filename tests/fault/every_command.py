"""Every command of the program once or more, on a store that has something for each: test_nth_command.py makes its calls fail.

A row is the words of a command; of each word {data}, {out} and {lists} are the data folder, a folder of its own, and files that it reads."""
import gzip
import json
import pathlib
import subprocess

import sheets

FIXTURES = pathlib.Path(__file__).resolve().parents[1] / "fixtures"
PASSWORD = b"correct horse battery\n"
ROWS = [["Code", "Hotel Name", "Country Code", "Country", "Latitude", "Note"],
        ["h1", "Mavi Koy", "TR", "Turkey", "36,80", "x"], ["h2", "Blue Bay Palace", "TR", "Turkey", "36,85", "x"]]

#: They make the store.
STEPS = (
    (["import", str(FIXTURES / "mini.ndjson"), "--create"], None),
    (["import", "-"], json.dumps({"type": "source", "adapter_id": 8, "kind": "hotel", "id": "n1", "name": "Belek Golf Resort"}).encode()),
    (["user", "add", "anna", "--role", "curator", "--password-file", "-"], PASSWORD),
    (["key", "create", "--api", "b", "--secret", "--json"], None),
    (["match"], None),
    (["map", "set", "7", "hotel", "1002", "56"], None),
    (["dict", "merge", "hotel", "58", "57"], None),
    (["dict", "name", "hotel", "55", "de", "Blauer Palast"], None),
    (["air", "map", "22", "NOWHERE", "4"], None),
    (["load", "7", "{lists}/first.csv", "--accept"], None),
    (["import", "{lists}/known.ndjson"], None),
    (["map", "load", "{lists}/answers.csv"], None),
    (["match", "weights", "set", "{lists}/weights"], None),
    (["map", "list", "--output", "{lists}/map.csv"], None),
    (["map", "list", "--output", "{lists}/map.xlsx"], None),
    (["match", "queue", "--output", "{lists}/queue.csv"], None),
    (["match", "new", "--output", "{lists}/new.csv"], None),
    (["backup", "{lists}/backup"], None),
)

READS = """supplier show 7; supplier list; export; export --type source --kind hotel; user list; user history; key list; key history; map list;
map list --format ndjson; map list --output {out}/map.xlsx; map list --output {out}/map.csv; map history; map find blue; batch list; batch show 3;
dict find turkey; dict duplicates; dict history; match queue; match queue --output {out}/queue.xlsx; match explain 7 hotel 1001;
match explain 7 hotel h2; match audit --seed 5; match precision; match stats; match doubles; match learn --output {out}/card;
match weights; match weights list; match new; air unmatched; air list; coverage; changes --since 2020-01-01; check; status; config show;
config show serve; config check; restore --dry-run {lists}/backup; import --dry-run {lists}/more.ndjson"""

WRITES = """import {lists}/more.ndjson; import {lists}/more.ndjson.gz; import {lists}/more.ndjson.zst; load 7 {lists}/second.csv; load 8 {lists}/list.xlsx --accept;
load 7 {lists}/second.csv --dry-run --report {out}/report.xlsx; supplier add azure --name Azure; supplier set 7 --lang de; user add eva --role viewer --no-password;
user role anna admin; user disable anna; user enable anna; key create --api a --name page; key set 1 --note hello; key revoke 1; key rotate 1;
map set 7 city 503 -44; map clear 7 hotel 1001; map undo 7 hotel 1002; map country 7 hotel 1002 TR; map load {lists}/map.csv; map load {lists}/map.xlsx; batch undo 6;
dict merge hotel 57 55;
dict split hotel 58; dict name hotel 56 uk Белек; match accept 7 hotel h2 55; match reject 7 hotel h2 55; match load {lists}/queue.csv; match new --accept;
match weights reset; match; match 7 --dry-run; air map 21 NEW 5; air unmap 22 NOWHERE; match learn --apply"""
WITH_STDIN = {"user add otto --role curator --password-file -": PASSWORD, "user password anna --password-file -": PASSWORD}
#: They make something else, which has what the store has.
COPIES = {"backup {out}/copy": "{out}/copy", "backup -": None, "restore {lists}/backup --data {out}/restored": "{out}/restored/dragoman.db",
          "migrate --from sqlite:{data}/dragoman.db --to sqlite:{out}/moved.db": "{out}/moved.db"}


def rows(text):
    return [" ".join(row.split()) for row in text.split(";")]


COMMANDS = [*rows(READS), *rows(WRITES), *WITH_STDIN, *COPIES]
#: They are short, and at their points something was found before.
THROUGHOUT = ("config show", "restore --dry-run {lists}/backup")
WITHOUT_STORE = ("config", "migrate", "restore {lists}/backup --data")


def words_of(command, data, out, lists):
    words = [word.format(data=data, out=out, lists=lists) for word in command.split()]
    return words + ([] if command.startswith(WITHOUT_STORE) else ["--data", str(data)])


def lines(records):
    return b"".join(json.dumps(r).encode() + b"\n" for r in records)


def hotel(adapter, id, name, **more):
    return {"type": "source", "adapter_id": adapter, "kind": "hotel", "id": id, "name": name, "country_name": "Turkey", "city_name": "Belek",
            "category_name": "4*", **more}


def write_answers(lists):
    """As many as match learn takes."""
    names = [f"{a} {b}" for a in ("Defne", "Orkide", "Zeytin", "Limon", "Nar") for b in ("Palas", "Resort", "Suites", "Garden", "Beach")]
    known = [{"type": "dict", "kind": "hotel", "id": 1000 + n, "name": name, "country_id": 1, "city_id": -44, "hotel_category_id": 4}
             for n, name in enumerate(names)]
    (lists / "known.ndjson").write_bytes(lines(known + [hotel(9, f"a{n}", f"{name} Hotel") for n, name in enumerate(names)]))
    (lists / "answers.csv").write_text("adapter_id,kind,id,dict_id\n" + "".join(f"9,hotel,a{n},{1000 + n}\n" for n in range(len(names))), "utf-8")


def write_lists(lists):
    write_answers(lists)
    for name, rows_ in ("first", ROWS), ("second", [ROWS[0], ["h1", "Mavi Koy Beach", *ROWS[1][2:]], ["h3", "Deniz", *ROWS[1][2:]]]):
        (lists / f"{name}.csv").write_text("\n".join(";".join(row) for row in rows_) + "\n", "utf-8")
    sheets.workbook(lists / "list.xlsx", ROWS[1:], header=ROWS[0])
    more = lines(hotel(9, f"m{n}", f"More {n}") for n in range(20))
    (lists / "more.ndjson").write_bytes(more)
    (lists / "more.ndjson.gz").write_bytes(gzip.compress(more))
    (lists / "more.ndjson.zst").write_bytes(subprocess.run(["zstd", "-c"], input=more, stdout=subprocess.PIPE, check=True).stdout)
