/* src/catalog/air/search_priv.h
 * One search: what was typed, sets of places, and the answer so far. */
#pragma once
#include "catalog/air/set_priv.h"

enum {
	DRG_AIR_WORDS_MAX = 8, /**< in a text with more words only names as wholes are compared */
	DRG_AIR_FEW = 5 /**< where fewer were found, errors are looked for */
};

/** Places that have something in the script that was typed, and in any. */
struct drg_air_pair_set {
	struct drg_air_set own, any;
};

struct drg_air_word {
	struct drg_str text;
	struct drg_air_range range; /**< words that begin with it */
	struct drg_air_range equal;
	struct drg_air_pair_set
	        has; /**< the places of these words, and of the code; made when first asked for */
	struct drg_air_set near; /**< those of words with one error; likewise */
};

/** What was typed, folded. */
struct drg_air_typed {
	struct drg_str text;
	struct drg_str core; /**< without generic words; the text where it has no others */
	struct drg_str
	        own; /**< the core in the letters of its script (drg_air_letters()); empty: Latin and others */
	struct drg_air_word *word; /**< of the core, each once */
	size_t n;
	bool airport; /**< a generic word says that an airport is meant */
	bool codes; /**< words may be codes */
	bool capitals; /**< all letters are */
	bool named; /**< the first letter alone is, as names are written */
	unsigned scripts; /**< of the names that are looked at first */
};

struct drg_air_work {
	struct drg_air_index *ix;
	const struct drg_air_query *q;
	struct drg_arena *arena;
	const struct drg_air_order *order;
	struct drg_air_set wanted,
	        airports; /**< places that the query asks for; those of them that are airports */
	bool airports_only; /**< for now */
	struct drg_air_set found, code, work, one, all;
	struct drg_air_pair_set equal, begin, words;
	struct drg_air_place *out;
	size_t n; /**< found so far; the first `limit` of them are in out */
	size_t limit;
};

/** @param codes  May words of it be codes? @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_air_typed_read(struct drg_air_work *s, struct drg_str text, struct drg_air_typed *ret);

/** Makes t->own, where errors are looked for. @param text  As it was typed. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_air_typed_own(struct drg_air_work *s, struct drg_str text, struct drg_air_typed *t);

/** Makes the sets of what the query asks for. */
void drg_air_fill_wanted(struct drg_air_work *s);
/** The places that are asked for now. */
static inline const struct drg_air_set *drg_air_wanted(const struct drg_air_work *s)
{
	return s->airports_only ? &s->airports : &s->wanted;
}
/** Into the answer, if it is wanted and was not found before. */
void drg_air_take(struct drg_air_work *s, uint32_t place);
/** Those of @p group that were not found before, in order. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_air_give(struct drg_air_work *s, const struct drg_air_set *group);

/** Adds the places of a code, where words may be codes. */
void drg_air_add_code(struct drg_air_work *s, const struct drg_air_typed *t, struct drg_str code,
                      struct drg_air_set *to);
/** Makes w->has. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_air_fill_word(struct drg_air_work *s, const struct drg_air_typed *t, struct drg_air_word *w);
/** Adds places of names that are the core but for @p edits at most, and of those that begin so; edits are counted in Latin letters,
 * and in those that were typed. */
void drg_air_add_near_names(struct drg_air_work *s, const struct drg_air_typed *t, unsigned edits,
                            struct drg_air_set *whole, struct drg_air_set *begin);

/* The groups of decision A1. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_air_give_as_typed(struct drg_air_work *s, const struct drg_air_typed *t);
/** What has the words of a text that was typed without the spaces between them: "hochiminhcity", 北京首都. */
DRG_MUSTCHECK
int drg_air_give_joined(struct drg_air_work *s, const struct drg_air_typed *t);
DRG_MUSTCHECK
int drg_air_give_layouts(struct drg_air_work *s, const struct drg_air_typed *guess, size_t n);
/** What has a name that sounds like it, or is it but for an error. */
DRG_MUSTCHECK
int drg_air_give_by_ear(struct drg_air_work *s, const struct drg_air_typed *t);
/** Names that are the text but for two errors. */
DRG_MUSTCHECK
int drg_air_give_whole(struct drg_air_work *s, const struct drg_air_typed *t);
/** @param edits  1 or 2, in each word. */
DRG_MUSTCHECK
int drg_air_give_errors(struct drg_air_work *s, const struct drg_air_typed *t, unsigned edits);
/** What has as many of the words as any has. @param edits  In each word, 0 or 1. */
DRG_MUSTCHECK
int drg_air_give_most(struct drg_air_work *s, const struct drg_air_typed *t, unsigned edits);
