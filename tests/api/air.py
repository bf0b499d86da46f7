"""Requests of avia/detail and avia/compared, the data they are tested on, and a model of what they answer."""
import json

import client

NULLS = dict.fromkeys(("source_id", "type", "code", "title", "city", "country", "coordinates"))
COUNTRIES = [
    {"type": "dict", "kind": "country", "id": 1, "name": {"en": "Ukraine", "uk": "Україна"}, "iso_alpha_2": "UA"},
    {"type": "dict", "kind": "country", "id": 2, "name": "United Kingdom", "iso_alpha_2": "GB"},
]
ADAPTERS = [
    {"type": "adapter", "id": 7, "code": "coral", "name": "Coral Tours", "domain": "tour"},
    {"type": "adapter", "id": 21, "code": "skyone", "name": "Sky \"One\"", "domain": "air"},
    {"type": "adapter", "id": 22, "code": "aerofeed", "name": "AeroFeed", "domain": "air"},
    {"type": "adapter", "id": 23, "code": "silent", "name": "Silent Air", "domain": "air"},
]


def place(source_id, code, name, place="apt", country_code="UA", **fields):
    return {"type": "air_place", "source_id": source_id, "place": place, "code": code, "name": name,
            "country_code": country_code, **fields}


PLACES = [
    place(1, "IEV", {"en": "Kyiv", "uk": "Київ"}, "city", weight=900),
    place(2, "KBP", {"en": "Boryspil International", "uk": "Бориспіль"}, city_code="IEV", lat=50.345, lng=30.8947,
          weight=800),
    place(3, "IEV", {"en": "Zhuliany"}, city_code="IEV", weight=300),
    place(4, "LON", {"en": "London", "uk": "Лондон"}, "city", "GB", weight=5000),
    place(5, "LHR", {"en": "Heathrow"}, country_code="GB", city_code="LON"),
    place(6, "DUS", {"en": "Düsseldorf"}, "city", "DE"),
    place(7, "SPI", "Springfield", country_code="US"),
    place(8, "SGF", "Springfield", country_code="US"),
    place(-9, "NEG", "Negative"),
    place(2**63 - 1, "MAX", "Largest"),
]


def source(adapter_id, source_id, data, external_id=None):
    """A line of an import whose data is given as text, to be found again byte for byte."""
    of = {"type": "air_source", "adapter_id": adapter_id, "source_id": source_id}
    if external_id is not None:
        of["external_id"] = external_id
    return json.dumps(of)[:-1] + ', "data":' + data + "}"


SOURCES = [source(21, 2, '{"idx":301,"name":"BORYSPIL"}', "301"),
           source(22, 2, '{"code":"KBP","timezone":2,"lat":50.345,"lon":30.894722,"city":false}', "KBP-Z"),
           source(22, 4, '{"code":"LON"}', "LON-Z")]
MAPS = [{"type": "air_map", "adapter_id": 21, "external_id": "77", "source_id": 5}]


def lines(*records):
    """The text of an import."""
    return "".join((row if isinstance(row, str) else json.dumps(row, ensure_ascii=False)) + "\n" for row in records)


def import_lines(import_file, data, folder, *records):
    path = folder / "records.ndjson"
    path.write_text(lines(*records), "utf-8")
    import_file(data, path)


def detail(server, *ids, lang=None):
    query = "source_id=" + ",".join(map(str, ids)) + (f"&lang={lang}" if lang else "")
    return server.b("avia/detail?" + query)


def post(server, body, path="avia/compared", headers=None, key=None, secret=None):
    sent = {"X-Service-Api-Key": key or server.key_b, "X-Service-Api-Secret": secret or server.secret_b,
            "Content-Type": "application/json", **(headers or {})}
    if not isinstance(body, bytes):
        body = json.dumps(body, ensure_ascii=False).encode("utf-8")
    return client.request(server.port, f"/v1/{path}", "POST", {k: v for k, v in sent.items() if v is not ...}, body,
                          host=server.process.host)


def compared(server, path="avia/compared", adapter_id=21, lang_code="en", **fields):
    body = {"adapter_id": adapter_id, "lang_code": lang_code, **fields}
    return post(server, {k: v for k, v in body.items() if v is not ...}, path)


def match(server, **fields):
    """The source_id that is matched, or None."""
    return compared(server, **fields).data()["compared"]["source_id"]


def unmatched(run, data, *options):
    """What `air unmatched` lists: (adapter, external id, IATA code, title, language, count) of each."""
    done = run("air", "unmatched", "--format", "ndjson", "--data", data, *options)
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return [tuple(r.get(n) for n in ("adapter_id", "external_id", "iata_code", "title", "lang_code", "count"))
            for r in rows]
