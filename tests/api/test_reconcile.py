"""The reconciliation service for OpenRefine: decisions O1 and O2, docs/openrefine.md, the protocol's version 0.2."""
import http.client
import json
import os
import signal
import string
import urllib.parse

import pytest
from hypothesis import HealthCheck, given, settings, strategies

import client
import reconcile_schemas as schemas
from raw import worked_on_beside
from test_pages import MADE_UP

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
MORE = [
    {"type": "dict", "kind": "hotel", "id": 70, "name": {"en": "Rixos Premium Belek", "uk": "Ріксос Преміум Белек"}, "country_id": 1, "city_id": -44, "hotel_category_id": 5, "lat": 36.8531, "lng": 31.0531},
    {"type": "dict", "kind": "hotel", "id": 71, "name": {"en": "Rixos Premium Belek Villas"}, "country_id": 1, "city_id": -44, "hotel_category_id": 5, "lat": 36.8535, "lng": 31.0535},
    {"type": "dict", "kind": "hotel", "id": 72, "name": "Sunrise 2", "country_id": 3, "city_id": 332, "hotel_category_id": 4, "lat": 27.2, "lng": 33.8},
    {"type": "dict", "kind": "hotel", "id": 73, "name": "Palace", "country_id": 1, "city_id": 331, "hotel_category_id": 4},
    {"type": "dict", "kind": "hotel", "id": 74, "name": "Palace", "country_id": 3, "city_id": 332, "hotel_category_id": 4},
    {"type": "dict", "kind": "hotel", "id": 75, "name": {"en": "<script>alert(1)</script> & \"Co\" 'x'"}, "country_id": 3, "city_id": 332, "hotel_category_id": 4},
]


class Service:
    def __init__(self, server, key):
        self.server, self.key, self.path = server, key, f"/v1/reconcile/{key}"

    def get(self, rest="", **query):
        return self.server.request(self.path + rest + ("?" + urllib.parse.urlencode(query) if query else ""))

    def post(self, **fields):
        return self.server.request(self.path, "POST", FORM, urllib.parse.urlencode(fields).encode())

    def batch(self, queries):
        answer = self.post(queries=json.dumps(queries))
        assert answer.status == 200, answer
        found = schemas.holds(schemas.RESULTS, answer.json())
        assert list(found) == list(queries)
        return {name: one["result"] for name, one in found.items()}

    def ask(self, text, kind=None, limit=None, **properties):
        query = {"query": text, "properties": [{"pid": p, "v": v} for p, v in properties.items()]}
        query.update({name: v for name, v in (("type", kind), ("limit", limit)) if v is not None})
        return self.batch({"q0": query})["q0"]

    def ids(self, *args, **kwargs):
        return [c["id"] for c in self.ask(*args, **kwargs)]

    def sure(self, *args, **kwargs):
        """The id of what it says is certainly it, or None."""
        found = self.ask(*args, **kwargs)
        assert not any(c["match"] for c in found[1:]) and all(a["score"] >= b["score"] for a, b in zip(found, found[1:]))
        return found[0]["id"] if found and found[0]["match"] else None


@pytest.fixture(scope="module")
def server(module_servers, mini, import_file, tmp_path_factory):
    data = tmp_path_factory.mktemp("reconcile")
    import_file(data, mini)
    import_file(data, MORE)
    return module_servers.make(None, data=data)


@pytest.fixture(scope="module")
def service(server, new_key):
    return Service(server, new_key(server.data, "b", "--role", "reader")["key"])


@pytest.fixture(scope="module", autouse=True)
def _known(service, server):
    """The key reaches a running server within a second (E8)."""
    assert client.wait_until(lambda: service.get().status == 200)


# ---- the protocol ----

def test_manifest(service, server):
    manifest = schemas.holds(schemas.MANIFEST, service.get().json())
    assert {t["id"] for t in manifest["defaultTypes"]} >= {"country", "city", "dep_city", "hotel", "hotel_category", "meal", "currency", "airport"}
    assert manifest["view"]["url"] == f"{server.url}{service.path}/view/{{{{id}}}}"
    assert service.key not in manifest["identifierSpace"] + manifest["schemaSpace"]


