/* src/store/restore.h
 * Fills a store with everything that another store has, unchanged: row numbers, seqs, tombstones, branches,
 * epoch. So a name of a place in one store, such as a cursor of the change feed or a version of the data, is
 * valid in the other (decision D7). admin/migrate.h does it.
 *
 * A store that is being filled is marked as incomplete, and drg_store_open() refuses it until
 * drg_txn_restore_end() was committed. */
#pragma once
#include "store/side.h"

/**
 * Prepare a store that was opened with DRG_STORE_TARGET: remove what an interrupted filling has left, and
 * mark the store.
 * @return DRG_OK; DRG_EINVAL: the store is not empty, and nothing was changed; DRG_EBUSY, DRG_EIO ...
 */
DRG_MUSTCHECK
int drg_store_make_target(struct drg_store *s, struct drg_err *reterr);

/** Lift the timeouts of a transaction: it takes minutes, and may pause as long as it likes. */
DRG_MUSTCHECK
int drg_txn_disable_timeouts(struct drg_txn *t, struct drg_err *reterr);

/** Should a filling commit now and then? Otherwise it is one transaction. */
bool drg_store_restores_in_parts(const struct drg_store *s);

/** Store a row as it was in another store: drg_row_meta.row is its number. @return DRG_OK; DRG_ECORRUPT: its
 * identity or its number exists already, or the engine cannot keep one of its values. */
DRG_MUSTCHECK
int drg_txn_restore(struct drg_txn *t, const struct drg_record *r, const struct drg_row_meta *m,
                    struct drg_err *reterr);
/** Store a row of a side table in the same way. */
DRG_MUSTCHECK
int drg_txn_restore_side(struct drg_txn *t, enum drg_side_id side, const void *row, struct drg_err *reterr);

/** Finish the rows: do the work that was put off while they were stored. */
DRG_MUSTCHECK
int drg_txn_restore_rows_end(struct drg_txn *t, struct drg_err *reterr);

/** Mark the store as complete, from the commit of this transaction on. */
DRG_MUSTCHECK
int drg_txn_restore_end(struct drg_txn *t, const struct drg_clock *clock, struct drg_err *reterr);

/** Called for every time of a commit, ascending. */
typedef int drg_moment_fn(void *ctx, int64_t at, int64_t seq);
DRG_MUSTCHECK
int drg_store_each_moment(struct drg_store *s, drg_moment_fn *fn, void *ctx, struct drg_err *reterr);

/** Read every row of a side table. */
DRG_MUSTCHECK
int drg_store_each_side(struct drg_store *s, enum drg_side_id side, drg_side_fn *fn, void *ctx,
                        struct drg_err *reterr);

/** The operations that an engine implements. */
struct drg_restore_ops {
	bool in_parts;
	/** Did an interrupted filling leave it incomplete? */
	bool (*incomplete)(const struct drg_store *s);
	/** Remove everything except the clock. mark() has removed a new store's commit times and its mark
	 * as repaired. */
	int (*clear)(struct drg_txn *t, struct drg_err *reterr);
	int (*mark)(struct drg_txn *t, struct drg_err *reterr);
	int (*unhurried)(struct drg_txn *t, struct drg_err *reterr); /**< NULL: nothing to do */
	/** Store a row. The first call may drop indexes, until rows_end(). */
	int (*row)(struct drg_txn *t, const struct drg_record *r, const struct drg_row_meta *m,
	           struct drg_err *reterr);
	int (*rows_end)(struct drg_txn *t, struct drg_err *reterr); /**< NULL: nothing to do */
	/** Write the clock, and remove the mark. */
	int (*whole)(struct drg_txn *t, const struct drg_clock *clock, struct drg_err *reterr);
};
extern const struct drg_restore_ops drg_sqlite_restore_ops, drg_pg_restore_ops;
