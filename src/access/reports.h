/* src/access/reports.h
 * Reports of keys, users and their history (decisions E29, E31). */
#pragma once
#include "store/access_events.h"
#include "store/reports.h"

/** Keys, revoked ones included, ascending by id. @p asked: NULL. */
extern const struct drg_report drg_keys_report;
drg_report_query drg_keys_query;

/** Users, ascending by id. @p asked: NULL. */
extern const struct drg_report drg_users_report;
drg_report_query drg_users_query;

/** Options for the history of keys or users. */
struct drg_access_history {
	enum drg_access_sort sort;
	struct drg_str name; /**< only of the user with this name; empty: of all */
	int64_t number; /**< only of the key with this number; 0: of all */
	bool must_exist; /**< it is an error if there is no such user or key: DRG_ENOENT */
	unsigned newest; /**< so many, the newest first; 0: all, ascending by time */
};
extern const struct drg_report drg_access_report;
/** @p asked: struct drg_access_history. */
drg_report_query drg_access_query;
