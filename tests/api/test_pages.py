"""The pages: decisions W1 to W3. tests/web looks at them in a browser."""
import gzip
import json
import pathlib
import re

import brotli
import pytest

import client

ROOT = pathlib.Path(__file__).resolve().parents[2]
OURS = sorted(p for p in (ROOT / "web").iterdir() if p.suffix in (".html", ".css", ".js", ".svg"))
PAGES = ["/", "/demo", "/docs", "/sign-in", "/workbench", "/workbench/reference", "/workbench/history",
         "/workbench/suppliers", "/workbench/air", "/workbench/tasks", "/workbench/access"]
FILES = [*PAGES, "/web/base.css", "/web/demo.js", "/web/favicon.svg"]
MADE_UP = [{"type": "adapter", "id": 1, "code": "a", "name": "Aurora (synthetic)", "domain": "tour"},
           {"type": "dict", "kind": "country", "id": 1, "name": "Turkey", "iso_alpha_2": "TR"},
           {"type": "source", "adapter_id": 1, "kind": "country", "id": "90", "name": "TURKEY", "dict_id": 1}]
REAL = {"type": "adapter", "id": 2, "code": "b", "name": "Real Tours", "domain": "tour"}


@pytest.mark.parametrize("path", FILES)
def test_w2_what_a_page_may_load_and_run_is_said_with_it(server, path):
    headers = server.request(path).headers
    policy = dict(part.strip().partition(" ")[::2] for part in headers["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'none'" and policy["frame-ancestors"] == "'none'" and policy["base-uri"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert headers["X-Content-Type-Options"] == "nosniff" and headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "Access-Control-Allow-Origin" not in headers


@pytest.mark.parametrize("path, kind", [("/", "text/html; charset=utf-8"), ("/web/base.css", "text/css; charset=utf-8"),
                                        ("/web/demo.js", "text/javascript; charset=utf-8"), ("/web/favicon.svg", "image/svg+xml")])
def test_w1_files_come_with_their_type_ready_in_each_coding(server, path, kind):
    plain = server.request(path)
    assert plain.status == 200 and plain.headers["Content-Type"] == kind
    for coding, unpack in (("gzip", gzip.decompress), ("br", brotli.decompress)):
        coded = server.request(path, headers={"Accept-Encoding": coding})
        assert coded.headers["Content-Encoding"] == coding and coded.headers["Vary"] == "Accept-Encoding"
        assert unpack(coded.body) == plain.body


@pytest.mark.parametrize("path", FILES)
def test_w1_a_file_that_has_not_changed_is_a_304(server, path):
    first = server.request(path)
    again = server.request(path, headers={"If-None-Match": first.headers["ETag"]})
    assert again.status == 304 and not again.body and again.headers["Content-Security-Policy"]
    assert server.request(path, "HEAD").headers["ETag"] == first.headers["ETag"]


@pytest.mark.parametrize("path", ["/web/", "/web/nope.js", "/web/..%2fREADME.md", "/web/demo.html/x", "/web/" + 65 * "a", "/workbench/",
                                  "/workbench/nope", "/demo/", "/Demo"])
def test_w1_there_is_nothing_else(server, path):
    assert server.request(path).status in (400, 404)


@pytest.mark.parametrize("path", OURS, ids=lambda p: p.name)
def test_w2_our_files_name_no_other_host_and_have_nothing_inline(path):
    text = path.read_text("utf-8").replace('"http://www.w3.org/2000/svg"', "")   # a name, no address
    assert not re.search(r"https?:|//[a-z]+\.[a-z]", re.sub(r"^ *//.*$| // .*$", "", text, flags=re.M)), path
    if path.suffix == ".html":
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", text)
        assert all("src=" in script for script in re.findall(r"<script[^>]*>", text))
        assert not re.search(r'(?:src|href)="/', text), "addresses are relative: a proxy may serve us below a path"
    if path.suffix == ".js":
        assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function", text)


def test_w1_every_file_that_a_page_names_is_there(server):
    seen, left = set(), [*PAGES]
    while left:
        path = left.pop()
        seen.add(path)
        answer = server.request(path)
        assert answer.status == 200, path
        text = answer.body.decode("utf-8")
        named = {f"/{x}" for x in re.findall(r'(?:src|href)="(?:\.\./)?(web/[^"]+)"', text)} if path in PAGES else set()
        if path.endswith(".js") and "swagger" not in path:
            named |= {f"/web/{x}" for x in re.findall(r'from "\./([^"]+)"', text)}
        left += named - seen
    assert {f"/web/{p.name}" for p in OURS if p.suffix in (".js", ".css")} - seen <= {"/web/docs.js", "/web/docs.css"}


def test_the_head_of_the_home_page_leads_to_form_workbench_and_reference(server):
    head = re.search(r"<header.*?</header>", server.request("/").body.decode("utf-8"), re.S)[0]
    assert re.findall(r'<a href="(\w+)">', re.search(r"<nav.*</nav>", head)[0]) == ["demo", "workbench", "docs"]


def about(server):
    answer = server.request("/web/about.json")
    assert answer.status == 200 and answer.headers["Cache-Control"] == "no-store", answer
    assert "Access-Control-Allow-Origin" not in answer.headers
    return answer.json()


def test_w1_about_says_version_and_data_version(server, run):
    said = about(server)
    assert f"dragoman {said['version']} (" in run("--version").stdout
    assert said["data_version"] == server.request("/readyz").json()["data_version"] > 0


def test_w3_without_the_option_there_are_no_keys_and_no_counts(make_server):
    said = about(make_server(MADE_UP))
    assert said["demo"] is None and said["demo_wanted"] is False and "drga_" not in json.dumps(said)


def test_w3_the_keys_read_and_do_no_more(make_server, run):
    server = make_server(MADE_UP, "--demo")
    demo = about(server)["demo"]
    assert (demo["suppliers"], demo["sources"], demo["dicts"], demo["air_places"]) == (1, 1, 1, 0)
    assert server.a("tour/main-references", key=demo["key_a"]).status == 200
    assert server.b("tour/reference", key=demo["key_b"]).status == 200
    info = server.request("/v1/tour/sourceInfo?adapter_id=1", "POST", {client.HEADER["b"]: demo["key_b"]}, '{"country":"90"}')
    assert info.json()["data"]["country"][0]["dict"]["name"] == "Turkey"
    assert server.b("tour/reference", key=demo["key_a"]).status == server.a("tour/main-references", key=demo["key_b"]).status == 403
    for copies in ("changes", "changes?wait=1", "export/sources?adapter_id=1"):
        assert server.b(copies, key=demo["key_b"]).status == 403 and server.b(copies).status == 200
    body = json.dumps({"adapter_id": 1, "lang_code": "en", "country": [{"id": "91", "name": "X"}]})
    for secret in ("", "drgs_" + 43 * "a", server.secret_b):
        refused = server.request("/v1/tour/sourceAdd", "POST", {client.HEADER["b"]: demo["key_b"], "X-Service-Api-Secret": secret}, body)
        assert refused.status == 403, refused
    listed = run("key", "list", "--json", "--data", server.data).stdout
    assert "9007199254740990" not in listed and listed.count('"id"') == 2


def test_w3_the_keys_are_of_one_start(make_server, servers):
    server = make_server(MADE_UP, "--demo")
    before = about(server)["demo"]
    server.stop()
    process = servers.start("--demo", data=server.data)
    answer = client.request(process.port, "/api/v1/tour/main-references", headers={client.HEADER["a"]: before["key_a"]})
    assert answer.status == 403


@pytest.mark.parametrize("records", [[*MADE_UP, REAL], [REAL], MADE_UP[1:2], [dict(REAL, name=" (synthetic)")],
                                     [dict(REAL, name="Real (Synthetic)")]])
def test_w3_a_store_that_is_not_made_up_opens_to_nobody(make_server, records):
    said = about(make_server(records, "--demo"))
    assert said["demo"] is None and said["demo_wanted"] is True


def test_w3_keys_end_with_the_first_real_supplier_and_come_back_without_it(make_server, import_file, seen):
    server = make_server(MADE_UP, "--demo")
    key = about(server)["demo"]["key_a"]
    allowed = lambda: server.a("tour/main-references", key=key).status == 200  # noqa: E731
    assert allowed()
    import_file(server.data, [REAL])
    assert seen(lambda: not allowed()) and about(server)["demo"] is None
    import_file(server.data, [{"type": "adapter", "id": 2, "deleted": True}])
    assert seen(allowed)


# ---- pictures of other hosts (decision W2) ----------------------------------------------------------------------

def pictures_of(server, path):
    policy = dict(part.strip().partition(" ")[::2] for part in server.request(path).headers["Content-Security-Policy"].split(";"))
    return policy["img-src"]


@pytest.mark.parametrize("options, more", [
    ((), ""), (("--photos",), " https:"), (("--map-tiles", "https://tiles.example:8443/{z}/{x}/{y}.png?key=A-1"), " https://tiles.example:8443"),
    (("--map-tiles", "http://10.0.0.1/{z}/{y}/{x}", "--photos"), " http://10.0.0.1 https:")])
def test_w2_only_the_workbench_and_only_by_an_option_shows_pictures_of_other_hosts(make_server, mini, options, more):
    server = make_server(mini, *options)
    assert pictures_of(server, "/workbench") == f"'self' data:{more}"
    assert {pictures_of(server, path) for path in PAGES if path != "/workbench"} == {"'self' data:"}


@pytest.mark.parametrize("options, what", [
    (("--map-tiles", "tiles.example/{z}/{x}/{y}"), "--map-tiles"), (("--map-tiles", "https://tiles.example/{z}/{x}.png"), "--map-tiles"),
    (("--map-tiles", "https://{z}.example/{x}/{y}"), "--map-tiles"), (("--map-tiles", "https://tiles.example/{z}/{x}/{y};script-src *"), "--map-tiles"),
    (("--map-tiles", "https://Tiles.example/{z}/{x}/{y}"), "--map-tiles"), (("--map-tiles", f"https://t.example/{{z}}/{{x}}/{{y}}{'a' * 500}"), "--map-tiles"),
    (("--map-tiles", "javascript:{z}{x}{y}"), "--map-tiles"), (("--map-credit", "Us"), "--map-credit needs --map-tiles")])
def test_w2_what_is_no_map_is_refused_at_the_start(run, server, options, what):
    done = run("serve", "--data", server.data, *options)
    assert done.returncode == 2 and what in done.stderr, done.stderr
