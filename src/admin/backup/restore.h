/* src/admin/backup/restore.h
 * A store from a backup (admin/backup/backup.h), of the engine that its URL names. */
#pragma once
#include "admin/move.h"

/** What a backup says of itself. */
struct drg_backup_told {
	char program[96]; /**< that made it: version and commit */
	char made[32]; /**< RFC 3339 time */
	struct drg_clock clock;
	uint64_t rows;
};

/**
 * Read all of a backup, and check every byte of it and that this program knows every row.
 * @param progress  May be NULL; is told how many rows were read.
 * @return DRG_OK; DRG_ENOENT, DRG_EIO; DRG_EINVAL: it is no backup; DRG_ECORRUPT: it is damaged or cut off;
 *         DRG_ELIMIT: a newer program has made it.
 */
DRG_MUSTCHECK
int drg_backup_look(const char *path, void (*progress)(void *ctx, uint64_t rows), void *ctx,
                    struct drg_backup_told *ret, struct drg_err *reterr);

struct drg_restore_options {
	const char *path; /**< the backup: a file, which is read twice */
	const char *store; /**< URL: a new file or an empty database */
	/** May be NULL. @param total  0: not known. */
	void (*progress)(void *ctx, enum drg_move_step step, uint64_t done, uint64_t total);
	void *ctx;
};

/**
 * Fill an empty store with a backup that drg_backup_look() has found whole. It has the same commits, up to
 * that of the backup; what is written next begins a branch (F7), so who has seen more than there is in the
 * backup hears that.
 * @return as drg_move(), and DRG_ECORRUPT where the backup has changed since.
 */
DRG_MUSTCHECK
int drg_restore(const struct drg_restore_options *o, const struct drg_backup_told *told,
                struct drg_err *reterr);
