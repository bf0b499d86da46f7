"""Who signs in: a browser keeps the cookie and sends the token."""
import json

from templates import PASSWORD


class Browser:
    """Keeps the cookie, as a browser does."""

    def __init__(self, server, headers=None):
        self.server, self.headers = server, headers or {}
        self.cookie, self.csrf = None, None

    def request(self, method, path="/v1/session", body=None, headers=None, csrf=True):
        sent = {**self.headers, **({"Cookie": self.cookie} if self.cookie else {}), **(headers or {})}
        if csrf and self.csrf and method != "GET":
            sent.setdefault("X-CSRF-Token", self.csrf)
        if body is not None:
            sent.setdefault("Content-Type", "application/json")
            body = json.dumps(body).encode()
        answer = self.server.request(path, method, sent, body)
        said = answer.headers.get("Set-Cookie")
        if said is not None:
            self.set_cookie, self.cookie = said, said.split(";")[0]
        return answer

    def sign_in(self, name="anna", password=PASSWORD, headers=None):
        answer = self.request("POST", body={"name": name, "password": password}, headers=headers)
        if answer.status == 200:
            self.csrf = answer.json()["data"]["csrf"]
        return answer

    def is_in(self):
        return self.request("GET").status == 200
