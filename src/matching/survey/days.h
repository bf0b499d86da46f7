/* src/matching/survey/days.h
 * Counts what the matcher and people did on each day, from the mapping events. All are read once; later only
 * new decisions are added. */
#pragma once
#include "base/buf.h"
#include "matching/survey/survey.h"

/** The counts of one supplier and kind on a day with decisions. */
struct drg_survey_day {
	int64_t adapter;
	enum drg_kind kind;
	int64_t day; /**< since 1970, UTC */
	int64_t n[DRG_SURVEY_COUNT]; /**< without DRG_SURVEY_ASKED, which is not a decision */
};

struct drg_survey_days {
	int64_t adapter; /**< 0: all */
	enum drg_kind kind; /**< DRG_KIND_NONE: all */
	bool read; /**< the counts are valid */
	struct drg_clock upto;
	int64_t last_row; /**< the highest row of an event; a later event has a higher one */
	struct drg_buf v; /**< struct drg_survey_day, ascending by adapter, kind and day */
};

/** Initialise it empty. @param adapter, kind  As in the struct. */
void drg_survey_days_init(struct drg_survey_days *d, int64_t adapter, enum drg_kind kind);
void drg_survey_days_done(struct drg_survey_days *d);
/** @param ret  Initialised, of nothing. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_survey_days_copy(const struct drg_survey_days *d, struct drg_survey_days *ret);

/**
 * Bring the counts up to the store's clock. If few decisions were added, only their sources are read. If many
 * were, if events were changed or removed, or if the store was restored to an earlier state, all are read;
 * with an adapter or a kind, too. It holds the store (drg_store_hold()) meanwhile.
 * @return DRG_OK; after an error the counts are invalid and must be read again.
 */
DRG_MUSTCHECK
int drg_survey_days_read(struct drg_survey_days *d, struct drg_store *s, struct drg_err *reterr);
