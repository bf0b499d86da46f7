"""docs/production.md: its settings are sound, its commands of dragoman work, and what it names is in packaging/."""
import pathlib
import re
import shlex

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "production.md").read_text("utf-8")
CONF = "/etc/dragoman/dragoman.conf"


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.M | re.S)


def test_the_page_works_as_written(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reference.ndjson").write_bytes((ROOT / "tests" / "fixtures" / "mini.ndjson").read_bytes())
    (settings,) = blocks("ini")
    settings = settings.replace("/var/lib/dragoman", str(tmp_path / "data")).replace("/var/log/dragoman", str(tmp_path))
    (tmp_path / "dragoman.conf").write_text(settings, encoding="utf-8")
    commands = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("sudo -u dragoman dragoman ")]
    assert len(commands) >= 7
    for line in commands:
        done = run(*shlex.split(line.replace(CONF, "dragoman.conf"))[4:])
        assert done.returncode == 0, (line, done.stderr)
    shown = run("config", "show", "--config", "dragoman.conf").stdout
    for name, value in re.findall(r"^(\S+) = (.*)$", settings, re.M):
        assert re.search(rf"^{name} +{re.escape(value)} +dragoman.conf:\d+$", shown, re.M), name


def test_what_the_page_names_is_there():
    examples = (ROOT / "debian" / "dragoman.examples").read_text("utf-8").split()
    for name in re.findall(r"/usr/share/doc/dragoman/examples/([\w.]+)", TEXT):
        assert f"packaging/{name}" in examples and (ROOT / "packaging" / name).is_file(), name
    folders = (ROOT / "packaging" / "dragoman.tmpfiles").read_text("utf-8")
    for path in re.findall(r"^\| `(/var/\S+)` \|", TEXT, re.M):
        assert f"d {path} " in folders, path
    assert (ROOT / "packaging" / "dragoman@.service").read_text("utf-8").count(f"--config {CONF} --listen 127.0.0.1:%i --hold") == 1
    for proxy in ("nginx.conf", "haproxy.cfg"):
        text = (ROOT / "packaging" / proxy).read_text("utf-8")
        assert "127.0.0.1:8081" in text and "127.0.0.1:8082" in text
        table = {"nginx.conf": 1, "haproxy.cfg": 2}[proxy]
        for cells in re.findall(r"^\| [a-z1-9].*? \| (.*?) \| (.*?) \|$", TEXT[TEXT.index("| | nginx"):TEXT.index("The proxy's own")], re.M):
            for word in re.findall(r"`([^`]+)`", cells[table - 1]):
                assert word in {"location"} or all(part in text for part in word.split(" … ")[0].split()), (proxy, word)
