"""Generated texts and numbers at, below and above the limits of the model go through everything that creates records: import, load, sourceAdd,
decisions, the matcher, commands for keys, users and suppliers, and administrators' requests. Each is accepted or rejected, none is an
internal error, and an export of the store can be imported, byte for byte."""
import itertools
import json
import urllib.parse

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from browser import Browser
from conftest import SLOW
from curating import Desk
from registration import source_add
from templates import PASSWORD
from test_access import access

pytestmark = [pytest.mark.store, pytest.mark.heavy]

CHARACTERS = ("a", "ї", "旅", "🏨", "\"", "\\")
SPOILT = ("", " ", "\t", "\n", "\x01", "\x7f", "\u0085", "\u00a0", "\u2028")
NUMBERS = itertools.count(1)


#: Of each value two strategies: those that fit, and those beside.
def text(limit):
    fits = st.builds(lambda c, n: c * n, st.sampled_from(CHARACTERS), st.sampled_from((1, limit - 1, limit, limit)))
    odd = st.builds(lambda c, o, i: (o, o + c, c + o, c + o + c)[i], st.sampled_from(CHARACTERS), st.sampled_from(SPOILT), st.integers(0, 3))
    return fits, st.one_of(st.builds(lambda c, n: c * n, st.sampled_from(CHARACTERS), st.sampled_from((limit + 1, 2 * limit))), odd)


def one_of(fits, beside):
    return st.sampled_from(fits), st.sampled_from(beside)


def names(limit=1024):
    fits, beside = text(limit)
    by_lang = lambda langs, texts: st.dictionaries(st.sampled_from(langs), texts, min_size=1, max_size=3)
    return (st.one_of(fits, by_lang(("en", "uk", "pt-BR", "EN-us"), fits)),
            st.one_of(beside, by_lang(("en", "uk"), beside), by_lang(("x" * 9, "1"), fits), st.just({})))


def lists(member, **others):
    (name, (fits, beside)), = member.items()
    some = lambda texts: st.lists(st.fixed_dictionaries({name: texts}, optional={n: v[0] for n, v in others.items()}), min_size=1, max_size=2)
    return some(fits), some(beside)


def degrees(most):
    return one_of((-most, -0.0, 0, most - 0.000001, most), (-most - 0.000001, most + 0.000001, 1e300))


ID, NAME, BY, WHY = text(64), text(1024), text(255), text(1024)
PLACE = {"lat": degrees(90), "lng": degrees(180)}
FIELDS = {
    "adapter": {"name": NAME, "logo": text(2048), "stage": one_of(("live", "mapping"), ("dead",))},
    "dict": {"name": names(), "address": NAME, "zip": text(32), **PLACE},
    "source": {"id": ID, "name": NAME, "lang": one_of(("en", "pt-BR"), ("x" * 36, "1")), "category_id": ID, "category_name": NAME, "country_id": ID,
               "country_name": NAME, "city_id": ID, "city_name": NAME, "address": NAME, "zip": text(32), "url": text(2048), "phone": text(64), **PLACE},
    "hotel_content": {"check_in": one_of(("14:00:00",), ("24:00:00", "")), "room_count": one_of((0, 1000000), (-1, 1000001)),
                      "descriptions": lists({"text": names(65536)}, orig_type=names()), "photos": lists({"url": text(2048)}),
                      "facilities": lists({"items": lists({"value": NAME}, orig_type=names(), value_type=text(64))}, orig_group=names())},
    "air_place": {"name": names(), "code": one_of(("AYT", "ay1"), ("AY", "AYTX")), "country_code": one_of(("TR", "ua"), ("T",)),
                  "weight": one_of((0, 1000000000), (-1, 1000000001)), "icao_code": one_of(("LTAI",), ("LTA",)), **PLACE},
    "air_source": {"external_id": ID, "data": one_of(({}, {"a": [1, "ї", 1e300]}), ([], "x"))},
    "air_map": {"external_id": ID},
    "redirect": {"by": BY, "why": WHY},
    "mapping_event": {"id": ID, "to": one_of((-2**63, 2**63 - 1), (-2**63 - 1, 2**63)), "by": BY, "why": WHY, "how": one_of(("set", "back"), ("lost",))},
    "not_same": {"by": BY, "why": WHY},
    "dict_event": {"lang": one_of(("uk",), ("u",)), "was": NAME, "is": NAME, "by": BY, "why": WHY},
}
AT = "2026-01-01T00:00:00Z"




