#include "matching/learn/last_event.h"

#include "decide/standing.h"

/* State while events are read: those of a source follow each other, but not always in order of time
 * (decide/history.c). */
struct last_reading {
	drg_last_event_fn *fn;
	void *ctx;
	struct drg_last_event e;
	struct drg_standing of; /* the source that is being read */
	struct drg_buf id;
	struct drg_err *err;
};

static void last_judged(struct drg_last_event *e, const struct drg_standing_event *judgement)
{
	e->audited = true;
	e->audited_us = judgement->at_us;
	e->audited_from = judgement->from;
	e->audited_right = judgement->is.keeps;
}

static int last_event_report(struct last_reading *x)
{
	const struct drg_standing_event *v;
	size_t n = drg_standing_sort(&x->of, &v);
	if (n == 0)
		return DRG_OK;
	for (size_t i = 0; i < n; i++)
		if (v[i].is.how == DRG_HOW_AUDIT)
			last_judged(&x->e, &v[i]);
	const struct drg_standing_event *last = &v[n - 1];
	x->e.id = drg_buf_view(&x->id);
	x->e.how = last->is.how;
	x->e.has_to = last->has_to;
	x->e.batch = last->batch;
	x->e.why = drg_str(x->of.whys.p + last->why, last->why_n);
	return x->fn(x->ctx, &x->e);
}

static int last_begin(struct last_reading *x, const struct drg_record *r)
{
	int rc = last_event_report(x);
	x->e = (struct drg_last_event){ .adapter = r->v[DRG_F_ADAPTER_ID].i, .kind = drg_record_kind(r) };
	drg_standing_clear(&x->of);
	drg_buf_clear(&x->id);
	drg_buf_str(&x->id, r->v[DRG_F_SOURCE_ID].s);
	return rc == DRG_OK && x->id.rc != DRG_OK ? drg_fail_memory(x->err) : rc;
}

int drg_last_events(struct drg_store *s, drg_last_event_fn *fn, void *ctx, struct drg_err *reterr)
{
	struct drg_rows rows;
	const struct drg_filter all = { .type = &drg_types[DRG_TYPE_MAPPING_EVENT] };
	struct last_reading x = { .fn = fn, .ctx = ctx, .err = reterr };
	drg_buf_init(&x.id, 1 << 16);
	drg_standing_init(&x.of);
	for (drg_rows_scan(&rows, s, &all, reterr); drg_rows_next(&rows);) {
		const struct drg_record *r = &rows.row.r;
		bool same = x.e.adapter == r->v[DRG_F_ADAPTER_ID].i && x.e.kind == drg_record_kind(r) &&
		            drg_str_eq(drg_buf_view(&x.id), r->v[DRG_F_SOURCE_ID].s);
		if (!same)
			rows.rc = last_begin(&x, r);
		if (rows.rc == DRG_OK && drg_standing_add(&x.of, r) != DRG_OK)
			rows.rc = drg_fail_memory(reterr);
	}
	int rc = drg_rows_end(&rows);
	if (rc == DRG_OK)
		rc = last_event_report(&x);
	drg_buf_done(&x.id);
	drg_standing_done(&x.of);
	return rc;
}
