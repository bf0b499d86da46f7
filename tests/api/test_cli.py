"""The command line: what every command does with good and bad input, from outside."""
import gzip
import json
import os
import re
import resource
import signal
import subprocess

import pytest

from conftest import FIXTURES, SLOW, command, program, synth
from killing import killed_at

MINI = FIXTURES / "mini.ndjson"
ADAPTER = {"type": "adapter", "id": 7, "code": "coral", "name": "Coral Tours", "domain": "tour"}
COUNTRY = {"type": "dict", "kind": "country", "id": 1, "name": "Turkey", "iso_alpha_2": "TR"}
SOURCE = {"type": "source", "adapter_id": 7, "kind": "country", "id": "90", "name": "TURKEY", "dict_id": 1}


def lines(*records):
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


@pytest.fixture
def load(run, data):
    """load(records...): import from standard input into the data folder of the test."""

    def load(*records, options=()):
        return run("import", "--create", "-", "--data", data, *options, stdin=lines(*records))

    return load


def export(run, data, *options):
    done = run("export", "--data", data, *options)
    assert done.returncode == 0, done.stderr
    return done.stdout


# ---- usage ------------------------------------------------------------------------------------------------------

COMMANDS = ["serve", "import", "export", "key create", "key list", "key revoke", "key rotate", "check", "status"]


def test_help_lists_every_command(run):
    for args in [("--help",), ("help",), ("-h",)]:
        done = run(*args)
        assert done.returncode == 0 and done.stderr == ""
        for name in COMMANDS:
            assert re.search(rf"^  {name} ", done.stdout, re.MULTILINE), name


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_help(run, name):
    asked = run("help", *name.split())
    assert asked.returncode == 0
    assert asked.stdout.startswith(f"usage: dragoman {name} ")
    assert run(*name.split(), "--help").stdout == asked.stdout


def test_help_of_a_group(run):
    for args in [("help", "key"), ("key", "--help")]:
        done = run(*args)
        assert done.returncode == 0
        assert "key create" in done.stdout and "key rotate ID" in done.stdout


def test_version(run):
    done = run("--version")
    assert done.returncode == 0 and re.fullmatch(r"dragoman \d+\.\d+\.\d+(~dev\d+\+g[0-9a-f]+)? \([0-9a-z-]+\)\n", done.stdout)


@pytest.mark.parametrize("args, said", [
    ((), "usage: dragoman"),
    (("imprt",), "unknown command imprt; did you mean import?"),
    (("zzz",), "unknown command zzz; 'dragoman --help' lists them"),
    (("key",), "expected one of create, list, set, revoke, rotate"),
    (("key", "make"), "expected one of create, list, set, revoke, rotate, history, found make"),
    (("help", "nothing"), "unknown command nothing"),
    (("export", "--dat", "x"), "unknown option --dat; did you mean --data?"),
    (("export", "--qqqqqqq", "x"), "unknown option --qqqqqqq"),
    (("export", "-x"), "unknown option -x"),
    (("export", "--data"), "--data needs a value: --data DIR"),
    (("export", "--data", "--kind"), "--data needs a value"),
    (("export", "--data", "a", "--data", "b"), "--data is given twice"),
    (("export", "extra", "--data", "a"), 'unexpected argument "extra"'),
    (("export", "--adapter", "0", "--data", "a"), "--adapter: expected an integer of 1 to"),
    (("export", "--adapter", "2147483648", "--data", "a"), "--adapter: expected an integer of 1 to 2147483647 or a code"),
    (("export",), "the data folder is missing: give --data DIR or set DRAGOMAN_DATA"),
    (("export", "--type", "api_key", "--data", "a"), "--type: expected a record type"),
    (("export", "--kind", "planet", "--data", "a"), "--kind: expected a kind"),
    (("export", "--type", "adapter", "--kind", "city", "--data", "a"), "there is no adapter of kind city"),
    (("export", "--type", "dict", "--adapter", "7", "--data", "a"), "a dict has no adapter_id"),
    (("import", "--data", "a"), "import: FILE... is missing"),
    (("import", "x", "--rejects", "r", "--data", "a"), "--rejects needs --keep-going"),
    (("import", "x", "--adapter", "7", "--data", "a"), "--adapter is for CSV: give --csv too"),
    (("import", "x", "--csv", "direction", "--separator", "ab", "--data", "a"), "--separator: expected one character"),
    (("import", "x", "--csv", "direction", "--map", "a", "--data", "a"), "--map: expected FIELD=COLUMN"),
    (("import", "x", "--dry-run=yes", "--data", "a"), "--dry-run takes no value"),
    (("key", "create", "--data", "a"), "--api is missing"),
    (("key", "create", "--api", "c", "--data", "a"), '--api: expected one of a, b, found "c"'),
    (("key", "revoke", "--data", "a"), "key revoke: ID is missing"),
    (("key", "revoke", "x", "--data", "a"), "ID: expected the number of a key"),
    (("serve", "--poll-ms", "1", "--data", "a"), "--poll-ms: expected an integer of 10 to 60000"),
])
def test_wrong_usage_is_status_2_and_one_line(run, tmp_path, monkeypatch, args, said):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DRAGOMAN_DATA", raising=False)
    done = run(*args)
    assert done.returncode == 2
    assert said in done.stderr
    if args:
        assert done.stderr.startswith("dragoman: ") and done.stderr.count("\n") == 1
    assert os.listdir(tmp_path) == []


