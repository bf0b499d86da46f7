/* src/store/restore.h
 * Filling a store with all that another one has, as it is there: row numbers, seqs, tombstones, branches,
 * epoch. So whatever names a place in the one, such as a cursor of the change feed or a version of the data,
 * names it in the other (decision D7). admin/migrate.h does it.
 *
 * A store that is being filled is marked as incomplete, and drg_store_open() refuses it until
 * drg_txn_restored() was committed. */
#pragma once
#include "store/side.h"

/**
 * Make ready what was opened with DRG_STORE_TARGET: what an interrupted filling has left is removed, and it
 * is marked.
 * @return DRG_OK; DRG_EINVAL: it is not empty, and nothing was changed; DRG_EBUSY, DRG_EIO ...
 */
DRG_MUSTCHECK
int drg_store_make_target(struct drg_store *s, struct drg_err *reterr);

/** This transaction takes minutes, and may stand still as long as it likes. */
DRG_MUSTCHECK
int drg_txn_unhurried(struct drg_txn *t, struct drg_err *reterr);

/** Is it better to commit now and then while a store is filled? Else all of it is one transaction. */
bool drg_store_restores_in_parts(const struct drg_store *s);

/** Store a row as it was in another store: drg_row_meta.row is its number. @return DRG_OK; DRG_ECORRUPT: its
 * identity or its number is there already, or a value is none that this engine keeps. */
DRG_MUSTCHECK
int drg_txn_restore(struct drg_txn *t, const struct drg_record *r, const struct drg_row_meta *m,
                    struct drg_err *reterr);
/** Likewise a row of a side table. */
DRG_MUSTCHECK
int drg_txn_restore_side(struct drg_txn *t, enum drg_side_id side, const void *row, struct drg_err *reterr);

/** All rows are there: what was put off while they came in is done. */
DRG_MUSTCHECK
int drg_txn_restored_rows(struct drg_txn *t, struct drg_err *reterr);

/** The store is whole when this transaction is committed. */
DRG_MUSTCHECK
int drg_txn_restored(struct drg_txn *t, const struct drg_clock *clock, struct drg_err *reterr);

/** Every time of a commit, ascending. */
typedef int drg_moment_fn(void *ctx, int64_t at, int64_t seq);
DRG_MUSTCHECK
int drg_store_each_moment(struct drg_store *s, drg_moment_fn *fn, void *ctx, struct drg_err *reterr);

/** Every row of a side table. */
DRG_MUSTCHECK
int drg_store_each_side(struct drg_store *s, enum drg_side_id side, drg_side_fn *fn, void *ctx,
                        struct drg_err *reterr);

/** What an engine implements. */
struct drg_restore_ops {
	bool in_parts;
	/** Was it left incomplete? */
	bool (*incomplete)(const struct drg_store *s);
	/** Remove all that is in it, but for the clock. mark() has removed the times of a store that is new. */
	int (*clear)(struct drg_txn *t, struct drg_err *reterr);
	int (*mark)(struct drg_txn *t, struct drg_err *reterr);
	int (*unhurried)(struct drg_txn *t, struct drg_err *reterr); /**< NULL: nothing to do */
	/** The first of them may drop indexes, until rows_end(). */
	int (*row)(struct drg_txn *t, const struct drg_record *r, const struct drg_row_meta *m,
	           struct drg_err *reterr);
	int (*rows_end)(struct drg_txn *t, struct drg_err *reterr); /**< NULL: nothing to do */
	/** Write the clock, and take the mark away. */
	int (*whole)(struct drg_txn *t, const struct drg_clock *clock, struct drg_err *reterr);
};
extern const struct drg_restore_ops drg_sqlite_restore_ops, drg_pg_restore_ops;
