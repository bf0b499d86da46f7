/* tour/sourceInfo: supplier ids -> supplier records and the dict records that they are mapped to (spec 4.2,
 * 2.2; decisions M4, M5). */
#include "api/reading.h"
#include "api/tables.h"

/* The kinds that requests ask for, and beside each attribute its kind. */
/* clang-format off */
#define IDS_ASKED(name) { name, DRG_B_IDS, false },
#define IDS_OTHER(name)
#define IDS(number, NAME, name, plural, title, label, compared, keyed, requests, ...) IDS_##requests(name)
#define KIND_ASKED(number) (number),
#define KIND_OTHER(number)
#define KIND(number, NAME, name, plural, title, label, compared, keyed, requests, ...) KIND_##requests(number)
/* clang-format on */
static const struct drg_body_field info_fields[] = { DRG_KINDS(IDS){ 0 } };
static const enum drg_kind info_kinds[] = { DRG_KINDS(KIND) };

/* One kind, and how often it is asked for (M32). */
static int source_info_write_kind(struct drg_reading *r, enum drg_kind kind, const struct drg_body_value *v,
                                  const struct drg_lang_pref *pref)
{
	struct drg_uses *uses = drg_app_of(r->x)->uses;
	struct drg_mapped_tally t = { .open = drg_arena_alloc(drg_exchange_arena(r->x),
		                                              (v->n + 1) * sizeof *t.open) };
	if (t.open == NULL)
		return DRG_ENOMEM;
	drg_jw_member_array(&r->w, drg_kind_name(kind));
	drg_mapped_json(r->cat, r->adapter, kind, v->ids, v->n, pref, r->w.b, &t);
	drg_jw_array_end(&r->w);
	drg_uses_kind(uses, r->adapter->id, kind, t.mapped + t.n_open, t.mapped);
	drg_uses_records(uses, r->adapter->id, kind, v->ids, t.open, t.n_open);
	return DRG_OK;
}

static int source_info_write_answer(struct drg_reading *r, void *values)
{
	const struct drg_body_value *v = values;
	const struct drg_lang_pref pref = drg_reading_langs(r);
	drg_data_begin(&r->w);
	drg_jw_object(&r->w);
	for (size_t i = 0; i < DRG_ARRAY_LEN(info_kinds); i++) {
		if (v[i].given && source_info_write_kind(r, info_kinds[i], &v[i], &pref) != DRG_OK)
			return DRG_ENOMEM;
	}
	drg_jw_object_end(&r->w);
	drg_data_end(&r->w);
	return DRG_OK;
}

static int source_info(struct drg_exchange *x)
{
	struct drg_body_value v[DRG_ARRAY_LEN(info_kinds)];
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
