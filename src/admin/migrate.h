/* src/admin/migrate.h
 * Moves a store to another engine, or to another place: the target gets all rows of the source unchanged
 * (decision D7, admin/move.h). No other process writes to the source meanwhile: the migration holds its lock
 * of writers and its right to import from before the first row is read until the target is complete. Reading
 * is possible all the time. */
#pragma once
#include "admin/move.h"

struct drg_migrate_options {
	const char *from, *to; /**< URLs, as of drg_store_open() */
	/** May be NULL. @param total  0: not known. */
	void (*progress)(void *ctx, enum drg_move_step step, uint64_t done, uint64_t total);
	void *ctx;
};

struct drg_migrated {
	uint64_t rows; /**< number of rows, with tombstones and rows of side tables */
	struct drg_clock clock; /**< the clock of both stores */
};

/**
 * Migrate a store.
 * @return DRG_OK; DRG_EINVAL: the target is not empty, or is the source; DRG_ECORRUPT: the copy differs;
 * errors of either store. After an error the source is unchanged, and the target is unchanged or marked as
 * incomplete: the same command can be given again.
 */
DRG_MUSTCHECK
int drg_migrate(const struct drg_migrate_options *o, struct drg_migrated *ret, struct drg_err *reterr);
