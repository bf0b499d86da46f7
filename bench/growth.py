#!/usr/bin/python3
"""Work that must not grow with the square of what it is about: what four times as much costs, in CPU time. bench/growth.py BUILD_DIR

Hotels of one name, airports of one name at one point, and a header with all columns that a list may have."""
import csv
import json
import resource
import statistics
import subprocess
import sys

from common import Dragoman, folder, programs, verdict

SMALL, LARGE, ROUNDS = 2500, 10000, 3
TOUR = {"type": "adapter", "id": 1, "code": "sunny", "name": "Sunny", "domain": "tour"}
AIR = {"type": "adapter", "id": 2, "code": "aerofeed", "name": "Aerofeed", "domain": "air"}
PLACES = [{"type": "dict", "kind": "country", "id": 1, "name": "Turkey", "iso_alpha_2": "TR"},
          {"type": "dict", "kind": "city", "id": 10, "name": "Side", "country_id": 1},
          {"type": "dict", "kind": "hotel_category", "id": 5, "name": "5*"}]
WHERE = {"lat": 36.76, "lng": 31.38}
HOTELS = [("Hotel", {}), ("Hotel", WHERE), ("Blue Sea Beach Resort", WHERE), ("Blue Sea Beach Resort", {}),
          ("Hotel", {"address": "Main Street 1", "zip": "07330"})]


def seconds(act):
    """The median of the CPU time of what act() starts."""
    took = []
    for _ in range(ROUNDS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        act()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(took)


def store(build, path, records):
    place = Dragoman(build / "dragoman", path)
    file = path / "records.ndjson"
    file.write_text("".join(json.dumps(r) + "\n" for r in records), "utf-8")
    place.run("import", file, "--create")
    return place


def hotels(build, path, n, name, where):
    place = store(build, path, [
        TOUR, *PLACES, *({"type": "dict", "kind": "hotel", "id": 1000 + i, "name": name, "country_id": 1, "city_id": 10, "hotel_category_id": 5, **where}
                         for i in range(n)),
        *({"type": "source", "adapter_id": 1, "kind": "hotel", "id": str(i), "name": name, "country_name": "TURKEY", "city_name": "SIDE", **where}
          for i in range(n))])
    return lambda: place.run("match", "--dry-run", "--samples", "0", "--kind", "hotel", "--threads", "1")


def airports(build, path, n):
    place = store(build, path, [AIR, *({"type": "air_place", "source_id": 10000 + i, "place": "apt", "code": "ZZZ", "name": "Airport",
                                        "country_code": "US", "lat": 10.0, "lng": 10.0} for i in range(n))])
    with open(path / "list.csv", "w", newline="", encoding="utf-8") as f:
        csv.writer(f).writerows([["external_id", "name", "country", "lat", "lng"], *([f"x{i}", "Airport", "US", 10.0, 10.0] for i in range(n))])
    return lambda: place.run("match", "--kind", "airport", "aerofeed", "--list", path / "list.csv", "--dry-run")


def duplicates(build, path, n):
    place = store(build, path, [*PLACES, *({"type": "dict", "kind": "hotel", "id": i, "name": "Central", "country_id": 1, "city_id": 10,
                                            "hotel_category_id": 5, **WHERE} for i in range(n))])
    return lambda: place.run("dict", "duplicates", "--limit", "0")


def header(build, path):
    """1024 columns, 30 rows that may be the header: how much 64 columns that are asked for add."""
    place = store(build, path, [TOUR])
    row = ";".join(f"{i:04}" + "é" * 98 for i in range(1024))
    (path / "list.csv").write_text("\n".join([row] * 30), "utf-8")

    def load(*asked):  # refused: no such columns
        try:
            place.run("load", "sunny", path / "list.csv", *asked, stderr=subprocess.DEVNULL)
        except subprocess.CalledProcessError as refused:
            assert refused.returncode == 1
    return load, [f"--map=phone={i:04}x" for i in range(64)]


def main():
    build = programs(sys.argv[1])
    kept = True
    with folder() as place:
        for number, (name, where) in enumerate(HOTELS):
            small, large = (seconds(hotels(build, place / f"{number}-{n}", n, name, where)) for n in (SMALL, LARGE))
            print(f"  {SMALL} hotels {name} {where}: {small:.2f} s, {LARGE}: {large:.2f} s")
            kept &= verdict(f"four times the hotels of one name, {name}, {'+'.join(where)}", large / small, 10)
        small, large = (seconds(airports(build, place / f"air-{n}", n)) for n in (SMALL, LARGE))
        print(f"  {SMALL} airports of one name at one point: {small:.2f} s, {LARGE}: {large:.2f} s")
        kept &= verdict("four times the airports of one name at one point", large / small, 10)
        small, large = (seconds(duplicates(build, place / f"twice-{n}", n)) for n in (SMALL, LARGE))
        print(f"  {SMALL} dict records of one name: {small:.2f} s, {LARGE}: {large:.2f} s")
        kept &= verdict("four times the dict records of one name, to find duplicates", large / small, 10)
        load, asked = header(build, place / "header")
        without, with_them = seconds(load), seconds(lambda: load(*asked))
        print(f"  a header of 1024 columns: {without:.2f} s, with 64 that are asked for {with_them:.2f} s")
        kept &= verdict("64 columns that are asked for", with_them / without, 5)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
