/* src/decide/batch.h
 * Undoes a batch (decide/ledger.h; decision M28): records that it created are removed, records that it changed
 * or removed are restored. What was changed since then stays: the mapping, the other fields, or both. */
#pragma once
#include <stdatomic.h>

#include "store/store.h"

struct drg_batch_undo {
	int64_t batch;
	struct drg_str by, why; /**< empty: not given */
	bool spare_imports; /**< refuse to undo an import, or an undoing of one */
	/** Called for each record that is left unchanged, with the reason. May be NULL. */
	void (*left)(void *ctx, const struct drg_record *r, const char *why);
	void (*progress)(void *ctx, uint64_t done);
	size_t part; /**< how many earlier states of records are in memory at once; 0: DRG_BATCH_PART */
	const atomic_bool *leave; /**< checked for each record; true: stop. NULL: go on to the end */
	void *ctx;

	/* The result. */
	/** the batch of the undoing, which can be undone too; 0: there was nothing to undo */
	int64_t undone_by;
	uint64_t removed, restored,
	        kept; /**< numbers of records, including those of earlier undoings that were interrupted */
};

/**
 * Undo the batch in transactions short enough to let others write. An undoing that was interrupted is
 * completed by the next one. Holds the right to import.
 * @return DRG_OK; DRG_ENOENT: no such batch; DRG_EAUTH, role_not_allowed: the batch is spared; DRG_EINVAL: it
 * was undone already, or by or why cannot be stored; DRG_EBUSY: an import runs; DRG_ESTOPPED: `leave` became
 * true, and what is stored stays; errors of the store.
 */
DRG_MUSTCHECK
int drg_batch_undo(struct drg_store *s, struct drg_batch_undo *u, struct drg_err *reterr);

/** Call fn for every item of a batch, in order: at_seq, and `was` if there is one. Borrowed. */
DRG_MUSTCHECK
int drg_batch_items(struct drg_store *s, int64_t batch, drg_row_fn *fn, void *ctx, struct drg_err *reterr);