def test_options_and_files_in_any_order(run, tmp_path):
    for args in [("import", MINI, "--create", "--data", "{}"), ("import", "--data={}", MINI, "--create"),
                 ("import", "--create", "--data", "{}", "--", MINI)]:
        folder = tmp_path / str(len(os.listdir(tmp_path)))
        done = run(*[str(a).format(folder) for a in args])
        assert done.returncode == 0, done.stderr


@pytest.mark.files
def test_the_data_folder_from_the_environment(run, tmp_path, monkeypatch):
    monkeypatch.setenv("DRAGOMAN_DATA", str(tmp_path / "env"))
    assert run("import", "--create", MINI).returncode == 0
    assert "57" not in run("import", "--create", MINI, "--data", tmp_path / "other").stderr
    assert (tmp_path / "env" / "dragoman.db").exists() and (tmp_path / "other" / "dragoman.db").exists()


@pytest.mark.parametrize("args", [("serve", "--listen", "127.0.0.1:0"), ("import", MINI), ("import", MINI, "--dry-run"),
                                  ("key", "create", "--api", "a")])
def test_a_mistyped_data_folder_is_not_made(run, data, args):
    done = run(*args, "--data", data)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert str(data) in done.stderr and "'dragoman import --create' makes it" in done.stderr
    assert not data.exists()


@pytest.mark.parametrize("args", [("export",), ("status",), ("check",), ("key", "list"), ("key", "revoke", "1")])
def test_commands_that_read_make_no_folder(run, data, args):
    done = run(*args, "--data", data)
    assert done.returncode == 1
    assert str(data) in done.stderr and "No such file or directory" in done.stderr
    assert not data.exists()
    data.mkdir()
    done = run(*args, "--data", data)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert os.listdir(data) == []


@pytest.mark.files
def test_the_data_folder_is_private(run, data):
    assert run("import", "--create", MINI, "--data", data / "deep" / "down").returncode == 0
    assert (data / "deep" / "down").stat().st_mode & 0o777 == 0o700
    assert (data / "deep" / "down" / "dragoman.db").stat().st_mode & 0o077 == 0


@pytest.mark.files
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_what_root_makes_belongs_to_the_owner_of_the_folder(run, tmp_path, start_server):
    """Else the server, which is another user, could not open it."""
    nobody = 65534
    data, backups = tmp_path / "data", tmp_path / "backups"
    for folder in (data, backups):
        folder.mkdir()
        os.chown(folder, nobody, nobody)
    for args in (("import", MINI), ("load", "coral", "-", "--dry-run", "--map", "id=Code,name=Name"), ("backup", backups, "--keep", "2")):
        done = run(*args, "--data", data, stdin=b"Code;Name\nH1;Here\n")
        assert done.returncode == 0, done.stderr
    start_server("--snapshot-interval", "1", data=data).stop()
    made = [*data.iterdir(), *backups.iterdir()]
    assert {path.name for path in made} >= {"dragoman.db", "dragoman.db.lock", "dragoman.db.snapshot", "import.lock", "last-backup"}
    assert [path.name for path in made if (path.stat().st_uid, path.stat().st_gid) != (nobody, nobody)] == []


def test_a_file_in_the_place_of_the_data_folder(run, tmp_path):
    (tmp_path / "file").write_text("x")
    for args in [("import", MINI), ("export",)]:
        done = run(*args, "--data", tmp_path / "file")
        assert done.returncode == 1 and "folder" in done.stderr


