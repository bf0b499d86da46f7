#include "admin/row_sum.h"

#include "base/compiler.h"
#include "base/hash.h"

void drg_row_sum_add(struct drg_row_sum *d, struct drg_str row)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(d->sum); i++)
		d->sum[i] += drg_hash(row.p, row.n, i + 1);
	d->n++;
}

bool drg_row_sum_same(const struct drg_row_sum *a, const struct drg_row_sum *b)
{
	return a->n == b->n && a->sum[0] == b->sum[0] && a->sum[1] == b->sum[1];
}
