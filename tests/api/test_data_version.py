"""X-Data-Version and X-Min-Data-Version (decisions D1, D2): of which data an answer is, and how new it has to be."""
import collections
import concurrent.futures
import itertools
import json
import threading

import pytest

import client
import raw
import registration

pytestmark = pytest.mark.store

URL = "http://travel.example.com"  # in answers of both servers
HEADER, MIN = "X-Data-Version", "X-Min-Data-Version"

#: Every endpoint that answers from data: (method, path, headers, body).
READS = [
    ("GET", "/api/v1/tour/main-references?lang=uk", {}, None),
    ("GET", "/api/v1/tour/main-references?lang=de&demo=1&with=description", {"Accept-Encoding": "gzip"}, None),
    ("GET", "/api/v1/tour/main-references/UA?lang=en", {}, None),
    ("GET", "/api/v1/tour/hotel-references?dep_city=10&country=1&lang=uk", {"Accept-Encoding": "br"}, None),
    ("GET", "/v1/tour/reference?lang=tr", {"Accept-Encoding": "zstd"}, None),
    ("GET", "/v1/tour/referenceData?dep_city=10&country=1&demo=1", {}, None),
    ("POST", "/v1/tour/sourceInfo?adapter_id=7&lang=uk", {}, {"hotel": ["1001", "1002", "v1", "nope"], "meal": "AI"}),
    ("POST", "/v1/tour/sourceInfo?adapter_id=8&lang=xx", {}, {"country": ["TR"], "city": ["501"]}),
    ("POST", "/v1/tour/sourceData", {}, {"adapter_id": 7, "dep_city": 10, "country": 1, "hotel": [55, 56, 57]}),
    ("GET", "/v1/tour/hotelCheck?hotel=55", {}, None),
    ("GET", "/v1/tour/hotelDescription?adapter_id=7&hotel_orig_id=1001&lang=uk", {}, None),
    ("GET", "/v1/tour/hotelDescription?adapter_id=7&hotel_orig_id=1002", {}, None),
    ("GET", "/v1/avia/detail?source_id=1&source_id=2&lang=uk", {}, None),
    ("GET", "/v1/avia/reference?search=kiev&lang=uk", {}, None),
    ("GET", "/v1/avia/reference?lang=de", {}, None),
    ("GET", "/v1/changes", {}, None),
    ("GET", "/v1/export/sources?lang=uk", {}, None),
    ("GET", "/v1/tour/hotelCheck?hotel=999", {}, None),
    ("GET", "/v1/tour/hotelDescription?adapter_id=7&hotel_orig_id=none", {}, None),
]
#: What follows from the data in a body.
KEPT_HEADERS = ("ETag", "Content-Encoding", "Content-Type", "X-Total-Count")


def ask(server, read, port=None, **headers):
    method, path, own, body = read
    sent = {"X-Api-Key": server.key_a, "X-Service-Api-Key": server.key_b, "X-Service-Api-Secret": server.secret_b,
            **own, **{name.replace("_", "-"): value for name, value in headers.items()}}
    if body is not None:
        body, sent["Content-Type"] = json.dumps(body), "application/json"
    return client.request(port or server.port, path, method, sent, body)


def seq_of(version):
    return int(version.rstrip("+").partition("-")[2])


def version_of(port):
    return client.request(port, "/readyz").headers[HEADER]


def same_version(ports, before=None):
    """The version that all servers show, another than before."""
    def same():
        seen = {version_of(port) for port in ports}
        return seen.pop() if len(seen) == 1 and not next(iter(seen)).endswith("+") and before not in seen else None
    version = client.wait_until(same)
    assert version, [version_of(port) for port in ports]
    return version


def state(response):
    return response.status, response.body, {name: response.headers.get(name) for name in KEPT_HEADERS}


