/* src/server/unmatched.h
 * What avia/compared could not match, counted in memory (server/counters.h) and stored each second, or as soon as half of the
 * room is taken (decision A8): a report that comes a million times costs one row a second. */
#pragma once
#include "server/writer.h"
#include "store/air_reports.h"

struct drg_unmatched;

struct drg_unmatched_options {
	struct drg_writer *writer; /**< must outlive it */
	unsigned flush_ms; /**< between two stores; 0: 1000 */
	size_t max_pending; /**< different reports that wait; 0: 16,384 */
	size_t max_bytes; /**< of their texts; 0: 16 MiB */
	int64_t keep; /**< reports of one adapter in the store; those not seen for longest go; 0: 100,000 */
};

DRG_MUSTCHECK
int drg_unmatched_start(const struct drg_unmatched_options *o, struct drg_unmatched **ret,
                        struct drg_err *reterr);
/** Store what waits, if that can be done, and end the thread. Nobody reports any more. NULL is fine. */
void drg_unmatched_stop(struct drg_unmatched *d);

/** Count a report once, as of now: its count and times are not read. From any thread; texts are copied. */
void drg_unmatched_report(struct drg_unmatched *d, const struct drg_air_report *r);
