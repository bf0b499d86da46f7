/* src/base/lockfile.h
 * A fair advisory lock between processes, kept in a file.
 *
 * Two bytes are locked in turn: the queue byte, then the lock byte, after which the queue byte is released. Who
 * unlocks and wants the lock again must pass the queue, where an older waiter stands already; so a loop of
 * short transactions (an import) cannot starve another process, as it does with one plain lock. Between threads
 * of one process the open-file-description locks exclude each other too, when each thread has its own handle. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"

struct drg_lockfile;

/** Open (creating it, mode 0600) the lock file at @p path. */
DRG_MUSTCHECK
int drg_lockfile_open(const char *path, struct drg_lockfile **ret, struct drg_err *reterr);
/** Release and close; NULL is fine. The file stays. */
void drg_lockfile_close(struct drg_lockfile *l);

/** Wait for the lock. @return DRG_OK or DRG_EIO. */
DRG_MUSTCHECK
int drg_lockfile_lock(struct drg_lockfile *l, struct drg_err *reterr);
/** Take the lock if it is free, without waiting. @return DRG_OK, DRG_EBUSY, DRG_EIO. */
DRG_MUSTCHECK
int drg_lockfile_trylock(struct drg_lockfile *l, struct drg_err *reterr);
void drg_lockfile_unlock(struct drg_lockfile *l);
/** Does somebody else wait for the lock? For who holds it; a look of a moment. */
bool drg_lockfile_wanted(struct drg_lockfile *l);
