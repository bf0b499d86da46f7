"""The demo data: real countries, currencies and cities, synthetic hotels. The same model, on what export says."""
import collections
import gzip
import json
import random
import shutil
import subprocess

import pytest

import client
import model
from client import assert_error

pytestmark = pytest.mark.xdist_group("demo")      # one worker makes the data, with --dist loadgroup
LANGUAGES = ["en", "uk", "ru", "de", "fr", "es", "it", "pl", "tr", "zh", "ar"]


@pytest.fixture(scope="module")
def exported(demo, run):
    """What the store holds, as the model reads it; the records of no list are left out."""
    lines = run("export", "--data", demo.data).stdout.splitlines()
    wanted = ('{"type":"adapter"', '{"type":"dict"', '{"type":"direction"')
    records = (json.loads(line) for line in lines
               if line.startswith(wanted) or (line.startswith('{"type":"source"') and '"kind":"hotel"' in line))
    return model.Model(records)


@pytest.fixture(scope="module")
def directions(exported):
    """(dep_city, country) with operators, and some without."""
    flown = sorted({(d["dep_city_id"], d["country_id"]) for d in exported.all(None, "direction")})
    cities = sorted(r["id"] for r in exported.all("dep_city"))
    countries = sorted({h["country_id"] for h in exported.all("hotel")})
    rng = random.Random(1)
    return rng.sample(flown, 6) + [(rng.choice(cities), rng.choice(countries)) for _ in range(3)]


def test_the_size_of_the_demo_data(demo):
    main = demo.a("tour/main-references?demo").data()
    assert len(main["operators"]) == 12
    assert 140 <= len(main["currencies"]) <= 320
    assert len(main["countries"]) >= 5 and len(main["dep_cities"]) >= 20
    assert len(main["meals"]) >= 4 and len(main["hotel_categories"]) >= 3


@pytest.mark.cases("False-en", "True-uk", "False-ar")
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("demo_flag", [False, True])
def test_main_lists_are_what_the_model_says(demo, exported, lang, demo_flag):
    query = f"?lang={lang}&demo={int(demo_flag)}"
    found = demo.a("tour/main-references" + query).data()
    expected = exported.main_references(demo.url, lang, demo_flag)
    for part in (found, expected):
        for row in part["countries"].values():
            row.pop("ico")
    assert found == expected
    by_id = collections.defaultdict(dict)
    for kind, rows in demo.b("tour/reference" + query).data().items():
        by_id[kind] = {row["id"]: row for row in rows}
    for kind, rows in exported.reference(lang, demo_flag).items():
        assert by_id[kind] == {row["id"]: row for row in rows}


@pytest.mark.cases("uk")
@pytest.mark.parametrize("lang", ["en", "uk", "ar"])
def test_hotel_lists_are_what_the_model_says(demo, exported, directions, lang):
    for dep_city, country in directions:
        for demo_flag in (False, True):
            query = f"?dep_city={dep_city}&country={country}&lang={lang}&demo={int(demo_flag)}"
            found = demo.a("tour/hotel-references" + query).data()
            assert found == exported.hotel_references(dep_city, country, lang, demo_flag)
            found = demo.b("tour/referenceData" + query).data()
            for kind, rows in exported.reference_data(dep_city, country, lang, demo_flag).items():
                assert {row["id"]: row for row in found[kind]} == {row["id"]: row for row in rows}
                assert len(found[kind]) == len(rows)


NODE_SORT = """
const lists = JSON.parse(require('fs').readFileSync(0));
for (const [lang, rows] of lists) {
  const order = new Intl.Collator(lang).compare;
  for (let i = 1; i < rows.length; i++) {
    const [a, b] = [rows[i - 1], rows[i]], c = order(a.name, b.name);
    if (c > 0 || (c === 0 && a.id > b.id)) { console.log(lang, JSON.stringify([a, b])); process.exit(1); }
  }
}
"""


@pytest.mark.skipif(not shutil.which("node"), reason="node is the second opinion on collation")
def test_l5_node_agrees_with_the_order_of_every_array(demo, directions):
    lists = []
    for lang in LANGUAGES:
        for rows in demo.b(f"tour/reference?lang={lang}&demo").data().values():
            lists.append([lang, rows])
        dep_city, country = directions[0]
        for rows in demo.b(f"tour/referenceData?dep_city={dep_city}&country={country}&lang={lang}").data().values():
            lists.append([lang, rows])
    done = subprocess.run(["node", "-e", NODE_SORT], input=json.dumps(lists).encode(), stdout=subprocess.PIPE, check=False)
    assert done.returncode == 0, done.stdout.decode()


def test_languages_differ_and_english_is_the_default(demo):
    names = {lang: demo.a(f"tour/main-references?lang={lang}").data()["countries"]["TR"]["name"] for lang in LANGUAGES}
    assert names["uk"] == "Туреччина" and names["de"] == "Türkei" and names["pl"] == "Turcja"
    assert len(set(names.values())) >= 8
    assert demo.a("tour/main-references").data()["countries"]["TR"]["name"] == names["en"]


def test_every_ico_of_the_demo_countries_can_be_fetched(demo):
    if demo.request("/flags/1x1/tr.svg").status == 404:
        pytest.skip("the program was built without flags (DATA=no)")
    for country in demo.a("tour/main-references?demo").data()["countries"].values():
        for url in country["ico"].values():
            response = demo.request(url.removeprefix(demo.url))
            assert response.status == 200 and b"<svg" in response.plain()


def test_a_large_list_is_small_when_compressed(demo, directions):
    sizes = {}
    for dep_city, country in directions:
        path = f"tour/referenceData?dep_city={dep_city}&country={country}"
        sizes[path] = len(demo.b(path).body)
    path = max(sizes, key=sizes.get)
    coded = demo.b(path, {"Accept-Encoding": "gzip"})
    assert coded.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(coded.body) == demo.b(path).body
    assert len(coded.body) < sizes[path] / 3


def test_all_pairs_of_the_demo_answer(demo, exported):
    """Any departure city with any country of its hotels: 200, however unlikely."""
    rng = random.Random(2)
    cities = sorted(r["id"] for r in exported.all("dep_city"))
    countries = sorted(r["id"] for r in exported.all("country"))
    for _ in range(100):
        path = f"tour/hotel-references?dep_city={rng.choice(cities)}&country={rng.choice(countries)}"
        assert demo.a(path).status == 200


def test_before_the_first_load_nothing_wrong_is_answered(demo, processes):
    """Right after the start: 503 with Retry-After, then the whole truth. Never an empty list, never a wrong 403."""
    whole = demo.b("tour/reference").json()["data"]
    process = processes(data=demo.data, wait=False)
    statuses = set()
    try:
        while 200 not in statuses:
            response = client.request(process.port, "/v1/tour/reference", headers={"X-Service-Api-Key": demo.key_b})
            statuses.add(response.status)
            if response.status == 503:
                assert_error(response, 503)
                assert int(response.headers["Retry-After"]) >= 0
            else:
                assert response.status == 200 and response.json()["data"] == whole
    finally:
        process.stop()
