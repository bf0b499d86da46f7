/* synth/hotel.h
 * The world of a run, and hotel k of it: made from its number alone, so that nothing is kept per hotel. */
#pragma once
#include "synth/address.h"
#include "synth/base.h"
#include "synth/names.h"

/** The world that hotels are drawn from. */
struct drg_synth_world {
	uint64_t seed;
	bool hard;
	const struct drg_synth_base *base;
	/** By country of the base: its row of countries.c. */
	const struct drg_synth_country **country;
	/** By city: the alias table (Vose 1991) for a draw by weight in constant time. */
	struct {
		uint32_t threshold, other;
	} * city;
	uint64_t *country_weight; /**< by country: share of hotels, in 1 / weight_total */
	uint64_t weight_total;
	uint32_t stars[6]; /**< hotel_category of 1..5 stars, or any */
	uint32_t *type_category; /**< by name type: hotel_category; DRG_SYNTH_NONE: by stars */
	uint32_t *type_type; /**< by name type: hotel_type; DRG_SYNTH_NONE: none */
	uint32_t beach_type, city_type; /**< hotel_type of the plain hotels of resorts and cities */
};

struct drg_synth_hotel {
	uint32_t city, country; /**< indexes in the base */
	uint32_t category, type;
	unsigned stars; /**< 1..5, also where the category does not say */
	struct drg_synth_name name;
	struct drg_synth_address address;
	uint32_t zip, phone;
	bool located;
	int32_t lat, lng; /**< millionths of a degree */
	uint64_t sister; /**< it is one of the hotel before it: its number + 1; 0: it is not a sister */
	uint32_t popularity; /**< 400..1600: thousandths of the usual chance that a supplier has it */
};

/** @param b  Borrowed for the life of the world, which takes its memory from the arena of @p b. */
DRG_MUSTCHECK
int drg_synth_world_make(uint64_t seed, bool hard, struct drg_synth_base *b, struct drg_synth_world *ret,
                         struct drg_err *reterr);

/** The quick part, enough to know who has it: city, country, popularity. */
void drg_synth_hotel_begin(const struct drg_synth_world *w, uint64_t k, struct drg_rng *ret_rng,
                           struct drg_synth_hotel *ret);

/** The rest of a hotel whose city and country are set, from the stream of drg_synth_hotel_begin() or
 * another. */
void drg_synth_hotel_fill(const struct drg_synth_world *w, struct drg_rng *r, struct drg_synth_hotel *h);

/** Make it a sister house of what it is: another word for the sort of house, near by in the same street. */
void drg_synth_make_sister(struct drg_rng *r, struct drg_synth_hotel *h);

/** Move a position by metres; it stays within -90..90 and -180..180 degrees. */
void drg_synth_move(int32_t *lat, int32_t *lng, int32_t north_m, int32_t east_m);
