"""GET curate/records: a supplier's records as a file. Decisions C10, P6."""
import io
import os
import socket
import threading

import openpyxl
import pytest

import client
import usage
from client import eventually
from curating import OTHERS, RESIDENCE, VILLAS, Desk
from hotels import PLACES, dict_hotels, near, source

pytestmark = pytest.mark.store

HARMFUL = source(66, "=HYPERLINK(\"http://x.example\";\"win\")", **near(1))
MEAL = {"type": "source", "adapter_id": 1, "kind": "meal", "id": "-1", "name": "+ALL"}

#: What `data` has.
RECORDS = PLACES + dict_hotels() + [RESIDENCE, {**VILLAS, "dict_id": 105}, OTHERS, HARMFUL, MEAL]


@pytest.mark.parametrize("kind", ["hotel", "meal", None])
def test_c10_it_is_the_file_that_the_command_writes(same_desk, same_data, tmp_path, kind):
    same_data.ok("map", "list", "--adapter", 1, *(["--kind", kind] if kind else []), "--output", tmp_path / "list.csv")
    answer = same_desk.get("records", adapter_id=1, kind=kind)
    assert answer.status == 200 and answer.body == (tmp_path / "list.csv").read_bytes()
    assert answer.headers["Content-Disposition"] == f'attachment; filename="supplier-1{"-" + kind if kind else ""}.csv"'
    assert answer.headers["Cache-Control"] == "no-store"


def test_p6_no_cell_is_run_and_what_was_written_is_read_back(desk, data, tmp_path):
    text = desk.get("records", adapter_id=1).body.decode("utf-8-sig")
    assert "'=HYPERLINK" in text and "'+ALL" in text and ",-1," in text
    (tmp_path / "back.csv").write_bytes(desk.get("records", adapter_id=1, kind="hotel").body)
    assert "3 as before" in data.ok("map", "load", tmp_path / "back.csv")


def test_c10_a_workbook_has_texts_and_degrees_only(same_desk):
    answer = same_desk.get("records", adapter_id=1, kind="hotel", format="xlsx")
    sheet = openpyxl.load_workbook(io.BytesIO(answer.body)).active
    titles, *rows = sheet.iter_rows(values_only=True)
    assert titles[-2:] == ("was", "dict_name")
    numbers = [titles.index("lat") + 1, titles.index("lng") + 1]
    assert all(cell.data_type == ("n" if cell.column in numbers and cell.row > 1 else "s") for row in sheet.iter_rows() for cell in row
               if cell.value is not None)
    found = {row[titles.index("id")]: dict(zip(titles, row)) for row in rows}
    assert set(found) == {"1", "7", "66"}
    assert (found["7"]["dict_id"], found["7"]["dict_name"]) == ("105", "Defne Residence")
    assert found["66"]["name"].startswith("=HYPERLINK")


def test_c10_what_is_wrong_is_told(desk, new_key, data):
    assert desk.get("records").json()["error"]["field"] == "adapter_id"
    assert desk.get("records", adapter_id=77).json()["error"]["reason"] == "unknown_adapter"
    assert desk.get("records", adapter_id=1, format="pdf").json()["error"]["field"] == "format"
    assert desk.get("records", adapter_id=1, kind="hotel_type").json()["error"]["reason"] == "unknown_kind"
    key = new_key(data.path, "b", "--secret", "--role", "curator", "--reads", "2", "--adapter", "2")
    other = Desk(desk.server, key)
    eventually(lambda: other.get("records", adapter_id=2).status == 200)
    assert other.get("records", adapter_id=1).json()["error"]["reason"] == "adapter_not_allowed"


LARGE = 130_000_000


@pytest.fixture(scope="module")
def large(module_servers, new_key, import_file, tmp_path_factory, small_quarantine):
    """130,000 records with long texts are more than 130 MB as CSV. The last test of it stops its server."""
    path = tmp_path_factory.mktemp("large")
    import_file(path, PLACES + [source(n, f"Hotel {n}", adapter=2, address="x" * 1000) for n in range(1000, 131_000)])
    key = new_key(path, "b", "--secret", "--role", "curator")
    with small_quarantine():
        return Desk(module_servers.make(None, data=path), key)


@pytest.mark.xdist_group("large records")
@pytest.mark.heavy
def test_c10_a_large_one_takes_no_memory(large):
    """What the server grows by is the cache of its store (64 MiB)."""
    desk = large
    desk.get("records", adapter_id=1)
    before = usage.memory(desk.server.pid, "RssAnon")
    assert len(desk.get("records", adapter_id=2, kind="hotel").body) > LARGE
    assert usage.memory(desk.server.pid, "RssAnon") - before < 96 << 20


def being_made(desk):
    """The nameless file that the server writes, open, so that its size is known when the server has closed it."""
    folder = f"/proc/{desk.server.pid}/fd"
    for fd in os.listdir(folder):
        try:
            name = os.readlink(f"{folder}/{fd}")
            if not name.startswith(f"{os.path.realpath(desk.server.data)}/") or not name.endswith(" (deleted)"):
                continue
            file = open(f"{folder}/{fd}", "rb")
        except OSError:  # it was closed meanwhile
            continue
        if os.fstat(file.fileno()).st_size > 0:
            return file
        file.close()
    return None


@pytest.mark.xdist_group("large records")
@pytest.mark.heavy
def test_c10_who_goes_away_and_a_stop_end_its_making(large):
    with socket.create_connection(("127.0.0.1", large.server.port)) as s:
        head = "".join(f"{k}: {v}\r\n" for k, v in large.headers().items())
        s.sendall(f"GET /v1/curate/records?adapter_id=2 HTTP/1.1\r\nHost: x\r\n{head}\r\n".encode())
        left = client.wait_until(lambda: being_made(large))
    assert left and client.wait_until(lambda: being_made(large) is None)
    assert os.fstat(left.fileno()).st_size < LARGE, "it was made to its end"
    answers = []
    thread = threading.Thread(target=lambda: answers.append(large.get("records", adapter_id=2)))
    thread.start()
    stopped = client.wait_until(lambda: being_made(large))
    large.server.stop()
    thread.join()
    client.assert_error(answers[0], 503, None, "shutting_down")
    assert os.fstat(stopped.fileno()).st_size < LARGE, "it was made to its end"
    assert "cannot read the store" not in large.server.process.stderr()
