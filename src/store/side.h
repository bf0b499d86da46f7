/* src/store/side.h
 * Side tables: data that a store keeps beside its records, such as counts of uses. Their rows have no seq and
 * are in no scan, feed, export or count. Each table is a row of drg_sides; from it both engines make its
 * statements, bind its values and read its rows. Callers use typed functions (store/uses.h, ...); this header
 * is for code that treats the rows of all tables alike.
 *
 * A new table needs its row in side.c, a migration for each engine, and typed functions on side_priv.h. */
#pragma once
#include <string.h>
#include "store/store.h"

enum drg_side_id {
	DRG_SIDE_BRANCH, /**< struct drg_branch */
	DRG_SIDE_KEPT, /**< struct drg_kept_answer */
	DRG_SIDE_REPORT, /**< struct drg_air_report */
	DRG_SIDE_MOMENT, /**< struct drg_moment */
	DRG_SIDE_USE, /**< struct drg_use */
	DRG_SIDE_SUGGESTION, /**< struct drg_suggestion */
	DRG_SIDE_ACCESS, /**< struct drg_access_event */
	DRG_SIDE_NOTE, /**< struct drg_case_note */
	DRG_SIDE_REPAIR, /**< struct drg_repair */
	DRG_SIDE_TABLES,
	/* Sources of rows that are only read, by statements of their own. */
	DRG_SIDE_MOMENTS = DRG_SIDE_TABLES, /**< struct drg_moments */
	DRG_SIDE_MATCHING, /**< struct drg_matching: a table with one row, which is never removed */
	DRG_SIDE_OPEN, /**< struct drg_open_count */
	DRG_SIDE_COUNT
};

/** The type of a column's member in the struct of a row. */
enum drg_side_type {
	DRG_SIDE_INT64,
	DRG_SIDE_INT32, /**< enums too */
	DRG_SIDE_TEXT
};

/** The effect on a column when a row is put whose key exists. If all other columns are kept, the stored row
 * does not change. */
enum drg_side_write {
	DRG_SIDE_KEY, /**< part of the identity; keys come first */
	DRG_SIDE_LONG_KEY, /**< also a key: a text that may be longer than an index allows */
	DRG_SIDE_KEEP,
	DRG_SIDE_SET,
	DRG_SIDE_ADD,
	DRG_SIDE_MIN,
	DRG_SIDE_MAX
};

struct drg_side_column {
	const char *name; /**< name; or an expression, of a column that is only read */
	enum drg_side_type type;
	enum drg_side_write write;
	size_t at; /**< offset in the struct */
};

struct drg_side {
	const char *name;
	const char *what; /**< name of its rows, for messages */
	const struct drg_side_column *columns;
	unsigned n_columns;
	unsigned n_keys;
	unsigned page; /**< rows that are read at a time; 0: all, since they are few */
};
extern const struct drg_side drg_sides[DRG_SIDE_COUNT];

/** A value of a row or a parameter. Texts are borrowed. */
struct drg_side_value {
	bool is_text;
	union drg_value v; /**< member i or s */
};

static inline struct drg_side_value drg_side_value(const struct drg_side_column *c, const void *row)
{
	const void *at = (const char *)row + c->at;
	if (c->type == DRG_SIDE_TEXT)
		return (struct drg_side_value){ .is_text = true, .v.s = *(const struct drg_str *)at };
	const int64_t i = c->type == DRG_SIDE_INT64 ? *(const int64_t *)at : *(const int32_t *)at;
	return (struct drg_side_value){ .v.i = i };
}

/** Room for the struct of any table, and a function that sets its columns. */
union drg_side_row {
	int64_t align;
	struct drg_str align_text;
	char bytes[160];
};
static inline void drg_side_set_i(union drg_side_row *row, const struct drg_side_column *c, int64_t i)
{
	const int32_t small = (int32_t)i;
	if (c->type == DRG_SIDE_INT64)
		memcpy(row->bytes + c->at, &i, sizeof i);
	else
		memcpy(row->bytes + c->at, &small, sizeof small);
}
static inline void drg_side_set_s(union drg_side_row *row, const struct drg_side_column *c, struct drg_str s)
{
	memcpy(row->bytes + c->at, &s, sizeof s);
}

/** @param row  The struct of the table, borrowed for the call.
 * @return other than DRG_OK: ends the reading and is passed on. */
typedef int drg_side_fn(void *ctx, const void *row);
