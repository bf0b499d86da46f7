/* src/match/card/fit.h
 * Bits from pairs that people have judged: logistic regression on the change of a scorecard's bits, with a
 * ridge that holds them where they were. Knows pairs, not where they come from. */
#pragma once
#include <stddef.h>
#include "match/card/scorecard.h"

/** A pair that was compared, and judged. */
struct drg_fit_pair {
	uint8_t level[DRG_CMP_COUNT];
	bool same;
	uint64_t record; /**< whose pair it is */
};

/** What may change. */
enum drg_fit_what {
	DRG_FIT_SCALE, /**< all bits by one factor, and the bias: for few pairs */
	DRG_FIT_LEVELS /**< each level by itself; "nothing to compare" stays at 0 */
};

/**
 * The scorecard that the pairs speak for; bits are rounded to hundredths. With DRG_FIT_SCALE its bounds go by
 * the same factor, so that it decides as @p from does; with DRG_FIT_LEVELS they are those of @p from.
 * @return DRG_OK, DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_fit(const struct drg_scorecard *from, const struct drg_fit_pair *v, size_t n, enum drg_fit_what what,
            struct drg_scorecard *ret);

/** What pairs say of learning from them: each is foretold by weights that were learnt without its record
 * (five-fold). */
struct drg_fit_judgement {
	double before, after; /**< bits of surprise for each record */
	double gain, from, to; /**< what is gained of these for each record, and between what bounds (95 %) */
	/** the bound above which as many pairs are as before, and not more that are not the same */
	double automatic;
};
/** @param v  Of at least two records. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_fit_judge(const struct drg_scorecard *from, const struct drg_fit_pair *v, size_t n,
                  enum drg_fit_what what, struct drg_fit_judgement *ret);
