/* src/curate/reference/merge.h
 * One dict record merged into another, and split off again (decisions M18 to M21).
 *
 * A merge moves everything that refers to FROM over to INTO, removes FROM and leaves a redirect in its place, which
 * holds what a split needs to undo all that. */
#pragma once
#include "curate/decision.h"

struct drg_merge {
	enum drg_kind kind;
	int64_t from;
	int64_t into; /**< of a split: not used */
	struct drg_str by, why; /**< empty: not said */

	struct drg_merge_sums sums; /**< the result */
};

/**
 * A decision (struct drg_merge). Keeps imports out until the transaction ends.
 * @return DRG_OK; DRG_ENOENT: no such dict record; DRG_EINVAL: they are the same, INTO was merged into FROM, or by or why
 *         is no text that can be kept; DRG_ELIMIT: more refers to FROM than a redirect can remember; DRG_EBUSY: an
 *         import is running; errors of the store.
 */
DRG_MUSTCHECK
int drg_dict_merge(void *merge, struct drg_txn *t, struct drg_err *reterr);

/**
 * Likewise: FROM comes back with its fields. What the merge moved goes back, unless it was changed since: a source by a
 * decision, anything else by now having another value.
 * @return also DRG_EINVAL: the redirect came without its undo; what FROM refers to is gone; a value that must be unique
 *         is another's now.
 */
DRG_MUSTCHECK
int drg_dict_split(void *merge, struct drg_txn *t, struct drg_err *reterr);
