/* src/server/image/imager.h
 * Decides when the snapshot (server/image/file.h) is written: some time after the data have changed, when
 * they change slowly, and at a clean stop. A forked process writes it (memory is shared until either process
 * changes it), so requests and follower wait only for the fork. */
#pragma once
#include "server/image/file.h"

struct drg_imager;

struct drg_imager_options {
	const char *path;
	struct drg_follower *follower;
	unsigned interval_s; /**< shortest time between two snapshots */
};

DRG_MUSTCHECK
int drg_imager_start(const struct drg_imager_options *o, struct drg_imager **ret, struct drg_err *reterr);
/** End the thread; a snapshot that is being written is dropped. NULL is fine. */
void drg_imager_stop(struct drg_imager *i);
/** Write the last snapshot, if it is worth its time, and free the imager. Call it after drg_imager_stop() and
 * drg_follower_stop(). @param until_ns  When it gives up. NULL is fine. */
void drg_imager_end(struct drg_imager *i, int64_t until_ns);
