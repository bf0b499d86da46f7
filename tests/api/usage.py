"""What a process takes, as the kernel counts it: memory in bytes, CPU in seconds, file descriptors."""
import os
import pathlib


def _proc(pid, name):
    return pathlib.Path(f"/proc/{pid}/{name}").read_text("ascii", "replace")


def memory(pid, what="VmRSS"):
    """VmRSS: what is resident; RssAnon: of that, what is not mapped from files; VmHWM: the most that was; VmSize: addresses."""
    return next(int(line.split()[1]) << 10 for line in _proc(pid, "status").splitlines() if line.startswith(f"{what}:"))


def forget_peak(pid):
    """VmHWM begins anew."""
    pathlib.Path(f"/proc/{pid}/clear_refs").write_text("5", "ascii")


def cpu_seconds(pid):
    return sum(map(int, _proc(pid, "stat").rpartition(")")[2].split()[11:13])) / os.sysconf("SC_CLK_TCK")


def state(pid):
    """A letter: R, S, D, T, Z ..."""
    return _proc(pid, "stat").rpartition(")")[2].split()[0]


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))
