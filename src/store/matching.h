/* src/store/matching.h
 * The server that matches new records of a store, and how far it has come (decision M36): one row, which is
 * not a record. The right to match is a lease by the clock of the store: the database's clock, or that of the
 * machine for a store in a file. The lease only keeps servers from doing the same work. That nothing is
 * written twice or left out is ensured by the place: a server moves it only from where it has found it. */
#pragma once
#include "store/store.h"

/** Duration of a lease in microseconds. */
enum { DRG_MATCHING_LEASE_US = 7000000 };

struct drg_matching {
	int64_t holder; /**< number of the holder; 0: none */
	int64_t left_us; /**< remaining time of the lease; negative: it is over */
	bool free; /**< nobody has the right to match, or the lease is over */
	bool placed; /**< `place` is set */
	struct drg_feed_place place; /**< everything up to here is matched */
};

/** Read the row; within a transaction, with its changes. */
DRG_MUSTCHECK
int drg_store_matching(struct drg_store *s, struct drg_matching *ret, struct drg_err *reterr);

/** Take the right to match, unless another server has it. @param holder  Not 0. @param ret  The row
 * before. */
DRG_MUSTCHECK
int drg_txn_take_matching(struct drg_txn *t, int64_t holder, struct drg_matching *ret,
                          struct drg_err *reterr);

/**
 * Move the place: everything up to @p to is matched; the holder also gets the right. Another holder need not
 * agree: the server that finds the place unchanged has done the work.
 * @param from  The place when the server read the data on which its writes are based; NULL: there was none.
 * @return DRG_OK; DRG_ESTOPPED, without a message: another server has moved the place meanwhile, and this
 *         transaction must be rolled back.
 */
DRG_MUSTCHECK
int drg_txn_move_matching(struct drg_txn *t, int64_t holder, const struct drg_feed_place *from,
                          const struct drg_feed_place *to, struct drg_err *reterr);

/** Write the row of a store that is filled from another (store/restore.h). */
DRG_MUSTCHECK
int drg_txn_restore_matching(struct drg_txn *t, const struct drg_matching *m, struct drg_err *reterr);

/** Compare two places, ascending in the order of the feed. */
int drg_feed_place_cmp(const struct drg_feed_place *a, const struct drg_feed_place *b);
