#include "decide/reference/merge_referrers.h"

#include "model/content.h"
#include "model/ndjson.h"

/* Does a record name another one? */
struct referring {
	enum drg_kind kind;
	int64_t id;
	bool found;
};

static void look_for_id(void *ctx, int ref, int64_t id, struct drg_str text, const char *field)
{
	(void)text;
	(void)field;
	struct referring *x = ctx;
	if (ref == (int)x->kind && id == x->id)
		x->found = true;
}

int drg_referrers_collect(struct drg_store *s, enum drg_kind kind, int64_t id, bool dict_side,
                          struct drg_buf *out, struct drg_err *reterr)
{
	struct drg_rows rows;
	const struct drg_filter contents = { .type = &drg_types[DRG_TYPE_HOTEL_CONTENT] };
	for (drg_rows_referrers(&rows, s, kind, id, UINT32_MAX, reterr); drg_rows_next(&rows);) {
		const enum drg_type_id type = rows.row.r.type->id;
		if (dict_side || type == DRG_TYPE_SOURCE || type == DRG_TYPE_REDIRECT)
			drg_record_pack(&rows.row.r, out);
		if (out->rc != DRG_OK)
			rows.rc = drg_fail_memory(reterr);
	}
	int rc = drg_rows_end(&rows);
	if (rc != DRG_OK || !dict_side || !drg_content_names(kind))
		return rc;
	for (drg_rows_scan(&rows, s, &contents, reterr); drg_rows_next(&rows);) {
		struct referring x = { .kind = kind, .id = id };
		int read = drg_record_refs(&rows.row.r, look_for_id, &x);
		if (x.found)
			drg_record_pack(&rows.row.r, out);
		if (read != DRG_OK || out->rc != DRG_OK)
			rows.rc = drg_fail_memory(reterr);
	}
	return drg_rows_end(&rows);
}

int drg_referrers_each(const struct drg_buf *referrers, drg_referrer_fn *fn, void *ctx,
                       struct drg_err *reterr)
{
	struct drg_record r;
	int rc = DRG_OK;
	for (size_t at = 0; at < referrers->n && rc == DRG_OK;) {
		at += drg_record_unpack(referrers->p + at, referrers->n - at, &r);
		rc = fn(ctx, &r, reterr);
	}
	return rc;
}
