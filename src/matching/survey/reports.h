/* src/matching/survey/reports.h
 * Reports of the mapping work (decisions C7, C11). */
#pragma once
#include "matching/survey/days.h"
#include "store/reports.h"

/** How much is mapped, by supplier and kind; the optional columns count growth. */
struct drg_coverage_wanted {
	int64_t adapter; /**< 0: all */
	enum drg_kind kind; /**< DRG_KIND_NONE: all */
	bool since; /**< a day is given */
	int64_t since_day; /**< count requests and growth since then; days since 1970. 0 if no day is given */
	int64_t min; /**< count rows of which less is mapped, in per cent; 0: none */
	unsigned below; /**< the result: how many there are */
};
extern const struct drg_report drg_coverage_report;
/** @p asked: struct drg_coverage_wanted. */
drg_report_query drg_coverage_query;

/** Options for the decisions of the matcher and of curators by month; for an endpoint also by supplier and
 * kind. */
struct drg_agreement_wanted {
	struct drg_survey_months which;
	/** Gets the days, which the query then frees; NULL: the query reads them from the store */
	int (*days)(void *ctx, struct drg_store *s, struct drg_survey_days *ret, struct drg_err *reterr);
	void *ctx;
};
extern const struct drg_report drg_agreement_report;
/** @p asked: struct drg_agreement_wanted. */
drg_report_query drg_agreement_query;
