"""Lists that are sent to curate/load, for the tests of it."""
import urllib.parse

import mapping
from curating import Desk

HOTELS = [["Code", "Hotel Name", "Country Code", "Country", "Latitude", "Note"],
          ["h1", "Mavi Koy", "TR", "Türkiye", "36,80", "x"],
          ["h2", "Deniz Palas", "TR", "Türkiye", "36,81", "x"],
          ["h3", "Ada Resort", "TR", "Türkiye", "36,82", "x"]]
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
