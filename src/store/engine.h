/* src/store/engine.h
 * The engine's side of a store: the operations that an engine implements, and the first members of its
 * handles and transactions. For src/store and its engines only. */
#pragma once
#include "store/store.h"

struct drg_restore_ops;
struct drg_side_ops;

/** The operations of an engine. The functions of store.h call them after checks, and do the work that is the
 * same for all engines: what a put changes (change.c), the order and state of a transaction (txn.c),
 * snapshots and the selection of types (store.c), the feed over all types (feed.c). A read may run inside the
 * handle's own transaction and then sees its changes. */
struct drg_store_ops {
	/** @param rest  The URL without the scheme and its colon. */
	int (*open)(const char *rest, enum drg_store_mode mode, struct drg_store **ret,
	            struct drg_err *reterr);
	/** See drg_store_copy_older(). NULL: the engine cannot. */
	int (*copy_older)(const char *rest, const char *path, struct drg_err *reterr);
	void (*close)(struct drg_store *s);
	int (*clock)(struct drg_store *s, struct drg_clock *ret, struct drg_err *reterr);
	int (*in_place)(struct drg_store *s, struct drg_err *reterr);
	const char *(*remark)(const struct drg_store *s);
	int (*bytes)(struct drg_store *s, uint64_t *ret, struct drg_err *reterr);
	/** NULL: the engine has no log that readers keep from being emptied. */
	int (*empty_log)(struct drg_store *s, struct drg_err *reterr);
	/** This and await_news: NULL if the engine announces nothing. */
	int (*listen)(struct drg_store *s, struct drg_err *reterr);
	int (*await_news)(struct drg_store *s, int wake, unsigned ms, bool *ret_news, struct drg_err *reterr);

	/** Wait until nobody else writes, and begin. The caller fills in the head, except `number` and
	 * `server`. */
	int (*begin)(struct drg_store *s, struct drg_txn **ret, struct drg_err *reterr);
	/** Commit; the transaction ends in every case.
	 * @param seq  The new clock; 0: the clock does not change.
	 * @param branch  The branch that begins with this seq; 0: none.
	 * @param at  Seconds since 1970: kept with the seq if later than the last one. */
	int (*commit)(struct drg_txn *t, int64_t seq, int64_t branch, int64_t at, struct drg_err *reterr);
	void (*rollback)(struct drg_txn *t);
	bool (*wanted)(const struct drg_txn *t);
	int (*resolve_commit)(struct drg_store *s, const struct drg_txn_mark *mark, enum drg_outcome *ret,
	                      struct drg_err *reterr);
	/** @return DRG_OK, DRG_EBUSY, DRG_EIO. */
	int (*lock_imports)(struct drg_store *s, struct drg_err *reterr);
	void (*unlock_imports)(struct drg_store *s);

	/** Announce an identity, see drg_txn_prefetch(). NULL: the engine has no use for it. */
	int (*expect)(struct drg_txn *t, const struct drg_record *key, struct drg_err *reterr);
	/** Store a row, unless a row of its identity exists, live or as a tombstone. */
	int (*insert)(struct drg_txn *t, const struct drg_record *r, const struct drg_row_meta *m,
	              bool *ret_inserted, struct drg_err *reterr);
	/** Overwrite a row, except its identity. The record may borrow from the loaded row. */
	int (*update)(struct drg_txn *t, int64_t row, const struct drg_record *r,
	              const struct drg_row_meta *m, struct drg_err *reterr);
	/** Load the row of an identity, live or a tombstone. One row of a type at a time, until unload(), which
	 * frees its texts and is called in every case. @return DRG_ENOENT, without a message: there is
	 * none. */
	int (*load)(struct drg_store *s, const struct drg_record *key, struct drg_stored *ret,
	            struct drg_err *reterr);
	void (*unload)(struct drg_store *s, const struct drg_type *t);
	/** Is a record of this identity alive? @return DRG_ENOENT, without a message: no. */
	int (*exists)(struct drg_store *s, const struct drg_record *key, struct drg_err *reterr);

	/** A snapshot: all reads between the two see the state of the first read. */
	int (*snapshot)(struct drg_store *s, struct drg_err *reterr);
	void (*snapshot_end)(struct drg_store *s);

	/* Readings of rows of one type. One of the first five opens a reading, rows_next() reads a row of it
	 * into `row`, and rows_end() follows in every case if it was opened. */

