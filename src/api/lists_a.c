/* API A: tour/main-references and tour/hotel-references (spec 2.1, 4.1; decisions R1 to R6, L4, L5, L8). */
#include "api/tables.h"

#include <stdio.h>

#include "api/flags.h"
#include "api/list_answer.h"
#include "api/list_json.h"

/* "key":{"id":…,"name":… for a row, without the closing brace. */
static void open_row(struct drg_jw *w, const struct drg_list_row *row, const char *name_field)
{
	drg_jw_object(w);
	drg_jw_key(w, "id");
	drg_jw_i64(w, row->id);
	drg_jw_key(w, name_field);
	drg_jw_escaped(w, row->name);
}

static void key_by_id(struct drg_jw *w, int64_t id)
{
	char text[DRG_I64_TEXT];
	drg_i64_text(id, text);
	drg_jw_key(w, text);
}

static void operators(struct drg_jw *w, struct drg_list_rows *rows)
{
	drg_jw_object(w);
	for (size_t i = 0; i < rows->n; i++) {
		const struct drg_list_row *row = &rows->row[i];
		drg_jw_key_escaped(w, row->adapter->code_esc);
		open_row(w, row, "name");
		drg_jw_key(w, "code");
		drg_jw_escaped(w, row->adapter->code_esc);
		drg_jw_object_end(w);
	}
	drg_jw_object_end(w);
}

static void flag_url(struct drg_jw *w, const struct drg_app *app, const char *ratio, struct drg_str code)
{
	char url[64];
	snprintf(url, sizeof url, "/flags/%s/%s.svg", ratio, drg_flag_name(code));
	drg_jw_key(w, ratio);
	drg_jw_sep(w);
	drg_buf_char(w->b, '"');
	drg_buf_str(w->b, app->public_url);
	drg_buf_str(w->b, drg_str_c(url));
	drg_buf_char(w->b, '"');
}

static void countries(struct drg_jw *w, struct drg_list_rows *rows, const struct drg_app *app)
{
	drg_jw_object(w);
	for (size_t i = 0; i < rows->n; i++) {
		const struct drg_list_row *row = &rows->row[i];
		drg_jw_key_escaped(w, row->dict.code);
		open_row(w, row, "name");
		drg_jw_key(w, "iso_alpha_2");
		drg_jw_escaped(w, row->dict.code);
		drg_jw_key(w, "ico");
		drg_jw_object(w);
		flag_url(w, app, "1x1", row->dict.code);
		flag_url(w, app, "4x3", row->dict.code);
		drg_jw_object_end(w);
		drg_jw_object_end(w);
	}
	drg_jw_object_end(w);
}

static void dep_cities(struct drg_jw *w, struct drg_list_rows *rows)
{
	drg_jw_object(w);
	for (size_t i = 0; i < rows->n; i++) {
		const struct drg_list_row *row = &rows->row[i];
		key_by_id(w, row->id);
		open_row(w, row, "name");
		drg_jw_key(w, "country");
		struct drg_dict country;
		if (drg_catalog_dict_at(rows->cat, row->dict.country, &country)) {
			drg_jw_object(w);
			drg_jw_key(w, "id");
			drg_jw_i64(w, country.id);
			drg_jw_key(w, "name");
			drg_jw_escaped(w, drg_dict_name_esc(&country, &rows->pref));
			drg_jw_key(w, "iso_alpha_2");
			drg_jw_escaped(w, country.code);
			drg_jw_object_end(w);
		} else {
			drg_jw_null(w);
		}
		drg_jw_object_end(w);
	}
	drg_jw_object_end(w);
}

static void currencies(struct drg_jw *w, struct drg_list_rows *rows)
{
	drg_jw_object(w);
	for (size_t i = 0; i < rows->n; i++) {
		const struct drg_list_row *row = &rows->row[i];
		drg_jw_key_escaped(w, row->dict.code);
		open_row(w, row, "name");
		drg_jw_key(w, "iso_code");
		drg_jw_escaped(w, row->dict.code);
		drg_jw_object_end(w);
	}
	drg_jw_object_end(w);
}

