/* The branches of a store and where each begins. */
#include "store/side_priv.h"

#include <assert.h>

struct branches_reading {
	struct drg_branch *ret;
	unsigned n;
};

static int branches_take(void *ctx, const void *row)
{
	struct branches_reading *x = ctx;
	x->ret[x->n++] = *(const struct drg_branch *)row;
	return DRG_OK;
}

int drg_store_branch_at(struct drg_store *s, int64_t seq, int64_t *ret, struct drg_err *reterr)
{
	struct drg_branch found = { 0 };
	struct branches_reading x = { .ret = &found };
	const struct drg_side_values v = { 1, { drg_side_i(seq) } };
	int rc = drg_side_ops(s)->each(s, DRG_SIDE_BRANCH_AT, &v, branches_take, &x, reterr);
	assert(x.n <= 1);
	if (rc == DRG_OK)
		*ret = found.id;
	return rc;
}

int drg_store_branches(struct drg_store *s, int64_t from, struct drg_branch *ret, unsigned max,
                       unsigned *ret_n, struct drg_err *reterr)
{
	assert(max > 0);
	struct branches_reading x = { .ret = ret };
	const struct drg_side_values v = { 2, { drg_side_i(from), drg_side_i(max) } };
	int rc = drg_side_ops(s)->each(s, DRG_SIDE_BRANCHES, &v, branches_take, &x, reterr);
	assert(x.n <= max);
	if (rc == DRG_OK)
		*ret_n = x.n;
	return rc;
}
