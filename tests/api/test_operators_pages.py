"""The pages for operators: every command in them is run, in the order of the page, by a shell. What is of the whole system (apt,
systemctl, nginx, haproxy, journalctl) is only noted here, and what it names is compared: `make test-package` installs the package, and
tests/cluster runs both proxies. What a page says of messages is compared with messages."""
import os
import pathlib
import re
import socket
import subprocess

import pytest

import client
from conftest import ROOT, program

pytestmark = pytest.mark.files
SHELL = re.compile(r"^ *```sh\n(.*?)^ *```", re.M | re.S)
INDENTED = re.compile(r"^\n((?:    \S.*\n)+)", re.M)
#: What is of another place or program: the words in it that say so.
ELSEWHERE = ("postgresql://",)
OF_THE_SYSTEM = ("apt", "systemctl", "nginx", "haproxy", "journalctl")
EXAMPLES = "/usr/share/doc/dragoman/examples/"
CONF = "/etc/dragoman/dragoman.conf"


def page(name):
    return (ROOT / "docs" / name).read_text("utf-8")


def commands(name):
    return [text for text in SHELL.findall(page(name)) if not any(word in text for word in ELSEWHERE)]


class Machine:
    """A folder with the program, the folders of a system, and a store in data/."""

    def __init__(self, folder):
        self.folder, self.port = folder, 0
        for name in ("bin", "var/backups/dragoman", "var/log/dragoman", "etc/dragoman", "etc/nginx/conf.d", "etc/ssl", "etc/haproxy", "etc/systemd/system"):
            (folder / name).mkdir(parents=True)
        (folder / "bin" / "dragoman").symlink_to(program())
        self._program("sudo", '[ "$1" != -u ] || shift 2\nexec "$@"')
        self._program("install", 'exec /usr/bin/install "$1" "$2" "$3" "$8"')  # without -o and -g: there is no such user here
        for name in OF_THE_SYSTEM:
            self._program(name, f'echo "{name} $*" >> "{folder}/asked"')

    def _program(self, name, text):
        (self.folder / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
        (self.folder / "bin" / name).chmod(0o755)

    def __truediv__(self, name):
        return self.folder / name

    def placed(self, text):
        """Folders of the system are in a folder of the test, and a server is where it listens."""
        text = text.replace(EXAMPLES, f"{ROOT}/packaging/")
        text = re.sub(r"(?<![\w/])/(var|etc)/", rf"{self.folder}/\1/", text)
        return re.sub(r"127\.0\.0\.1:80\d\d", f"127.0.0.1:{self.port}", text)

    def shell(self, text):
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        done = subprocess.run(["sh", "-euc", self.placed(text)], cwd=self.folder, env={**os.environ, "PATH": path, "DRG_TEST_CONFIG": str(self / "etc/dragoman/dragoman.conf")}, timeout=client.PATIENCE,
                              input="what people type at the prompt\n", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        assert done.returncode == 0, (text, done.stdout)
        return done.stdout

    def run_page(self, name):
        """What each block said."""
        return [self.shell(text) for text in commands(name)]


@pytest.fixture
def machine(data, tmp_path):
    made = Machine(tmp_path / "machine")
    (made / "data").mkdir()
    os.rename(data.path / "dragoman.db", made / "data" / "dragoman.db")
    return made


def test_a_store_is_backed_up_and_restored_as_the_page_says(machine):
    said = machine.run_page("backup.md")
    assert len(said) >= 6
    said = "".join(said)
    assert said.count("read back and whole") == 2 and said.count("row by row, and sound") == 2 and "is whole" in said
    assert (machine / "data.broken" / "dragoman.db").exists() and len(os.listdir(machine / "backups")) == 1
    cron = re.search(r"dragoman  (dragoman backup .*)\n", page("backup.md")).group(1)
    machine.shell(cron.replace("/var/lib/dragoman", "data"))
    assert len(os.listdir(machine / "var/backups/dragoman")) == 1


def test_the_page_of_upgrades_holds(machine):
    machine.run_page("upgrade.md")
    back = [text for text in INDENTED.findall(page("upgrade.md")) if "mv " in text]
    assert len(back) == 1
    (machine / "data" / "dragoman.db.schema-18").write_bytes((machine / "data" / "dragoman.db").read_bytes())
    machine.shell(back[0])
    assert "the store is sound" in machine.shell("dragoman check --data data")


def test_the_page_of_troubles_holds(machine, start_server):
    machine.port = start_server(data=machine / "data").port
    assert "the store is sound" in "".join(machine.run_page("troubleshoot.md"))


def test_the_page_of_security_holds(machine):
    said = machine.run_page("security.md")
    assert "olena" in said[0] and "revoked" in said[1] and "disabled" in said[2]


# ---- production.md --------------------------------------------------------------------------------------------

def test_the_page_of_production_works_as_written(machine, start_server, run):
    text = page("production.md")
    (settings,) = re.findall(r"^```ini\n(.*?)^```$", text, re.M | re.S)
    settings = machine.placed(settings)
    (machine / "etc/dragoman/dragoman.conf").write_text(settings, "utf-8")
    (machine / "reference.ndjson").write_bytes((ROOT / "tests" / "fixtures" / "mini.ndjson").read_bytes())
    (machine / "var/lib/dragoman").mkdir(parents=True)
    machine.port = start_server(data=machine / "var/lib/dragoman").port
    machine.shell("dragoman backup /var/backups/dragoman --data /var/lib/dragoman")
    machine.run_page("production.md")
    shown = run("config", "show", "--config", machine / "etc/dragoman/dragoman.conf").stdout
    for name, value in re.findall(r"^(\S+) = (.*)$", settings, re.M):
        assert re.search(rf"^{name} +{re.escape(value)} +\S*dragoman.conf:\d+$", shown, re.M), name
    assert (machine / "etc/nginx/conf.d/dragoman.conf").exists() and (machine / "etc/ssl/travel-with-key.pem").exists()
    assert (machine / "var/lib/dragoman.broken").exists() and (machine / "var/lib/dragoman/dragoman.db").exists()

    asked = (machine / "asked").read_text("utf-8").splitlines()
    version = re.search(r"version: '([^']+)'", (ROOT / "meson.build").read_text("utf-8")).group(1)
    assert asked[0] == f"apt install ./dragoman_{version}+deb12_amd64.deb"
    units = {unit for line in asked if line.startswith("systemctl ") for unit in re.findall(r"(?<![\w/])dragoman[\w@.*-]*", line)}
    assert len(units) >= 5
    for unit in units:
        name = re.sub(r"@[\w*]+$", "@", unit)
        assert (ROOT / "packaging" / (name if "." in name else f"{name}.service")).is_file(), unit


def test_what_the_page_of_production_names_is_there():
    text = page("production.md")
    folders = (ROOT / "packaging" / "dragoman.tmpfiles").read_text("utf-8")
    for path in re.findall(r"^\| `(/var/\S+)` \|", text, re.M):
        assert f"d {path} " in folders, path
    assert (ROOT / "packaging" / "dragoman@.service").read_text("utf-8").count(f"--config {CONF} --listen 127.0.0.1:%i --hold") == 1
    for proxy in ("nginx.conf", "haproxy.cfg"):
        told = (ROOT / "packaging" / proxy).read_text("utf-8")
        assert "127.0.0.1:8081" in told and "127.0.0.1:8082" in told
        table = {"nginx.conf": 1, "haproxy.cfg": 2}[proxy]
        for cells in re.findall(r"^\| [a-z1-9].*? \| (.*?) \| (.*?) \|$", text[text.index("| | nginx"):text.index("The proxy's own")], re.M):
            for word in re.findall(r"`([^`]+)`", cells[table - 1]):
                assert word in {"location"} or all(part in told for part in word.split(" … ")[0].split()), (proxy, word)


PAGES = ("production", "upgrade", "backup", "monitor", "troubleshoot", "limits", "sizes", "security")


@pytest.mark.parametrize("name", PAGES)
def test_commands_within_a_sentence_are_commands(run, name):
    text = re.sub(r"^ *```.*?^ *```$", "", page(f"{name}.md"), flags=re.M | re.S)
    for words in (found.split() for found in re.findall(r"`(?:sudo -u dragoman )?dragoman ([a-z][^`]*)`", text)):
        helps = [run("help", *words[:n]) for n in (2, 1)]
        said = next((done.stdout for done in helps if done.returncode == 0), None)
        assert said is not None, words
        for option in (word.partition("=")[0] for word in words if word.startswith("--")):
            assert f"{option} " in said, (words, option)


# ---- messages -------------------------------------------------------------------------------------------------

def messages():
    """Those of troubleshoot.md, as patterns."""
    text = page("troubleshoot.md")
    cells = re.findall(r"^\| (`.*?) \|", text[:text.index("## In answers over HTTP")], re.M)
    return [re.compile(".*".join(map(re.escape, message.split("…")))) for cell in cells for message in re.findall(r"`([^`]+)`", cell)]


def is_told(message):
    """Not by a pattern that nearly everything matches."""
    return any(pattern.search(message) for pattern in messages() if len(pattern.pattern) > 20)


@pytest.fixture
def troubles(data, run, tmp_path):
    """Each an operator's mistake: what it is, and the arguments of a command."""
    with open(tmp_path / "no-backup", "wb") as file:
        file.write(b"PK" * 100)
    (tmp_path / "bad.ndjson").write_text('{"type":"source"}\n', "utf-8")
    (tmp_path / "other.conf").write_text("lissten = 127.0.0.1:1\n", "utf-8")
    (tmp_path / "empty").mkdir()
    assert run("backup", tmp_path / "b", "--data", data.path).returncode == 0
    with open(tmp_path / "b", "rb") as file:
        (tmp_path / "cut").write_bytes(file.read()[:-50])
    taken = socket.create_server(("127.0.0.1", 0))
    yield [("serve", "--listen", f"127.0.0.1:{taken.getsockname()[1]}", "--data", data.path),
           ("serve", "--listen", "192.0.2.1:8080", "--data", data.path),
           ("serve", "--max-connections", "1000000", "--data", data.path),
           ("serve", "--lissten", "127.0.0.1:1", "--data", data.path),
           ("status",), ("status", "--data", tmp_path / "nowhere"), ("status", "--data", tmp_path / "empty"),
           ("status", "--store", "postgresql://a:b@127.0.0.1/c"),
           ("import", tmp_path / "bad.ndjson", "--data", data.path),
           ("restore", tmp_path / "b", "--data", data.path), ("restore", tmp_path / "cut", "--data", tmp_path / "new"),
           ("restore", tmp_path / "no-backup", "--data", tmp_path / "new"), ("backup", tmp_path / "no-backup", "--data", data.path)]
    taken.close()


def test_messages_of_mistakes_are_on_the_page(troubles, run, monkeypatch):
    monkeypatch.delenv("DRAGOMAN_DATA", raising=False)
    for words in troubles:
        done = run(*words)
        assert done.returncode != 0, words
        assert is_told(done.stderr.splitlines()[-1]), (words, done.stderr)


def test_a_store_that_others_can_read_is_told_as_the_page_says(data):
    (data.path / "dragoman.db").chmod(0o644)
    assert is_told(data.ok("check"))
