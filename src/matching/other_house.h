/* src/matching/other_house.h
 * Tells whether a supplier's id that comes with other data means another house by now: suppliers give ids
 * again. A new name alone is a renaming, another place alone a correction; both at once are another house. Both
 * are judged by the matcher's comparisons (match/compare.h). */
#pragma once
#include "model/record.h"

/** For one thread. */
struct drg_house_compare;

DRG_MUSTCHECK
int drg_house_compare_new(struct drg_house_compare **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_house_compare_free(struct drg_house_compare *x);

/** @param was, is  A hotel of a supplier, as it was and as it is. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_is_other_house(struct drg_house_compare *x, const struct drg_record *was, const struct drg_record *is,
                       bool *ret, struct drg_err *reterr);
