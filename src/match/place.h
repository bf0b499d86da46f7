/* src/match/place.h
 * Lists of places (hotels, cities), normalised once for all comparisons.
 *
 * A place has forms: its name in each language, without suffixes, and so on. Comparisons take the best pair
 * of forms. */
#pragma once
#include <math.h>
#include "match/normal.h"
#include "match/tally.h"
#include "match/vocab.h"

enum drg_area { DRG_AREA_COUNTRY = 1, DRG_AREA_CITY };

/** A name. */
struct drg_form {
	uint64_t joined; /**< hash of its tokens without spaces */
	uint64_t core; /**< hash of the set of tokens without DRG_WORD_TYPE; 0: there are none */
	uint32_t tokens; /**< place in drg_places.tokens */
	uint16_t n;
	uint16_t n_core;
	uint8_t city_at, n_city; /**< its tokens that are the name of its city; n_city is 0: none */
	bool has_number, has_residence; /**< a token with digits, one of DRG_WORD_RESIDENCE */
	bool local; /**< without a word of its city; it counts only if both cities are the same */
	bool former; /**< it is a former name */
};

struct drg_place_record {
	double lat, lng; /**< NAN: not known */
	int64_t id; /**< for the caller: a dict id, a number of a source */
	int64_t country, city, category; /**< dict ids; DRG_PLACE_UNKNOWN */
	uint32_t forms, address, houses, zip; /**< places in the arrays of the list */
	uint16_t n_forms, n_address, n_houses, n_zip;
	bool has_address;
};
#define DRG_PLACE_UNKNOWN INT64_MIN

static inline bool drg_place_located(const struct drg_place_record *r)
{
	return !isnan(r->lat) && !isnan(r->lng);
}

/** A name of a city that thousands of places may have: it is normalised for the first of them. Zeroed except
 * for the name. */
struct drg_place_city {
	struct drg_str name;
	uint32_t tokens; /**< place in drg_vocab.phrases */
	uint16_t n_tokens;
	bool known; /**< the two members above are set */
};

/** The data of a place. Texts are borrowed for the call. */
struct drg_place_input {
	struct drg_str names[64]; /**< the first is the main one */
	unsigned n_names;
	uint64_t former; /**< bit i: names[i] is a former name */
	/** the supplier's own name for the city, which forms leave out; empty: not known */
	struct drg_str city_name;
	/** names of its country, which forms leave out at their end; borrowed, of one vocabulary */
	struct drg_place_city *countries;
	unsigned n_countries; /**< those behind DRG_PLACE_CITIES are ignored */
	struct drg_place_city *cities; /**< likewise, other names of the city; borrowed, of one vocabulary */
	unsigned n_cities; /**< those behind DRG_PLACE_CITIES in total are ignored */
	struct drg_str address, zip; /**< empty: not known */
	double lat, lng; /**< NAN: not known */
	int64_t id, country, city, category;
};
enum { DRG_PLACE_NAMES = 64, DRG_PLACE_CITIES = 16 };

/** Records of one side. */
struct drg_places {
	struct drg_vocab *vocab; /**< shared with the other side */
	struct drg_buf records; /**< struct drg_place_record */
	struct drg_buf forms; /**< struct drg_form */
	struct drg_buf tokens; /**< uint32_t: of forms and addresses */
	struct drg_buf houses; /**< uint64_t: hashes of house numbers */
	struct drg_buf zips; /**< letters and digits */
	struct drg_buf df,
	        address_df; /**< uint32_t by token: records that have it in a name, in the address */
	struct drg_buf states; /**< struct drg_keyed: a territory's country -> its state, sorted */
	struct drg_tally often; /**< records with this drg_form.joined; with this core: drg_core_key(),
	                         * drg_area_key() */
};

void drg_places_init(struct drg_places *l, struct drg_vocab *vocab);
void drg_places_done(struct drg_places *l);

/** @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_places_add(struct drg_places *l, struct drg_normal *n, const struct drg_place_input *in);

/** Move the memory of the list and its vocabulary into large pages. Call it after the last record: from then
 * on they are read in random order. */
void drg_places_gather(const struct drg_places *l);

static inline uint32_t drg_places_size(const struct drg_places *l)
{
	return (uint32_t)(l->records.n / sizeof(struct drg_place_record));
}

static inline const struct drg_place_record *drg_place(const struct drg_places *l, uint32_t i)
{
	return &((const struct drg_place_record *)(const void *)l->records.p)[i];
}

static inline const struct drg_form *drg_place_form(const struct drg_places *l,
                                                    const struct drg_place_record *r, unsigned i)
{
	return &((const struct drg_form *)(const void *)l->forms.p)[r->forms + i];
}

/** @return Never NULL: a list in which no name has a letter has no tokens, and its forms have 0 of them. */
static inline const uint32_t *drg_place_tokens(const struct drg_places *l, uint32_t at)
{
	static const uint32_t none;
	const uint32_t *all = (const void *)l->tokens.p;
	return all != NULL ? &all[at] : &none;
}

/** The number of records that have token @p t in a name; 0 for a token that was added later. */
static inline uint32_t drg_places_df(const struct drg_buf *df, uint32_t t)
{
	return t < df->n / sizeof(uint32_t) ? ((const uint32_t *)(const void *)df->p)[t] : 0;
}

/** The state that a territory belongs to; DRG_PLACE_UNKNOWN: it is not a territory. */
int64_t drg_places_state(const struct drg_places *l, int64_t country);

/** The key by which drg_places.often counts a name or core within a country or city. @param area  Dict id. */
static inline uint64_t drg_area_key(uint64_t name_or_core, enum drg_area sort, int64_t area)
{
	uint64_t where = ((uint64_t)area * 4 + (uint64_t)sort) * UINT64_C(0xff51afd7ed558ccd);
	return (name_or_core ^ where) * UINT64_C(0x9e3779b97f4a7c15) | 1;
}

/** The key by which drg_places.often counts cores. */
static inline uint64_t drg_core_key(uint64_t core)
{
	return core ^ UINT64_C(0x5bd1e9955bd1e995);
}
