"""Settings: environment and file, for every command (decision P9)."""
import json
import os
import pathlib
import signal
import subprocess

import pytest

import client


@pytest.fixture
def conf(tmp_path):
    """conf(text): the path of a file with these settings."""

    def conf(text):
        (tmp_path / "dragoman.conf").write_text(text, encoding="utf-8")
        return tmp_path / "dragoman.conf"

    return conf


def shown(run, *args):
    done = run("config", "show", *args, "--format", "ndjson")
    assert done.returncode == 0, done.stderr
    return {row["setting"]: (row["value"], row["from"]) for row in map(json.loads, done.stdout.splitlines())}


def test_environment_file_and_default_in_this_order(run, conf, monkeypatch):
    path = conf("# mine\npoll-ms = 50\nmax-batch = 7 ; few\ndemo = yes\ntrusted-proxy = ::1, 10.0.0.1\ntrusted-proxy = 10.0.0.2\n"
                "key-create-role = reader\nby = olena\nthreads =\n")
    monkeypatch.setenv("DRAGOMAN_POLL_MS", "70")
    monkeypatch.setenv("DRAGOMAN_DEMO", "no")
    monkeypatch.setenv("DRAGOMAN_CONFIG", str(path))
    settings = shown(run)
    assert settings["poll-ms"] == ("70", "DRAGOMAN_POLL_MS")
    assert settings["demo"] == ("no", "DRAGOMAN_DEMO")
    assert settings["max-batch"] == ("7", f"{path}:3")
    assert settings["trusted-proxy"] == ("::1,10.0.0.1,10.0.0.2", f"{path}:6")
    assert settings["threads"] == ("0", "default")
    assert shown(run, "key", "create")["key-create-role"] == ("reader", f"{path}:7")
    assert shown(run, "map", "set", "--config", path)["by"] == ("olena", f"{path}:8")


def test_a_command_takes_what_is_set(run, conf, tmp_path, monkeypatch):
    data = tmp_path / "data"
    path = conf("key-create-api = a\nkey-create-name = of the file\nkey-create-json = true\nimport-create = 1\n")
    monkeypatch.setenv("DRAGOMAN_CONFIG", str(path))
    assert run("import", "-", "--data", data, stdin=b"").returncode == 0
    done = run("key", "create", "--data", data)
    assert done.returncode == 0 and json.loads(done.stdout)["key"], done.stderr
    assert "of the file" in run("key", "list", "--data", data).stdout


@pytest.mark.parametrize("line, said", [
    ("lisen = x", ":1: unknown setting lisen; did you mean listen?"),
    ("poll-ms = 1", '--poll-ms: expected an integer of 10 to 60000, found "1" ('),
    ("listen = x", "--listen: expected ADDRESS:PORT"),
    ("trusted-proxy = nowhere", "--trusted-proxy: "),
    ("key-create-role = king", "--role: expected one of"),
    ("demo = perhaps", "--demo: expected yes or no"),
    ("poll-ms = 10\npoll-ms = 20", "poll-ms is set twice"),
    ("nonsense", ":1: expected NAME = VALUE"),
    ("[serve]\nlisten = 127.0.0.1:1", ":1: there are no sections, found [serve]"),
    ("admin = nowhere", ":1"),
    ("config = other", ":1: a file cannot name another one"),
    ("why = " + "x" * 8190, ":1: a line has at most 8190 bytes"),
])
def test_a_mistake_is_named_with_its_place(run, conf, line, said):
    path = conf(line + "\n")
    done = run("config", "check", "--config", path)
    assert done.returncode == 2 and said in done.stderr and f"{path}:" in done.stderr, done.stderr
    assert done.stderr.count("\n") == 1


def test_the_longest_line_is_read(run, conf):
    value = "x" * (8190 - len("why = "))
    assert shown(run, "map", "set", "--config", conf(f"why = {value}\n"))["why"][0] == value


def test_every_command_refuses_a_name_that_none_knows(run, monkeypatch):
    monkeypatch.setenv("DRAGOMAN_LISEN", "127.0.0.1:1")
    for args in [("status",), ("serve",), ("config", "check")]:
        done = run(*args)
        assert done.returncode == 2
        assert done.stderr == "dragoman: unknown environment variable DRAGOMAN_LISEN; did you mean DRAGOMAN_LISTEN?\n"


def test_a_file_that_is_not_there_is_an_error(run, tmp_path):
    done = run("config", "check", "--config", tmp_path / "none.conf")
    assert done.returncode == 1 and "none.conf: No such file or directory" in done.stderr
    assert run("config", "check").stdout == "the settings are sound\n"


