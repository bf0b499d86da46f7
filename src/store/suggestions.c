#include "store/suggestions.h"

#include <assert.h>

#include "store/side_priv.h"
#include "store/store_priv.h"

/* ---- writing ------------------------------------------------------------------------------------------- */

/* Put suggestions one by one: one without a predecessor counts as asked. */
static int suggest_each(struct drg_txn *t, const struct drg_suggestion *s, const struct drg_side_values *row,
                        struct drg_err *reterr)
{
	int64_t created;
	int rc = drg_txn_side(t, DRG_SIDE_PUT + DRG_SIDE_SUGGESTION, row, &created, reterr);
	if (rc != DRG_OK)
		return rc;
	return created > 0 ? drg_txn_count_asked(t, s->adapter, s->kind, reterr)
	                   : drg_txn_side(t, DRG_SIDE_SUGGEST_AGAIN, row, NULL, reterr);
}

int drg_txn_suggestion_put(struct drg_txn *t, const struct drg_suggestion *s, struct drg_err *reterr)
{
	assert(s->id.n > 0 && drg_kind_is_source(s->kind));
	struct drg_txn_head *h = drg_txn_head(t);
	const struct drg_side_ops *ops = drg_side_ops(h->store);
	struct drg_side_values row;
	int rc = drg_txn_usable(h, reterr);
	if (rc != DRG_OK)
		return rc;
	drg_side_values(DRG_SIDE_SUGGESTION, s, &row);
	return ops->suggest == NULL ? suggest_each(t, s, &row, reterr)
	                            : drg_txn_note_write(h, ops->suggest(t, &row, reterr));
}

int drg_txn_suggestion_add(struct drg_txn *t, const struct drg_suggestion *s, struct drg_err *reterr)
{
	assert(s->id.n > 0 && drg_kind_is_source(s->kind));
	int rc = drg_txn_side_put(t, DRG_SIDE_SUGGESTION, s, reterr);
	return rc == DRG_OK ? drg_txn_count_asked(t, s->adapter, s->kind, reterr) : rc;
}

int drg_txn_suggestion_delete(struct drg_txn *t, int64_t adapter, enum drg_kind kind, struct drg_str id,
                              struct drg_err *reterr)
{
	struct drg_side_values v = { 2, { drg_side_i(adapter), drg_side_i(kind) } };
	if (id.n > 0)
		v.v[v.n++] = drg_side_s(id);
	return drg_txn_side(t, id.n > 0 ? DRG_SIDE_UNSUGGEST : DRG_SIDE_UNSUGGEST_ALL, &v, NULL, reterr);
}

/* ---- reading ------------------------------------------------------------------------------------------- */

DRG_SIDE_READER(suggestion, drg_suggestion_fn)

int drg_store_suggestions(struct drg_store *s, int64_t adapter, drg_suggestion_fn *fn, void *ctx,
                          struct drg_err *reterr)
{
	const struct drg_side_values v = { 4,
		                           { drg_side_i(adapter != 0 ? adapter : INT64_MIN), drg_side_i(-1),
		                             drg_side_s(DRG_STR("")),
		                             drg_side_i(adapter != 0 ? adapter : INT64_MAX) } };
	struct suggestion_reading x = { .fn = fn, .ctx = ctx };
	return drg_store_side(s, DRG_SIDE_SUGGESTIONS, &v, suggestion_read, &x, reterr);
}

int drg_store_open_cases(struct drg_store *s, drg_suggestion_fn *fn, void *ctx, struct drg_err *reterr)
{
	struct suggestion_reading x = { .fn = fn, .ctx = ctx };
	return drg_store_side(s, DRG_SIDE_OPEN_CASES, NULL, suggestion_read, &x, reterr);
}

DRG_SIDE_READER(open, drg_open_count_fn)

int drg_store_open_counts(struct drg_store *s, drg_open_count_fn *fn, void *ctx, struct drg_err *reterr)
{
	struct open_reading x = { .fn = fn, .ctx = ctx };
	return drg_store_side(s, DRG_SIDE_OPEN_COUNTS, NULL, open_read, &x, reterr);
}

int drg_store_suggestion(struct drg_store *s, int64_t adapter, enum drg_kind kind, struct drg_str id,
                         drg_suggestion_fn *fn, void *ctx, struct drg_err *reterr)
{
	const struct drg_side_values v = { 3, { drg_side_i(adapter), drg_side_i(kind), drg_side_s(id) } };
	struct suggestion_reading x = { .fn = fn, .ctx = ctx };
	int rc = drg_store_side(s, DRG_SIDE_ONE + DRG_SIDE_SUGGESTION, &v, suggestion_read, &x, reterr);
	return rc == DRG_OK && !x.found ? DRG_ENOENT : rc;
}
