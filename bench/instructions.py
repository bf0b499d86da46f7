#!/usr/bin/python3
"""Counts the instructions of a request on a persistent connection: bench/instructions.py PROGRAM [CASE...]

Unlike time, instructions do not depend on the machine's load. The server runs under callgrind (valgrind), which counts
only the thread that responds, without the kernel. A request for a missing path makes callgrind write its count (--dump-before).
Each figure is the difference between many and few requests, without one-time work.

DRG_PROFILE=FILE writes callgrind's profile of the last case, for callgrind_annotate."""
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import time

import common

WARM, FEW, MANY = 30, 90, 630
#: Called for an address that does not exist, and for nothing else.
MARK = "drg_router_suggest"
#: Called by the thread that answers, and by no other one.
ANSWERS = "drg_check_request"
BROWSER = {"Accept": "application/json, text/plain, */*", "Accept-Encoding": "gzip, deflate, br, zstd", "Origin": "https://shop.example",
           "Accept-Language": "uk,en;q=0.5", "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"}
THREE = {name: BROWSER[name] for name in ("Accept", "Accept-Encoding", "Origin")}
#: Of hotels that do not exist. How long a search is depends on a random number of the process and on the id: on average it does not.
HOTELS = [f"/v1/tour/hotelCheck?hotel={number}" for number in range(10, 100)]
LISTS = "/api/v1/tour/main-references"
#: A hotel list of about this size, as it is sent, is the large answer.
LARGE = 281_000


class Client:
    """A persistent connection."""

    def __init__(self, port):
        self.host = f"127.0.0.1:{port}"
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)

    def get(self, path, headers):
        lines = [f"GET {path} HTTP/1.1", f"Host: {self.host}", *(f"{n}: {v}" for n, v in headers.items()), "", ""]
        self.socket.sendall("\r\n".join(lines).encode())
        got = b""
        while (end := got.find(b"\r\n\r\n")) < 0:
            got += self.more()
        head, body = got[:end].decode(), got[end + 4:]
        length = re.search(r"(?i)^content-length: (\d+)", head, re.M)
        while len(body) < int(length[1] if length else 0):
            body += self.more()
        return int(head.split()[1]), head, body

    def more(self):
        got = self.socket.recv(1 << 20)
        if not got:
            raise SystemExit("the server has closed the connection")
        return got


class Counted:
    """The program under callgrind, with data from dragoman-synth; cases() lists the requests to measure."""

    def __init__(self, program, folder):
        self.folder, self.dumps = folder, 0
        dragoman = common.Dragoman(program, folder / "data")
        common.synth(dragoman.binary, folder / "synth.ndjson", 30_000, 3)
        dragoman.run("import", folder / "synth.ndjson", "--create", stderr=subprocess.DEVNULL)
        self.a, self.b = ({name: dragoman.key(api)["key"]} for api, name in (("a", "X-Api-Key"), ("b", "X-Service-Api-Key")))
        directions = [json.loads(line) for line in dragoman.run("export", "--type", "direction").splitlines()]
        self.hotels = sorted({f"/api/v1/tour/hotel-references?dep_city={d['dep_city_id']}&country={d['country_id']}" for d in directions})
        port = common.free_port()
        self.command = ["valgrind", "--tool=callgrind", "--separate-threads=yes", f"--dump-before={MARK}", f"--callgrind-out-file={folder}/out",
                        program, "serve", "--data", dragoman.data, "--listen", f"127.0.0.1:{port}", "--threads", "1", "--poll-ms", "60000",
                        "--idle-timeout", "600"]
        self.port = port

    def cases(self):
        """The requests that can be measured, as {name: (paths, headers, status)}."""
        _, head, _ = self.client.get(LISTS, self.a)
        tag = re.search(r"(?im)^etag: (\S+)", head)[1]
        sizes = {path: len(self.client.get(path, self.a)[2]) for path in self.hotels}
        large = min(sizes, key=lambda path: abs(sizes[path] - LARGE))
        return {
            "hotelCheck, the key alone": (HOTELS, self.b, 200),
            "hotelCheck, Accept, Accept-Encoding, Origin": (HOTELS, {**self.b, **THREE}, 200),
            "hotelCheck, a browser's headers": (HOTELS, {**self.b, **BROWSER}, 200),
            "main-references, 304": ([LISTS], {**self.a, "If-None-Match": tag}, 304),
            "main-references, 304, a browser's headers": ([LISTS], {**self.a, **BROWSER, "If-None-Match": tag}, 304),
            "a hotel list of about 281 kB": ([large], self.a, 200),
        }

    def run(self, measure):
        """Call measure(self) while the server runs."""
        with open(self.folder / "log", "wb") as log, common.process(self.command, stderr=log) as server:
            while not re.search(rb"listens on ", (self.folder / "log").read_bytes()):
                if server.poll() is not None:
                    raise SystemExit((self.folder / "log").read_text())
                time.sleep(0.1)
            self.client = Client(self.port)
            while self.client.get("/readyz", {})[0] != 200:
                time.sleep(0.1)
            return measure(self)

    def mark(self):
        """End a part of the count. Return the file with the count of the responding thread since the last mark."""
        self.dumps += 1
        self.client.get("/nothing/here", {})
        made = [path for path in self.folder.glob(f"out.*{self.dumps}-*") if re.search(rf"\.{self.dumps}-\d+$", path.name)]
        found = [path for path in made if re.search(rf"^c?fn=.*\b{ANSWERS}\b", path.read_text(), re.M)]
        if len(found) != 1:
            raise SystemExit(f"callgrind wrote {len(made)} files at {MARK}(), {len(found)} of them with {ANSWERS}()")
        return found[0]

    def count(self, paths, headers, status):
        """Count the instructions of one request."""
        totals = []
        for count in (WARM, FEW, MANY):
            for n in range(count):
                got, _, _ = self.client.get(paths[n % len(paths)], headers)
                if got != status:
                    raise SystemExit(f"{paths[0]}: status {got}, expected {status}")
            self.last = self.mark()
            totals.append(int(re.search(r"^(?:summary|totals): (\d+)", self.last.read_text(), re.M)[1]))
        return (totals[2] - totals[1]) / (MANY - FEW)


def count(program, only=()):
    """Return {case: instructions of one request}."""
    def measure(server):
        counts = {name: server.count(*case) for name, case in server.cases().items() if not only or any(word in name for word in only)}
        if os.environ.get("DRG_PROFILE"):
            shutil.copy(server.last, os.environ["DRG_PROFILE"])
        return counts
    with common.folder() as folder:
        return Counted(pathlib.Path(program).resolve(), folder).run(measure)


def main():
    print("| request | instructions |\n|---|---|")
    for name, instructions in count(sys.argv[1], sys.argv[2:]).items():
        print(f"| {name} | {instructions:,.0f} |")


if __name__ == "__main__":
    main()
