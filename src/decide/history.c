#include "decide/history.h"

#include <assert.h>
#include <stdlib.h>

#include "model/value.h"
#include "text/stamp.h"

/* ---- events -------------------------------------------------------------------------------------------- */

static int history_check_text(enum drg_field field, struct drg_str text, struct drg_err *reterr)
{
	return text.n > 0 ? drg_field_check_text(DRG_TYPE_MAPPING_EVENT, field, text, reterr) : DRG_OK;
}

int drg_audit_check(const struct drg_audit *d, struct drg_err *reterr)
{
	int rc = history_check_text(DRG_F_BY, d->by, reterr);
	return rc == DRG_OK ? history_check_text(DRG_F_WHY, d->why, reterr) : rc;
}

/* An event and its time. The store sorts times as texts, where "….123Z" comes after "….123456Z", so events
 * are sorted here. */
struct dated {
	int64_t at_us;
	size_t at; /* in `records` */
};

struct events {
	struct drg_buf records; /* of drg_record_pack() */
	struct drg_buf dated; /* struct dated */
	struct drg_err *err;
};

static int gather_event(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct events *e = ctx;
	struct dated d = { .at = e->records.n };
	if (!drg_stamp_parse(r->v[DRG_F_AT].s, &d.at_us))
		d.at_us = INT64_MIN;
	drg_record_pack(r, &e->records);
	drg_buf_add(&e->dated, &d, sizeof d);
	int rc = e->records.rc != DRG_OK ? e->records.rc : e->dated.rc;
	return rc == DRG_OK ? rc : drg_fail_memory(e->err);
}

static int by_time(const void *pa, const void *pb)
{
	const struct dated *a = pa, *b = pb;
	if (a->at_us != b->at_us)
		return a->at_us < b->at_us ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

/* Call fn for the gathered events, the oldest first, and free them. @param rc  The result of the gathering. */
static int each_in_order(struct events *e, int rc, drg_row_fn *fn, void *ctx)
{
	assert(e->dated.rc != DRG_OK || e->dated.n % sizeof(struct dated) == 0);
	static const struct drg_row_meta none = { 0 };
	const struct dated *dated = (const struct dated *)(void *)e->dated.p;
	size_t n = e->dated.n / sizeof *dated;
	if (n > 0)
		qsort(e->dated.p, n, sizeof *dated, by_time);
	for (size_t i = 0; i < n && rc == DRG_OK; i++) {
		struct drg_record r;
		drg_record_unpack(e->records.p + dated[i].at, e->records.n - dated[i].at, &r);
		rc = fn(ctx, &r, &none);
	}
	drg_buf_done(&e->dated);
	drg_buf_done(&e->records);
	return rc;
}

static void events_init(struct events *e, struct drg_err *reterr)
{
	e->err = reterr;
	drg_buf_init(&e->records, SIZE_MAX);
	drg_buf_init(&e->dated, SIZE_MAX);
}

int drg_event_siblings(struct drg_store *s, const struct drg_record *key, drg_row_fn *fn, void *ctx,
                       struct drg_err *reterr)
{
	struct events e;
	events_init(&e, reterr);
	int rc = drg_store_siblings(s, key, gather_event, &e, reterr);
	return each_in_order(&e, rc, fn, ctx);
}

int drg_event_each(struct drg_store *s, const struct drg_record *key, drg_row_fn *fn, void *ctx,
                   struct drg_err *reterr)
{
	struct drg_record event;
	drg_key_event(&event, key->v[DRG_F_ADAPTER_ID].i, drg_record_kind(key), key->v[DRG_F_SOURCE_ID].s);
	return drg_event_siblings(s, &event, fn, ctx, reterr);
}

int drg_event_scan(struct drg_store *s, const struct drg_type *type, drg_row_fn *fn, void *ctx,
                   struct drg_err *reterr)
{
	const struct drg_filter all = { .type = type, .any_order = true };
	struct events e;
	events_init(&e, reterr);
	int rc = drg_store_scan(s, &all, gather_event, &e, NULL, reterr);
	return each_in_order(&e, rc, fn, ctx);
}

static int move_past(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	int64_t *at = ctx, us;
	if (drg_stamp_parse(r->v[DRG_F_AT].s, &us) && us >= *at)
		*at = us + 1;
	return DRG_OK;
}

int drg_event_next_at(struct drg_store *s, const struct drg_record *source, int64_t at_us, int64_t *ret,
                      struct drg_err *reterr)
{
	struct drg_record event;
	drg_key_event(&event, source->v[DRG_F_ADAPTER_ID].i, drg_record_kind(source),
	              source->v[DRG_F_SOURCE_ID].s);
	return drg_event_at_beside(s, &event, at_us, ret, reterr);
}

int drg_event_at_beside(struct drg_store *s, const struct drg_record *key, int64_t at_us, int64_t *ret,
                        struct drg_err *reterr)
{
	int rc = drg_store_siblings(s, key, move_past, &at_us, reterr);
	if (rc == DRG_OK)
		*ret = at_us;
	return rc;
}

void drg_source_set_mapping(struct drg_record *source, const int64_t *to)
{
	assert(source->type->id == DRG_TYPE_SOURCE);
	const uint64_t bit = UINT64_C(1) << DRG_F_DICT_ID;
	source->has &= ~bit;
	source->nulls |= bit;
	if (to == NULL)
		return;
	source->nulls &= ~bit;
	drg_record_set_i(source, DRG_F_DICT_ID, *to);
}

static void history_set_text(struct drg_record *r, enum drg_field f, struct drg_str text)
{
	if (text.n > 0)
		drg_record_set_s(r, f, text);
}

int drg_event_put(struct drg_txn *t, const struct drg_record *source, const int64_t *to,
                  const struct drg_audit *d, struct drg_err *reterr)
{
	assert(source->type->id == DRG_TYPE_SOURCE && d->at_us > 0);
	struct drg_record mapped = *source, event;
	enum drg_put_result result;
	char at[DRG_STAMP_TEXT];
	drg_source_set_mapping(&mapped, to);
	drg_key_event(&event, source->v[DRG_F_ADAPTER_ID].i, drg_record_kind(source),
	              source->v[DRG_F_SOURCE_ID].s);
	drg_record_set_s(&event, DRG_F_AT, drg_str(at, drg_stamp_text(d->at_us, at)));
	if (drg_record_has(source, DRG_F_DICT_ID))
		drg_record_set_i(&event, DRG_F_FROM, source->v[DRG_F_DICT_ID].i);
	if (to != NULL)
		drg_record_set_i(&event, DRG_F_TO, *to);
	history_set_text(&event, DRG_F_BY, d->by);
	history_set_text(&event, DRG_F_WHY, d->why);
	drg_record_set_i(&event, DRG_F_HOW, (int64_t)d->how);
	int rc = drg_txn_put(t, &mapped, &result, reterr);
	return rc == DRG_OK ? drg_txn_put(t, &event, &result, reterr) : rc;
}
