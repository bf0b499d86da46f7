/* src/match/similar.h
 * How alike two texts of small letters and digits are. */
#pragma once
#include "base/str.h"

/** Insertions, deletions and replacements from one to the other. At most DRG_NORMAL_MAX bytes each. */
unsigned drg_edit_distance(struct drg_str a, struct drg_str b);

/** 0..1, after Jaro and Winkler: equal letters at about the same place, and 0.1 of the rest for each letter of the common
 * beginning, however long that is. */
double drg_jaro_winkler(struct drg_str a, struct drg_str b);

/** Two tokens that are not equal: 0, or 0.86..1. Digits and tokens of less than three letters are equal or nothing. */
double drg_similar_tokens(struct drg_str a, struct drg_str b);
