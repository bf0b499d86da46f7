/* src/admin/migrate.h
 * Moving a store to another engine, or to another place: the target gets all that the source has, as it is
 * there (decision D7, admin/move.h). Nobody writes to the source meanwhile, since its lock of writers and its
 * right to import are held from before the first row is read until the target is whole. Reading goes on. */
#pragma once
#include "admin/move.h"

struct drg_migrate_options {
	const char *from, *to; /**< URLs, as of drg_store_open() */
	/** May be NULL. @param total  0: not known. */
	void (*progress)(void *ctx, enum drg_move_step step, uint64_t done, uint64_t total);
	void *ctx;
};

struct drg_migrated {
	uint64_t rows; /**< tombstones and what is no record included */
	struct drg_clock clock; /**< of both */
};

/**
 * @return DRG_OK; DRG_EINVAL: the target is not empty, or is the source; DRG_ECORRUPT: the copy differs;
 *         errors of either store. After an error the source is as it was, and the target as it was or marked
 *         as incomplete: the same command can be given again.
 */
DRG_MUSTCHECK
int drg_migrate(const struct drg_migrate_options *o, struct drg_migrated *ret, struct drg_err *reterr);
