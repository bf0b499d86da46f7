/* API B: tour/reference and tour/referenceData (spec 4.2; decisions R1 to R3, L5, L9). */
#include "api/tables.h"

#include "api/list_answer.h"
#include "api/list_json.h"

static void id_and_name(struct drg_jw *w, const struct drg_list_row *row)
{
	drg_jw_key(w, "id");
	drg_jw_i64(w, row->id);
	drg_jw_key(w, "name");
	drg_jw_escaped(w, row->name);
}

/* One list of `data`, and its entries once more for `items` (decision L9). */
static void main_list(struct drg_jw *w, struct drg_list_rows *rows, const char *name, struct drg_jw *items)
{
	drg_jw_key(w, name);
	drg_jw_array(w);
	for (size_t i = 0; i < rows->n; i++) {
		const struct drg_list_row *row = &rows->row[i];
		drg_jw_object(w);
		id_and_name(w, row);
		enum drg_kind kind = row->adapter == NULL ? row->dict.kind : DRG_KIND_NONE;
		if (kind == DRG_KIND_DEP_CITY) {
			drg_jw_key(w, "country");
			drg_list_id_name(w, rows, row->dict.country);
		}
		if (kind == DRG_KIND_MEAL || kind == DRG_KIND_HOTEL_CATEGORY)
			drg_list_description(w, rows, &row->dict);
		drg_jw_object_end(w);

		drg_jw_object(items);
		drg_jw_key(items, "kind");
		drg_jw_str(items, drg_str_c(name));
		id_and_name(items, row);
		drg_jw_object_end(items);
	}
	drg_jw_array_end(w);
}

static void main_body(struct drg_list_work *k, struct drg_jw *w, struct drg_jw *items)
{
	struct drg_list_rows *rows = &k->rows;
	const struct drg_selection *sel = &k->sel;
	drg_list_rows_set_adapters(rows, sel->operators, sel->n_operators);
	main_list(w, rows, "operator", items);
	drg_list_rows_set(rows, sel->countries, sel->n_countries);
	main_list(w, rows, "country", items);
	drg_list_rows_set(rows, sel->dep_cities, sel->n_dep_cities);
	main_list(w, rows, "dep_city", items);
	drg_list_rows_set_kind(rows, DRG_KIND_HOTEL_CATEGORY);
	main_list(w, rows, "hotel_category", items);
	drg_list_rows_set_kind(rows, DRG_KIND_MEAL);
	main_list(w, rows, "meal", items);
	drg_list_rows_set_kind(rows, DRG_KIND_CURRENCY);
	main_list(w, rows, "currency", items);
}

static void begin_success(struct drg_jw *w)
{
	drg_jw_object(w);
	drg_jw_key(w, "status");
	drg_jw_str(w, DRG_STR("success"));
	drg_jw_key(w, "data");
	drg_jw_object(w);
}

static int build_main(const struct drg_catalog *cat, const struct drg_list_key *key, void *ctx,
                      struct drg_buf *out, struct drg_err *err)
{
	(void)ctx;
	struct drg_list_work k;
	int rc = drg_list_work_init(&k, cat, key, err);
	if (rc == DRG_OK)
		rc = drg_select_main(cat, key->demo, key->country_code, &k.arena, &k.sel, err);
	if (rc == DRG_OK) {
		struct drg_buf items_text;
		drg_buf_init(&items_text, out->max);
		struct drg_jw w = { .b = out }, items = { .b = &items_text };
		drg_jw_array(&items);
		begin_success(&w);
		main_body(&k, &w, &items);
		drg_jw_object_end(&w);
		drg_jw_array_end(&items);
		drg_jw_key(&w, "items");
		drg_jw_raw(&w, drg_buf_view(&items_text));
		drg_jw_object_end(&w);
		if (items_text.rc != DRG_OK)
			rc = drg_fail(err, items_text.rc, NULL, NULL, "the list is too large to build");
		drg_buf_done(&items_text);
	}
	return drg_list_work_done(&k, rc, err);
}

