/* src/match/likely.h
 * How likely a suggestion is right: the one place where bits become the probability that people see, filter
 * and sort by. */
#pragma once
#include "match/outcome.h"
#include "model/model.h"

/**
 * The odds in bits that the first of several suggestions for a record is right, without the prior. At most
 * one is right, so each lowers the odds of the others.
 * @param bits  Of each suggestion, the best first; 0 if the matcher compared no further.
 * @param n     Their number, above 0.
 */
double drg_match_odds(enum drg_kind kind, enum drg_match_reason reason, const double *bits, unsigned n);

/**
 * The bits, 0 to 4, that the rest of a supplier's list adds to the odds of one record: if nearly all of a
 * list is in the reference, a record with few bits mostly is too.
 * @param sure, records  How many of the supplier's records are mapped or certain, and all of that kind.
 */
double drg_match_prior(int64_t sure, int64_t records);

/** The probability that a suggestion with these odds is right; 0: not known, as of all kinds but hotels. The
 * prior counts for those that have too few bits, or lack a place, a city or a country. */
double drg_match_probability(enum drg_kind kind, enum drg_match_reason reason, double odds, double prior);
