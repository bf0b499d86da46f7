/* synth/names.h
 * Names of hotels, as words with their roles, so that every supplier can put them in its own way. */
#pragma once
#include "synth/countries.h"
#include "synth/prng.h"

enum drg_synth_role {
	DRG_ROLE_WORD,
	DRG_ROLE_CHAIN,
	DRG_ROLE_CITY,
	DRG_ROLE_TYPE /**< the word for the kind of house: struct drg_synth_type */
};

struct drg_synth_word {
	enum drg_synth_role role;
	struct drg_str text; /**< of a type: the English word */
};

enum { DRG_SYNTH_WORDS = 4 };

/** "Hotel", "Resort & Spa", "Villas": the word, and what it says of the house. */
struct drg_synth_type {
	const char *hotel_type; /**< how the dict hotel_type begins */
	const char *category; /**< how the dict category begins; NULL: it has stars */
	uint32_t weight;
	const char *word[DRG_LANG_COUNT]; /**< NULL: as in English */
};

extern const struct drg_synth_type drg_synth_types[];
extern const unsigned drg_synth_n_types;

/** The word of a type in a language. */
struct drg_str drg_synth_type_word(unsigned type, enum drg_synth_lang lang);

struct drg_synth_name {
	struct drg_synth_word w[DRG_SYNTH_WORDS];
	unsigned n;
	unsigned type; /**< index of drg_synth_types, also where no word says it */
	const char *was[2]; /**< words of the name that it had before */
};

/** @param city  Name of the city, borrowed. */
void drg_synth_name_make(struct drg_rng *r, enum drg_synth_flavour flavour, struct drg_str city,
                         struct drg_synth_name *ret);