CHANGES = [
    [{"type": "dict", "kind": "country", "id": 1, "name": {"en": "Turkiye", "uk": "Туреччина", "xx": "Tx"},
      "iso_alpha_2": "TR"}],
    [{"type": "source", "adapter_id": 7, "kind": "hotel", "id": "v1", "name": "V one", "dict_id": 56}],
    [{"type": "dict", "kind": "country", "id": 1, "name": {"en": "Turkey"}, "iso_alpha_2": "TR"}],
    [{"type": "source", "adapter_id": 7, "kind": "hotel", "id": "v1", "deleted": True},
     {"type": "dict", "kind": "meal", "id": 9, "name": {"en": "UAI", "tr": "UHD"}}],
    [{"type": "air_place", "source_id": 5, "place": "apt", "code": "ZZZ", "name": {"en": "Kiev West"},
      "country_code": "UA", "weight": 5}],
    [{"type": "hotel_content", "adapter_id": 7, "hotel_id": "1001", "check_in": "15:00:00", "room_count": 7}],
    [{"type": "adapter", "id": 8, "code": "anex", "name": "Anex \"Tour\"", "domain": "tour", "stage": "live"}],
    [{"type": "source", "adapter_id": 7, "kind": "hotel", "id": "1002", "name": "BELEK", "dict_id": 56},
     {"type": "source", "adapter_id": 8, "kind": "hotel", "id": "b1", "name": "B", "dict_id": 56}],
]


@pytest.fixture
def two(make_server, start_server, mini):
    """A server, and a second process on its store, which loads it later: `other`."""
    server = make_server(mini, "--public-url", URL)
    server.other = start_server("--public-url", URL, data=server.data).port
    return server


def test_d1_every_answer_says_of_which_data_it_is(two):
    version = same_version([two.port, two.other])
    history, _, seq = version.partition("-")
    assert len(history) == 16 and int(history, 16) >= 0 and int(seq) > 0
    for read in READS:
        answer = ask(two, read)
        assert answer.status in (200, 400), (read, answer)
        assert answer.headers.get(HEADER) == version, read
        if "ETag" in answer.headers:
            again = ask(two, read, If_None_Match=answer.headers["ETag"])
            assert (again.status, again.headers[HEADER]) == (304, version), read
    for path, status in (("/nope", 404), ("/v1/tour/hotelCheck", 403), ("/readyz", 200)):
        answer = client.request(two.port, path)
        assert (answer.status, answer.headers[HEADER]) == (status, version), path
    answer = ask(two, READS[0], Origin="https://b.example")
    assert HEADER in answer.headers["Access-Control-Expose-Headers"]
    preflight = client.request(two.port, READS[0][1], "OPTIONS")
    assert MIN in preflight.headers["Access-Control-Allow-Headers"]


def test_d1_what_depends_on_no_data_has_no_version(server):
    for path in ("/flags/1x1/ua.svg", "/flags/1x1/xx.svg"):
        answer = server.request(path)
        if answer.status == 200:
            assert HEADER not in answer.headers


@pytest.mark.store_core
def test_d1_equal_versions_are_equal_bytes_however_the_data_came(two, import_file, start_server):
    """One server has followed every change, one has come after some, one has loaded the data as they are in the end."""
    def compare(ports, before=None):
        version = same_version(ports, before)
        for read in READS:
            one, *others = [ask(two, read, port, X_Min_Data_Version=version) for port in ports]
            for other in others:
                assert one.headers[HEADER] == other.headers[HEADER] == version, read
                assert state(one) == state(other), read
        return version

    seen = [compare([two.port, two.other])]
    for change in CHANGES:
        import_file(two.data, change)
        seen.append(compare([two.port, two.other], seen[-1]))
    assert len(set(seen)) == len(CHANGES) + 1
    third = start_server("--public-url", URL, data=two.data).port
    compare([two.port, two.other, third])


