/* src/matching/survey/days.h
 * What the matcher and people did day by day, as the mapping events tell it: read through once, then brought
 * up to date by what was decided since. */
#pragma once
#include "base/buf.h"
#include "matching/survey/survey.h"

/** What one supplier's kind had on a day with decisions. */
struct drg_survey_day {
	int64_t adapter;
	enum drg_kind kind;
	int64_t day; /**< since 1970, UTC */
	int64_t n[DRG_SURVEY_COUNT]; /**< but DRG_SURVEY_ASKED, which is no decision */
};

struct drg_survey_days {
	int64_t adapter; /**< 0: all */
	enum drg_kind kind; /**< DRG_KIND_NONE: all */
	bool read; /**< there is something */
	struct drg_clock upto;
	int64_t last_row; /**< the highest number of an event's row: one that comes later has a higher */
	struct drg_buf v; /**< struct drg_survey_day, ascending by adapter, kind and day */
};

/** Of nothing yet. @param adapter, kind  As in the struct. */
void drg_survey_days_init(struct drg_survey_days *d, int64_t adapter, enum drg_kind kind);
void drg_survey_days_done(struct drg_survey_days *d);
/** @param ret  Initialised, of nothing. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_survey_days_copy(const struct drg_survey_days *d, struct drg_survey_days *ret);

/**
 * Bring them up to the store's clock. Where few decisions were added since, only the sources of these are
 * read; else, and where events were changed or removed, or the store was set back, all. Of all sources only:
 * with an adapter or a kind it reads those through. It holds the store (drg_store_hold()) meanwhile.
 * @return DRG_OK; else what is there is of no use, and to be read anew.
 */
DRG_MUSTCHECK
int drg_survey_days_read(struct drg_survey_days *d, struct drg_store *s, struct drg_err *reterr);
