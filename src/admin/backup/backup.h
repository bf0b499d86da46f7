/* src/admin/backup/backup.h
 * A backup: all that a store has, at one commit, in a file that either engine is filled from (decision D8,
 * admin/backup/restore.h). It is taken from one snapshot while others read and write. */
#pragma once
#include "store/store.h"

enum drg_backup_step { DRG_BACKUP_WRITING, DRG_BACKUP_CHECKING };

struct drg_backup_options {
	const char *store; /**< URL, as of drg_store_open() */
	const char *path; /**< the file, which is replaced if it is a backup; "-": standard output */
	const char *aside; /**< the name to write under, in the same folder; NULL: PATH.new */
	/** May be NULL. */
	void (*progress)(void *ctx, enum drg_backup_step step, uint64_t rows);
	void *ctx;
};

struct drg_backed_up {
	uint64_t rows, bytes;
	struct drg_clock clock; /**< all up to this commit is in it */
	int64_t at_us; /**< wall clock when it was begun */
};

/**
 * Write the backup, bring it to stable storage, read it back, and only then give it its name, mode 0600. What
 * goes to standard output is not read back.
 * @return DRG_OK; DRG_EEXIST: there is a file of that name which is no backup; DRG_EBUSY: another process
 *         writes it; DRG_EFULL, DRG_EIO; DRG_ECORRUPT: what was read back is not what was written; errors of
 *         the store. After an error there is what was there before, unless the folder alone could not be
 *         synced.
 */
DRG_MUSTCHECK
int drg_backup(const struct drg_backup_options *o, struct drg_backed_up *ret, struct drg_err *reterr);