/* Meals and categories are keyed by name, and names repeat (decision R5). */
static int keyed_by_name(struct drg_jw *w, struct drg_list_rows *rows, struct drg_arena *arena)
{
	struct drg_str *keys = drg_list_name_keys(rows, arena);
	if (keys == NULL)
		return DRG_ENOMEM;
	drg_jw_object(w);
	for (size_t i = 0; i < rows->n; i++) {
		drg_jw_key_escaped(w, keys[i]);
		open_row(w, &rows->row[i], "name");
		drg_list_description(w, rows, &rows->row[i].dict);
		drg_jw_object_end(w);
	}
	drg_jw_object_end(w);
	return DRG_OK;
}

static int main_body(struct drg_list_work *k, struct drg_jw *w, const struct drg_app *app)
{
	struct drg_list_rows *rows = &k->rows;
	const struct drg_selection *sel = &k->sel;
	drg_list_rows_set_adapters(rows, sel->operators, sel->n_operators);
	drg_jw_key(w, "operators");
	operators(w, rows);
	drg_list_rows_set(rows, sel->countries, sel->n_countries);
	drg_jw_key(w, "countries");
	countries(w, rows, app);
	drg_list_rows_set(rows, sel->dep_cities, sel->n_dep_cities);
	drg_jw_key(w, "dep_cities");
	dep_cities(w, rows);
	drg_list_rows_set_kind(rows, DRG_KIND_HOTEL_CATEGORY);
	drg_jw_key(w, "hotel_categories");
	int rc = keyed_by_name(w, rows, &k->arena);
	drg_list_rows_set_kind(rows, DRG_KIND_MEAL);
	drg_jw_key(w, "meals");
	if (rc == DRG_OK)
		rc = keyed_by_name(w, rows, &k->arena);
	drg_list_rows_set_kind(rows, DRG_KIND_CURRENCY);
	drg_jw_key(w, "currencies");
	currencies(w, rows);
	return rc;
}

static int build_main(const struct drg_catalog *cat, const struct drg_list_key *key, void *ctx,
                      struct drg_buf *out, struct drg_err *err)
{
	struct drg_list_work k;
	int rc = drg_list_work_init(&k, cat, key, err);
	if (rc == DRG_OK)
		rc = drg_select_main(cat, key->demo, key->country_code, &k.arena, &k.sel, err);
	if (rc == DRG_OK) {
		struct drg_jw w = { .b = out };
		drg_jw_object(&w);
		drg_jw_key(&w, "data");
		drg_jw_object(&w);
		rc = main_body(&k, &w, ctx);
		drg_jw_object_end(&w);
		drg_jw_object_end(&w);
	}
	return drg_list_work_done(&k, rc, err);
}

static void city_maps(struct drg_jw *w, struct drg_list_rows *rows)
{
	drg_jw_key(w, "cities");
	drg_jw_object(w);
	for (size_t i = 0; i < rows->n; i++) {
		const struct drg_list_row *row = &rows->row[i];
		struct drg_str country = { "", 0 };
		int64_t country_id = 0;
		drg_list_rows_name(rows, row->dict.country, &country_id, &country);
		key_by_id(w, row->id);
		open_row(w, row, "title");
		drg_jw_key(w, "country_id");
		drg_jw_i64_str(w, country_id);
		drg_jw_key(w, "country_title");
		drg_jw_escaped(w, country);
		drg_jw_object_end(w);
	}
	drg_jw_object_end(w);
	drg_jw_key(w, "resorts");
	drg_jw_object(w);
	for (size_t i = 0; i < rows->n; i++) {
		if (!rows->row[i].dict.is_resort)
			continue;
		key_by_id(w, rows->row[i].id);
		open_row(w, &rows->row[i], "name");
		drg_jw_object_end(w);
	}
	drg_jw_object_end(w);
}

