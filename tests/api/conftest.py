"""Fixtures of the black-box tests: a real server process on a data folder of its own.

DRG_BIN   the program to test (default: build/dragoman)
DRG_WRAP  a command to run it under: valgrind -q --error-exitcode=99 --suppressions=…/tests/api/valgrind.supp
DRG_DEMO  a data folder that holds the demo data (default: one is made from build/data/reference.ndjson)
DRG_SLOW=1     sanitizers or valgrind: fewer generated cases
DRG_RANDOM=1   generated cases that no run had before (else the same ones each time)
DRG_SHUFFLE=N  the files, and the tests of each, in another order, which N says
DRG_TEST_POSTGRES  a server (tests/pg_cluster starts one): every data folder has its store in a database of its own there

--quick        what `make test` runs: nothing heavy, and of tests that start processes of their own one case of each function
--after-quick  the rest
--own-once     also one case of each of these functions, and heavy tests"""
import contextlib
import json
import mmap
import os
import pathlib
import random
import re
import shlex
import shutil
import signal
import subprocess
import tempfile

import hypothesis
import pytest

import client
import guide
import mapping
import store
from curating import Desk
from templates import CHEAP, KEYS, Templates

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "tests" / "fixtures"
SLOW = client.SLOW
# A run that fails by chance says nothing of the change that it is a test of: `make long` tries other cases.
os.environ["DRG_TEST_CONFIG"] = "/nonexistent"  # tests do not read the settings of the machine
hypothesis.settings.register_profile("same", derandomize="DRG_RANDOM" not in os.environ)
hypothesis.settings.load_profile("same")
#: Bytes of memory that a run of the tests may take.
ROOM = 4 << 30
#: What starts a command or a server.
OF_PROCESSES = {"run", "templates", "import_file", "new_key", "processes", "servers"}
CURATORS = (*KEYS["b"], "--role", "curator", "--name", "olena")
SMALL_QUARANTINE = "quarantine_size_mb=8"
LISTENS = re.compile(r"listens on \S*:(\d+)")
BAD_STDERR = re.compile(r"sanitizer|runtime error|\berror\b|assertion|==\d+==", re.IGNORECASE)


class Process:
    """A running `dragoman serve`."""

    def __init__(self, command, stderr_path, host, wait, socket=None):
        self.stderr_path, self.host = stderr_path, host
        with open(stderr_path, "wb") as stderr:
            self.popen = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=stderr,
                                          pass_fds=() if socket is None else (socket.fileno(),))
        self.pid = self.popen.pid
        try:
            self.port = self._wait_for_port()
            if wait:
                self._wait_until_ready()
        except BaseException:
            self.popen.kill()
            self.popen.wait()
            raise
        self.url = f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    def stderr(self):
        return self.stderr_path.read_text("utf-8", "replace")

    def _port(self):
        assert self.popen.poll() is None, f"serve ended with {self.popen.returncode}: {self.stderr()}"
        found = LISTENS.search(self.stderr())
        return int(found.group(1)) if found else 0

    def _wait_for_port(self):
        port = client.wait_until(self._port)
        assert port, f"serve did not say where it listens: {self.stderr()}"
        return port

    def _ready(self):
        assert self.popen.poll() is None, f"serve ended with {self.popen.returncode}: {self.stderr()}"
        try:
            return client.request(self.port, "/readyz", host=self.host).status == 200
        except OSError:
            return False

    def _wait_until_ready(self):
        assert client.wait_until(self._ready), f"never ready: {self.stderr()}"

    def stop(self):
        """SIGTERM, by process id; a clean end is part of every test."""
        if self.popen.returncode is not None:
            return
        os.kill(self.pid, signal.SIGTERM)
        try:
            status = self.popen.wait(client.PATIENCE)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            self.popen.wait()
            pytest.fail(f"serve did not stop on SIGTERM: {self.stderr()}")
        said = self.stderr()
        assert status == 0, f"exit status {status}: {said}"
        assert not BAD_STDERR.search(said), said


