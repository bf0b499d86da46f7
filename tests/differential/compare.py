#!/usr/bin/python3
"""Our HTTP server beside that of Node.js: tests/differential/compare.py ECHO [COUNT [SEED]]

ECHO is built from echo.c. COUNT connections (4,000) are said the same bytes on both sides, made by requests.py from SEED. What the one
takes for requests (method, address, body, in this order) the other has to take too; where one of them stops before, it has refused
something, and that it does is in a table below, with its reason. Anything else is printed, and an error."""
import collections
import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import socket
import subprocess
import sys

import requests

HERE = pathlib.Path(__file__).resolve().parent
PATIENCE = 120
SKIPPED = 77
REFUSED_EARLY = "answered before its body"
UNTOLD = b"OPTIONS", b"?", b"?"

#: What we refuse and Node.js takes: our message, and why.
STRICTER = {
    "Host is not a host name": "RFC 9112, 3.2 asks for a 400; Node.js leaves it to the application",
    "Host must be sent once": "likewise",
    "this server speaks HTTP/1.1 and HTTP/1.0": "Node.js takes HTTP/2.0 and HTTP/0.9 in the form of HTTP/1.1",
    "the first line is not method, address and version with one space between them": "RFC 9112, 3; Node.js takes several, and a line of HTTP/0.9",
    "the address contains a fragment or a character that is not visible ASCII": "RFC 9112, 3.2; Node.js takes a fragment",
    "the first line contains a control character": "RFC 9112, 2.2; Node.js takes a lone CR in front of a request for an empty line",
    "a line of the head ends with LF alone": "likewise a lone LF",
    "this server does not know this method": "RFC 9110, 15.6.2; Node.js knows those of WebDAV and others",
    "Transfer-Encoding must be chunked, once": "RFC 9112, 6.1; Node.js takes any in front of it",
    "Transfer-Encoding must not be sent with HTTP/1.0": "RFC 9112, 6.1: its framing is faulty",
    "a trailer says how the request is framed or routed": "RFC 9110, 6.5.1; Node.js takes Host there",
    "the request is not framed as HTTP/1.1 asks": "a tab behind chunked, which llhttp does not read as such; with Upgrade, Node.js does not look at it",
    "the body is larger than 4194304 bytes": "our limit",
    REFUSED_EARLY: "a method that the address does not take, and a body of unknown length: it is not read, and the connection ends",
}
#: Likewise what Node.js takes before version 20 (Debian 12 has 18): its llhttp is of before the rules against smuggled requests.
STRICTER_THAN_18 = {
    "HTTP/1.1 requires Host": "RFC 9112, 3.2; requireHostHeader came with 20",
    "the name of a header field is empty, or contains a space or another forbidden character": "RFC 9112, 5.1; it takes both",
    "a line of the head begins with a space": "RFC 9112, 2.2; it takes the line away",
    "the chunks of the body are not as HTTP/1.1 asks": "RFC 9112, 7.1; it takes any byte behind a CR, and spaces in extensions",
    "a line of the head has no colon": "likewise any byte behind a CR ends the head",
}

#: What we take and Node.js does not: its code, what the bytes have then, and why.
LOOSER = {
    "nothing": (rb"(?i)upgrade:|CONNECT |HTTP/1\.0",
                "RFC 9110, 7.8: a wish to upgrade may be read over; Node.js closes, and likewise where HTTP/1.0 sends no more"),
}


class Side:
    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())

    def stop(self):
        self.process.stdin.close()
        assert self.process.wait(PATIENCE) == 0, f"{self.process.args[0]}: {self.process.returncode}"

    def ask(self, pieces):
        """What it took for requests, why it stopped, if it did, and whether by a reset."""
        got, reset = b"", False
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as sock:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            try:
                for piece in pieces:
                    sock.sendall(piece)
                sock.shutdown(socket.SHUT_WR)
                while part := sock.recv(65536):
                    got += part
            except TimeoutError:
                raise
            except OSError:
                reset = True
        seen = [tuple(told.split(b" ")) if told else UNTOLD for told in re.findall(rb"\r\nX-Seen: (.*)\r\n|HTTP/1.1 204 ", got)]
        why = re.findall(rb"\r\nX-Refused: ([^(\r\n]*\w)", got)
        return seen, why[-1].decode() if why else "nothing", reset


def same(one, other):
    """"?": that we do not tell."""
    return all(a == b or b"?" in (a, b) for a, b in zip(one, other))


def difference(ours, theirs):
    """None: there is none. Else its kind and the reason that is given for it."""
    (our_seen, our_why, our_reset), (their_seen, their_why, their_reset) = ours, theirs
    more = len(our_seen) - len(their_seen)
    early = our_why == "nothing" and bool(our_seen) and our_seen[-1][2] == b"?"
    if not all(map(same, our_seen, their_seen)):
        return "DIFFERENT", f"{our_why} | {their_why}"
    if (more < 0 and our_reset) or (more > 0 and their_reset):
        return None  # who sends on behind his last request may be reset before he hears of what came before
    if more < 0:
        return "stricter", REFUSED_EARLY if early else our_why
    if more > 1 or (more == 1 and not early):
        return "looser", their_why
    return None


def is_known(kind, reason, text):
    if kind == "stricter":
        return reason in STRICTER
    return kind == "looser" and reason in LOOSER and re.search(LOOSER[reason][0], text) is not None


def main():
    echo, count, seed = sys.argv[1], int((sys.argv[2:3] or ["4000"])[0]), (sys.argv[3:4] or ["1"])[0]
    node = shutil.which("node")
    if node is None:
        print("left out: no Node.js")
        return SKIPPED
    attacks = [bytes.fromhex(line) for line in subprocess.check_output([echo, "attacks"], text=True).split()]
    rng = random.Random(seed)
    sides = Side(echo), Side(node, HERE / "echo.js")
    counts, examples, wrong = collections.Counter(), {}, 0

    def ask(pieces):
        return [side.ask(pieces) for side in sides]

    if int(subprocess.check_output([node, "-p", "process.versions.node"], text=True).split(".")[0]) < 20:
        STRICTER.update(STRICTER_THAN_18)

    def cut(text):
        step = rng.choice((len(text),) * 8 + (1, 3, 7))
        return [text[at:at + step] for at in range(0, len(text), step)]

    all_of_them = [text + b"GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" for text in attacks]
    all_of_them += [requests.one(rng, attacks) for _ in range(count - len(attacks))]
    taken = 0
    with concurrent.futures.ThreadPoolExecutor(2 * (os.cpu_count() or 1)) as pool:
        for text, answers in zip(all_of_them, pool.map(ask, map(cut, all_of_them))):
            taken += len(answers[0][0])
            found = difference(*answers)
            if found is None:
                continue
            counts[found] += 1
            examples.setdefault(found, text)
            if not is_known(*found, text):
                wrong += 1
                if wrong <= 20:
                    print(*found, text, *answers, sep="\n  ")
    for side in sides:
        side.stop()
    for (kind, reason), n in counts.most_common():
        print(f"{n:6}  {kind}: {reason}")
        if os.environ.get("EXAMPLES"):
            print("       ", examples[kind, reason])
    print(f"seed {seed}: {len(all_of_them)} connections, {taken} requests that both took, {sum(counts.values())} differences, {wrong} of them without a reason")
    return 1 if wrong or not taken else 0


if __name__ == "__main__":
    sys.exit(main())
