/* src/matching/learn/learn.h
 * Learns from what people have decided (decision M38): computes a scorecard with other bits and bounds, and
 * judges it by cross-validation. It does not take the scorecard into use. */
#pragma once
#include "match/card/fit.h"
#include "match/hotels.h"
#include "store/store.h"

enum {
	DRG_LEARN_LEAST = 20, /**< with fewer answers of people nothing is learnt */
	/** from this number on each level learns by itself; with fewer only the bias and one factor */
	DRG_LEARN_LEVELS = 200,
};

/** The results of a scorecard for records that people have decided about. */
struct drg_learnt_outcomes {
	/** automatic mappings to the record that people named; to any other one, or to one that people said
	 * it is not */
	uint64_t right, wrong;
	uint64_t asked, none;
};

struct drg_learning {
	struct drg_scorecard card; /**< at first: the one in use */
	bool imported; /**< matching/learn/taught.h */
	void (*progress)(void *ctx, const char *step, uint64_t done, uint64_t total); /**< may be NULL */
	void *ctx;

	/* The result. */
	uint64_t records; /**< records whose dict record is known from people */
	uint64_t apart; /**< pairs that people said are not the same */
	/** records whose dict record was not among their candidates, so they teach nothing */
	uint64_t missed;
	uint64_t pairs, same; /**< compared pairs, and the right ones */
	uint64_t judged; /**< records on which both were tested */
	struct drg_fit_judgement judgement;
	enum drg_fit_what what;
	struct drg_learnt_outcomes before, after; /**< for all that people have decided */
	struct drg_scorecard learnt;
	uint64_t seen[DRG_CMP_COUNT]
	             [DRG_SCORECARD_LEVELS]; /**< pairs with that level, among those learnt from */
	/** there is a gain (its interval is above 0), not more are wrong, and not fewer are right unless fewer
	 * are wrong */
	bool better;
};

/**
 * Learn.
 * @return DRG_OK; DRG_EINVAL: too few decisions; the message says how many there are and how many are needed;
 *         DRG_ENOMEM; errors of the store.
 */
DRG_MUSTCHECK
int drg_learn(struct drg_store *s, struct drg_learning *l, struct drg_err *reterr);
