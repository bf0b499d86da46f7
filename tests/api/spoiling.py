"""A way to a server on which requests and answers get lost, as a spoilt network or a proxy in trouble would do it."""
import collections
import http.client
import http.server
import threading

import client

AWAY = b"<html><body><h1>502 Bad Gateway</h1></body></html>"


class Spoiler(http.server.ThreadingHTTPServer):
    """Hands requests on to `port`. spoil(...) says what the next ones meet, in order: "503", "html" (a proxy's 502), "drop" (the
    server answers, and the client never hears it), "cut" (half of the answer), "hold" (half of it, and the rest never)."""

    daemon_threads = True

    def __init__(self, port):
        super().__init__(("127.0.0.1", 0), Handler)
        self.port, self.faults, self.seen = port, collections.deque(), []
        self.met, self.ended = collections.Counter(), threading.Event()
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.shutdown()
        self.server_close()

    def spoil(self, *faults):
        self.faults.extend(faults)

    def times(self, fault):
        return client.eventually(lambda: self.met[fault])


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def pass_on(self):
        """The server's answer; None if there is none."""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=client.PATIENCE)
        try:
            connection.request(self.command, self.path, body, {**dict(self.headers), "Connection": "close"})
            answer = connection.getresponse()
            return answer.status, answer.getheaders(), answer.read()
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()

    def any(self):
        self.close_connection = True
        self.server.seen.append(self.path.partition("?")[0])
        fault = self.server.faults.popleft() if self.server.faults else None
        if fault in ("503", "html"):
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            answer = (503, [("Retry-After", "0")], b"") if fault == "503" else (502, [("Content-Type", "text/html")], AWAY)
        else:
            answer = self.pass_on()
        if answer is not None and fault != "drop":
            self.hand_back(*answer, half=fault in ("cut", "hold"))
        self.server.met[fault] += 1
        if fault == "hold":
            self.server.ended.wait()

    do_GET = do_POST = any

    def hand_back(self, status, headers, body, half):
        self.send_response(status)
        for name, value in headers:
            if name.lower() not in ("transfer-encoding", "content-length", "connection", "date"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body[:len(body) // 2] if half else body)
        self.wfile.flush()
