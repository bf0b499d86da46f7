/* src/match/words.h
 * Words with a special meaning in comparisons, made from src/match/words/ when the program is built (its
 * README.md has the classes). */
#pragma once
#include "base/str.h"

enum drg_word_class {
	DRG_WORD_TYPE = 1, /**< the type of a house, or an article: counts half */
	DRG_WORD_RESIDENCE = 2, /**< distinguishes sister houses */
	DRG_WORD_PART = 4, /**< the record is only a part of a house */
	DRG_WORD_BRAND = 8,
	DRG_WORD_PLACE =
	        16, /**< part of the name of a city of the reference; set by the caller, not in the files */
	/** every airport may have the word: it counts little in the name of an airport */
	DRG_WORD_AIRPORT = 32,
	DRG_WORD_LATIN =
	        64, /**< the token is of a name in Latin letters; set by match/place.h, not in the files */
	DRG_WORD_STREET = 128 /**< every street may have the word: it counts little in an address */
};

struct drg_word {
	const char *text; /**< folded; several words are joined by "_" */
	unsigned classes; /**< enum drg_word_class */
	const char *number; /**< the number that it stands for; NULL: none */
	const char *write; /**< the word that replaces it; NULL: none */
};

/** The tables of drg_word_find(): the words, and a hash table of 2 to the power of drg_word_bits entries: word
 * + 1; 0: free. */
extern const struct drg_word drg_words[];
extern const uint16_t drg_word_slots[];
extern const unsigned drg_word_bits;

/** @return NULL: the word has no special meaning. */
const struct drg_word *drg_word_find(struct drg_str text);
