/* src/store/coverage.h
 * How many records of suppliers are stored and mapped, by supplier, kind and day, without counting rows: each
 * commit adds its changes to the counts of its day (DRG_USE_STORED, store/uses.h). */
#pragma once
#include "store/store.h"

struct drg_coverage {
	int64_t adapter;
	enum drg_kind kind;
	int64_t records, mapped;
	int64_t records_since, mapped_since; /**< growth since the beginning of the day asked for */
};
/** A return other than DRG_OK ends the reading and is passed on. */
typedef int drg_coverage_fn(void *ctx, const struct drg_coverage *c);

/**
 * Read the counts of every supplier and kind that has or had records, ascending.
 * @param since_day  Days since 1970 (UTC); INT64_MAX: growth is not asked for. Records stored before days
 *                   were counted are in no growth.
 */
DRG_MUSTCHECK
int drg_store_coverage(struct drg_store *s, int64_t since_day, drg_coverage_fn *fn, void *ctx,
                       struct drg_err *reterr);
