/* src/match/hotels_priv.h
 * What the files of the matching of hotels share. */
#pragma once
#include "match/hotels.h"

#define OFF_AT_MOST 20000.0 /**< coordinates are often kilometres off: up to so many an address counts more */
#define SISTERS_APART 1200.0 /**< sister houses are neighbours: farther away it is no matter of words */

static inline void drg_hotel_settle(struct drg_hotel_match *x, enum drg_outcome_of_match outcome,
                                    enum drg_match_reason reason)
{
	x->outcome = (uint8_t)outcome;
	x->reason = (uint8_t)reason;
}

/** Two records of one supplier cannot both be one hotel: both are asked. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_hotels_settle_claims(const struct drg_hotel_matching *m, struct drg_hotel_match *all);
/** Where names and places of most disagree, nothing is automatic. */
void drg_hotels_settle_list(const struct drg_hotel_matching *m, struct drg_hotel_match *all);