def test_a_slash_behind_the_address_changes_nothing(service, server):
    for method, body in (("GET", None), ("HEAD", None), ("POST", b'{"queries":{"q0":{"query":"Turkey"}}}'), ("OPTIONS", None)):
        answers = [server.request(service.path + slash, method, {"Content-Type": "application/json", "Origin": "https://shop.example"}, body)
                   for slash in ("", "/")]
        assert answers[0].status == answers[1].status in (200, 204) and answers[0].body == answers[1].body
    assert server.request(service.path + "//").status == server.request(service.path + "/suggest/").status == 404


def test_every_address_of_the_manifest_answers(service, server):
    manifest = service.get().json()
    for what, schema in (("entity", schemas.ENTITIES), ("type", schemas.SUGGESTED), ("property", schemas.SUGGESTED)):
        at = manifest["suggest"][what]
        assert at["service_url"] == server.url + service.path
        found = schemas.holds(schema, service.get(at["service_path"], prefix="ho" if what != "property" else "co").json())
        assert what == "entity" or found["result"], what
    propose = manifest["extend"]["propose_properties"]["service_path"]
    found = schemas.holds(schemas.PROPOSED, service.get(propose, type="hotel").json())
    assert {p["id"] for p in found["properties"]} >= {"country", "city", "category", "lat", "lng", "id"}
    found = schemas.holds(schemas.PROPOSED, service.get(propose, type="meal", limit=1).json())
    assert len(found["properties"]) == 1
    page = server.request(manifest["preview"]["url"].removeprefix(server.url).replace("{{id}}", "hotel-55"))
    assert page.status == 200 and b"Blue Bay Palace" in page.body


@pytest.mark.parametrize("text, kind, found", [
    ("Turkey", "country", "country-1"), ("Туреччина", "country", "country-1"), ("tr", "country", "country-1"), ("TURKEI", "country", "country-1"),
    ("Kyiv", "dep_city", "dep_city-10"), ("Belek", "city", "city--44"), ("eur", "currency", "currency-1"), ("Euro", "currency", "currency-1"),
    ("5*", "hotel_category", "hotel_category-5"), ("AI", "meal", "meal-1"), ("Heathrow", "airport", "airport-5"), ("LHR", "airport", "airport-5"),
    ("Лондон", "air_city", "air_city-4"), ("Beach hotel", "hotel_type", "hotel_type-1"), ("Location", "description_type", "description_type-1"),
    ("Private beach", "facility_type", "facility_type-1"), ("Beach", "facility_group", "facility_group-1"),
])
def test_every_kind_is_found_by_name_or_code(service, text, kind, found):
    first = service.ask(text, kind)[0]
    assert first["id"] == found and first["type"][0]["id"] == kind and first["match"] and first["score"] > 90


def test_types_and_limits_are_kept(service):
    assert service.ids("Belek", ["city", "hotel"])[0] == "city--44"
    assert all(i.startswith("hotel-") for i in service.ids("Belek", "hotel"))
    assert service.ids("Belek", "planet") == [] and len(service.ids("Belek", limit=1)) == 1
    assert {"city--44", "hotel-70"} <= set(service.ids("Belek", limit=10**9))


def test_a_get_asks_too_and_json_is_taken(service, server):
    queries = json.dumps({"a": {"query": "Turkey", "type": "country"}})
    said = service.post(queries=queries).json()
    assert service.get(queries=queries).json() == said
    answer = server.request(service.path, "POST", {"Content-Type": "application/json"}, b'{"queries":' + queries.encode() + b"}")
    assert answer.json() == said
    assert service.batch({}) == {} and service.ask("") == [] and service.ask("!!!") == []


def test_names_with_errors_and_in_other_words(service):
    assert service.ids("Rixos Premum Belek", "hotel")[0] == "hotel-70"
    assert service.ids("Hotel Blue Bay Palace 5*", "hotel")[0] == "hotel-55"
    assert service.ids("Bluebay Palace", "hotel")[0] == "hotel-55"
    assert service.ids("palase blue bay", "hotel")[0] == "hotel-55"


