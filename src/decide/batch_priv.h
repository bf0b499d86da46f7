/* src/decide/batch_priv.h
 * A batch that is being undone: shared by batch.c and batch_merges.c. */
#pragma once
#include "decide/batch.h"
#include "decide/ledger.h"
#include "decide/undo/batch_items.h"
#include "decide/undo/created.h"

struct drg_undoing {
	struct drg_batch_undo *u;
	struct drg_store *s;
	struct drg_txn *txn;
	const struct drg_record *batch; /* borrowed */
	/* what is undone: the kind of the batch; for an undoing (of an undoing …) the kind of the batch that
	 * it goes back to */
	enum drg_batch_what first;
	struct drg_ledger ledger;
	struct drg_batch_items items;
	struct drg_buf own; /* int64_t, ascending: commits of the undoing */
	struct drg_buf earlier; /* commits of earlier undoings that were interrupted, likewise */
	struct drg_buf returned; /* commits of undoings of later batches, likewise */
	struct drg_created created;
	struct drg_arena arena, one;
	struct drg_err *err;
};

/** The present state of a record. */
struct drg_undo_current {
	struct drg_arena *arena;
	bool alive;
	struct drg_record r;
	struct drg_row_meta m;
};

/** Load the present state of a record. @param ret_removed  If it is not alive: since when; 0: it never
 * existed. */
DRG_MUSTCHECK
int drg_undo_find(struct drg_undoing *x, const struct drg_record *r, struct drg_undo_current *ret,
                  int64_t *ret_removed, struct drg_err *reterr);
/** Is @p seq a commit of the batch, or of its undoing? */
bool drg_undo_is_ours(const struct drg_undoing *x, int64_t seq);
/** Leave a record unchanged. @param why  A static text. */
void drg_undo_skip(struct drg_undoing *x, const struct drg_record *r, const char *why);

/** Begin a transaction, unless there is one. */
DRG_MUSTCHECK
int drg_undo_begin(struct drg_undoing *x, struct drg_err *reterr);
/** Commit the transaction, if it is due, or always. */
DRG_MUSTCHECK
int drg_undo_commit(struct drg_undoing *x, bool always, struct drg_err *reterr);

/** Undo the merges and splits of a batch of decisions. */
DRG_MUSTCHECK
int drg_undo_merges(struct drg_undoing *x, struct drg_err *reterr);

/* ---- batch_restore.c ---- */

/** Copy the live record with the identity of @p key into the arena of @p ret. @return DRG_OK, DRG_ENOENT ... */
DRG_MUSTCHECK
int drg_undo_load(struct drg_store *s, const struct drg_record *key, struct drg_undo_current *ret,
                  struct drg_err *reterr);
DRG_MUSTCHECK
int drg_undo_restore_all(struct drg_undoing *x, struct drg_err *reterr);
DRG_MUSTCHECK
int drg_undo_check_leave(const struct drg_undoing *x, struct drg_err *reterr);
bool drg_undo_is_among(const struct drg_buf *seqs, int64_t seq);
/** Did an earlier undoing that was interrupted write the record last? */
bool drg_undo_was_earlier(const struct drg_undoing *x, const struct drg_row_meta *m);
DRG_MUSTCHECK
int drg_undo_add_created(struct drg_undoing *x, const struct drg_record *r);
