#include "store/matching.h"

#include <assert.h>

#include "store/side_priv.h"
#include "store/store_priv.h"

static int matching_take(void *ctx, const void *row)
{
	*(struct drg_matching *)ctx = *(const struct drg_matching *)row;
	return DRG_OK;
}

int drg_store_matching(struct drg_store *s, struct drg_matching *ret, struct drg_err *reterr)
{
	const struct drg_side_ops *ops = drg_side_ops(s);
	const struct drg_side_values v = { 1, { drg_side_i(ops->clock_us()) } };
	int rc = ops->each(s, DRG_SIDE_MATCHING_READ, &v, matching_take, ret, reterr);
	if (rc != DRG_OK)
		return rc;
	/* A lease longer than any that is given was taken before the clock was turned back. */
	ret->free = ret->holder == 0 || ret->left_us <= 0 || ret->left_us > DRG_MATCHING_LEASE_US;
	ret->placed = ret->place.seq >= 0;
	return DRG_OK;
}

static int matching_write(struct drg_txn *t, const struct drg_matching *m, int64_t lease_us,
                          struct drg_err *reterr)
{
	const struct drg_side_values v = {
		5,
		{ drg_side_i(m->holder), drg_side_i(drg_side_ops(drg_txn_store(t))->clock_us() + lease_us),
		  drg_side_i(m->place.seq), drg_side_i(m->place.type), drg_side_i(m->place.row) }
	};
	return drg_txn_side(t, DRG_SIDE_MATCHING_SET, &v, NULL, reterr);
}

static int matching_of(struct drg_txn *t, struct drg_matching *ret, struct drg_err *reterr)
{
	struct drg_txn_head *h = drg_txn_head(t);
	int rc = drg_txn_usable(h, reterr);
	return rc == DRG_OK ? drg_store_matching(h->store, ret, reterr) : rc;
}

int drg_txn_take_matching(struct drg_txn *t, int64_t holder, struct drg_matching *ret, struct drg_err *reterr)
{
	assert(holder != 0);
	int rc = matching_of(t, ret, reterr);
	if (rc != DRG_OK || (!ret->free && ret->holder != holder))
		return rc;
	struct drg_matching mine = *ret;
	mine.holder = holder;
	return matching_write(t, &mine, DRG_MATCHING_LEASE_US, reterr);
}

int drg_txn_move_matching(struct drg_txn *t, int64_t holder, const struct drg_feed_place *from,
                          const struct drg_feed_place *to, struct drg_err *reterr)
{
	assert(holder != 0);
	struct drg_matching m;
	int rc = matching_of(t, &m, reterr);
	if (rc != DRG_OK)
		return rc;
	if (m.placed != (from != NULL) || (from != NULL && drg_feed_place_cmp(from, &m.place) != 0))
		return DRG_ESTOPPED;
	m.holder = holder;
	m.place = *to;
	return matching_write(t, &m, DRG_MATCHING_LEASE_US, reterr);
}

int drg_txn_restore_matching(struct drg_txn *t, const struct drg_matching *m, struct drg_err *reterr)
{
	const struct drg_matching nobodys = { .place = m->place };
	return matching_write(t, &nobodys, 0, reterr);
}

int drg_feed_place_cmp(const struct drg_feed_place *a, const struct drg_feed_place *b)
{
	if (a->seq != b->seq)
		return a->seq < b->seq ? -1 : 1;
	if (a->type != b->type)
		return a->type < b->type ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}
