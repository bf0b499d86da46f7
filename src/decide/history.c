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
	size_t at; /* in the packed records */
};

static int by_time(const void *pa, const void *pb)
{
	const struct dated *a = pa, *b = pb;
	if (a->at_us != b->at_us)
		return a->at_us < b->at_us ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

/* Call fn for the events of a reading, the oldest first. */
static int each_in_order(struct drg_rows *rows, drg_row_fn *fn, void *ctx, struct drg_err *reterr)
{
	static const struct drg_row_meta none = { 0 };
	struct drg_buf records, all; /* of drg_record_pack(); struct dated */
	drg_buf_init(&records, SIZE_MAX);
	drg_buf_init(&all, SIZE_MAX);
	while (drg_rows_next(rows)) {
		struct dated d = { .at = records.n };
		if (!drg_stamp_parse(rows->row.r.v[DRG_F_AT].s, &d.at_us))
			d.at_us = INT64_MIN;
		drg_record_pack(&rows->row.r, &records);
		drg_buf_add(&all, &d, sizeof d);
		if (records.rc != DRG_OK || all.rc != DRG_OK)
			rows->rc = drg_fail_memory(reterr);
	}
	int rc = drg_rows_end(rows);
	const struct dated *v = (const struct dated *)(void *)all.p;
	size_t n = all.n / sizeof *v;
	if (n > 0)
		qsort(all.p, n, sizeof *v, by_time);
	for (size_t i = 0; i < n && rc == DRG_OK; i++) {
		struct drg_record r;
		drg_record_unpack(records.p + v[i].at, records.n - v[i].at, &r);
		rc = fn(ctx, &r, &none);
	}
	drg_buf_done(&all);
	drg_buf_done(&records);
	return rc;
}

int drg_event_siblings(struct drg_store *s, const struct drg_record *key, drg_row_fn *fn, void *ctx,
                       struct drg_err *reterr)
{
	struct drg_rows rows;
	return each_in_order(drg_rows_siblings(&rows, s, key, 0, reterr), fn, ctx, reterr);
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
	struct drg_rows rows;
	const struct drg_filter all = { .type = type, .any_order = true };
	return each_in_order(drg_rows_scan(&rows, s, &all, reterr), fn, ctx, reterr);
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
	struct drg_rows rows;
	for (drg_rows_siblings(&rows, s, key, 0, reterr); drg_rows_next(&rows);) {
		int64_t us;
		if (drg_stamp_parse(rows.row.r.v[DRG_F_AT].s, &us) && us >= at_us)
			at_us = us + 1;
	}
	int rc = drg_rows_end(&rows);
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
