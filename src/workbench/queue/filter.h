/* src/workbench/queue/filter.h
 * Which cases of the queue, and in which order: the parameters that curate/queue, curate/facets and
 * curate/accept share. */
#pragma once
#include "api/curate_words.h"
#include "api/item.h"
#include "api/reading.h"
#include "workbench/queue/cases.h"

/** Read the parameters of DRG_PARAM_CASE_FILTER. @return DRG_OK, DRG_EINVAL, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_case_filter_read(struct drg_exchange *x, struct drg_queue_filter *ret);
/** The parameter `sort`. */
enum drg_queue_sort drg_case_sort_read(const struct drg_exchange *x);

/** Is it open by now, and may the key read it? Those of which the catalog knows nothing (yet, or any more) are
 * not. */
bool drg_case_is_visible(struct drg_reading *r, const struct drg_open_case *c, struct drg_source *ret);

/** May the key know how many there are? Of one that may read some suppliers only: not how many of all. */
bool drg_case_may_count(const struct drg_exchange *x);

/** Suspend until the queue has been read.
 * @param wait    In the arena of the exchange; its rc and err say how it went.
 * @param answer  Called then; at once where it is read already. */
DRG_MUSTCHECK
int drg_case_await(struct drg_exchange *x, struct drg_keeper_wait *wait,
                   int (*answer)(struct drg_exchange *));

/** Checks of parameters. */
DRG_MUSTCHECK
int drg_case_check_above(struct drg_str value, const char *name, struct drg_err *reterr);
DRG_MUSTCHECK
int drg_case_check_sort(struct drg_str value, const char *name, struct drg_err *reterr);
DRG_MUSTCHECK
int drg_case_check_like(struct drg_str value, const char *name, struct drg_err *reterr);

#define DRG_PARAM_CASE_FILTER                                                                                \
	DRG_PARAM_ITEM_FILTER,                                                                               \
	        { .name = "country_id", .type = DRG_P_INT, .doc = "only cases in this country, dict id" },   \
	        { .name = "city_id", .type = DRG_P_INT, .doc = "only cases in this city, dict id" },         \
	        { .name = "reason",                                                                          \
		  .type = DRG_P_TEXT,                                                                        \
		  .max = 32,                                                                                 \
		  .check = drg_curate_check_reason,                                                          \
		  .schema = DRG_SCHEMA_REASON,                                                               \
		  .doc = "only cases with this reason" },                                                    \
	        { .name = "above",                                                                           \
		  .type = DRG_P_TEXT,                                                                        \
		  .max = 16,                                                                                 \
		  .check = drg_case_check_above,                                                             \
		  .schema = "{\"pattern\":\"^(0([.][0-9]{1,9})?|1([.]0{1,9})?)?$\"}",                        \
		  .doc = "only where the first suggestion is right with this probability or more, such as "  \
		         "0.95" },                                                                           \
	        { .name = "suggested",                                                                       \
		  .type = DRG_P_FLAG,                                                                        \
		  .doc = "only cases with a suggestion; 0: only cases without one" },                        \
	        { .name = "assigned",                                                                        \
		  .type = DRG_P_TEXT,                                                                        \
		  .max = DRG_CHARS_PERSON,                                                                   \
		  .doc = "only cases assigned to this person" },                                             \
	        { .name = "later",                                                                           \
		  .type = DRG_P_FLAG,                                                                        \
		  .doc = "only cases that the caller has put off; 0: all others" },                          \
	        { .name = "like",                                                                            \
		  .type = DRG_P_TEXT,                                                                        \
		  .max = 128,                                                                                \
		  .check = drg_case_check_like,                                                              \
		  .schema = "{\"pattern\":\"^[0-9]{1,18}/({kind})/[^/]{1,32}$\"}",                           \
		  .doc = "cases with the name and the first suggestion of this case: "                       \
		         "ADAPTER_ID/KIND/ID" },                                                             \
	        DRG_PARAM_CURATE_SINCE

#define DRG_PARAM_CASE_SORT                                                                                  \
	{                                                                                                    \
		.name = "sort", .type = DRG_P_TEXT, .max = 32, .check = drg_case_check_sort,                 \
		.schema = "{\"enum\":[\"worth\",\"probability\",\"asked\",\"newest\",\"supplier\","          \
		          "\"country\",\"city\",\"reason\"]}",                                               \
		.doc = "order; worth when absent"                                                            \
	}
