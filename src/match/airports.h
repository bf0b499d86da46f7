/* src/match/airports.h
 * Matches a supplier's airports to those of the reference (docs/matching.md). Words that every airport has
 * count little. The matcher knows records, not where they are stored. */
#pragma once
#include "match/align.h"
#include "match/outcome.h"

enum { DRG_AIRPORT_NAMES = 32, DRG_AIRPORT_BEST = 3 };

/** The data of an airport. Texts are borrowed for the call; empty: not known. */
struct drg_airport_input {
	struct drg_str names[DRG_AIRPORT_NAMES], cities[DRG_AIRPORT_NAMES];
	unsigned n_names, n_cities;
	struct drg_str iata, icao; /**< 3 and 4 letters, any case */
	struct drg_str country; /**< ISO 3166-1 alpha-2, any case */
	double lat, lng; /**< NAN: not known */
	int64_t id, weight;
	/** of a supplier's record: it is mapped already, to the airport `id` of the reference; no other record
	 * gets that airport */
	bool taken;
};

/** The name of an airport, or the name of its city. */
struct drg_airport_name {
	uint32_t at, n; /**< `n` tokens from the place `at` in the tokens of the list */
	uint64_t joined, set; /**< hash of the letters without spaces; hash of the tokens in any order */
};

struct drg_airport {
	double lat, lng;
	int64_t id, weight;
	uint32_t names, cities; /**< places in the names of its list */
	uint16_t n_names, n_cities;
	uint64_t iata, icao; /**< hashes; 0: not known */
	uint16_t country; /**< two letters; 0: not known */
	bool taken;
};

/** The airports of one side; both sides share the vocabulary of the reference. */
struct drg_airports {
	struct drg_vocab *vocab;
	struct drg_buf items; /**< struct drg_airport */
	struct drg_buf names; /**< struct drg_airport_name */
	struct drg_buf tokens; /**< uint32_t */
};

void drg_airports_init(struct drg_airports *l, struct drg_vocab *vocab);
void drg_airports_done(struct drg_airports *l);
/** @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_airports_add(struct drg_airports *l, struct drg_normal *n, const struct drg_airport_input *in);

static inline uint32_t drg_airports_size(const struct drg_airports *l)
{
	return (uint32_t)(l->items.n / sizeof(struct drg_airport));
}

static inline const struct drg_airport *drg_airport_of(const struct drg_airports *l, uint32_t i)
{
	return &((const struct drg_airport *)(const void *)l->items.p)[i];
}

/** The comparison of a pair. The points add up. */
struct drg_airport_pair {
	uint32_t i; /**< in the reference */
	float points, name, city, distance, country, size, code;
	float metres; /**< NAN: not known */
	float alike; /**< similarity of the names, 0..1 */
};

struct drg_airport_match {
	struct drg_airport_pair best[DRG_AIRPORT_BEST]; /**< the best first */
	uint8_t n_best;
	uint8_t outcome; /**< enum drg_match_outcome */
	uint8_t reason; /**< enum drg_match_reason */
	uint16_t candidates; /**< how many were compared */
	bool located; /**< both have coordinates */
};

/**
 * Match a supplier's records one to one. Records that are `taken` get no result in @p ret.
 * @param src  Of one supplier.
 * @param ret  One for each record of @p src, zeroed.
 * @return DRG_OK, DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_airports_match(const struct drg_airports *reference, const struct drg_airports *src,
                       struct drg_airport_match *ret);

/** "automatic, 8.4 points: name +6.0, 1.4 km -1.5, same country +1.5, ...". The points add up. */
void drg_airport_explain(const struct drg_airport_match *x, struct drg_buf *out);
