"""The OpenAPI documents: held against linters, generators of clients, and what servers answer.

DRG_EXCHANGES=FOLDER   the exchanges that the black-box tests have recorded; without it there is no test of them"""
import pathlib
import shutil
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import black_box  # noqa: E402

globals().update(black_box.fixtures())
DOCUMENTS = {"both": "/openapi.json", "a": "/api/v1/openapi.json", "b": "/v1/openapi.json"}


@pytest.fixture(scope="session", autouse=True)
def packages():
    """The npm packages, as the lock file has them: not before a test runs."""
    subprocess.run([HERE.parent.parent / "tools" / "npm-ci", HERE], check=True, stdout=subprocess.DEVNULL)


@pytest.fixture(scope="session")
def node():
    """node("script.js", *args): its output; what it says when it fails is the test's."""

    def node(script, *args, cwd=HERE, env=None):
        done = subprocess.run(["node", HERE / script, *map(str, args)], cwd=cwd, env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=600, check=False)
        assert done.returncode == 0, done.stderr + done.stdout
        return done.stdout

    return node


@pytest.fixture(scope="session")
def described(session_servers, mini):
    """The server whose documents are looked at; its public URL is nobody's example."""
    return session_servers.make(mini, "--public-url", "https://travel.test")


@pytest.fixture(scope="session")
def documents(described, tmp_path_factory):
    """name -> file"""
    folder = tmp_path_factory.mktemp("documents")
    files = {}
    for name, path in DOCUMENTS.items():
        answer = described.request(path)
        assert answer.status == 200, answer
        files[name] = folder / f"{name}.json"
        files[name].write_bytes(answer.body)
    return files


@pytest.fixture
def workshop(tmp_path):
    """A folder where clients are made: the packages can be imported from it."""
    for path in (HERE / "clients").iterdir():
        shutil.copy(path, tmp_path)
    (tmp_path / "node_modules").symlink_to(HERE / "node_modules")
    return tmp_path
