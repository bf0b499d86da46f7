/* API B: tour/reference and tour/referenceData (spec 4.2; decisions R1 to R3, L5, L9). */
#include "api/list_answer.h"
#include "api/list_build.h"
#include "api/tables.h"

static void lists_b_kind_more(struct drg_jw *w, const struct drg_list_work *k, const struct drg_list_row *row)
{
	if (drg_kind_has(DRG_TYPE_DICT, row->dict.kind, DRG_F_COUNTRY_ID)) {
		drg_jw_key(w, "country");
		drg_list_reference(w, &k->rows, row->dict.country, false);
	}
	if (drg_kind_has(DRG_TYPE_DICT, row->dict.kind, DRG_F_DESCRIPTION))
		drg_list_description(w, &k->rows, &row->dict);
}

static void lists_b_city_more(struct drg_jw *w, const struct drg_list_work *k, const struct drg_list_row *row)
{
	drg_jw_member_i64(w, "country_id", drg_list_dict_id(&k->rows, row->dict.country));
}

static void lists_b_hotel_more(struct drg_jw *w, const struct drg_list_work *k,
                               const struct drg_list_row *row)
{
	lists_b_city_more(w, k, row);
	drg_jw_member_i64(w, "city_id", drg_list_dict_id(&k->rows, row->dict.city));
	drg_jw_key(w, "hotel_category");
	drg_list_reference(w, &k->rows, row->dict.category, true);
}

static const struct drg_list_member b_main_members[] = {
	{ "operator", DRG_LIST_OPERATORS, DRG_LIST_ARRAY, NULL, NULL, DRG_KIND_NONE },
	{ 0 },
};
static const struct drg_list_member direction_members[] = {
	{ "city", DRG_LIST_CITIES, DRG_LIST_ARRAY, NULL, lists_b_city_more, DRG_KIND_NONE },
	{ "hotel", DRG_LIST_HOTELS, DRG_LIST_ARRAY, NULL, lists_b_hotel_more, DRG_KIND_NONE },
	{ 0 },
};
static const struct drg_list_form b_main_form = {
	.members = b_main_members, .kind_more = lists_b_kind_more, .with_status = true, .with_items = true
};
static const struct drg_list_form direction_form = { .members = direction_members,
	                                             .with_status = true,
	                                             .of_direction = true };

static const struct drg_param reference_params[] = {
	DRG_PARAM_LANG,
	{ .name = "country",
	  .type = DRG_P_TEXT,
	  .max = 64,
	  .check = drg_check_alpha_2,
	  .schema = DRG_SCHEMA_ALPHA_2,
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
	  .name = "reference",
	  .handler = drg_list_endpoint,
	  .auth = DRG_AUTH_KEY_B,
	  .cors = true,
	  .params = reference_params,
	  .summary = "Reference lists of a tour search form",
	  .app = DRG_COLUMNS(.tagged = true, .list = &b_main_form) },
	{ .method = DRG_GET,
	  .path = "/v1/tour/referenceData",
	  .name = "referenceData",
	  .handler = drg_list_endpoint,
	  .auth = DRG_AUTH_KEY_B,
	  .cors = true,
	  .params = reference_data_params,
	  .summary = "Hotels and cities of a direction",
	  .app = DRG_COLUMNS(.tagged = true, .list = &direction_form) },
	{ 0 },
};
