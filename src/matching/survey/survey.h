/* src/matching/survey/survey.h
 * Figures of the mapping work: coverage by country, what the matcher and people did in each month, and
 * records of the reference to which several records of one supplier are mapped (docs/matching.md). */
#pragma once
#include "store/store.h"

/* ---- by country ---------------------------------------------------------------------------------------- */

struct drg_survey_country {
	int64_t adapter;
	enum drg_kind kind; /**< city or hotel */
	int64_t country; /**< dict id; INT64_MIN: not known */
	uint64_t records, mapped;
};
typedef int drg_survey_country_fn(void *ctx, const struct drg_survey_country *c);
/**
 * Count suppliers' hotels and cities by the country of their dict record; hotels and cities that are not
 * mapped by the country that the matcher last found (store/suggestions.h). Ascending by adapter, kind and
 * country.
 */
DRG_MUSTCHECK
int drg_survey_countries(struct drg_store *s, drg_survey_country_fn *fn, void *ctx, struct drg_err *reterr);

/* ---- by month ------------------------------------------------------------------------------------------ */

enum drg_survey_what {
	DRG_SURVEY_AUTOMATIC, /**< mappings that the matcher made */
	DRG_SURVEY_ASKED, /**< records that people were asked about (store/suggestions.h) */
	/** mappings that people made or removed, one by one or by a list that was filled in */
	DRG_SURVEY_PEOPLE,
	DRG_SURVEY_CONFIRMED, /**< mappings of the matcher that an audit judged right */
	DRG_SURVEY_OVERRULED, /**< mappings of the matcher that people removed or changed */
	DRG_SURVEY_UNDONE, /**< mappings of the matcher that were undone with their batch */
	DRG_SURVEY_COUNT
};

struct drg_survey_month {
	int64_t adapter; /**< if split */
	enum drg_kind kind; /**< likewise */
	int year, month;
	int64_t n[DRG_SURVEY_COUNT];
};
struct drg_survey_months {
	int64_t adapter; /**< 0: all */
	enum drg_kind kind; /**< DRG_KIND_NONE: all */
	bool split; /**< by supplier and kind */
	int64_t since_day; /**< only days since then, counted from 1970; INT64_MIN: all */
};
typedef int drg_survey_month_fn(void *ctx, const struct drg_survey_month *m);
struct drg_survey_days;
/** Call fn for each month, ascending; if split, by supplier, then kind, then month; months without counts are
 * left out. In UTC. Counts of asked records are of the present store.
 * @param d  Of all, or of what @p which selects. Any result of @p fn but DRG_OK ends it and is returned. */
DRG_MUSTCHECK
int drg_survey_by_month(struct drg_store *s, const struct drg_survey_days *d,
                        const struct drg_survey_months *which, drg_survey_month_fn *fn, void *ctx,
                        struct drg_err *reterr);

/* ---- several of one supplier --------------------------------------------------------------------------- */

enum drg_double {
	/** far apart and of different categories: two houses on one record of the reference */
	DRG_DOUBLE_OVER_MERGED,
	DRG_DOUBLE_DOUBTFUL, /**< far apart, or of different categories */
	DRG_DOUBLE_DUPLICATE /**< neither: the supplier has one house twice */
};
/** "over_merged". */
const char *drg_double_name(enum drg_double d);

struct drg_survey_double {
	int64_t dict_id, adapter;
	enum drg_double what;
	double metres; /**< distance of the two that are farthest apart; NAN: not known */
	size_t n;
	const struct drg_str *ids, *categories; /**< n of each, as the supplier has them */
};
typedef int drg_survey_double_fn(void *ctx, const struct drg_survey_double *d);
/** Call fn for hotels of the reference to which several records of one supplier are mapped, the worst first.
 * Borrowed for the call. */
DRG_MUSTCHECK
int drg_survey_doubles(struct drg_store *s, int64_t adapter, drg_survey_double_fn *fn, void *ctx,
                       struct drg_err *reterr);
