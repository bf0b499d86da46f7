/* src/match/vocab.h
 * The tokens of all records, as numbers. Written by one thread, then read by any. */
#pragma once
#include "base/buf.h"
#include "base/err.h"
#include "base/hashtab.h"

struct drg_token {
	uint64_t digits; /**< hash of its digits; 0: it has none */
	uint32_t text; /**< place in `texts` */
	uint16_t n;
	uint8_t classes; /**< enum drg_word_class */
	bool is_number; /**< nothing but digits */
};

struct drg_sounds;

struct drg_vocab {
	struct drg_buf tokens; /**< struct drg_token */
	struct drg_buf texts;
	struct drg_buf phrases; /**< uint32_t: tokens of names that many records repeat (match/place.h) */
	/** sounds of the reference, for names in other letters that are added from now on; borrowed; NULL:
	 * none */
	struct drg_sounds *sounds;
	struct drg_hashtab table;
};

void drg_vocab_init(struct drg_vocab *v);
void drg_vocab_done(struct drg_vocab *v);

/** The number of a token. @param ret  Left alone after an error. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_vocab_add(struct drg_vocab *v, struct drg_str text, uint32_t *ret);

/** Add classes to a token. */
void drg_vocab_mark(struct drg_vocab *v, uint32_t t, unsigned classes);

static inline uint32_t drg_vocab_size(const struct drg_vocab *v)
{
	return (uint32_t)(v->tokens.n / sizeof(struct drg_token));
}

static inline const struct drg_token *drg_token(const struct drg_vocab *v, uint32_t t)
{
	return &((const struct drg_token *)(const void *)v->tokens.p)[t];
}

static inline struct drg_str drg_token_text(const struct drg_vocab *v, uint32_t t)
{
	const struct drg_token *k = drg_token(v, t);
	return drg_str(v->texts.p + k->text, k->n);
}

/** A hash of 64 bits (base/hash.h), never 0. */
uint64_t drg_match_hash(struct drg_str s, uint64_t salt);
