"""What a command loads: libraries that only a few commands need are loaded by those (src/base/library.h)."""
import re

import pytest

import client
import store

LATE = ("libpq", "libldap", "libgssapi", "libssl", "libcrypto", "libmicrohttpd", "libgnutls", "libicu", "libstdc++", "libzip", "libxlsxwriter")
#: Of `--version`, with room of a tenth: it had 13 and 2,458.
LIBRARIES, RELOCATIONS = 14, 2700
SOURCE = b'{"type":"adapter","id":9001,"code":"ascii","name":"Ascii","domain":"tour"}\n'
on_sqlite = pytest.mark.skipif(store.POSTGRES is not None, reason="a store on PostgreSQL needs libpq")


@pytest.fixture
def loader(run, tmp_path, monkeypatch):
    """loader(*command, stdin=): what the dynamic loader says of a command."""

    def loader(*args, stdin=None):
        monkeypatch.setenv("LD_DEBUG", "files,statistics")
        monkeypatch.setenv("LD_DEBUG_OUTPUT", str(tmp_path / "ld"))
        done = run(*args, stdin=stdin)
        monkeypatch.delenv("LD_DEBUG")
        assert done.returncode == 0, done.stderr
        return "".join(path.read_text("utf-8", "replace") for path in tmp_path.glob("ld.*"))

    return loader


@pytest.fixture
def loaded(loader):
    """loaded(*command, stdin=): the libraries that a command loads, "libpq.so.5"."""
    return lambda *args, stdin=None: libraries(loader(*args, stdin=stdin))


def libraries(said):
    return set(re.findall(r"file=(?:\S*/)?(\S+) .*generating link map", said))


def late(names):
    assert "libc.so.6" in names
    return [name for name in names if name.startswith(LATE)]


def test_the_version_needs_nothing(loaded):
    assert not late(loaded("--version"))


@pytest.mark.skipif(client.SLOW, reason="a sanitizer has libraries and relocations of its own")
def test_the_version_costs_the_loader_little(loader):
    said = loader("--version")
    relocations = int(re.search(r" number of relocations: (\d+)", said).group(1))
    assert (len(libraries(said)) <= LIBRARIES) and relocations <= RELOCATIONS, (libraries(said), relocations)


@on_sqlite
def test_commands_load_what_they_need(loaded, tmp_path):
    data = tmp_path / "data"
    for args in (("import", "--create", "-"), ("import", "-"), ("key", "create", "--api", "a"), ("key", "list"), ("status",), ("export",)):
        assert not late(loaded(*args, "--data", data, stdin=SOURCE if "-" in args else None)), args


@pytest.mark.skipif(store.POSTGRES is not None, reason="its URL is another")
def test_a_library_that_is_missing_is_named_with_its_package(run, tmp_path, monkeypatch):
    (tmp_path / "libpq.so.5").write_bytes(b"")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    done = run("status", "--data", tmp_path, "--store", "postgresql://nobody@localhost:1/none")
    assert done.returncode == 1
    assert "install the package libpq5" in done.stderr

