/* src/match/compare_priv.h
 * Shared by the files that compare two places. */
#pragma once
#include "match/compare.h"
#include "match/similar.h"
#include "match/words.h"

/* A token with this length and similarity to a word is a misspelling of it; one that lacks a letter of a word
 * of SHORT_FROM letters too. */
enum { MISSPELT_FROM = 5, SHORT_FROM = 4, FORMS_KNOWN = 16 };

/* The letters of a record's forms, kept because hundreds of others are compared with them. */
struct drg_compared {
	const struct drg_place_record *record;
	bool known[FORMS_KNOWN];
	struct drg_letters letters[FORMS_KNOWN];
};

static inline bool drg_is_type_word(const struct drg_comparing *c, uint32_t t)
{
	return (drg_token(c->a->vocab, t)->classes & DRG_WORD_TYPE) != 0;
}

static inline bool drg_holds_token(const uint32_t *t, unsigned n, uint32_t wanted)
{
	for (unsigned i = 0; i < n; i++)
		if (t[i] == wanted)
			return true;
	return false;
}
