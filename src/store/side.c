#include "store/side_priv.h"

#include <assert.h>
#include <stddef.h>

#include "base/arena.h"
#include "store/access_events.h"
#include "store/air_reports.h"
#include "store/case_notes.h"
#include "store/matching.h"
#include "store/moments_priv.h"
#include "store/store_priv.h"
#include "store/suggestions.h"
#include "store/uses.h"

/* ---- the tables ---------------------------------------------------------------------------------------- */

#define COLUMN(row, member, name, write)                                                                     \
	{                                                                                                    \
		name,                                                                                        \
		        _Generic(((struct row *)0)->member, struct drg_str                                   \
		                 : DRG_SIDE_TEXT, int64_t                                                    \
		                 : DRG_SIDE_INT64, default                                                   \
		                 : DRG_SIDE_INT32),                                                          \
		        DRG_SIDE_##write, offsetof(struct row, member)                                       \
	}
#define COLUMNS(list) (list), DRG_ARRAY_LEN(list)

_Static_assert(sizeof(enum drg_kind) == sizeof(int32_t), "an enum is read and written as an int32_t");
_Static_assert(sizeof(struct drg_suggestion) <= sizeof(union drg_side_row), "the largest row has room");

static const struct drg_side_column branch_columns[] = {
	COLUMN(drg_branch, seq, "seq", KEY),
	COLUMN(drg_branch, id, "id", SET),
};
static const struct drg_side_column kept_columns[] = {
	COLUMN(drg_kept_answer, key_id, "key_id", KEY), COLUMN(drg_kept_answer, name, "name", KEY),
	COLUMN(drg_kept_answer, at_us, "at", SET),      COLUMN(drg_kept_answer, body_hash, "body_hash", SET),
	COLUMN(drg_kept_answer, answer, "answer", SET),
};
static const struct drg_side_column report_columns[] = {
	COLUMN(drg_air_report, adapter, "adapter_id", KEY),
	COLUMN(drg_air_report, external_id, "external_id", KEY),
	COLUMN(drg_air_report, iata_code, "iata_code", KEY),
	COLUMN(drg_air_report, title, "title", LONG_KEY),
	COLUMN(drg_air_report, lang, "lang", KEY),
	COLUMN(drg_air_report, count, "count", ADD),
	COLUMN(drg_air_report, first_us, "first_seen", MIN),
	COLUMN(drg_air_report, last_us, "last_seen", MAX),
};
static const struct drg_side_column moment_columns[] = {
	COLUMN(drg_moment, at, "at", KEY),
	COLUMN(drg_moment, seq, "seq", KEEP),
};
static const struct drg_side_column moments_columns[] = {
	COLUMN(drg_moments, first_at, "at", KEY),
	COLUMN(drg_moments, first_seq, "seq", KEEP),
	COLUMN(drg_moments, next_seq,
	       "COALESCE((SELECT seq FROM @moment WHERE at >= ?1 ORDER BY at LIMIT 1), 0)", KEEP),
};
static const struct drg_side_column use_columns[] = {
	COLUMN(drg_use, sort, "sort", KEY),     COLUMN(drg_use, number, "number", KEY),
	COLUMN(drg_use, kind, "kind", KEY),     COLUMN(drg_use, id, "id", KEY),
	COLUMN(drg_use, slot, "slot", KEY),     COLUMN(drg_use, count, "count", ADD),
	COLUMN(drg_use, mapped, "mapped", ADD), COLUMN(drg_use, day, "last_day", MAX),
};

