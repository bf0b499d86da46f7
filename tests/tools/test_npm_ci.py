"""tools/npm-ci: what the lock file has is fetched, compared and unpacked; anything else is left out of node_modules."""
import base64
import hashlib
import http.server
import io
import json
import os
import pathlib
import subprocess
import tarfile
import threading

import pytest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "npm-ci"


def archive(*names):
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as tar:
        for name in names:
            entry = tarfile.TarInfo(name)
            entry.size = 2
            tar.addfile(entry, io.BytesIO(b"hi"))
    return made.getvalue()


def integrity(data):
    return "sha512-" + base64.b64encode(hashlib.sha512(data).digest()).decode()


@pytest.fixture
def registry():
    """.archives: path -> bytes; .asked: (path, Authorization) of each request."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.server.asked.append((self.path, self.headers["Authorization"]))
            body = self.server.archives.get(self.path)
            self.send_response(404 if body is None else 200)
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *args):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.archives, server.asked = {}, []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def fetch(registry, tmp_path):
    """fetch({path in node_modules: (version, integrity)}): the tool runs; its result and the folder."""
    host = f"127.0.0.1:{registry.server_port}"
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / ".npmrc").write_text(f"@of:registry = http://{host}/scoped/\n//{host}/scoped/:_authToken=${{TOKEN}}\n")

    def fetch(packages):
        (tmp_path / "package-lock.json").write_text(json.dumps(
            {"packages": {"": {}, **{f"node_modules/{path}": {"version": version, "integrity": hash} for path, (version, hash) in packages.items()}}}))
        environment = {**os.environ, "HOME": str(tmp_path / "home"), "npm_config_registry": f"http://{host}/all", "TOKEN": "secret", "NO_PROXY": "*"}
        return subprocess.run([TOOL, tmp_path], env=environment, capture_output=True, text=True, check=False), tmp_path / "node_modules"

    return fetch


def test_packages_are_where_the_lock_file_says(registry, fetch):
    data = archive("package/a.js", "package/lib/b.js")
    registry.archives = {"/all/plain/-/plain-1.0.0.tgz": data, "/scoped/@of/it/-/it-2.0.0.tgz": data, "/all/in/-/in-3.0.0.tgz": data}
    packages = {"plain": ("1.0.0", integrity(data)), "@of/it": ("2.0.0", integrity(data)), "plain/node_modules/in": ("3.0.0", integrity(data))}
    done, modules = fetch(packages)
    assert done.returncode == 0, done.stderr
    for path in packages:
        assert (modules / path / "lib" / "b.js").read_bytes() == b"hi"
    assert dict(registry.asked)["/scoped/@of/it/-/it-2.0.0.tgz"] == "Bearer secret"
    assert dict(registry.asked)["/all/plain/-/plain-1.0.0.tgz"] is None
    registry.asked.clear()
    assert fetch(packages)[0].returncode == 0 and not registry.asked, "the same is not fetched again"


@pytest.mark.parametrize("names, hash_of, version, said", [
    (["package/a.js"], b"other", "1.0.0", "it is not what the lock file has"),
    (["package/../../a.js"], None, "1.0.0", "an archive with the path"),
    (["package/a.js"], None, "9.0.0", "HTTP Error 404"),
])
def test_what_is_not_right_is_not_there(registry, fetch, names, hash_of, version, said):
    data = archive(*names)
    registry.archives = {"/all/plain/-/plain-1.0.0.tgz": data}
    done, modules = fetch({"plain": (version, integrity(hash_of or data))})
    assert done.returncode == 1 and said in done.stderr, done.stderr
    assert not modules.exists()


def test_a_weak_hash_is_none(registry, fetch):
    registry.archives = {"/all/plain/-/plain-1.0.0.tgz": archive("package/a")}
    done, modules = fetch({"plain": ("1.0.0", "sha1-AAAA")})
    assert done.returncode == 1 and "no hash of it that is good enough" in done.stderr and not modules.exists()
