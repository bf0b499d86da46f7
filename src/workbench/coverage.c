/* GET curate/coverage: how much is mapped, by supplier and kind (decision C7). */
#include "api/curate_words.h"
#include "api/item.h"
#include "api/store_work.h"
#include "api/tables.h"
#include "base/clock.h"
#include "matching/survey/survey.h"
#include "store/coverage.h"
#include "store/uses.h"

struct coverage_row {
	struct drg_coverage c;
	int64_t requests, requests_mapped;
};

struct coverage_work {
	int64_t adapter, since_us; /* 0, INT64_MIN: all */
	enum drg_kind kind;
	struct drg_arena *arena;
	struct coverage_row *v;
	size_t n, cap;
	bool by_country;
	struct drg_survey_country *countries;
	size_t n_countries, countries_cap;
};

/* Room for one more in an array that grows in an arena. @return false: no memory */
static bool coverage_room(struct drg_arena *arena, void **v, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return true;
	size_t more = *cap > 0 ? 2 * *cap : 64;
	void *copy = drg_arena_alloc(arena, more * size);
	if (copy == NULL)
		return false;
	if (n > 0)
		memcpy(copy, *v, n * size);
	*v = copy;
	*cap = more;
	return true;
}

static int coverage_take(void *ctx, const struct drg_coverage *c)
{
	struct coverage_work *k = ctx;
	if ((c->records == 0 && c->records_since == 0) || (k->adapter != 0 && c->adapter != k->adapter) ||
	    (k->kind != DRG_KIND_NONE && c->kind != k->kind))
		return DRG_OK;
	void *v = k->v;
	if (!coverage_room(k->arena, &v, k->n, &k->cap, sizeof *k->v))
		return DRG_ENOMEM;
	k->v = v;
	k->v[k->n++] = (struct coverage_row){ .c = *c };
	return DRG_OK;
}

static int coverage_take_use(void *ctx, const struct drg_use *u)
{
	struct coverage_work *k = ctx;
	for (size_t i = 0; i < k->n; i++) {
		if (k->v[i].c.adapter != u->number || k->v[i].c.kind != u->kind)
			continue;
		k->v[i].requests += u->count;
		k->v[i].requests_mapped += u->mapped;
	}
	return DRG_OK;
}

static int coverage_take_country(void *ctx, const struct drg_survey_country *c)
{
	struct coverage_work *k = ctx;
	if ((k->adapter != 0 && c->adapter != k->adapter) || (k->kind != DRG_KIND_NONE && c->kind != k->kind))
		return DRG_OK;
	void *v = k->countries;
	if (!coverage_room(k->arena, &v, k->n_countries, &k->countries_cap, sizeof *k->countries))
		return DRG_ENOMEM;
	k->countries = v;
	k->countries[k->n_countries++] = *c;
	return DRG_OK;
}

static int coverage_run(void *work, struct drg_store *s, struct drg_arena *arena, struct drg_err *reterr)
{
	struct coverage_work *k = work;
	bool since = k->since_us != INT64_MIN;
	int64_t day = since ? k->since_us / DRG_DAY_US : 0;
	k->arena = arena;
	k->n = k->cap = k->n_countries = k->countries_cap = 0;
	int rc = drg_store_coverage(s, since ? day : INT64_MAX, coverage_take, k, reterr);
	if (rc == DRG_OK)
		rc = drg_store_uses(s, DRG_USE_KIND, day, coverage_take_use, k, reterr);
	return rc == DRG_OK && k->by_country ? drg_survey_countries(s, coverage_take_country, k, reterr) : rc;
}

static void coverage_write_row(struct drg_reading *r, const struct coverage_row *row, bool since)
{
	const struct drg_adapter *a = drg_catalog_adapter(r->cat, row->c.adapter);
	drg_jw_object(&r->w);
	drg_jw_member_i64(&r->w, "adapter_id", row->c.adapter);
	drg_escaped_or_null(&r->w, "adapter", a != NULL ? a->name_esc : drg_str(NULL, 0));
	drg_jw_member_str(&r->w, "kind", drg_str_c(drg_kind_name(row->c.kind)));
	drg_jw_member_i64(&r->w, "records", row->c.records);
	drg_jw_member_i64(&r->w, "mapped", row->c.mapped);
	drg_jw_member_i64(&r->w, "requests", row->requests);
	drg_jw_member_i64(&r->w, "requests_mapped", row->requests_mapped);
	if (since) {
		drg_jw_member_i64(&r->w, "records_since", row->c.records_since);
		drg_jw_member_i64(&r->w, "mapped_since", row->c.mapped_since);
	}
	drg_jw_object_end(&r->w);
}

