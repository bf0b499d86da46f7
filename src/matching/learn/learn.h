/* src/matching/learn/learn.h
 * Learning from what people have said (decision M38): a scorecard with other bits and bounds, judged by
 * cross-validation on what they said. Nothing is taken into use here. */
#pragma once
#include "match/card/fit.h"
#include "match/hotels.h"
#include "store/store.h"

enum {
	DRG_LEARN_LEAST = 20, /**< answers of people; from fewer nothing is learnt */
	DRG_LEARN_LEVELS =
	        200, /**< from so many on each level learns by itself; with fewer the bias and one factor */
};

/** What a scorecard says of records that people have decided about. */
struct drg_learnt_outcomes {
	uint64_t right,
	        wrong; /**< automatic, and to what people say; to anything else, or to what it is not */
	uint64_t asked, none;
};

struct drg_learning {
	struct drg_scorecard card; /**< to begin with: the one in use */
	bool imported; /**< matching/learn/taught.h */
	void (*progress)(void *ctx, const char *step, uint64_t done, uint64_t total); /**< may be NULL */
	void *ctx;

	/* The result. */
	uint64_t records; /**< of which people have said what they are */
	uint64_t apart; /**< pairs of which they have said that they are not the same */
	/** of the records: what they are was not among their candidates, so they teach nothing */
	uint64_t missed;
	uint64_t pairs, same; /**< compared, and of these the same */
	uint64_t judged; /**< records that both were tried on */
	struct drg_fit_judgement judgement;
	enum drg_fit_what what;
	struct drg_learnt_outcomes before, after; /**< of all that people have decided */
	struct drg_scorecard learnt;
	uint64_t seen[DRG_CMP_COUNT]
	             [DRG_SCORECARD_LEVELS]; /**< pairs with that level, of those that were learnt from */
	/** a gain shows (the interval is above 0), no more is wrong, and not less is right unless less is
	 * wrong */
	bool better;
};

/**
 * @return DRG_OK; DRG_EINVAL: too few decisions, the message says how many there are and how many it takes;
 *         DRG_ENOMEM; errors of the store.
 */
DRG_MUSTCHECK
int drg_learn(struct drg_store *s, struct drg_learning *l, struct drg_err *reterr);
