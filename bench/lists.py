#!/usr/bin/python3
"""Lists that are kept ready, beside nginx that serves the same bytes from a file; a 304; lists during an import.

bench/lists.py BUILD_DIR
"""
import json
import os
import pathlib
import subprocess
import sys
import threading
import urllib.request

import common

ROUNDS = 5
NGINX = """
{user}
worker_processes {workers};
daemon off; master_process on; pid {dir}/nginx.pid; error_log /dev/null;
events {{ worker_connections 1024; }}
http {{
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; open_file_cache max=100;
  default_type application/json; gzip_static on; gzip_vary on; etag on;
  client_body_temp_path {dir}/b; proxy_temp_path {dir}/p; fastcgi_temp_path {dir}/f; uwsgi_temp_path {dir}/u;
  scgi_temp_path {dir}/s;
  server {{ listen 127.0.0.1:{port}; root {dir}; }}
}}
"""


def get(url, headers):
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as answer:
        return answer.read(), dict(answer.headers)


def nginx(folder, port):
    conf = folder / "nginx.conf"
    user = "user root;" if os.geteuid() == 0 else ""  # the folder is ours alone
    conf.write_text(NGINX.format(dir=folder, port=port, workers=os.cpu_count(), user=user))
    return common.process(["nginx", "-c", conf, "-e", "/dev/null"], stderr=subprocess.DEVNULL)


def hotel_lists(d, key):
    """Paths of hotel lists with their size as sent with gzip."""
    directions = [json.loads(line) for line in d.run("export", "--type", "direction").splitlines()]
    seen = {}
    for row in directions:
        seen.setdefault(row["country_id"], row)
    for row in seen.values():
        path = f"/api/v1/tour/hotel-references?dep_city={row['dep_city_id']}&country={row['country_id']}"
        body, headers = get(d.url(path), {"X-Api-Key": key, "Accept-Encoding": "gzip"})
        yield len(body), path, body, headers


def compare_with_nginx(d, pid, key, folder):
    lists = sorted(hotel_lists(d, key), key=lambda row: row[0])
    port = common.free_port()
    kept = True
    with nginx(folder, port) as web:
        for target, bound in ((10_000, 0.85), (1_000_000, 0.6)):
            size, path, body, headers = min(lists, key=lambda row: abs(row[0] - target))
            plain, _ = get(d.url(path), {"X-Api-Key": key})
            name = f"list{target}.json"
            (folder / name).write_bytes(plain)
            (folder / (name + ".gz")).write_bytes(body)
            url = f"http://127.0.0.1:{port}/{name}"
            common.wait_http(url)
            assert get(url, {"Accept-Encoding": "gzip"})[0] == body
            ask = [f"X-Api-Key: {key}", "Accept-Encoding: gzip"]
            us = common.rounds(ROUNDS, ours=lambda: common.cpu_per_request(pid, d.url(path), ask),
                               nginx=lambda: common.cpu_per_request(web.pid, url, ask))
            print(f"list of {len(plain):,} bytes, {size:,} with gzip: dragoman {us['ours']:.1f} us of CPU, "
                  f"nginx {us['nginx']:.1f} us")
            kept &= common.verdict(f"CPU of a list of {size / 1000:,.0f} kB, to nginx", us["ours"] / us["nginx"], bound)
    return kept, path, headers["ETag"]


def compare_304(build, d, pid, key, path, etag):
    port = common.free_port()
    with common.process([build / "bench/bare_mhd", str(port), "200"]) as bare:
        url = f"http://127.0.0.1:{port}/"
        common.wait_http(url)
        ask = [f"X-Api-Key: {key}", "Accept-Encoding: gzip", f"If-None-Match: {etag}"]
        us = common.rounds(ROUNDS, ours=lambda: common.cpu_per_request(pid, d.url(path), ask),
                           bare=lambda: common.cpu_per_request(bare.pid, url, ask))
    print(f"304: dragoman {us['ours']:.1f} us of CPU, a bare libmicrohttpd answer of 200 bytes {us['bare']:.1f} us")
    return common.verdict("CPU of a 304, to a bare answer", us["ours"] / us["bare"], 1.0)


def during_import(build, d, key, folder):
    """p99 of list requests while 100,000 records are imported, to its idle value."""
    more = folder / "more.ndjson"
    common.synth(build / "dragoman", more, 26_000, 12, 7)
    url = d.url("/api/v1/tour/main-references")
    ask = [f"X-Api-Key: {key}", "Accept-Encoding: gzip"]
    ratios = []
    for seed in range(3):
        _, idle, _ = common.wrk(url, ask, connections=4, seconds=3)
        importer = threading.Thread(target=d.run, args=("import", more), kwargs={"stderr": subprocess.DEVNULL})
        importer.start()
        _, busy, _ = common.wrk(url, ask, connections=4, seconds=3)
        importer.join()
        ratios.append((busy / idle, idle, busy))
        common.synth(build / "dragoman", more, 26_000, 12, 100 + seed)
    ratio, idle, busy = sorted(ratios)[1]
    print(f"p99 of a list request: idle {idle:.2f} ms, during an import {busy:.2f} ms")
    return common.verdict("p99 of list requests during an import, to idle", ratio, 3.0)


def main():
    build = common.programs(sys.argv[1])
    with common.folder() as folder:
        d = common.Dragoman(build / "dragoman", folder / "data")
        data = folder / "synth.ndjson"
        common.synth(d.binary, data, 300_000, 6)
        d.run("import", data, stderr=subprocess.DEVNULL)
        data.unlink()
        key = d.key("a")["key"]
        with d.serve() as server:
            kept, path, etag = compare_with_nginx(d, server.pid, key, folder)
            kept &= compare_304(build, d, server.pid, key, path, etag)
            kept &= during_import(build, d, key, folder)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