def test_the_id_of_a_record_as_a_query_is_that_record(service):
    first = service.ask("hotel-55")[0]
    assert (first["id"], first["score"], first["match"]) == ("hotel-55", 100, True) and {"id": "id", "value": True} in first["features"]
    assert service.sure(" city--44 ", "city") == "city--44" and service.sure("hotel-55", "hotel", country="Egypt") is None
    for other in ("hotel-999", "hotel-055", "planet-55"):
        assert service.sure(other) is None
    assert "hotel-55" not in service.ids("hotel-55", "city")


def test_answers_are_put_together_of_slices(service):
    """A batch is answered some queries at a time (O2), extend some ids at a time: at the seams nothing is lost or twice."""
    for n in (0, 1, 15, 16, 17, 32, 33, 100):
        found = service.batch({f"q{i}": {"query": "Turkey" if i % 2 else "Belek", "type": ["country", "city"]} for i in range(n)})
        assert [one[0]["id"] for one in found.values()] == [("country-1" if i % 2 else "city--44") for i in range(n)]
    for n in (0, 1, 49, 50, 51, 150):
        ids = [f"hotel-{i}" for i in range(50, 50 + n)]
        found = schemas.holds(schemas.EXTENDED, service.post(extend=json.dumps({"ids": ids, "properties": [{"id": "id"}]})).json())
        assert list(found["rows"]) == ids and found["meta"] == [{"id": "id", "name": "Number in the reference"}]
        assert n < 6 or found["rows"]["hotel-55"] == {"id": [{"int": 55}]}


# ---- scores and certainty ----

def test_a_hotel_is_sure_only_with_its_place(service):
    assert service.sure("Blue Bay Palace", "hotel") is None
    assert service.sure("Blue Bay Palace", "hotel", country="Turkey") is None
    for place in ({"city": "Antalya"}, {"city": "Анталья", "country": "TR"}, {"city": {"id": "city-331", "name": "?"}}, {"lat": 36.85, "lng": "30.7801"}):
        assert service.sure("Blue Bay Palace", "hotel", **place) == "hotel-55", place
    for place in ({"city": "Hurghada"}, {"city": "Antalya", "country": "Egypt"}, {"city": "Antalya", "lat": 36.0, "lng": 30.0},
                  {"city": "Antalya", "category": "4*"}, {"city": "Nowhere"}):
        assert service.sure("Blue Bay Palace", "hotel", **place) is None, place


def test_an_empty_value_says_nothing(service):
    for nothing in ("", " ", "?", "-", [], ["", "?"], None):
        assert service.sure("Blue Bay Palace", "hotel", city="Antalya", country=nothing, category=nothing, code=nothing, lat=nothing) == "hotel-55", nothing
        assert service.sure("Blue Bay Palace", "hotel", city=nothing) is None


def test_the_id_of_another_type_is_no_id_of_a_place(service):
    """A column that was reconciled as another type first, then used as the city."""
    for wrong in ("air_city-331", "dep_city-331", "hotel-331"):
        assert service.sure("Blue Bay Palace", "hotel", city={"id": wrong, "name": "Hurghada"}) is None
        assert service.sure("Blue Bay Palace", "hotel", city={"id": wrong, "name": "Antalya"}) == "hotel-55"
        assert service.sure("Blue Bay Palace", "hotel", city={"id": wrong}) is None


def test_numbers_and_sister_houses_are_not_sure(service):
    belek = {"city": "Belek"}
    assert service.sure("Rixos Premium Belek", "hotel", **belek) is None      # its villas are too like it
    assert service.ids("Rixos Premium Belek", "hotel", **belek)[:2] == ["hotel-70", "hotel-71"]
    assert service.sure("Sunrise 3", "hotel", city="Hurghada") is None
    assert service.sure("Sunrise 2", "hotel", city="Hurghada") == "hotel-72"


