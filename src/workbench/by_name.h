/* src/workbench/by_name.h
 * What the answers share that look into the index of names of the reference: their parameters, and how they
 * open it. */
#pragma once
#include "api/curate_words.h"
#include "names/index.h"

struct drg_curate_by_name {
	const char *path; /**< of the index */
	bool one_kind;
	enum drg_kind kind;
	int64_t country; /**< dict id; 0: all */
	unsigned limit;
};

/** The parameters. @param limit  When absent. */
void drg_curate_by_name_read(struct drg_exchange *x, unsigned limit, struct drg_curate_by_name *ret);

/** @param ret  To be closed. @return As drg_name_index_open() does. */
DRG_MUSTCHECK
int drg_curate_by_name_open(const struct drg_curate_by_name *n, struct drg_store *s,
                            struct drg_name_index **ret, struct drg_err *reterr);

/** Their rows. @param most, words  Of `limit`. */
#define DRG_PARAM_CURATE_BY_NAME(most, words)                                                                \
	{ .name = "kind",                                                                                    \
	  .type = DRG_P_TEXT,                                                                                \
	  .max = 32,                                                                                         \
	  .check = drg_curate_check_dict_kind,                                                               \
	  .schema = DRG_SCHEMA_DICT_KIND,                                                                    \
	  .doc = "only this kind of records" },                                                              \
	        { .name = "country_id", .type = DRG_P_INT, .doc = "only records in this country, dict id" }, \
	{                                                                                                    \
		.name = "limit", .type = DRG_P_INT, .min = 1, .max = (most), .doc = (words)                  \
	}
