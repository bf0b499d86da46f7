/* src/store/sql.h
 * The parts of statements that every SQL engine shares, made from the model's table, so that a new field is a
 * column and no code. Tables and columns have their names of the wire format; both engines have the same
 * columns before the fields. */
#pragma once
#include "base/buf.h"
#include "store/store.h"

/** Result columns of every statement that reads rows: these, then the fields of the type in the order of the
 * model. */
enum { COL_ROW, COL_DELETED, COL_SEQ, COL_CREATED_SEQ, COL_DATA_SEQ, COL_MAPPED_SEQ, COL_FIELDS };

/** The differences between engines. */
struct drg_sql_dialect {
	char mark; /**< before the number of a parameter */
	const char *schema; /**< before the name of a table */
	const char *least, *greatest; /**< functions of two values */
	const char *clock; /**< the clock of the store in microseconds, without drg_side_ops.clock_us() */
	const char *digest; /**< a function that makes any text fit into an index; NULL: every text fits */
	const char *source_of; /**< the source of a suggestion g, as a table s, looked up for each g */
};

/** An empty buffer for building a statement. */
void drg_sql_init(struct drg_buf *sql);

/** Number of identity fields; they come first in the type. */
unsigned drg_sql_n_identity(const struct drg_type *t);
/** Append "row, deleted, seq, … fields". */
void drg_sql_columns(struct drg_buf *sql, const struct drg_type *t);
/** Append "field, field" of the identity. */
void drg_sql_identity(struct drg_buf *sql, const struct drg_type *t);

/* Whole statements. */

/** The row of an identity, tombstones included; parameters: the identity. */
void drg_sql_find(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_type *t);
/** Is a record of the identity alive? */
void drg_sql_exists(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_type *t);
/** Live rows with all fields of an identity but the last, ordered by that; parameters: those fields. */
void drg_sql_siblings(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_type *t);
/** The same, from the value of the last field on; parameters: the identity, most rows. */
void drg_sql_siblings_from(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_type *t);
/** One type of a scan; no parameters. */
void drg_sql_scan(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_filter *f,
                  const struct drg_type *t);
/** Live rows that refer to a dict record by a field; parameters: its id, its kind (DRG_REF_OWN_KIND), most
 * rows. */
void drg_sql_referrers(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_type *t,
                       const struct drg_field_def *f);
/** adapter, kind, live, mapped, tombstones; no parameters. */
void drg_sql_counts(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_type *t);
enum { COUNT_ADAPTER, COUNT_KIND, COUNT_LIVE, COUNT_MAPPED, COUNT_TOMBSTONES };

/**
 * Read the value of a result column.
 * @return false: it is NULL.
 */
typedef bool drg_sql_value_fn(const void *row, int col, const struct drg_field_def *f, union drg_value *ret);

/**
 * Read the fields of a row. Inline, so that an engine's value function is inlined too: it is called for each
 * column of each row of a load.
 * @param odd_words  Give numbers of DRG_V_ENUM without a word as they are.
 * @return false: the row holds a value that dragoman did not write; callers that take the word of an enum
 *         without a check rely on this.
 */
static inline bool drg_sql_read_fields(const struct drg_type *t, bool odd_words, drg_sql_value_fn *value,
                                       const void *row, struct drg_record *ret)
{
	/* The kind is part of the identity, which comes first, so it is known when later fields need it. */
	enum drg_kind kind = (enum drg_kind)0;
	for (unsigned i = 0; i < t->n_fields; i++) {
		const struct drg_field_def *f = &t->fields[i];
		union drg_value *v = drg_record_room(ret, f);
		if (!drg_field_applies(f, kind))
			continue;
		if (!value(row, COL_FIELDS + (int)i, f, v)) {
			if ((f->flags & DRG_FF_ID) != 0)
				return false;
			continue;
		}
		if (f->vtype == DRG_V_ENUM && !odd_words && !drg_word_exists(f, v->i))
			return false;
		ret->has |= drg_field_bit(f->field);
		if (f->field == DRG_F_KIND && drg_word_exists(f, v->i))
			kind = (enum drg_kind)v->i;
	}
	return true;
}

/* ---- sql_check.c ---------------------------------------------------------------------------------------- */

/** Most findings of one sort, so that the report on a badly damaged store stays readable. */
enum { DRG_SQL_MAX_FINDINGS = 20 };

/** Check records against each other and against the clock of the snapshot. */
DRG_MUSTCHECK
int drg_sql_check(const struct drg_sql_dialect *d, struct drg_store *s, const struct drg_clock *clock,
                  drg_finding_fn *fn, void *ctx, struct drg_err *reterr);
