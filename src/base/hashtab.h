/* src/base/hashtab.h
 * A hash table of one owner: the numbers of what somebody keeps in an array of their own. Open addressing, at
 * most half full; a slot has 32 bits of the hash, so that hardly anything is compared in vain. Where clients
 * choose what is hashed, the hash is seeded. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Zero-initialise. */
struct drg_hashtab {
	uint64_t *slots; /**< 32 bits of the hash, and the number and one more; 0: free */
	size_t n, n_slots; /**< n_slots: a power of two */
};

enum { DRG_HASHTAB_NONE = UINT32_MAX };

void drg_hashtab_done(struct drg_hashtab *t);
/** Empty it; its memory stays. */
void drg_hashtab_clear(struct drg_hashtab *t);
/** Room for @p more numbers. @return false: no memory. */
bool drg_hashtab_reserve(struct drg_hashtab *t, size_t more);

/** Of those that may be it the next from @p at on. */
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

/** Set @p i to the number for which @p same, an expression of @p i, is true, or to DRG_HASHTAB_NONE; @p at to
 * its place. */
#define DRG_HASHTAB_FIND(i, t, hash, at, same)                                                               \
	do {                                                                                                 \
		(i) = drg_hashtab_first((t), (hash), &(at));                                                 \
		while ((i) != DRG_HASHTAB_NONE && !(same))                                                   \
			(i) = drg_hashtab_next((t), (hash), &(at));                                          \
	} while (0)

/** Put what was not found where it was looked for; drg_hashtab_reserve() came before that. */
static inline void drg_hashtab_put(struct drg_hashtab *t, uint64_t hash, size_t at, uint32_t number)
{
	t->slots[at] = (hash >> 32 << 32) | (number + 1);
	t->n++;
}

/** Put what is not there. Likewise. */
static inline void drg_hashtab_add(struct drg_hashtab *t, uint64_t hash, uint32_t number)
{
	size_t at = (hash >> 32) & (t->n_slots - 1);
	while (t->slots[at] != 0)
		at = (at + 1) & (t->n_slots - 1);
	drg_hashtab_put(t, hash, at, number);
}
