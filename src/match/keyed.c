#include "match/keyed.h"

#include <assert.h>
#include <stdlib.h>

#include "base/bound.h"

static int compare_keyed(const void *pa, const void *pb)
{
	const struct drg_keyed *a = pa, *b = pb;
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return a->value < b->value ? -1 : a->value > b->value;
}

void drg_keyed_sort(struct drg_buf *all)
{
	assert(all->n % sizeof(struct drg_keyed) == 0);
	if (all->n > 0)
		qsort(all->p, all->n / sizeof(struct drg_keyed), sizeof(struct drg_keyed), compare_keyed);
}

const struct drg_keyed *drg_keyed_find(const struct drg_buf *all, uint64_t key, size_t *ret_n)
{
	const struct drg_keyed *v = (const struct drg_keyed *)(const void *)all->p;
	size_t end = all->n / sizeof *v, from, to;
	DRG_BOUND(from, end, i, v[i].key < key);
	for (to = from; to < end && v[to].key == key;)
		to++;
	*ret_n = to - from;
	return v != NULL ? v + from : NULL;
}
