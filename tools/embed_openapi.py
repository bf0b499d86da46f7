#!/usr/bin/python3
"""Write what OpenAPI documents are made of as C: embed_openapi.py OUT.c answers.json EXAMPLES.md...

answers.json says what answers look like, in words that stand for JSON Schema: `int`, `text`, `text<9>` of 9 characters at most, but not
blank, the name of another shape, `[X]` an array, `[X]<1-9>` of so many items, `{X}` a map, `=a|b` one of these words, `X/Y` one of these
types, `X?` may be null, `deprecated X`. A member whose name ends with `~` may be left out. `["X", "description"]` adds a description. The
words of kinds come from src/model/kinds.h when a document is made (src/openapi/document.c). The examples are those of the contract and
examples.md.
"""
import json
import pathlib
import re
import sys

WORDS = {
    "int": {"type": "integer", "format": "int64"},
    "number": {"type": "number"},
    "text": {"type": "string"},
    "bool": {"type": "boolean"},
    "date": {"type": "string", "format": "date"},
    "count": {"type": "integer", "format": "int64", "minimum": 1},
    "share": {"type": "number", "minimum": 0, "maximum": 1},
    "object": {"type": "object", "additionalProperties": True},
    "nothing": {"type": "null"},
    "url": {"type": "string", "format": "uri"},
    "alpha2": {"type": "string", "pattern": "^[A-Z]{2}$"},
    "digits": {"type": "string", "pattern": "^-?[0-9]+$"},
    "time": {"type": "string", "pattern": "^[0-9]{2}:[0-9]{2}:[0-9]{2}$"},
}
#: As src/openapi/schema.c has them: no control characters, and not only white space.
CHARACTERS = r"[^\x00-\x08\x0B-\x1F\x7F-\x9F]*"
VISIBLE = r"[^\x00-\x20\x7F-\xA0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]"
EXAMPLE = re.compile(r"^```http\n(GET|POST) (\S+)\n(?:\n(.*?)\n)?```\n+```json\n(.*?)^```$", re.M | re.S)


def nullable(schema):
    if isinstance(schema.get("type"), str):
        more = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
        return {**schema, "type": [schema["type"], "null"], **more}
    return {"anyOf": [*schema.get("anyOf", [schema]), {"type": "null"}]}


def words_of(text):
    values = [int(word) if word.isdigit() else word for word in text.split("|")]
    kind = {"type": "integer" if isinstance(values[0], int) else "string"}
    return {**kind, "const": values[0]} if len(values) == 1 else {**kind, "enum": values}


def from_word(word):
    if word.startswith("deprecated "):
        return {**from_word(word.removeprefix("deprecated ")), "deprecated": True}
    if word.endswith("?"):
        return nullable(from_word(word[:-1]))
    if word.startswith("["):
        items, bounds = re.fullmatch(r"\[(.*)\](?:<(\d+-\d+)>)?", word).groups()
        least, most = map(int, bounds.split("-")) if bounds else (0, 0)
        return {"type": "array", "items": from_word(items), **({"minItems": least} if least else {}), **({"maxItems": most} if most else {})}
    if word.startswith("text<"):
        return {"type": "string", "minLength": 1, "maxLength": int(word[5:-1]), "pattern": f"^{CHARACTERS}{VISIBLE}{CHARACTERS}$"}
    if word.startswith("{"):
        return {"type": "object", "additionalProperties": from_word(word[1:-1])}
    if word.startswith("="):
        return words_of(word[1:])
    if "/" in word:
        return {"anyOf": [from_word(one) for one in word.split("/")]}
    return dict(WORDS[word]) if word in WORDS else {"$ref": f"#/components/schemas/{word}"}


def schema(shape):
    if isinstance(shape, str):
        return from_word(shape)
    if isinstance(shape, list):
        return {**from_word(shape[0]), **({"description": shape[1]} if shape[1] else {})}
    required = [name for name in shape if not name.endswith("~")]
    members = {name.removesuffix("~"): schema(member) for name, member in shape.items()}
    return {"type": "object", **({"required": required} if required else {}), "properties": members}


def c_string(text):
    """Lines of a C literal that is as long as it has to be."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return "\n\t".join(f'"{part}"' for part in re.findall(r"(?:\\.|[^\\]){1,100}", escaped)) or '""'


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def main():
    out, answers, *documents = sys.argv[1:]
    told = json.loads(pathlib.Path(answers).read_text("utf-8"))
    operations = {name: {**row, **{of: schema(row[of]) for of in ("answer", "body") if of in row}} for name, row in told["operations"].items()}
    tags = [{"name": name, "description": text} for name, text in told["tags"].items()]
    shapes = {"tags": tags, "operations": operations,
              "schemas": {name: schema(shape) for name, shape in told["shapes"].items()}}
    rows = []
    for method, target, body, answer in EXAMPLE.findall("\n".join(pathlib.Path(d).read_text("utf-8") for d in documents)):
        sent = c_string(compact(json.loads(body))) if body else "NULL"
        rows.append(f'\t{{ DRG_{method}, "{target}",\n\t{sent},\n\t{c_string(compact(json.loads(answer)))} }},\n')
    pathlib.Path(out).write_text(
        f'/* Made by tools/embed_openapi.py. */\n#include "openapi/embedded_priv.h"\n\n'
        f"const char drg_openapi_shapes[] =\n\t{c_string(compact(shapes))};\n\n"
        f"const struct drg_openapi_example drg_openapi_examples[] = {{\n{''.join(rows)}\t{{ 0 }},\n}};\n", encoding="utf-8")


if __name__ == "__main__":
    main()
