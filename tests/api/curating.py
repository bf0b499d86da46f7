"""A curator's requests: /v1/curate/..., with a key of the role curator and its secret."""
import json
import urllib.parse

from hotels import near, source

RESIDENCE = source(1, "Orkide Residence", **near(0))
VILLAS = source(7, "Defne Villas", **near(5))
ZEYTIN = source(9, "Zeytin Hotel", **near(4))
OTHERS = source(5, "Orkide Residence", adapter=2, **near(0))
STRANGE = source(8, "Xyzzy Plugh", lat=50.0, lng=10.0)


class Desk:
    """A server, and a key to curate with."""

    def __init__(self, server, key):
        self.server, self.key = server, key

    def named(self, by):
        """As what the key says in `by` is kept."""
        return f"key {self.key['id']} for {by}"

    def headers(self, more=None):
        return {"X-Service-Api-Key": self.key["key"], "X-Service-Api-Secret": self.key["secret"], **(more or {})}

    def get(self, what, headers=None, **parameters):
        query = urllib.parse.urlencode({k: v for k, v in parameters.items() if v is not None})
        return self.server.request(f"/v1/curate/{what}{'?' + query if query else ''}", "GET", self.headers(headers))

    def post(self, what, body, headers=None):
        sent = self.headers({"Content-Type": "application/json", **(headers or {})})
        return self.server.request(f"/v1/curate/{what}", "POST", sent, json.dumps(body).encode())

    def open(self, case, **more):
        return self.post("open", {k: case[k] for k in ("adapter_id", "kind", "id")} | more).data()

    def queue(self, **parameters):
        return self.get("queue", **parameters).data()

    def cases(self, **parameters):
        return [(c["adapter_id"], c["id"]) for c in self.queue(**parameters)["items"]]

    def case_of(self, id, adapter=1):
        found = [c for c in self.queue(limit=500)["items"] if (c["adapter_id"], c["id"]) == (adapter, id)]
        return found[0] if found else None

    def decide(self, *decisions, headers=None, **more):
        return self.post("decide", {"decisions": list(decisions), **more}, headers)

    def decided(self, *decisions, **more):
        return self.decide(*decisions, **more).data()["items"]


def about(case, decide, **more):
    """A decision about a case of the queue, as it was seen."""
    return {"decide": decide, "adapter_id": case["adapter_id"], "kind": case["kind"], "id": case["id"],
            "version": case["version"], **more}
