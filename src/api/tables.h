/* src/api/tables.h
 * The endpoint tables, one for each file that has handlers, the columns that only endpoints of this service
 * have, and the parameters that several of them share. */
#pragma once
#include "api/app.h"
#include "api/body.h"
#include "http/endpoint.h"
#include "model/report.h"
#include "api/air_places.h"
#include "api/translate.h"

/** Finds the adapter that a request names: drg_tour_adapter() or drg_air_adapter(). */
typedef int drg_adapter_fn(const struct drg_catalog *cat, int64_t id, const struct drg_adapter **ret,
                           struct drg_err *reterr);

/** The type behind drg_endpoint.app. Members that are left out are empty. */
struct drg_columns {
	drg_adapter_fn *adapter; /**< which adapters `adapter_id` may name: see drg_reading_run_adapter() */
	const struct drg_body_field *fields; /**< attributes of the body */
	const struct drg_element_table
	        *values; /**< attributes of a body that is one element (avia/compared) */
	const struct drg_element_table *elements; /**< members of the elements of DRG_B_ELEMENTS */
	const struct drg_list_form *list; /**< of drg_list_endpoint() */
	const struct drg_report *report; /**< rows of its answer; OpenAPI has their schema */
	bool tagged; /**< its answers have an ETag, so that it can answer 304 */
	bool copies; /**< gives out records as the store has them: not for the keys of the demo (W3) */
};
#define DRG_COLUMNS(...)                                                                                     \
	&(const struct drg_columns)                                                                          \
	{                                                                                                    \
		__VA_ARGS__                                                                                  \
	}

/** The columns of the request's endpoint; all empty if its row has none. */
const struct drg_columns *drg_columns_of(const struct drg_exchange *x);

/** Every table there is: the one place to name a new one. Lines are T(name). */
#define DRG_API_TABLES(T)                                                                                    \
	T(drg_lists_a)                                                                                       \
	T(drg_lists_b)                                                                                       \
	T(drg_source_info)                                                                                   \
	T(drg_source_data)                                                                                   \
	T(drg_hotel_check)                                                                                   \
	T(drg_hotel_description)                                                                             \
	T(drg_source_add)                                                                                    \
	T(drg_compared)                                                                                      \
	T(drg_avia_detail)                                                                                   \
	T(drg_avia_compared)                                                                                 \
	T(drg_avia_reference)                                                                                \
	T(drg_session_endpoints)                                                                             \
	T(drg_choose_password)                                                                               \
	T(drg_users)                                                                                         \
	T(drg_access_keys)                                                                                   \
	T(drg_key_changes)                                                                                   \
	T(drg_curate_audit)                                                                                  \
	T(drg_curate_precision)                                                                              \
	T(drg_curate_take_back)                                                                              \
	T(drg_curate_proposals)                                                                              \
	T(drg_access_history)                                                                                \
	T(drg_changes_endpoints)                                                                             \
	T(drg_export_sources)                                                                                \
	T(drg_curate_queue)                                                                                  \
	T(drg_curate_queue_file)                                                                             \
	T(drg_curate_facets)                                                                                 \
	T(drg_curate_accept)                                                                                 \
	T(drg_curate_case)                                                                                   \
	T(drg_curate_reference)                                                                              \
	T(drg_curate_day)                                                                                    \
	T(drg_curate_note)                                                                                   \
	T(drg_curate_open)                                                                                   \
	T(drg_curate_search)                                                                                 \
	T(drg_curate_duplicates)                                                                             \
	T(drg_curate_records)                                                                                \
	T(drg_curate_history)                                                                                \
	T(drg_curate_batches)                                                                                \
	T(drg_curate_batch_undo)                                                                             \
	T(drg_curate_agreement)                                                                              \
	T(drg_curate_coverage)                                                                               \
	T(drg_curate_air)                                                                                    \
	T(drg_curate_air_places)                                                                             \
	T(drg_curate_air_map)                                                                                \
	T(drg_curate_load)                                                                                   \
	T(drg_curate_supplier)                                                                               \
	T(drg_curate_decide)                                                                                 \
	T(drg_reconcile)                                                                                     \
	T(drg_reconcile_suggest)                                                                             \
	T(drg_reconcile_propose)                                                                             \
	T(drg_reconcile_view)                                                                                \
	T(drg_flags_endpoints)                                                                               \
	T(drg_health)                                                                                        \
	T(drg_web_pages)                                                                                     \
	T(drg_web_about)

/** The endpoints of the listener for operators, beside drg_health. */
extern const struct drg_endpoint drg_admin_endpoints[];

#define DRG_TABLE_DECLARED(name) extern const struct drg_endpoint name[];
DRG_API_TABLES(DRG_TABLE_DECLARED)
#undef DRG_TABLE_DECLARED

/** drg_param.schema of a country's code. */
#define DRG_SCHEMA_ALPHA_2 "{\"minLength\":2,\"maxLength\":2,\"pattern\":\"^[A-Za-z]{2}$\"}"

/** Likewise of a kind of suppliers' records, and of a kind of records of the reference. The document has in
 * place of the word, or of "{kind}" in a pattern, the kinds themselves (model/kinds.h). */
#define DRG_SCHEMA_SOURCE_KIND "{\"enum\":\"source\"}"
#define DRG_SCHEMA_DICT_KIND "{\"enum\":\"dict\"}"
/** The schema of a line of text: one that drg_utf8_has_control() accepts and drg_utf8_is_blank() does not
 * call blank; or nothing. */
#define DRG_SCHEMA_LINE                                                                                      \
	"{\"pattern\":\"^([^\\\\x00-\\\\x08\\\\x0B-\\\\x1F\\\\x7F-\\\\x9F]*[^\\\\x00-\\\\x20\\\\x7F-"        \
	"\\\\xA0\\\\u1680"                                                                                   \
	"\\\\u2000-\\\\u200A\\\\u2028\\\\u2029\\\\u202F\\\\u205F\\\\u3000]"                                  \
	"[^\\\\x00-\\\\x08\\\\x0B-\\\\x1F\\\\x7F-\\\\x9F]*)?$\"}"
/** The schemas of a point in time, drg_stamp_read(), and of one in the past, drg_stamp_read_past(). */
#define DRG_STAMPS "{\"type\":\"string\",\"format\":\"date\"},{\"type\":\"string\",\"format\":\"date-time\"}"
#define DRG_SCHEMA_PAST                                                                                      \
	"{\"anyOf\":[" DRG_STAMPS                                                                            \
	",{\"type\":\"string\",\"pattern\":\"^(today|yesterday|[1-9][0-9]{0,4}[hdw])$\"}]}"

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
		.schema = "{\"enum\":[\"description\"]}",                                                    \
		.doc = "description: also the descriptions of meals and hotel categories"                    \
	}
#define DRG_PARAM_DIRECTION                                                                                  \
	{ .name = "dep_city", .type = DRG_P_INT, .required = true, .doc = "departure city, dict id" },       \
	{                                                                                                    \
		.name = "country", .type = DRG_P_INT, .required = true,                                      \
		.doc = "destination country, dict id"                                                        \
	}
