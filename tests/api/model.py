"""What the reference lists must show, written from the decisions (R1 to R6, L1, L4, L5, L8, L9) and nothing else.

Records are those of the interchange format; an answer is built as plain dicts in the order in which the server
must give it."""
import json

MAIN_KINDS = ("country", "dep_city", "hotel_category", "meal", "currency")
IDENTITY = {
    "adapter": ("id",),
    "dict": ("kind", "id"),
    "source": ("adapter_id", "kind", "id"),
    "direction": ("adapter_id", "dep_city_id", "country_id"),
}


def identity(record):
    return (record["type"], *(record[field] for field in IDENTITY[record["type"]]))


def fallbacks(lang):
    """L1: uk-UA, uk, en."""
    parts = lang.lower().replace("_", "-").split("-")
    return ["-".join(parts[:n]) for n in range(len(parts), 0, -1)] + ["en"]


def text(name, lang):
    """L1: the name in the language asked for, else its fallbacks, else any the record has."""
    if isinstance(name, str):
        return name
    known = {tag.lower(): value for tag, value in name.items()}
    for tag in fallbacks(lang):
        if tag in known:
            return known[tag]
    assert len(known) == 1, "with several the choice is free: not for a model"
    return next(iter(known.values()))


def unsorted_key(_lang, _name):
    return ()


