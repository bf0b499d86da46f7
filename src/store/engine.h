/* src/store/engine.h
 * The engine's side of a store: the operations that an engine implements, and what its handles and transactions
 * begin with. For src/store and its engines only. */
#pragma once
#include "store/store.h"

struct drg_restore_ops;
struct drg_side_ops;

/** A stored row, as an engine loads it. */
struct drg_stored {
	int64_t row; /**< its lasting number */
	struct drg_record r; /**< texts are the engine's, until it is told that they are no longer needed */
	struct drg_row_meta m;
};

/**
 * What an engine implements. The functions of store.h call it after checks, and do what is the same for all
 * engines: what a put changes (change.c), the order and the state of a transaction (txn.c),
 * snapshots and the selection of types (store.c), the feed over all types (feed.c). Reads may run inside the
 * handle's own transaction and then see its changes.
 */
struct drg_store_ops {
	/** @param rest  Of the URL, behind the colon. */
	int (*open)(const char *rest, enum drg_store_mode mode, struct drg_store **ret,
	            struct drg_err *reterr);
	void (*close)(struct drg_store *s);
	int (*clock)(struct drg_store *s, struct drg_clock *ret, struct drg_err *reterr);
	int (*in_place)(struct drg_store *s, struct drg_err *reterr);
	const char *(*remark)(const struct drg_store *s);
	int (*bytes)(struct drg_store *s, uint64_t *ret, struct drg_err *reterr);
	/** NULL, both: nothing is announced. */
	int (*listen)(struct drg_store *s, struct drg_err *reterr);
	int (*await_news)(struct drg_store *s, int wake, unsigned ms, bool *ret_news, struct drg_err *reterr);

	/** Wait until nobody else writes, and begin. Its head is filled in by the caller, but for `number` and
	 * `server`. */
	int (*begin)(struct drg_store *s, struct drg_txn **ret, struct drg_err *reterr);
	/** Over with it in every case. @param seq  For the clock; 0: the clock stays as it is. @param
	 * branch  That begins with this seq; 0: none does. @param at  Seconds since 1970: kept with the seq if
	 * it is later than the last. */
	int (*commit)(struct drg_txn *t, int64_t seq, int64_t branch, int64_t at, struct drg_err *reterr);
	void (*rollback)(struct drg_txn *t);
	bool (*wanted)(const struct drg_txn *t);
	int (*settle)(struct drg_store *s, const struct drg_txn_mark *mark, enum drg_outcome *ret,
	              struct drg_err *reterr);
	/** @return DRG_OK, DRG_EBUSY, DRG_EIO. */
	int (*lock_imports)(struct drg_store *s, struct drg_err *reterr);
	void (*unlock_imports)(struct drg_store *s);

	/** NULL: of no use to it. */
	int (*expect)(struct drg_txn *t, const struct drg_record *key, struct drg_err *reterr);
	/** Store a row, unless its identity is there, be it as a tombstone. */
	int (*insert)(struct drg_txn *t, const struct drg_record *r, const struct drg_row_meta *m,
	              bool *ret_inserted, struct drg_err *reterr);
	/** Write over a row, but for its identity. It may borrow from the row that is loaded. */
	int (*update)(struct drg_txn *t, int64_t row, const struct drg_record *r,
	              const struct drg_row_meta *m, struct drg_err *reterr);
	/** The row of an identity, tombstones included. One of a type at a time, until unload(), which is
	 * called in every case. @return DRG_ENOENT, without words: there is none. */
	int (*load)(struct drg_store *s, const struct drg_record *key, struct drg_stored *ret,
	            struct drg_err *reterr);
	void (*unload)(struct drg_store *s, const struct drg_type *t);
	/** Is it there and alive? @return DRG_ENOENT, without words: no. */
	int (*exists)(struct drg_store *s, const struct drg_record *key, struct drg_err *reterr);

