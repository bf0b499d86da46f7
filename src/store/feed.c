/* Merges the feeds of all types into one order. An engine gives the rows of each type in order. */
#include <assert.h>

#include "store/store_priv.h"

struct feed {
	struct drg_store *s;
	const struct drg_store_ops *ops;
	unsigned types; /* a bit for each type */
	int64_t seq[DRG_TYPE_COUNT]; /* seq of the row where the type's feed stands; INT64_MAX: no more */
	struct drg_feed_place *place;
	drg_row_fn *fn;
	void *ctx;
};

static bool feed_has(const struct feed *f, unsigned type)
{
	return (f->types >> type & 1) != 0;
}

/* A place is behind a row. Types before that row's type continue with the next commit, later types with this
 * commit. */
static int feed_start(struct feed *f, struct drg_err *reterr)
{
	const struct drg_feed_place *p = f->place;
	int rc = DRG_OK;
	for (unsigned i = 0; i < DRG_TYPE_COUNT; i++)
		f->seq[i] = INT64_MAX;
	for (unsigned i = 0; i < DRG_TYPE_COUNT && rc == DRG_OK; i++) {
		if (!feed_has(f, i))
			continue;
		int64_t seq = i > p->type ? p->seq - 1 : p->seq;
		int64_t row = i == p->type ? p->row : INT64_MAX;
		rc = f->ops->feed_begin(f->s, &drg_types[i], seq, row, reterr);
		if (rc == DRG_OK)
			rc = f->ops->feed_next(f->s, &drg_types[i], &f->seq[i], reterr);
	}
	return rc;
}

static int feed_give(struct feed *f, unsigned type, struct drg_err *reterr)
{
	struct drg_stored row;
	int rc = f->ops->feed_row(f->s, &drg_types[type], &row, reterr);
	/* Each type comes in order, so the merged rows do too, and the cursor only moves forward. */
	assert(rc != DRG_OK || (row.m.seq == f->seq[type] && row.m.seq >= f->place->seq));
	if (rc == DRG_OK)
		rc = f->fn(f->ctx, &row.r, &row.m);
	if (rc != DRG_OK)
		return rc;
	*f->place = (struct drg_feed_place){ row.m.seq, type, row.row };
	return f->ops->feed_next(f->s, &drg_types[type], &f->seq[type], reterr);
}

static int feed_rows(struct feed *f, struct drg_err *reterr)
{
	for (;;) {
		unsigned next = 0;
		for (unsigned i = 1; i < DRG_TYPE_COUNT; i++)
			if (f->seq[i] < f->seq[next])
				next = i;
		if (f->seq[next] == INT64_MAX)
			return DRG_OK;
		int rc = feed_give(f, next, reterr);
		if (rc != DRG_OK)
			return rc;
	}
}

int drg_store_feed_from(struct drg_store *s, unsigned types, struct drg_feed_place *place, drg_row_fn *fn,
                        void *ctx, struct drg_clock *ret_clock, struct drg_err *reterr)
{
	assert(types != 0 && types >> DRG_TYPE_COUNT == 0 && fn != NULL);
	struct feed f = { s, drg_store_head(s)->ops, types, { 0 }, place, fn, ctx };
	int rc = drg_store_snapshot(s, ret_clock, reterr);
	if (rc != DRG_OK)
		return rc;
	if (ret_clock->seq > place->seq || place->type != DRG_FEED_END) {
		rc = feed_start(&f, reterr);
		if (rc == DRG_OK)
			rc = feed_rows(&f, reterr);
		for (unsigned i = 0; i < DRG_TYPE_COUNT; i++)
			if (feed_has(&f, i))
				f.ops->feed_end(s, &drg_types[i]);
	}
	drg_store_snapshot_end(s);
	return rc;
}
