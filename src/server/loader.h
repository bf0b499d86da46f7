/* src/server/loader.h
 * A scan whose rows a thread of its own reads and decodes while the caller's thread uses them. So loading a
 * catalog takes as long as the slower of the two, not as both. */
#pragma once
#include "store/store.h"

/**
 * Scan, as drg_rows_scan() does, and call fn for each row on the caller's thread; rows of one type come in the
 * order of the store. The reading thread owns the handle until this returns: fn must not use it.
 * @param ret_clock  The clock of the snapshot.
 */
DRG_MUSTCHECK
int drg_load_rows(struct drg_store *s, const struct drg_filter *f, drg_row_fn *fn, void *ctx,
                  struct drg_clock *ret_clock, struct drg_err *reterr);
