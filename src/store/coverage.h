/* src/store/coverage.h
 * How many records of suppliers are stored and mapped, by supplier, kind and day, without counting them: each
 * commit adds what it has changed to the counts of its day (DRG_USE_STORED, store/uses.h). */
#pragma once
#include "store/store.h"

struct drg_coverage {
	int64_t adapter;
	enum drg_kind kind;
	int64_t records, mapped;
	int64_t records_since,
	        mapped_since; /**< by how much they have grown from the beginning of the day asked for */
};
/** A return other than DRG_OK ends the reading and is handed through. */
typedef int drg_coverage_fn(void *ctx, const struct drg_coverage *c);

/**
 * Of every supplier and kind that has records, or had some, ascending.
 * @param since_day  Days since 1970 (UTC); INT64_MAX: no change is asked for. What was stored before days
 *                   were counted has none.
 */
DRG_MUSTCHECK
int drg_store_coverage(struct drg_store *s, int64_t since_day, drg_coverage_fn *fn, void *ctx,
                       struct drg_err *reterr);
