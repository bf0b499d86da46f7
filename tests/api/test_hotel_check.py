"""tour/hotelCheck: spec 4.2, decisions M14, R1, L6, L7."""
import pytest

from client import assert_error
from translation import Translation


def check(server, query):
    return server.b("tour/hotelCheck" + query)


def test_spec_the_suppliers_of_a_hotel(server, mini):
    answer = check(server, "?hotel=55")
    assert answer.json() == {"status": "success", "data": [
        {"hotel_orig_id": "1001", "adapter_id": 7, "adapter": {"code": "coral", "name": "Coral Tours"}},
        {"hotel_orig_id": "1001-B", "adapter_id": 7, "adapter": {"code": "coral", "name": "Coral Tours"}},
        {"hotel_orig_id": "9007199254740993", "adapter_id": 8, "adapter": {"code": "anex", "name": "Anexa"}}]}
    assert answer.data() == Translation.from_file(mini).hotel_check(55)


def test_r1_every_stage(server):
    assert [item["adapter_id"] for item in check(server, "?hotel=56").data()] == [9]


@pytest.mark.parametrize("hotel", [58, 0, 999, -1, 2**63 - 1, -2**63])
def test_m14_unknown_and_unlinked_hotels_have_an_empty_array(server, hotel):
    assert check(server, f"?hotel={hotel}").json() == {"status": "success", "data": []}


def test_m14_an_id_of_another_kind_is_no_hotel(server):
    assert check(server, "?hotel=331").data() == []


def test_order_is_by_adapter_and_then_by_id_in_bytes(make_server):
    rows = [{"type": "dict", "kind": "country", "id": 1, "name": "c", "iso_alpha_2": "TR"},
            {"type": "dict", "kind": "city", "id": 1, "name": "c", "country_id": 1},
            {"type": "dict", "kind": "hotel_category", "id": 1, "name": "c"},
            {"type": "dict", "kind": "hotel", "id": 1, "name": "h", "country_id": 1, "city_id": 1, "hotel_category_id": 1}]
    for adapter in (30, 4, 200, 5):
        rows.append({"type": "adapter", "id": adapter, "code": f"c{adapter}", "name": f"\"{adapter}\" \\",
                     "domain": "air" if adapter == 5 else "tour"})
    for adapter in (30, 4, 200):
        rows += [{"type": "source", "adapter_id": adapter, "kind": "hotel", "id": id, "name": "h", "category_name": "c",
                  "country_name": "c", "city_name": "c", "dict_id": 1} for id in ("9", "10", "é", "a", "\"", "B")]
    data = check(make_server(rows), "?hotel=1").data()
    assert data == Translation(rows).hotel_check(1)
    assert [item["adapter_id"] for item in data] == [4] * 6 + [30] * 6 + [200] * 6
    assert [item["hotel_orig_id"] for item in data[:6]] == ["\"", "10", "9", "B", "a", "é"]


def test_hotel_is_required(server):
    assert_error(check(server, ""), 400, "hotel", "missing_field")
    assert_error(check(server, "?hotel="), 400, "hotel", "missing_field")


@pytest.mark.parametrize("value", ["x", "1.0", "%201", "9223372036854775808", "1,2", "%2B1"])
def test_l7_hotel_is_an_integer(server, value):
    assert_error(check(server, f"?hotel={value}"), 400, "hotel", "bad_integer")


def test_l6_repeated_and_unknown_parameters(server):
    assert_error(check(server, "?hotel=55&hotel=56"), 400, "hotel", "repeated_parameter")
    assert check(server, "?hotel=55&hotel=55").body == check(server, "?hotel=55").body
    assert check(server, "?hotel=55&adapter_id=7").headers["X-Ignored-Fields"] == "adapter_id"


def test_e4_only_keys_of_api_b(server):
    assert_error(server.request("/v1/tour/hotelCheck?hotel=55", "GET", {"X-Api-Key": server.key_a}), 403)


def test_post_is_405(server):
    answer = server.b("tour/hotelCheck?hotel=55", method="POST")
    assert_error(answer, 405)
    assert "GET" in answer.headers["Allow"]
