"""Every operation of docs/contract.md once: test_nth_request.py makes its calls fail.

A row is the operation and what makes a request of it: it prepares what the request needs, and returns what sends it. What a request
stores is told by the rows that the store then has (`stored`)."""
import dataclasses
import json
import typing
import urllib.parse

import client
from browser import Browser
from loading import Loader
from registration import element, new_id, post

HEADER = "Code;Hotel Name;Country Code;Country;Latitude;Note"


@dataclasses.dataclass
class Request:
    send: typing.Callable
    #: (table, condition): there is such a row when it was answered with 200.
    stored: tuple = ()


class Place:
    """A server, keys, and people who have signed in."""

    def __init__(self, server, curator, reader):
        self.desk, self.reader = Loader(server, curator), reader
        self.anna, self.boss = Browser(server), Browser(server)
        self.of(server)

    def of(self, server):
        """Another server on the same store; sessions last."""
        self.server = self.desk.server = self.anna.server = self.boss.server = server

    def sign_in(self):
        for name, browser in ("anna", self.anna), ("boss", self.boss):
            client.eventually(lambda n=name, b=browser: b.sign_in(n).status == 200)
        client.eventually(lambda: self.boss.request("GET", "/v1/access/users").status == 200)

    def get(self, path):
        return self.server.request(path, "GET", {"X-Api-Key": self.server.key_a, "X-Service-Api-Key": self.server.key_b,
                                                 "X-Service-Api-Secret": self.server.secret_b})

    def hotel(self, name="Some hotel"):
        """One that was just registered, as a curator sees it."""
        id = new_id("q")
        client.eventually(lambda: post(self.server, "sourceAdd", {"adapter_id": 7, "lang_code": "en",
                                                                  "hotel": [element("hotel", id=id, name=name)]}).status == 200)
        return client.eventually(lambda: (a := self.desk.get("case", adapter_id=7, kind="hotel", id=id)).status == 200 and a.data())["version"], id

    def key(self):
        return client.eventually(lambda: (a := self.administer("keyCreate", api="a")).status == 200 and a.data())["id"]

    def administer(self, what, **parameters):
        return self.boss.request("POST", f"/v1/access/{what}?{urllib.parse.urlencode(parameters)}")


def read(path):
    return lambda p: Request(lambda: p.get(path))


def curated(what, **parameters):
    return lambda p: Request(lambda: p.desk.get(what, **parameters))


def administered(what, **parameters):
    return lambda p: Request(lambda: p.boss.request("GET", f"/v1/access/{what}?{urllib.parse.urlencode(parameters)}"))


def posted(path, **body):
    return lambda p: Request(lambda: p.server.request(path, "POST", {"X-Service-Api-Key": p.server.key_b, "X-Service-Api-Secret": p.server.secret_b,
                                                                     "Content-Type": "application/json"}, json.dumps(body).encode()))


def registered(path, **headers):
    def make(p):
        ids = [new_id("r") for _ in range(3)]
        body = {"adapter_id": 7, "lang_code": "en", "hotel": [element("hotel", id=id) for id in ids]}
        sent = {name.replace("_", "-"): new_id("once") for name in headers}
        return Request(lambda: post(p.server, path, body, sent), tuple(("source", f"id = '{id}'") for id in ids))
    return make


def decided(p):
    version, id = p.hotel()
    decision = {"decide": "map", "adapter_id": 7, "kind": "hotel", "id": id, "dict_id": 55, "version": version}
    return Request(lambda: p.desk.decide(decision), (("source", f"id = '{id}' AND dict_id = 55"), ("mapping_event", f"id = '{id}'")))


def undone(p):
    version, id = p.hotel()
    decision = {"decide": "map", "adapter_id": 7, "kind": "hotel", "id": id, "dict_id": 55, "version": version}
    batch = client.eventually(lambda: (a := p.desk.decide(decision)).status == 200 and a.data())["batch"]
    return Request(lambda: p.desk.post("batchUndo", {"batch": batch}), (("source", f"id = '{id}' AND dict_id IS NULL"),))


def loaded(p):
    ids = [new_id("l") for _ in range(3)]
    body = "\n".join([HEADER, *(f"{id};Mavi Koy;TR;Turkey;36,80;x" for id in ids)]).encode() + b"\n"
    return Request(lambda: p.desk.load(body, 7, accept="1"), tuple(("source", f"id = '{id}'") for id in ids))


def taken_back(p):
    _, id = p.hotel()
    file = f"adapter_id,kind,id,dict_id\n7,hotel,{id},55\n".encode()
    return Request(lambda: p.server.request("/v1/curate/takeBack?of=map&file=a.csv", "POST",
                                            {"Cookie": p.anna.cookie, "X-CSRF-Token": p.anna.csrf, "Content-Type": "application/octet-stream"}, file),
                   (("source", f"id = '{id}' AND dict_id = 55"),))


