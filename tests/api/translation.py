"""What translation must answer, written from the decisions (M1 to M5, M14, R1, L1) and spec 2.2 and 4.2; and the
requests that the tests send."""
import json
from urllib.parse import quote_plus

import client
import model

KINDS = ("country", "dep_city", "currency", "city", "meal", "hotel_category", "hotel")
FORM = "application/x-www-form-urlencoded"
#: Integers that every JSON reader keeps.
SAFE = range(-2**53 + 1, 2**53)


def post(server, path, body, type="application/json", **headers):
    """body: what JSON can say, or bytes as they are."""
    if not isinstance(body, bytes):
        body = json.dumps(body, ensure_ascii=False).encode()
    headers = {client.HEADER["b"]: server.key_b, **({"Content-Type": type} if type else {}), **headers}
    return server.request(client.BASE["b"] + path, "POST", headers, body)


def source_info(server, adapter, body, query="", **more):
    return post(server, f"tour/sourceInfo?adapter_id={adapter}{query}", body, **more)


def source_data(server, body, query="", **more):
    return post(server, "tour/sourceData" + query, body, **more)


def form(fields, style="brackets"):
    """A form body in one of the ways of decision M3."""
    pairs = []
    for name, value in fields.items():
        if not isinstance(value, list):
            pairs.append((name, value))
        elif style == "commas":
            pairs.append((name, ",".join(map(str, value))))
        else:
            names = {"brackets": "{}[]", "numbers": "{}[{}]", "repeated": "{}"}[style]
            pairs += [(names.format(name, i), item) for i, item in enumerate(value)]
    return "&".join(f"{quote_plus(name)}={quote_plus(str(value))}" for name, value in pairs).encode()


def ids_of(value):
    """M4"""
    if isinstance(value, str):
        return [part.strip(" ") for part in value.split(",") if part.strip(" ")]
    return [str(item) for item in value]


def orig_id(text):
    """M1"""
    try:
        number = int(text)
    except ValueError:
        return text
    return number if str(number) == text and number in SAFE else text


class Translation(model.Model):
    def source(self, adapter, kind, id):
        return self.records.get(("source", adapter, kind, id))

    def dict_or_none(self, kind, id):
        return self.records.get(("dict", kind, id))

    # the objects of spec 2.2

    def shown_source(self, s):
        shown = {"id": s["id"], "name": s["name"]}
        if s["kind"] == "currency":
            shown["iso_code"] = s.get("iso_code")
        if s["kind"] == "hotel":
            for part in ("category", "country", "city"):
                shown[part + "_id"] = s.get(part + "_id")
                shown[part + "_title"] = s.get(part + "_name")
        return shown

    def shown_dict(self, kind, id, lang):
        record = self.dict_or_none(kind, id)
        if record is None:
            return None
        shown = {"id": id}
        if kind == "currency":
            shown["iso_code"] = record["iso_code"]
        shown["name"] = model.text(record["name"], lang)
        if kind == "meal":
            description = record.get("description")
            shown["description"] = None if description is None else model.text(description, lang)
        if kind == "hotel":
            for part in ("country", "city", "hotel_category"):
                shown[part + "_id"] = record[part + "_id"]
                shown[part + "_name"] = model.text(self.dict(part, record[part + "_id"])["name"], lang)
        return shown

    def adapter(self, id):
        a = self.records["adapter", id]
        return {"id": id, "code": a["code"], "name": a["name"]}

    # the answers

    def mapped_item(self, adapter, kind, id, lang):
        s = self.source(adapter, kind, id)
        mapped = s.get("dict_id") if s else None
        return {"id": id, "source": self.shown_source(s) if s else None,
                "dict": self.shown_dict(kind, mapped, lang) if mapped is not None else None}

    def source_info(self, adapter, body, lang="en"):
        return {kind: [self.mapped_item(adapter, kind, id, lang) for id in ids_of(value)]
                for kind, value in body.items() if value is not None}

    def origs(self, adapter, kind, dict_id):
        found = [s for s in self.all(None, "source")
                 if (s["adapter_id"], s["kind"], s.get("dict_id")) == (adapter, kind, dict_id)]
        return sorted(found, key=lambda s: s["id"].encode())

    def entries(self, adapter, kind, dict_id):
        for s in self.origs(adapter, kind, dict_id):
            entry = {"dict_id": dict_id, "orig_id": s["id"] if kind == "currency" else orig_id(s["id"])}
            if kind == "city":
                entry["is_resort"] = bool(s.get("is_resort"))
            if kind == "currency":
                entry["orig_iso_code"] = s.get("iso_code")
            if kind in ("hotel_category", "meal", "currency"):
                entry["orig_title"] = s["name"]
            yield entry

    def source_data(self, body):
        adapter = body["adapter_id"]
        answer = {"adapter": self.adapter(adapter)}
        for kind in ("dep_city", "country", "currency"):
            asked = body.get(kind)
            answer[kind] = next(self.entries(adapter, kind, asked), None) if asked is not None else None
        for kind in ("city", "hotel", "hotel_category", "meal"):
            asked = dict.fromkeys(body.get(kind) or [])
            answer[kind] = [entry for id in asked for entry in self.entries(adapter, kind, id)]
        return answer

    def hotel_check(self, hotel):
        return [{"hotel_orig_id": s["id"], "adapter_id": a["id"], "adapter": {"code": a["code"], "name": a["name"]}}
                for a in sorted(self.all(None, "adapter"), key=lambda a: a["id"]) if a["domain"] == "tour"
                for s in self.origs(a["id"], "hotel", hotel)]
