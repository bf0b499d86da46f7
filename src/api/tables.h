/* src/api/tables.h
 * The endpoint tables, one for each group, and the parameters that several of them share. */
#pragma once
#include "api/app.h"

extern const struct drg_endpoint drg_lists_a[];
extern const struct drg_endpoint drg_lists_b[];
extern const struct drg_endpoint drg_source_info[];
extern const struct drg_endpoint drg_source_data[];
extern const struct drg_endpoint drg_hotel_check[];
extern const struct drg_endpoint drg_hotel_description[];
extern const struct drg_endpoint drg_source_add[];
extern const struct drg_endpoint drg_compared[];
extern const struct drg_endpoint drg_avia_reference[];
extern const struct drg_endpoint drg_avia_detail[];
extern const struct drg_endpoint drg_avia_compared[];
extern const struct drg_endpoint drg_changes_endpoints[];
extern const struct drg_endpoint drg_export_sources[];
extern const struct drg_endpoint drg_flags_endpoints[];
extern const struct drg_endpoint drg_health[];

#define DRG_PARAM_LANG                                                                                       \
	{                                                                                                    \
		.name = "lang", .type = DRG_P_LANG, .doc = "language of names; en when absent"               \
	}
#define DRG_PARAM_DEMO                                                                                       \
	{                                                                                                    \
		.name = "demo", .type = DRG_P_FLAG, .doc = "also what is being mapped still"                 \
	}
#define DRG_PARAM_WITH                                                                                       \
	{                                                                                                    \
		.name = "with", .type = DRG_P_TEXT, .max = 64, .check = drg_check_with,                      \
		.doc = "description: also the descriptions of meals and hotel categories"                    \
	}
#define DRG_PARAM_DIRECTION                                                                                  \
	{ .name = "dep_city", .type = DRG_P_INT, .required = true, .doc = "departure city, dict id" },       \
	{                                                                                                    \
		.name = "country", .type = DRG_P_INT, .required = true,                                      \
		.doc = "destination country, dict id"                                                        \
	}
