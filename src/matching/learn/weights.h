/* src/matching/learn/weights.h
 * The operator's scorecard (decision M37): it is in the store, so that every command and server uses the same
 * one. Scorecards are numbered and kept; the one with the highest number is in use. */
#pragma once
#include "base/arena.h"
#include "match/card/scorecard.h"
#include "store/txn_run.h"

enum { DRG_WEIGHTS_TEXT_MAX = 65536 };

/** A stored scorecard. Texts are in the arena that it was read with. */
struct drg_weights {
	int64_t id; /**< 0: none is stored; the program's own is in use */
	bool own; /**< it is the operator's, not the program's */
	struct drg_str at, by, why; /**< empty: not known */
	struct drg_str text; /**< text of the operator's scorecard */
};

/**
 * Get the scorecard in use.
 * @param arena  Owns the texts of @p ret.
 * @return DRG_OK; errors of the store.
 */
DRG_MUSTCHECK
int drg_weights_in_use(struct drg_store *s, struct drg_arena *arena, struct drg_weights *ret,
                       struct drg_err *reterr);

/**
 * Get the bits of the scorecard in use.
 * @return DRG_OK; DRG_EINVAL, DRG_ELIMIT: this program cannot read it (another version of the program wrote
 *         it): the message says which it is and how to go on; errors of the store.
 */
DRG_MUSTCHECK
int drg_weights_card(struct drg_store *s, struct drg_scorecard *ret, struct drg_err *reterr);

/** Called for every scorecard, ascending. Borrowed for the call. */
typedef int drg_weights_fn(void *ctx, const struct drg_weights *w);
DRG_MUSTCHECK
int drg_weights_each(struct drg_store *s, drg_weights_fn *fn, void *ctx, struct drg_err *reterr);

/** Takes a scorecard into use. */
struct drg_weights_set {
	struct drg_str text; /**< as drg_scorecard_write() writes it; empty: the program's own */
	int64_t again; /**< instead of `text`: the number of a stored one; 0: none */
	struct drg_str by, why; /**< empty: not said */

	/* The result. */
	int64_t id;
	bool changed; /**< false: it was in use already */
};
/**
 * Take a scorecard into use. A drg_txn_fn; @p set is a struct drg_weights_set.
 * @return DRG_OK; DRG_EINVAL, DRG_ELIMIT: the text is not a scorecard that this program can use: the message
 * names the line; DRG_ENOENT: no stored scorecard has this number; DRG_EINVAL: by or why cannot be stored;
 * errors of the store.
 */
DRG_MUSTCHECK
int drg_weights_activate(void *set, struct drg_txn *t, struct drg_err *reterr);
