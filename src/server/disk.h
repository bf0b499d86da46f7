/* src/server/disk.h
 * Whether the disk of the store fills up: said in the log, in /readyz and in metrics before a write fails. */
#pragma once
#include "base/err.h"

struct drg_disk;

struct drg_disk_options {
	const char *path; /**< a file on it, borrowed */
	unsigned low_percent, full_percent; /**< it is low, nearly full, with less free than that; 0: never */
};

enum drg_disk_state { DRG_DISK_OK, DRG_DISK_LOW, DRG_DISK_NEARLY_FULL };

/** Looks at once, and then every five seconds on a thread of its own. @return DRG_OK, DRG_ENOMEM, DRG_EIO. */
DRG_MUSTCHECK
int drg_disk_start(const struct drg_disk_options *o, struct drg_disk **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_disk_stop(struct drg_disk *d);
/** From any thread; "ok", "low" or "nearly_full", NULL: it is not known. @p d may be NULL. */
const char *drg_disk_word(const struct drg_disk *d);
