/* src/decide/new_choice.h
 * Chooses the values of a new record of the reference from several suppliers' records: names, places and
 * categories by majority, coordinates by the median. */
#pragma once
#include <stdint.h>
#include "base/err.h"
#include "base/str.h"

/** The values of all records, one after the other. Texts are borrowed. */
struct drg_new_choice {
	size_t n;
	struct drg_str *names; /**< empty: none */
	int64_t *countries, *cities, *categories; /**< dict ids; INT64_MIN: not known */
	double *lats, *lngs; /**< NAN: not known */
};
/** Room for @p n of each. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_new_choice_init(struct drg_new_choice *c, size_t n);
void drg_new_choice_done(struct drg_new_choice *c);

/** The most frequent text, whatever the case of its ASCII letters; of several spellings one that is not in
 * capitals, else the first. Empty texts do not count. */
struct drg_str drg_new_choose_text(const struct drg_str *v, size_t n);
/** The most frequent id; INT64_MIN does not count, and is the result if there is no other. */
int64_t drg_new_choose_id(const int64_t *v, size_t n);
/** The median; NAN does not count. */
double drg_new_choose_degrees(const double *v, size_t n);
