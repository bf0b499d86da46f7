/* src/match/labels/terms.h
 * The meaning of meals and hotel categories: ordered rules on the folded text, in some ten languages. */
#pragma once
#include "match/normal.h"

enum { DRG_TERM_MAX = 12 };

/** A person must decide: "AI Light", "as per programme", "4* superior". */
#define DRG_TERM_ASK "?"

/**
 * The meaning of a meal: "RO", "SC", "BB", "CB", "AB", "HB", "HB+", "FB", "FB+", "AI", "SAI", "UAI".
 * @return "": no rule applies; DRG_TERM_ASK.
 */
const char *drg_meal_term(struct drg_normal *n, struct drg_str name);

/**
 * The meaning of a category: "1*" to "7*", "HV-1", "HV-2", "apart", "villa", "hostel", "boutique", "unrated";
 * "HV-1/5*" is 5*.
 * @param ret  DRG_TERM_MAX bytes; "" and DRG_TERM_ASK as above.
 */
void drg_category_term(struct drg_normal *n, struct drg_str name, char *ret);
/** Find stars beside other words, as in "Apart 4*": "1*" to "7*"; "" if the name has none.
 * @return whether it has no half a star more ("4* superior", "4.5*"), nor two numbers ("3-4*"). */
bool drg_category_stars(struct drg_normal *n, struct drg_str name, char *ret);
