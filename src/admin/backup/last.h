/* src/admin/backup/last.h
 * Remembers when the last backup was made, in a file "last-backup" in the data folder beside the store, and
 * when one failed, in "last-backup-failure": a backup writes nothing into the store. */
#pragma once
#include "admin/backup/backup.h"

struct drg_last_backup {
	int64_t at_us; /**< wall clock when the backup began */
	int64_t seq; /**< the backup has all commits up to this one */
	uint64_t rows, bytes;
	char epoch[40]; /**< epoch of the store, because the folder may contain another store by now */
};

/** Write the file, in place of the previous one. @return DRG_OK, DRG_EFULL, DRG_EIO, DRG_EBUSY. */
DRG_MUSTCHECK
int drg_last_backup_note(const char *folder, const struct drg_backed_up *did, struct drg_err *reterr);
/** @return false: no backup is known. */
bool drg_last_backup_read(const char *folder, struct drg_last_backup *ret);

/** Write when a backup failed, now, and why. */
DRG_MUSTCHECK
int drg_last_backup_note_failure(const char *folder, const char *why, struct drg_err *reterr);
/** When the last backup failed, wall clock; 0: none is known to have failed. */
int64_t drg_last_backup_failure_us(const char *folder);
