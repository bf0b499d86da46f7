/* src/match/normal.h
 * Texts as they are compared: folded to small Latin letters and digits, and cut into tokens.
 *
 * Letters of other scripts are written in Latin ones by ICU, without regard to who types them: both sides of
 * a comparison are records. What people type into a search is text/fold.h's. */
#pragma once
#include "base/err.h"
#include "base/str.h"

enum {
	DRG_NORMAL_MAX = 256, /**< bytes of a folded text: what is behind them is not compared */
	DRG_NORMAL_TOKENS = 32 /**< of a text: pairs of them are compared */
};

/** For one thread. */
struct drg_normal;

/** @return DRG_OK; DRG_ENOMEM; DRG_EINTERNAL: ICU lacks its data. */
DRG_MUSTCHECK
int drg_normal_new(struct drg_normal **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_normal_free(struct drg_normal *n);

/**
 * Words of a-z and 0-9 with one space between: "Côté & Mer" gives "cote and mer", "H.M.V." "hmv".
 * @return lives until the next call; empty where nothing is left.
 */
struct drg_str drg_normal_fold(struct drg_normal *n, struct drg_str text);

/** Has it a letter of another script than the Latin one? */
bool drg_normal_is_other(struct drg_str text);

/** Tokens of a folded text. */
struct drg_tokens {
	unsigned n;
	/** borrowed from the folded text, `room` and the words of match/words.h */
	struct drg_str t[DRG_NORMAL_TOKENS];
	char room[DRG_NORMAL_MAX];
};

/**
 * Its words, where single letters in a row are one ("b b" gives "bb"), numbers in words are digits ("second"
 * gives "2nd", "IV" "4") and abbreviations are written out.
 */
void drg_normal_tokens(struct drg_str folded, struct drg_tokens *ret);
