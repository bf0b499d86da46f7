/* API A: tour/main-references and tour/hotel-references (spec 2.1, 4.1; decisions R1 to R6, L4, L5, L8,
 * L11). */
#include <stdio.h>

#include "api/flags.h"
#include "api/list_answer.h"
#include "api/list_build.h"
#include "api/tables.h"

/* ---- what rows have besides id and name ---------------------------------------------------------------- */

static void operator_more(struct drg_jw *w, const struct drg_list_work *k, const struct drg_list_row *row)
{
	(void)k;
	drg_jw_member_escaped(w, "code", row->adapter->code_esc);
}

static void flag_url(struct drg_jw *w, const struct drg_list_work *k, const char *ratio, struct drg_str code)
{
	char url[64];
	snprintf(url, sizeof url, "/flags/%s/%s.svg", ratio, drg_flag_name(code));
	drg_jw_key(w, ratio);
	drg_jw_sep(w);
	drg_buf_char(w->b, '"');
	drg_buf_str(w->b, k->public_url);
	drg_buf_str(w->b, drg_str_c(url));
	drg_buf_char(w->b, '"');
}

static void lists_a_country(struct drg_jw *w, const struct drg_list_work *k, const struct drg_list_row *row)
{
	drg_jw_member_escaped(w, "iso_alpha_2", row->dict.code);
	drg_jw_member_object(w, "ico");
	flag_url(w, k, "1x1", row->dict.code);
	flag_url(w, k, "4x3", row->dict.code);
	drg_jw_object_end(w);
}

static void lists_a_country_of(struct drg_jw *w, const struct drg_list_work *k,
                               const struct drg_list_row *row)
{
	struct drg_dict country;
	drg_jw_key(w, "country");
	if (!drg_catalog_dict_at(k->rows.cat, row->dict.country, &country)) {
		drg_jw_null(w);
		return;
	}
	drg_jw_object(w);
	drg_list_members(w, &k->rows, &country);
	drg_jw_member_escaped(w, "iso_alpha_2", country.code);
	drg_jw_object_end(w);
}

static void lists_a_kind_more(struct drg_jw *w, const struct drg_list_work *k, const struct drg_list_row *row)
{
	const enum drg_kind kind = row->dict.kind;
	if (drg_kind_has(DRG_TYPE_DICT, kind, DRG_F_ISO_ALPHA_2))
		lists_a_country(w, k, row);
	if (drg_kind_has(DRG_TYPE_DICT, kind, DRG_F_COUNTRY_ID))
		lists_a_country_of(w, k, row);
	if (drg_kind_has(DRG_TYPE_DICT, kind, DRG_F_DESCRIPTION))
		drg_list_description(w, &k->rows, &row->dict);
	if (drg_kind_has(DRG_TYPE_DICT, kind, DRG_F_ISO_CODE))
		drg_jw_member_escaped(w, "iso_code", row->dict.code);
}

static void lists_a_city_more(struct drg_jw *w, const struct drg_list_work *k, const struct drg_list_row *row)
{
	struct drg_str country = { "", 0 };
	int64_t country_id = 0;
	drg_list_rows_name(&k->rows, row->dict.country, &country_id, &country);
	drg_jw_member_i64_str(w, "country_id", country_id);
	drg_jw_member_escaped(w, "country_title", country);
}

static void lists_a_hotel_more(struct drg_jw *w, const struct drg_list_work *k,
                               const struct drg_list_row *row)
{
	drg_jw_member_i64_str(w, "country_id", drg_list_dict_id(&k->rows, row->dict.country));
	drg_jw_member_i64_str(w, "city_id", drg_list_dict_id(&k->rows, row->dict.city));
	drg_jw_key(w, "hotel_category");
	drg_list_reference(w, &k->rows, row->dict.category, true);
}

/* ---- the lists ----------------------------------------------------------------------------------------- */

static const struct drg_list_member main_members[] = {
	{ "operators", DRG_LIST_OPERATORS, DRG_LIST_BY_CODE, NULL, operator_more, DRG_KIND_NONE },
	{ 0 },
};
static const struct drg_list_member hotel_members[] = {
	{ "operators", DRG_LIST_OPERATORS, DRG_LIST_BY_CODE, NULL, operator_more, DRG_KIND_NONE },
	{ "cities", DRG_LIST_CITIES, DRG_LIST_BY_ID, "title", lists_a_city_more, DRG_KIND_NONE },
	{ "resorts", DRG_LIST_RESORTS, DRG_LIST_BY_ID, NULL, NULL, DRG_KIND_NONE },
	{ "hotels", DRG_LIST_HOTELS, DRG_LIST_BY_ID, NULL, lists_a_hotel_more, DRG_KIND_NONE },
	{ 0 },
};
static const struct drg_list_form main_form = { .members = main_members, .kind_more = lists_a_kind_more };
static const struct drg_list_form hotel_form = { .members = hotel_members, .of_direction = true };

static const struct drg_param main_params[] = { DRG_PARAM_LANG, DRG_PARAM_DEMO, DRG_PARAM_WITH, { 0 } };
static const struct drg_param main_country_params[] = {
	{ .name = "country",
	  .type = DRG_P_TEXT,
	  .in_path = true,
	  .required = true,
	  .max = 64,
	  .check = drg_check_alpha_2,
	  .schema = DRG_SCHEMA_ALPHA_2,
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
	  .name = "mainReferences",
	  .handler = drg_list_endpoint,
	  .auth = DRG_AUTH_KEY_A,
	  .cors = true,
	  .params = main_params,
	  .summary = "Reference lists of a tour search form",
	  .app = DRG_COLUMNS(.tagged = true, .list = &main_form) },
	{ .method = DRG_GET,
	  .path = "/api/v1/tour/main-references/:country",
	  .name = "mainReferencesOfCountry",
	  .handler = drg_list_endpoint,
	  .auth = DRG_AUTH_KEY_A,
	  .cors = true,
	  .params = main_country_params,
	  .summary = "The same, with the departure cities of one country",
	  .app = DRG_COLUMNS(.tagged = true, .list = &main_form) },
	{ .method = DRG_GET,
	  .path = "/api/v1/tour/hotel-references",
	  .name = "hotelReferences",
	  .handler = drg_list_endpoint,
	  .auth = DRG_AUTH_KEY_A,
	  .cors = true,
	  .params = hotel_params,
	  .summary = "Hotels, cities and resorts of a direction",
	  .app = DRG_COLUMNS(.tagged = true, .list = &hotel_form) },
	{ 0 },
};
