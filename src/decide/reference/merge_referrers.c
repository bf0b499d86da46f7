#include "decide/reference/merge_referrers.h"

#include "model/content.h"
#include "model/ndjson.h"

/* Collects rows: of the dict side only if wanted, and hotel content only if it names the record. */
struct referrers_collecting {
	struct drg_buf *out;
	enum drg_kind kind;
	int64_t id;
	bool dict_side, named;
	struct drg_err *err;
};

static int merge_referrers_collect(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct referrers_collecting *c = ctx;
	if (!c->dict_side && r->type->id != DRG_TYPE_SOURCE && r->type->id != DRG_TYPE_REDIRECT)
		return DRG_OK;
	drg_record_pack(r, c->out);
	return c->out->rc == DRG_OK ? DRG_OK : drg_fail_memory(c->err);
}

static void look_for_id(void *ctx, int ref, int64_t id, struct drg_str text, const char *field)
{
	(void)text;
	(void)field;
	struct referrers_collecting *c = ctx;
	if (ref == (int)c->kind && id == c->id)
		c->named = true;
}

static int collect_naming(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct referrers_collecting *c = ctx;
	c->named = false;
	if (drg_record_refs(r, look_for_id, c) != DRG_OK)
		return drg_fail_memory(c->err);
	return c->named ? merge_referrers_collect(c, r, m) : DRG_OK;
}

int drg_referrers_collect(struct drg_store *s, enum drg_kind kind, int64_t id, bool dict_side,
                          struct drg_buf *out, struct drg_err *reterr)
{
	struct referrers_collecting c = {
		.out = out, .kind = kind, .id = id, .dict_side = dict_side, .err = reterr
	};
	const struct drg_filter contents = { .type = &drg_types[DRG_TYPE_HOTEL_CONTENT] };
	int rc = drg_store_referrers(s, kind, id, UINT32_MAX, merge_referrers_collect, &c, reterr);
	if (rc == DRG_OK && dict_side && drg_content_names(kind))
		rc = drg_store_scan(s, &contents, collect_naming, &c, NULL, reterr);
	return rc;
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
