"""Eight threads of random requests while imports run: every answer is 200, whole and consistent in itself."""
import http.client
import random
import subprocess
import threading

import pytest

import client
from conftest import command
from killing import killed_at

pytestmark = [pytest.mark.concurrent, pytest.mark.store]
HOTELS = 400


def data_set(turn):
    """Names, categories, cities and operators move with each turn; identifiers stay."""
    rng = random.Random(turn)
    yield {"type": "dict", "kind": "country", "id": 1, "name": {"en": f"Land {turn}", "uk": f"Край {turn}"},
           "iso_alpha_2": "TR"}
    for i in range(1, 6):
        yield {"type": "adapter", "id": i, "code": f"op{i}", "name": f"Op {turn}", "domain": "tour",
               "stage": rng.choice(["live", "mapping"])}
        yield {"type": "dict", "kind": "dep_city", "id": i, "name": f"From {turn} {i}", "country_id": 1}
        yield {"type": "dict", "kind": "hotel_category", "id": i, "name": f"{i}* {turn}"}
        yield {"type": "dict", "kind": "meal", "id": i, "name": f"Meal {rng.randrange(3)}"}
        yield {"type": "direction", "adapter_id": i, "dep_city_id": rng.randrange(1, 6), "country_id": 1}
    for i in range(20):
        yield {"type": "dict", "kind": "city", "id": -i, "name": f"City {turn} {i}", "country_id": 1,
               "is_resort": rng.random() < 0.5}
    for i in range(HOTELS):
        yield {"type": "dict", "kind": "hotel", "id": i, "name": f"Hotel {turn} {i}", "country_id": 1,
               "city_id": -rng.randrange(20), "hotel_category_id": rng.randrange(1, 6)}
        yield {"type": "source", "adapter_id": rng.randrange(1, 6), "kind": "hotel", "id": str(i), "name": "h",
               "dict_id": rng.randrange(HOTELS)}


def check_main(answer):
    data = answer["data"]
    assert set(data) == {"operators", "countries", "dep_cities", "hotel_categories", "meals", "currencies"}
    assert sorted(row["id"] for row in data["meals"].values()) == [1, 2, 3, 4, 5]
    for code, row in data["operators"].items():
        assert row["code"] == code
    for id, row in data["dep_cities"].items():
        assert str(row["id"]) == id and row["country"]["iso_alpha_2"] == "TR"


def check_hotel_references(answer):
    data = answer["data"]
    assert {row["city_id"] for row in data["hotels"].values()} == set(data["cities"])
    assert set(data["resorts"]) <= set(data["cities"])
    for id, row in data["hotels"].items():
        assert str(row["id"]) == id and row["country_id"] == "1"


def check_reference(answer):
    found = sorted((item["kind"], item["id"], item["name"]) for item in answer["items"])
    assert found == sorted((kind, row["id"], row["name"]) for kind, rows in answer["data"].items() for row in rows)


def check_reference_data(answer):
    data = answer["data"]
    assert {row["city_id"] for row in data["hotel"]} == {row["id"] for row in data["city"]}


REQUESTS = [("a", "tour/main-references?", check_main), ("a", "tour/main-references/TR?", check_main),
            ("a", "tour/hotel-references?dep_city={}&country=1&", check_hotel_references),
            ("b", "tour/reference?", check_reference),
            ("b", "tour/referenceData?dep_city={}&country=1&", check_reference_data)]


@pytest.mark.heavy
def test_random_requests_while_imports_run(make_server, import_file):
    server = make_server(list(data_set(0)))
    stop, faults, count = threading.Event(), [], [0] * 8

    def ask(n):
        rng = random.Random(n)
        etags = {}
        while not stop.is_set() and not faults:
            api, path, check = rng.choice(REQUESTS)
            path = path.format(rng.randrange(1, 6))
            path += f"lang={rng.choice(['en', 'uk', 'de'])}&demo={rng.randrange(2)}"
            headers = {"Accept-Encoding": rng.choice(["identity", "gzip"])}
            if path in etags and rng.random() < 0.3:
                headers["If-None-Match"] = etags[path]
            try:
                response = server.api(api, path, headers)
                count[n] += 1
                if response.status == 304:
                    assert headers["If-None-Match"] == response.headers["ETag"] and response.body == b""
                    continue
                assert response.status == 200, response
                etags[path] = response.headers["ETag"]
                check(response.json())
            except Exception as fault:
                faults.append((path, headers, fault))

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for turn in range(1, 9):
        import_file(server.data, list(data_set(turn)))
        asked = count[:]
        client.wait_until(lambda: faults or all(n > before for n, before in zip(count, asked)))
    stop.set()
    for thread in threads:
        thread.join()
    assert not faults
    assert min(count) >= 8, "each has asked after each import"


def test_one_connection_serves_many_requests_in_turn(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=client.PATIENCE)
    bodies = set()
    for _ in range(200):
        connection.request("GET", "/v1/tour/reference", headers={"X-Service-Api-Key": server.key_b})
        answer = connection.getresponse()
        bodies.add((answer.status, answer.read()))
    connection.close()
    assert len(bodies) == 1 and bodies.pop()[0] == 200


def meals(server):
    return {row["id"] for row in server.b("tour/reference").data()["meal"]}


MEALS = 30000


def big_file(folder):
    path = folder / "big.ndjson"
    path.write_text("".join(f'{{"type":"dict","kind":"meal","id":{i},"name":"{i}"}}\n' for i in range(MEALS)), "utf-8")
    return path


@pytest.mark.heavy
def test_keys_are_made_while_an_import_runs_and_a_second_import_is_told_to_wait(make_server, new_key, run, seen,
                                                                                tmp_path):
    server = make_server([])
    path = big_file(tmp_path)
    imports = [subprocess.Popen(command("import", path, "--data", server.data), stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE) for _ in range(2)]
    keys = [new_key(server.data, "b")["key"] for _ in range(5)]
    ends = [(done.communicate()[1].decode(), done.returncode) for done in imports]
    for said, status in ends:
        assert status == 0 or (status == 1 and "wait" in said and len(said.splitlines()) == 1), said
    assert 0 in [status for _, status in ends]
    assert seen(lambda: len(meals(server)) == MEALS)
    assert seen(lambda: all(server.b("tour/reference", key=key).status == 200 for key in keys))
    assert run("check", "--data", server.data).returncode == 0


@pytest.mark.heavy
def test_a_killed_import_is_completed_by_running_it_again(clock, make_server, import_file, run, seen, tmp_path):
    server = make_server([])
    path = big_file(tmp_path)
    for step, percent in (("checking", 0), ("applying", 0), ("applying", 50)):
        killed_at(clock, step, percent, path, "--data", server.data)
        assert meals(server) <= set(range(MEALS))
    import_file(server.data, path)
    assert seen(lambda: len(meals(server)) == MEALS)
    assert run("check", "--data", server.data).returncode == 0


@pytest.mark.store_core
def test_a_killed_server_leaves_nothing_behind_that_hinders(make_server, import_file, mini, seen):
    server = make_server(mini)
    before = server.b("tour/reference").body
    server.process.popen.kill()
    server.process.popen.wait()
    again = make_server(None, data=server.data)
    assert again.b("tour/reference", key=server.key_b).body == before
    import_file(server.data, [{"type": "dict", "kind": "meal", "id": 100, "name": "after"}])
    assert seen(lambda: 100 in meals(again))
