/* src/match/sounds.h
 * Words of the reference by their sound. Who writes a name in other letters writes what he hears ("Шервуд"
 * for "Sherwood"), and back in Latin letters it is another word ("servud"): here is the one that was meant. */
#pragma once
#include "match/keyed.h"
#include "match/place.h"

/** Made once, when the reference is in. For one thread. */
struct drg_sounds {
	const struct drg_places *ref;
	struct drg_buf words; /**< struct drg_keyed: hash of the consonants, token */
	uint32_t n_tokens; /**< there were then */
	struct drg_buf meant; /**< struct drg_sounds_meant by token: what was found before */
};

/** Of all words that the names of the reference have in Latin letters. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_sounds_make(const struct drg_places *ref, struct drg_sounds *ret);
void drg_sounds_done(struct drg_sounds *s);

enum { DRG_SOUNDS_ALIKE = 3 };

/**
 * The words of the reference that sound like @p t, a token of a name in other letters: the same consonants,
 * nearly the same vowels. The nearer and commoner first; such as are far behind the first one are left out.
 * @return how many; at least 1: @p t itself, where none sounds like it.
 */
unsigned drg_sounds_like(struct drg_sounds *s, uint32_t t, uint32_t ret[static DRG_SOUNDS_ALIKE]);