def needed(type):
    """The required fields of a line, for a record that no other line has."""
    n = next(NUMBERS)
    return {"adapter": {"id": 1000 + n, "code": f"c{n}", "name": "n", "domain": "tour"},
            "dict": {"kind": "hotel", "id": 1000 + n, "name": "n", "country_id": 1, "city_id": 331, "hotel_category_id": 5},
            "source": {"adapter_id": 7, "kind": "hotel", "id": f"n{n}", "name": "n"}, "hotel_content": {"adapter_id": 7, "hotel_id": "1001"},
            "air_place": {"source_id": 1000 + n, "place": "apt", "name": "n", "code": "AYT", "country_code": "TR"},
            "air_source": {"adapter_id": 21, "source_id": 1, "data": {}}, "air_map": {"adapter_id": 21, "external_id": f"n{n}", "source_id": 1},
            "redirect": {"kind": "hotel", "id": 5000 + n, "to": 55}, "mapping_event": {"adapter_id": 7, "kind": "hotel", "id": "1001", "at": f"{AT[:-1]}.{n % 1000000:06}Z"},
            "not_same": {"adapter_id": 7, "kind": "hotel", "id": "1001", "dict_id": 57},
            "dict_event": {"kind": "hotel", "id": 55, "at": f"{AT[:-1]}.{n % 1000000:06}Z", "how": "name"}}[type]


@st.composite
def fields(draw, table, all_of_them=False):
    """Some of the fields: all values are valid, or all except one."""
    chosen = sorted(table) if all_of_them else draw(st.lists(st.sampled_from(sorted(table)), unique=True, min_size=1))
    spoilt = draw(st.sampled_from(chosen)) if draw(st.integers(0, 2)) == 0 else None
    return {name: draw(table[name][name == spoilt]) for name in chosen}


@st.composite
def lines(draw):
    type = draw(st.sampled_from(sorted(FIELDS)))
    return {"type": type, **needed(type), **draw(fields(FIELDS[type]))}


AUDIT = {"--by": BY, "--why": WHY}
HOTEL = {"id": ID, "name": text(255), "category_name": text(255), "country_name": text(255), "city_name": text(255), "category_id": ID, "country_id": ID, "city_id": ID}
ROW = {"id": ID, "name": NAME, "country_name": NAME, "address": NAME, "zip": text(32), "phone": text(64)}
VERBS = ("map", "clear", "not_same", "country", "name", "new", "merge", "place")
COMMANDS = (("map", "clear", "7", "hotel", "1001"), ("map", "set", "7", "hotel", "1002", "55"), ("match",), ("match", "new", "--accept"), ("batch", "undo", "3"),
            ("dict", "name", "hotel", "55", "uk", "n"), ("dict", "merge", "hotel", "57", "56"), ("dict", "split", "hotel", "57"))
rows = lambda row: st.lists(fields(row, True), min_size=1, max_size=4)
steps = st.one_of(
    st.tuples(st.just("import"), st.lists(lines(), min_size=3, max_size=12)), st.tuples(st.just("load"), rows(ROW)), st.tuples(st.just("add"), rows(HOTEL)),
    st.tuples(st.just("decide"), st.tuples(st.sampled_from(VERBS), fields({"why": WHY, "name": NAME, "lang": one_of(("uk", "pt-BR"), ("x" * 36,))}))),
    st.tuples(st.just("country"), fields({"country_name": NAME, **AUDIT}, True)),
    st.tuples(st.just("command"), st.tuples(st.sampled_from(COMMANDS), fields(AUDIT))),
    st.tuples(st.just("key"), fields({"name": text(255), "note": WHY}, True)), st.tuples(st.just("user"), fields({"name": text(64)})),
    st.tuples(st.just("supplier"), fields({"code": text(64), "name": NAME}, True)), st.tuples(st.just("air"), fields({"id": ID})),
    st.tuples(st.just("admin"), st.tuples(st.sampled_from(("keyCreate", "keySet", "userAdd", "supplier")), fields({"name": text(255), "note": WHY}, True))))