static const struct drg_side_column suggestion_columns[] = {
	COLUMN(drg_suggestion, adapter, "adapter_id", KEY),
	COLUMN(drg_suggestion, kind, "kind", KEY),
	COLUMN(drg_suggestion, id, "id", KEY),
	COLUMN(drg_suggestion, outcome, "outcome", KEEP),
	COLUMN(drg_suggestion, country, "country", KEEP),
	COLUMN(drg_suggestion, city, "city", KEEP),
	COLUMN(drg_suggestion, category, "category", KEEP),
	COLUMN(drg_suggestion, reason, "reason", KEEP),
	COLUMN(drg_suggestion, ranked, "ranked", KEEP),
	COLUMN(drg_suggestion, explanation, "explanation", KEEP),
	COLUMN(drg_suggestion, version, NULL, KEEP), /* used by drg_store_open_cases(), as the next ones */
	COLUMN(drg_suggestion, name, NULL, KEEP),
	COLUMN(drg_suggestion, place, NULL, KEEP),
};
enum { SUGGESTION_STORED = DRG_ARRAY_LEN(suggestion_columns) - 3 };
static const struct drg_side_column matching_columns[] = {
	COLUMN(drg_matching, holder, "holder", KEEP),
	COLUMN(drg_matching, left_us, "until - (^ + ?1)", KEEP),
	COLUMN(drg_matching, place.seq, "seq", KEEP),
	COLUMN(drg_matching, place.type, "type", KEEP),
	COLUMN(drg_matching, place.row, "\"row\"", KEEP),
};
static const struct drg_side_column access_columns[] = {
	COLUMN(drg_access_event, sort, "sort", KEY), COLUMN(drg_access_event, number, "number", KEY),
	COLUMN(drg_access_event, at_us, "at", KEY),  COLUMN(drg_access_event, what, "what", KEY),
	COLUMN(drg_access_event, who, "who", KEEP),  COLUMN(drg_access_event, detail, "detail", KEEP),
};
static const struct drg_side_column note_columns[] = {
	COLUMN(drg_case_note, adapter, "adapter_id", KEY),
	COLUMN(drg_case_note, kind, "kind", KEY),
	COLUMN(drg_case_note, id, "id", KEY),
	COLUMN(drg_case_note, at_us, "at", KEY),
	COLUMN(drg_case_note, what, "what", KEY),
	COLUMN(drg_case_note, who, "who", KEEP),
	COLUMN(drg_case_note, detail, "detail", KEEP),
};
static const struct drg_side_column repair_columns[] = {
	COLUMN(drg_repair, name, "name", KEY),
};
static const struct drg_side_column open_columns[] = {
	COLUMN(drg_open_count, adapter, "g.adapter_id", KEEP),
	COLUMN(drg_open_count, kind, "g.kind", KEEP),
	COLUMN(drg_open_count, n, "count(1)", KEEP),
};

enum { PAGE_ROWS = 20000, PAGE_LONG_ROWS = 200 };

const struct drg_side drg_sides[DRG_SIDE_COUNT] = {
	[DRG_SIDE_BRANCH] = { "branch", "branches", COLUMNS(branch_columns), 1, PAGE_ROWS },
	[DRG_SIDE_KEPT] = { "kept_answer", "kept answers", COLUMNS(kept_columns), 2, PAGE_LONG_ROWS },
	/* A server keeps some thousands for each adapter. */
	[DRG_SIDE_REPORT] = { "air_report", "reports", COLUMNS(report_columns), 5, 0 },
	[DRG_SIDE_MOMENT] = { "moment", "times of commits", COLUMNS(moment_columns), 1, PAGE_ROWS },
	[DRG_SIDE_USE] = { "use_count", "counts of what is used", COLUMNS(use_columns), 5, PAGE_ROWS },
	[DRG_SIDE_SUGGESTION] = { "suggestion", "suggestions", suggestion_columns, SUGGESTION_STORED, 3,
	                          PAGE_ROWS },
	[DRG_SIDE_ACCESS] = { "access_event", "events of keys and people", COLUMNS(access_columns), 4,
	                      PAGE_ROWS },
	[DRG_SIDE_NOTE] = { "case_note", "notes at cases", COLUMNS(note_columns), 5, PAGE_ROWS },
	[DRG_SIDE_REPAIR] = { "repair", "repairs", COLUMNS(repair_columns), 1, 0 },
	[DRG_SIDE_MOMENTS] = { NULL, NULL, COLUMNS(moments_columns), 0, 0 },
	[DRG_SIDE_MATCHING] = { "matching", "matching", COLUMNS(matching_columns), 0, 0 },
	[DRG_SIDE_OPEN] = { NULL, NULL, COLUMNS(open_columns), 0, 0 },
};

/* ---- values -------------------------------------------------------------------------------------------- */

static void side_values(const struct drg_side *side, unsigned n, const void *row, struct drg_side_value *ret)
{
	for (unsigned i = 0; i < n; i++)
		ret[i] = drg_side_value(&side->columns[i], row);
}

void drg_side_values(enum drg_side_id side, const void *row, struct drg_side_values *ret)
{
	ret->n = drg_sides[side].n_columns;
	assert(ret->n <= DRG_SIDE_MAX_VALUES);
	side_values(&drg_sides[side], ret->n, row, ret->v);
}

/* ---- writing ------------------------------------------------------------------------------------------- */

const struct drg_side_ops *drg_side_ops(const struct drg_store *s)
{
	return ((const struct drg_store_head *)s)->ops->side;
}

