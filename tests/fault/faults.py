"""Faults at a place that the test chooses: the nth write, sync or send of a program, not after so many milliseconds (faults.c)."""
import contextlib
import ctypes
import errno
import mmap
import pathlib
import subprocess

import client
import usage

CALLS = {"write": 1, "sync": 2, "send": 4, "read": 8, "open": 16, "rename": 32, "truncate": 64, "map": 128, "thread": 256, "allocate": 512,
         "put": 1024}
KILL, STOP, FAIL, NTH = 1, 2, 3, 4
ALWAYS = 1 << 40


class Page(ctypes.Structure):
    """As in faults.c."""
    _fields_ = [(name, ctypes.c_int64) for name in ("left", "calls", "what", "error", "pid", "n_mark")] + [
        ("mark", ctypes.c_char * 64), ("held", ctypes.c_int64), ("spared", ctypes.c_int64)]


def build(folder, *options):
    """The library."""
    made = folder / "faults.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-g", "-O1", "-fno-builtin", *options, "-o", made, pathlib.Path(__file__).with_name("faults.c")],
                   check=True)
    return made


class Faults:
    """Of the programs that are started with `environment`."""

    def __init__(self, library, path):
        path.write_bytes(bytes(ctypes.sizeof(Page)))
        with open(path, "r+b") as file:
            self.page = Page.from_buffer(mmap.mmap(file.fileno(), ctypes.sizeof(Page)))
        self.environment = {"LD_PRELOAD": str(library), "DRG_TEST_FAULTS": str(path)}

    def _set(self, what, left, calls, pid=0, mark=b"", error=0):
        self.page.left = 0
        self.page.what, self.page.calls, self.page.error, self.page.pid = what, sum(CALLS[c] for c in calls.split(",")), error, pid
        self.page.mark, self.page.n_mark = mark, len(mark)
        self.page.left = left

    def kill(self, process, at, calls="write,sync"):
        """At the nth call from now on. The test waits for its end."""
        self._set(KILL, at, calls, process.pid)

    @property
    def held(self):
        """Bytes that the programs have allocated and not freed. Of those that have ended it counts what they had then."""
        return self.page.held

    def clear(self):
        self.page.left = 0

    def stop(self, at, calls):
        """The program that is started next, or goes on, stands still at the nth call."""
        self._set(STOP, at, calls)

    def kill_next(self, at, calls):
        """The program that is started next is killed at the nth call."""
        self._set(KILL, at, calls)

    def nth(self, at, call, error, pid=0):
        """The nth call from now on fails, and no other; programs that are started next count from their start."""
        self.page.spared = 0
        self._set(NTH, at, call, pid, error=error)

    @property
    def left(self):
        return self.page.left

    @contextlib.contextmanager
    def failing(self, process, calls, times=ALWAYS, mark="", error=errno.EIO):
        """While it lasts so many calls of the program fail; with a mark, from the write on that has it."""
        self._set(FAIL, times, calls, process.pid, mark.encode(), error)
        yield
        self.clear()


def stands_still(popen):
    """Waits until it does. @return False: it has ended instead."""
    assert client.wait_until(lambda: popen.poll() is not None or usage.state(popen.pid) == "T")
    return popen.poll() is None