class World:
    """A server, commands on its data folder, and clients."""

    def __init__(self, run, server, desk, boss, tmp_path):
        self.run, self.server, self.desk, self.boss, self.tmp, self.path, self.did = run, server, desk, boss, tmp_path, server.data, 0

    def command(self, *args, behind=()):
        """The command succeeds, or reports the error in one line."""
        done = self.run(*args, "--data", self.path, "--", *behind)
        assert done.returncode in (0, 1, 2) and "breaks the model" not in done.stderr, (args, behind, done.stderr)
        self.did += done.returncode == 0

    def answered(self, response):
        assert response.status < 500, response.body
        self.did += response.status == 200

    def import_(self, found):
        file = self.tmp / "rows.ndjson"
        for row in found:  # one bad line rejects the whole file
            file.write_text(json.dumps(row, ensure_ascii=False) + "\n", "utf-8")
            self.command("import", behind=(file,))

    def load(self, found):
        file = self.tmp / "rows.csv"
        quoted = lambda text: '"' + text.replace('"', '""') + '"'
        file.write_text("\n".join([",".join(found[0])] + [",".join(map(quoted, row.values())) for row in found]) + "\n", "utf-8")
        self.command("load", "--accept", "--keep-going", behind=("coral", file))

    def add(self, found):
        self.answered(source_add(self.server, hotel=found))

    def decide(self, said):
        verb, more = said
        case = self.desk.get("case", adapter_id=7, kind="hotel", id="1001").json()
        hotel = self.desk.get("reference", kind="hotel", id=55).json()
        of_dict = verb in ("name", "merge")
        version = (hotel if of_dict else case).get("data", {}).get("version", 1)
        self.answered(self.desk.decide({"decide": verb, "adapter_id": 7, "kind": "hotel", "id": "1001", "dict_id": 55, "into": 56, "version": version,
                                        "into_version": 1, **more}))

    def country(self, said):
        said = dict(said)
        id = f"of a country {next(NUMBERS)}"
        self.import_([{"type": "source", "adapter_id": 7, "kind": "hotel", "id": id, "name": "n", "country_name": said.pop("country_name")}])
        self.command("map", "country", *(f"{k}={v}" for k, v in said.items()), behind=("7", "hotel", id, "1"))

    def commanded(self, said):
        args, audit = said
        self.command(*args, *(f"{k}={v}" for k, v in audit.items()))

    def key(self, said):
        given = [f"--{name}={text}" for name, text in said.items()]
        self.command("key", "create", "--api", "b", *given)
        self.command("key", "set", *given, behind=("1",))

    def user(self, said):
        self.command("user", "add", "--no-password", behind=(said["name"],))

    def supplier(self, said):
        self.command("supplier", "add", f"--name={said['name']}", behind=(said["code"],))

    def air(self, said):
        self.command("air", "map", behind=("21", said["id"], "1"))

    def admin(self, said):
        what, given = said
        if what == "supplier":
            self.answered(self.boss.request("POST", "/v1/curate/supplier?" + urllib.parse.urlencode({"code": f"s{next(NUMBERS)}", "name": given["name"]})))
        elif what == "userAdd":
            self.answered(access(self.boss, "POST", what, name=given["name"], role="viewer"))
        else:
            self.answered(access(self.boss, "POST", what, **given, **({"api": "b"} if what == "keyCreate" else {"id": 1})))


def test_what_is_stored_can_be_imported_again(make_server, mini, new_key, run, seen, tmp_path):
    server = make_server(mini, "--lock-timeout", "60")
    done = run("user", "add", "boss", "--role", "admin", "--password-file", "-", "--data", server.data, stdin=PASSWORD.encode() + b"\n")
    assert done.returncode == 0, done.stderr
    boss, desk = Browser(server), Desk(server, new_key(server.data, "b", "--secret", "--role", "curator"))
    assert seen(lambda: boss.sign_in("boss").status == 200)
    world = World(run, server, desk, boss, tmp_path)
    run_step = {"import": world.import_, "command": world.commanded} | {n: getattr(world, n) for n in
                                                                      ("load", "add", "decide", "country", "key", "user", "supplier", "air", "admin")}
    rounds = itertools.count(1)

    @settings(max_examples=2 if SLOW else 5, deadline=None, phases=[Phase.generate], database=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(todo=st.lists(steps, min_size=30, max_size=50))
    def all_of_them(todo):
        for what, said in todo:
            run_step[what](said)
        exported = run("export", "--data", server.data).stdout
        again, file = tmp_path / f"again {next(rounds)}", tmp_path / "exported.ndjson"
        file.write_text(exported, "utf-8")
        imported = run("import", "--create", "--data", again, file)
        assert imported.returncode == 0, imported.stderr
        assert run("export", "--data", again).stdout == exported
        checked = run("check", "--data", server.data)
        assert checked.returncode == 0, checked.stdout

    all_of_them()
    assert "breaks the model" not in server.process.stderr()
