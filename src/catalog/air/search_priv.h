/* src/catalog/air/search_priv.h
 * The state of one search: the query, sets of places, and the answer so far. */
#pragma once
#include "catalog/air/set_priv.h"

enum {
	DRG_AIR_WORDS_MAX = 8, /**< in a longer query only whole names are compared */
	DRG_AIR_FEW = 5 /**< with fewer results, typing errors are searched */
};

/** Places that have a text in the script of the query, and in any script. */
struct drg_air_pair_set {
	struct drg_air_set own, any;
};

struct drg_air_word {
	struct drg_str text;
	struct drg_air_range range; /**< the words that begin with it */
	struct drg_air_range equal;
	struct drg_air_pair_set has; /**< the places of these words and of the code; made at first use */
	struct drg_air_set near; /**< the places of words with one error; made at first use */
};

/** The query, folded. */
struct drg_air_typed {
	struct drg_str text;
	struct drg_str core; /**< the text without generic words; the whole text if it has no others */
	/** the core in the letters of its script (drg_air_letters()); empty: Latin and others */
	struct drg_str own;
	/** as typed without suffixes of names of cities and provinces; empty: it has none */
	struct drg_str bare;
	struct drg_air_word *word; /**< the words of the core, each once */
	size_t n;
	bool airport; /**< a generic word says that an airport is meant */
	bool complete; /**< a generic word stands behind the name: its last letter was typed */
	bool codes; /**< words may be codes */
	bool capitals; /**< all letters are capitals */
	bool named; /**< only the first letter is a capital, as in names */
	unsigned scripts; /**< scripts of the names that are searched first */
};

struct drg_air_work {
	struct drg_air_index *ix;
	const struct drg_air_query *q;
	struct drg_arena *arena;
	const struct drg_air_order *order;
	struct drg_air_set wanted,
	        airports; /**< the places that the query asks for; the airports among them */
	bool airports_only; /**< for now */
	struct drg_air_set found, code, work, one, all;
	struct drg_air_pair_set equal, begin, words;
	struct drg_air_set titled; /**< of begin.own those whose title in the language asked for begins so */
	struct drg_air_place *out;
	size_t n; /**< places found so far; the first `limit` of them are in out */
	size_t limit;
};

/** Read the query; words may be codes if it is ASCII. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_air_typed_read(struct drg_air_work *s, struct drg_str text, struct drg_air_typed *ret);

/** Make t->own; needed before errors are searched. @param text  The query as typed. @return DRG_OK,
 * DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_air_typed_own(struct drg_air_work *s, struct drg_str text, struct drg_air_typed *t);

/** Make the sets of the places that the query asks for. */
void drg_air_fill_wanted(struct drg_air_work *s);
/** The places that are wanted now. */
static inline const struct drg_air_set *drg_air_wanted(const struct drg_air_work *s)
{
	return s->airports_only ? &s->airports : &s->wanted;
}
/** Append a place to the answer, if it is wanted and was not found before. */
void drg_air_take(struct drg_air_work *s, uint32_t place);
/** Append the places of @p group that were not found before, in order. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_air_append(struct drg_air_work *s, const struct drg_air_set *group);

/** Add the places with a code, if words may be codes. */
void drg_air_add_code(struct drg_air_work *s, const struct drg_air_typed *t, struct drg_str code,
                      struct drg_air_set *to);
/** Make w->has. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_air_fill_word(struct drg_air_work *s, const struct drg_air_typed *t, struct drg_air_word *w);
/** Add the places whose name is the core with at most @p edits errors, and those whose name begins with it in
 * this way. Errors are counted in Latin letters, and in the letters of the query's script. */
void drg_air_add_near_names(struct drg_air_work *s, const struct drg_air_typed *t, unsigned edits,
                            struct drg_air_set *whole, struct drg_air_set *begin);

/** Likewise, counted in the letters of the query's script alone. */
void drg_air_add_near_own(struct drg_air_work *s, const struct drg_air_typed *t, unsigned edits,
                          struct drg_air_set *whole, struct drg_air_set *begin);

/* The result groups (A1). @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_air_append_as_typed(struct drg_air_work *s, const struct drg_air_typed *t);
/** Give the places that have the words of a query typed without spaces: "hochiminhcity", 北京首都. */
DRG_MUSTCHECK
int drg_air_append_joined(struct drg_air_work *s, const struct drg_air_typed *t);
/** Give the places whose name in Han is the end, else the beginning of a word of a query that has the suffix of
 * a city or province: 内蒙古包头市, 恩施土家族苗族自治州. */
DRG_MUSTCHECK
int drg_air_append_within(struct drg_air_work *s, const struct drg_air_typed *t);
DRG_MUSTCHECK
int drg_air_append_layouts(struct drg_air_work *s, const struct drg_air_typed *guess, size_t n);
/** Give places whose name sounds like the query, or differs by one error. */
DRG_MUSTCHECK
int drg_air_append_by_ear(struct drg_air_work *s, const struct drg_air_typed *t);
/** Give places whose name is the query with two errors. */
DRG_MUSTCHECK
int drg_air_append_whole(struct drg_air_work *s, const struct drg_air_typed *t);
/** @param edits  1 or 2, in each word. */
DRG_MUSTCHECK
int drg_air_append_errors(struct drg_air_work *s, const struct drg_air_typed *t, unsigned edits);
/** Give the places that have the most words of the query. @param edits  Errors in each word, 0 or 1. */
DRG_MUSTCHECK
int drg_air_append_most(struct drg_air_work *s, const struct drg_air_typed *t, unsigned edits);
