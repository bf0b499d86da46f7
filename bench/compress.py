#!/usr/bin/python3
"""What compressing translation answers costs: bench/compress.py BUILD_DIR

CPU time of the server and bytes for each answer of tour/sourceInfo, by coding and by the number of ids, beside the same uncompressed.
The codings take turns, so that whatever else the machine does falls on all of them."""
import http.client
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

CODINGS = (None, "zstd", "gzip", "br")
ROUNDS, SECONDS, ADAPTER = 7, 0.4, 101


def cpu_ns(pid):
    return sum(int(task.joinpath("schedstat").read_text().split()[0]) for task in pathlib.Path(f"/proc/{pid}/task").iterdir())


def made(program, folder):
    """Made-up hotels and a key of API B."""
    records = pathlib.Path(folder, "records.ndjson")
    with open(records, "wb") as out:
        subprocess.run([f"{program}-synth", "--hotels", "5000", "--seed", "1"], stdout=out, stderr=subprocess.DEVNULL, check=True)
    subprocess.run([program, "import", records, "--create", "--data", folder], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    done = subprocess.run([program, "key", "create", "--api", "b", "--json", "--data", folder], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)["key"]


def started(program, data):
    log = tempfile.NamedTemporaryFile("w+", suffix=".log")
    process = subprocess.Popen([program, "serve", "--data", data, "--listen", "127.0.0.1:0", "--compress-from", "1"], stderr=log)
    for _ in range(600):
        text = pathlib.Path(log.name).read_text()
        if "listens on" in text:
            port = int(text.split("listens on 127.0.0.1:")[1].split(",")[0])
            connection = http.client.HTTPConnection("127.0.0.1", port)
            connection.request("GET", "/readyz")
            if connection.getresponse().status == 200:
                return process, port
        time.sleep(0.1)
    raise SystemExit("the server did not start")


def ids_of(port, key, adapter, n):
    """Supplier ids that there are, from the export."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", f"/v1/export/sources?kind=hotel&adapter_id={adapter}", headers={"X-Service-Api-Key": key})
    lines = connection.getresponse().read().decode().splitlines()
    return [row["id"] for row in map(json.loads, lines) if row["type"] == "source"][:n]


def measured(process, connection, body, headers):
    """CPU microseconds and bytes of one answer."""
    count, size, end, before = 0, 0, time.monotonic() + SECONDS, cpu_ns(process.pid)
    while time.monotonic() < end or count < 20:
        connection.request("POST", f"/v1/tour/sourceInfo?adapter_id={ADAPTER}", body, headers)
        size, count = len(connection.getresponse().read()), count + 1
    return (cpu_ns(process.pid) - before) / count / 1000, size


def main():
    program, folder = pathlib.Path(sys.argv[1]) / "dragoman", tempfile.TemporaryDirectory()
    key = made(program, folder.name)
    process, port = started(program, folder.name)
    try:
        known = ids_of(port, key, ADAPTER, 1000)
        print("| ids | coding | bytes | of plain | CPU, us | more, us | us saved a KiB less |\n|---|---|---|---|---|---|---|")
        for n in (1, 3, 10, 100, 1000):
            body = json.dumps({"hotel": known[:n]}).encode()
            connection = http.client.HTTPConnection("127.0.0.1", port)
            found = {coding: [] for coding in CODINGS}
            for _ in range(ROUNDS):
                for coding in CODINGS:
                    headers = {"X-Service-Api-Key": key} | ({"Accept-Encoding": coding} if coding else {})
                    found[coding].append(measured(process, connection, body, headers))
            plain_us, plain = statistics.median(us for us, _ in found[None]), found[None][0][1]
            for coding in CODINGS:
                us, size = statistics.median(us for us, _ in found[coding]), found[coding][0][1]
                saved = (plain - size) / 1024
                rate = f"{(us - plain_us) / saved:.1f}" if saved > 0 and coding else ""
                print(f"| {n} | {coding or 'none'} | {size:,} | {size / plain:.2f} | {us:.1f} | {us - plain_us:+.1f} | {rate} |", flush=True)
    finally:
        process.terminate()
        process.wait()
        folder.cleanup()


if __name__ == "__main__":
    main()
