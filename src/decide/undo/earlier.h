/* src/decide/undo/earlier.h
 * Finds the batch that an undoing undid; undoings of a batch that were interrupted (the next undoing completes
 * them: their changes count as its own); and undoings of later batches. */
#pragma once
#include "store/store.h"

enum { DRG_UNDO_FILES = 48 };
/** Write the member `files` of the batch of an undoing, by which it is found. @return @p room, of
 * DRG_UNDO_FILES bytes. */
const char *drg_undo_files(int64_t batch, char *room);

/** Get the kind of @p batch; of an undoing the kind of the batch that it undid, and so on. @return DRG_OK;
 * errors of the store. */
DRG_MUSTCHECK
int drg_undo_first(struct drg_store *s, const struct drg_record *batch, enum drg_batch_what *ret,
                   struct drg_err *reterr);

/** Append the commits of interrupted undoings of @p batch: int64_t, ascending. @param ret  Was initialised. */
DRG_MUSTCHECK
int drg_undo_earlier(struct drg_store *s, int64_t batch, struct drg_buf *ret, struct drg_err *reterr);

/** Append the commits of undoings of batches after @p batch, which may have brought records back: int64_t,
 * ascending. @param ret  Was initialised. */
DRG_MUSTCHECK
int drg_undo_returns(struct drg_store *s, int64_t batch, struct drg_buf *ret, struct drg_err *reterr);