# ---- import and export ------------------------------------------------------------------------------------------

@pytest.mark.store_core
@pytest.mark.store
def test_export_import_export_gives_the_same_bytes(run, data, tmp_path):
    assert run("import", "--create", MINI, "--data", data).returncode == 0
    first = export(run, data)
    (tmp_path / "first").write_text(first, "utf-8")
    assert run("import", "--create", tmp_path / "first", "--data", tmp_path / "other").returncode == 0
    assert export(run, tmp_path / "other") == first
    assert first.count("\n") == MINI.read_text("utf-8").count("\n")


def test_keys_are_not_exported(run, data):
    assert run("import", "--create", MINI, "--data", data).returncode == 0
    before = export(run, data)
    key = json.loads(run("key", "create", "--api", "b", "--secret", "--json", "--data", data).stdout)
    after = export(run, data)
    assert after == before and key["key"] not in after


@pytest.mark.parametrize("options, only", [
    (("--type", "source"), lambda r: r["type"] == "source"),
    (("--kind", "hotel"), lambda r: r.get("kind") == "hotel"),
    (("--type", "dict", "--kind", "city"), lambda r: r["type"] == "dict" and r["kind"] == "city"),
    (("--adapter", "7"), lambda r: r.get("adapter_id") == 7),
    (("--adapter", "7", "--kind", "hotel"), lambda r: r.get("adapter_id") == 7 and r.get("kind") == "hotel"),
    (("--adapter", "99"), lambda r: False),
])
@pytest.mark.store
def test_export_of_a_part(run, data, options, only):
    assert run("import", "--create", MINI, "--data", data).returncode == 0
    everything = [json.loads(line) for line in export(run, data).splitlines()]
    part = [json.loads(line) for line in export(run, data, *options).splitlines()]
    assert part == [record for record in everything if only(record)]


def test_export_to_a_full_disk_and_a_closed_pipe(run, data):
    assert run("import", "--create", MINI, "--data", data).returncode == 0
    for target in ["> /dev/full", "| head -c 0; exit ${PIPESTATUS[0]}"]:
        shell = " ".join(f"'{a}'" for a in command("export", "--data", data)) + target
        done = subprocess.run(["bash", "-c", shell], stderr=subprocess.PIPE, check=False)
        # A small export may be in the pipe before its reader has gone.
        if "full" in target:
            assert done.returncode == 1 and b"No space left" in done.stderr


WRITERS = ["map list --format csv", "map list --format ndjson", "match queue --format csv", "coverage", "key list --json", "status"]
FILERS = ["map list", "match queue", "dict duplicates", "match new", "map history"]


@pytest.mark.files
def test_what_cannot_be_written_is_a_failure_of_the_command(run, data):
    assert run("import", "--create", MINI, "--data", data).returncode == 0
    with open("/dev/full", "wb") as full:
        for words in WRITERS:
            done = subprocess.run(command(*words.split(), "--data", data), stdout=full, stderr=subprocess.PIPE, check=False)
            assert done.returncode == 1 and b"cannot write" in done.stderr, (words, done)
    for words in FILERS:
        done = run(*words.split(), "--output", "/dev/full", "--data", data)
        assert done.returncode == 1 and "cannot write /dev/full" in done.stderr, (words, done)