def test_of_namesakes_the_place_decides(service):
    assert service.sure("Palace", "hotel") is None
    assert service.sure("Palace", "hotel", city="Antalya") == "hotel-73"
    assert service.sure("Palace", "hotel", city="Hurghada", country="Egypt") == "hotel-74"
    features = {f["id"]: f["value"] for f in service.ask("Palace", "hotel", city="Hurghada")[0]["features"]}
    assert features["city"] is True and features["name"] == 1
    assert service.sure("Kyiv") is None                                       # a departure city, and a city with airports
    assert service.sure("Boryspil International", "airport", country="Poland") is None


def test_codes_as_properties(service):
    assert service.ids("Some airport", "airport", code="kbp")[0] == "airport-2"
    assert service.sure("Euro", "currency", code="USD") is None


def test_of_two_of_one_name_none_is_better(service):
    """Whatever else was asked for, and whatever name is kept beside theirs."""
    for text in ("Palace", "Palace Palace", "Palace Script", "Palace Rixos"):
        scores = {c["id"]: c["score"] for c in service.ask(text, "hotel")}
        assert scores["hotel-73"] == scores["hotel-74"], (text, scores)


# ---- data extension, suggestions, pages ----

def test_extend(service):
    asked = {"ids": ["hotel-55", "city--44", "airport-2", "hotel-73", "hotel-999", "nonsense", "hotel-55"],
             "properties": [{"id": p} for p in ("id", "country", "city", "category", "hotel_type", "lat", "code", "colour", "id")] + [{"id": "name", "settings": {"lang": "uk"}}]}
    found = schemas.holds(schemas.EXTENDED, service.post(extend=json.dumps(asked)).json())
    assert [m["id"] for m in found["meta"]] == ["id", "country", "city", "category", "hotel_type", "lat", "code", "colour", "name"]
    assert found["rows"]["hotel-55"] == {
        "id": [{"int": 55}], "country": [{"id": "country-1", "name": "Turkey"}], "city": [{"id": "city-331", "name": "Antalya"}],
        "category": [{"id": "hotel_category-5", "name": "5*"}], "hotel_type": [{"id": "hotel_type-1", "name": "Beach hotel"}], "lat": [{"float": 36.85}], "code": [], "colour": [], "name": [{"str": "Блю Бей Палас"}]}
    assert found["rows"]["city--44"]["id"] == [{"int": -44}] and found["rows"]["airport-2"]["code"] == [{"str": "KBP"}]
    assert all(v == [] for v in found["rows"]["hotel-999"].values()) and all(v == [] for v in found["rows"]["nonsense"].values())
    assert (found["rows"]["hotel-73"]["hotel_type"], found["rows"]["hotel-73"]["lat"]) == ([], []), "it has none"
    assert len(found["rows"]) == 6


def test_suggestions_while_somebody_types(service):
    def suggested(prefix, **more):
        return [e["id"] for e in schemas.holds(schemas.ENTITIES, service.get("/suggest/entity", prefix=prefix, **more).json())["result"]]
    assert suggested("ant") [0] == "city-331" and suggested("blue ba")[0] == "hotel-55"
    assert suggested("rix", type="hotel", limit=1) == ["hotel-70"] and suggested("rix", type="city") == []
    assert suggested("hotel-55") == ["hotel-55"] and suggested("") == []
    assert suggested("hotel-55", type="hotel") == ["hotel-55"] and suggested("hotel-55", type="city") == []
    assert suggested("rix", type="planet") == [] and service.get("/properties", type="planet").json()["properties"] == []
    assert suggested("rix", type="") == suggested("rix")
    assert [t["id"] for t in service.get("/suggest/type", prefix="HOT").json()["result"]] == ["hotel_category", "hotel", "hotel_type"]
    assert [p["id"] for p in service.get("/suggest/property", prefix="cit").json()["result"]] == ["city"]
    client.assert_error(service.get("/suggest/planet", prefix="a"), 400, "what", "unknown_word")


