#!/usr/bin/python3
"""What a request's headers cost, and what is noted of it: bench/headers.py BUILD_DIR

A small answer asked for with the key alone, and with the headers of a browser beside it. First the CPU of the server, the kernel's
included, and beside it that of a bare libmicrohttpd, which reads the same headers and heeds none. Then instructions outside the
kernel, by callgrind (valgrind), which whatever else the machine does leaves as they are. Last the CPU of the same request with
metrics and access log, beside a server that does neither."""
import http.client
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

import common

ROOT = pathlib.Path(__file__).resolve().parent.parent
FEW, MANY = 100, 2100
PATH = "/v1/tour/hotelCheck?hotel=1"
BROWSER = {"Accept": "application/json, text/plain, */*", "Accept-Encoding": "gzip, deflate, br, zstd", "Origin": "https://shop.example",
           "Accept-Language": "uk,en;q=0.5", "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"}
ASKS = {
    "key alone": {},
    "all three": {name: BROWSER[name] for name in ("Accept", "Accept-Encoding", "Origin")},
    "a browser's": BROWSER,
}


def run(program, data, headers, count):
    """Instructions of the whole process that answers `count` requests on one connection."""
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder, "log")
        with open(log, "wb") as err:
            process = subprocess.Popen(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", program, "serve", "--data", data,
                                        "--listen", "127.0.0.1:0", "--threads", "1", "--poll-ms", "60000"], stderr=err)
        while not (port := re.search(rb"listens on 127.0.0.1:(\d+)", log.read_bytes())):
            time.sleep(0.2)
        connection = http.client.HTTPConnection("127.0.0.1", int(port[1]))
        while True:
            connection.request("GET", "/readyz")
            answer = connection.getresponse()
            answer.read()
            if answer.status == 200:
                break
            time.sleep(0.5)
        for _ in range(50):
            connection.request("GET", "/healthz")
            connection.getresponse().read()
        subprocess.run(["callgrind_control", "-z", str(process.pid)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        for _ in range(count):
            connection.putrequest("GET", PATH, skip_accept_encoding=True)
            for name, value in headers.items():
                connection.putheader(name, value)
            connection.endheaders()
            connection.getresponse().read()
        process.terminate()
        process.wait()
        return sum(int(n) for out in pathlib.Path(folder).glob("out*") for n in re.findall(r"^totals: (\d+)", out.read_text(), re.M))


def cpu(build, dragoman, key):
    """Microseconds of CPU: {(server, headers): median}."""
    port = common.free_port()
    with common.process([build / "bench/bare_mhd", str(port), "200"]) as bare, dragoman.serve() as ours:
        common.wait_http(f"http://127.0.0.1:{port}/", server=bare)
        sides = {"dragoman": (ours.pid, dragoman.url(PATH)), "libmicrohttpd": (bare.pid, f"http://127.0.0.1:{port}/")}
        measures = {}
        for side, (pid, url) in sides.items():
            for name, more in ASKS.items():
                ask = [f"{n}: {v}" for n, v in {"X-Service-Api-Key": key, **more}.items()]
                measures[side, name] = lambda pid=pid, url=url, ask=ask: common.cpu_per_request(pid, url, ask)
        return rounds(measures, 9)


def rounds(measures, count):
    seen = {name: [] for name in measures}
    for n in range(count):
        for name in sorted(measures, reverse=n % 2 == 1):
            seen[name].append(measures[name]())
    return {name: statistics.median(values) for name, values in seen.items()}


def print_cpu(us):
    print("| headers | CPU a request | beside the key alone | bare libmicrohttpd | beside the key alone |\n|---|---|---|---|---|")
    for name in ASKS:
        ours, bare = us["dragoman", name], us["libmicrohttpd", name]
        print(f"| {name} | {ours:.2f} us | {ours / us['dragoman', 'key alone'] - 1:+.1%} "
              f"| {bare:.2f} us | {bare / us['libmicrohttpd', 'key alone'] - 1:+.1%} |")
    more = us["dragoman", "all three"] - us["dragoman", "key alone"]
    return common.verdict("CPU of negotiation and CORS, of a request with the key alone", more / us["dragoman", "key alone"], 0.05)


def print_noted(dragoman, key, folder):
    """Two servers of one store, in turns: one that counts and logs requests, and one that does not."""
    off = folder / "off"
    off.write_text("0")
    with dragoman.serve("--access-log", folder / "access.log") as noting:
        url = dragoman.url(PATH)
        os.environ["DRG_TEST_COUNTS"] = str(off)
        with dragoman.serve() as silent:
            del os.environ["DRG_TEST_COUNTS"]
            ask = [f"X-Service-Api-Key: {key}"]
            us = rounds({"noted": lambda: common.cpu_per_request(noting.pid, url, ask),
                         "silent": lambda: common.cpu_per_request(silent.pid, dragoman.url(PATH), ask)}, 9)
    print(f"\n| CPU a request, without metrics and access log | with both |\n|---|---|\n| {us['silent']:.2f} us | {us['noted']:.2f} us |")
    return common.verdict("CPU of metrics and access log, of a request without", us["noted"] / us["silent"] - 1, 0.05)


def main():
    build = common.programs(sys.argv[1])
    with common.folder() as folder:
        dragoman = common.Dragoman(build / "dragoman", folder / "data")
        dragoman.run("import", ROOT / "tests/fixtures/mini.ndjson", "--create")
        key = dragoman.key("b")["key"]
        kept = print_cpu(cpu(build, dragoman, key))
        kept &= print_noted(dragoman, key, folder)
        print("\n| headers | instructions a request | beside the key alone |\n|---|---|---|")
        bare = None
        for name, more in ASKS.items():
            headers = {"X-Service-Api-Key": key, **more}
            each = (run(build / "dragoman", dragoman.data, headers, MANY) - run(build / "dragoman", dragoman.data, headers, FEW)) / (MANY - FEW)
            bare = bare or each
            print(f"| {name} | {each:,.0f} | {each / bare - 1:+.1%} |", flush=True)
    sys.exit(0 if kept else 1)


if __name__ == "__main__":
    main()
