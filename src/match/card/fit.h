/* src/match/card/fit.h
 * Learns bits from pairs that people have judged: logistic regression on the change of a scorecard's bits,
 * with a ridge that holds them near their old values. It knows pairs, not where they come from. */
#pragma once
#include <stddef.h>
#include "match/card/scorecard.h"

/** A pair that was compared and judged. */
struct drg_fit_pair {
	uint8_t level[DRG_CMP_COUNT];
	bool same;
	uint64_t record; /**< the record that the pair belongs to */
};

/** The parameters that may change. */
enum drg_fit_what {
	DRG_FIT_SCALE, /**< all bits by one factor, and the bias: for few pairs */
	DRG_FIT_LEVELS /**< each level by itself; "nothing to compare" stays at 0 */
};

/**
 * Compute the scorecard that fits the pairs; bits are rounded to hundredths. With DRG_FIT_SCALE the bounds
 * are scaled by the same factor, so that it decides like @p from; with DRG_FIT_LEVELS the bounds are those of
 * @p from.
 * @return DRG_OK, DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_fit(const struct drg_scorecard *from, const struct drg_fit_pair *v, size_t n, enum drg_fit_what what,
            struct drg_scorecard *ret);

/** How much learning from pairs helps: each is predicted with weights that were learnt without its record
 * (five-fold). */
struct drg_fit_judgement {
	double before, after; /**< bits of surprise for each record */
	double gain, from, to; /**< bits gained for each record, and the interval (95 %) */
	/** the bound that as many pairs reach as before, and not more wrong ones */
	double automatic;
};
/** @param v  Of at least two records. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_fit_judge(const struct drg_scorecard *from, const struct drg_fit_pair *v, size_t n,
                  enum drg_fit_what what, struct drg_fit_judgement *ret);
