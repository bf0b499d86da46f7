"""What tour/hotelDescription must answer, written from spec 4.2 and decisions M13 and M15."""
from urllib.parse import quote

import model


def describe(server, adapter, hotel, query=""):
    return server.b(f"tour/hotelDescription?adapter_id={adapter}&hotel_orig_id={quote(str(hotel), safe='')}{query}")


def by_language(name):
    return {"en": name} if isinstance(name, str) else {tag.lower(): text for tag, text in name.items()}


class Description(model.Model):
    def __init__(self, records=()):
        self.contents = {}
        super().__init__(records)

    def apply(self, records):
        records = list(records)
        super().apply(records)
        for record in records:
            if record["type"] == "hotel_content":
                key = record["adapter_id"], record["hotel_id"]
                if record.get("deleted"):
                    self.contents.pop(key, None)
                else:
                    self.contents[key] = record

    def names(self, kind, id):
        record = self.records.get(("dict", kind, id)) if id is not None else None
        return by_language(record["name"]) if record else {}

    def description(self, adapter, hotel, lang="en"):
        """None: 400."""
        a, s = self.records.get(("adapter", adapter)), self.records.get(("source", adapter, "hotel", hotel))
        if a is None or a["domain"] != "tour" or s is None:
            return None
        content = self.contents.get((adapter, hotel), {})
        return {"adapter": {"id": adapter, "code": a["code"], "name": a["name"], "logo": a.get("logo")},
                "hotel": self.hotel(s.get("dict_id"), lang),
                "orig_hotel": self.orig_hotel(s, content),
                "hotel_description": [self.text(item) for item in content.get("descriptions") or []],
                "hotel_facility": [self.group(item) for item in content.get("facilities") or []],
                "hotel_photo": [{"url_orig": item["url"], "is_main": bool(item.get("is_main"))}
                                for item in content.get("photos") or []]}

    def hotel(self, id, lang):
        record = self.records.get(("dict", "hotel", id)) if id is not None else None
        if record is None:
            return None
        category = self.dict("hotel_category", record["hotel_category_id"])
        return {"id": id, "title": model.text(record["name"], lang),
                "country": self.names("country", record["country_id"]), "city": self.names("city", record["city_id"]),
                "hotel_category": model.text(category["name"], lang),
                "lat": record.get("lat"), "lng": record.get("lng"),
                "hotel_type": self.names("hotel_type", record.get("hotel_type_id")),
                "address": record.get("address"), "zip": record.get("zip")}

    @staticmethod
    def orig_hotel(s, content):
        return {"orig_id": s["id"], "title": s["name"], "country": s.get("country_name"), "city": s.get("city_name"),
                "hotel_category": s.get("category_name"), "address": s.get("address"),
                "check_in": content.get("check_in"), "check_out": content.get("check_out"),
                "room_count": content.get("room_count"), "url": s.get("url"), "zip": s.get("zip"),
                "lat": s.get("lat"), "lng": s.get("lng")}

    def text(self, item):
        return {"type": self.names("description_type", item.get("type_id")), "orig_type": item.get("orig_type") or {},
                "orig_description": by_language(item["text"])}

    def group(self, group):
        return {"facility_group": self.names("facility_group", group.get("group_id")),
                "orig_facility_group": group.get("orig_group") or {},
                "data": [{"facility_type": self.names("facility_type", item.get("type_id")),
                          "orig_facility_type": item.get("orig_type") or {}, "value_type": item.get("value_type"),
                          "value": item.get("value")} for item in group["items"]]}