int drg_side_put(struct drg_txn *t, enum drg_side_id side, const void *row, struct drg_err *reterr)
{
	assert(side < DRG_SIDE_TABLES);
	struct drg_side_values v;
	drg_side_values(side, row, &v);
	return drg_side_ops(drg_txn_store(t))->run(t, DRG_SIDE_PUT + side, &v, NULL, reterr);
}

int drg_txn_side(struct drg_txn *t, unsigned statement, const struct drg_side_values *v, int64_t *ret_n,
                 struct drg_err *reterr)
{
	assert(statement < DRG_SIDE_STATEMENTS && v->n <= DRG_SIDE_MAX_VALUES);
	struct drg_txn_head *h = drg_txn_head(t);
	int rc = drg_txn_usable(h, reterr);
	return rc == DRG_OK
	               ? drg_txn_note_write(h, drg_side_ops(h->store)->run(t, statement, v, ret_n, reterr))
	               : rc;
}

int drg_txn_side_put(struct drg_txn *t, enum drg_side_id side, const void *row, struct drg_err *reterr)
{
	assert(side < DRG_SIDE_TABLES);
	struct drg_side_values v;
	drg_side_values(side, row, &v);
	return drg_txn_side(t, DRG_SIDE_PUT + side, &v, NULL, reterr);
}

/* ---- reading ------------------------------------------------------------------------------------------- */

struct side_pages {
	const struct drg_side *side;
	drg_side_fn *fn;
	void *ctx;
	unsigned n; /* rows of this page */
	struct drg_side_values v; /* values of the statement for the next page */
	struct drg_arena texts; /* texts of their keys */
	struct drg_err *err;
};

/* Begin the next page behind the last row of this one. */
static int side_page_turn(struct side_pages *x, const void *row)
{
	assert(x->n == x->side->page && x->side->page > 0);
	side_values(x->side, x->side->n_keys, row, x->v.v);
	for (unsigned i = 0; i < x->side->n_keys; i++) {
		struct drg_side_value *key = &x->v.v[i];
		if (key->is_text)
			key->v.s = drg_arena_str(&x->texts, key->v.s);
		if (key->is_text && key->v.s.p == NULL)
			return drg_fail_memory(x->err);
	}
	return DRG_OK;
}

static int side_page_row(void *ctx, const void *row)
{
	struct side_pages *x = ctx;
	int rc = x->fn(x->ctx, row);
	return rc == DRG_OK && ++x->n == x->side->page ? side_page_turn(x, row) : rc;
}

/* Begin with the lowest possible key. */
static void side_pages_begin(struct side_pages *x)
{
	for (unsigned i = 0; i < x->side->n_keys; i++)
		x->v.v[i] = x->side->columns[i].type == DRG_SIDE_TEXT ? drg_side_s(DRG_STR(""))
		                                                      : drg_side_i(INT64_MIN);
	x->v.n = x->side->n_keys;
}

static int side_in_pages(struct drg_store *s, unsigned statement, struct side_pages *x)
{
	assert(x->v.n >= x->side->n_keys && x->v.n < DRG_SIDE_MAX_VALUES);
	int rc;
	x->v.v[x->v.n++] = drg_side_i(x->side->page);
	drg_arena_init(&x->texts, SIZE_MAX);
	do {
		x->n = 0;
		rc = drg_side_ops(s)->each(s, statement, &x->v, side_page_row, x, x->err);
	} while (rc == DRG_OK && x->n == x->side->page);
	drg_arena_done(&x->texts);
	return rc;
}

int drg_store_side(struct drg_store *s, unsigned statement, const struct drg_side_values *v, drg_side_fn *fn,
                   void *ctx, struct drg_err *reterr)
{
	assert(fn != NULL && (v == NULL || v->n <= DRG_SIDE_MAX_VALUES));
	const struct drg_side_statement is = drg_side_statement(statement);
	struct side_pages x = { .side = &drg_sides[is.side], .fn = fn, .ctx = ctx, .err = reterr };
	int rc = drg_store_snapshot(s, NULL, reterr);
	if (rc != DRG_OK)
		return rc;
	if (v != NULL)
		x.v = *v;
	else if (is.in_pages)
		side_pages_begin(&x);
	rc = is.in_pages ? side_in_pages(s, statement, &x)
	                 : drg_side_ops(s)->each(s, statement, &x.v, fn, ctx, reterr);
	drg_store_snapshot_end(s);
	return rc;
}
