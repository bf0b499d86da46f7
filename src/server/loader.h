/* src/server/loader.h
 * A scan whose rows are read and decoded by a thread of their own, while the caller's puts them to use: loading a
 * catalog takes as long as the slower of the two, instead of both. */
#pragma once
#include "store/store.h"

/**
 * As drg_store_scan(): fn is called on the caller's thread, rows of one type in the order in which the store gives them.
 * The handle is the thread's until this returns: fn must not use it.
 * @param ret_clock  The clock of the snapshot.
 */
DRG_MUSTCHECK
int drg_load_rows(struct drg_store *s, const struct drg_filter *f, drg_row_fn *fn, void *ctx,
                  struct drg_clock *ret_clock, struct drg_err *reterr);
