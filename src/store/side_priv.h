/* src/store/side_priv.h
 * Statements on side tables: typed functions call them, and an engine implements them. */
#pragma once
#include "store/side.h"
#include "store/sql.h"

/** Statements, with their parameters. */
enum {
	/* Made for each table; its drg_side_id is added. */

	/** The columns of a row. enum drg_side_write says what happens to a row that exists. */
	DRG_SIDE_PUT = 0,
	/** A key; reads its row. */
	DRG_SIDE_ONE = DRG_SIDE_PUT + DRG_SIDE_TABLES,
	/** Reads all rows; in the order of keys if they are read in pages. */
	DRG_SIDE_ALL = DRG_SIDE_ONE + DRG_SIDE_TABLES,

	/* Statements with a text in side_sql.c. */
	DRG_SIDE_OWN = DRG_SIDE_ALL + DRG_SIDE_TABLES,

	DRG_SIDE_BRANCH_AT = DRG_SIDE_OWN, /**< seq; reads the last branch that begins there or before */
	DRG_SIDE_BRANCHES, /**< seq, limit; reads branches that begin there or later, the newest first */
	DRG_SIDE_KEPT_FORGET, /**< a time, limit; forgets answers from before it */
	DRG_SIDE_REPORTS, /**< adapter, or 0; reads the most frequent first */
	DRG_SIDE_REPORTS_TRIM, /**< adapter, how many stay */
	DRG_SIDE_REPORTS_FORGET, /**< adapter, external id */
	DRG_SIDE_MOMENT_NEW, /**< at, seq; written if later than the last */
	DRG_SIDE_MOMENTS_THIN, /**< a time; before it only one row of each hour stays */
	DRG_SIDE_MOMENTS_OF, /**< at */
	DRG_SIDE_USES, /**< sort, first day */
	DRG_SIDE_USES_FORGET, /**< sort, a day; forgets uses from before it */
	DRG_SIDE_SUGGEST_AGAIN, /**< the columns of a row; replaces one that differs */
	DRG_SIDE_UNSUGGEST, /**< the key */
	DRG_SIDE_UNSUGGEST_ALL, /**< adapter, kind; forgets suggestions whose source is gone */
	/** a key to read behind, last adapter; reads suggestions whose source exists and is not mapped */
	DRG_SIDE_SUGGESTIONS,
	DRG_SIDE_OPEN_CASES, /**< the same for all adapters, with the version of the source */
	DRG_SIDE_ACCESS_OF, /**< sort, number or 0 */
	DRG_SIDE_ACCESS_NEWEST, /**< sort, number or 0, limit; newest first */
	DRG_SIDE_ACCESS_TRIM, /**< sort, number, how many sign-ins and failures stay */
	DRG_SIDE_NOTES_OF, /**< adapter, kind, id */
	DRG_SIDE_OPEN_COUNTS, /**< no parameters; reads how many open cases there are, by adapter and kind */
	DRG_SIDE_MATCHING_READ, /**< clock_us() */
	DRG_SIDE_MATCHING_SET, /**< holder, until, place */
	DRG_SIDE_STATEMENTS
};

enum { DRG_SIDE_MAX_VALUES = 10 };
struct drg_side_values {
	unsigned n;
	struct drg_side_value v[DRG_SIDE_MAX_VALUES];
};

static inline struct drg_side_value drg_side_i(int64_t i)
{
	return (struct drg_side_value){ .v.i = i };
}

static inline struct drg_side_value drg_side_s(struct drg_str s)
{
	return (struct drg_side_value){ .is_text = true, .v.s = s };
}

/** Get the values of a row. */
void drg_side_values(enum drg_side_id side, const void *row, struct drg_side_values *ret);

/** A finished, or unneeded, repair of older versions' rows (store/repair.c). */
struct drg_repair {
	struct drg_str name;
};

/** Properties of a statement. */
struct drg_side_statement {
	enum drg_side_id side; /**< the table whose rows it reads or writes */
	bool in_pages; /**< parameters: the keys of the row behind which it reads, others, how many rows */
	bool one_row; /**< it must find one row; without it the store is damaged */
	bool looks; /**< it costs a server nothing, and is not waited for long */
	bool of_records; /**< it reads records too */
};
struct drg_side_statement drg_side_statement(unsigned statement);
/** Build the text of a statement. */
void drg_side_sql(const struct drg_sql_dialect *d, struct drg_buf *sql, unsigned statement);

/** The operations that an engine implements. */
struct drg_side_ops {
	/** Run a statement that gives no rows.
	 * @param ret_n  How many rows were written or removed; NULL: the caller does not wait for it. */
	int (*run)(struct drg_txn *t, unsigned statement, const struct drg_side_values *v, int64_t *ret_n,
	           struct drg_err *reterr);
	/** Run a statement that reads. Within a transaction it sees the transaction's changes. */
	int (*each)(struct drg_store *s, unsigned statement, const struct drg_side_values *v, drg_side_fn *fn,
	            void *ctx, struct drg_err *reterr);
	/** Put a suggestion, in place of an older one. A new one is counted (drg_txn_count_asked()), at the
	 * latest with the commit. NULL: the engine can only put them one by one. */
	int (*suggest)(struct drg_txn *t, const struct drg_side_values *row, struct drg_err *reterr);
	/** Microseconds to add to the clock that its dialect names; 0: the database's clock is enough. */
	int64_t (*clock_us)(void);
};
extern const struct drg_side_ops drg_sqlite_side_ops, drg_pg_side_ops;

/** The operations of a handle's engine. */
const struct drg_side_ops *drg_side_ops(const struct drg_store *s);

/** Run a statement of a transaction; it counts as a write (drg_txn_writes()). @param ret_n  May be NULL. */
DRG_MUSTCHECK
int drg_txn_side(struct drg_txn *t, unsigned statement, const struct drg_side_values *v, int64_t *ret_n,
                 struct drg_err *reterr);
/** Run DRG_SIDE_PUT in the same way. */
DRG_MUSTCHECK
int drg_txn_side_put(struct drg_txn *t, enum drg_side_id side, const void *row, struct drg_err *reterr);
/** Like drg_txn_side_put(), as a part of another write: it does not count. */
DRG_MUSTCHECK
int drg_side_put(struct drg_txn *t, enum drg_side_id side, const void *row, struct drg_err *reterr);

/** Read rows, from one snapshot.
 * @param v  Without the number of rows of a page. NULL: none; in pages: from the first row on. */
DRG_MUSTCHECK
int drg_store_side(struct drg_store *s, unsigned statement, const struct drg_side_values *v, drg_side_fn *fn,
                   void *ctx, struct drg_err *reterr);

/** Passes the rows of a reading to a typed callback: struct NAME_reading, NAME_read(). */
#define DRG_SIDE_READER(name, fn_type)                                                                       \
	struct name##_reading {                                                                              \
		fn_type *fn;                                                                                 \
		void *ctx;                                                                                   \
		bool found; /* any */                                                                        \
	};                                                                                                   \
	static int name##_read(void *ctx, const void *row)                                                   \
	{                                                                                                    \
		struct name##_reading *x = ctx;                                                              \
		x->found = true;                                                                             \
		return x->fn(x->ctx, row);                                                                   \
	}
