/* tour/sourceInfo: supplier ids -> supplier records and the dict records that they are mapped to (spec 4.2,
 * 2.2; decisions M4, M5). */
#include "api/reading.h"
#include "api/tables.h"

/* By kind, so that a field's place is its kind. */
static const struct drg_body_field info_fields[] = {
	[DRG_KIND_COUNTRY] = { "country", DRG_B_IDS, false },
	[DRG_KIND_DEP_CITY] = { "dep_city", DRG_B_IDS, false },
	[DRG_KIND_CURRENCY] = { "currency", DRG_B_IDS, false },
	[DRG_KIND_CITY] = { "city", DRG_B_IDS, false },
	[DRG_KIND_MEAL] = { "meal", DRG_B_IDS, false },
	[DRG_KIND_HOTEL_CATEGORY] = { "hotel_category", DRG_B_IDS, false },
	[DRG_KIND_HOTEL] = { "hotel", DRG_B_IDS, false },
	[DRG_KIND_SOURCE_COUNT] = { 0 },
};

/* One kind, and how often it is asked for (M32). */
static int source_info_write_kind(struct drg_reading *r, unsigned k, const struct drg_body_value *v,
                                  const struct drg_lang_pref *pref)
{
	struct drg_uses *uses = drg_app_of(r->x)->uses;
	struct drg_mapped_tally t = { .open = drg_arena_alloc(drg_exchange_arena(r->x),
		                                              (v->n + 1) * sizeof *t.open) };
	if (t.open == NULL)
		return DRG_ENOMEM;
	drg_jw_member_array(&r->w, info_fields[k].name);
	drg_mapped_json(r->cat, r->adapter, (enum drg_kind)k, v->ids, v->n, pref, r->w.b, &t);
	drg_jw_array_end(&r->w);
	drg_uses_kind(uses, r->adapter->id, (enum drg_kind)k, t.mapped + t.n_open, t.mapped);
	drg_uses_records(uses, r->adapter->id, (enum drg_kind)k, v->ids, t.open, t.n_open);
	return DRG_OK;
}

static int source_info_write_answer(struct drg_reading *r, void *values)
{
	const struct drg_body_value *v = values;
	const struct drg_lang_pref pref = drg_reading_langs(r);
	drg_data_begin(&r->w);
	drg_jw_object(&r->w);
	for (unsigned k = 0; k < DRG_KIND_SOURCE_COUNT; k++) {
		if (v[k].given && source_info_write_kind(r, k, &v[k], &pref) != DRG_OK)
			return DRG_ENOMEM;
	}
	drg_jw_object_end(&r->w);
	drg_data_end(&r->w);
	return DRG_OK;
}

static int source_info(struct drg_exchange *x)
{
	struct drg_body_value v[DRG_KIND_SOURCE_COUNT];
	int rc = drg_body_parse(x, v);
	return rc == DRG_OK ? drg_reading_run_adapter(x, drg_exchange_int(x, "adapter_id", 0),
	                                              source_info_write_answer, v)
	                    : rc;
}

static const struct drg_param source_info_params[] = {
	{ .name = "adapter_id", .type = DRG_P_INT, .required = true, .doc = "supplier" },
	DRG_PARAM_LANG,
	{ 0 },
};

const struct drg_endpoint drg_source_info[] = {
	{ .method = DRG_POST,
	  .path = "/v1/tour/sourceInfo",
	  .name = "sourceInfo",
	  .handler = source_info,
	  .auth = DRG_AUTH_KEY_B,
	  .cors = true,
	  .params = source_info_params,
	  .body = DRG_BODY_JSON,
	  .reads = true,
	  .summary = "Supplier ids to dict records",
	  .app = DRG_COLUMNS(.adapter = drg_tour_adapter, .fields = info_fields) },
	{ 0 },
};