	/** A snapshot: what is read between the two is of one state, that of the first read. */
	int (*snapshot)(struct drg_store *s, struct drg_err *reterr);
	void (*snapshot_end)(struct drg_store *s);
	/** One type of a scan. */
	int (*scan)(struct drg_store *s, const struct drg_filter *f, const struct drg_type *t, drg_row_fn *fn,
	            void *ctx, struct drg_err *reterr);
	/**
	 * The rows of a type behind a place (of a seq behind a row; INT64_MAX: behind them all), by seq and
	 * row, tombstones included. feed_next() goes to the next, the first at its first call. feed_end() is
	 * called in every case.
	 * @param ret_seq  INT64_MAX: there are no more.
	 */
	int (*feed_begin)(struct drg_store *s, const struct drg_type *t, int64_t seq, int64_t row,
	                  struct drg_err *reterr);
	int (*feed_next)(struct drg_store *s, const struct drg_type *t, int64_t *ret_seq,
	                 struct drg_err *reterr);
	int (*feed_row)(struct drg_store *s, const struct drg_type *t, struct drg_stored *ret,
	                struct drg_err *reterr);
	void (*feed_end)(struct drg_store *s, const struct drg_type *t);
	/** @param limit  0: all; else so many, from the last field of @p key on. */
	int (*siblings)(struct drg_store *s, const struct drg_record *key, unsigned limit, drg_row_fn *fn,
	                void *ctx, struct drg_err *reterr);
	/** Tombstones included. NULL: there is nothing better than one after the other. */
	int (*among)(struct drg_store *s, const struct drg_record *key, const struct drg_str *ids, size_t n,
	             drg_row_fn *fn, void *ctx, struct drg_err *reterr);
	/** Live rows of a type that name the dict record by a field, at most @p limit. */
	int (*referrers)(struct drg_store *s, const struct drg_type *t, const struct drg_field_def *f,
	                 enum drg_kind kind, int64_t id, unsigned limit, drg_row_fn *fn, void *ctx,
	                 struct drg_err *reterr);
	int (*counts)(struct drg_store *s, const struct drg_type *t, drg_count_fn *fn, void *ctx,
	              struct drg_err *reterr);
	/** @param clock  Of the snapshot. */
	int (*check)(struct drg_store *s, const struct drg_clock *clock, drg_finding_fn *fn, void *ctx,
	             struct drg_err *reterr);
	const struct drg_restore_ops *restore; /**< store/restore.h */
	const struct drg_side_ops *side; /**< store/side_priv.h */
};

/** Every engine's struct drg_store begins with this. The engine sets ops; of the rest it may only clear
 * `branched`, where it finds that it writes to another history than before. */
struct drg_store_head {
	const struct drg_store_ops *ops;
	struct drg_txn *txn; /**< the one that is open; NULL */
	bool held; /**< a snapshot that lasts until drg_store_release() */
	bool imports_locked; /**< the handle has the right to import */
	bool branched; /**< the handle has begun a branch */
	bool odd_words; /**< drg_store_give_odd_words() */
	char *lent_url; /**< it is lent, or was given back; NULL */
	enum drg_store_mode lent_mode;
	struct drg_clock last; /**< at its last transaction */
};

/** Changes of the counts of a supplier and kind in a transaction (store/coverage.h): records, mapped records,
 * open questions. */
struct drg_count_change {
	int64_t adapter;
	enum drg_kind kind;
	int64_t records, mapped, asked;
};
enum { DRG_COUNT_CHANGES = 32 };

/** Every engine's struct drg_txn begins with this. */
struct drg_txn_head {
	const struct drg_store_ops *ops;
	struct drg_store *store;
	struct drg_clock before; /**< the clock at its beginning: changes carry the next seq */
	int64_t number, server; /**< the engine's, see struct drg_txn_mark; to be set by begin() */
	unsigned long writes;
	int rc; /**< of the store's first failure: from then on only a rollback is possible */
	bool changed; /**< takes its seq */
	int64_t began_ns; /**< the lock was there: waiting for it keeps nobody from writing */
	unsigned looks; /**< drg_txn_due() */
	bool expect_new
	        [DRG_TYPE_COUNT]; /**< the last record put of a type was a new one: the next probably is too */
	drg_watch_fn *watch; /**< NULL: nobody */
	void *watch_ctx;
	bool locked_imports; /**< has taken the right to import, and gives it back */
	unsigned n_counts;
	struct drg_count_change counts[DRG_COUNT_CHANGES]; /**< not written yet */
	int64_t at_us; /**< when it was committed, as its time is kept; 0: in the moment of the commit */
};
extern const struct drg_store_ops drg_sqlite_ops, drg_postgres_ops;
