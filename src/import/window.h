/* src/import/window.h
 * Gives the records of a part of the spool at a time, in the order in which the store writes them fastest: by
 * type and identity. If the ids of a supplier came in random order, each row would touch another page of an
 * index; within a window the rows of a page come together. Records of one identity keep the order of the
 * files, so the last one still decides. */
#pragma once
#include "import/spool.h"

/** Bytes of the frames of a window: some 150,000 records. */
enum { DRG_WINDOW_BYTES = 32 << 20 };

struct drg_window;

DRG_MUSTCHECK
int drg_window_new(struct drg_window **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_window_free(struct drg_window *w);

/**
 * Fill the window with new blocks.
 * @param block  In: the first block. Out: the block behind the window.
 * @param bytes  Blocks are read until they have so many bytes.
 * @return DRG_OK; DRG_ENOENT: no block is left, and the window is empty; DRG_EIO, DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_window_fill(struct drg_window *w, struct drg_spool *s, size_t *block, size_t bytes,
                    struct drg_err *reterr);

/** Sort the records of the window. */
void drg_window_sort(struct drg_window *w);

/** Call @p fn for every rejected row in the order of the files, then for every other record in the order of
 * identities. `at` is not set. */
DRG_MUSTCHECK
int drg_window_each(const struct drg_window *w, drg_spool_fn *fn, void *ctx, struct drg_err *reterr);
