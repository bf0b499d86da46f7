"""What the protocol of reconciliation services, version 0.2, says of answers, written down from its text as JSON Schemas, and as much of a
validator as they need. Members that the protocol does not have are refused: a typing error in a name would pass else."""
import re

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool}
TEXT, FLAG, NUMBER, INT = {"type": "string"}, {"type": "boolean"}, {"type": "number"}, {"type": "integer"}


def thing(required, **optional):
    """An object with these members and no others."""
    return {"type": "object", "required": list(required), "properties": {**required, **optional}, "additionalProperties": False}


def array(items):
    return {"type": "array", "items": items}


def by_name(values):
    return {"type": "object", "additionalProperties": values}


URL, TEMPLATE = {"type": "string", "pattern": "^https?://"}, {"type": "string", "pattern": r"^https?://.*\{\{id\}\}"}
NAMED = thing({"id": TEXT, "name": TEXT})
SERVICE = thing({"service_url": URL, "service_path": {"type": "string", "pattern": "^/"}})
SETTING = thing({"type": TEXT, "label": TEXT, "name": TEXT}, default=TEXT, help_text=TEXT)
MANIFEST = thing(
    {"versions": {"type": "array", "items": TEXT, "contains": "0.2"}, "name": TEXT, "identifierSpace": URL, "schemaSpace": URL},
    documentation=URL, serviceVersion=TEXT, defaultTypes=array(NAMED), batchSize=INT, view=thing({"url": TEMPLATE}),
    preview=thing({"url": TEMPLATE, "width": INT, "height": INT}), suggest=thing({"entity": SERVICE, "type": SERVICE, "property": SERVICE}),
    extend=thing({"propose_properties": SERVICE, "property_settings": array(SETTING)}))
FEATURE = thing({"id": TEXT, "value": {"oneOf": [FLAG, NUMBER]}})
CANDIDATE = thing({"id": TEXT, "name": TEXT, "score": NUMBER}, description=TEXT, match=FLAG, type=array(NAMED), features=array(FEATURE))
RESULTS = by_name(thing({"result": array(CANDIDATE)}))
ENTITIES = thing({"result": array(thing({"id": TEXT, "name": TEXT}, description=TEXT, notable=array(NAMED)))})
SUGGESTED = thing({"result": array(thing({"id": TEXT, "name": TEXT}, description=TEXT))})
PROPOSED = thing({"properties": array(NAMED)}, type=TEXT, limit=INT)
VALUE = {"oneOf": [thing({}), thing({"id": TEXT, "name": TEXT}), thing({"str": TEXT}), thing({"float": NUMBER}), thing({"int": INT})]}
EXTENDED = thing({"meta": array(thing({"id": TEXT, "name": TEXT}, type=NAMED)), "rows": by_name(by_name(array(VALUE)))})


def is_of(schema, value):
    if schema["type"] in ("number", "integer"):
        return isinstance(value, (int, float) if schema["type"] == "number" else int) and not isinstance(value, bool)
    return isinstance(value, TYPES[schema["type"]])


def faults(schema, value, at="answer"):
    if "oneOf" in schema:
        if sum(not list(faults(one, value)) for one in schema["oneOf"]) != 1:
            yield f"{at}: not exactly one of its forms: {value!r}"
        return
    if not is_of(schema, value):
        yield f"{at}: no {schema['type']}: {value!r}"
        return
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{at}: does not fit {schema['pattern']}: {value!r}"
    if isinstance(value, list):
        if "contains" in schema and schema["contains"] not in value:
            yield f"{at}: lacks {schema['contains']!r}"
        for i, item in enumerate(value):
            yield from faults(schema["items"], item, f"{at}[{i}]")
    if isinstance(value, dict):
        yield from (f"{at}: lacks {name}" for name in schema.get("required", []) if name not in value)
        for name, member in value.items():
            of = schema.get("properties", {}).get(name, schema["additionalProperties"])
            if of is False:
                yield f"{at}: the protocol has no {name}"
            else:
                yield from faults(of, member, f"{at}.{name}")


def holds(schema, value):
    found = list(faults(schema, value))
    assert not found, found
    return value
