/* GET curate/search: records of the reference by name, in any language (decision C7). */
#include "api/gather.h"
#include "api/store_work.h"
#include "api/tables.h"
#include "names/find.h"
#include "workbench/by_name.h"
#include "workbench/record_json.h"

enum { FOUND = 20, FOUND_MAX = 100 };

struct search_work {
	struct drg_curate_by_name by;
	struct drg_find find;
	struct drg_copied found;
	struct drg_str *names; /* the ones that fit best */
};

static int search_take(void *ctx, const struct drg_record *r, struct drg_str name)
{
	static const struct drg_row_meta none;
	struct search_work *k = ctx;
	size_t at = k->found.n;
	int rc = drg_copied_take(&k->found, r, &none);
	if (rc == DRG_OK)
		k->names[at] = drg_arena_str(k->found.arena, name);
	return rc == DRG_OK && k->names[at].p == NULL ? DRG_ENOMEM : rc;
}

static int search_run(void *work, struct drg_store *s, struct drg_arena *arena, struct drg_err *reterr)
{
	struct search_work *k = work;
	struct drg_name_index *index = NULL;
	int rc = drg_copied_init(&k->found, arena, k->find.limit);
	k->names = drg_arena_calloc(arena, k->find.limit, sizeof *k->names);
	if (rc == DRG_OK)
		rc = k->names != NULL ? drg_curate_by_name_open(&k->by, s, &index, reterr) : DRG_ENOMEM;
	k->find.names = index;
	if (rc == DRG_OK)
		rc = drg_copied_rc(&k->found, drg_find_each(s, &k->find, search_take, k, reterr));
	drg_name_index_close(index);
	return rc;
}

static int search_write(struct drg_reading *r, void *work)
{
	struct search_work *k = work;
	const struct drg_lang_pref pref = drg_reading_langs(r);
	drg_items_begin(&r->w);
	for (size_t i = 0; i < k->found.n; i++) {
		const struct drg_record *d = &k->found.v[i].r;
		drg_jw_object(&r->w);
		drg_jw_member_str(&r->w, "kind", drg_str_c(drg_kind_name(drg_record_kind(d))));
		drg_curate_dict_words(r, d, &pref);
		drg_jw_member_str(&r->w, "found", k->names[i]);
		drg_curate_record(&r->w, "record", d);
		drg_jw_object_end(&r->w);
	}
	drg_items_end(&r->w);
	return DRG_OK;
}

static int curate_search(struct drg_exchange *x)
{
	struct search_work *k = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *k);
	if (k == NULL)
		return DRG_ENOMEM;
	drg_curate_by_name_read(x, FOUND, &k->by);
	k->find = (struct drg_find){ .text = drg_exchange_text(x, "q"),
		                     .one_kind = k->by.one_kind,
		                     .kind = k->by.kind,
		                     .country = k->by.country,
		                     .limit = k->by.limit };
	return drg_store_work_run(x, search_run, search_write, k);
}

static const struct drg_param search_params[] = {
	{ .name = "q",
	  .type = DRG_P_TEXT,
	  .required = true,
	  .min = 1,
	  .max = 200,
	  .doc = "a name, or its beginning, in any language" },
	DRG_PARAM_CURATE_BY_NAME(FOUND_MAX, "records at most; 20 when absent"),
	DRG_PARAM_LANG,
	{ 0 },
};

const struct drg_endpoint drg_curate_search[] = {
	{ .method = DRG_GET,
	  .path = "/v1/curate/search",
	  .name = "curateSearch",
	  .handler = curate_search,
	  .auth = DRG_AUTH_VIEWER,
	  .params = search_params,
	  .summary = "Records of the reference by name, in any language" },
	{ 0 },
};