@pytest.mark.heavy
def test_d1_equal_versions_are_equal_bytes_while_the_data_change(two, import_file):
    bodies = collections.defaultdict(dict)
    faults, stopping, exact = [], threading.Event(), collections.Counter()

    def read(port):
        for number in itertools.cycle(range(len(READS))):
            if stopping.is_set():
                return
            answer = ask(two, READS[number], port)
            version = answer.headers.get(HEADER)
            if version is None:
                faults.append((READS[number], answer))
            elif not version.endswith("+"):
                exact[port] += 1
                before = bodies[number].setdefault(version, state(answer))
                if before != state(answer):
                    faults.append((READS[number], version, before, state(answer)))

    def write():
        while not stopping.is_set():
            two_id = registration.new_id("v")
            registration.source_add(two, hotel=[registration.element("hotel", two_id)])

    threads = [threading.Thread(target=read, args=[port]) for port in (two.port, two.port, two.other, two.other)]
    threads.append(threading.Thread(target=write))
    for thread in threads:
        thread.start()
    for change in CHANGES:
        import_file(two.data, change)
        asked = exact.copy()
        client.wait_until(lambda: faults or all(exact[port] > asked[port] for port in (two.port, two.other)))
    client.wait_until(lambda: faults or len(exact) == 2 and min(exact.values()) > 200)
    stopping.set()
    for thread in threads:
        thread.join()
    assert faults == []
    assert len(exact) == 2 and min(exact.values()) > 200, exact


@pytest.mark.store_core
def test_d2_a_write_is_read_on_another_server(two):
    for _ in range(30):
        made = registration.element("hotel")
        answer = registration.source_add(two, hotel=[made])
        version = answer.headers[HEADER]
        assert answer.status == 200 and not version.endswith("+")
        read = ("POST", "/v1/tour/sourceInfo?adapter_id=7", {}, {"hotel": [made["id"]]})
        found = ask(two, read, two.other, X_Min_Data_Version=version)
        assert found.data()["hotel"][0]["source"] is not None
        assert seq_of(found.headers[HEADER]) >= seq_of(version)
        assert found.headers[HEADER].partition("-")[0] == version.partition("-")[0]
    reported = registration.post(two, "compared", {"adapter_id": 7, "lang_code": "en",
                                                   "meal": [registration.element("meal")]})
    assert reported.status == 200 and seq_of(reported.headers[HEADER]) > seq_of(version)


def test_d2_lists_are_as_new_as_asked_for(two, import_file):
    """A list may be behind by up to 600 ms: not for who names a version."""
    for read in READS[:6]:
        ask(two, read)
    version = same_version([two.port, two.other])
    for name in ("Ägypten", "Misr", "Kemet"):
        import_file(two.data, [{"type": "dict", "kind": "country", "id": 3, "name": {"en": name}, "iso_alpha_2": "EG"}])
        version = same_version([two.port, two.other], version)
        for port in (two.port, two.other):
            answer = ask(two, READS[2][:1] + ("/api/v1/tour/main-references",) + READS[2][2:], port,
                         X_Min_Data_Version=version)
            assert answer.data()["countries"]["EG"]["name"] == name
            assert seq_of(answer.headers[HEADER]) >= seq_of(version)


@pytest.mark.parametrize("version", ["", "7", "6f0c31d2a95b7e48", "6f0c31d2a95b7e48-", "6f0c31d2a95b7e48-x", "*",
                                     "6F0C31D2A95B7E48-7", "6f0c31d2a95b7e48--7", "\"6f0c31d2a95b7e48-7\""])
def test_d2_what_is_no_version_is_a_400(server, version):
    for read in READS[:1] + READS[6:7]:
        client.assert_error(ask(server, read, X_Min_Data_Version=version), 400, MIN, "invalid_data_version")


