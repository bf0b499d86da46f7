/* src/base/lockfile.h
 * A fair advisory lock between processes, kept in a file.
 *
 * Two bytes are locked in turn: the queue byte, then the lock byte; after that the queue byte is released. A
 * process that unlocks and wants the lock again must pass the queue, where an older waiter stands already. So
 * a loop of short transactions (an import) cannot starve another process, as it does with one plain lock. The
 * open-file-description locks exclude threads of one process too, if each thread has its own handle.
 *
 * Nobody waits for ever: if a process holds the lock and does not move, the others fail after a bound, and
 * the message names that process. The process that takes the lock checks that its file is the one that the
 * path names, so removing or replacing the file does not let two in. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"

struct drg_lockfile;

/** Set how long drg_lockfile_lock() waits, in this process; 5,000 ms unless set. It applies to waits in
 * progress too. */
void drg_lockfile_set_timeout(unsigned ms);
unsigned drg_lockfile_timeout(void);

/** Open (creating it, mode 0600) the lock file at @p path. */
DRG_MUSTCHECK
int drg_lockfile_open(const char *path, struct drg_lockfile **ret, struct drg_err *reterr);
/** Release and close; NULL is fine. The file stays. */
void drg_lockfile_close(struct drg_lockfile *l);

/** Wait for the lock. @return DRG_OK; DRG_EBUSY "locked": not within the bound, and the message names the
 * holder; DRG_ENOENT: the folder of the file is gone; DRG_EIO, DRG_EFULL. */
DRG_MUSTCHECK
int drg_lockfile_lock(struct drg_lockfile *l, struct drg_err *reterr);
/** Take the lock if it is free, without waiting. @return as drg_lockfile_lock(). */
DRG_MUSTCHECK
int drg_lockfile_trylock(struct drg_lockfile *l, struct drg_err *reterr);
void drg_lockfile_unlock(struct drg_lockfile *l);
/** Does another process or thread wait for the lock? For the holder of the lock; it takes a moment. */
bool drg_lockfile_has_waiters(struct drg_lockfile *l);

/** Is the file that is open still the one that the path names? */
bool drg_lockfile_in_place(const struct drg_lockfile *l);

/** "process 4711 (dragoman import hotels.ndjson)", or "another process" if it is not known. For messages: it
 * is the text that the holder wrote when it took the lock. */
void drg_lockfile_holder(const struct drg_lockfile *l, char *to, size_t n);

/** Write a line that stays in the file for the next process that opens it. The lock is held. The line is not
 * forced to the disk. */
enum { DRG_LOCKFILE_NOTE = 256 };
void drg_lockfile_note(const struct drg_lockfile *l, const char *text);
/** Read the note of the lock file at @p path, without opening it for locking; "" if there is none. */
void drg_lockfile_read_note(const char *path, char to[static DRG_LOCKFILE_NOTE]);
