"""Flags: decision R4."""
import re
import socket

import pytest

@pytest.fixture(scope="module")
def flagged(server):
    if server.request("/flags/1x1/tr.svg").status == 404:
        pytest.skip("the program was built without the demo data, so without flags (DATA=no)")
    return server


@pytest.mark.parametrize("ratio", ["1x1", "4x3"])
def test_r4_a_flag_is_an_svg_that_needs_no_key(flagged, ratio):
    response = flagged.request(f"/flags/{ratio}/tr.svg")
    assert response.status == 200
    assert response.headers["Content-Type"].split(";")[0] == "image/svg+xml"
    assert b"<svg" in response.plain()


def test_r4_the_two_ratios_are_two_pictures(flagged):
    boxes = [re.search(rb'viewBox="0 0 (\d+) (\d+)"', flagged.request(f"/flags/{ratio}/de.svg").plain()).groups()
             for ratio in ("1x1", "4x3")]
    (a, b), (c, d) = [map(int, box) for box in boxes]
    assert a == b and c * 3 == d * 4


@pytest.mark.parametrize("path", ["/flags/1x1/tr.svg", "/flags/4x3/xx.svg"])
def test_r4_a_flag_is_public_and_cacheable_for_a_day(flagged, path):
    control = flagged.request(path).headers["Cache-Control"]
    assert "public" in control and "private" not in control and "no-cache" not in control
    assert int(re.search(r"max-age=(\d+)", control).group(1)) == 86400 and "immutable" not in control


def test_r4_a_flag_has_an_etag_and_is_compressed(flagged):
    plain = flagged.request("/flags/4x3/gb.svg")
    assert flagged.request("/flags/4x3/gb.svg", headers={"If-None-Match": plain.headers["ETag"]}).status == 304
    small = flagged.request("/flags/4x3/mx.svg", headers={"Accept-Encoding": "gzip"})
    assert small.headers["Content-Encoding"] == "gzip" and b"<svg" in small.plain()


def test_r4_every_ico_can_be_fetched(flagged):
    countries = flagged.a("tour/main-references?demo").data()["countries"]
    for country in countries.values():
        for ratio, url in country["ico"].items():
            assert url == f"{flagged.url}/flags/{ratio}/{country['iso_alpha_2'].lower()}.svg"
            assert flagged.request(url.removeprefix(flagged.url)).status == 200


def test_r4_a_code_without_a_flag_gets_xx(make_server):
    server = make_server([{"type": "dict", "kind": "country", "id": 1, "name": "Nowhere", "iso_alpha_2": "QQ"},
                          {"type": "dict", "kind": "city", "id": 1, "name": "c", "country_id": 1},
                          {"type": "dict", "kind": "hotel_category", "id": 1, "name": "5*"},
                          {"type": "dict", "kind": "hotel", "id": 1, "name": "h", "country_id": 1, "city_id": 1,
                           "hotel_category_id": 1}])
    ico = server.a("tour/main-references").data()["countries"]["QQ"]["ico"]
    assert ico == {ratio: f"{server.url}/flags/{ratio}/xx.svg" for ratio in ("1x1", "4x3")}
    for ratio in ("1x1", "4x3"):
        response = server.request(f"/flags/{ratio}/xx.svg")
        assert response.status == 200 and b"<svg" in response.plain()


@pytest.mark.parametrize("given, base", [("https://ref.example.com", "https://ref.example.com"),
                                         ("https://example.com/travel", "https://example.com/travel")])
def test_r4_ico_urls_use_the_public_url(make_server, mini, given, base):
    server = make_server(mini, "--public-url", given)
    ico = server.a("tour/main-references").data()["countries"]["TR"]["ico"]
    assert ico["1x1"].startswith(base + "/flags/1x1/") and ico["4x3"].startswith(base + "/flags/4x3/")


@pytest.mark.parametrize("given", ["ftp://example.com", "example.com", 'http://exa"mple.com', "http://", ""])
def test_r4_a_bad_public_url_is_refused_with_one_line(dragoman, run, tmp_path, given):
    done = run("serve", "--data", tmp_path, "--listen", "127.0.0.1:0", "--public-url", given)
    assert done.returncode in (1, 2), done
    assert "public-url" in done.stderr and len(done.stderr.strip().splitlines()) == 1, done.stderr


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
        return True
    except OSError:
        return False


@pytest.mark.skipif(not has_ipv6(), reason="no IPv6 on this machine")
def test_r4_an_ipv6_listener_has_brackets_in_its_public_url(make_server, mini):
    server = make_server(mini, listen="[::1]:0")
    ico = server.a("tour/main-references").data()["countries"]["TR"]["ico"]
    assert ico["1x1"].startswith(f"http://[::1]:{server.port}/flags/1x1/")