class Server:
    """A server process with its data folder and keys: what most tests need."""

    def __init__(self, process, data, keys):
        self.process, self.data = process, data
        self.port, self.url, self.pid = process.port, process.url, process.pid
        self.key_a, self.key_b = keys["a"]["key"], keys["b"]["key"]
        self.secret_b = keys["b"]["secret"]
        self.keys = keys

    def a(self, path, headers=None, method="GET", key=None):
        return self.request(client.BASE["a"] + path, method, {client.HEADER["a"]: key or self.key_a, **(headers or {})})

    def b(self, path, headers=None, method="GET", key=None):
        return self.request(client.BASE["b"] + path, method, {client.HEADER["b"]: key or self.key_b, **(headers or {})})

    def api(self, api, path, headers=None, method="GET"):
        return (self.a if api == "a" else self.b)(path, headers, method)

    def request(self, path, method="GET", headers=None, body=None):
        return client.request(self.port, path, method, headers, body, host=self.process.host)

    def stop(self):
        self.process.stop()


def importing(what):
    """The command that makes a store of a file, or of a list of records."""
    if not isinstance(what, (str, os.PathLike)):
        what = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in what).encode()
    return "import", pathlib.Path(what) if isinstance(what, str) else what, "--create"


def program():
    return pathlib.Path(os.environ.get("DRG_BIN") or ROOT / "build" / "dragoman").resolve()


def command(*args):
    return [*shlex.split(os.environ.get("DRG_WRAP", "")), str(program()), *store.arguments(args)]


