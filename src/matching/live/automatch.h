/* src/matching/live/automatch.h
 * The matcher in a running server (decision M36): a thread of the lowest priority follows the store, matches
 * what has come, and has the writer store what comes of it. It reads the reference when there is something to
 * match, and lets go of it when there has been nothing for some minutes. */
#pragma once
#include "server/writer.h"

struct drg_automatch;

struct drg_automatch_options {
	const char *store_url;
	struct drg_writer *writer; /**< must outlive it */
	bool automatic; /**< map what is certain; else suggest it too */
	/** What was there then is not its own; epoch "": what is there when it first looks. */
	struct drg_clock known;
};

DRG_MUSTCHECK
int drg_automatch_start(const struct drg_automatch_options *o, struct drg_automatch **ret,
                        struct drg_err *reterr);
/** The version of the data up to which new records have been matched. @return -1: it has not looked yet, or
 * `a` is NULL */
int64_t drg_automatch_matched(const struct drg_automatch *a);
/** What it has done since the start. From any thread; `a` may be NULL. */
struct drg_automatch_counts {
	uint64_t seen; /**< records that were matched */
	uint64_t mapped, asked; /**< of them: mapped; suggested, for people to decide */
};
void drg_automatch_count(const struct drg_automatch *a, struct drg_automatch_counts *ret);
/** Finish what is being stored, leave the rest, end the thread. NULL is fine. */
void drg_automatch_stop(struct drg_automatch *a);
