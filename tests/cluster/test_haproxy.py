"""HAProxy by packaging/cluster/haproxy.cfg: a request whose server dies goes to another one."""
import contextlib
import socket
import struct
import threading

import parts
from client import PATIENCE

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nyes"
HEAD = b"POST /v1/tour/sourceInfo?adapter_id=7 HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\n"


class Dying:
    """A server that is ready, and is gone with a reset as soon as a POST has begun to come: the first of all that are asked."""

    def __init__(self, once):
        self.name, self.once, self.listening = f"dying{id(self)}", once, socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=self.answer, args=(self.listening.accept()[0],), daemon=True).start()

    def answer(self, connection):
        with connection, contextlib.suppress(OSError):
            said = connection.recv(65536)
            if said.startswith(b"POST") and self.once.acquire(blocking=False):
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                return
            while said.startswith(b"POST") and not said.endswith(b"{}"):
                said += connection.recv(65536)
            connection.sendall(ANSWER)


def test_a_body_that_comes_in_two_pieces_goes_to_another_server(tmp_path):
    once, port = threading.Semaphore(1), parts.free_port()
    with contextlib.ExitStack() as stack:
        nodes = [Dying(once) for _ in range(2)]
        for node in nodes:
            stack.callback(node.listening.close)
        proxy = parts.HAProxy(tmp_path / "haproxy", parts.haproxy_for(port, nodes)).start()
        stack.callback(proxy.stop)
        parts.wait_for(lambda: (parts.get(port, "/readyz") or (0,))[0] == 200, PATIENCE, proxy.said)
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as client:
            client.sendall(HEAD)
            for _ in range(4):  # a server has the head by now, if it is given it before the body
                assert parts.get(port, "/")[2] == b"yes"
            with contextlib.suppress(OSError):
                client.sendall(b"{}")
            answer = b""
            while piece := client.recv(65536):
                answer += piece
    assert answer.startswith(b"HTTP/1.1 200") and answer.endswith(b"yes"), answer
    assert not once.acquire(blocking=False), "nobody died"
