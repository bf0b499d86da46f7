/* src/matching/live/automatch.h
 * The matcher in a running server (decision M36): a background thread follows the store, matches
 * new records, and open cases that a new record of the reference may be, and gives the results to the writer.
 * It reads the reference when there is something to match, and frees it after some minutes without. */
#pragma once
#include "server/writer.h"

struct drg_automatch;

struct drg_automatch_options {
	const char *store_url;
	struct drg_writer *writer; /**< must outlive it */
	bool automatic; /**< map certain results; false: only suggest them */
	/** Records up to this commit are not matched; epoch "": records that exist at its first look. */
	struct drg_clock known;
};

DRG_MUSTCHECK
int drg_automatch_start(const struct drg_automatch_options *o, struct drg_automatch **ret,
                        struct drg_err *reterr);
/** All new records up to this version of the data are matched. @return -1: the matcher has not looked yet, or
 * `a` is NULL */
int64_t drg_automatch_matched(const struct drg_automatch *a);
/** Counts since the start. From any thread; `a` may be NULL. */
struct drg_automatch_counts {
	uint64_t seen; /**< records that were matched */
	uint64_t mapped, asked; /**< of these: mapped; suggested, for people to decide */
};
void drg_automatch_count(const struct drg_automatch *a, struct drg_automatch_counts *ret);
/** Finish the storing in progress, drop the other results, end the thread. NULL is fine. */
void drg_automatch_stop(struct drg_automatch *a);
