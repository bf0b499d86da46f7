#include "store/coverage.h"

#include <assert.h>

#include "base/clock.h"
#include "store/side_priv.h"
#include "store/store_priv.h"
#include "store/uses.h"

enum { DAY_S = 86400 };

/* ---- writing ------------------------------------------------------------------------------------------- */

int64_t drg_txn_day(const struct drg_txn *t)
{
	const struct drg_txn_head *h = (const struct drg_txn_head *)t;
	return (h->at_us != 0 ? h->at_us : drg_wall_us()) / 1000000 / DAY_S;
}

static int count_add(struct drg_txn *t, const struct drg_count_change *c, enum drg_use_sort sort,
                     int64_t count, int64_t mapped, struct drg_err *reterr)
{
	const int64_t day = drg_txn_day(t);
	const struct drg_use u = { .sort = sort,
		                   .number = c->adapter,
		                   .kind = c->kind,
		                   .id = DRG_STR(""),
		                   .slot = day,
		                   .count = count,
		                   .mapped = mapped,
		                   .day = day };
	return count != 0 || mapped != 0 ? drg_side_put(t, DRG_SIDE_USE, &u, reterr) : DRG_OK;
}

int drg_txn_counts_end(struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_txn_head *h = drg_txn_head(t);
	int rc = DRG_OK;
	for (unsigned i = 0; i < h->n_counts && rc == DRG_OK; i++) {
		const struct drg_count_change *c = &h->counts[i];
		rc = count_add(t, c, DRG_USE_STORED, c->records, c->mapped, reterr);
		if (rc == DRG_OK)
			rc = count_add(t, c, DRG_USE_ASKED, c->asked, 0, reterr);
	}
	h->n_counts = 0;
	return rc;
}

/* Find the counter of a supplier and kind in the transaction. */
static int coverage_count_of(struct drg_txn *t, int64_t adapter, enum drg_kind kind,
                             struct drg_count_change **ret, struct drg_err *reterr)
{
	struct drg_txn_head *h = drg_txn_head(t);
	assert(h->n_counts <= DRG_COUNT_CHANGES);
	unsigned at = h->n_counts;
	int rc = DRG_OK;
	while (at > 0 && (h->counts[at - 1].adapter != adapter || h->counts[at - 1].kind != kind))
		at--;
	if (at == 0 && h->n_counts == DRG_COUNT_CHANGES)
		rc = drg_txn_counts_end(t, reterr);
	if (at == 0 && rc == DRG_OK) {
		at = ++h->n_counts;
		h->counts[at - 1] = (struct drg_count_change){ .adapter = adapter, .kind = kind };
	}
	assert(rc != DRG_OK || (at > 0 && at <= h->n_counts));
	*ret = rc == DRG_OK ? &h->counts[at - 1] : NULL;
	return rc;
}

static bool coverage_alive(const struct drg_record *r)
{
	return r != NULL && !r->deleted;
}

static bool coverage_mapped(const struct drg_record *r)
{
	return coverage_alive(r) && drg_record_has(r, DRG_F_DICT_ID);
}

int drg_txn_count(struct drg_txn *t, const struct drg_record *was, const struct drg_record *is,
                  struct drg_err *reterr)
{
	assert(was == NULL || was->type == is->type);
	struct drg_count_change *c;
	if (is->type->id != DRG_TYPE_SOURCE)
		return DRG_OK;
	int rc = coverage_count_of(t, is->v[DRG_F_ADAPTER_ID].i, drg_record_kind(is), &c, reterr);
	if (rc != DRG_OK)
		return rc;
	c->records += coverage_alive(is) - coverage_alive(was);
	c->mapped += coverage_mapped(is) - coverage_mapped(was);
	return DRG_OK;
}

int drg_txn_count_asked(struct drg_txn *t, int64_t adapter, enum drg_kind kind, struct drg_err *reterr)
{
	struct drg_count_change *c;
	int rc = coverage_count_of(t, adapter, kind, &c, reterr);
	if (rc == DRG_OK)
		c->asked++;
	return rc;
}

/* ---- reading ------------------------------------------------------------------------------------------- */

struct coverage_sum {
	int64_t since_day;
	drg_coverage_fn *fn;
	void *ctx;
	bool any;
	struct drg_coverage c;
};

/* The days of one supplier and kind follow each other. */
static int coverage_add(void *ctx, const struct drg_use *u)
{
	struct coverage_sum *x = ctx;
	int rc = DRG_OK;
	if (!x->any || x->c.adapter != u->number || x->c.kind != u->kind) {
		if (x->any)
			rc = x->fn(x->ctx, &x->c);
		x->any = true;
		x->c = (struct drg_coverage){ .adapter = u->number, .kind = u->kind };
	}
	x->c.records += u->count;
	x->c.mapped += u->mapped;
	if (u->slot >= x->since_day) {
		x->c.records_since += u->count;
		x->c.mapped_since += u->mapped;
	}
	return rc;
}

int drg_store_coverage(struct drg_store *s, int64_t since_day, drg_coverage_fn *fn, void *ctx,
                       struct drg_err *reterr)
{
	struct coverage_sum x = { .since_day = since_day, .fn = fn, .ctx = ctx };
	int rc = drg_store_uses(s, DRG_USE_STORED, 0, coverage_add, &x, reterr);
	return rc == DRG_OK && x.any ? fn(ctx, &x.c) : rc;
}