def test_a_page_runs_and_loads_nothing(service):
    page = service.get("/view/hotel-75")
    text = page.body.decode()
    assert page.status == 200 and page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "<script" not in text and "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;Co&quot; &#39;x&#39;" in text
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "sandbox" in policy and "'unsafe" not in policy
    assert page.headers["Referrer-Policy"] == "no-referrer" and page.headers["X-Content-Type-Options"] == "nosniff"
    assert service.key not in text and "X-Frame-Options" not in page.headers
    for wrong in ("hotel-999", "hotel", "planet-1", "hotel-1e3", "hotel-055", "%3Cb%3E"):
        client.assert_error(service.get(f"/view/{wrong}"), 404, "id", "unknown_dict")


# ---- keys ----

def test_o1_which_keys_may_stand_in_an_address(server, new_key, run):
    curator = new_key(server.data, "b", "--secret", "--role", "curator")
    registrar = new_key(server.data, "b", "--secret", "--role", "registrar")
    reader, other = new_key(server.data, "b", "--role", "reader"), new_key(server.data, "a")
    assert client.wait_until(lambda: Service(server, reader["key"]).get().status == 200)
    for key in (curator, registrar):
        client.assert_error(Service(server, key["key"]).get(), 403, None, "role_not_allowed")
    for wrong in (other["key"], "x", "drgb_" + "0" * 43, reader["key"][:-1]):
        for rest in ("", "/suggest/entity", "/view/hotel-55", "/properties"):
            client.assert_error(Service(server, wrong).get(rest), 403, None, "not_authorized")
    client.assert_error(server.request("/v1/reconcile/x", headers={"X-Service-Api-Key": reader["key"]}), 403, None, "not_authorized")
    assert run("key", "revoke", str(reader["id"]), "--data", server.data).returncode == 0
    assert client.wait_until(lambda: Service(server, reader["key"]).get().status == 403)


def test_o1_a_key_is_in_no_log(start_server, new_key, import_file, mini, tmp_path):
    import_file(tmp_path / "data", mini)
    key = new_key(tmp_path / "data", "b", "--role", "reader")["key"]
    log = tmp_path / "access.log"
    process = start_server("--access-log", log, data=tmp_path / "data")
    spelt = "%64" + key[1:]
    for path in (f"/v1/reconcile/{key}", f"/v1/reconcile/{key}?queries=x", f"/v1/reconcile/{spelt}", f"/v1/reconcile/{key}/nothing/here", f"/{key}",
                 f"/v1/reconcile/{key}/view/hotel-55", f"/v1/reconcile/{key}/%zz",
                 f"/v1/reconcile/{key[1:]}"):
        for method in ("GET", "POST", "DELETE", "OPTIONS"):
            client.request(process.port, path, method)
    process.stop()
    lines = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert len([x for x in lines if x["path"] != "/readyz"]) == 32
    assert key[1:] not in log.read_text("utf-8") and key[1:] not in process.stderr()
    assert {"/v1/reconcile/:key", "/v1/reconcile/:key/view/:id", "(has a key)"} <= {x["path"] for x in lines}


def test_pages_of_other_sites_may_call(service, server):
    answer = server.request(service.path, headers={"Origin": "http://127.0.0.1:3333"})
    assert answer.headers["Access-Control-Allow-Origin"] == "*" and "Access-Control-Allow-Credentials" not in answer.headers
    # No JSONP: a script of any site could read it, whatever --cors-origin says.
    assert service.get(callback="steal").json()["versions"] == ["0.2"]


def test_the_keys_of_the_demo_are_good_here(make_server):
    demo = make_server(MADE_UP, "--demo")
    key = demo.request("/web/about.json").json()["demo"]["key_b"]
    assert Service(demo, key).sure("Turkey", "country") == "country-1"


# ---- what changes ----

