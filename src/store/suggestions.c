#include "store/suggestions.h"

#include "store/store_priv.h"

static const struct drg_suggestion_ops *suggestion_ops_of(const struct drg_store *s)
{
	return ((const struct drg_store_head *)s)->ops->suggestions;
}

static int suggestion_keep(struct drg_txn *t, const struct drg_suggestion *s, bool replace,
                           struct drg_err *reterr)
{
	struct drg_txn_head *h = drg_txn_head(t);
	int rc = drg_txn_usable(h, reterr);
	return rc == DRG_OK ? drg_txn_note_write(h, suggestion_ops_of(h->store)->keep(t, s, replace, reterr))
	                    : rc;
}

int drg_txn_suggest(struct drg_txn *t, const struct drg_suggestion *s, struct drg_err *reterr)
{
	return suggestion_keep(t, s, true, reterr);
}

int drg_txn_suggest_again(struct drg_txn *t, const struct drg_suggestion *s, struct drg_err *reterr)
{
	int rc = suggestion_keep(t, s, false, reterr);
	return rc == DRG_OK ? drg_txn_count_asked(t, s->adapter, s->kind, reterr) : rc;
}

int drg_txn_restore_suggestion(struct drg_txn *t, const struct drg_suggestion *s, struct drg_err *reterr)
{
	return suggestion_keep(t, s, false, reterr);
}

int drg_txn_unsuggest(struct drg_txn *t, int64_t adapter, enum drg_kind kind, struct drg_str id,
                      struct drg_err *reterr)
{
	struct drg_txn_head *h = drg_txn_head(t);
	int rc = drg_txn_usable(h, reterr);
	return rc == DRG_OK ? drg_txn_note_write(
	                              h, suggestion_ops_of(h->store)->forget(t, adapter, kind, id, reterr))
	                    : rc;
}

int drg_store_suggestions(struct drg_store *s, int64_t adapter, drg_suggestion_fn *fn, void *ctx,
                          struct drg_err *reterr)
{
	int rc = drg_store_snapshot(s, NULL, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = suggestion_ops_of(s)->each(s, adapter, fn, ctx, reterr);
	drg_store_snapshot_end(s);
	return rc;
}

int drg_store_open_cases(struct drg_store *s, drg_suggestion_fn *fn, void *ctx, struct drg_err *reterr)
{
	int rc = drg_store_snapshot(s, NULL, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = suggestion_ops_of(s)->open(s, fn, ctx, reterr);
	drg_store_snapshot_end(s);
	return rc;
}

/* Was there one? */
struct one_suggestion {
	drg_suggestion_fn *fn;
	void *ctx;
	bool found;
};

static int suggestion_found(void *ctx, const struct drg_suggestion *s)
{
	struct one_suggestion *x = ctx;
	x->found = true;
	return x->fn(x->ctx, s);
}

int drg_store_suggestion(struct drg_store *s, int64_t adapter, enum drg_kind kind, struct drg_str id,
                         drg_suggestion_fn *fn, void *ctx, struct drg_err *reterr)
{
	struct one_suggestion x = { .fn = fn, .ctx = ctx };
	int rc = drg_store_snapshot(s, NULL, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = suggestion_ops_of(s)->one(s, adapter, kind, id, suggestion_found, &x, reterr);
	drg_store_snapshot_end(s);
	return rc == DRG_OK && !x.found ? DRG_ENOENT : rc;
}
