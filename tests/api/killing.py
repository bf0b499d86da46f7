"""Commands that are killed at a step of their work, which the bar that they draw on a terminal tells."""
import itertools
import os
import pty
import re
import select
import subprocess

import client
from conftest import command


def kill_at(clock, step, percent, *args):
    """Run a command and kill it when it says that it is so far; the bar is drawn whenever the clock has moved. False: it had ended
    before, as it may where we were kept waiting for a processor."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command(*args), stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    said = b""

    def is_so_far():
        nonlocal said
        if select.select([ours], [], [], 0.01)[0]:
            try:
                said += os.read(ours, 4096)
            except OSError:  # it has ended
                return True
        clock.advance(1)
        return any(int(shown) >= percent for shown in re.findall(rb"%s.*? (\d+) %%" % step.encode(), said))

    try:
        client.eventually(is_so_far)
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    return process.returncode < 0 and step.encode() in said


def killed_at(clock, step, percent, path, *args):
    """Import a file and kill that when it says that it is so far. What a turn has found done is new to the next: other names."""
    other = path.with_name("other.ndjson")
    turns = itertools.count()

    def is_killed():
        other.write_bytes(path.read_bytes().replace(b'"name":"', b'"name":"%d-%d ' % (percent, next(turns))))
        return kill_at(clock, step, percent, "import", other, *args)

    client.eventually(is_killed)
