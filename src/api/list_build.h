/* src/api/list_build.h
 * What a list of either API looks like, as a table, and the one builder of all of them. */
#pragma once
#include "api/app.h"
#include "api/list_json.h"

/** The sort of rows in one member of the answer. */
enum drg_list_part {
	DRG_LIST_OPERATORS,
	DRG_LIST_KIND, /**< drg_list_member.kind, whole or as selected */
	DRG_LIST_CITIES,
	DRG_LIST_RESORTS, /**< of the cities; right behind them */
	DRG_LIST_HOTELS
};

/** How a member holds its rows: an array, or a map by id, by code, by name (decision R5). */
enum drg_list_by { DRG_LIST_ARRAY, DRG_LIST_BY_ID, DRG_LIST_BY_CODE, DRG_LIST_BY_NAME };

/** Write what a row has besides its id and name. */
typedef void drg_list_more_fn(struct drg_jw *w, const struct drg_list_work *k,
                              const struct drg_list_row *row);

/** One member of the answer. A table ends with a zero name. */
struct drg_list_member {
	const char *name;
	enum drg_list_part part;
	enum drg_list_by by;
	const char *title; /**< the member that a row's name is in; NULL: "name" */
	drg_list_more_fn *more; /**< or NULL */
	enum drg_kind kind; /**< DRG_LIST_KIND */
};

struct drg_list_form {
	/** hotels of a direction (R2); else the lists of a search form (R3), perhaps of one country */
	bool of_direction;
	bool with_status; /**< the envelope of API B */
	bool with_items; /**< every row once more, in `items` (decision L9) */
	const struct drg_list_member *members;
	/** Not NULL: behind the members come all kinds that the main references list (model/kinds.h): arrays
	 * under the kind's name if with_status, else maps under its plural. */
	drg_list_more_fn *kind_more;
};

/** Builds the list of drg_list_key.form; the context is a struct drg_app. */
drg_list_build_fn drg_list_build;
