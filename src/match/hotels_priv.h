/* src/match/hotels_priv.h
 * Shared by the files that match hotels. */
#pragma once
#include "match/hotels.h"

#define OFF_AT_MOST 20000.0 /**< metres: so far coordinates are often off */
#define SISTERS_APART 1200.0 /**< metres: sister houses are neighbours */

static inline void drg_hotel_set_outcome(struct drg_hotel_match *x, enum drg_match_outcome outcome,
                                         enum drg_match_reason reason)
{
	x->outcome = (uint8_t)outcome;
	x->reason = (uint8_t)reason;
}

/** Two records of one supplier cannot both be one hotel: both get the outcome ask, unless they are one house by
 * every sign. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_hotels_resolve_claims(const struct drg_hotel_matching *m, const double *rarity,
                              const double *address_rarity, struct drg_hotel_match *all);
/** If names and places of most records disagree, none is automatic. */
void drg_hotels_check_list(const struct drg_hotel_matching *m, struct drg_hotel_match *all);

/* ---- hotels_pair.c ---- */

#define METRES_AS_TOLD 499.0 /* a name or a street counts like 500 m */

/* The data of a thread. */
struct drg_hotel_worker {
	const struct drg_hotel_matching *m;
	struct drg_candidates candidates;
	struct drg_comparing comparing;
	const struct drg_place_record *a, *b; /* the records that are compared */
};

bool drg_hotel_same_city(const struct drg_place_record *a, const struct drg_place_record *b);
void drg_hotel_score(struct drg_hotel_worker *w, const struct drg_place_record *a, uint32_t i,
                     struct drg_hotel_pair *ret);
/** Are the countries different? A territory counts as its state: Hong Kong and China. */
bool drg_hotel_is_abroad(const struct drg_hotel_worker *w, const struct drg_place_record *a,
                         const struct drg_place_record *b);
enum drg_match_reason drg_hotel_veto(struct drg_hotel_worker *w, const struct drg_place_record *a,
                                     const struct drg_hotel_pair *p);
