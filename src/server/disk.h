/* src/server/disk.h
 * Watches the free space on the disk of the store, and reports it in the log, in /readyz and in metrics
 * before a write fails. */
#pragma once
#include <stdint.h>
#include "base/err.h"

struct drg_disk;

struct drg_disk_options {
	const char *path; /**< a file on it, borrowed */
	unsigned low_percent, full_percent; /**< less free space than this is low, or nearly full; 0: never */
};

enum drg_disk_state { DRG_DISK_OK, DRG_DISK_LOW, DRG_DISK_NEARLY_FULL };

/** Look at once, then every five seconds on a thread. @return DRG_OK, DRG_ENOMEM, DRG_EIO. */
DRG_MUSTCHECK
int drg_disk_start(const struct drg_disk_options *o, struct drg_disk **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_disk_stop(struct drg_disk *d);
/**
 * "ok", "low" or "nearly_full"; NULL: not known. From any thread.
 * @param d        May be NULL.
 * @param full_ns  When a write failed for want of space (drg_clock_ns()), 0: none did. Until the next look the
 *                 disk is then nearly full, whatever the last look found.
 */
const char *drg_disk_word(const struct drg_disk *d, int64_t full_ns);
