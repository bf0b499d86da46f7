#include "api/curate/deciding.h"

#include <stdatomic.h>

void drg_deciding_look(struct drg_deciding *d, struct drg_decided *ret)
{
	ret->batch = atomic_load(&d->batch);
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++)
		ret->largest[k] = atomic_load(&d->largest[k]);
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
