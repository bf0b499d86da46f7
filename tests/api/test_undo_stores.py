"""Taking a batch back leaves the same on PostgreSQL and in SQLite (decisions M28, M34)."""
import json
import random

import pytest

import mapping
import store
from hotels import PLACES, dict_hotels, source

pytestmark = [pytest.mark.skipif(store.POSTGRES is None, reason="compares with PostgreSQL"), pytest.mark.store]
#: More than go to a server in one statement.
MANY = 1300


class InSqlite(mapping.Data):
    """A folder whose store is not the one of the run."""

    def run(self, *args):
        return self.run_command(*args, "--data", self.path, "--store", f"sqlite:{self.path}/dragoman.db")


def without_times(record):
    return json.dumps({k: v for k, v in record.items() if k not in ("at", "undone", "at_seq", "seq", "version")}, sort_keys=True)


def lines(data, *command):
    return sorted(without_times(json.loads(line)) for line in data.ok(*command, "--format", "ndjson").splitlines())


def state(data):
    """Records and events, the change feed, the queue, and what each batch has kept."""
    batches = [json.loads(line) for line in data.ok("batch", "list", "--format", "ndjson").splitlines()]
    return {"records": sorted(without_times(r) for r in data.records()),
            "changes": lines(data, "changes", "--since", "2020-01-01"), "queue": lines(data, "match", "queue"),
            "batches": [without_times(b) for b in batches],
            "items": [lines(data, "batch", "show", b["id"]) for b in batches]}


def worked_on(data, tmp_path, records):
    path = tmp_path / "records.ndjson"
    path.write_text("".join(json.dumps(r) + "\n" for r in records), "utf-8")
    data.ok("import", path, "--create")
    rows = [f"2,hotel,{1000 + i},{100 + i % 3}\n" for i in range(MANY)]
    random.Random(5).shuffle(rows)
    (tmp_path / "map.csv").write_text("adapter_id,kind,id,dict_id\n" + "".join(rows), "utf-8")
    data.ok("map", "load", tmp_path / "map.csv")
    batch = json.loads(data.ok("batch", "list", "--format", "ndjson").splitlines()[0])["id"]
    data.map("set", 2, "hotel", 1001, 105)
    data.map("clear", 2, "hotel", 1002)
    return batch


@pytest.mark.store_core
def test_m28_an_undo_writes_the_same_in_either_store(run, tmp_path):
    records = PLACES + dict_hotels() + [source(1000 + i, f"House {i}", adapter=2, **({"dict_id": 106} if i % 10 == 0 else {}))
                                        for i in range(MANY)]
    both = [mapping.Data(run, tmp_path / "postgres"), InSqlite(run, tmp_path / "sqlite")]
    assert both[0].path != both[1].path
    batches = [worked_on(data, tmp_path, records) for data in both]
    said = [data.ok("batch", "undo", batch) for data, batch in zip(both, batches)]
    assert said[0] == said[1] and f"{MANY - 2} records as before, 0 removed, 2 left alone" in said[0]
    one, other = map(state, both)
    for part, of_one in one.items():
        assert of_one == other[part], part
    assert sum('"how": "undo"' in r for r in one["records"]) == MANY - 2
    assert len(one["queue"]) == MANY - 2 - MANY // 10
    for data in both:
        data.is_sound()
