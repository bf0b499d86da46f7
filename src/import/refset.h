/* src/import/refset.h
 * A very large multiset of small entries, given back in order: what an import defines, removes and refers to,
 * in constant memory. Entries fill a chunk; a full chunk is sorted and goes to a nameless file, by a thread
 * of its own while the next one is filled; reading merges. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"

struct drg_refset;

/** Ordered by hi, lo, tag. What they mean is the caller's business. */
struct drg_refset_entry {
	uint64_t hi, lo, tag;
};

/**
 * @param dir    Where the chunks go; nothing is written while one chunk is enough.
 * @param chunk  Entries kept in memory, at least 1; twice as many once they are more.
 */
DRG_MUSTCHECK
int drg_refset_new(const char *dir, size_t chunk, struct drg_refset **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_refset_free(struct drg_refset *s);

DRG_MUSTCHECK
int drg_refset_add(struct drg_refset *s, const struct drg_refset_entry *e, size_t n, struct drg_err *reterr);

/** Entries added so far. */
uint64_t drg_refset_size(const struct drg_refset *s);

/** A return other than DRG_OK ends the reading and is handed through. */
typedef int drg_refset_fn(void *ctx, const struct drg_refset_entry *e, struct drg_err *reterr);

/** Every entry in order, repeats included. Entries may be added afterwards, and everything read again. */
DRG_MUSTCHECK
int drg_refset_each(struct drg_refset *s, drg_refset_fn *fn, void *ctx, struct drg_err *reterr);
