/* src/import/refset.h
 * A very large multiset of small entries, which are returned in order, in constant memory: what an import
 * defines, removes and refers to. Entries fill a chunk. A full chunk is sorted and written to a nameless file
 * by a thread of its own, while the next one is filled. Reading merges the chunks. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"

struct drg_refset;

/** An entry. Entries are ordered by hi, lo, tag; the caller gives them a meaning. */
struct drg_refset_entry {
	uint64_t hi, lo, tag;
};

/**
 * @param dir    Folder for the chunks; nothing is written while one chunk is enough.
 * @param chunk  Entries kept in memory, at least 1; twice as many as soon as there are more entries.
 */
DRG_MUSTCHECK
int drg_refset_new(const char *dir, size_t chunk, struct drg_refset **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_refset_free(struct drg_refset *s);

DRG_MUSTCHECK
int drg_refset_add(struct drg_refset *s, const struct drg_refset_entry *e, size_t n, struct drg_err *reterr);

/** Number of entries added so far. */
uint64_t drg_refset_size(const struct drg_refset *s);

/** A result other than DRG_OK ends the reading and is returned. */
typedef int drg_refset_fn(void *ctx, const struct drg_refset_entry *e, struct drg_err *reterr);

/** Call @p fn for every entry in order, repeated ones included. Entries may be added afterwards, and all read
 * again. */
DRG_MUSTCHECK
int drg_refset_each(struct drg_refset *s, drg_refset_fn *fn, void *ctx, struct drg_err *reterr);
