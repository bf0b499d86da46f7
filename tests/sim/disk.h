/* tests/sim/disk.h
 * A disk that fails when it is told to: SQLite's files lie in a folder as always, but what was written since
 * their last fsync is known, sector by sector. One disk for the process; for one thread. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/** From now on SQLite's files are on this disk. @param random  Of the simulation. */
void disk_begin(uint64_t (*random)(void));
/** Forget what is known of all files: a new folder is used. */
void disk_forget(void);

/** How operations that change a file fail. */
struct disk_failure {
	unsigned in, n; /**< the in-th from now, and the n - 1 after it; in 0: none */
	bool full; /**< no room, else an error */
	bool syncs; /**< only fsync is counted and fails */
	bool deadly; /**< with it all processes end: as disk_die() */
};
void disk_fail(const struct disk_failure *how);
/** No failure is to come any more. */
void disk_heal(void);
/** All that changes a file fails: the process is as good as dead. */
void disk_die(void);
bool disk_is_dead(void);
/** After disk_die(), when nothing is open: of each sector that no fsync has confirmed it is chosen whether it
 * is on the disk. */
void disk_lose_power(void);
/** After disk_die(): the disk works again. */
void disk_revive(void);

struct disk_counts {
	unsigned long writes, syncs, failures, sectors_lost;
};
extern struct disk_counts disk_counts;