def air_mapped(p):
    id = new_id("air")
    return Request(lambda: p.desk.post("airMap", {"adapter_id": 22, "external_id": id, "source_id": 4}), (("air_map", f"external_id = '{id}'"),))


def supplier_added(p):
    code = new_id("supplier")
    return Request(lambda: p.boss.request("POST", f"/v1/curate/supplier?code={code}"), (("adapter", f"code = '{code}'"),))


def user_added(p):
    name = new_id("person")
    return Request(lambda: p.administer("userAdd", name=name, role="viewer"), (("person", f"name = '{name}'"),))


def user_set(p):
    name = new_id("person")
    client.eventually(lambda: p.administer("userAdd", name=name, role="viewer").status in (200, 409))
    return Request(lambda: p.administer("userSet", name=name, role="curator"), (("person", f"name = '{name}' AND role = (SELECT role FROM person WHERE name = 'anna')"),))


def user_linked(p):
    name = new_id("person")
    client.eventually(lambda: p.administer("userAdd", name=name, role="viewer").status in (200, 409))
    return Request(lambda: p.administer("userLink", name=name))


def key_made(p):
    name = new_id("key")
    return Request(lambda: p.administer("keyCreate", api="b", name=name), (("api_key", f"name = '{name}'"),))


def key_set(p):
    id, name = p.key(), new_id("key")
    return Request(lambda: p.administer("keySet", id=id, name=name), (("api_key", f"name = '{name}'"),))


def key_rotated(p):
    id = p.key()
    return Request(lambda: p.administer("keyRotate", id=id, overlap="1h"), (("api_key", f"id > {id}"),))


def key_revoked(p):
    id = p.key()
    return Request(lambda: p.administer("keyRevoke", id=id), (("api_key", f"id = {id} AND revoked IS NOT NULL"),))


def signed_in(p):
    return Request(lambda: Browser(p.server).sign_in("eva"))


def signed_out(p):
    eva = Browser(p.server)
    client.eventually(lambda: eva.sign_in("eva").status == 200)
    return Request(lambda: eva.request("DELETE"))


def password_chosen(p):
    name = new_id("person")
    link = client.eventually(lambda: (a := p.administer("userAdd", name=name, role="viewer")).status == 200 and a.data())["link"]
    return Request(lambda: Browser(p.server).request("POST", "/v1/session/password",
                                                     {"link": link.rpartition("#")[2].rpartition("=")[2], "password": "correct horse battery"}),
                   (("person", f"name = '{name}' AND password IS NOT NULL"),))


RECONCILE = {"queries": {"q0": {"query": "Turkey", "type": "country"}, "q1": {"query": "Blue Bay Palace"}}}

