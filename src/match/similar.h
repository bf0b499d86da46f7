/* src/match/similar.h
 * The similarity of two texts of small letters and digits. */
#pragma once
#include "match/normal.h"

/** Insertions, deletions and replacements from one to the other. At most DRG_NORMAL_MAX bytes each. */
unsigned drg_edit_distance(struct drg_str a, struct drg_str b);

/** The letters of a text that is compared with many others; large. */
struct drg_letters {
	uint64_t at[128]; /**< by letter: a bit for each place that has it; of the first 64 */
	char text[DRG_NORMAL_MAX];
	size_t n;
};
/** @param text  a-z and 0-9, DRG_NORMAL_MAX of them at most. */
void drg_letters_of(struct drg_letters *ret, struct drg_str text);
/** As drg_edit_distance(). @param text  Likewise. */
unsigned drg_letters_distance(const struct drg_letters *l, struct drg_str text);

/** 0..1, after Jaro and Winkler: equal letters at about the same place, and 0.1 of the rest for each letter of
 * the common beginning, however long that is. */
double drg_jaro_winkler(struct drg_str a, struct drg_str b);

/** The similarity of two tokens that are not equal: 0, or 0.86..1. For digits and tokens of less than three
 * letters it is 0. */
double drg_similar_tokens(struct drg_str a, struct drg_str b);
