/* GET curate/duplicates: records of the reference that look like the same thing twice (decision C7). */
#include "api/gather.h"
#include "api/store_work.h"
#include "api/tables.h"
#include "model/key.h"
#include "names/duplicates.h"
#include "workbench/by_name.h"
#include "workbench/record_json.h"

enum { PAIRS = 50, PAIRS_MAX = 200 };

struct duplicate_pair {
	struct drg_duplicate d;
	struct drg_record_at of[2]; /* the one that would go, and the one that would stay */
};

struct duplicates_work {
	struct drg_curate_by_name by;
	struct drg_duplicates wanted;
	struct drg_store *s;
	struct drg_arena *arena;
	struct drg_err *err;
	struct duplicate_pair *v;
	size_t n;
};

/* Skip a pair of which a record was removed meanwhile. */
static int duplicates_take(void *ctx, const struct drg_duplicate *d)
{
	struct duplicates_work *k = ctx;
	struct duplicate_pair *p = &k->v[k->n];
	const int64_t ids[] = { d->id, d->into };
	int rc = DRG_OK;
	p->d = *d;
	for (size_t i = 0; rc == DRG_OK && i < DRG_ARRAY_LEN(ids); i++) {
		struct drg_record key;
		drg_key_dict(&key, d->kind, ids[i]);
		rc = drg_gather_one(k->s, &key, k->arena, &p->of[i], k->err);
	}
	k->n += rc == DRG_OK;
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

static int duplicates_run(void *work, struct drg_store *s, struct drg_arena *arena, struct drg_err *reterr)
{
	struct duplicates_work *k = work;
	struct drg_name_index *index = NULL;
	k->s = s;
	k->arena = arena;
	k->err = reterr;
	k->n = 0;
	k->v = drg_arena_calloc(arena, k->wanted.limit, sizeof *k->v);
	int rc = k->v != NULL ? drg_curate_by_name_open(&k->by, s, &index, reterr) : DRG_ENOMEM;
	k->wanted.names = index;
	if (rc == DRG_OK)
		rc = drg_duplicates_each(s, &k->wanted, duplicates_take, k, reterr);
	drg_name_index_close(index);
	return rc;
}

/* ---- the answer ---------------------------------------------------------------------------------------- */

static void duplicates_write_side(struct drg_reading *r, const char *name, const struct drg_record *dict,
                                  unsigned records, const struct drg_lang_pref *pref)
{
	drg_jw_member_object(&r->w, name);
	drg_curate_dict_words(r, dict, pref);
	drg_jw_member_i64(&r->w, "records", records);
	drg_jw_object_end(&r->w);
}

static void duplicates_write_pair(struct drg_reading *r, const struct duplicate_pair *p,
                                  const struct drg_lang_pref *pref)
{
	drg_jw_object(&r->w);
	drg_jw_member_str(&r->w, "kind", drg_str_c(drg_kind_name(p->d.kind)));
	duplicates_write_side(r, "from", &p->of[0].r, p->d.records, pref);
	duplicates_write_side(r, "into", &p->of[1].r, p->d.into_records, pref);
	drg_jw_member_i64_or_null(&r->w, "metres", p->d.metres >= 0, (int64_t)(p->d.metres + 0.5));
	drg_jw_member_i64(&r->w, "shared", p->d.shared);
	drg_jw_object_end(&r->w);
}

static int duplicates_write(struct drg_reading *r, void *work)
{
	struct duplicates_work *k = work;
	const struct drg_lang_pref pref = drg_reading_langs(r);
	drg_data_begin(&r->w);
	drg_jw_object(&r->w);
	drg_jw_member_i64(&r->w, "total", (int64_t)k->wanted.found);
	drg_jw_member_array(&r->w, "items");
	for (size_t i = 0; i < k->n; i++)
		duplicates_write_pair(r, &k->v[i], &pref);
	drg_items_end(&r->w);
	return DRG_OK;
}

/* ---- the request --------------------------------------------------------------------------------------- */

/* It counts the records of all suppliers: not for keys that may read some only. */
static int duplicates_allowed(struct drg_exchange *x)
{
	return drg_exchange_caller(x)->reads == NULL
	               ? DRG_OK
	               : drg_fail(drg_exchange_err(x), DRG_EAUTH, DRG_R(adapter_not_allowed), NULL,
	                          "this key is for some suppliers only: it may not see duplicates");
}

static int curate_duplicates(struct drg_exchange *x)
{
	int rc = duplicates_allowed(x);
	if (rc != DRG_OK)
		return rc;
	struct duplicates_work *k = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *k);
	if (k == NULL)
		return DRG_ENOMEM;
	drg_curate_by_name_read(x, PAIRS, &k->by);
	k->wanted = (struct drg_duplicates){
		.one_kind = k->by.one_kind, .kind = k->by.kind, .country = k->by.country, .limit = k->by.limit
	};
	return drg_slow_work_run(x, duplicates_run, duplicates_write, k);
}

static const struct drg_param duplicates_params[] = {
	DRG_PARAM_CURATE_BY_NAME(PAIRS_MAX, "pairs at most; 50 when absent"),
	DRG_PARAM_LANG,
	{ 0 },
};

const struct drg_endpoint drg_curate_duplicates[] = {
	{ .method = DRG_GET,
	  .path = "/v1/curate/duplicates",
	  .name = "curateDuplicates",
	  .handler = curate_duplicates,
	  .auth = DRG_AUTH_VIEWER,
	  .params = duplicates_params,
	  .summary = "Records of the reference that look like the same thing twice" },
	{ 0 },
};
