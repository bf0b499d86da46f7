"""A loss of power (power.c): of the sectors that a program has written and not synced each may be as it was before. Names are on the disk
at once: a file that gets its name before it is synced is found out."""
import pathlib
import struct
import subprocess

SECTOR = 512
ENTRY = struct.Struct("<Qqqqq")  # struct entry of power.c


def build(folder):
    """The library."""
    made = folder / "power.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", made, pathlib.Path(__file__).with_name("power.c")], check=True)
    return made


class Unsynced:
    """What the sectors of a file had, and how long it was, when it was synced last."""

    def __init__(self, size):
        self.size, self.sectors = size, {}

    def lose(self, path, rng):
        """@return how many sectors are what they were."""
        share = rng.choice([0.0, 0.5, 0.9])  # that reached the disk
        lost = [at for at in self.sectors if rng.random() >= share]
        with open(path, "r+b") as file:
            for at in lost:
                file.seek(at)
                file.write(self.sectors[at])
            if share == 0.0 or self.sectors and max(self.sectors) in lost:
                file.truncate(self.size)
        return len(lost)


def unsynced(journal):
    """Number of a file -> what is not on the disk for certain."""
    found, at, data = {}, 0, journal.read_bytes()
    while at < len(data):
        ino, place, n, old, size = ENTRY.unpack_from(data, at)
        at += ENTRY.size
        if n < 0:
            found.pop(ino, None)
            continue
        kept = found.setdefault(ino, Unsynced(size)).sectors
        was = data[at:at + old].ljust(n, b"\0")
        for i in range(0, n, SECTOR):
            kept.setdefault(place + i, was[i:i + SECTOR])
        at += old
    return found


def lose(journal, folders, rng):
    """Power is lost, and everything that was in memory with it. @return how many sectors were lost."""
    files = {path.stat().st_ino: path for folder in folders for path in folder.rglob("*") if path.is_file()}
    lost = sum(file.lose(files[ino], rng) for ino, file in unsynced(journal).items() if ino in files)
    for folder in folders:
        for index in folder.rglob("*-shm"):
            index.unlink()
    journal.write_bytes(b"")
    return lost
