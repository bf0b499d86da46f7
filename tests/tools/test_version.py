"""The version of the sources (tools/version): a release, what comes after it, and a tarball."""
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Sources:
    def __init__(self, folder):
        self.folder = folder
        (folder / "tools").mkdir(parents=True)
        shutil.copy(ROOT / "tools" / "version", folder / "tools")
        self.write("0.3.0")

    def write(self, number):
        (self.folder / "meson.build").write_text(f"project('dragoman', 'c',\n  version: '{number}',\n  license: 'MIT')\n")

    def git(self, *words):
        return subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.com", *words], cwd=self.folder, check=True, capture_output=True,
                              text=True).stdout.strip()

    def commit(self, number=None):
        if number is not None:
            self.write(number)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "change")
        return self.git("rev-parse", "--short=12", "HEAD")

    def version(self):
        return subprocess.run([self.folder / "tools" / "version"], cwd="/", check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def sources(tmp_path):
    made = Sources(tmp_path / "sources")
    made.git("init", "-q")
    return made


def test_a_release_and_what_comes_after_it(sources):
    sources.commit("0.2.9")
    sources.commit("0.3.0")
    assert sources.version() == "0.3.0"
    next = sources.commit()
    assert sources.version() == f"0.3.1~dev1+g{next}"
    later = sources.commit()
    assert sources.version() == f"0.3.1~dev2+g{later}"
    sources.git("tag", "v0.3.0")  # what is tagged is the release, whichever commit set the number
    assert sources.version() == "0.3.0"
    sources.commit()
    assert sources.version().startswith("0.3.1~dev1+g")
    sources.commit("0.4.0")
    assert sources.version() == "0.4.0"


def test_a_shallow_clone_knows_that_it_is_none(sources, tmp_path):
    sources.commit("0.3.0")
    hash = sources.commit()
    subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{sources.folder}", tmp_path / "clone"], check=True)
    sources.folder = tmp_path / "clone"
    assert sources.version() == f"0.3.1~dev0+g{hash}"


def test_a_tarball_keeps_what_git_said(tmp_path):
    unpacked = Sources(tmp_path / "unpacked")
    assert unpacked.version() == "0.3.0"
    (unpacked.folder / "version").write_text("0.3.1~dev7+g0123456789ab\n")
    assert unpacked.version() == "0.3.1~dev7+g0123456789ab"


@pytest.mark.skipif(shutil.which("dpkg") is None, reason="there is no dpkg")
def test_packages_replace_what_is_older():
    order = ["0.3.0+deb12", "0.3.0+deb13", "0.3.1~dev0+gffff+deb12", "0.3.1~dev2+gffff+deb12", "0.3.1~dev10+g0000+deb12", "0.3.1+deb12", "0.3.1+deb13"]
    for older, newer in zip(order, order[1:]):
        assert subprocess.run(["dpkg", "--compare-versions", older, "lt", newer], check=False).returncode == 0, (older, newer)


def test_every_place_has_the_version():
    number = re.search(r"^  version: '(.*)',", (ROOT / "meson.build").read_text("utf-8"), re.M).group(1)
    read = lambda name: (ROOT / name).read_text("utf-8")
    assert f"Version {number}." in read("README.md") and read("debian/changelog").startswith(f"dragoman ({number}) ")
    assert re.search(r"^## \[(?!Unreleased)(.+?)\]", read("CHANGELOG.md"), re.M).group(1) == number
    assert f"./dragoman_{number}+deb12_amd64.deb" in read("docs/production.md")
