"""Lists that are sent to curate/load, for the tests of it."""
import urllib.parse

import mapping
from curating import Desk

HOTELS = [["Code", "Hotel Name", "Country Code", "Country", "Latitude", "Note"],
          ["h1", "Mavi Koy", "TR", "Türkiye", "36,80", "x"],
          ["h2", "Deniz Palas", "TR", "Türkiye", "36,81", "x"],
          ["h3", "Ada Resort", "TR", "Türkiye", "36,82", "x"]]
#: A list, and that of the next month, in which the supplier has given ids again.
MONTH = [["Code", "Hotel Name", "Country", "City", "Latitude", "Longitude", "Address"],
         ["given", "Mavi Koy Resort", "Turkey", "Side", "36.760", "31.380", "Liman Caddesi 1"],
         ["nowhere", "Ada Pansiyon", "Turkey", "Side", "", "", "Kale Sokak 5"],
         ["moved", "Deniz Palas", "Turkey", "Side", "36.770", "31.390", ""],
         ["renamed", "Gunes Apart", "Turkey", "Side", "36.780", "31.395", ""],
         ["former", "Roma Antica", "Turkey", "Side", "36.781", "31.396", ""],
         ["same", "Zeytin Hotel", "Turkey", "Side", "36.782", "31.397", ""]]
NEXT_MONTH = [MONTH[0],
              ["given", "Grand Bellevue", "Spain", "Toledo", "39.860", "-4.020", "Calle Mayor 7"],
              ["nowhere", "Old Mill Inn", "Spain", "Toledo", "", "", "Plaza Nueva 2"],
              ["moved", "DENİZ PALAS HOTEL", "Turkey", "Antalya", "36.900", "30.700", ""],
              ["renamed", "Sunny Beach Club", "Turkey", "Side", "36.781", "31.396", ""],
              ["former", "Villa Adriana (ex. Roma Antica)", "Turkey", "Kemer", "36.600", "30.560", ""],
              ["same", "Zeytin Hotel", "Turkey", "Side", "36.782", "31.397", ""]]
#: What they are mapped to.
REFERENCE = [{"type": "dict", "kind": "country", "id": 1, "name": {"en": "Turkey"}, "iso_alpha_2": "TR"},
             {"type": "dict", "kind": "city", "id": 10, "name": {"en": "Side"}, "country_id": 1},
             {"type": "dict", "kind": "hotel_category", "id": 5, "name": "5*"},
             {"type": "dict", "kind": "hotel", "id": 100, "name": "Mavi Koy Resort", "country_id": 1, "city_id": 10, "hotel_category_id": 5,
              "lat": 36.76, "lng": 31.38}]
#: The commands that make a store with the suppliers 1 and 2 in it.
SUPPLIERS = [("supplier", "add", "coral", "--name", "Coral Tours", "--create"), ("supplier", "add", "azure", "--name", "Azure")]


def text(rows, separator=";"):
    return "\n".join(separator.join(row) for row in rows).encode() + b"\n"


def supplied(run, path):
    """Data with these suppliers in it, and no records."""
    data = mapping.Data(run, path)
    for step in SUPPLIERS:
        data.ok(*step)
    return data


class Loader(Desk):
    def load(self, body, adapter=1, headers=None, file="hotels.csv", **parameters):
        query = urllib.parse.urlencode({"adapter_id": adapter, "file": file, **{k: v for k, v in parameters.items() if v is not None}}, True)
        return self.server.request(f"/v1/curate/load?{query}", "POST",
                                   self.headers({"Content-Type": "application/octet-stream", **(headers or {})}), body)

    def its_turn(self, body, **parameters):
        while (answer := self.load(body, **parameters)).status == 503 and answer.json()["error"]["reason"] == "import_running":
            pass
        return answer
