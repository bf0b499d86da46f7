"""Commands that are killed at a step of their work, which the bar that they draw on a terminal tells."""
import os
import pty
import re
import select
import subprocess

import client
from conftest import command


def killed_at(clock, step, percent, *args):
    """Run a command and kill it when it says that it is so far; the bar is drawn whenever the clock has moved."""
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
    assert step.encode() in said, said