@pytest.mark.parametrize("args", [("status",), ("export",), ("map", "list")])
def test_a_reader_that_has_enough_hears_no_complaint(run, load, data, args):
    load(ADAPTER, *({"type": "source", "adapter_id": 7, "kind": "city", "id": str(i), "name": "x" * 500} for i in range(1000)))
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(command(*args, "--data", data), stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert done.stderr == b"" and done.returncode == -signal.SIGPIPE


def test_columns_of_the_help_do_not_collide(run):
    commands = run("help").stdout.split("commands:\n")[1].split("\n\n")[0].splitlines()
    assert len(commands) > 20
    for line, below in zip(commands, [*commands[1:], ""]):
        assert line[:22].isspace() or line[20:22] == "  " or below[:22].isspace(), line
    assert "  map set SUPPLIER KIND ID DICT_ID\n                      map a supplier" in "\n".join(commands)


@pytest.mark.store
def test_sums(load):
    done = load(ADAPTER, COUNTRY, SOURCE)
    assert done.returncode == 0
    found = dict(re.findall(r"^(\w+) +(\d+)$", done.stdout, re.MULTILINE))
    assert found == {"adapter": "1", "dict": "1", "source": "1", "records": "3", "created": "3", "changed": "0",
                     "same": "0", "deleted": "0", "batch": "1"}
    assert re.search(r"^imported in \d+\.\d s, \d+ records/s$", done.stdout, re.MULTILINE)
    assert "same                      3" in load(ADAPTER, COUNTRY, SOURCE).stdout


@pytest.mark.store_core
@pytest.mark.store
def test_a_source_without_dict_id_keeps_its_mapping_and_null_clears_it(run, load, data):
    load(ADAPTER, COUNTRY, SOURCE)
    renamed = {k: v for k, v in SOURCE.items() if k != "dict_id"} | {"name": "TURKIYE"}
    load(renamed)
    assert json.loads(export(run, data, "--type", "source")) == SOURCE | {"name": "TURKIYE"}
    load(renamed | {"dict_id": None})
    assert json.loads(export(run, data, "--type", "source")) == renamed


def test_compressed_files(run, data, tmp_path):
    (tmp_path / "mini.gz").write_bytes(gzip.compress(MINI.read_bytes()))
    subprocess.run(["zstd", "-q", MINI, "-o", tmp_path / "mini.zst"], check=False)
    assert run("import", "--create", tmp_path / "mini.gz", "--data", data).returncode == 0
    if (tmp_path / "mini.zst").exists():
        assert "same                     57" in run("import", "--create", tmp_path / "mini.zst", "--data", data).stdout
    (tmp_path / "cut.gz").write_bytes(gzip.compress(MINI.read_bytes())[:-100])
    done = run("import", "--create", tmp_path / "cut.gz", "--data", tmp_path / "other")
    assert done.returncode == 1 and "cut.gz" in done.stderr
    assert export(run, tmp_path / "other") == ""


BAD = [
    ("cut line", b'{"type":"adapter","id":7', r"ends too early"),
    ("bad UTF-8", b'{"type":"adapter","id":8,"code":"\xff","name":"x","domain":"air"}', r"UTF-8"),
    ("duplicate member", b'{"type":"adapter","id":8,"id":9}', r"id: .*two"),
    ("NUL", b'{"type":"adapter\x00"}', r".+"),
    ("too big an integer", b'{"type":"adapter","id":9223372036854775808}', r"beyond 64 bits"),
    ("deep nesting", b"[" * 10000, r".+"),
    ("unknown type", b'{"type":"planet"}', r"type: expected one of adapter, .*found the text \"planet\""),
    ("unknown kind", b'{"type":"dict","kind":"planet","id":1}', r"kind: expected one of country"),
    ("missing identity", b'{"type":"source","adapter_id":7,"kind":"meal","name":"x"}', r"id: expected .*found nothing"),
    ("dangling", b'{"type":"direction","adapter_id":7,"dep_city_id":3,"country_id":1}',
     r"dep_city_id: expected the id of a dict dep_city that exists, found 3"),
]


@pytest.mark.store
@pytest.mark.parametrize("name, line, said", BAD, ids=[b[0] for b in BAD])
def test_a_bad_line_names_file_line_and_field_and_nothing_is_committed(run, data, tmp_path, name, line, said):
    path = tmp_path / "bad.ndjson"
    path.write_bytes(lines(ADAPTER, COUNTRY) + b"\n" + line + b"\n")
    done = run("import", "--create", path, "--data", data)
    assert done.returncode == 1
    assert re.match(rf"{re.escape(str(path))}:4: .*{said}", done.stderr), done.stderr
    assert done.stderr.splitlines()[-1].startswith("dragoman: 1 of 3 records are bad, nothing was applied")
    assert export(run, data) == ""

    rejects = tmp_path / "rejects"
    done = run("import", "--create", path, "--keep-going", "--rejects", rejects, "--data", data)
    assert done.returncode == 0
    assert rejects.read_bytes() == line + b"\n"
    assert export(run, data).count("\n") == 2


def test_the_rejects_never_overwrite_what_is_read(run, data, tmp_path):
    path = tmp_path / "in.ndjson"
    path.write_bytes(lines(ADAPTER))
    done = run("import", "--create", path, "--keep-going", "--rejects", tmp_path / "." / "in.ndjson", "--data", data)
    assert done.returncode == 2 and "name another file" in done.stderr
    assert path.read_bytes() == lines(ADAPTER)


def test_a_line_of_a_gigabyte_in_little_memory(data):
    size = (64 if SLOW else 1024) << 20
    feeder = subprocess.Popen(["head", "-c", str(size), "/dev/zero"], stdout=subprocess.PIPE)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    done = subprocess.run(command("import", "--create", "-", "--data", data), stdin=feeder.stdout, stderr=subprocess.PIPE,
                          check=False)
    feeder.stdout.close()
    feeder.wait()
    assert done.returncode == 1
    assert b"-:1: expected a line of at most 8388608 bytes" in done.stderr
    if not SLOW:
        assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss <= max(before, 200 * 1024)


@pytest.mark.store
def test_dry_run(run, load, data):
    done = load(ADAPTER, COUNTRY, SOURCE, options=["--dry-run"])
    assert done.returncode == 0 and "nothing applied" in done.stdout
    assert not data.exists()
    done = load(SOURCE, options=["--dry-run"])
    assert done.returncode == 1 and "-:1: adapter_id:" in done.stderr
    load(ADAPTER, COUNTRY)
    assert load(SOURCE, options=["--dry-run"]).returncode == 0
    assert export(run, data, "--type", "source") == ""


@pytest.mark.store_core
@pytest.mark.store
def test_removing_what_others_refer_to(run, load, data):
    load(ADAPTER, COUNTRY, SOURCE)
    dead = {"type": "dict", "kind": "country", "id": 1, "deleted": True}
    done = load(dead)
    assert done.returncode == 1
    assert "-:1: deleted: cannot be removed, source 7 country 90 still refers to it" in done.stderr
    done = load(dead, {"type": "source", "adapter_id": 7, "kind": "country", "id": "90", "deleted": True})
    assert done.returncode == 0
    assert [json.loads(line)["type"] for line in export(run, data).splitlines()] == ["adapter"]


@pytest.mark.store
def test_csv(run, load, data, tmp_path):
    load(ADAPTER)
    path = tmp_path / "hotels.csv"
    path.write_text('HotelCode;HotelName;zip\n001;"Blue ""Bay""\nPalace";07100\n\n002;Nile View;\n', "utf-8")
    done = run("import", "--create", path, "--csv", "source:hotel", "--adapter", "7", "--map", "id=HotelCode,name=HotelName",
               "--separator", ";", "--lang", "de", "--data", data)
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in export(run, data, "--type", "source").splitlines()]
    common = {"type": "source", "adapter_id": 7, "kind": "hotel", "lang": "de"}
    assert found == [common | {"id": "001", "name": 'Blue "Bay"\nPalace', "zip": "07100"},
                     common | {"id": "002", "name": "Nile View"}]
    done = run("import", "--create", path, "--csv", "source:hotel", "--adapter", "7", "--data", data)
    assert done.returncode == 1 and f"{path}:1: " in done.stderr


