/* src/catalog/small_priv.h
 * A small table: an immutable sorted array that readers see, and the changes that the next publication
 * merges into a new one. Rows are plain data; what they point to lies in the heap. */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include "base/buf.h"
#include "base/err.h"
#include "catalog/retire_priv.h"

struct drg_sorted_rows {
	size_t n;
	_Alignas(16) char row[];
};

struct drg_small {
	size_t size; /**< bytes of a row, a multiple of 8 */
	int (*compare)(const void *a, const void *b); /**< by key */
	_Atomic(struct drg_sorted_rows *) rows;
	struct drg_buf changes;
};

void drg_small_init(struct drg_small *s, size_t size, int (*compare)(const void *a, const void *b));
void drg_small_done(struct drg_small *s);

/** Replace or add a row, or remove the row with its key, at the next publication. @return DRG_OK,
 * DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_small_change(struct drg_small *s, const void *row, bool remove, struct drg_err *reterr);

/** Merge rows and changes into new rows, for drg_small_publish() or free(); NULL if there are no changes. */
DRG_MUSTCHECK
int drg_small_merge(const struct drg_small *s, struct drg_sorted_rows **ret, struct drg_err *reterr);
/** Publish @p rows and forget the changes; NULL does nothing. */
void drg_small_publish(struct drg_small *s, struct drg_sorted_rows *rows, struct drg_retire *retire);

/** The published rows. */
size_t drg_small_rows(const struct drg_small *s, const void **ret);
/** The published row with the key of @p key; NULL: none. */
const void *drg_small_find(const struct drg_small *s, const void *key);
