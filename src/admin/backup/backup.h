/* src/admin/backup/backup.h
 * A backup: all data of a store at one commit, in a file from which a store of either engine can be filled
 * (decision D8, admin/backup/restore.h). It is read from one snapshot, while others read and write the
 * store. */
#pragma once
#include "store/store.h"

enum drg_backup_step { DRG_BACKUP_WRITING, DRG_BACKUP_CHECKING };

struct drg_backup_options {
	const char *store; /**< URL, as of drg_store_open() */
	/** the file; if a file of this name exists it must be a backup, and is replaced; "-": standard
	 * output */
	const char *path;
	/** the name under which the file is written, in the same folder; NULL: PATH.new */
	const char *aside;
	/** where a store with an older schema is copied to for a while (drg_store_copy_older()) */
	const char *copy;
	/** May be NULL. */
	void (*progress)(void *ctx, enum drg_backup_step step, uint64_t rows);
	void *ctx;
};

struct drg_backed_up {
	uint64_t rows, bytes;
	struct drg_clock clock; /**< the backup has all commits up to this one */
	int64_t at_us; /**< wall clock when the backup began */
};

/**
 * Write the backup, sync it, read it back, and only then give it its name, with mode 0600. A backup to
 * standard output is not read back.
 * @return DRG_OK; DRG_EEXIST: the file of that name is not a backup; DRG_EBUSY: another process writes it;
 * DRG_EFULL, DRG_EIO; DRG_ECORRUPT: what was read back differs from what was written; errors of the store.
 * After an error the previous file is unchanged, unless only the folder could not be synced.
 */
DRG_MUSTCHECK
int drg_backup(const struct drg_backup_options *o, struct drg_backed_up *ret, struct drg_err *reterr);
