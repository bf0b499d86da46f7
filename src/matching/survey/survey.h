/* src/matching/survey/survey.h
 * Figures of the mapping work: coverage by country, what the matcher and people did month by month, and
 * records of the reference that have several of one supplier (docs/matching.md). */
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
 * Suppliers' hotels and cities by the country of what they are mapped to; of one that is not mapped by what
 * the matcher last understood (store/suggestions.h). Ascending by adapter, kind and country.
 */
DRG_MUSTCHECK
int drg_survey_countries(struct drg_store *s, drg_survey_country_fn *fn, void *ctx, struct drg_err *reterr);

/* ---- by month ------------------------------------------------------------------------------------------ */

enum drg_survey_what {
	DRG_SURVEY_AUTOMATIC, /**< mappings that the matcher made */
	DRG_SURVEY_ASKED, /**< records about which people came to be asked (store/suggestions.h) */
	/** mappings that people made or took away, one by one or by a list that was filled in */
	DRG_SURVEY_PEOPLE,
	DRG_SURVEY_CONFIRMED, /**< of the matcher's: judged right in an audit */
	DRG_SURVEY_OVERRULED, /**< of the matcher's: taken away or changed by people */
	DRG_SURVEY_UNDONE, /**< of the matcher's: taken back with their batch */
	DRG_SURVEY_COUNT
};
/** "automatic". */
const char *drg_survey_word(enum drg_survey_what what);

struct drg_survey_month {
	int64_t adapter; /**< of a split */
	enum drg_kind kind; /**< likewise */
	int year, month;
	int64_t n[DRG_SURVEY_COUNT];
};
struct drg_survey_months {
	int64_t adapter; /**< 0: all */
	enum drg_kind kind; /**< DRG_KIND_NONE: all */
	bool split; /**< by supplier and kind */
	int64_t since_day; /**< only of that day or later, since 1970; INT64_MIN: of all */
};
typedef int drg_survey_month_fn(void *ctx, const struct drg_survey_month *m);
struct drg_survey_days;
/** Ascending, of a split by supplier, then kind, then month; months without any are left out. In UTC. What was
 * asked is of the store as it is.
 * @param d  Of all, or of what @p which wants. A return of @p fn other than DRG_OK ends it and is handed
 *           through. */
DRG_MUSTCHECK
int drg_survey_by_month(struct drg_store *s, const struct drg_survey_days *d,
                        const struct drg_survey_months *which, drg_survey_month_fn *fn, void *ctx,
                        struct drg_err *reterr);

/* ---- several of one supplier --------------------------------------------------------------------------- */

enum drg_double {
	/** far apart, and of different categories: two houses on one record of the reference */
	DRG_DOUBLE_OVER_MERGED,
	DRG_DOUBLE_DOUBTFUL, /**< one of both */
	DRG_DOUBLE_DUPLICATE /**< neither: the supplier has one house twice */
};
/** "over_merged". */
const char *drg_double_name(enum drg_double d);

struct drg_survey_double {
	int64_t dict_id, adapter;
	enum drg_double what;
	double metres; /**< between those that are farthest apart; NAN: not known */
	size_t n;
	const struct drg_str *ids, *categories; /**< n of each, as the supplier says */
};
typedef int drg_survey_double_fn(void *ctx, const struct drg_survey_double *d);
/** Hotels of the reference that several records of one supplier are mapped to, the worst first. Borrowed for
 * the call. */
DRG_MUSTCHECK
int drg_survey_doubles(struct drg_store *s, int64_t adapter, drg_survey_double_fn *fn, void *ctx,
                       struct drg_err *reterr);
