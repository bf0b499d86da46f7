/* src/store/side_priv.h
 * Statements on side tables: what typed functions call, and what an engine implements. */
#pragma once
#include "store/side.h"
#include "store/sql.h"

/** Statements. Those of the first three sorts are made for each table: add its drg_side_id. */
enum {
	DRG_SIDE_PUT =
	        0, /**< a row; enum drg_side_write has what becomes of one that is there; values: the columns */
	DRG_SIDE_ONE = DRG_SIDE_PUT + DRG_SIDE_TABLES, /**< the row of a key; values: the keys */
	DRG_SIDE_ALL = DRG_SIDE_ONE +
	               DRG_SIDE_TABLES, /**< all rows, where they are read in pages in the order of keys */
	DRG_SIDE_OWN = DRG_SIDE_ALL + DRG_SIDE_TABLES, /**< the first of those that have a text */
	/* before which time, how many at most */
	DRG_SIDE_KEPT_FORGET = DRG_SIDE_OWN,
	/* adapter, or 0; adapter, how many stay; adapter, external id */
	DRG_SIDE_REPORTS,
	DRG_SIDE_REPORTS_TRIM,
	DRG_SIDE_REPORTS_FORGET,
	/* time, seq; before which time; time */
	DRG_SIDE_MOMENT_NEW,
	DRG_SIDE_MOMENTS_THIN,
	DRG_SIDE_MOMENTS_OF,
	/* sort, day: those used then or later; those used before are removed */
	DRG_SIDE_USES,
	DRG_SIDE_USES_FORGET,
	/* a row, in place of one that is there and differs */
	DRG_SIDE_SUGGEST_AGAIN,
	/* key; adapter, kind: those without a source */
	DRG_SIDE_UNSUGGEST,
	DRG_SIDE_UNSUGGEST_ALL,
	/* from which key on, last adapter: those whose source is there and not mapped; of all adapters, with the version of the source */
	DRG_SIDE_SUGGESTIONS,
	DRG_SIDE_OPEN_CASES,
	/* clock_us(); holder, until, place */
	DRG_SIDE_MATCHING_READ,
	DRG_SIDE_MATCHING_SET,
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
	bool in_pages; /**< the first values are the keys of the row behind which it reads, the last one is how many */
	bool one_row; /**< it always has one: without it the store is damaged */
	bool of_records; /**< it looks at records too */
};
struct drg_side_statement drg_side_statement(unsigned statement);
/** Its text. */
void drg_side_sql(const struct drg_sql_dialect *d, struct drg_buf *sql, unsigned statement);

/** Room for the struct of any table, and setting its columns. */
union drg_side_row {
	int64_t align;
	struct drg_str align_text;
	char bytes[160];
};
static inline void drg_side_set_i(union drg_side_row *row, const struct drg_side_column *c, int64_t i)
{
	if (c->type == DRG_SIDE_INT64)
		*(int64_t *)(void *)(row->bytes + c->at) = i;
	else
		*(int32_t *)(void *)(row->bytes + c->at) = (int32_t)i;
}
static inline void drg_side_set_s(union drg_side_row *row, const struct drg_side_column *c, struct drg_str s)
{
	*(struct drg_str *)(void *)(row->bytes + c->at) = s;
}

/** What an engine implements. */
struct drg_side_ops {
	/** A statement that gives no rows. @param ret_n  How many rows it has written or removed; NULL: nobody has to wait for it. */
	int (*run)(struct drg_txn *t, unsigned statement, const struct drg_side_values *v, int64_t *ret_n,
	           struct drg_err *reterr);
	/** A statement that reads. Within a transaction it sees what that has written. */
	int (*each)(struct drg_store *s, unsigned statement, const struct drg_side_values *v, drg_side_fn *fn,
	            void *ctx, struct drg_err *reterr);
	/** Put a suggestion in place of that of before, and count what is new (drg_txn_count_asked()), at the latest with the commit.
	 * NULL: it has nothing better than one after the other. */
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

/** Read rows, from one snapshot. @param v  NULL: none; of pages: from where on, and what stands between that and how many. */
DRG_MUSTCHECK
int drg_store_side(struct drg_store *s, unsigned statement, const struct drg_side_values *v, drg_side_fn *fn,
                   void *ctx, struct drg_err *reterr);
