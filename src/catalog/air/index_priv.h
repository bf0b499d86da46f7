/* src/catalog/air/index_priv.h
 * The index of the search: places numbered by weight, their names and words sorted. It is rebuilt when a
 * place has changed. It is immutable, but orders of titles are added when a request needs another
 * language. */
#pragma once
#include "catalog/air/air_priv.h"
#include "catalog/air/typos_priv.h"
#include "catalog/catalog_priv.h"

enum { DRG_AIR_CODES = 36 * 36 * 36, DRG_AIR_ORDERS = 64, DRG_AIR_NONE = UINT32_MAX };

/** A place under a number that stands for its ICAO code or the key of one of its names. */
struct drg_air_numbered {
	uint64_t number;
	uint32_t place;
};

/** The tables of one language: the order of places by title in it, each weight sorted by itself; and which
 * names are titles in it. */
struct drg_air_order {
	char lang[DRG_LANG_MAX + 1];
	uint8_t *title; /**< by entry of `names`: the script of the title that it is; 0: of none */
	uint32_t place[];
};

struct drg_air_index {
	struct drg_arena arena;
	uint32_t n; /**< places; a place's number is its rank by weight, then id */
	uint32_t n_countries; /**< among them; they have the first numbers, and are not in by_id */
	const struct drg_air_rec **rec; /**< by number */
	const uint32_t *by_id; /**< numbers, ascending by id */
	const uint32_t *tie_first, *tie_end; /**< by number: first and end of the places with its weight */
	const uint32_t *of_code; /**< by codes_number_of(): the first place with the code ... */
	const uint32_t *next_of_code; /**< ... and by number of a place: the next one */
	/** by number of a city: its first airport; of an airport: the next one of its city */
	const uint32_t *airport;
	const struct drg_air_numbered *icao, *key, *sound; /**< ascending by number, then place */
	uint32_t n_icao, n_keys, n_sounds;
	uint64_t *of_kind[DRG_AIR_KINDS]; /**< places of an enum drg_place, or countries, as sets likewise */
	const char (*country_code)[2]; /**< by number */
	uint64_t *in_country; /**< by country: its places as a set of n / 64 + 1 words */
	struct drg_air_terms names, words; /**< words also of the city's names */
	struct drg_air_terms own; /**< names in the letters of their script: drg_air_letters() */
	struct drg_air_tree name_tree, word_tree, own_tree;
	_Atomic(struct drg_air_order *) order[DRG_AIR_ORDERS];
};

/** The order of a language (valid, lower case). It is made now if nobody has asked for it yet. NULL: out of
 * memory, or DRG_AIR_ORDERS other languages have an order; sort by id then. */
const struct drg_air_order *drg_air_order(const struct drg_catalog *c, struct drg_air_index *ix,
                                          struct drg_str lang);

/** Find the entries of ix->names that are titles in a language, and if that is mostly written in Latin letters
 * also the English titles of places that have none in it. @param ret  Cleared; a script for each entry.
 * @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_air_titles_mark(const struct drg_catalog *c, struct drg_air_index *ix, struct drg_str lang,
                        uint8_t *ret);
void drg_air_order_free(struct drg_air_order *o);

/** Make the tables of codes. @return false: out of memory. */
DRG_MUSTCHECK
bool drg_air_codes_build(struct drg_air_index *ix);
/** Make the dictionaries of names and words, and the numbers of names. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_air_texts_build(struct drg_air_index *ix, struct drg_err *reterr);
/** Sort by number, then place. */
void drg_air_numbered_sort(struct drg_air_numbered *v, size_t n);
/** The first entry with this number, or n. */
uint32_t drg_air_numbered_find(const struct drg_air_numbered *v, uint32_t n, uint64_t number);

/** Call @p fn for each place with an IATA or ICAO code, in any letter case. */
void drg_air_code_each(const struct drg_air_index *ix, struct drg_str code,
                       void (*fn)(void *ctx, uint32_t place), void *ctx);
/** The first place of a kind with an IATA code; DRG_AIR_NONE: none. */
uint32_t drg_air_code_find(const struct drg_air_index *ix, struct drg_str code, enum drg_place place);

static inline struct drg_air_index *drg_air_index_of(const struct drg_catalog *c)
{
	return atomic_load_explicit(&c->air.index, memory_order_acquire);
}
