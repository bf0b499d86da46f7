"""On a full disk, and where the engine says that nothing could be written, every request that writes is answered 503 `not_stored`:
`outcome_unknown` is what a commit has whose fate nobody knows (M23, D5)."""
import errno

import pytest

import air
from browser import Browser
from client import eventually
from loading import HOTELS, Loader, text
from registration import element, post
from test_disk import ALONE, end
from test_sign_in import DECIDE, add_user  # noqa: F401


class Place:
    """A server, a key of a curator, and people who have signed in."""

    def __init__(self, server, key):
        self.server, self.desk = server, Loader(server, key)
        self.anna, self.boss = Browser(server), Browser(server)
        for name, browser in ("anna", self.anna), ("boss", self.boss):
            assert browser.sign_in(name).status == 200
        self.batch = self.desk.load(text(HOTELS), 7, accept="1").data()["batch"]
        self.case = eventually(lambda: self.desk.get("case", adapter_id=7, kind="hotel", id="1001").json().get("data"))


def another_list(place):
    return place.desk.load(text([[cell.replace("h", "g") for cell in row] for row in HOTELS]), 7, accept="1")


#: Every endpoint that writes before it answers.
WRITES = {
    "sourceAdd": lambda p: post(p.server, "sourceAdd", {"adapter_id": 7, "lang_code": "en", "hotel": [element("hotel")]}),
    "sourceAdd with a name": lambda p: post(p.server, "sourceAdd", {"adapter_id": 7, "lang_code": "en", "hotel": [element("hotel")]},
                                            {"Idempotency-Key": "once"}),
    "compared": lambda p: post(p.server, "compared", {"adapter_id": 7, "lang_code": "en", "hotel": [element("hotel")]}),
    "signing in": lambda p: Browser(p.server).sign_in("anna"),
    "decide": lambda p: p.anna.request("POST", "/v1/curate/decide", {"decisions": [{**DECIDE, "version": p.case["version"]}]}),
    "airMap": lambda p: p.desk.post("airMap", {"adapter_id": 22, "external_id": "K-1", "source_id": 101}),
    "load": another_list,
    "batchUndo": lambda p: p.anna.request("POST", "/v1/curate/batchUndo", {"batch": p.batch}),
    "batchUndo of an import": lambda p: p.boss.request("POST", "/v1/curate/batchUndo", {"batch": 1}),
}


@pytest.fixture
def place(faults, make_server, mini, add_user, new_key, import_file):  # noqa: F811
    server = make_server(mini, *ALONE, people=["anna"])
    add_user(server.data, "boss", "admin")
    key = new_key(server.data, "b", "--secret", "--role", "curator")
    import_file(server.data, [air.ADAPTERS[2], air.place(101, "NYC", "New York", "city", "US")])
    eventually(lambda: Browser(server).sign_in("boss").status == 200)
    return Place(server, key)


@pytest.mark.parametrize("calls, error", [("write", errno.ENOSPC), ("write", errno.EIO), ("write,sync", errno.ENOSPC)])
def test_what_could_not_be_written_is_not_stored(place, faults, calls, error, run):
    with faults.failing(place.server.process, calls, error=error):
        answers = {name: write(place) for name, write in WRITES.items()}
    told = {name: (a.status, a.json().get("error", {}).get("reason")) for name, a in answers.items()}
    assert told == dict.fromkeys(WRITES, (503, "not_stored"))
    assert all(a.headers["Retry-After"].isdigit() for a in answers.values())
    for name, write in WRITES.items():
        assert eventually(lambda w=write: (r := w(place)).status == 200 and r), name
    end(place.server)
    done = run("check", "--data", place.server.data)
    assert done.returncode == 0, done.stdout + done.stderr


def test_signing_out_on_a_full_disk_ends_the_session(clock, place, faults, make_server):
    """At once where it was asked for, and for every server when there is room again (E25)."""
    other = make_server(None, *ALONE, data=place.server.data)
    there = Browser(other)
    there.cookie, there.csrf = place.anna.cookie, place.anna.csrf
    with faults.failing(place.server.process, "write", error=errno.ENOSPC):
        answer = place.anna.request("DELETE")
        assert answer.status == 200 and answer.data() == {"signed_out": True}
        assert "Max-Age=0" in answer.headers["Set-Cookie"]
        place.anna.cookie = there.cookie
        assert not place.anna.is_in() and there.is_in()
        assert place.anna.request("DELETE").status == 403
    eventually(lambda: clock.advance(5) or not there.is_in())
    assert not place.anna.is_in()
    end(place.server)
