/* tour/sourceInfo: supplier ids -> supplier records and the dict records that they are mapped to (spec 4.2, 2.2;
 * decisions M4, M5). */
#include "api/body.h"
#include "api/tables.h"
#include "service/translate.h"
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

static void write_item(const struct writer *w, struct drg_str id, const struct drg_source *s)
{
	struct drg_dict d;
	drg_buf_lit(w->out, "{\"id\":");
	drg_json_string(w->out, id);
	drg_buf_lit(w->out, ",\"source\":");
	if (s->rec != NULL)
		drg_source_json(w->cat, s, w->out);
	else
		drg_buf_lit(w->out, "null");
	drg_buf_lit(w->out, ",\"dict\":");
	if (s->rec != NULL && drg_catalog_dict_at(w->cat, s->dict, &d))
		drg_dict_json(w->cat, &d, &w->pref, w->out);
	else
		drg_buf_lit(w->out, "null");
	drg_buf_char(w->out, '}');
}

/* A group at a time, so that the cache misses of its records are under way together, and what was fetched is still
 * there when it is written. */
static void write_items(const struct writer *w, enum drg_kind kind, const struct drg_str *ids, size_t n)
{
	enum { GROUP = 32 };
	struct drg_source s[GROUP];
	for (size_t from = 0; from < n; from += GROUP) {
		size_t group = n - from < GROUP ? n - from : GROUP;
		drg_catalog_sources(w->cat, w->adapter, kind, ids + from, group, s);
		drg_catalog_prefetch(w->cat, s, group);
		for (size_t i = 0; i < group; i++) {
			if (from + i > 0)
				drg_buf_char(w->out, ',');
			write_item(w, ids[from + i], &s[i]);
		}
	}
}

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
		write_items(w, (enum drg_kind)k, v[k].ids, v[k].n);
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
	{ DRG_POST, "/v1/tour/sourceInfo", source_info, DRG_AUTH_KEY_B, params, DRG_BODY_JSON, false,
	  "Supplier ids to dict records" },
	{ 0 },
};
