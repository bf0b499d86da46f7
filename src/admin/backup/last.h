/* src/admin/backup/last.h
 * When the last backup was made: a file "last-backup" in the data folder, beside the store, because a backup
 * writes nothing into the store. */
#pragma once
#include "admin/backup/backup.h"

struct drg_last_backup {
	int64_t at_us; /**< wall clock when it was begun */
	int64_t seq; /**< all up to this commit is in it */
	uint64_t rows, bytes;
	char epoch[40]; /**< of the store: a folder may have got another one since */
};

/** Note it in place of the one of before. @return DRG_OK, DRG_EFULL, DRG_EIO, DRG_EBUSY. */
DRG_MUSTCHECK
int drg_last_backup_note(const char *folder, const struct drg_backed_up *did, struct drg_err *reterr);
/** @return false: none is known. */
bool drg_last_backup_read(const char *folder, struct drg_last_backup *ret);
