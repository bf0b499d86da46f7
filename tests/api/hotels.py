"""A small reference with ten hotels, and what suppliers call them, for the tests of matching and curating."""

PLACES = [
    {"type": "adapter", "id": 1, "code": "sunny", "name": "Sunny", "domain": "tour"},
    {"type": "adapter", "id": 2, "code": "other", "name": "Other", "domain": "tour"},
    {"type": "dict", "kind": "country", "id": 1, "name": {"en": "Turkey", "uk": "Туреччина"}, "iso_alpha_2": "TR"},
    {"type": "dict", "kind": "country", "id": 2, "name": {"en": "Spain", "uk": "Іспанія"}, "iso_alpha_2": "ES"},
    {"type": "dict", "kind": "currency", "id": 978, "name": {"en": "Euro"}, "iso_code": "EUR"},
    {"type": "dict", "kind": "city", "id": 10, "name": {"en": "Side", "uk": "Сіде"}, "country_id": 1, "lat": 36.767, "lng": 31.389},
    {"type": "dict", "kind": "city", "id": 11, "name": {"en": "Toledo"}, "country_id": 2, "lat": 39.86, "lng": -4.02},
    {"type": "dict", "kind": "hotel_category", "id": 5, "name": "5*"},
]
HOTELS = ["Orkide Resort & Spa", "Pamfilya Konak", "Sultan Sahil Palace", "Meridia Beach", "Zeytin Hotel", "Defne Residence",
          "Lykia Garden 2", "Aspendos Mirage", "Kervansaray Bahce", "Turkuaz Yakamoz"]


def dict_hotels():
    return [{"type": "dict", "kind": "hotel", "id": 100 + i, "name": name, "country_id": 1, "city_id": 10,
             "hotel_category_id": 5, "lat": 36.76 + i * 0.002, "lng": 31.38} for i, name in enumerate(HOTELS)]


def source(id, name, adapter=1, **more):
    return {"type": "source", "adapter_id": adapter, "kind": "hotel", "id": str(id), "name": name,
            "country_name": "TURKEY", "city_name": "SIDE", **more}


def near(i):
    return {"lat": 36.76 + i * 0.002 + 0.0001, "lng": 31.38}
