/* src/server/image/imager.h
 * When the snapshot (server/image/file.h) is written: some time after the data have changed, once they change slowly, and at a
 * clean stop. A copy of the process writes it (fork(): the memory is shared until either changes it), so that neither
 * requests nor the follower wait for longer than the copy takes to be made. */
#pragma once
#include "server/image/file.h"

struct drg_imager;

struct drg_imager_options {
	const char *path;
	struct drg_follower *follower;
	unsigned interval_s; /**< between two snapshots, at least */
};

DRG_MUSTCHECK
int drg_imager_start(const struct drg_imager_options *o, struct drg_imager **ret, struct drg_err *reterr);
/** End the thread; a snapshot that is being written is dropped. NULL is fine. */
void drg_imager_stop(struct drg_imager *i);
/** After it, and after the follower has ended: the last snapshot, if that is worth its time. @param until_ns  When it is given
 * up. Then free it. NULL is fine. */
void drg_imager_end(struct drg_imager *i, int64_t until_ns);
