/* Answers kept for retries. */
#include "store/side_priv.h"

#include <assert.h>

#include "store/store_priv.h"

DRG_SIDE_READER(kept, drg_kept_fn)

int drg_txn_kept_get(struct drg_txn *t, int64_t key_id, struct drg_str name, drg_kept_fn *fn, void *ctx,
                     struct drg_err *reterr)
{
	const struct drg_side_values v = { 2, { drg_side_i(key_id), drg_side_s(name) } };
	const struct drg_txn_head *h = drg_txn_head(t);
	struct kept_reading x = { .fn = fn, .ctx = ctx };
	int rc = drg_txn_usable(h, reterr);
	if (rc == DRG_OK)
		rc = drg_side_ops(h->store)->each(h->store, DRG_SIDE_ONE + DRG_SIDE_KEPT, &v, kept_read, &x,
		                                  reterr);
	if (rc == DRG_OK && !x.found)
		rc = drg_fail(reterr, DRG_ENOENT, NULL, NULL, "no answer is kept under this name");
	return rc;
}

int drg_txn_kept_put(struct drg_txn *t, const struct drg_kept_answer *k, struct drg_err *reterr)
{
	return drg_txn_side_put(t, DRG_SIDE_KEPT, k, reterr);
}

int drg_txn_kept_delete(struct drg_txn *t, int64_t before_us, unsigned limit, struct drg_err *reterr)
{
	assert(limit > 0);
	const struct drg_side_values v = { 2, { drg_side_i(before_us), drg_side_i(limit) } };
	return drg_txn_side(t, DRG_SIDE_KEPT_FORGET, &v, NULL, reterr);
}
