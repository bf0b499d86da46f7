/* src/decide/batch.h
 * Taking a batch back (store/ledger.h; decision M28): what it created goes, what it changed or removed is as
 * before. What was changed since is left alone: its mapping, or its other fields, or both. */
#pragma once
#include <stdatomic.h>

#include "store/store.h"

struct drg_batch_undo {
	int64_t batch;
	struct drg_str by, why; /**< empty: not said */
	bool spare_imports; /**< refuse an import, and the undoing of one */
	/** Told of each record that is left alone, and why. May be NULL. */
	void (*left)(void *ctx, const struct drg_record *r, const char *why);
	void (*progress)(void *ctx, uint64_t done);
	size_t part; /**< how many of its records are in memory at once, as they were; 0: DRG_BATCH_PART */
	const atomic_bool *leave; /**< looked at for each record; true: stop. NULL: go on to the end */
	void *ctx;

	/* The result. */
	/** the batch that this makes, which can be taken back too; 0: nothing was to be done */
	int64_t undone_by;
	uint64_t removed, restored,
	        kept; /**< records; with what undoings of it have done that were interrupted */
};

/**
 * In transactions short enough to let others write; one that was interrupted is completed by another one.
 * Holds the right to import.
 * @return DRG_OK; DRG_ENOENT: no such batch; DRG_EAUTH, role_not_allowed: it is spared; DRG_EINVAL: it was
 *         taken back already, or by or why is no text that can be kept; DRG_EBUSY: an import runs;
 *         DRG_ESTOPPED: `leave` became true, what is stored stays; errors of the store.
 */
DRG_MUSTCHECK
int drg_batch_undo(struct drg_store *s, struct drg_batch_undo *u, struct drg_err *reterr);

/** Every item of a batch, in order: at_seq, and `was` where there is one. Borrowed. */
DRG_MUSTCHECK
int drg_batch_items(struct drg_store *s, int64_t batch, drg_row_fn *fn, void *ctx, struct drg_err *reterr);
