/* src/server/unmatched.h
 * Queries of avia/compared that matched nothing. They are counted in memory (server/counters.h) and stored
 * each second, or when half of the room is taken (decision A8): a report that comes a million times costs one
 * row a second. */
#pragma once
#include "server/writer.h"
#include "store/air_reports.h"

struct drg_unmatched;

struct drg_unmatched_options {
	struct drg_writer *writer; /**< must outlive this */
	unsigned flush_ms; /**< between two stores; 0: 1000 */
	size_t max_pending; /**< different reports that wait; 0: 16,384 */
	size_t max_bytes; /**< of their texts; 0: 16 MiB */
	int64_t keep; /**< reports kept in the store for one adapter, the latest seen; 0: 100,000 */
};

DRG_MUSTCHECK
int drg_unmatched_start(const struct drg_unmatched_options *o, struct drg_unmatched **ret,
                        struct drg_err *reterr);
/** Store what waits, if possible, and end the thread. No thread may report any more. NULL is fine. */
void drg_unmatched_stop(struct drg_unmatched *d);

/** Count a report once, at the present time; its own count and times are ignored. From any thread; texts are
 * copied. */
void drg_unmatched_report(struct drg_unmatched *d, const struct drg_air_report *r);