static void cities(struct drg_jw *w, struct drg_list_rows *rows)
{
	drg_jw_key(w, "city");
	drg_jw_array(w);
	for (size_t i = 0; i < rows->n; i++) {
		drg_jw_object(w);
		id_and_name(w, &rows->row[i]);
		drg_jw_key(w, "country_id");
		drg_jw_i64(w, drg_list_dict_id(rows, rows->row[i].dict.country));
		drg_jw_object_end(w);
	}
	drg_jw_array_end(w);
}

static void hotels(struct drg_jw *w, struct drg_list_rows *rows)
{
	drg_jw_key(w, "hotel");
	drg_jw_array(w);
	for (size_t i = 0; i < rows->n; i++) {
		const struct drg_list_row *row = &rows->row[i];
		drg_jw_object(w);
		id_and_name(w, row);
		drg_jw_key(w, "country_id");
		drg_jw_i64(w, drg_list_dict_id(rows, row->dict.country));
		drg_jw_key(w, "city_id");
		drg_jw_i64(w, drg_list_dict_id(rows, row->dict.city));
		drg_jw_key(w, "hotel_category");
		drg_list_category(w, rows, row->dict.category);
		drg_jw_object_end(w);
	}
	drg_jw_array_end(w);
}

static int build_hotels(const struct drg_catalog *cat, const struct drg_list_key *key, void *ctx,
                        struct drg_buf *out, struct drg_err *err)
{
	(void)ctx;
	struct drg_list_work k;
	int rc = drg_list_work_init(&k, cat, key, err);
	if (rc == DRG_OK)
		rc = drg_select_hotels(cat, key->demo, key->dep_city, key->country, &k.arena, &k.sel, err);
	if (rc == DRG_OK) {
		struct drg_jw w = { .b = out };
		begin_success(&w);
		drg_list_rows_set(&k.rows, k.sel.cities, k.sel.n_cities);
		cities(&w, &k.rows);
		drg_list_rows_set(&k.rows, k.sel.hotels, k.sel.n_hotels);
		hotels(&w, &k.rows);
		drg_jw_object_end(&w);
		drg_jw_object_end(&w);
	}
	return drg_list_work_done(&k, rc, err);
}

static int reference(struct drg_exchange *x)
{
	struct drg_list_key key;
	int rc = drg_list_key_init(x, build_main, &key);
	if (rc != DRG_OK)
		return rc;
	drg_list_key_country(x, "country", &key);
	return drg_list_answer(x, &key);
}

static int reference_data(struct drg_exchange *x)
{
	struct drg_list_key key;
	int rc = drg_list_key_init(x, build_hotels, &key);
	if (rc == DRG_OK)
		rc = drg_list_key_direction(x, &key);
	return rc == DRG_OK ? drg_list_answer(x, &key) : rc;
}

static const struct drg_param reference_params[] = {
	DRG_PARAM_LANG,
	{ .name = "country",
	  .type = DRG_P_TEXT,
	  .max = 64,
	  .check = drg_check_alpha_2,
	  .doc = "ISO alpha-2 code; narrows the departure cities" },
	DRG_PARAM_DEMO,
	DRG_PARAM_WITH,
	{ 0 },
};
static const struct drg_param reference_data_params[] = {
	DRG_PARAM_DIRECTION, DRG_PARAM_LANG, DRG_PARAM_DEMO, DRG_PARAM_WITH, { 0 }
};

const struct drg_endpoint drg_lists_b[] = {
	{ .method = DRG_GET,
	  .path = "/v1/tour/reference",
	  .handler = reference,
	  .auth = DRG_AUTH_KEY_B,
	  .cors = true,
	  .params = reference_params,
	  .summary = "Reference lists of a tour search form" },
	{ .method = DRG_GET,
	  .path = "/v1/tour/referenceData",
	  .handler = reference_data,
	  .auth = DRG_AUTH_KEY_B,
	  .cors = true,
	  .params = reference_data_params,
	  .summary = "Hotels and cities of a direction" },
	{ 0 },
};
