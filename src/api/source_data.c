/* tour/sourceData: dict ids -> a supplier's ids (spec 4.2; decisions M1 to M3, M5, M46, M47). */
#include "api/reading.h"
#include "api/tables.h"

enum { ADAPTER, DEP_CITY, COUNTRY, CITY, HOTEL, HOTEL_CATEGORY, MEAL, CURRENCY, FIELD_COUNT };

static const struct drg_body_field data_fields[] = {
	[ADAPTER] = { "adapter_id", DRG_B_INT, true },
	[DEP_CITY] = { "dep_city", DRG_B_INT, true },
	[COUNTRY] = { "country", DRG_B_INT, true },
	[CITY] = { "city", DRG_B_INTS, false },
	[HOTEL] = { "hotel", DRG_B_INTS, false },
	[HOTEL_CATEGORY] = { "hotel_category", DRG_B_INTS, false },
	[MEAL] = { "meal", DRG_B_INTS, false },
	[CURRENCY] = { "currency", DRG_B_INT, false },
	[FIELD_COUNT] = { 0 },
};

/* The members of an entry besides dict_id and orig_id. */
enum { IS_RESORT = 1, TITLE = 2, ISO_CODE = 4, TEXT_ID = 8 };

/* In the order of the specification. */
static const struct data_part {
	unsigned field;
	enum drg_kind kind;
	bool list;
	unsigned shows;
} parts[] = {
	{ DEP_CITY, DRG_KIND_DEP_CITY, false, 0 },
	{ COUNTRY, DRG_KIND_COUNTRY, false, 0 },
	{ CITY, DRG_KIND_CITY, true, IS_RESORT },
	{ HOTEL, DRG_KIND_HOTEL, true, 0 },
	{ HOTEL_CATEGORY, DRG_KIND_HOTEL_CATEGORY, true, TITLE },
	{ MEAL, DRG_KIND_MEAL, true, TITLE },
	{ CURRENCY, DRG_KIND_CURRENCY, false, TEXT_ID | ISO_CODE | TITLE },
};

struct source_data_writer {
	struct drg_reading *r;
	struct drg_origs origs;
	unsigned text_ids; /* TEXT_ID: of all, not of currencies alone (M47) */
};

/* The integers that every JSON reader keeps: those of a double (RFC 8259, 6). */
static bool is_safe_integer(struct drg_str id)
{
	static const int64_t MAX = (INT64_C(1) << 53) - 1;
	int64_t i;
	return drg_str_is_canonical_i64(id, &i) && i >= -MAX && i <= MAX;
}

/* M1: an integer where the supplier's id is one that no client can spoil. */
static void write_orig_id(struct drg_jw *w, struct drg_str id, bool as_text)
{
	drg_jw_key(w, "orig_id");
	if (!as_text && is_safe_integer(id))
		drg_jw_raw(w, id);
	else
		drg_jw_str(w, id);
}

static void write_entry(struct drg_jw *w, int64_t dict_id, const struct drg_source *s, unsigned shows)
{
	drg_jw_object(w);
	drg_jw_member_i64(w, "dict_id", dict_id);
	write_orig_id(w, s->id, (shows & TEXT_ID) != 0);
	if ((shows & IS_RESORT) != 0)
		drg_jw_member_bool(w, "is_resort", s->is_resort);
	if ((shows & ISO_CODE) != 0)
		drg_escaped_or_null(w, "orig_iso_code", s->iso_code_esc);
	if ((shows & TITLE) != 0)
		drg_jw_member_escaped(w, "orig_title", s->name_esc);
	drg_jw_object_end(w);
}

static int source_data_find(struct source_data_writer *w, enum drg_kind kind, int64_t dict_id)
{
	const struct drg_catalog *cat = w->r->cat;
	return drg_origs_find(cat, w->r->adapter, kind, drg_dict_handle(cat, kind, dict_id), &w->origs);
}

/* The first of the supplier's records, or null. */
static int write_one(struct source_data_writer *w, const struct data_part *p, const struct drg_body_value *v)
{
	w->origs.n = 0;
	if (v->given && source_data_find(w, p->kind, v->i) != DRG_OK)
		return DRG_ENOMEM;
	if (w->origs.n > 0)
		write_entry(&w->r->w, v->i, &w->origs.v[0], p->shows | w->text_ids);
	else
		drg_jw_null(&w->r->w);
	return DRG_OK;
}

