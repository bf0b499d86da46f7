/* src/match/postings.h
 * Lists of records by key, made once: count all, put all, then look up from any thread. A list may contain
 * records of other keys. */
#pragma once
#include "base/err.h"
#include "base/str.h"

struct drg_postings {
	uint32_t *start; /**< of each list in `items`; one more than there are lists */
	uint32_t *items;
	size_t n_items; /**< how many items there is room for */
	unsigned bits; /**< there are 2 to the power of `bits` lists */
};

/** @param expected  How many items about. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_postings_init(struct drg_postings *p, size_t expected);
/** A zeroed one is fine. */
void drg_postings_done(struct drg_postings *p);

/** First call this once for every item. @param key  A hash. */
void drg_postings_count(struct drg_postings *p, uint64_t key);
/** Then call this. @return DRG_OK; DRG_ENOMEM; DRG_ELIMIT: more than 4,294,967,295 items. */
DRG_MUSTCHECK
int drg_postings_allocate(struct drg_postings *p);
/** Then call this once for every item. */
void drg_postings_put(struct drg_postings *p, uint64_t key, uint32_t item);

/** @return the first of @p ret_n items. */
const uint32_t *drg_postings_find(const struct drg_postings *p, uint64_t key, uint32_t *ret_n);
