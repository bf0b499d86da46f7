"""Requests made from an OpenAPI document, and slips in them: the same seed makes the same ones."""
import collections
import json
import random
import re
from re import _parser as regex
from urllib.parse import quote, quote_plus, urlencode

#: What texts are made of: letters of several scripts, white space, controls, what programs trip over. U+0000 and half surrogate
#: pairs are no JSON here (decision L10).
LETTERS = [*"aZk0129 _-.,:;*#%&?=+/\\\"'<>[]{}()|~@!$^`", *"яїßéİşابпри酒店한\u0301\u200b\u200f\u2028\u3000\u00a0\ufeff\ufffd🏨",
           *"\t\n\r\x01\x1b\x7f\x85"]
MANY = 12  # characters, items, members of an object without names: as many as a pattern or schema gets where it has no bound
LEFT_OUT = {"X-Min-Data-Version"}  # versions that never come: each is waited for, for a second

Request = collections.namedtuple("Request", "operation method path headers body")


def fits(value, schema, kind):
    if kind == "integer":
        return isinstance(value, int) and schema.get("minimum", value) <= value <= schema.get("maximum", value)
    return kind == "string" and isinstance(value, str) and re.search(schema.get("pattern", ""), value) is not None


class Generator:
    """`known`: values by the name of a parameter or member, of which most requests take one. `ways`: how a security scheme is met."""

    def __init__(self, document, seed, known, ways):
        self.document, self.known, self.ways = document, known, ways
        self.random = random.Random(seed)
        self.operations = [(method.upper(), path, o) for path, item in document["paths"].items() for method, o in item.items()]

    # -- values ----------------------------------------------------------------------------------------------

    def resolve(self, value):
        while "$ref" in value:
            at = self.document
            for name in value["$ref"][2:].split("/"):
                at = at[name]
            value = at
        return value

    def of_pattern(self, parsed, most):
        r, text = self.random, ""
        for what, value in parsed:
            if what is regex.LITERAL:
                text += chr(value)
            elif what is regex.NOT_LITERAL:
                text += r.choice([c for c in LETTERS if ord(c) != value])
            elif what is regex.IN:
                text += r.choice([c for c in LETTERS + [*"bcdefghijlmnopqrstuvwxyBCEFX345678"] if self.is_in(c, value)])
            elif what is regex.BRANCH:
                text += self.of_pattern(r.choice(value[1]), most)
            elif what is regex.SUBPATTERN:
                text += self.of_pattern(value[3], most)
            elif what is regex.MAX_REPEAT:
                low, high, inner = value
                high = low + most if high == regex.MAXREPEAT else int(high)
                text += "".join(self.of_pattern(inner, most) for _ in range(r.randint(low, max(low, min(high, most)))))
            elif what not in (regex.AT, regex.ASSERT_NOT):  # text() tries again where that is not so
                raise NotImplementedError(f"{what} in a pattern")
        return text

    @staticmethod
    def is_in(c, ranges):
        negated = ranges[0][0] is regex.NEGATE
        found = any(ord(c) == v if what is regex.LITERAL else v[0] <= ord(c) <= v[1] for what, v in ranges[negated:])
        return found != negated

    def text(self, schema):
        r = self.random
        low, high = schema.get("minLength", 0), schema.get("maxLength")
        if schema.get("format") in ("date", "date-time"):
            day = f"{r.randint(1990, 2025)}-{r.randint(1, 12):02}-{r.randint(1, 28):02}"
            zone = r.choice(["Z", "+02:00", "-09:30", ".5Z"])
            return day if schema["format"] == "date" else f"{day}T{r.randint(0, 23):02}:{r.randint(0, 59):02}:{r.randint(0, 59):02}{zone}"
        for _ in range(1000):
            most = r.choice([1, 3, MANY, low]) if high is None or r.random() < .95 else high
            most = most if high is None else min(most, high)
            if "pattern" in schema:
                made = self.of_pattern(regex.parse(schema["pattern"]), most)
            else:
                made = "".join(r.choices(LETTERS, k=r.randint(low, max(low, most))))
            if low <= len(made) <= (len(made) if high is None else high) and re.search(schema.get("pattern", ""), made):
                return made
        raise ValueError(f"no text for {schema}")

    def integer(self, schema):
        r = self.random
        low, high = schema.get("minimum", -2**63), schema.get("maximum", 2**63 - 1)
        made = r.choice([r.randint(low, high), r.randint(-3, 400), low, high])
        return made if low <= made <= high else r.randint(low, high)

    def value(self, schema, name=None):
        r, schema = self.random, self.resolve(schema)
        for either in ("anyOf", "oneOf"):
            if either in schema:
                return self.value(r.choice(schema[either]), name)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            known = [v for v in self.known.get(name, ()) if v in schema["enum"]]
            return r.choice(known if known and r.random() < .5 else schema["enum"])
        types = schema.get("type", "object")
        kind = types if isinstance(types, str) else r.choice(types)
        if kind == "null":
            return None
        if kind == "boolean":
            return r.random() < .5
        known = [v for v in self.known.get(name, ()) if fits(v, schema, kind)]
        if known and r.random() < .8:
            return r.choice(known)
        if kind == "integer":
            return self.integer(schema)
        if kind == "number":
            low, high = schema.get("minimum", -200), schema.get("maximum", 200)
            return r.choice([r.uniform(low, high), r.randint(low, high)])
        if kind == "string":
            return self.text(schema)
        if kind == "array":
            low, high = schema.get("minItems", 0), schema.get("maxItems", MANY)
            return [self.value(schema["items"], name) for _ in range(r.randint(low, max(low, min(high, r.choice([1, 3, MANY])))))]
        made = {}
        for member, of in schema.get("properties", {}).items():
            if member in schema.get("required", ()) or r.random() < .5:
                made[member] = self.value(of, member)
        more = schema.get("additionalProperties")
        if isinstance(more, dict):
            made.update({self.text({"minLength": 1}): self.value(more) for _ in range(r.randint(0, 3))})
        return made

    # -- requests --------------------------------------------------------------------------------------------

    def as_text(self, value):
        if isinstance(value, dict):
            return json.dumps(value)
        return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)

    def request(self):
        r = self.random
        method, path, operation = r.choice(self.operations)
        query, headers = [], {}
        for parameter in map(self.resolve, operation.get("parameters", ())):
            name = parameter["name"]
            if name in LEFT_OUT or not (parameter.get("required") or r.random() < .4):
                continue
            content = parameter.get("content", {}).get("application/json")
            value = json.dumps(self.value(content["schema"], name)) if content else self.value(parameter["schema"], name)
            if value is None:
                continue
            if parameter["in"] == "path":
                path = path.replace("{" + name + "}", quote(self.as_text(value), safe=""))
            elif parameter["in"] == "query":
                query += [(name, self.as_text(one)) for one in (value if isinstance(value, list) else [value])]
            elif self.as_text(value).isascii() and self.as_text(value).isprintable():
                headers[name] = self.as_text(value)
        ways = [way for way in operation["security"] if all(scheme in self.ways for scheme in way)]
        for scheme in r.choice(ways) if ways else ():
            headers.update(self.ways[scheme])
        body = None
        if "requestBody" in operation:
            media, content = r.choice(list(operation["requestBody"]["content"].items()))
            headers["Content-Type"] = media
            body = self.body(media, content)
        return Request(operation["operationId"], method, path + ("?" + urlencode(query, quote_via=quote_plus) if query else ""), headers, body)

    def body(self, media, content):
        if "schema" not in content:
            return self.random.choice([self.random.randbytes(self.random.randint(0, 300)), *self.known.get("(file)", ())])
        value = self.value(content["schema"])
        if media == "application/json":
            return json.dumps(value, ensure_ascii=self.random.random() < .5).encode()
        pairs = [(name, self.as_text(one)) for name, v in value.items() if v is not None for one in (v if isinstance(v, list) else [v])]
        return urlencode(pairs).encode()

    # -- slips -----------------------------------------------------------------------------------------------

    STRANGE = [None, True, 0, -1, 7.0, 1.5, 2**63, -2**63 - 1, 10**40, "", " ", "7", "07", "x" * 70, "я" * 1100, "\x00", "\x07", [], [[]], [None], {}, {"a": {"a": []}}]
    BYTES = [b"", b"\x00", b"\xff", b"\xc3", b"\xed\xa0\x80", b"1e400", b"99999999999999999999", b"\\ud800", b"\"", b"[", b"}", b",", b"%", b"%zz",
             b"&", b"=", b"[]", b"[a]", b";", b"\n", b"nul", b"-", b"{\"id\":1,\"id\":1}", b"[" * 40]

    def slip(self, request):
        """Something is wrong with it, mostly: a member, some bytes, a parameter, a header, the method."""
        r, kind = self.random, self.random.random()
        if request.body and kind < .35 and request.headers["Content-Type"] == "application/json":
            value = json.loads(request.body)
            self.spoil(value)
            text = json.dumps(value)
            return request._replace(body=text.replace("\\u0000", r.choice(["\\u0000", "\\ud83c", "\\u0041"])).encode())
        if request.body and kind < .6:
            return request._replace(body=self.spoil_bytes(request.body))
        if kind < .85:
            path = self.spoil_bytes(request.path.encode()[1:])
            path = "".join(chr(b) if 0x21 <= b <= 0x7e else f"%{b:02x}" for b in path)
            return request._replace(path="/" + path)
        if kind < .95:
            name = r.choice([*request.headers, "Accept", "Accept-Encoding", "Content-Type", "If-Match", "Idempotency-Key", "X-Min-Data-Version"])
            value = r.choice(["", "\t", "x" * 5000, "a, b", "é", "application/xml", "gzip;q=0", "*;q=0", "0-0", "multipart/form-data; boundary=x"])
            return request._replace(headers={**request.headers, name: value.encode("latin-1")})
        return request._replace(method=r.choice(["GET", "POST", "HEAD", "DELETE", "OPTIONS", "PUT", "PATCH", "get"]))

    def spoil(self, value):
        """One place of a JSON value, at any depth."""
        r = self.random
        places = list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
        if not places:
            return
        at, inner = r.choice(places)
        if isinstance(inner, (dict, list)) and inner and r.random() < .7:
            self.spoil(inner)
        elif isinstance(value, dict) and r.random() < .2:
            del value[at]
        elif isinstance(value, dict) and r.random() < .2:
            value[str(at) + r.choice(["", "[]", "_", "[a]"])] = r.choice(self.STRANGE)
        else:
            value[at] = r.choice(self.STRANGE)

    def spoil_bytes(self, text):
        r = self.random
        for _ in range(r.randint(1, 3)):
            at = r.randint(0, len(text))
            text = text[:at] + r.choice(self.BYTES) + text[at + r.choice([0, 0, 1, 5]):]
        return text
