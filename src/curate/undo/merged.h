/* src/curate/undo/merged.h
 * Merges and splits of a batch of decisions. The batch has of each the one record by which it is known: of a merge the record that went,
 * of a split the redirect. What refers to them is moved by a split, or by a merge again (decisions M20, M42). */
#pragma once
#include "store/store.h"

struct drg_merged {
	int64_t seq; /**< the commit of the batch */
	enum drg_kind kind;
	int64_t id; /**< what was merged away, or came back */
	bool split;
	int64_t into; /**< of a split: where it was */
};

/** Those of a batch, in its order; of a merge it may be another decision about the record that lives. @param ret  struct drg_merged each; was initialised. */
DRG_MUSTCHECK
int drg_merged_read(struct drg_store *s, int64_t batch, struct drg_buf *ret, struct drg_err *reterr);
