/* src/workbench/agreed.h
 * What the matcher and people did day by day, kept in memory of this server once somebody has asked: an
 * answer reads what was decided since the one before (decision C11). */
#pragma once
#include "matching/survey/days.h"

struct drg_agreed;

/** @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_agreed_new(struct drg_agreed **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_agreed_free(struct drg_agreed *a);

/** As of now. From any thread that may read the store; of several that ask at once each reads for itself.
 * @param ret  Of all suppliers; the caller's, in every case, to give back.
 * @return DRG_OK, DRG_ENOMEM, errors of the store. */
DRG_MUSTCHECK
int drg_agreed_read(struct drg_agreed *a, struct drg_store *s, struct drg_survey_days *ret,
                    struct drg_err *reterr);
