/* src/match/sounds.h
 * Finds words of the reference by their sound. A name in other letters is written as it sounds ("Шервуд" for
 * "Sherwood"), and transliterated back it is another word ("servud"). This finds the word that was meant. */
#pragma once
#include "match/keyed.h"
#include "match/place.h"

/** Made once, when the reference is in. For one thread. */
struct drg_sounds {
	const struct drg_places *ref, *more; /**< more: NULL, or further names, of the same vocabulary */
	struct drg_buf words; /**< struct drg_keyed: hash of the consonants, token */
	uint32_t n_tokens; /**< number of tokens when it was made */
	struct drg_buf meant; /**< struct drg_sounds_meant by token: earlier results */
};

/** Index all words that names of the reference, and of @p more unless that is NULL, have in Latin letters. Both
 * are borrowed. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_sounds_make(const struct drg_places *ref, const struct drg_places *more, struct drg_sounds *ret);
void drg_sounds_done(struct drg_sounds *s);

enum { DRG_SOUNDS_ALIKE = 3 };

/**
 * Find the words of the reference that sound like @p t, a token of a name in other letters: the same
 * consonants, nearly the same vowels. Nearer and more common ones come first; those far behind the first one
 * are left out.
 * @return how many; at least 1: @p t itself if none sounds like it.
 */
unsigned drg_sounds_like(struct drg_sounds *s, uint32_t t, uint32_t ret[static DRG_SOUNDS_ALIKE]);
