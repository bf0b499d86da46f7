/* src/api/curate_words.h
 * Words that several answers for curators share. */
#pragma once
#include "api/reading.h"

/** The message for clients if another process has the right to import; its name and host are not for them
 * (decision E3). */
#define DRG_CURATE_IMPORT_RUNNING "an import or undo is in progress; try again"

/** The word of an enum drg_match_reason; "other" where this program knows none. */
const char *drg_curate_reason(unsigned reason);
/** @return -1: empty, or no such word. */
int drg_curate_reason_of(struct drg_str word);
/** Check of a parameter, and its schema. */
#define DRG_SCHEMA_REASON                                                                                    \
	"{\"enum\":[\"sure\",\"no_candidates\",\"below_threshold\",\"ambiguous\",\"veto_country\",\"veto_"   \
	"numbers\","                                                                                         \
	"\"veto_brands\",\"veto_residence\",\"veto_places\",\"veto_claimed\",\"veto_part\",\"lacks_name\","  \
	"\"lacks_place\",\"country_unmapped\",\"city_unmapped\",\"unclear\",\"veto_not_same\",\"taken_"      \
	"back\","                                                                                            \
	"\"veto_list\",\"veto_far\",\"country_missing\",\"veto_city\",\"other\"]}"
DRG_MUSTCHECK
int drg_curate_check_reason(struct drg_str value, const char *name, struct drg_err *reterr);

/** The members id and name of a dict record; name is null where it is not there. In a read section. */
void drg_curate_dict_members(struct drg_reading *r, enum drg_kind kind, int64_t id,
                             const struct drg_lang_pref *pref);
/** The member @p name: an object of these members, or null. @param id  INT64_MIN: there is none. */
void drg_curate_dict_or_null(struct drg_reading *r, const char *name, enum drg_kind kind, int64_t id,
                             const struct drg_lang_pref *pref);
/** "2026-11-22T04:00:00.000Z" */
void drg_curate_time(struct drg_jw *w, int64_t wall_us);

/** In whose name a key decides that says so in `by` (decision C1): "key 7 for anna", which nobody who signs in
 * can be called. The text is in the arena of the exchange. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_curate_by(struct drg_exchange *x, struct drg_str said, struct drg_str *ret);

/** The parameter `since`, where it was given. @return DRG_OK, DRG_EINVAL. */
DRG_MUSTCHECK
int drg_curate_since(struct drg_exchange *x, int64_t *ret_us);

/** Check the parameter `adapter_id` of an answer that counts suppliers together: a key that reads some only has
 * to name one. @return as drg_api_check_adapter(); DRG_EINVAL too where it is missing. */
DRG_MUSTCHECK
int drg_curate_check_adapter(struct drg_exchange *x);

/** Check of a parameter: a kind of records of the reference. */
DRG_MUSTCHECK
int drg_curate_check_dict_kind(struct drg_str value, const char *name, struct drg_err *reterr);

#define DRG_PARAM_CURATE_DICT_KIND                                                                           \
	{                                                                                                    \
		.name = "kind", .type = DRG_P_TEXT, .required = true, .max = 32,                             \
		.check = drg_curate_check_dict_kind, .schema = DRG_SCHEMA_DICT_KIND,                         \
		.doc = "kind of records of the reference"                                                    \
	}
/** The most characters of a curator's name in a request with a key: drg_curate_by() prefixes it with the
 * key, and both must fit into DRG_CHARS_BY. */
enum { DRG_CURATE_BY_MAX = 200 };
_Static_assert(DRG_CURATE_BY_MAX + sizeof "key -9223372036854775808 for " <= DRG_CHARS_BY, "both fit");

#define DRG_PARAM_CURATE_SINCE                                                                               \
	{                                                                                                    \
		.name = "since", .type = DRG_P_TEXT, .max = 64, .schema = DRG_SCHEMA_PAST,                   \
		.doc = "only records added or changed then or later: a date, a time with its zone, or how "  \
		       "long "                                                                               \
		       "ago"                                                                                 \
	}
