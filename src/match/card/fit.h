/* src/match/card/fit.h
 * Bits from pairs that people have judged: logistic regression on the change of a scorecard's bits, with a ridge that holds them where
 * they were. Knows pairs, not where they come from. */
#pragma once
#include <stddef.h>
#include "match/card/scorecard.h"

/** A pair that was compared, and judged. */
struct drg_fit_pair {
	uint8_t level[DRG_CMP_COUNT];
	bool same;
};

/** What may change. */
enum drg_fit_what {
	DRG_FIT_SCALE, /**< all bits by one factor, and the bias: for few pairs */
	DRG_FIT_LEVELS /**< each level by itself; "nothing to compare" stays at 0 */
};

/**
 * The scorecard that the pairs speak for. Its bounds are those of @p from; bits are rounded to hundredths.
 * @return DRG_OK, DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_fit(const struct drg_scorecard *from, const struct drg_fit_pair *v, size_t n, enum drg_fit_what what,
            struct drg_scorecard *ret);

/** How badly a scorecard foretells them: bits of surprise for each pair, 0 at best. @param n  0: 0. */
double drg_fit_loss(const struct drg_scorecard *card, const struct drg_fit_pair *v, size_t n);