	/** The rows that match the reading's filter. */
	int (*scan)(struct drg_rows *q, const struct drg_type *t, struct drg_err *reterr);
	/** The rows that a statement finds. Frees its text. */
	int (*query)(struct drg_rows *q, struct drg_buf *sql, const struct drg_type *t,
	             struct drg_err *reterr);
	/** @param limit  0: all siblings; else at most so many, from the last field of @p key on. */
	int (*siblings)(struct drg_rows *q, const struct drg_record *key, unsigned limit,
	                struct drg_err *reterr);
	/** Rows, tombstones included. NULL: the engine can only load them one by one. */
	int (*among)(struct drg_rows *q, const struct drg_record *key, const struct drg_str *ids, size_t n,
	             struct drg_err *reterr);
	/** Live rows that refer by a field to the reading's dict record, at most `left`. */
	int (*referrers)(struct drg_rows *q, const struct drg_type *t, const struct drg_field_def *f,
	                 struct drg_err *reterr);
	/** @return DRG_ENOENT, without a message: there are no more. */
	int (*rows_next)(struct drg_rows *q, struct drg_err *reterr);
	int (*rows_end)(struct drg_rows *q, struct drg_err *reterr);

	/**
	 * Read the rows of a type behind a place (a seq and a row; row INT64_MAX: behind all rows of the
	 * seq), by seq and row, with tombstones. The first feed_next() goes to the first row, each further
	 * one to the next. feed_end() is called in every case.
	 * @param ret_seq  INT64_MAX: there are no more rows.
	 */
	int (*feed_begin)(struct drg_store *s, const struct drg_type *t, int64_t seq, int64_t row,
	                  struct drg_err *reterr);
	int (*feed_next)(struct drg_store *s, const struct drg_type *t, int64_t *ret_seq,
	                 struct drg_err *reterr);
	int (*feed_row)(struct drg_store *s, const struct drg_type *t, struct drg_stored *ret,
	                struct drg_err *reterr);
	void (*feed_end)(struct drg_store *s, const struct drg_type *t);
	int (*counts)(struct drg_store *s, const struct drg_type *t, drg_count_fn *fn, void *ctx,
	              struct drg_err *reterr);
	/** @param clock  The clock of the snapshot. */
	int (*check)(struct drg_store *s, const struct drg_clock *clock, drg_finding_fn *fn, void *ctx,
	             struct drg_err *reterr);
	const struct drg_restore_ops *restore; /**< store/restore.h */
	const struct drg_side_ops *side; /**< store/side_priv.h */
};

/** The first member of every engine's struct drg_store. The engine sets ops. It may also clear `branched`,
 * when it finds that the handle now writes to another history; the rest it only reads. */
struct drg_store_head {
	const struct drg_store_ops *ops;
	struct drg_txn *txn; /**< the open transaction; NULL: none */
	bool held; /**< a snapshot that lasts until drg_store_release() */
	bool imports_locked; /**< the handle has the right to import */
	bool branched; /**< the handle has begun a branch */
	bool odd_words; /**< set by drg_store_allow_unknown_enums() */
	char *lent_url; /**< the URL of a handle that is or was lent; NULL: never lent */
	enum drg_store_mode lent_mode;
	struct drg_clock last; /**< the clock at the handle's last transaction, and after its commit */
	int64_t moment; /**< the newest second of a commit of this handle; 0: none */
};

/** The change of a (supplier, kind) count in a transaction (store/coverage.h): records, mapped records, open
 * questions. */
struct drg_count_change {
	int64_t adapter;
	enum drg_kind kind;
	int64_t records, mapped, asked;
};
enum { DRG_COUNT_CHANGES = 32 };

/** The first member of every engine's struct drg_txn. */
struct drg_txn_head {
	const struct drg_store_ops *ops;
	struct drg_store *store;
	struct drg_clock before; /**< the clock at the beginning; changes get the next seq */
	int64_t number, server; /**< used by the engine, see struct drg_txn_mark; begin() sets them */
	unsigned long writes;
	int rc; /**< code of the store's first failure; after one only a rollback is possible */
	bool changed; /**< something was changed, so the commit takes a seq */
	unsigned types; /**< types of the changed records, one bit each */
	int64_t began_ns; /**< when the lock was granted: a writer that waits for it blocks nobody */
	unsigned looks; /**< calls of drg_txn_should_commit() */
	bool expect_new
	        [DRG_TYPE_COUNT]; /**< the last record put of a type was new: the next probably is too */
	drg_watch_fn *watch; /**< NULL: none */
	void *watch_ctx;
	bool locked_imports; /**< the transaction has taken the right to import, and gives it back */
	unsigned n_counts;
	struct drg_count_change counts[DRG_COUNT_CHANGES]; /**< changes of counts that are not written yet */
	int64_t at_us; /**< time to keep with the commit; 0: the time of the commit itself */
};
extern const struct drg_store_ops drg_sqlite_ops, drg_postgres_ops;
