/* src/admin/backup/restore.h
 * Fills a store from a backup (admin/backup/backup.h); its URL says of which engine it is. */
#pragma once
#include "admin/move.h"

/** The data that a backup has about itself. */
struct drg_backup_info {
	char program[96]; /**< the program that made it: version and commit */
	char made[32]; /**< RFC 3339 time */
	struct drg_clock clock;
	uint64_t rows;
};

/**
 * Read all of a backup, and check every byte, and that this program knows every row.
 * @param progress  May be NULL; called with the number of rows read so far.
 * @return DRG_OK; DRG_ENOENT, DRG_EIO; DRG_EINVAL: the file is not a backup; DRG_ECORRUPT: it is damaged or
 * cut off; DRG_ELIMIT: a newer program has made it.
 */
DRG_MUSTCHECK
int drg_backup_verify(const char *path, void (*progress)(void *ctx, uint64_t rows), void *ctx,
                      struct drg_backup_info *ret, struct drg_err *reterr);

struct drg_restore_options {
	const char *path; /**< the backup: a file, which is read twice */
	const char *store; /**< URL: a new file or an empty database */
	/** May be NULL. @param total  0: not known. */
	void (*progress)(void *ctx, enum drg_move_step step, uint64_t done, uint64_t total);
	void *ctx;
};

/**
 * Fill an empty store from a backup that drg_backup_verify() has checked. The store then has the same commits,
 * up to that of the backup. The next write begins a new branch (F7), so a client that has seen later commits
 * of the old store is told to start over.
 * @return as drg_move(), and DRG_ECORRUPT if the backup has changed since it was checked.
 */
DRG_MUSTCHECK
int drg_restore(const struct drg_restore_options *o, const struct drg_backup_info *told,
                struct drg_err *reterr);