static int source_data_write_found(struct source_data_writer *w, const struct data_part *p, int64_t dict_id,
                                   const struct drg_source *first)
{
	int rc = drg_origs_from(w->r->cat, first, &w->origs);
	for (size_t i = 0; i < w->origs.n && rc == DRG_OK; i++)
		write_entry(&w->r->w, dict_id, &w->origs.v[i], p->shows | w->text_ids);
	return rc;
}

/* A group at a time, so that what was brought near is still there when it is written. */
static int source_data_write_list(struct source_data_writer *w, const struct data_part *p,
                                  struct drg_body_value *v)
{
	enum { GROUP = 32 };
	struct drg_source first[GROUP];
	int rc = drg_ids_unique(v->ints, &v->n, w->origs.arena);
	drg_jw_array(&w->r->w);
	for (size_t from = 0; from < v->n && rc == DRG_OK; from += GROUP) {
		size_t n = v->n - from < GROUP ? v->n - from : GROUP;
		drg_catalog_first_sources(w->r->cat, w->r->adapter, p->kind, v->ints + from, n, first);
		for (size_t i = 0; i < n && rc == DRG_OK; i++)
			rc = source_data_write_found(w, p, v->ints[from + i], &first[i]);
	}
	drg_jw_array_end(&w->r->w);
	return rc;
}

static int source_data_write_data(struct drg_reading *r, struct drg_body_value *v)
{
	bool text_ids = drg_exchange_has(r->x, "text_ids") ? drg_exchange_flag(r->x, "text_ids")
	                                                   : drg_exchange_caller(r->x)->text_ids;
	struct source_data_writer w = { .r = r,
		                        .origs = { .arena = drg_exchange_arena(r->x) },
		                        .text_ids = text_ids ? TEXT_ID : 0 };
	int rc = DRG_OK;
	drg_data_begin(&r->w);
	drg_jw_object(&r->w);
	drg_jw_key(&r->w, "adapter");
	drg_adapter_json(&r->w, r->adapter, "name");
	for (size_t i = 0; i < DRG_ARRAY_LEN(parts) && rc == DRG_OK; i++) {
		const struct data_part *p = &parts[i];
		struct drg_body_value *value = &v[p->field];
		drg_jw_key(&r->w, data_fields[p->field].name);
		rc = p->list ? source_data_write_list(&w, p, value) : write_one(&w, p, value);
	}
	drg_jw_object_end(&r->w);
	drg_data_end(&r->w);
	return rc;
}

static int source_data_write_answer(struct drg_reading *r, void *values)
{
	struct drg_body_value *v = values;
	struct drg_err *err = drg_exchange_err(r->x);
	int64_t id;
	int rc = drg_dict_known(r->cat, DRG_KIND_DEP_CITY, v[DEP_CITY].i, &id, err);
	if (rc == DRG_OK)
		rc = drg_dict_known(r->cat, DRG_KIND_COUNTRY, v[COUNTRY].i, &id, err);
	return rc == DRG_OK ? source_data_write_data(r, v) : rc;
}

static int source_data(struct drg_exchange *x)
{
	struct drg_body_value v[FIELD_COUNT];
	int rc = drg_body_parse(x, v);
	return rc == DRG_OK ? drg_reading_run_adapter(x, v[ADAPTER].i, source_data_write_answer, v) : rc;
}

static const struct drg_param source_data_params[] = {
	DRG_PARAM_LANG,
	{ .name = "text_ids",
	  .type = DRG_P_FLAG,
	  .doc = "every orig_id is a text; what the key says when absent" },
	{ 0 },
};

const struct drg_endpoint drg_source_data[] = {
	{ .method = DRG_POST,
	  .path = "/v1/tour/sourceData",
	  .name = "sourceData",
	  .handler = source_data,
	  .auth = DRG_AUTH_KEY_B,
	  .cors = true,
	  .params = source_data_params,
	  .body = DRG_BODY_JSON_OR_FORM,
	  .reads = true,
	  .summary = "Dict ids to the ids of a supplier",
	  .app = DRG_COLUMNS(.adapter = drg_tour_adapter, .fields = data_fields) },
	{ 0 },
};
