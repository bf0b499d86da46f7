"""What a command loads: libraries that only a few commands need are loaded by those (src/base/library.h)."""
import re

import pytest

import store

LATE = ("libpq", "libldap", "libgssapi", "libssl", "libcrypto", "libmicrohttpd", "libgnutls", "libicu", "libstdc++", "libzip", "libxlsxwriter")
SOURCE = b'{"type":"adapter","id":9001,"code":"ascii","name":"Ascii","domain":"tour"}\n'
on_sqlite = pytest.mark.skipif(store.POSTGRES is not None, reason="a store on PostgreSQL needs libpq")


@pytest.fixture
def loaded(run, tmp_path, monkeypatch):
    """loaded(*command, stdin=): the libraries that a command loads, "libpq.so.5"."""

    def loaded(*args, stdin=None):
        monkeypatch.setenv("LD_DEBUG", "files")
        monkeypatch.setenv("LD_DEBUG_OUTPUT", str(tmp_path / "ld"))
        done = run(*args, stdin=stdin)
        monkeypatch.delenv("LD_DEBUG")
        assert done.returncode == 0, done.stderr
        said = "".join(path.read_text("utf-8", "replace") for path in tmp_path.glob("ld.*"))
        return set(re.findall(r"file=(?:\S*/)?(\S+) .*generating link map", said))

    return loaded


def late(names):
    assert "libc.so.6" in names
    return [name for name in names if name.startswith(LATE)]


def test_the_version_needs_nothing(loaded):
    assert not late(loaded("--version"))


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