static void hotel_map(struct drg_jw *w, struct drg_list_rows *rows)
{
	drg_jw_key(w, "hotels");
	drg_jw_object(w);
	for (size_t i = 0; i < rows->n; i++) {
		const struct drg_list_row *row = &rows->row[i];
		key_by_id(w, row->id);
		open_row(w, row, "name");
		drg_jw_key(w, "country_id");
		drg_jw_i64_str(w, drg_list_dict_id(rows, row->dict.country));
		drg_jw_key(w, "city_id");
		drg_jw_i64_str(w, drg_list_dict_id(rows, row->dict.city));
		drg_jw_key(w, "hotel_category");
		drg_list_category(w, rows, row->dict.category);
		drg_jw_object_end(w);
	}
	drg_jw_object_end(w);
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
		drg_jw_object(&w);
		drg_jw_key(&w, "data");
		drg_jw_object(&w);
		drg_list_rows_set_adapters(&k.rows, k.sel.operators, k.sel.n_operators);
		drg_jw_key(&w, "operators");
		operators(&w, &k.rows);
		drg_list_rows_set(&k.rows, k.sel.cities, k.sel.n_cities);
		city_maps(&w, &k.rows);
		drg_list_rows_set(&k.rows, k.sel.hotels, k.sel.n_hotels);
		hotel_map(&w, &k.rows);
		drg_jw_object_end(&w);
		drg_jw_object_end(&w);
	}
	return drg_list_work_done(&k, rc, err);
}

static int main_references(struct drg_exchange *x)
{
	struct drg_list_key key;
	int rc = drg_list_key_init(x, build_main, &key);
	return rc == DRG_OK ? drg_list_answer(x, &key) : rc;
}

static int main_references_of_country(struct drg_exchange *x)
{
	struct drg_list_key key;
	int rc = drg_list_key_init(x, build_main, &key);
	if (rc != DRG_OK)
		return rc;
	drg_list_key_country(x, "country", &key);
	return drg_list_answer(x, &key);
}

static int hotel_references(struct drg_exchange *x)
{
	struct drg_list_key key;
	int rc = drg_list_key_init(x, build_hotels, &key);
	if (rc == DRG_OK)
		rc = drg_list_key_direction(x, &key);
	return rc == DRG_OK ? drg_list_answer(x, &key) : rc;
}

static const struct drg_param main_params[] = { DRG_PARAM_LANG, DRG_PARAM_DEMO, DRG_PARAM_WITH, { 0 } };
static const struct drg_param main_country_params[] = {
	{ .name = "country",
	  .type = DRG_P_TEXT,
	  .in_path = true,
	  .required = true,
	  .max = 64,
	  .check = drg_check_alpha_2,
	  .doc = "ISO alpha-2 code; narrows the departure cities" },
	DRG_PARAM_LANG,
	DRG_PARAM_DEMO,
	DRG_PARAM_WITH,
	{ 0 },
};
static const struct drg_param hotel_params[] = {
	DRG_PARAM_DIRECTION, DRG_PARAM_LANG, DRG_PARAM_DEMO, DRG_PARAM_WITH, { 0 }
};

const struct drg_endpoint drg_lists_a[] = {
	{ .method = DRG_GET,
	  .path = "/api/v1/tour/main-references",
	  .handler = main_references,
	  .auth = DRG_AUTH_KEY_A,
	  .cors = true,
	  .params = main_params,
	  .summary = "Reference lists of a tour search form" },
	{ .method = DRG_GET,
	  .path = "/api/v1/tour/main-references/:country",
	  .handler = main_references_of_country,
	  .auth = DRG_AUTH_KEY_A,
	  .cors = true,
	  .params = main_country_params,
	  .summary = "The same, with the departure cities of one country" },
	{ .method = DRG_GET,
	  .path = "/api/v1/tour/hotel-references",
	  .handler = hotel_references,
	  .auth = DRG_AUTH_KEY_A,
	  .cors = true,
	  .params = hotel_params,
	  .summary = "Hotels, cities and resorts of a direction" },
	{ 0 },
};
