/* src/base/hashtab.h
 * A hash table with one owner. It keeps the numbers (indexes) of items in an array of the owner. Open
 * addressing, at most half full. A slot has 32 bits of the hash, so few items are compared without a match.
 * The hash is one that nobody can prepare keys for: drg_hash() (base/hash.h). */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Zero-initialise. */
struct drg_hashtab {
	uint64_t *slots; /**< upper half: 32 bits of the hash; lower half: the number plus one; 0: free */
	size_t n, n_slots; /**< n_slots: a power of two */
};

enum { DRG_HASHTAB_NONE = UINT32_MAX };

void drg_hashtab_done(struct drg_hashtab *t);
/** Empty the table; its memory stays. */
void drg_hashtab_clear(struct drg_hashtab *t);
/** Make room for @p more numbers. @return false: no memory. */
bool drg_hashtab_reserve(struct drg_hashtab *t, size_t more);

/** Return the next number whose hash matches, from slot @p at on; DRG_HASHTAB_NONE: none. */
static inline uint32_t drg_hashtab_from(const struct drg_hashtab *t, uint64_t hash, size_t *at)
{
	for (; t->slots[*at] != 0; *at = (*at + 1) & (t->n_slots - 1))
		if ((t->slots[*at] ^ hash) >> 32 == 0)
			return (uint32_t)t->slots[*at] - 1;
	return DRG_HASHTAB_NONE;
}

static inline uint32_t drg_hashtab_first(const struct drg_hashtab *t, uint64_t hash, size_t *at)
{
	*at = (hash >> 32) & (t->n_slots - 1);
	return t->n_slots > 0 ? drg_hashtab_from(t, hash, at) : (uint32_t)DRG_HASHTAB_NONE;
}

static inline uint32_t drg_hashtab_next(const struct drg_hashtab *t, uint64_t hash, size_t *at)
{
	*at = (*at + 1) & (t->n_slots - 1);
	return drg_hashtab_from(t, hash, at);
}

/** Set @p i to the number for which @p same, an expression of @p i, is true, or to DRG_HASHTAB_NONE; set @p
 * at to its slot. */
#define DRG_HASHTAB_FIND(i, t, hash, at, same)                                                               \
	do {                                                                                                 \
		(i) = drg_hashtab_first((t), (hash), &(at));                                                 \
		while ((i) != DRG_HASHTAB_NONE && !(same))                                                   \
			(i) = drg_hashtab_next((t), (hash), &(at));                                          \
	} while (0)

/** Insert a number at the slot where its look-up ended; drg_hashtab_reserve() comes before the look-up. */
static inline void drg_hashtab_put(struct drg_hashtab *t, uint64_t hash, size_t at, uint32_t number)
{
	t->slots[at] = (hash >> 32 << 32) | (number + 1);
	t->n++;
}

/** Insert a number that the table does not have, without a look-up; after drg_hashtab_reserve(). */
static inline void drg_hashtab_add(struct drg_hashtab *t, uint64_t hash, uint32_t number)
{
	size_t at = (hash >> 32) & (t->n_slots - 1);
	while (t->slots[at] != 0)
		at = (at + 1) & (t->n_slots - 1);
	drg_hashtab_put(t, hash, at, number);
}
