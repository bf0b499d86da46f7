#include "workbench/deciding.h"

#include <stdatomic.h>

int drg_deciding_run(struct drg_deciding *d, struct drg_decided *made, struct drg_decisions *all,
                     struct drg_txn *t, struct drg_err *reterr)
{
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++)
		made->largest[k] = atomic_load(&d->largest[k]);
	for (size_t i = 0; i < all->n; i++)
		all->v[i].largest = made->largest;
	all->after = made->batch = atomic_load(&d->batch);
	int rc = drg_decisions_run_batch(all, t, reterr);
	if (rc == DRG_OK && all->batch > 0)
		made->batch = all->batch;
	return rc;
}

static void deciding_raise(_Atomic int64_t *number, int64_t to)
{
	int64_t is = atomic_load(number);
	while (is < to && !atomic_compare_exchange_weak(number, &is, to))
		;
}

void drg_deciding_keep(struct drg_deciding *d, const struct drg_decided *made)
{
	deciding_raise(&d->batch, made->batch);
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++)
		deciding_raise(&d->largest[k], made->largest[k]);
}