static void coverage_write_country(struct drg_reading *r, const struct drg_survey_country *c)
{
	const struct drg_lang_pref pref = drg_reading_langs(r);
	drg_jw_object(&r->w);
	drg_jw_member_i64(&r->w, "adapter_id", c->adapter);
	drg_jw_member_str(&r->w, "kind", drg_str_c(drg_kind_name(c->kind)));
	drg_curate_dict_or_null(r, "country", DRG_KIND_COUNTRY, c->country, &pref);
	drg_jw_member_i64(&r->w, "records", (int64_t)c->records);
	drg_jw_member_i64(&r->w, "mapped", (int64_t)c->mapped);
	drg_jw_object_end(&r->w);
}

static void coverage_write_countries(struct drg_reading *r, const struct coverage_work *k)
{
	drg_jw_member_array(&r->w, "countries");
	for (size_t i = 0; i < k->n_countries; i++)
		if (drg_api_can_read(r->x, k->countries[i].adapter))
			coverage_write_country(r, &k->countries[i]);
	drg_jw_array_end(&r->w);
}

/* Those without records too: lists of theirs can be loaded. */
static void coverage_write_suppliers(struct drg_reading *r, const struct coverage_work *k)
{
	const struct drg_adapter *all;
	size_t n = drg_catalog_adapters(r->cat, &all);
	drg_jw_member_array(&r->w, "suppliers");
	for (size_t i = 0; i < n; i++) {
		if (all[i].domain != DRG_DOMAIN_TOUR || (k->adapter != 0 && all[i].id != k->adapter) ||
		    !drg_api_can_read(r->x, all[i].id))
			continue;
		drg_jw_object(&r->w);
		drg_jw_member_i64(&r->w, "adapter_id", all[i].id);
		drg_adapter_words(&r->w, &all[i], "adapter");
		drg_jw_object_end(&r->w);
	}
	drg_jw_array_end(&r->w);
}

static int coverage_write(struct drg_reading *r, void *work)
{
	struct coverage_work *k = work;
	drg_items_begin(&r->w);
	for (size_t i = 0; i < k->n; i++)
		if (drg_api_can_read(r->x, k->v[i].c.adapter))
			coverage_write_row(r, &k->v[i], k->since_us != INT64_MIN);
	drg_jw_array_end(&r->w);
	coverage_write_suppliers(r, k);
	if (k->by_country)
		coverage_write_countries(r, k);
	drg_jw_object_end(&r->w);
	drg_data_end(&r->w);
	return DRG_OK;
}

static int curate_coverage(struct drg_exchange *x)
{
	struct coverage_work *k = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *k);
	if (k == NULL)
		return DRG_ENOMEM;
	k->adapter = drg_exchange_int(x, "adapter_id", 0);
	k->kind = drg_kind_by_name(drg_exchange_text(x, "kind"));
	k->by_country = drg_exchange_flag(x, "countries");
	k->since_us = INT64_MIN;
	int rc = drg_curate_since(x, &k->since_us);
	if (rc == DRG_OK && drg_exchange_has(x, "adapter_id"))
		rc = drg_api_check_adapter(x, k->adapter);
	return rc == DRG_OK ? drg_store_work_run(x, coverage_run, coverage_write, k) : rc;
}

static const struct drg_param coverage_params[] = {
	DRG_PARAM_ITEM_FILTER,
	DRG_PARAM_CURATE_SINCE,
	{ .name = "countries", .type = DRG_P_FLAG, .doc = "hotels and cities by country too" },
	DRG_PARAM_LANG,
	{ 0 }
};

const struct drg_endpoint drg_curate_coverage[] = {
	{ .method = DRG_GET,
	  .path = "/v1/curate/coverage",
	  .name = "curateCoverage",
	  .handler = curate_coverage,
	  .auth = DRG_AUTH_VIEWER,
	  .params = coverage_params,
	  .summary = "How much is mapped, by supplier and kind",
	  .app = DRG_COLUMNS(.adapter = drg_tour_adapter) },
	{ 0 },
};