def test_d2_what_does_not_come_within_a_second_is_a_503(clock, make_server, mini):
    server = make_server(mini)
    history, _, seq = version_of(server.port).partition("-")
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        asked = pool.submit(ask, server, READS[6], X_Min_Data_Version=f"{history}-{int(seq) + 1}")
        client.eventually(lambda: asked.done() or client.ready(server.port, "waiting") == 1)
        clock.advance(1)
        answer = asked.result()
    client.assert_error(answer, 503, MIN, "version_not_reached")
    assert int(answer.headers["Retry-After"]) > 0 and answer.headers[HEADER] == f"{history}-{seq}"
    answer = ask(server, READS[6], X_Min_Data_Version=f"{history}-{seq}+")
    assert answer.status == 200


def test_d2_a_number_of_another_history_is_never_taken_for_one_of_this(server, make_server, mini):
    history, _, seq = version_of(server.port).partition("-")
    other = f"{int(history, 16) ^ 1:016x}"
    for number in (1, int(seq) - 1, int(seq)):
        answer = ask(server, READS[6], X_Min_Data_Version=f"{other}-{number}")
        client.assert_error(answer, 412, MIN, "other_history")
    foreign = make_server(mini)
    assert version_of(foreign.port) != f"{history}-{seq}"
    answer = ask(server, READS[0], X_Min_Data_Version=version_of(foreign.port))
    assert answer.status in (412, 503)


@pytest.mark.heavy
def test_d2_versions_of_every_earlier_history_of_the_store_are_reached(make_server, mini, run):
    """Each command that writes begins a branch; a version that a client has kept for long is known still."""
    server = make_server(mini)
    kept = []
    for i in range(70):
        kept.append(version_of(server.port))
        dict_id = 55 + i % 2
        done = run("map", "set", "7", "hotel", "1002", str(dict_id), "--by", "test", "--data", server.data)
        assert done.returncode == 0, done.stderr
        assert client.wait_until(lambda: version_of(server.port) != kept[-1])
    assert len(set(version.partition("-")[0] for version in kept)) > 64
    for version in kept:
        assert ask(server, READS[6], X_Min_Data_Version=version).status == 200


def test_d2_who_waits_takes_no_thread_and_is_woken(clock, make_server, mini):
    server = make_server(mini, "--threads", "1")

    def all_are_woken():
        """False where a second was over before the server had said that a request waits."""
        history, _, seq = version_of(server.port).partition("-")
        with concurrent.futures.ThreadPoolExecutor(20) as pool:
            asked = []
            for i in range(20):
                asked.append(pool.submit(ask, server, READS[i % len(READS)], X_Min_Data_Version=f"{history}-{int(seq) + 1}"))
                client.eventually(lambda: asked[-1].done() or client.ready(server.port, "waiting") == len(asked))
                clock.advance(-10)  # who waits does so for as long as this test likes
            waiting = not any(one.done() for one in asked)
            assert ask(server, READS[6]).status == 200, "the only thread answers others meanwhile"
            registration.source_add(server, hotel=[registration.element("hotel")])
            if not waiting:
                clock.advance(300)
            statuses = {one.result().status for one in asked}
        assert statuses <= {200, 400, 503}
        return waiting and statuses <= {200, 400}

    registration.source_add(server, hotel=[registration.element("hotel")])  # the server's own branch has begun
    assert any(all_are_woken() for _ in range(20))


def test_d2_a_large_body_waits_too(two):
    ids = [f"id{i}" for i in range(4000)]
    answer = registration.source_add(two, meal=[registration.element("meal")])
    read = ("POST", "/v1/tour/sourceInfo?adapter_id=7", {}, {"hotel": ids})
    found = ask(two, read, two.other, X_Min_Data_Version=answer.headers[HEADER])
    assert len(found.data()["hotel"]) == len(ids)


def test_d2_the_header_is_sent_once(server):
    sent = f"GET {READS[0][1]} HTTP/1.1\r\nHost: a\r\nX-Api-Key: {server.key_a}\r\n{MIN}: 1\r\n{MIN}: 1\r\n\r\n"
    with raw.Raw(server.port) as connection:
        assert connection.send(sent.encode()).answer().status == 400
