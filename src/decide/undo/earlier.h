/* src/decide/undo/earlier.h
 * Which batch an undoing took back, and undoings of a batch that were interrupted. The next one completes
 * them: what they have done counts as its own. */
#pragma once
#include "store/store.h"

enum { DRG_UNDO_FILES = 48 };
/** What the batch of an undoing has in `files`, by which it is found. @return @p room, of DRG_UNDO_FILES
 * bytes. */
const char *drg_undo_files(int64_t batch, char *room);

/** What @p batch is; of an undoing what that took back, of an undoing of that … likewise. @return DRG_OK;
 * errors of the store. */
DRG_MUSTCHECK
int drg_undo_first(struct drg_store *s, const struct drg_record *batch, enum drg_batch_what *ret,
                   struct drg_err *reterr);

/** Add the commits of such undoings of @p batch: int64_t, ascending. @param ret  Was initialised. */
DRG_MUSTCHECK
int drg_undo_earlier(struct drg_store *s, int64_t batch, struct drg_buf *ret, struct drg_err *reterr);
