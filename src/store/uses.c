#include "store/uses.h"

#include "store/store_priv.h"

static const struct drg_use_ops *uses_ops_of(const struct drg_store *s)
{
	return ((const struct drg_store_head *)s)->ops->uses;
}

int drg_txn_use(struct drg_txn *t, const struct drg_use *u, struct drg_err *reterr)
{
	struct drg_txn_head *h = drg_txn_head(t);
	int rc = drg_txn_usable(h, reterr);
	return rc == DRG_OK ? drg_txn_note_write(h, uses_ops_of(h->store)->add(t, u, reterr)) : rc;
}

int drg_txn_uses_forget(struct drg_txn *t, enum drg_use_sort sort, int64_t before_day, struct drg_err *reterr)
{
	struct drg_txn_head *h = drg_txn_head(t);
	int rc = drg_txn_usable(h, reterr);
	return rc == DRG_OK
	               ? drg_txn_note_write(h, uses_ops_of(h->store)->forget(t, sort, before_day, reterr))
	               : rc;
}

int drg_store_uses(struct drg_store *s, enum drg_use_sort sort, int64_t since_day, drg_use_fn *fn, void *ctx,
                   struct drg_err *reterr)
{
	int rc = drg_store_snapshot(s, NULL, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = uses_ops_of(s)->each(s, sort, since_day, fn, ctx, reterr);
	drg_store_snapshot_end(s);
	return rc;
}
