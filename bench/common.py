"""What the benches share: real processes, CPU time from the operating system, medians of interleaved rounds."""
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import statistics
import subprocess
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
TICK = os.sysconf("SC_CLK_TCK")


def programs(build, *names):
    """The folder of a build, with programs of bench/ made (default: all). `bench/SCRIPT build` works right after `make`."""
    build = pathlib.Path(build).resolve()
    targets = [f"bench/{name}" for name in names or ("catalog_bench", "air_bench", "bare_mhd", "store_writer", "bare_epoll",
                                                     "sqlite_lookup", "sqlite_insert", "libcount_alloc.so")]
    subprocess.run(["ninja", "-C", build, "dragoman", *targets], check=True, stdout=subprocess.DEVNULL)
    return build


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def tree(pid):
    """A process and its descendants."""
    found = [pid]
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            found += tree(int(child))
    return found


def cpu_seconds(pid):
    """User and system time of a process and its children that live."""
    total = 0
    for p in tree(pid):
        fields = pathlib.Path(f"/proc/{p}/stat").read_text().rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICK


def peak_kib(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    return 0


@contextlib.contextmanager
def process(args, **kwargs):
    """A server that is stopped, by its process id, at the end."""
    p = subprocess.Popen([str(a) for a in args], **kwargs)
    try:
        yield p
    finally:
        p.send_signal(signal.SIGTERM)
        try:
            p.wait(30)
        except subprocess.TimeoutExpired:
            p.kill()
            p.wait()


def wait_http(url, seconds=60, server=None):
    """Until it answers, or its server has ended."""
    end = time.time() + seconds
    while True:
        try:
            with urllib.request.urlopen(url, timeout=2) as answer:
                return answer.status
        except OSError:
            if server is not None and server.poll() is not None:
                raise SystemExit(f"{url}: the server has ended with {server.returncode}")
            if time.time() > end:
                raise SystemExit(f"{url} does not answer")
            time.sleep(0.05)


class Dragoman:
    """A data folder and what runs on it."""

    def __init__(self, binary, folder):
        self.binary, self.data = binary, pathlib.Path(folder)
        self.data.mkdir(parents=True, exist_ok=True)
        self.port = None

    def run(self, *args, **kwargs):
        return subprocess.run([str(self.binary), *map(str, args), "--data", str(self.data)], check=True,
                              stdout=subprocess.PIPE, text=True, **kwargs).stdout

    def key(self, api, *more):
        return json.loads(self.run("key", "create", "--api", api, "--json", *more))

    @contextlib.contextmanager
    def serve(self, *options):
        self.port = free_port()
        with process([self.binary, "serve", "--data", self.data, "--listen", f"127.0.0.1:{self.port}",
                      "--log-level", "error", *options]) as p:
            wait_http(f"http://127.0.0.1:{self.port}/readyz", 600, p)
            yield p

    def url(self, path):
        return f"http://127.0.0.1:{self.port}{path}"


def synth(binary, path, hotels, adapters, seed=1, *options):
    with open(path, "wb") as out:
        subprocess.run([f"{binary}-synth", "--hotels", str(hotels), "--adapters", str(adapters), "--seed",
                        str(seed), *options], check=True, stdout=out, stderr=subprocess.DEVNULL)


@contextlib.contextmanager
def folder(where=None):
    """A folder that is removed at the end. @param where  The folder that it is in (default: that of temporary files)"""
    path = tempfile.mkdtemp(prefix="dragoman-bench-", dir=where)
    try:
        yield pathlib.Path(path)
    finally:
        shutil.rmtree(path)


def wrk(url, headers=(), connections=16, seconds=3, threads=1, script=None, env=None):
    """requests/s, p99 in ms, and how many requests there were."""
    args = ["wrk", "-t", str(threads), "-c", str(connections), "-d", f"{seconds}s", "--latency"]
    for h in headers:
        args += ["-H", h]
    if script is not None:
        args += ["-s", str(script)]
    out = subprocess.run([*args, url], check=True, stdout=subprocess.PIPE, text=True,
                         env={**os.environ, **(env or {})}).stdout
    if "Non-2xx" in out and "304" not in " ".join(headers) and not any("If-None-Match" in h for h in headers):
        raise SystemExit(f"{url} answers with errors:\n{out}")
    requests = int(re.search(r"(\d+) requests in", out).group(1))
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1))
    number, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", out).groups()
    p99 = float(number) * {"us": 1e-3, "ms": 1, "s": 1e3}[unit]
    return rate, p99, requests


def cpu_per_request(pid, url, headers, **kwargs):
    """Microseconds of CPU that a server spends on one request."""
    before = cpu_seconds(pid)
    _, _, requests = wrk(url, headers, **kwargs)
    return (cpu_seconds(pid) - before) / requests * 1e6


def rounds(count, **measures):
    """Call the measures in turn, `count` times: {name: median}. One round before is thrown away."""
    seen = {name: [] for name in measures}
    for n in range(count + 1):
        for name, measure in measures.items():
            value = measure()
            if n > 0:
                seen[name].append(value)
    return {name: statistics.median(values) for name, values in seen.items()}


def percentile(values, p):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * p / 100))]


def wilson(right, n):
    """The 95 % interval of a share, in percent."""
    z = 1.96
    share, spread = right / max(n, 1), z * z / max(n, 1)
    half = z * (share * (1 - share) / max(n, 1) + spread / (4 * max(n, 1))) ** 0.5
    return [100 * (share + spread / 2 + sign * half) / (1 + spread) for sign in (-1, 1)]


def calibration(title, pairs):
    """What was said of pairs, as probabilities, against how many are right, by tenths. @param pairs  (said, right)"""
    tenths = {}
    for said, right in pairs:
        tenths.setdefault(min(9, int(10 * said)), []).append((said, right))
    print(f"{title}: {len(pairs)} pairs")
    for tenth, seen in sorted(tenths.items()):
        n, right = len(seen), sum(ok for _, ok in seen)
        low, high = (x / 100 for x in wilson(right, n))
        print(f"  {tenth / 10:.1f} to {tenth / 10 + 0.1:.1f}: n {n:6}, said {sum(said for said, _ in seen) / n:.3f}, seen {right / n:.3f}"
              f" ({low:.3f} to {high:.3f})")


def verdict(text, value, bound, unit="", smaller=True):
    """One line of the table, with whether the bound is kept."""
    kept = value <= bound if smaller else value >= bound
    sign = "<=" if smaller else ">="
    print(f"  {text:<62} {value:>10,.2f}{unit:<4} {sign} {bound:,.2f}  {'kept' if kept else 'MISSED'}", flush=True)
    return kept