def test_o2_what_changes_is_found(service, server, import_file):
    import_file(server.data, [{"type": "dict", "kind": "hotel", "id": 901, "name": "Quellenhof Xanten", "country_id": 6, "city_id": 331, "hotel_category_id": 5}])
    assert client.wait_until(lambda: service.ids("Quellenhof Xanten", "hotel")[:1] == ["hotel-901"])
    import_file(server.data, [{"type": "dict", "kind": "hotel", "id": 901, "deleted": True}])
    assert client.wait_until(lambda: "hotel-901" not in service.ids("Quellenhof Xanten", "hotel"))


def test_d1_equal_versions_promise_nothing(service):
    assert service.post(queries=json.dumps({"q": {"query": "Side"}})).headers["X-Data-Version"].endswith("+")


def test_o2_what_was_merged_away_is_not_found(service, server, import_file, run):
    for i in (902, 903):
        import_file(server.data, [{"type": "dict", "kind": "hotel", "id": i, "name": f"Zwillingshof {i}", "country_id": 6, "city_id": 331, "hotel_category_id": 5}])
    assert client.wait_until(lambda: len(service.ids("Zwillingshof", "hotel")) == 2)
    done = run("dict", "merge", "hotel", "903", "902", "--data", server.data)
    assert done.returncode == 0, done.stderr
    assert client.wait_until(lambda: service.ids("Zwillingshof", "hotel") == ["hotel-902"])
    assert service.get("/view/hotel-903").status == 200


def test_o2_an_id_stands_for_what_it_was_merged_into(service, server, import_file, run):
    import_file(server.data, [{"type": "dict", "kind": "city", "id": 961, "name": "Alt Xanten", "country_id": 6},
                              {"type": "dict", "kind": "city", "id": 962, "name": "Xanten", "country_id": 6},
                              {"type": "dict", "kind": "hotel", "id": 963, "name": "Domblick Quelle", "country_id": 6, "city_id": 961, "hotel_category_id": 5}])
    old = {"id": "city-961", "name": "Alt Xanten"}
    assert client.wait_until(lambda: service.sure("Domblick Quelle", "hotel", city=old) == "hotel-963")
    assert run("dict", "merge", "city", "961", "962", "--data", server.data).returncode == 0
    assert client.wait_until(lambda: service.ids("Xanten", "city") == ["city-962"])
    assert service.sure("Domblick Quelle", "hotel", city=old) == "hotel-963"


# ---- many alike ----

