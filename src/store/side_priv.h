/* src/store/side_priv.h
 * Statements on side tables: what typed functions call, and what an engine implements. */
#pragma once
#include "store/side.h"
#include "store/sql.h"

/** Statements, with the values that they take. */
enum {
	/* Made for each table: its drg_side_id is added. */

	/** The columns of a row. enum drg_side_write has what becomes of one that is there. */
	DRG_SIDE_PUT = 0,
	/** A key: its row. */
	DRG_SIDE_ONE = DRG_SIDE_PUT + DRG_SIDE_TABLES,
	/** All rows; in the order of keys where they are read in pages. */
	DRG_SIDE_ALL = DRG_SIDE_ONE + DRG_SIDE_TABLES,

	/* Those that have a text, in side_sql.c. */
	DRG_SIDE_OWN = DRG_SIDE_ALL + DRG_SIDE_TABLES,

	DRG_SIDE_BRANCH_AT = DRG_SIDE_OWN, /**< seq: the last one that begins there or before */
	DRG_SIDE_BRANCHES, /**< seq, how many: those that begin there or later, the newest first */
	DRG_SIDE_KEPT_FORGET, /**< before which time, how many at most */
	DRG_SIDE_REPORTS, /**< adapter, or 0: the most frequent first */
	DRG_SIDE_REPORTS_TRIM, /**< adapter, how many stay */
	DRG_SIDE_REPORTS_FORGET, /**< adapter, external id */
	DRG_SIDE_MOMENT_NEW, /**< at, seq: unless it is not later than the last */
	DRG_SIDE_MOMENTS_THIN, /**< before which time one of each hour stays */
	DRG_SIDE_MOMENTS_OF, /**< at */
	DRG_SIDE_USES, /**< sort, since which day */
	DRG_SIDE_USES_FORGET, /**< sort, before which day */
	DRG_SIDE_SUGGEST_AGAIN, /**< the columns of a row, in place of one that is there and differs */
	DRG_SIDE_UNSUGGEST, /**< the key */
	DRG_SIDE_UNSUGGEST_ALL, /**< adapter, kind: those whose source is gone */
	/** behind which key, up to which adapter: those whose source is there and not mapped */
	DRG_SIDE_SUGGESTIONS,
	DRG_SIDE_OPEN_CASES, /**< likewise of all adapters, with the version of the source */
	DRG_SIDE_ACCESS_OF, /**< sort, number or 0 */
	DRG_SIDE_ACCESS_TRIM, /**< sort, number, how many sign-ins and failures stay */
	DRG_SIDE_NOTES_OF, /**< adapter, kind, id */
	DRG_SIDE_OPEN_COUNTS, /**< no values: how many there are, by adapter and kind */
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

/** The values of a row. */
void drg_side_values(enum drg_side_id side, const void *row, struct drg_side_values *ret);

/** What is to be known of a statement. */
struct drg_side_statement {
	enum drg_side_id side; /**< whose rows it reads or writes */
	bool in_pages; /**< values: the keys of the row behind which it reads, others, how many rows */
	bool one_row; /**< it always has one: without it the store is damaged */
	bool looks; /**< it costs a server nothing, and is not waited for long */
	bool of_records; /**< it looks at records too */
};
struct drg_side_statement drg_side_statement(unsigned statement);
/** Its text. */
void drg_side_sql(const struct drg_sql_dialect *d, struct drg_buf *sql, unsigned statement);

/** What an engine implements. */
struct drg_side_ops {
	/** A statement that gives no rows.
	 * @param ret_n  How many rows it has written or removed; NULL: nobody waits for it. */
	int (*run)(struct drg_txn *t, unsigned statement, const struct drg_side_values *v, int64_t *ret_n,
	           struct drg_err *reterr);
	/** A statement that reads. Within a transaction it sees what that has written. */
	int (*each)(struct drg_store *s, unsigned statement, const struct drg_side_values *v, drg_side_fn *fn,
	            void *ctx, struct drg_err *reterr);
	/** Put a suggestion in place of that of before. What is new is counted (drg_txn_count_asked()), at the
	 * latest with the commit. NULL: it has nothing better than one after the other. */
	int (*suggest)(struct drg_txn *t, const struct drg_side_values *row, struct drg_err *reterr);
	/** What is added to the clock that its dialect names: that of the database may be all of it. */
	int64_t (*clock_us)(void);
};
extern const struct drg_side_ops drg_sqlite_side_ops, drg_pg_side_ops;

/** The engine's, of a handle. */
const struct drg_side_ops *drg_side_ops(const struct drg_store *s);

/** A statement that writes counts as such (drg_txn_writes()). @param ret_n  May be NULL. */
DRG_MUSTCHECK
int drg_txn_side(struct drg_txn *t, unsigned statement, const struct drg_side_values *v, int64_t *ret_n,
                 struct drg_err *reterr);
/** Likewise DRG_SIDE_PUT. */
DRG_MUSTCHECK
int drg_txn_side_put(struct drg_txn *t, enum drg_side_id side, const void *row, struct drg_err *reterr);
/** As drg_txn_side_put(), where it is part of another write. */
DRG_MUSTCHECK
int drg_side_put(struct drg_txn *t, enum drg_side_id side, const void *row, struct drg_err *reterr);

/** Read rows, from one snapshot.
 * @param v  Without the number of rows of a page. NULL: none; of pages: from the first row on. */
DRG_MUSTCHECK
int drg_store_side(struct drg_store *s, unsigned statement, const struct drg_side_values *v, drg_side_fn *fn,
                   void *ctx, struct drg_err *reterr);

/** Hands the rows of a reading to a typed function: struct NAME_reading, NAME_read(). */
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
