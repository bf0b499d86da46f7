"""Requests of tour/sourceAdd and tour/compared, and what goes into them."""
import itertools
import json

import client

KINDS = ["country", "dep_city", "currency", "city", "meal", "hotel_category", "hotel"]
LIST_KINDS = KINDS[:-1]
_numbers = itertools.count(1)


def new_id(prefix="n"):
    """An id that no other element of the run has."""
    return f"{prefix}{next(_numbers)}"


def element(kind, id=None, **fields):
    """A valid element of sourceAdd; fields replace what it has, ... removes."""
    made = {"id": id if id is not None else new_id(), "name": f"Name of {kind}"}
    if kind == "currency":
        made["iso_code"] = "EUR"
    if kind == "hotel":
        made.update(category_name="5*", country_name="TURKEY", city_name="ANTALYA")
    made.update(fields)
    return {name: value for name, value in made.items() if value is not ...}


def post(server, path, body, headers=None, key=None, secret=None):
    """One request with key and secret; a body that is not bytes is made JSON."""
    sent = {"X-Service-Api-Key": key or server.key_b, "X-Service-Api-Secret": secret or server.secret_b,
            "Content-Type": "application/json", **(headers or {})}
    if not isinstance(body, bytes):
        body = json.dumps(body, ensure_ascii=False).encode("utf-8")
    return client.request(server.port, f"/v1/tour/{path}", "POST", {k: v for k, v in sent.items() if v is not None},
                          body, host=server.process.host)


def source_add(server, headers=None, adapter_id=7, lang_code="en", key=None, secret=None, **kinds):
    body = {"adapter_id": adapter_id, "lang_code": lang_code, **kinds}
    return post(server, "sourceAdd", {k: v for k, v in body.items() if v is not ...}, headers, key, secret)


def add_one(server, kind, made, **more):
    """The one member of the answer: (its key, {"source", "dict"} or {"error"})."""
    members = source_add(server, **{kind: [made]}, **more).data()[kind]
    assert len(members) == 1
    return next(iter(members.items()))


def source_info(server, adapter_id=7, lang="en", **kinds):
    response = post(server, f"sourceInfo?adapter_id={adapter_id}&lang={lang}", kinds)
    return response.data()


def is_registered(server, kind, id, adapter_id=7):
    return source_info(server, adapter_id, **{kind: [id]})[kind][0]["source"] is not None


def assert_element_error(member, field, reason=None):
    """M8: code 400, a reason for programs, a message that names the field and what was expected."""
    assert set(member) == {"error"}, member
    error = member["error"]
    assert set(error) == {"code", "reason", "message"} and error["code"] == 400, error
    assert error["reason"] and set(error["reason"]) <= set("abcdefghijklmnopqrstuvwxyz0123456789_")
    assert error["message"].startswith(f"{field}: "), error
    assert "expected" in error["message"] or "exists already" in error["message"], error
    if reason is not None:
        assert error["reason"] == reason, error
