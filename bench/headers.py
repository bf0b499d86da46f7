#!/usr/bin/python3
"""What a request's headers cost, and what is noted of it: bench/headers.py BUILD_DIR

A small answer asked for with the key alone, and with the headers of a browser beside it. First the CPU of the server, the kernel's
included, and beside it that of a bare libmicrohttpd, which reads the same headers and heeds none. Then instructions outside the
kernel (bench/instructions.py), which whatever else the machine does leaves as they are. Last the CPU of the same request with
metrics and access log, beside a server that does neither."""
import os
import pathlib
import statistics
import sys

import common
import instructions

ROOT = pathlib.Path(__file__).resolve().parent.parent
PATH = "/v1/tour/hotelCheck?hotel=1"
ASKS = {"key alone": {}, "all three": instructions.THREE, "a browser's": instructions.BROWSER}


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
        print("\n| request | instructions |\n|---|---|")
        for name, each in instructions.count(build / "dragoman", ["hotelCheck"]).items():
            print(f"| {name} | {each:,.0f} |")
    sys.exit(0 if kept else 1)


if __name__ == "__main__":
    main()
