"""What map, dict and import commands must do to a data set, written from decisions M16 to M21.

A source has the dict id that it is mapped to, its events, and the way by which it came there: the merges since the
last decision. Records of the reference have what refers to others; redirects have what their split needs."""
import copy

#: The fields by which a dict record refers to others.
REFS = {"city": {"country_id": "country"},
        "hotel": {"country_id": "country", "city_id": "city", "hotel_category_id": "hotel_category"}}


class Refused(Exception):
    """The command must fail and change nothing."""


class Source:
    def __init__(self, dict_id):
        self.dict_id, self.events, self.way = dict_id, [], []


class Model:
    def __init__(self, records):
        self.dicts = {(r["kind"], r["id"]): dict(r) for r in records if r["type"] == "dict"}
        self.sources = {(r["adapter_id"], r["kind"], r["id"]): Source(r.get("dict_id"))
                        for r in records if r["type"] == "source"}
        self.redirects, self.merges = {}, 0

    def resolve(self, kind, id):
        if (kind, id) in self.dicts:
            return id
        if (kind, id) in self.redirects:
            return self.redirects[kind, id]["to"]
        raise Refused(f"{kind} {id} is unknown")

    # decisions

    def _decide(self, key, dict_id, how):
        source = self.sources[key]
        now = None if dict_id is None else self.resolve(key[1], dict_id)
        if now != source.dict_id:
            source.events.append((source.dict_id, now, how))
            source.dict_id, source.way = now, []

    def set(self, key, dict_id):
        self._decide(key, dict_id, "set")

    def clear(self, key):
        self._decide(key, None, "set")

    def undo(self, key):
        source = self.sources[key]
        if not source.events:
            raise Refused("no decision")
        before, after, how = source.events[-1]
        if how in ("merge", "split") or after != source.dict_id:
            raise Refused(how)
        self._decide(key, before, "undo")

    # merges

    def _referring(self, kind, id):
        for key, record in self.dicts.items():
            for field, to in REFS.get(key[0], {}).items():
                if to == kind and record[field] == id:
                    yield key, field

    def _move(self, source, to, how):
        source.events.append((source.dict_id, to, how))
        source.dict_id = to

    def merge(self, kind, one, other):
        if one == other or (kind, one) not in self.dicts:
            raise Refused("same or gone")
        to = self.resolve(kind, other)
        if to == one:
            raise Refused("cycle")
        self.merges += 1
        for key, source in self.sources.items():
            if key[1] == kind and source.dict_id == one:
                source.way.append((one, self.merges))
                self._move(source, to, "merge")
        moved = list(self._referring(kind, one))
        for key, field in moved:
            self.dicts[key][field] = to
        for (other_kind, _), redirect in self.redirects.items():
            if other_kind == kind and redirect["to"] == one:
                redirect["to"] = to
        self.redirects[kind, one] = {"to": to, "into": to, "moved": moved, "number": self.merges,
                                     "record": self.dicts.pop((kind, one))}

    def _came_through(self, kind, id, through):
        while (kind, id) in self.redirects:
            id = self.redirects[kind, id]["into"]
            if id == through:
                return True
        return False

    def split(self, kind, one):
        if (kind, one) not in self.redirects:
            raise Refused("not merged")
        redirect = self.redirects[kind, one]
        record = copy.deepcopy(redirect["record"])
        named = {field: (to, record[field]) for field, to in REFS.get(kind, {}).items()}
        for field, (to, id) in named.items():
            record[field] = self.resolve(to, id)
        turned = [id for other_kind, id in self.redirects if other_kind == kind and self._came_through(kind, id, one)]
        del self.redirects[kind, one]
        self.dicts[kind, one] = record
        for id in turned:
            self.redirects[kind, id]["to"] = one
        for key, source in self.sources.items():
            step = (one, redirect["number"])
            if key[1] == kind and source.dict_id == redirect["to"] and step in source.way:
                del source.way[source.way.index(step):]
                self._move(source, one, "split")
        for field, (to, id) in named.items():
            while (to, id) in self.redirects:  # a split of any of these takes it along
                self.redirects[to, id]["moved"].append(((kind, one), field))
                id = self.redirects[to, id]["into"]
        for key, field in redirect["moved"]:
            moved = self.dicts.get(key) or self.redirects.get(key, {"record": {}})["record"]
            if moved.get(field) == redirect["to"]:
                moved[field] = one

    # imports

    def import_source(self, key, dict_id):
        self._decide(key, dict_id, "import")

    def import_dict(self, record):
        if (record["kind"], record["id"]) in self.redirects:
            raise Refused("merged")
        fields = {field: self.resolve(kind, record[field]) for field, kind in REFS.get(record["kind"], {}).items()}
        self.dicts[record["kind"], record["id"]] = {**record, **fields}

    # what an export shows

    def shown(self):
        events = {key: source.events for key, source in self.sources.items() if source.events}
        return (self.dicts, {key: source.dict_id for key, source in self.sources.items()},
                {key: (r["to"], r["into"]) for key, r in self.redirects.items()}, events)


def shown(records):
    """The same of a real export. Within a source events are sorted by time."""
    dicts, sources, redirects, events = {}, {}, {}, {}
    for r in records:
        key = tuple(r[field] for field in ("adapter_id", "kind", "id") if field in r)
        if r["type"] == "dict":
            dicts[key] = r
        elif r["type"] == "source":
            sources[key] = r.get("dict_id")
        elif r["type"] == "redirect":
            redirects[key] = (r["to"], r.get("into", r["to"]))
        elif r["type"] == "mapping_event":
            # Times have three or six digits of fraction.
            events.setdefault(key, []).append((r["at"][:-1].ljust(26, "0"), r.get("from"), r.get("to"), r.get("how", "set")))
    return dicts, sources, redirects, {key: [row[1:] for row in sorted(rows)] for key, rows in events.items()}