def test_the_file_is_read_again(start_server, conf):
    process = start_server("--config", conf("log-level = info\nmax-batch = 5\n"))
    for text, *says in [("log-level = debug\nmax-batch = 6\n", "changed are log-level", "with a restart only: max-batch"),
                        ("poll-ms = 1\n", "the settings stay as they are: --poll-ms: expected"),
                        ("log-level = debug\nmax-batch = 5\nsession-idle = 7\n", "changed are session-idle")]:
        conf(text)
        os.kill(process.pid, signal.SIGHUP)
        for part in says:
            assert client.wait_until(lambda part=part: part in process.stderr()), (part, process.stderr())


def test_a_url_of_three_hosts_fits(run, conf):
    url = "postgresql://dragoman@" + ",".join(f"db{n}.travel.example.com:5432" for n in (1, 2, 3)) + \
        "/dragoman_db?sslmode=verify-full&sslrootcert=/etc/dragoman/ca.pem&target_session_attrs=read-write&application_name=dragoman-of-travel"
    assert len(url) > 198 and shown(run, "--config", conf(f"store = {url}\n"))["store"][0] == url


def test_what_a_file_may_look_like(run, conf):
    text = "\ufeff# mine\r\n\r\n  listen: 127.0.0.1:1 ; not the usual\r\n\t; no\nwhy=a;b # c\n  by =  Olena M \t\n"
    settings = shown(run, "map", "set", "--config", conf(text))
    assert (settings["why"][0], settings["by"][0]) == ("a;b # c", "Olena M")
    assert shown(run, "--config", conf(text))["listen"][0] == "127.0.0.1:1"


def test_the_usual_file_is_read_where_nothing_else_is_named(run, conf, tmp_path, monkeypatch):
    usual = conf(f"data = {tmp_path}\nmax-batch = 7\n")
    assert shown(run)["max-batch"][1] == "default"
    monkeypatch.setenv("DRG_TEST_CONFIG", str(usual))
    assert shown(run)["max-batch"] == ("7", f"{usual}:2") and shown(run, "--config", "none")["max-batch"][1] == "default"
    assert run("import", "-", stdin=b"").returncode == 0 and (tmp_path / "dragoman.db").exists()
    other = tmp_path / "other.conf"
    other.write_text("max-batch = 8\n", "utf-8")
    assert shown(run, "--config", other)["max-batch"] == ("8", f"{other}:1")
    # Who names a folder or a store means that, and not what the file would add to it.
    usual.write_text(f"data = {tmp_path}\nstore = postgresql://192.0.2.1/production\n", "utf-8")
    (tmp_path / "trial").mkdir()
    assert run("import", "-", "--data", tmp_path / "trial", stdin=b"").returncode == 0 and (tmp_path / "trial" / "dragoman.db").exists()
    monkeypatch.setenv("DRAGOMAN_DATA", str(tmp_path / "trial"))
    assert shown(run)["store"][1] == "default"


@pytest.mark.parametrize("setting, said", [
    ("data = {}/nowhere", "--data: cannot use the folder"), ("data = {}/dragoman.conf", "Not a directory"),
    ("access-log = {}/nowhere/access.log", "--access-log: cannot use the folder"), ("snapshot = {}/nowhere/x", "--snapshot: cannot use the folder"),
    ("admin = {}/nowhere/admin.sock", "--admin: cannot use the folder")])
def test_folders_that_are_not_there_are_no_sound_settings(run, conf, tmp_path, setting, said):
    done = run("config", "check", "--config", conf(setting.format(tmp_path) + "\n"))
    assert done.returncode == 2 and said in done.stderr and "dragoman.conf:1" in done.stderr, done.stderr
    fine = f"data = {tmp_path}\naccess-log = {tmp_path}/access.log\nsnapshot = none\nadmin = {tmp_path}/admin.sock\n"
    assert run("config", "check", "--config", conf(fine)).returncode == 0


def test_a_library_that_is_damaged_needs_its_package(data, run, tmp_path, monkeypatch):
    for path in pathlib.Path("/usr/lib").glob("*/libxlsxwriter.so.*"):
        (tmp_path / path.name).write_bytes(b"")
    assert list(tmp_path.glob("libxlsxwriter.so.*"))
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    done = run("batch", "list", "--output", tmp_path / "batches.xlsx", "--data", data.path)
    assert done.returncode == 1 and "install the package libxlsxwriter" in done.stderr, done.stderr



def test_a_library_that_finds_no_memory_is_not_called_missing(data, run, tmp_path, monkeypatch):
    for path in pathlib.Path("/usr/lib").glob("*/libxlsxwriter.so.*"):
        subprocess.run(["gcc", "-shared", "-fPIC", "-x", "c", "-", "-o", tmp_path / path.name], input=b"char larger_than_memory[1L << 46];", check=True)
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    done = run("batch", "list", "--output", tmp_path / "batches.xlsx", "--data", data.path)
    assert done.returncode == 1 and "ulimit -v" in done.stderr, done.stderr
    assert "install the package" not in done.stderr
