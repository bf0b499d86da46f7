/* GET curate/reference: a record of the reference with all suppliers' (decision C6). */
#include "api/curate_words.h"
#include "api/gather.h"
#include "api/store_work.h"
#include "api/tables.h"
#include "decide/decision.h"
#include "model/key.h"
#include "store/fetch.h"
#include "workbench/record_json.h"

enum { SOURCES_MAX = 1000, REDIRECTS_MAX = 100 };

struct reference_work {
	enum drg_kind kind;
	int64_t id;
	bool gone; /* it was merged */
	int64_t lives, version;
	struct drg_record_at dict;
	struct drg_copied sources, redirects;
};

/* ---- on a thread of the readers ------------------------------------------------------------------------ */

static int reference_gather(struct reference_work *k, struct drg_store *s, struct drg_arena *arena,
                            struct drg_err *reterr)
{
	struct drg_rows rows;
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_REDIRECT],
		                      .one_kind = true,
		                      .kind = k->kind };
	struct drg_record key;
	int rc = drg_copied_init(&k->sources, arena, SOURCES_MAX);
	if (rc == DRG_OK)
		rc = drg_copied_init(&k->redirects, arena, REDIRECTS_MAX);
	drg_key_dict(&key, k->kind, k->lives);
	if (rc == DRG_OK)
		rc = drg_gather_one(s, &key, arena, &k->dict, reterr);
	if (rc == DRG_OK)
		rc = drg_copied_rc(&k->sources, drg_rows_each(drg_rows_mapped(&rows, s, k->kind, k->lives,
		                                                              SOURCES_MAX + 1, reterr),
		                                              drg_copied_take, &k->sources));
	if (rc != DRG_OK)
		return rc;
	/* those that lead to it; there are few beside the records */
	for (drg_rows_scan(&rows, s, &f, reterr); drg_rows_next(&rows);)
		if (drg_record_i(&rows.row.r, DRG_F_TO, 0) == k->lives)
			rows.rc = drg_copied_take(&k->redirects, &rows.row.r, &rows.row.m);
	return drg_copied_rc(&k->redirects, drg_rows_end(&rows));
}

static int reference_run(void *work, struct drg_store *s, struct drg_arena *arena, struct drg_err *reterr)
{
	struct reference_work *k = work;
	int rc = drg_dict_version(s, k->kind, k->id, &k->gone, &k->version, reterr);
	if (rc == DRG_OK)
		rc = drg_resolve(s, k->kind, k->id, &k->lives, reterr);
	return rc == DRG_OK ? reference_gather(k, s, arena, reterr) : rc;
}

/* ---- the answer ---------------------------------------------------------------------------------------- */

static void reference_write_sources(struct drg_reading *r, const struct reference_work *k)
{
	drg_jw_member_array(&r->w, "suppliers");
	for (size_t i = 0; i < k->sources.n; i++) {
		const struct drg_record *s = &k->sources.v[i].r;
		if (!drg_api_can_read(r->x, s->v[DRG_F_ADAPTER_ID].i))
			continue;
		drg_jw_object(&r->w);
		drg_curate_source_members(r, s);
		drg_jw_member_i64(&r->w, "version", k->sources.v[i].seq);
		drg_curate_record(&r->w, "record", s);
		drg_jw_object_end(&r->w);
	}
	drg_jw_array_end(&r->w);
	drg_jw_member_bool(&r->w, "more_suppliers", k->sources.more);
}

static void reference_write_redirects(struct drg_reading *r, const struct reference_work *k)
{
	drg_jw_member_array(&r->w, "redirects");
	for (size_t i = 0; i < k->redirects.n; i++) {
		const struct drg_record *d = &k->redirects.v[i].r;
		drg_jw_object(&r->w);
		drg_curate_int_or_null(&r->w, "id", d, DRG_F_ID);
		drg_jw_member_i64(&r->w, "version", k->redirects.v[i].seq);
		drg_text_or_null(&r->w, "at", drg_record_s(d, DRG_F_AT));
		drg_text_or_null(&r->w, "by", drg_record_s(d, DRG_F_BY));
		drg_text_or_null(&r->w, "why", drg_record_s(d, DRG_F_WHY));
		drg_jw_object_end(&r->w);
	}
	drg_jw_array_end(&r->w);
}

static int reference_write(struct drg_reading *r, void *work)
{
	struct reference_work *k = work;
	const struct drg_lang_pref pref = drg_reading_langs(r);
	drg_data_begin(&r->w);
	drg_jw_object(&r->w);
	drg_jw_member_str(&r->w, "kind", drg_str_c(drg_kind_name(k->kind)));
	drg_jw_member_i64_or_null(&r->w, "merged_into", k->gone, k->lives);
	drg_jw_member_i64(&r->w, "version", k->version);
	drg_curate_dict_words(r, &k->dict.r, &pref);
	drg_curate_record(&r->w, "record", &k->dict.r);
	reference_write_sources(r, k);
	reference_write_redirects(r, k);
	drg_jw_object_end(&r->w);
	drg_data_end(&r->w);
	return DRG_OK;
}

static int curate_reference(struct drg_exchange *x)
{
	struct reference_work *k = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *k);
	if (k == NULL)
		return DRG_ENOMEM;
	k->kind = drg_kind_by_name(drg_exchange_text(x, "kind"));
	k->id = drg_exchange_int(x, "id", 0);
	return drg_store_work_run(x, reference_run, reference_write, k);
}

static const struct drg_param reference_params[] = {
	DRG_PARAM_CURATE_DICT_KIND,
	{ .name = "id",
	  .type = DRG_P_INT,
	  .required = true,
	  .doc = "dict id, also of a record that was merged away" },
	DRG_PARAM_LANG,
	{ 0 },
};

const struct drg_endpoint drg_curate_reference[] = {
	{ .method = DRG_GET,
	  .path = "/v1/curate/reference",
	  .name = "curateReference",
	  .handler = curate_reference,
	  .auth = DRG_AUTH_VIEWER,
	  .params = reference_params,
	  .summary = "One record of the reference with all suppliers' records" },
	{ 0 },
};
