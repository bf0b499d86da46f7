/* GET curate/coverage: how much is mapped, by supplier and kind (decision C7). */
#include "api/curate_words.h"
#include "api/item.h"
#include "api/report.h"
#include "api/tables.h"
#include "base/clock.h"
#include "matching/survey/reports.h"

struct coverage_work {
	struct drg_coverage_wanted wanted; /* first, for its query */
	bool by_country;
	struct drg_arena *arena;
	struct drg_survey_country *countries;
	size_t n, room;
};

static int coverage_take_country(void *ctx, const struct drg_survey_country *c)
{
	struct coverage_work *k = ctx;
	if ((k->wanted.adapter != 0 && c->adapter != k->wanted.adapter) ||
	    (k->wanted.kind != DRG_KIND_NONE && c->kind != k->wanted.kind))
		return DRG_OK;
	if (k->n == k->room) {
		size_t room = k->room > 0 ? 2 * k->room : 64;
		struct drg_survey_country *v = drg_arena_alloc(k->arena, room * sizeof *v);
		if (v == NULL)
			return DRG_ENOMEM;
		if (k->n > 0)
			memcpy(v, k->countries, k->n * sizeof *v);
		k->countries = v;
		k->room = room;
	}
	k->countries[k->n++] = *c;
	return DRG_OK;
}

static int coverage_read_countries(void *work, struct drg_store *s, struct drg_arena *arena,
                                   struct drg_err *reterr)
{
	struct coverage_work *k = work;
	k->arena = arena;
	k->n = k->room = 0;
	return k->by_country ? drg_survey_countries(s, coverage_take_country, k, reterr) : DRG_OK;
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
	for (size_t i = 0; i < k->n; i++)
		if (drg_api_can_read(r->x, k->countries[i].adapter))
			coverage_write_country(r, &k->countries[i]);
	drg_jw_array_end(&r->w);
}

static int coverage_write_rest(struct drg_reading *r, void *answer)
{
	const struct coverage_work *k = ((const struct drg_report_response *)answer)->asked;
	drg_suppliers_member(r, k->wanted.adapter,
	                     false); /* without records too: their lists can be loaded */
	if (k->by_country)
		coverage_write_countries(r, k);
	return DRG_OK;
}

static int curate_coverage(struct drg_exchange *x)
{
	struct coverage_work *k = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *k);
	int64_t since_us = INT64_MIN;
	if (k == NULL)
		return DRG_ENOMEM;
	int rc = drg_curate_since(x, &since_us);
	k->by_country = drg_exchange_flag(x, "countries");
	k->wanted = (struct drg_coverage_wanted){ .adapter = drg_exchange_int(x, "adapter_id", 0),
		                                  .kind = drg_kind_by_name(drg_exchange_text(x, "kind")),
		                                  .since = since_us != INT64_MIN };
	k->wanted.since_day = k->wanted.since ? since_us / DRG_DAY_US : 0;
	if (rc == DRG_OK && drg_exchange_has(x, "adapter_id"))
		rc = drg_api_check_adapter(x, k->wanted.adapter);
	const struct drg_report_response a = { .report = &drg_coverage_report,
		                               .query = drg_coverage_query,
		                               .asked = k,
		                               .skip = k->wanted.since ? 0 : DRG_REPORT_OPTIONAL,
		                               .also = coverage_read_countries,
		                               .tail = coverage_write_rest };
	return rc == DRG_OK ? drg_report_respond(x, &a) : rc;
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
	  .app = DRG_COLUMNS(.adapter = drg_tour_adapter, .report = &drg_coverage_report) },
	{ 0 },
};
