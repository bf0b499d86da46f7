/* src/store/moments_priv.h
 * Times of commits: a row for the first commit of each second, written with it. */
#pragma once
#include "store/store.h"

/** A row. */
struct drg_moment {
	int64_t at; /**< seconds since 1970 */
	int64_t seq;
};

/** What a store knows of a time. */
struct drg_moments {
	int64_t first_at, first_seq; /**< since when times are kept, and the first commit since */
	int64_t next_seq; /**< the first commit at that time or later; 0: none */
};

/** An engine keeps the time of a commit by this, if it is later than the last. Now and then it thins out old
 * rows, so that the table stays small whatever is written. */
DRG_MUSTCHECK
int drg_moment_write(struct drg_txn *t, int64_t at, int64_t seq, struct drg_err *reterr);
