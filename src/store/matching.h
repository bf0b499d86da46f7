/* src/store/matching.h
 * Which server of a store matches new records, and how far that has come (decision M36): one row, which is no
 * record. The right is a lease by the clock of the store: that of the database, or of the machine where the
 * store is a file. It keeps servers from doing the same work; that nothing is written twice or left out is
 * the place's, which moves only from where who moves it has found it. */
#pragma once
#include "store/store.h"

/** Microseconds: for so long the right is one's own after it was taken. */
enum { DRG_MATCHING_LEASE_US = 7000000 };

struct drg_matching {
	int64_t holder; /**< 0: nobody */
	int64_t left_us; /**< for how long the right lasts; below 0: it is over */
	bool free; /**< nobody has the right, or not any more */
	bool placed; /**< there is a place */
	struct drg_feed_place place; /**< up to here everything is matched */
};

/** As it is now; within a transaction, with what that has written. */
DRG_MUSTCHECK
int drg_store_matching(struct drg_store *s, struct drg_matching *ret, struct drg_err *reterr);

/** Have the right from now on, unless another has it. @param holder  Not 0. @param ret  As it was found. */
DRG_MUSTCHECK
int drg_txn_take_matching(struct drg_txn *t, int64_t holder, struct drg_matching *ret,
                          struct drg_err *reterr);

/**
 * Everything up to @p to is matched, and the right is the holder's. No other has to be asked: who finds the
 * place where it was has done the work.
 * @param from  Where the place was when what is written now was read; NULL: there was none.
 * @return DRG_OK; DRG_ESTOPPED, without words: another has moved it meanwhile, and this transaction has to be
 *         left.
 */
DRG_MUSTCHECK
int drg_txn_move_matching(struct drg_txn *t, int64_t holder, const struct drg_feed_place *from,
                          const struct drg_feed_place *to, struct drg_err *reterr);

/** For a store that is filled from another (store/restore.h). */
DRG_MUSTCHECK
int drg_txn_restore_matching(struct drg_txn *t, const struct drg_matching *m, struct drg_err *reterr);

/** Ascending, as the feed goes. */
int drg_feed_place_cmp(const struct drg_feed_place *a, const struct drg_feed_place *b);