@pytest.mark.store
def test_an_import_that_is_killed_leaves_nothing_behind_and_is_completed_by_running_it_again(clock, run, data, tmp_path):
    path = tmp_path / "synth.ndjson"
    path.write_bytes(synth("--hotels", 6000, "--adapters", 4))
    expected = path.read_bytes().count(b"\n")
    for step, percent in (("checking", 0), ("comparing", 0), ("applying", 0), ("applying", 50)):
        killed_at(clock, step, percent, path, "--create", "--data", data)
        left = {p.name for p in data.iterdir()} if data.exists() else set()
        assert left <= {"dragoman.db", "dragoman.db-journal", "dragoman.db-wal", "dragoman.db-shm", "dragoman.db.lock", "import.lock"}
    done = run("import", "--create", path, "--data", data)
    assert done.returncode == 0, done.stderr
    assert export(run, data).count("\n") == expected
    assert run("check", "--data", data).returncode == 0


# ---- keys, status, check, made-up data ---------------------------------------------------------------------------------

@pytest.mark.store
def test_keys_are_created_listed_revoked_and_rotated(run, data):
    data.mkdir()
    done = run("key", "create", "--api", "b", "--secret", "--name", "crm", "--expires", "2999-01-31", "--data", data)
    assert done.returncode == 0
    key = re.search(r"^key +(drgb_\w{43})$", done.stdout, re.MULTILINE).group(1)
    assert re.search(r"^secret +drgs_\w{43}$", done.stdout, re.MULTILINE)
    made = json.loads(run("key", "create", "--api", "a", "--json", "--data", data).stdout)
    assert set(made) == {"id", "key"} and made["key"].startswith("drga_")

    listed = json.loads(run("key", "list", "--json", "--data", data).stdout)
    assert [(k["id"], k["api"], k["secret"], k["state"], k["name"]) for k in listed] == [
        (1, "b", True, "good", "crm"), (2, "a", False, "good", None)]
    table = run("key", "list", "--data", data).stdout
    assert "crm" in table and key not in table

    rotated = json.loads(run("key", "rotate", "1", "--json", "--data", data).stdout)
    assert rotated["id"] == 1 and rotated["key"] != key and rotated["secret"].startswith("drgs_")
    assert run("key", "revoke", "2", "--data", data).returncode == 0
    assert json.loads(run("key", "list", "--json", "--data", data).stdout)[1]["state"] == "revoked"
    for args in [("revoke", "2"), ("revoke", "3"), ("rotate", "3")]:
        done = run("key", *args, "--data", data)
        assert done.returncode == 1 and done.stderr.startswith("dragoman: ")


