"""What is installed: by `make install`, and by the scripts of the Debian package."""
import json
import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILT = pathlib.Path(os.environ.get("DRG_BIN") or ROOT / "build" / "dragoman").resolve().parent


def installed():
    """The paths that meson installs, as a package has them."""
    told = json.loads((BUILT / "meson-info" / "intro-installed.json").read_text("utf-8"))
    prefix = next(o["value"] for o in json.loads((BUILT / "meson-info" / "intro-buildoptions.json").read_text("utf-8")) if o["name"] == "prefix")
    return {re.sub(f"^{re.escape(prefix)}(?=/)", "/usr", path) for path in told.values()}


def test_every_path_that_a_page_names_is_installed():
    by_rules = set(re.findall(r"debian/dragoman(?:-demo)?(/\S+)", (ROOT / "debian" / "rules").read_text("utf-8")))
    there, missing = installed() | by_rules | {"/usr/share/doc/dragoman"}, []
    docs = {f"/usr/share/doc/dragoman/{path.relative_to(ROOT)}" for path in [*(ROOT / "docs").rglob("*"), ROOT / "README.md", ROOT / "CHANGELOG.md"]}
    assert "docs" in (ROOT / "debian" / "dragoman.docs").read_text("utf-8").split()
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(p for p in (ROOT / "packaging").rglob("*") if p.is_file())]
    named = 0
    for page in pages:
        for path in re.findall(r"(?<![\w.-])((?:/usr/(?:lib|share|libexec)|/etc)/(?:doc/)?dragoman[\w./@-]*)", page.read_text("utf-8", "replace")):
            path = path.rstrip("./")
            named += 1
            known = path in there | docs or any(other.startswith(path + "/") for other in there | docs)
            missing += [] if known else [(page.name, path)]
    assert named > 20 and not missing, missing


def test_make_install_brings_what_an_operator_needs():
    there = installed()
    for path in ("lib/systemd/system/dragoman.service", "lib/systemd/system/dragoman@.service", "lib/systemd/system/dragoman-backup.service",
                 "lib/systemd/system/dragoman-backup.timer", "lib/systemd/system/dragoman-backup-failed.service", "lib/sysusers.d/dragoman.conf",
                 "lib/tmpfiles.d/dragoman.conf", "share/dragoman/alerts.yml", "share/dragoman/alerts_test.yml",
                 *(f"share/doc/dragoman/examples/{name}" for name in ("dragoman.conf", "nginx.conf", "haproxy.cfg", "dragoman.socket",
                                                                      "cluster/haproxy.cfg", "cluster/nginx.conf", "cluster/patroni.yml"))):
        assert f"/usr/{path}" in there, path
    unit = (BUILT / "packaging" / "dragoman.service").read_text("utf-8")
    prefix = re.search(r"^ExecStart=(\S+)/bin/dragoman ", unit, re.M).group(1)
    assert f"{prefix}/bin/dragoman" in {*json.loads((BUILT / "meson-info" / "intro-installed.json").read_text("utf-8")).values()}


def test_runbooks_are_sections_of_the_page_in_the_package():
    page = (ROOT / "docs" / "monitor.md").read_text("utf-8")
    sections = {heading.lower().replace(" ", "-") for heading in re.findall(r"^#+ (.*)$", page, re.M)}
    links = re.findall(r"runbook: (\S+)#(\S+)", (ROOT / "packaging" / "alerts.yml").read_text("utf-8"))
    assert len(links) > 20
    for path, section in links:
        assert path == "/usr/share/doc/dragoman/docs/monitor.md" and section in sections, section
    assert "dh_compress -Xdoc/dragoman/docs" in (ROOT / "debian" / "rules").read_text("utf-8")


@pytest.fixture
def script(tmp_path):
    """script(name, *args) -> (output, what systemctl was asked), in a folder instead of the system."""
    (tmp_path / "bin").mkdir()
    for program in ("systemctl", "deb-systemd-invoke"):
        (tmp_path / "bin" / program).write_text(f'#!/bin/sh\necho "$*" >> {tmp_path}/asked\n')
        (tmp_path / "bin" / program).chmod(0o755)
    for folder in ("run/systemd/system", "etc/systemd/system/multi-user.target.wants", "var/log/dragoman", "var/lib/dragoman"):
        (tmp_path / folder).mkdir(parents=True)

    def run(name, *args):
        text = (ROOT / "debian" / f"dragoman.{name}").read_text("utf-8")
        text = re.sub(r"(?<![\w/])/(run|etc|var)/", rf"{tmp_path}/\1/", text)
        done = subprocess.run(["sh", "-c", text, name, *args], env={**os.environ, "PATH": f"{tmp_path}/bin:{os.environ['PATH']}"}, capture_output=True,
                              text=True, check=False)
        assert done.returncode == 0, done.stderr
        asked = tmp_path / "asked"
        return done.stdout + done.stderr, asked.read_text() if asked.exists() else ""

    run.folder = tmp_path
    return run


def test_removing_the_package_stops_every_instance(script):
    assert script("prerm", "upgrade", "0.3.1") == ("", "")
    assert "stop dragoman@*.service dragoman.socket" in script("prerm", "remove")[1]


def test_purging_it_disables_every_instance_and_leaves_the_data(script):
    wants = script.folder / "etc/systemd/system/multi-user.target.wants"
    for name in ("dragoman@8081.service", "dragoman@8082.service", "nginx.service"):
        (wants / name).symlink_to("/nowhere")
    (script.folder / "var/lib/dragoman/dragoman.db").write_text("years of decisions")
    assert script("postrm", "remove") == ("", "") and len(os.listdir(wants)) == 3
    said, asked = script("postrm", "purge")
    assert os.listdir(wants) == ["nginx.service"] and "daemon-reload" in asked and "is left: it has your data" in said
    assert (script.folder / "var/lib/dragoman/dragoman.db").exists() and not (script.folder / "var/log/dragoman").exists()


def test_an_upgrade_restarts_nothing_and_says_so(script):
    rules = (ROOT / "debian" / "rules").read_text("utf-8")
    assert "dh_installsystemd --no-restart-after-upgrade --no-stop-on-upgrade\n" in rules
    assert script("postinst", "configure") == ("", "")
    said, asked = script("postinst", "configure", "0.2.0")
    assert "go on with the version 0.2.0; make a backup, then restart them" in said and "restart" not in asked
