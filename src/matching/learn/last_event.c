#include "matching/learn/last_event.h"

#include "text/stamp.h"

/* State while events are read: those of a source follow each other, but not always in order of time
 * (decide/history.c). */
struct last_reading {
	drg_last_event_fn *fn;
	void *ctx;
	struct drg_last_event e;
	bool any;
	int64_t at_us; /* of e.how */
	struct drg_buf id, why;
	struct drg_err *err;
};

static int last_event_report(struct last_reading *x)
{
	bool any = x->any;
	x->any = false;
	x->e.id = drg_buf_view(&x->id);
	x->e.why = drg_buf_view(&x->why);
	return any ? x->fn(x->ctx, &x->e) : DRG_OK;
}

static int last_begin(struct last_reading *x, const struct drg_record *r)
{
	int rc = last_event_report(x);
	x->e = (struct drg_last_event){ .adapter = r->v[DRG_F_ADAPTER_ID].i, .kind = drg_record_kind(r) };
	x->at_us = INT64_MIN;
	x->any = true;
	drg_buf_clear(&x->id);
	drg_buf_str(&x->id, r->v[DRG_F_SOURCE_ID].s);
	return rc;
}

static void last_judged(struct drg_last_event *e, const struct drg_record *r, int64_t at)
{
	if (e->audited && at < e->audited_us)
		return;
	e->audited = true;
	e->audited_us = at;
	e->audited_from = drg_record_i(r, DRG_F_FROM, 0);
	e->audited_right = drg_record_has(r, DRG_F_TO) && r->v[DRG_F_TO].i == e->audited_from;
}

static int last_take(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct last_reading *x = ctx;
	enum drg_how how = (enum drg_how)drg_record_i(r, DRG_F_HOW, DRG_HOW_SET);
	int64_t at = INT64_MIN;
	if (how == DRG_HOW_MERGE || how == DRG_HOW_SPLIT)
		return DRG_OK;
	bool same = x->any && x->e.adapter == r->v[DRG_F_ADAPTER_ID].i && x->e.kind == drg_record_kind(r) &&
	            drg_str_eq(drg_buf_view(&x->id), r->v[DRG_F_SOURCE_ID].s);
	int rc = same ? DRG_OK : last_begin(x, r);
	(void)drg_stamp_parse(r->v[DRG_F_AT].s, &at);
	if (how == DRG_HOW_AUDIT)
		last_judged(&x->e, r, at);
	if (at >= x->at_us) {
		x->at_us = at;
		x->e.how = how;
		x->e.has_to = drg_record_has(r, DRG_F_TO);
		x->e.batch = drg_record_i(r, DRG_F_OF_BATCH, 0);
		drg_buf_clear(&x->why);
		drg_buf_str(&x->why, drg_record_s(r, DRG_F_WHY));
	}
	return rc == DRG_OK && (x->id.rc != DRG_OK || x->why.rc != DRG_OK) ? drg_fail_memory(x->err) : rc;
}

int drg_last_events(struct drg_store *s, drg_last_event_fn *fn, void *ctx, struct drg_err *reterr)
{
	const struct drg_filter all = { .type = &drg_types[DRG_TYPE_MAPPING_EVENT] };
	struct last_reading x = { .fn = fn, .ctx = ctx, .err = reterr };
	drg_buf_init(&x.id, 1 << 16);
	drg_buf_init(&x.why, 1 << 16);
	int rc = drg_store_scan(s, &all, last_take, &x, NULL, reterr);
	if (rc == DRG_OK)
		rc = last_event_report(&x);
	drg_buf_done(&x.id);
	drg_buf_done(&x.why);
	return rc;
}
