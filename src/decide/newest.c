#include "decide/newest.h"

#include <assert.h>
#include <stdlib.h>

int drg_newest_order(const struct drg_newest_event *a, int64_t at_us, int64_t row)
{
	if (a->at_us != at_us)
		return a->at_us < at_us ? -1 : 1;
	return (a->row > row) - (a->row < row);
}

int drg_newest_init(struct drg_newest *x, size_t limit)
{
	*x = (struct drg_newest){ .limit = limit, .v = calloc(limit, sizeof *x->v) };
	for (size_t i = 0; x->v != NULL && i < limit; i++)
		drg_buf_init(&x->v[i].packed, SIZE_MAX);
	return x->v != NULL ? DRG_OK : DRG_ENOMEM;
}

void drg_newest_done(struct drg_newest *x)
{
	for (size_t i = 0; x->v != NULL && i < x->limit; i++)
		drg_buf_done(&x->v[i].packed);
	free(x->v);
	x->v = NULL;
}

static void newest_sift(struct drg_newest *x, size_t i)
{
	for (;;) {
		size_t least = i;
		for (size_t k = 2 * i + 1; k <= 2 * i + 2 && k < x->n; k++)
			if (drg_newest_order(&x->v[k], x->v[least].at_us, x->v[least].row) < 0)
				least = k;
		if (least == i)
			return;
		struct drg_newest_event e = x->v[i];
		x->v[i] = x->v[least];
		x->v[least] = e;
		i = least;
	}
}

int drg_newest_take(struct drg_newest *x, const struct drg_record *event, int64_t at_us, int64_t row)
{
	bool full = x->n == x->limit;
	x->more = x->more || full;
	if (full && drg_newest_order(&x->v[0], at_us, row) > 0)
		return DRG_OK;
	/* reuse the place and the memory of the event that is dropped */
	struct drg_newest_event *e = &x->v[full ? 0 : x->n++];
	e->at_us = at_us;
	e->row = row;
	drg_buf_clear(&e->packed);
	drg_record_pack(event, &e->packed);
	int rc = e->packed.rc;
	if (full)
		newest_sift(x, 0);
	for (size_t i = x->n / 2; !full && x->n == x->limit && i-- > 0;)
		newest_sift(x, i);
	return rc;
}

static int newest_first(const void *a, const void *b)
{
	const struct drg_newest_event *y = b;
	return -drg_newest_order(a, y->at_us, y->row);
}

void drg_newest_sort(struct drg_newest *x)
{
	if (x->n > 1)
		qsort(x->v, x->n, sizeof *x->v, newest_first);
}

void drg_newest_at(const struct drg_newest *x, size_t i, struct drg_record *ret)
{
	assert(i < x->n);
	drg_record_unpack(x->v[i].packed.p, x->v[i].packed.n, ret);
}
