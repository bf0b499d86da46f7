#include "store/uses.h"

#include <assert.h>

#include "store/side_priv.h"
#include "store/store_priv.h"

static struct drg_side_values use_values(enum drg_use_sort sort, int64_t day)
{
	return (struct drg_side_values){ 2, { drg_side_i(sort), drg_side_i(day) } };
}

int drg_txn_use(struct drg_txn *t, const struct drg_use *u, struct drg_err *reterr)
{
	assert(u->sort < DRG_USE_SORTS && u->day >= 0);
	return drg_txn_side_put(t, DRG_SIDE_USE, u, reterr);
}

static int use_count(void *ctx, const void *row)
{
	*(int64_t *)ctx = ((const struct drg_use *)row)->count;
	return DRG_OK;
}

int drg_txn_used(struct drg_txn *t, const struct drg_use *u, int64_t *ret, struct drg_err *reterr)
{
	struct drg_side_values v;
	const struct drg_txn_head *h = drg_txn_head(t);
	int64_t count = 0;
	drg_side_values(DRG_SIDE_USE, u, &v);
	v.n = drg_sides[DRG_SIDE_USE].n_keys;
	int rc = drg_txn_usable(h, reterr);
	if (rc == DRG_OK)
		rc = drg_side_ops(h->store)->each(h->store, DRG_SIDE_ONE + DRG_SIDE_USE, &v, use_count,
		                                  &count, reterr);
	if (rc == DRG_OK)
		*ret = count;
	return rc;
}

int drg_txn_uses_forget(struct drg_txn *t, enum drg_use_sort sort, int64_t before_day, struct drg_err *reterr)
{
	const struct drg_side_values v = use_values(sort, before_day);
	return drg_txn_side(t, DRG_SIDE_USES_FORGET, &v, NULL, reterr);
}

DRG_SIDE_READER(use, drg_use_fn)

int drg_store_uses(struct drg_store *s, enum drg_use_sort sort, int64_t since_day, drg_use_fn *fn, void *ctx,
                   struct drg_err *reterr)
{
	const struct drg_side_values v = use_values(sort, since_day);
	struct use_reading x = { .fn = fn, .ctx = ctx };
	return drg_store_side(s, DRG_SIDE_USES, &v, use_read, &x, reterr);
}