@pytest.fixture(scope="module")
def crowd(module_servers, mini, import_file, new_key, tmp_path_factory):
    """5,000 hotels of one name in 50 cities, one of them alone in its city, 3,000 of another name likewise, and 3,000 that share a word."""
    data = tmp_path_factory.mktemp("crowd")
    cities = [{"type": "dict", "kind": "city", "id": 1000 + c, "name": f"Stadt {c:02}", "country_id": 6} for c in range(50)]
    palms = [{"type": "dict", "kind": "hotel", "id": 10000 + n, "name": "Palm Hotel", "country_id": 6, "city_id": 1000 + n % 49, "hotel_category_id": 4,
              "lat": 50 + n % 100 / 100, "lng": 8 + n // 100 / 100} for n in range(5000)]
    alone = [{"type": "dict", "kind": "hotel", "id": 9000, "name": "Palm Hotel", "country_id": 6, "city_id": 1049, "hotel_category_id": 4}]
    pensions = [{"type": "dict", "kind": "hotel", "id": 30000 + n, "name": "Pension", "country_id": 6, "city_id": 1049 if n == 0 else 1000 + n % 49,
                 "hotel_category_id": 4} for n in range(3000)]
    others = [{"type": "dict", "kind": "hotel", "id": 20000 + n, "name": f"Grand Lagune {chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676)}x", "country_id": 6,
               "city_id": 1000 + n % 49, "hotel_category_id": 4} for n in range(3000)]
    import_file(data, mini)
    import_file(data, cities + palms + alone + pensions + others)
    server = module_servers.make(None, "--threads", "1", data=data)
    service = Service(server, new_key(data, "b", "--role", "reader")["key"])
    assert client.wait_until(lambda: service.get().status == 200)
    return service


def test_of_thousands_of_namesakes_the_only_one_in_its_city_is_sure(crowd):
    assert crowd.sure("Palm Hotel", "hotel") is None and crowd.sure("Palm Hotel", "hotel", city="Stadt 07") is None
    # More have the name than are looked at, so nobody knows that there is no other.
    assert crowd.sure("Palm Hotel", "hotel", city="Stadt 49") is None
    # All of these are looked at. There is no room to compare all, but the others lie elsewhere.
    assert crowd.sure("Pension", "hotel", city="Stadt 49") == "hotel-30000" and crowd.sure("Pension", "hotel", city="Stadt 07") is None


def test_among_thousands_the_best_comes_first(crowd):
    assert crowd.ids("Grand Lagune abcx", "hotel")[0] == f"hotel-{20000 + 26 * 1 + 676 * 2}"
    assert crowd.ids("Grand Lagune abcc", "hotel", city="Stadt 07")          # thousands have the other words
    assert len(crowd.ids("Grand Lagune", "hotel", limit=100)) >= 40
    near = crowd.ask("Palm", "hotel", lat=50.5, lng=8.2)[0]
    assert {f["id"]: f["value"] for f in near["features"]}["metres"] < 1000


def test_a_long_query_in_an_address_is_worked_on_beside_the_http_threads(crowd):
    queries = [json.dumps({f"{i}": {"query": f"Grnad Lagun{letter} Pal"} for i in range(100)}) for letter in string.ascii_lowercase]
    assert 6000 < len(urllib.parse.quote(queries[0])) < 8000
    for answer in worked_on_beside(crowd.server.port, [crowd.path + "?" + urllib.parse.urlencode({"queries": query}) for query in queries]):
        assert len(json.loads(answer)) == 100


# ---- stopping ----

def stopped_while_the_names_are_read(server, key):
    """@return the answer to who asked for them, and whether they were made all the same."""
    service = Service(server, key)
    assert client.wait_until(lambda: service.get().status == 200)
    asking = http.client.HTTPConnection("127.0.0.1", server.port, timeout=client.PATIENCE)
    asking.request("POST", service.path, urllib.parse.urlencode({"queries": '{"q":{"query":"Palace"}}'}), FORM)
    client.eventually(lambda: "reading the names for reconciliation" in server.process.stderr())
    os.kill(server.pid, signal.SIGTERM)
    answer = asking.getresponse()
    answer = client.Response(answer.status, answer.headers, answer.read())
    asking.close()
    server.stop()
    return answer, "the names for reconciliation:" in server.process.stderr()


@pytest.mark.concurrent
def test_a_stop_does_not_wait_for_the_names(make_server, import_file, new_key, mini, tmp_path):
    """Names of 30,000 hotels are being read: who waits is told at once, and the reading is left. Where they were made before the stop came, once
    more."""
    import_file(tmp_path / "data", mini)
    import_file(tmp_path / "data", [{"type": "dict", "kind": "hotel", "id": n, "name": f"Hotel {n} Palace of the {n % 977} Winds", "country_id": 1,
                                     "city_id": 331, "hotel_category_id": 5} for n in range(1000, 31000)])
    key = new_key(tmp_path / "data", "b", "--role", "reader")["key"]
    for _ in range(10):
        server = make_server(None, "--log-level", "debug", "--snapshot", "none", "--match", "off", data=tmp_path / "data")
        answer, made = stopped_while_the_names_are_read(server, key)
        if answer.status != 200:
            client.assert_error(answer, 503, None, "stopping")
        if not made:
            break
    assert not made, "they were made all the same"
    assert answer.status == 503


# ---- hostile input ----

@pytest.mark.parametrize("queries, reason", [
    ("", "missing_field"), ("{", "invalid_json"), ("[]", "wrong_type"), ("1", "wrong_type"), ('{"a":1}', "wrong_type"), ('{"a":{"query":1}}', "wrong_type"),
    ('{"a":{"query":"x","limit":0}}', "out_of_range"), ('{"a":{"query":"x","limit":"1"}}', "out_of_range"), ('{"a":{"query":"x","type":7}}', "wrong_type"),
    ('{"a":{"query":"x","properties":{}}}', "wrong_type"), ('{"a":{"query":"x","properties":[{"v":1}]}}', "wrong_type"),
    ('{"a":{"query":"x"},"a":{"query":"y"}}', "invalid_json"), ("[" * 100 + "]" * 100, "invalid_json"), ('{"a":{"query":"\\ud800"}}', "invalid_json"),
])
def test_bad_queries_are_told(service, queries, reason):
    client.assert_error(service.post(queries=queries), 400, "queries", reason)


def test_bad_requests_are_told(service, server):
    client.assert_error(service.post(queries="{}", extend="{}"), 400, "queries", "repeated_parameter")
    client.assert_error(service.post(extend="{}"), 400, "extend", "wrong_type")
    client.assert_error(service.post(extend='{"ids":[1],"properties":[]}'), 400, "extend", "wrong_type")
    client.assert_error(service.post(extend=json.dumps({"ids": ["a"] * 1001, "properties": []})), 400, "extend", "too_many_ids")
    client.assert_error(server.request(service.path, "POST", FORM, b"queries=%zz"), 400)
    many = {str(i): {"query": "x"} for i in range(1001)}
    client.assert_error(service.post(queries=json.dumps(many)), 400, "queries", "too_many_elements")
    del many["0"]
    assert len(service.batch(many)) == 1000


def test_long_and_odd_names_cost_no_more(service):
    """Each is answered; the time limit of the client is the bound of what hangs."""
    odd = ["x" * 1000, "hotel " * 2000, "ж" * 10000, "a b c d e f g h i j k l m n o p q r s t u v w x y z " * 40, "\u202e" * 500, "😀" * 1000,
           "0" * 10000, " ", "\t\n", "%00", "'; DROP TABLE dict; --", "Belek " + "é" * 1023, "e" + "\u0301" * 2000, "中" * 3000]
    found = service.batch({str(i): {"query": q, "properties": [{"pid": p, "v": [q[:200]] * 50} for p in ("city", "country", "lat", "code")]} for i, q in enumerate(odd)})
    assert len(found) == len(odd)
    for prefix in odd[:9]:
        assert service.get("/suggest/entity", prefix=prefix[:200]).status == 200


def test_odd_values_of_properties(service):
    odd = [None, True, 1e308, -1, 2**62, "NaN", "1e999", "", [], {}, {"id": 5}, {"name": None}, [[["x"]]], "city-331", "city-x", "hotel-55"]
    for p in ("country", "city", "category", "lat", "lng", "code", "id", "colour"):
        found = service.batch({str(i): {"query": "Blue Bay Palace", "properties": [{"pid": p, "v": v}]} for i, v in enumerate(odd)})
        assert all(any(c["id"] == "hotel-55" for c in one) for one in found.values()), p


LETTERS = string.ascii_letters + string.digits + " -*'&.,/éüßçŞїєґЖ中م😀\u0301\u202e\"\\<>"
QUERIES = strategies.dictionaries(strategies.text(LETTERS, max_size=5), strategies.fixed_dictionaries(
    {"query": strategies.text(LETTERS, max_size=80)},
    optional={"type": strategies.sampled_from(["hotel", "city", "country", "airport", "x"]), "limit": strategies.integers(1, 200),
              "type_strict": strategies.sampled_from(["any", "should"]),
              "properties": strategies.lists(strategies.fixed_dictionaries({"pid": strategies.sampled_from(["city", "country", "lat", "lng", "code"]),
                                                                            "v": strategies.one_of(strategies.text(LETTERS, max_size=20), strategies.floats(allow_nan=False, allow_infinity=False))}), max_size=4)}), max_size=6)


@given(QUERIES)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_any_query_is_answered_as_the_protocol_has_it(service, queries):
    found = service.batch(queries)
    for name, candidates in found.items():
        assert all(0 <= c["score"] <= 100 for c in candidates)
        assert len({c["id"] for c in candidates}) == len(candidates) <= queries[name].get("limit", 10)
