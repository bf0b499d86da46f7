/* src/import/window.h
 * A part of the spool at a time, in the order in which the store writes it fastest: by type and identity.
 * Suppliers whose ids come in random order would else touch a page of an index with each row; within a window
 * the rows of a page come together. Records of one identity keep the order of the files, so the last one
 * still decides. */
#pragma once
#include "import/spool.h"

/** Bytes of frames in one window: some 150,000 records. */
enum { DRG_WINDOW_BYTES = 32 << 20 };

struct drg_window;

DRG_MUSTCHECK
int drg_window_new(struct drg_window **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_window_free(struct drg_window *w);

/**
 * Fill it anew.
 * @param block  In: the block to begin with. Out: the one behind the window.
 * @param bytes  Blocks are taken until there are so many bytes.
 * @return DRG_OK; DRG_ENOENT: no block is left, the window is empty; DRG_EIO, DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_window_fill(struct drg_window *w, struct drg_spool *s, size_t *block, size_t bytes,
                    struct drg_err *reterr);

/** Put its records in order. */
void drg_window_sort(struct drg_window *w);

/** Every rejected row in the order of the files, then every other record in the order of identities. `at` is
 * not set. */
DRG_MUSTCHECK
int drg_window_each(const struct drg_window *w, drg_spool_fn *fn, void *ctx, struct drg_err *reterr);
