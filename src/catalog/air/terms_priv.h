/* src/catalog/air/terms_priv.h
 * A dictionary of folded texts, each with the places that it belongs to. It is sorted, so texts with the same
 * beginning are neighbours, and immutable. Places are numbers of the index that has the dictionary. */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "text/fold.h"

/** An entry: the number of a place (below 2^27) and, in the bits above, the scripts of the titles that fold to
 * the text. */
enum { DRG_AIR_PLACE_BITS = 27 };
static inline uint32_t drg_air_place_of(uint32_t entry)
{
	return entry & ((1U << DRG_AIR_PLACE_BITS) - 1);
}
static inline unsigned drg_air_scripts_of(uint32_t entry)
{
	return entry >> DRG_AIR_PLACE_BITS;
}

/** A text of a place, used while a dictionary is built. */
struct drg_air_pair {
	uint64_t key; /**< the first 8 bytes: most comparisons need no more */
	const char *p;
	uint32_t n, place;
	unsigned scripts;
};

struct drg_air_pairs {
	struct drg_air_pair *v;
	size_t n, cap;
	bool full; /**< sticky: out of memory */
};

/** @param scripts  Bits of words_priv.h. */
void drg_air_pairs_add(struct drg_air_pairs *p, struct drg_str text, uint32_t place, unsigned scripts);
void drg_air_pairs_done(struct drg_air_pairs *p);

struct drg_air_terms {
	uint32_t n; /**< texts */
	const char *text; /**< all texts, one after the other */
	const uint32_t *at; /**< n + 1 places in `text` */
	const uint32_t *first; /**< n + 1 places in `place` */
	const uint32_t *place; /**< entries, ascending by place for each text */
};

/** Sorts @p pairs. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_air_terms_build(struct drg_air_pairs *pairs, struct drg_arena *arena, struct drg_air_terms *ret,
                        struct drg_err *reterr);

/** Texts @p lo .. @p hi - 1 of a dictionary. */
struct drg_air_range {
	uint32_t lo, hi;
};

/** The texts that begin with @p beginning; @p ret_equal: the text that is equal to it, or an empty range. */
struct drg_air_range drg_air_terms_find(const struct drg_air_terms *t, struct drg_str beginning,
                                        struct drg_air_range *ret_equal);

static inline struct drg_str drg_air_term(const struct drg_air_terms *t, uint32_t i)
{
	return drg_str(t->text + t->at[i], t->at[i + 1] - t->at[i]);
}
