/* src/base/lru.h
 * Items kept by key and in the order of their last use: a hash table whose items are in a list too. Not
 * locked: its user does that. Allocates its buckets only. The owner of the items decides what they are and
 * compares their keys. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"

/** Embedded in an item of the owner. */
struct drg_lru_item {
	uint64_t hash; /**< of the item's key; set it before the item is added */
	struct drg_lru_item *in_bucket;
	struct drg_lru_item *newer, *older; /**< in the order of last use */
};

struct drg_lru {
	struct drg_lru_item **buckets;
	size_t n_buckets; /**< a power of two */
	struct drg_lru_item *newest, *oldest;
	size_t n;
};

/** @param buckets  A power of two: about as many as there will be items. @return DRG_OK or DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_lru_init(struct drg_lru *l, size_t buckets, struct drg_err *reterr);
/** Free the buckets; the table is empty. */
void drg_lru_done(struct drg_lru *l);

/** The number of a hash's bucket, below n_buckets. */
size_t drg_lru_bucket(const struct drg_lru *l, uint64_t hash);
/** The first item with a hash, and the next one with the same hash; NULL: none. The caller compares the
 * keys. */
struct drg_lru_item *drg_lru_first(const struct drg_lru *l, uint64_t hash);
struct drg_lru_item *drg_lru_next(const struct drg_lru_item *item);

/** Add an item as the newest. */
void drg_lru_add(struct drg_lru *l, struct drg_lru_item *item);
/** Make an item the newest. */
void drg_lru_use(struct drg_lru *l, struct drg_lru_item *item);
void drg_lru_remove(struct drg_lru *l, struct drg_lru_item *item);
