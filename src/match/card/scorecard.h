/* src/match/card/scorecard.h
 * The scorecard: the bits of each level of each comparison. The sum of bits makes the decision. A person can
 * read and change a scorecard.
 *
 * As a text: each line is a word and numbers, "#" begins a comment. `version`, then `bias`, the comparisons
 * with the bits of each level, `metres` (the bounds of the distances), and `automatic`, `ask`, `lead` and
 * `clear`, in bits. */
#pragma once
#include "base/buf.h"
#include "match/compare.h"

enum { DRG_SCORECARD_VERSION = 1, DRG_SCORECARD_LEVELS = 16 };

struct drg_scorecard {
	double bias;
	double bits[DRG_CMP_COUNT][DRG_SCORECARD_LEVELS];
	unsigned levels[DRG_CMP_COUNT]; /**< 0: the comparison is not made */
	double metres[DRG_SCORECARD_LEVELS];
	unsigned n_metres; /**< one less than the levels of the distance */
	double automatic; /**< bits needed for the outcome automatic */
	double ask;
	double lead; /**< needed lead over the second best */
	double clear[2]; /**< a lead that counts as evidence, and its bits */
};

extern const struct drg_scorecard drg_scorecard_hotels, drg_scorecard_places;

/** Wire name of a comparison: "name". */
const char *drg_comparison_name(enum drg_comparison c);

/**
 * Read a scorecard.
 * @param ret     Written on success only.
 * @param reterr  Names the line.
 * @return DRG_OK; DRG_EINVAL: a line is none of these, or a comparison has not as many levels as in @p like;
 *         DRG_ELIMIT: another version.
 */
DRG_MUSTCHECK
int drg_scorecard_read(struct drg_str text, const struct drg_scorecard *like, struct drg_scorecard *ret,
                       struct drg_err *reterr);
void drg_scorecard_write(const struct drg_scorecard *s, struct drg_buf *out);

/** The comparison of a pair. */
struct drg_score {
	double bits; /**< binary logarithm of the odds that both are one place */
	uint8_t level[DRG_CMP_COUNT];
	double metres; /**< NAN: not known */
	const struct drg_form *a, *b; /**< the forms that were compared */
};

/** The sum of bits for @p level. */
double drg_scorecard_sum(const struct drg_scorecard *s, const uint8_t *level);

/** The bits that a lead over the second best is worth; 0 at the least lead that counts. @param lead  Bits;
 * INFINITY: there is no second. */
double drg_scorecard_clear_lead(const struct drg_scorecard *s, double lead);

/** The probability for a sum of bits. */
double drg_bits_probability(double bits);