class Model:
    """`order` gives what a name is sorted by in a language; ids break ties."""

    def __init__(self, records=(), order=unsorted_key):
        self.records, self.order = {}, order
        self.apply(records)

    def apply(self, records):
        for record in records:
            if record["type"] not in IDENTITY:
                continue
            if record.get("deleted"):
                self.records.pop(identity(record), None)
            else:
                self.records[identity(record)] = record

    @classmethod
    def from_file(cls, path, **more):
        with open(path, encoding="utf-8") as lines:
            return cls(map(json.loads, lines), **more)

    def all(self, kind, of="dict"):
        return [r for r in self.records.values() if r["type"] == of and (of != "dict" or r["kind"] == kind)]

    def dict(self, kind, id):
        return self.records["dict", kind, id]

    def sorted(self, records, lang):
        return sorted(records, key=lambda r: (self.order(lang, text(r["name"], lang)), r["id"]))

    # what is selected

    def operators(self, demo):
        """R1"""
        stages = ("live", "mapping") if demo else ("live",)
        return [a for a in self.all(None, "adapter")
                if a["domain"] == "tour" and a.get("stage", "live") in stages]

    def flown(self, field, demo):
        """What directions name in a field: those of listed operators, those of the others."""
        listed = {a["id"] for a in self.operators(demo)}
        every = {a["id"] for a in self.operators(True)}
        named = [(d["adapter_id"], d[field]) for d in self.all(None, "direction")]
        return {id for a, id in named if a in listed}, {id for a, id in named if a in every - listed}

    def countries(self, demo):
        """R3: flown to by a listed operator, or by nobody and there are hotels."""
        listed, others = self.flown("country_id", demo)
        return listed | ({h["country_id"] for h in self.all("hotel")} - others)

    def dep_cities(self, demo):
        """R3: all but those from which only operators fly that are not listed."""
        listed, others = self.flown("dep_city_id", demo)
        return {r["id"] for r in self.all("dep_city")} - (others - listed)

    def main(self, demo=False, country=None):
        """Records by kind."""
        countries, dep_cities = self.countries(demo), self.dep_cities(demo)
        chosen = {kind: self.all(kind) for kind in MAIN_KINDS}
        chosen["operator"] = self.operators(demo)
        chosen["country"] = [r for r in chosen["country"] if r["id"] in countries]
        chosen["dep_city"] = [r for r in chosen["dep_city"] if r["id"] in dep_cities]
        if country is not None:
            chosen["dep_city"] = [r for r in chosen["dep_city"]
                                  if self.dict("country", r["country_id"])["iso_alpha_2"] == country.upper()]
        return chosen

    def hotels(self, dep_city, country, demo=False):
        """R2: operators, hotels."""
        serving = [a for a in self.operators(demo)
                   if ("direction", a["id"], dep_city, country) in self.records]
        hotels = [h for h in self.all("hotel") if h["country_id"] == country]
        if not serving and any(("direction", a["id"], dep_city, country) in self.records for a in self.operators(True)):
            hotels = []
        if serving:
            ids = {a["id"] for a in serving}
            linked = {s["dict_id"] for s in self.all(None, "source")
                      if s["kind"] == "hotel" and s["adapter_id"] in ids and s.get("dict_id") is not None}
            hotels = [h for h in hotels if h["id"] in linked]
        return serving, hotels

    # how it is shown

    def _by_name(self, records, lang):
        """R5"""
        taken, keys = set(), {}
        for record in sorted(records, key=lambda r: r["id"]):
            name = text(record["name"], lang)
            keys[record["id"]] = f"{name} #{record['id']}" if name in taken else name
            taken.add(name)
        return {keys[r["id"]]: {"id": r["id"], "name": text(r["name"], lang)} for r in self.sorted(records, lang)}

    def _operators_a(self, records, lang):
        return {r["code"]: {"id": r["id"], "name": text(r["name"], lang), "code": r["code"]}
                for r in self.sorted(records, lang)}

    def _country(self, id, lang):
        r = self.dict("country", id)
        return {"id": id, "name": text(r["name"], lang), "iso_alpha_2": r["iso_alpha_2"]}

    def main_references(self, url, lang="en", demo=False, country=None, flag=str.lower):
        """API A, the value of `data`."""
        chosen = self.main(demo, country)

        def ico(r):
            return {ratio: f"{url}/flags/{ratio}/{flag(r['iso_alpha_2'])}.svg" for ratio in ("1x1", "4x3")}

        return {
            "operators": self._operators_a(chosen["operator"], lang),
            "countries": {r["iso_alpha_2"]: {**self._country(r["id"], lang), "ico": ico(r)}
                          for r in self.sorted(chosen["country"], lang)},
            "dep_cities": {str(r["id"]): {"id": r["id"], "name": text(r["name"], lang),
                                          "country": self._country(r["country_id"], lang)}
                           for r in self.sorted(chosen["dep_city"], lang)},
            "hotel_categories": self._by_name(chosen["hotel_category"], lang),
            "meals": self._by_name(chosen["meal"], lang),
            "currencies": {r["iso_code"]: {"id": r["id"], "name": text(r["name"], lang), "iso_code": r["iso_code"]}
                           for r in self.sorted(chosen["currency"], lang)},
        }

    def _cities(self, hotels, lang):
        return self.sorted([self.dict("city", id) for id in {h["city_id"] for h in hotels}], lang)

    def _category(self, hotel, lang):
        r = self.dict("hotel_category", hotel["hotel_category_id"])
        return {"id": r["id"], "name": text(r["name"], lang)}

    def hotel_references(self, dep_city, country, lang="en", demo=False):
        """API A, the value of `data`."""
        serving, hotels = self.hotels(dep_city, country, demo)
        cities = self._cities(hotels, lang)
        return {
            "operators": self._operators_a(serving, lang),
            "cities": {str(r["id"]): {"id": r["id"], "title": text(r["name"], lang),
                                      "country_id": str(r["country_id"]),
                                      "country_title": self._country(r["country_id"], lang)["name"]}
                       for r in cities},
            "resorts": {str(r["id"]): {"id": r["id"], "name": text(r["name"], lang)}
                        for r in cities if r.get("is_resort")},
            "hotels": {str(r["id"]): {"id": r["id"], "name": text(r["name"], lang),
                                      "country_id": str(r["country_id"]), "city_id": str(r["city_id"]),
                                      "hotel_category": self._category(r, lang)}
                       for r in self.sorted(hotels, lang)},
        }

    def reference(self, lang="en", demo=False, country=None):
        """API B, the value of `data`."""
        data = {}
        for kind, records in self.main(demo, country).items():
            data[kind] = [{"id": r["id"], "name": text(r["name"], lang)} for r in self.sorted(records, lang)]
        for row in data["dep_city"]:
            of = self._country(self.dict("dep_city", row["id"])["country_id"], lang)
            row["country"] = {"id": of["id"], "name": of["name"]}
        return data

    def reference_data(self, dep_city, country, lang="en", demo=False):
        """API B, the value of `data`."""
        _, hotels = self.hotels(dep_city, country, demo)
        return {
            "city": [{"id": r["id"], "name": text(r["name"], lang), "country_id": r["country_id"]}
                     for r in self._cities(hotels, lang)],
            "hotel": [{"id": r["id"], "name": text(r["name"], lang), "country_id": r["country_id"],
                       "city_id": r["city_id"], "hotel_category": self._category(r, lang)}
                      for r in self.sorted(hotels, lang)],
        }


def items(data):
    """L9: every entry of tour/reference as (kind, id, name)."""
    return sorted((kind, row["id"], row["name"]) for kind, rows in data.items() for row in rows)


def dump(value):
    """JSON that keeps the order of members, so that == compares the order too."""
    return json.dumps(value, ensure_ascii=False, indent=1)
