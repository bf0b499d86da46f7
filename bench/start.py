#!/usr/bin/python3
"""What a start costs: CPU of whole commands, and of a server until it is ready, beside an empty C program. bench/start.py BUILD"""
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

import common

ROUNDS = 25
BOUNDS = {"--version": 24 / 4.6, "serve until ready": 60 / 4.6}  # of an empty program
MINI = common.ROOT / "tests/fixtures/mini.ndjson"


def empty_program(folder):
    (folder / "empty.c").write_text("int main(void)\n{\n\treturn 0;\n}\n")
    subprocess.run(["cc", folder / "empty.c", "-o", folder / "empty"], check=True)
    return folder / "empty"


def command_ms(*args):
    pid = os.posix_spawn(args[0], [str(a) for a in args], os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0), (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)])
    _, status, used = os.wait4(pid, 0)
    assert status == 0, args
    return 1000 * (used.ru_utime + used.ru_stime)


def threads_ms(pid):
    """Of the threads that live: clock ticks are too coarse for this."""
    return sum(int((task / "schedstat").read_text().split()[0]) for task in pathlib.Path(f"/proc/{pid}/task").iterdir()) / 1e6


def serve_ms(dragoman, data):
    """(until ready, until stopped)"""
    port = common.free_port()
    server = subprocess.Popen([dragoman, "serve", "--data", data, "--listen", f"127.0.0.1:{port}"], stderr=subprocess.DEVNULL)
    common.wait_http(f"http://127.0.0.1:{port}/readyz", server=server)
    ready = threads_ms(server.pid)
    server.terminate()
    _, status, used = os.wait4(server.pid, 0)
    server.returncode = status
    return ready, 1000 * (used.ru_utime + used.ru_stime)


def loader_figures(dragoman):
    said = subprocess.run([dragoman, "--version"], env={**os.environ, "LD_DEBUG": "statistics,files"}, stderr=subprocess.PIPE,
                          stdout=subprocess.DEVNULL, text=True, check=True).stderr
    return len(re.findall("generating link map", said)), re.search(r"number of relocations: (\d+)", said).group(1)


def main():
    build = common.programs(sys.argv[1])
    dragoman = build / "dragoman"
    folder = pathlib.Path(tempfile.mkdtemp(prefix="dragoman-start-"))
    figures = {}
    try:
        empty, data, again = empty_program(folder), folder / "data", folder / "again"
        command_ms(dragoman, "import", MINI, "--create", "--data", data)
        for _ in range(ROUNDS):
            ready, stopped = serve_ms(dragoman, data)
            shutil.rmtree(again, ignore_errors=True)
            round_ = {"an empty C program": command_ms(empty), "--version": command_ms(dragoman, "--version"),
                      "import of 57 records": command_ms(dragoman, "import", MINI, "--create", "--data", again),
                      "key create": command_ms(dragoman, "key", "create", "--api", "a", "--data", again),
                      "serve until ready": ready, "serve until stopped": stopped}
            for name, ms in round_.items():
                figures.setdefault(name, []).append(ms)
    finally:
        shutil.rmtree(folder)
    libraries, relocations = loader_figures(dragoman)
    print(f"--version loads {libraries} shared libraries and relocates {relocations} symbols; CPU, medians of {ROUNDS} rounds:")
    beside, missed = statistics.median(figures["an empty C program"]), False
    for name, values in figures.items():
        ms, bound = statistics.median(values), BOUNDS.get(name)
        missed |= bound is not None and ms / beside > bound
        print(f"{name:22} {ms:6.1f} ms  {ms / beside:5.1f} times" + (f"  (bound {bound:.1f})" if bound else ""))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
