"""The nth call of a sort fails, and no other (faults.c): which, and with which error."""
import errno
import os
import random

import faults

#: Seconds after which what has not ended hangs.
PATIENCE = 60
#: The sort of call, and what it fails with.
ERRORS = {"allocate": errno.ENOMEM, "write": errno.ENOSPC, "put": errno.EIO, "sync": errno.EIO, "read": errno.EIO, "open": errno.EMFILE,
          "rename": errno.EIO, "truncate": errno.EIO, "map": errno.ENOMEM, "thread": errno.EAGAIN}
WANTED = os.environ.get("DRG_NTH", "2")
SEED = os.environ.get("DRG_NTH_SEED", "1")


def chosen(points, what, every=False):
    """Those of 1 to `points` that are tried."""
    all_of_them = range(1, points + 1)
    if every or WANTED == "all" or points <= int(WANTED):
        return all_of_them
    return sorted(random.Random(f"{SEED} {what}").sample(all_of_them, int(WANTED)))


class Faults(faults.Faults):
    def count(self, call, pid=0):
        self.nth(faults.ALWAYS, call, 0, pid)

    def counted(self):
        return faults.ALWAYS - self.left

    def arm(self, call, n, pid=0):
        self.nth(n, call, ERRORS[call], pid)

    def was_reached(self):
        return self.left == 0 and not self.page.spared
