/* src/base/lru.h
 * What is kept by key, and in the order of its last use: a hash table whose items are in a list too. Not
 * locked: its user does that. Allocates its buckets only; what the items are and how they are compared is
 * their owner's business. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"

/** Embedded in what is kept. */
struct drg_lru_item {
	uint64_t hash; /**< of its key; set before it is added */
	struct drg_lru_item *in_bucket;
	struct drg_lru_item *newer, *older; /**< by last use */
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
/** It is empty. */
void drg_lru_done(struct drg_lru *l);

/** The number of a hash's bucket, below n_buckets. */
size_t drg_lru_bucket(const struct drg_lru *l, uint64_t hash);
/** The first item of a hash, to be compared with what is looked for, and the next one of the same hash; or
 * NULL. */
struct drg_lru_item *drg_lru_first(const struct drg_lru *l, uint64_t hash);
struct drg_lru_item *drg_lru_next(const struct drg_lru_item *item);

/** Add an item as the newest. */
void drg_lru_add(struct drg_lru *l, struct drg_lru_item *item);
/** An item is the newest from now on. */
void drg_lru_use(struct drg_lru *l, struct drg_lru_item *item);
void drg_lru_remove(struct drg_lru *l, struct drg_lru_item *item);
