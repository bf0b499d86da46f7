/* src/decide/reports.h
 * The report of batches (decisions C7, M28). */
#pragma once
#include "store/reports.h"

/** Batches, the highest number first. */
struct drg_batches_wanted {
	int64_t id; /**< only this one; 0: all */
	int64_t adapter; /**< only batches that have written records of this supplier; 0: all */
	int64_t below; /**< only batches with a lower number; 0: from the newest */
	size_t most; /**< look at no more batches than this; 0: no limit */

	/* the result */
	int64_t last; /**< number of the last batch of which is known whether it is a row */
	bool stopped; /**< there are more than `most` */
};
extern const struct drg_report drg_batches_report;
/** @p asked: struct drg_batches_wanted. */
drg_report_query drg_batches_query;
