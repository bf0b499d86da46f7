/* src/match/normal.h
 * Normalises texts for comparison: folds them to small Latin letters and digits, and cuts them into tokens.
 *
 * ICU transliterates letters of other scripts, without regard to spelling habits: both sides of a comparison
 * are records. For texts that people type into a search see text/fold.h. */
#pragma once
#include "base/err.h"
#include "base/str.h"

enum {
	DRG_NORMAL_MAX = 256, /**< bytes of a folded text; the rest is not compared */
	DRG_NORMAL_TOKENS = 32 /**< tokens of a text; pairs of them are compared */
};

/** For one thread. */
struct drg_normal;

/** @return DRG_OK; DRG_ENOMEM; DRG_EINTERNAL: ICU lacks its data. */
DRG_MUSTCHECK
int drg_normal_new(struct drg_normal **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_normal_free(struct drg_normal *n);

/**
 * Fold a text to words of a-z and 0-9 with one space between: "Côté & Mer" gives "cote and mer", "H.M.V."
 * "hmv".
 * @return valid until the next call; empty: nothing is left.
 */
struct drg_str drg_normal_fold(struct drg_normal *n, struct drg_str text);

/** Does the text have a letter of another script than the Latin one? */
bool drg_normal_has_other_script(struct drg_str text);

/** Tokens of a folded text. */
struct drg_tokens {
	unsigned n;
	/** borrowed from the folded text, `room` and the words of match/words.h */
	struct drg_str t[DRG_NORMAL_TOKENS];
	char room[DRG_NORMAL_MAX];
};

/**
 * Cut a folded text into words. Single letters in a row are one word ("b b" gives "bb"), number words become
 * digits ("second" gives "2nd", "IV" "4"), and abbreviations are expanded.
 */
void drg_normal_tokens(struct drg_str folded, struct drg_tokens *ret);
