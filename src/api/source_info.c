/* tour/sourceInfo: supplier ids -> supplier records and the dict records that they are mapped to (spec 4.2, 2.2;
 * decisions M4, M5). */
#include "api/body.h"
#include "api/tables.h"
#include "query/translate.h"
#include "text/json.h"

/* By kind, so that a field's place is its kind. */
static const struct drg_body_field fields[] = {
	[DRG_KIND_COUNTRY] = { "country", DRG_B_IDS, false },
	[DRG_KIND_DEP_CITY] = { "dep_city", DRG_B_IDS, false },
	[DRG_KIND_CURRENCY] = { "currency", DRG_B_IDS, false },
	[DRG_KIND_CITY] = { "city", DRG_B_IDS, false },
	[DRG_KIND_MEAL] = { "meal", DRG_B_IDS, false },
	[DRG_KIND_HOTEL_CATEGORY] = { "hotel_category", DRG_B_IDS, false },
	[DRG_KIND_HOTEL] = { "hotel", DRG_B_IDS, false },
	[DRG_KIND_SOURCE_COUNT] = { 0 },
};

struct writer {
	const struct drg_catalog *cat;
	const struct drg_adapter *adapter;
	struct drg_lang_pref pref;
	struct drg_buf *out;
};

static void write_kinds(const struct writer *w, const struct drg_body_value *v)
{
	struct drg_jw jw = { .b = w->out };
	drg_buf_lit(w->out, "{\"status\":\"success\",\"data\":");
	drg_jw_object(&jw);
	for (unsigned k = 0; k < DRG_KIND_SOURCE_COUNT; k++) {
		if (!v[k].given)
			continue;
		drg_jw_key(&jw, fields[k].name);
		drg_jw_array(&jw);
		drg_mapped_json(w->cat, w->adapter, (enum drg_kind)k, v[k].ids, v[k].n, &w->pref, w->out);
		drg_jw_array_end(&jw);
	}
	drg_jw_object_end(&jw);
	drg_buf_char(w->out, '}');
}

static int source_info(struct drg_exchange *x)
{
	struct drg_body_value v[DRG_KIND_SOURCE_COUNT];
	struct writer w = { .out = drg_exchange_out(x) };
	int rc = drg_body_read(x, fields, (size_t)drg_app_of(x)->max_batch, v);
	if (rc != DRG_OK)
		return rc;
	drg_read_lock();
	rc = drg_app_catalog(x, &w.cat);
	if (rc == DRG_OK)
		rc = drg_tour_adapter(w.cat, drg_exchange_int(x, "adapter_id", 0), &w.adapter,
		                      drg_exchange_err(x));
	if (rc == DRG_OK) {
		w.pref = drg_catalog_langs(w.cat, drg_exchange_lang(x, "lang"));
		write_kinds(&w, v);
	}
	drg_read_unlock();
	return rc;
}

static const struct drg_param params[] = {
	{ .name = "adapter_id", .type = DRG_P_INT, .required = true, .doc = "supplier" },
	DRG_PARAM_LANG,
	{ 0 },
};

const struct drg_endpoint drg_source_info[] = {
	{ .method = DRG_POST,
	  .path = "/v1/tour/sourceInfo",
	  .handler = source_info,
	  .auth = DRG_AUTH_KEY_B,
	  .cors = true,
	  .params = params,
	  .body = DRG_BODY_JSON,
	  .summary = "Supplier ids to dict records" },
	{ 0 },
};
