/* src/api/list_json.h
 * What the lists of both APIs are written with. */
#pragma once
#include "api/list_rows.h"
#include "server/lists/lists.h"
#include "api/selection.h"
#include "text/json.h"

/** Everything that building one list needs. */
struct drg_list_work {
	struct drg_arena arena;
	struct drg_list_rows rows;
	struct drg_selection sel;
	struct drg_str public_url; /**< drg_app.public_url */
};

DRG_MUSTCHECK
int drg_list_work_init(struct drg_list_work *k, const struct drg_catalog *cat, const struct drg_list_key *key,
                       struct drg_err *reterr);
/** Release it. @return @p rc, or what went wrong in the rows meanwhile. */
DRG_MUSTCHECK
int drg_list_work_done(struct drg_list_work *k, int rc, struct drg_err *reterr);

/** The members `id` and `name`. */
void drg_list_members(struct drg_jw *w, const struct drg_list_rows *rows, const struct drg_dict *d);
/** {"id":…,"name":…} of the record behind a handle; null when it is gone.
 * @param described  With its description, where the list has them: a hotel's category. */
void drg_list_reference(struct drg_jw *w, const struct drg_list_rows *rows, drg_handle h, bool described);
/** The member `description` of a meal or hotel category, null where it has none; nothing where the list has
 * none. */
void drg_list_description(struct drg_jw *w, const struct drg_list_rows *rows, const struct drg_dict *d);
/** Its id; 0 when it is gone. */
int64_t drg_list_dict_id(const struct drg_list_rows *rows, drg_handle h);

/** Keys of rows in a map by name (decision R5): the lowest id keeps the bare name, others get "<name> #<id>".
 * @return @p rows->n escaped keys in the order of the rows, all distinct; NULL when memory is exhausted. */
struct drg_str *drg_list_name_keys(const struct drg_list_rows *rows, struct drg_arena *arena);
