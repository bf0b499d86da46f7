#include "model/ndjson.h"
#include "curate/merge_priv.h"

/* A dict record, a redirect with its journal and such; one hotel content. */
enum { ARENA_BYTES = 256 << 20, SCRATCH_BYTES = 64 << 20 };

int drg_merging_begin(struct drg_merging *x, struct drg_txn *t, struct drg_err *reterr)
{
	x->txn = t;
	x->s = drg_txn_store(t);
	drg_arena_init(&x->arena, ARENA_BYTES);
	drg_arena_init(&x->scratch, SCRATCH_BYTES);
	drg_buf_init(&x->referrers, SIZE_MAX);
	const struct drg_deed deed = { .by = x->m->by, .why = x->m->why };
	int rc = drg_deed_check(&deed, reterr);
	return rc == DRG_OK ? drg_txn_lock_imports(t, reterr) : rc;
}

void drg_merging_done(struct drg_merging *x)
{
	drg_buf_done(&x->referrers);
	drg_arena_done(&x->scratch);
	drg_arena_done(&x->arena);
}

int drg_merging_put(struct drg_merging *x, const struct drg_record *r, struct drg_err *reterr)
{
	enum drg_put_result result;
	return drg_txn_put(x->txn, r, &result, reterr);
}

/* ---- referrers -------------------------------------------------------------------------------------------- */

/* Collects rows; of the dict side only if wanted, and hotel content only where it names the record. */
struct collecting {
	struct drg_buf *out;
	enum drg_kind kind;
	int64_t id;
	bool dict_side, named;
	struct drg_err *err;
};

static int collect(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct collecting *c = ctx;
	if (!c->dict_side && r->type->id != DRG_TYPE_SOURCE && r->type->id != DRG_TYPE_REDIRECT)
		return DRG_OK;
	drg_record_pack(r, c->out);
	return c->out->rc == DRG_OK ? DRG_OK : drg_fail(c->err, c->out->rc, NULL, NULL, "out of memory");
}

static void look_for_id(void *ctx, int ref, int64_t id, struct drg_str text, const char *field)
{
	(void)text;
	(void)field;
	struct collecting *c = ctx;
	if (ref == (int)c->kind && id == c->id)
		c->named = true;
}

static int collect_naming(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct collecting *c = ctx;
	c->named = false;
	if (drg_record_refs(r, look_for_id, c) != DRG_OK)
		return drg_fail(c->err, DRG_ENOMEM, NULL, NULL, "out of memory");
	return c->named ? collect(c, r, m) : DRG_OK;
}

static bool is_named_in_content(enum drg_kind kind)
{
	return kind == DRG_KIND_DESCRIPTION_TYPE || kind == DRG_KIND_FACILITY_GROUP ||
	       kind == DRG_KIND_FACILITY_TYPE;
}

int drg_merging_collect(struct drg_merging *x, int64_t id, bool dict_side, struct drg_err *reterr)
{
	struct collecting c = {
		.out = &x->referrers, .kind = x->m->kind, .id = id, .dict_side = dict_side, .err = reterr
	};
	const struct drg_filter contents = { .type = &drg_types[DRG_TYPE_HOTEL_CONTENT] };
	int rc = drg_store_referrers(x->s, x->m->kind, id, UINT32_MAX, collect, &c, reterr);
	if (rc == DRG_OK && dict_side && is_named_in_content(x->m->kind))
		rc = drg_store_scan(x->s, &contents, collect_naming, &c, NULL, reterr);
	return rc;
}

int drg_merging_each(struct drg_merging *x, drg_referrer_fn *fn, void *ctx, struct drg_err *reterr)
{
	struct drg_record r;
	int rc = DRG_OK;
	for (size_t at = 0; at < x->referrers.n && rc == DRG_OK;) {
		at += drg_record_unpack(x->referrers.p + at, x->referrers.n - at, &r);
		drg_arena_reset(&x->scratch);
		rc = fn(ctx, &r, reterr);
	}
	return rc;
}