def synth(*args):
    """Made-up records, as NDJSON."""
    return subprocess.run([f"{program()}-synth", *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout


def pytest_addoption(parser):
    group = parser.getgroup("dragoman")
    group.addoption("--quick", action="store_true", help="nothing heavy; one case of each function that starts processes of its own")
    group.addoption("--after-quick", action="store_true", help="only the tests that --quick skips")
    group.addoption("--own-once", action="store_true", help="one case of each function that starts processes of its own")


#: Of all tests that have these fixtures.
MARKS = {
    "files": "about the files of a store in SQLite",
    "concurrent": "run under ThreadSanitizer too",
    "own": "starts processes of its own (given below)",
    "cases": "of this function these cases are run by --quick (and, if they have processes of their own, by --own-once), not the first",
    "heavy": "takes seconds of CPU; make test leaves it out, and make test-all on PostgreSQL",
    "store": "its outcome could differ by the engine of the store; run on PostgreSQL too",
    "store_core": "those that make test runs on PostgreSQL",
    "long": "takes minutes or measures; only in make long",
    "xdist_group": "tests that one worker runs, which share a costly fixture",
}


def pytest_configure(config):
    """Data folders are in memory, where there is room: a commit that waits for a disk shows nothing here."""
    for mark, means in MARKS.items():
        config.addinivalue_line("markers", f"{mark}: {means}")
    memory = pathlib.Path("/dev/shm")
    if config.option.basetemp is None and "TMPDIR" not in os.environ and memory.is_dir() and shutil.disk_usage(memory).free > ROOM:
        config.option.basetemp = tempfile.mkdtemp(prefix="dragoman-", dir=memory)
        config.add_cleanup(lambda: shutil.rmtree(config.option.basetemp, ignore_errors=True))


def starts_processes(item):
    """Does it start commands or servers, itself or through a fixture that is made for it alone?"""
    names, looked_at = list(item._fixtureinfo.initialnames), set()
    while names:
        name = names.pop()
        if name in OF_PROCESSES:
            return True
        for definition in item._fixtureinfo.name2fixturedefs.get(name, ()):
            if definition.scope == "function" and definition not in looked_at:
                looked_at.add(definition)
                names += definition.argnames
    return False


def stands_for_its_function(item, cases_seen):
    """Of the cases of a function the first, or those that its mark `cases` names."""
    function = item.nodeid.partition("[")[0]
    first = function not in cases_seen
    cases_seen.add(function)
    named = item.get_closest_marker("cases")
    return first if named is None else not named.args or item.callspec.id in named.args


def is_left_out(item, config, cases_seen):
    quick = config.option.quick or config.option.after_quick
    once = item.get_closest_marker("own") or (quick and item.get_closest_marker("cases"))
    if quick and item.get_closest_marker("heavy"):
        left_out = True
    elif quick or config.option.own_once:
        left_out = bool(once) and not stands_for_its_function(item, cases_seen)
    else:
        left_out = False
    return left_out != config.option.after_quick


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_teardown(item):
    yield
    if store.POSTGRES is not None and "tmp_path" in item.funcargs:
        store.drop(item.funcargs["tmp_path"])


def shuffled(items, seed):
    """Those of a file stay together: they share servers."""
    order, files = random.Random(seed), {}
    for item in items:
        files.setdefault(item.fspath, []).append(item)
    groups = list(files.values())
    for group in [groups, *groups]:
        order.shuffle(group)
    return [item for group in groups for item in group]


def pytest_collection_modifyitems(config, items):
    for item in items:
        if store.POSTGRES is not None and item.get_closest_marker("files"):
            item.add_marker(pytest.mark.skip(reason="of the files of a store in SQLite"))
        if starts_processes(item):
            item.add_marker("own")
    cases_seen = set()
    left_out = [item for item in items if is_left_out(item, config, cases_seen)]
    config.hook.pytest_deselected(items=left_out)
    gone = set(left_out)
    items[:] = [item for item in items if item not in gone]
    if os.environ.get("DRG_SHUFFLE"):
        items[:] = shuffled(items, os.environ["DRG_SHUFFLE"])


@pytest.fixture(scope="session")
def dragoman():
    path = program()
    assert path.exists(), f"{path} is missing: build it first, or set DRG_BIN"
    return path


@pytest.fixture(scope="session")
def run(dragoman):
    """run(*args, stdin=bytes): a command of the program; text in, text out. Nothing is checked."""

    def run(*args, stdin=None):
        done = subprocess.run(command(*args), input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=10 * client.PATIENCE, check=False)
        done.stdout = done.stdout.decode("utf-8", "surrogateescape")
        done.stderr = done.stderr.decode("utf-8", "surrogateescape")
        return done

    return run


@pytest.fixture(scope="session")
def templates(run, tmp_path_factory):
    return Templates(run, tmp_path_factory.mktemp("templates"))


@pytest.fixture(scope="session")
def import_file(templates):
    """import_file(data, what, *options): what is a path, or a list of records."""

    def import_file(data, what, *options):
        return templates.fill(data, (*importing(what), *options))[0]

    return import_file


@pytest.fixture(scope="session")
def new_key(run):
    """new_key(data, "a", *options): {"id", "key"} and, with --secret, "secret"."""

    def new_key(data, api, *options):
        done = run("key", "create", "--api", api, "--json", "--data", data, *options)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return new_key


@pytest.fixture(scope="session")
def processes(dragoman, tmp_path_factory):
    """processes(*options, data=, listen=, wait=, socket=): starts servers; the owner stops them. socket: given as systemd would."""

    def start(*options, data, listen="127.0.0.1:0", wait=True, socket=None):
        stderr = tmp_path_factory.mktemp("serve") / "stderr"
        host = listen.rpartition(":")[0].strip("[]")
        words = command("serve", "--data", data, "--listen", listen, *options)
        if socket is not None:
            words = ["/bin/bash", "-c", f'exec 3<&{socket.fileno()}; LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"', "sh", *words]
        return Process(words, stderr, host, wait, socket)

    return start


class Servers:
    """Starts servers and remembers them for the end of the fixture's scope."""

    def __init__(self, processes, templates, tmp_path_factory):
        self.processes, self.templates = processes, templates
        self.tmp_path_factory = tmp_path_factory
        self.started, self.folders = [], []

    def folder(self):
        self.folders.append(self.tmp_path_factory.mktemp("data"))
        return self.folders[-1]

    def start(self, *options, data=None, **more):
        """The matcher is off, unless an option says otherwise."""
        if "--match" not in options:
            options = ("--match", "off", *options)
        data = data or self.folder()
        process = self.processes(*options, data=data, **more)
        process.data = data
        self.started.append(process)
        return process

    def make(self, records, *options, data=None, people=(), **more):
        """records: a path, a list of records, or None for a folder that has them. people: curators, with the password PASSWORD."""
        data = data or self.folder()
        if records is not None:
            steps = [importing(records)]
            steps += [("user", "add", name, "--role", "curator", "--no-password") for name in people]
            self.templates.fill_with_keys(data, *steps)
            if people:
                store.execute(data, f"UPDATE person SET password = '{CHEAP}'")
        keys = self.templates.keys_of(data)  # before the start: a server may take a moment to see one that came later
        return Server(self.start(*options, data=data, **more), data, keys)

    def stop(self):
        faults = []
        for process in self.started:
            try:
                process.stop()
            except AssertionError as fault:
                faults.append(str(fault))
        for folder in self.folders:
            store.drop(folder)
        assert not faults, "\n".join(faults)


@pytest.fixture(scope="session")
def session_servers(processes, templates, tmp_path_factory):
    servers = Servers(processes, templates, tmp_path_factory)
    yield servers
    servers.stop()


@pytest.fixture(scope="module")
def module_servers(processes, templates, tmp_path_factory):
    servers = Servers(processes, templates, tmp_path_factory)
    yield servers
    servers.stop()


@pytest.fixture
def servers(processes, templates, tmp_path_factory):
    servers = Servers(processes, templates, tmp_path_factory)
    yield servers
    servers.stop()


@pytest.fixture
def start_server(servers):
    """start_server(*options, data=…): the process (.port .url .pid .data .stderr() .stop()), stopped at the end."""
    return servers.start


@pytest.fixture
def make_server(servers):
    """make_server(records or path, *options): a Server of the test's own, with data and keys."""
    return servers.make


@pytest.fixture
def own(make_server, mini):
    return make_server(mini)


@pytest.fixture
def data(request, templates, run, mini, tmp_path):
    """A data folder as the test's module has it: RECORDS are imported (mini.ndjson; None: nothing), then the commands STEPS run."""
    fill(templates, request.module, mini, tmp_path, "servers" in request.fixturenames)
    return mapping.Data(run, tmp_path)


def fill(templates, module, mini, path, with_keys):
    records, steps = getattr(module, "RECORDS", mini), getattr(module, "STEPS", [])
    steps = [importing(records), *steps] if records is not None else steps
    if with_keys:
        templates.fill_with_keys(path, *steps, keys={"desk": CURATORS})
    else:
        templates.fill(path, *steps)


@pytest.fixture(scope="module")
def same_data(request, module_servers, templates, run, mini):
    """Likewise, of all tests of the module that change nothing in it."""
    path = module_servers.folder()
    fill(templates, request.module, mini, path, True)
    return mapping.Data(run, path)


@pytest.fixture(scope="module")
def same_desk(request, module_servers, templates, same_data, small_quarantine):
    """The Desk on it."""
    with small_quarantine():
        server = module_servers.make(None, data=same_data.path)
    return getattr(request.module, "DESK", Desk)(server, templates.keys_of(same_data.path)["desk"])


@pytest.fixture
def add(data, import_file):
    """add(records...): into `data`."""
    return lambda *records: import_file(data.path, list(records))


@pytest.fixture
def desk(request, make_server, templates, data):
    """Requests of a curator, olena, to a server on `data`: a Desk, or what the test's module has as DESK."""
    return getattr(request.module, "DESK", Desk)(make_server(None, data=data.path), templates.keys_of(data.path)["desk"])


def number_in(path):
    """A number that servers see while it changes, as the first of what is returned (src/base/testing.h)."""
    path.write_bytes(bytes(8))
    with open(path, "r+b") as file:
        return memoryview(mmap.mmap(file.fileno(), 8)).cast("q")


class Clock:
    """The time of the servers and commands that are started while it is there: the system's, and what advance() adds."""

    def __init__(self, path):
        self.ahead_ns = number_in(path)

    def advance(self, seconds):
        self.ahead_ns[0] += int(seconds * 1e9)


class Builder:
    """The builder of lists of the servers that are started while it is there: it builds when it is told to."""

    def __init__(self, path):
        self.allowed = number_in(path)

    def build(self, lists):
        self.allowed[0] += lists


@pytest.fixture
def clock(tmp_path, monkeypatch):
    """clock.advance(seconds): what is started in this test takes it that so much time has gone (src/base/clock.h)."""
    path = tmp_path / "clock"
    monkeypatch.setenv("DRG_TEST_CLOCK", str(path))
    return Clock(path)


@pytest.fixture
def builder(tmp_path, monkeypatch):
    """builder.build(lists): so many more lists may be built by what is started in this test (src/server/lists/lists.h)."""
    path = tmp_path / "lists"
    monkeypatch.setenv("DRG_TEST_LISTS", str(path))
    return Builder(path)


@pytest.fixture(scope="session")
def small_quarantine():
    """with small_quarantine(): of servers that are started here memory can be measured. AddressSanitizer keeps 256 MiB of what was
    freed, which is its memory and not the server's."""
    @contextlib.contextmanager
    def small():
        with pytest.MonkeyPatch.context() as patch:
            given = os.environ.get("ASAN_OPTIONS")
            patch.setenv("ASAN_OPTIONS", f"{given}:{SMALL_QUARANTINE}" if given else SMALL_QUARANTINE)
            yield
    return small


@pytest.fixture(scope="session")
def mini():
    return FIXTURES / "mini.ndjson"


@pytest.fixture(scope="session")
def server(session_servers, mini):
    """The server on mini.ndjson that tests which only read share."""
    return session_servers.make(mini)


def _demo_data(run, import_file, tmp_path_factory):
    given = os.environ.get("DRG_DEMO")
    if given:
        data = tmp_path_factory.mktemp("demo") / "data"
        shutil.copytree(given, data)
        return data
    reference = ROOT / "build" / "data" / "reference.ndjson"
    if not reference.exists():
        pytest.skip(f"{reference} is missing: `make` builds it")
    data = tmp_path_factory.mktemp("demo")
    synthetic = data / "synthetic.ndjson"
    synthetic.write_bytes(synth("--base", reference, "--hotels", 20000, "--adapters", 12, "--seed", 1))
    done = run("import", reference, synthetic, "--data", data)
    assert done.returncode == 0, done.stderr
    synthetic.unlink()
    return data


@pytest.fixture(scope="session")
def demo(session_servers, run, import_file, tmp_path_factory):
    """The server on the demo data."""
    return session_servers.make(None, data=_demo_data(run, import_file, tmp_path_factory))


@pytest.fixture(scope="session")
def demo_store(demo, run, tmp_path_factory):
    """A copy of the demo's data folder as `make run` has it (matched), for tests to copy."""
    folder = tmp_path_factory.mktemp("demo-copy")
    data = folder / "data"
    for done in (run("backup", folder / "b", "--data", demo.data), run("restore", folder / "b", "--data", data),
                 run("match", "--samples", "0", "--data", data)):
        assert done.returncode == 0, done.stderr
    return data


@pytest.fixture(scope="session")
def reader(demo_store, dragoman, tmp_path_factory):
    """Somebody with a guide, who has typed `make run`, for guides that change nothing."""
    with guide.make_run(tmp_path_factory.mktemp("reader"), dragoman, demo_store) as somebody:
        yield somebody


@pytest.fixture(scope="session")
def seen():
    """seen(condition): what another process has changed comes to be seen (decision E8)."""
    return client.wait_until
