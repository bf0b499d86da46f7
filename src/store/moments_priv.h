/* src/store/moments_priv.h
 * Times of commits: a row for the first commit of each second, written in that commit. */
#pragma once
#include "store/store.h"

/** A row. */
struct drg_moment {
	int64_t at; /**< seconds since 1970 */
	int64_t seq;
};

/** The answer of a store about a time. */
struct drg_moments {
	int64_t first_at, first_seq; /**< the time since which times are kept, and the first commit since */
	int64_t next_seq; /**< the first commit at that time or later; 0: none */
};

/** Keep the time of a commit, if it is later than the last one; engines call this. The handle remembers the
 * last one of its own, so most commits need no statement. Old rows are thinned out
 * now and then, so the table stays small however much is written. */
DRG_MUSTCHECK
int drg_moment_write(struct drg_txn *t, int64_t at, int64_t seq, struct drg_err *reterr);