OPERATIONS = {
    "GET /api/v1/tour/main-references": read("/api/v1/tour/main-references?lang=uk&with=description&demo=true"),
    "GET /api/v1/tour/main-references/:country": read("/api/v1/tour/main-references/PL"),
    "GET /api/v1/tour/hotel-references": read("/api/v1/tour/hotel-references?dep_city=10&country=1"),
    "GET /v1/tour/reference": read("/v1/tour/reference?country=UA"),
    "GET /v1/tour/referenceData": read("/v1/tour/referenceData?dep_city=10&country=1"),
    "POST /v1/tour/sourceInfo": posted("/v1/tour/sourceInfo?adapter_id=7", hotel="1001,4711", meal=["AI"]),
    "POST /v1/tour/sourceData": posted("/v1/tour/sourceData", adapter_id=8, dep_city=10, country=1, hotel=[55]),
    "GET /v1/tour/hotelCheck": read("/v1/tour/hotelCheck?hotel=56"),
    "GET /v1/tour/hotelDescription": read("/v1/tour/hotelDescription?adapter_id=7&hotel_orig_id=1001"),
    "POST /v1/tour/sourceAdd": registered("sourceAdd"),
    "POST /v1/tour/sourceAdd, Idempotency-Key": registered("sourceAdd", Idempotency_Key=True),
    "POST /v1/tour/compared": registered("compared"),
    "POST /v1/session": signed_in,
    "GET /v1/session": lambda p: Request(lambda: p.anna.request("GET")),
    "GET /v1/session/who": lambda p: Request(lambda: p.anna.request("GET", "/v1/session/who")),
    "DELETE /v1/session": signed_out,
    "POST /v1/session/password": password_chosen,
    "GET /v1/access/users": administered("users"),
    "POST /v1/access/userAdd": user_added,
    "POST /v1/access/userSet": user_set,
    "POST /v1/access/userLink": user_linked,
    "GET /v1/access/keys": administered("keys"),
    "POST /v1/access/keyCreate": key_made,
    "POST /v1/access/keySet": key_set,
    "POST /v1/access/keyRotate": key_rotated,
    "POST /v1/access/keyRevoke": key_revoked,
    "GET /v1/access/history": administered("history", of="key", limit=5),
    "GET /v1/changes": read("/v1/changes?limit=5"),
    "GET /v1/export/sources": read("/v1/export/sources"),
    "GET /v1/avia/reference": read("/v1/avia/reference?search=kbp&types=apt"),
    "GET /v1/avia/detail": read("/v1/avia/detail?source_id=2,1"),
    "POST /v1/avia/compared": posted("/v1/avia/compared", adapter_id=21, lang_code="en", iata_code="KBP"),
    "POST /v1/avia/compared/:lang": posted("/v1/avia/compared/uk", adapter_id=21, lang_code="en", iata_code="KBP"),
    "GET /v1/curate/queue": curated("queue", limit=5),
    "GET /v1/curate/case": curated("case", adapter_id=7, kind="hotel", id="1001"),
    "GET /v1/curate/search": curated("search", q="turkey", kind="country"),
    "GET /v1/curate/duplicates": curated("duplicates", kind="hotel"),
    "GET /v1/curate/queueFile": curated("queueFile"),
    "GET /v1/curate/records": curated("records", adapter_id=8, kind="hotel"),
    "GET /v1/curate/records, a workbook": curated("records", adapter_id=8, kind="hotel", format="xlsx"),
    "GET /v1/curate/history": curated("history", limit=5, adapter_id=8),
    "GET /v1/curate/batches": curated("batches", limit=5),
    "POST /v1/curate/batchUndo": undone,
    "GET /v1/curate/agreement": curated("agreement", kind="hotel"),
    "GET /v1/curate/air": curated("air"),
    "GET /v1/curate/airPlaces": curated("airPlaces", q="kyiv", limit=3),
    "POST /v1/curate/airMap": air_mapped,
    "POST /v1/curate/load": loaded,
    "GET /v1/curate/coverage": curated("coverage", kind="city"),
    "GET /v1/curate/audit": curated("audit", kind="hotel", size=5, seed=1),
    "GET /v1/curate/precision": curated("precision", adapter_id=7),
    "POST /v1/curate/takeBack": taken_back,
    "POST /v1/curate/proposals": lambda p: Request(lambda: p.anna.request("POST", "/v1/curate/proposals")),
    "POST /v1/curate/open": lambda p: Request(lambda: p.desk.post("open", {"adapter_id": 7, "kind": "hotel", "id": "1001"})),
    "POST /v1/curate/note": lambda p: Request(lambda: p.desk.post("note", {"adapter_id": 7, "kind": "hotel", "id": "1001", "what": "comment",
                                                                           "text": "seen"})),
    "GET /v1/curate/day": lambda p: Request(lambda: p.anna.request("GET", "/v1/curate/day")),
    "POST /v1/curate/decide": decided,
    "GET /v1/curate/changes": curated("changes", since="now"),
    "GET /v1/curate/reference": curated("reference", kind="hotel", id=56),
    "GET /v1/reconcile/:key": lambda p: Request(lambda: p.get(f"/v1/reconcile/{p.reader}")),
    "POST /v1/reconcile/:key": lambda p: posted(f"/v1/reconcile/{p.reader}", **RECONCILE)(p),
    "GET /v1/reconcile/:key/suggest/:what": lambda p: Request(lambda: p.get(f"/v1/reconcile/{p.reader}/suggest/entity?prefix=tur")),
    "GET /v1/reconcile/:key/properties": lambda p: Request(lambda: p.get(f"/v1/reconcile/{p.reader}/properties?type=hotel")),
    "GET /v1/reconcile/:key/view/:id": lambda p: Request(lambda: p.get(f"/v1/reconcile/{p.reader}/view/hotel-55")),
    "GET /flags/:ratio/:file": read("/flags/4x3/xx.svg"),
    "GET /openapi.json": read("/openapi.json"),
    "GET /api/v1/openapi.json": read("/api/v1/openapi.json"),
    "GET /v1/openapi.json": read("/v1/openapi.json"),
    "GET /healthz": read("/healthz"),
    "GET /readyz": read("/readyz"),
    "GET /readyz/write": read("/readyz/write"),
    "POST /v1/curate/accept": lambda p: Request(lambda: p.desk.server.request("/v1/curate/accept?dry_run=true", "POST", p.desk.headers())),
    "GET /v1/curate/facets": curated("facets", country_id=1),
    "POST /v1/curate/supplier": supplier_added,
}

#: Those of which every point is tried, because one of them was a crash.
THROUGHOUT = {"GET /v1/curate/facets"}