@pytest.mark.store
def test_status(run, data):
    assert run("import", "--create", MINI, "--data", data).returncode == 0
    said = run("status", "--data", data).stdout
    for licence in ["Unicode", "LGPL", "MIT", "CC-BY-4.0", "synthetic"]:
        assert licence in said
    status = json.loads(run("status", "--json", "--data", data).stdout)
    assert status["seq"] >= 1 and len(status["epoch"]) > 8 and status["store_bytes"] > 0
    counts = {(c["type"], c.get("kind"), c.get("adapter_id")): c for c in status["counts"]}
    assert counts["adapter", None, None]["records"] == 5
    assert counts["dict", "hotel", None]["records"] == 4
    hotels = counts["source", "hotel", 7]
    assert (hotels["records"], hotels["mapped"], hotels["unmapped"]) == (3, 2, 1)
    assert len(status["licences"]) == 6


@pytest.mark.store
@pytest.mark.files
def test_check_of_a_sound_and_of_a_damaged_store(run, data):
    assert run("import", "--create", MINI, "--data", data).returncode == 0
    assert run("check", "--data", data).returncode == 0
    path = data / "dragoman.db"
    whole = bytearray(path.read_bytes())
    whole[8192 * 3:8192 * 6] = os.urandom(8192 * 3)
    path.write_bytes(whole)
    done = run("check", "--data", data)
    assert done.returncode == 1 and done.stderr.startswith("dragoman: ")


@pytest.mark.files
def test_not_a_store(run, data):
    data.mkdir()
    (data / "dragoman.db").write_bytes(b"this is not a database" * 1000)
    for args in [("import", MINI), ("export",), ("status",), ("check",), ("key", "list")]:
        done = run(*args, "--data", data)
        assert done.returncode == 1 and "dragoman.db" in done.stderr, args


def test_synth_is_deterministic_and_imports(run, data):
    size = ("--hotels", 200, "--adapters", 3)
    first = synth(*size, "--seed", 5)
    assert synth(*size, "--seed", 5) == first
    assert synth(*size, "--seed", 6) != first
    done = run("import", "--create", "-", "--data", data, stdin=first)
    assert done.returncode == 0, done.stderr
    assert b'"dict_id"' in first and b'"dict_id"' not in synth(*size, "--seed", 5, "--blind")


def test_synth_says_what_it_takes_and_what_was_wrong():
    def said(*args):
        done = subprocess.run([f"{program()}-synth", *args], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    status, out, _ = said("--help")
    assert status == 0 and "--hotels N" in out and "(default: 20000)" in out
    for args, word in ((("--hotel", "5"), "--hotels"), (("--content", "101"), "100"), (("5",), '"5"'), (("--base", "/none"), "/none")):
        status, out, err = said(*args)
        assert status == (1 if "--base" in args else 2) and out == "" and word in err and len(err.splitlines()) == 1, err


def test_progress_is_plain_lines_where_there_is_no_terminal(run, data):
    assert "\r" not in run("import", "--create", MINI, "--data", data).stderr


def test_progress_is_a_bar_on_a_terminal(data, tmp_path):
    import pty
    path = tmp_path / "synth.ndjson"
    path.write_bytes(synth("--hotels", 5000, "--adapters", 3))
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command("import", "--create", path, "--data", data), stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    said = b""
    try:
        while piece := os.read(ours, 4096):
            said += piece
    except OSError:
        pass
    os.close(ours)
    assert process.wait() == 0
    assert re.search(rb"\rchecking|checking \[[#.]{30}\] +\d+ %", said), said
    assert said.endswith(b"\r\x1b[K")
