/* src/server/stopping.h
 * A stop that takes no longer than it may (decision E16). Disks, locks and clients can hold up any part of
 * it; a thread watches, says what is waited for, and as the last resort ends the process, which costs nothing
 * that was answered: what was acknowledged is on the disk. */
#pragma once

struct drg_stopping;

/** The exit status of a process that could not be stopped in time. */
enum { DRG_EXIT_STOP_HANGS = 3 };

/** The stop begins; it may take @p seconds. NULL: no memory; then nobody watches. */
struct drg_stopping *drg_stopping_begin(unsigned seconds);
/** Note the part that is being stopped now, for people. All take NULL. */
void drg_stopping_part(struct drg_stopping *s, const char *part);
/** Log what that part waits for. */
void drg_stopping_waits(struct drg_stopping *s, const char *what);
/** It cannot go on: end the process now, and say where. Does not return. */
_Noreturn void drg_stopping_hangs(struct drg_stopping *s);
/** Done in time. */
void drg_stopping_end(struct drg_stopping *s);
