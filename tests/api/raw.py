"""Bytes to a socket and back: for requests that no HTTP client would send."""
import http.client
import itertools
import pathlib
import select
import socket

from client import PATIENCE, eventually, request


def was_read(server_port, client_port):
    """Has the server accepted a connection, and read all that was sent on it?"""
    ends = (f"{server_port:04X}", f"{client_port:04X}")
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for _, local, remote, _, queues, *_, inode in (line.split()[:10] for line in pathlib.Path(table).read_text("ascii").splitlines()[1:]):
            if (local.rpartition(":")[2], remote.rpartition(":")[2]) == ends:
                return inode != "0" and int(queues.rpartition(":")[2], 16) == 0
    return False


def worked_on_beside(port, paths, headers=None):
    """The one HTTP thread answers others while GETs of these paths are worked on: several, or the answers might only wait to be
    sent. @return the answers"""
    more = itertools.chain((1, 2, 4, 8), itertools.repeat(16))  # until the one thread is quicker than they are

    def is_beside():
        asking = [http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE) for _ in range(next(more))]
        for one, path in zip(asking, paths):
            one.request("GET", path, headers=headers or {})
        eventually(lambda: was_read(port, asking[-1].sock.getsockname()[1]))
        assert [request(port, "/healthz").status for _ in range(4)] == [200] * 4
        answered = select.select([one.sock for one in asking], [], [], 0)[0]
        answers = [one.getresponse().read() for one in asking]
        for one in asking:
            one.close()
        return answers if len(answered) < len(asking) else None

    return eventually(is_beside)


class Answer:
    """One answer as it stood on the wire."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def __repr__(self):
        return f"<{self.status} {self.headers} {self.body[:200]!r}>"


class Raw:
    """A connection. Use as `with Raw(port) as raw:`."""

    def __init__(self, port, host="127.0.0.1", source=None):
        self.socket = socket.create_connection((host, port), PATIENCE, source_address=source and (source, 0))
        self.ports = port, self.socket.getsockname()[1]
        self.rest = b""
        self.closed = False
        self.reset = False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        """All of it, or as much as the server takes before it closes."""
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            pass
        return self

    def is_closed(self):
        """Has the server closed? What it has sent so far is kept."""
        while not self.closed and select.select([self.socket], [], [], 0)[0]:
            self._receive()
        return self.closed

    def trickle(self, data, between):
        """Byte by byte, with between() after the server has read it, until the server closes or nothing is left."""
        for byte in data:
            self.send(bytes([byte]))
            eventually(lambda: self.is_closed() or was_read(*self.ports))
            if self.closed:
                break
            between()
        return self

    def _receive(self):
        try:
            part = self.socket.recv(65536)
        except ConnectionResetError:
            self.reset = True
            part = b""
        self.closed = part == b""
        self.rest += part
        return part

    def _until(self, have):
        """Receive until have(self.rest) or the end; False at the end, or when nothing comes."""
        while not have(self.rest):
            if self.closed or not select.select([self.socket], [], [], PATIENCE)[0]:
                return False
            self._receive()
        return True

    def answer(self, head_only=False):
        """The next answer, or None at the end of the stream."""
        if not self._until(lambda rest: b"\r\n\r\n" in rest):
            assert self.rest == b"", self.rest
            return None
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        protocol, status, _ = lines[0].split(" ", 2)
        assert protocol == "HTTP/1.1", lines[0]
        headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(": ")
            headers.setdefault(name.lower(), value)
        bodyless = head_only or status in ("204", "304") or status.startswith("1")
        length = 0 if bodyless else int(headers["content-length"])
        assert self._until(lambda rest: len(rest) >= length), "the body was cut"
        body, self.rest = self.rest[:length], self.rest[length:]
        return Answer(int(status), headers, body)

    def end(self):
        """Has the server closed, after all that was answered, and in peace?"""
        self._until(lambda rest: rest != b"")
        return self.closed and not self.reset and self.rest == b""
