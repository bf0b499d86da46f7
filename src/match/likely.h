/* src/match/likely.h
 * How likely a suggestion is right: the one place where bits become the probability that people see, filter
 * and sort by. */
#pragma once
#include "match/outcome.h"
#include "model/model.h"

/**
 * The probability that the first of several suggestions for a record is right. At most one is right, so each
 * lowers the probability of the others.
 * @param bits  Of each suggestion, the best first; 0 if the matcher compared no further.
 * @param n     Their number; 0: the result is 0.
 */
double drg_match_probability(enum drg_kind kind, enum drg_match_reason reason, const double *bits,
                             unsigned n);
