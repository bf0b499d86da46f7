#include "base/hashtab.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/pages.h"

enum { FIRST_SLOTS = 16, PAGES_FROM = 1 << 16 }; /* bytes */

static uint64_t *slots_new(size_t n)
{
	size_t bytes = n * sizeof(uint64_t);
	return bytes < PAGES_FROM ? calloc(1, bytes) : drg_pages_new(bytes, true);
}

static void slots_free(uint64_t *slots, size_t n)
{
	size_t bytes = n * sizeof *slots;
	if (bytes < PAGES_FROM)
		free(slots);
	else
		drg_pages_free(slots, bytes);
}

void drg_hashtab_done(struct drg_hashtab *t)
{
	slots_free(t->slots, t->n_slots);
	*t = (struct drg_hashtab){ .n = 0 };
}

void drg_hashtab_clear(struct drg_hashtab *t)
{
	if (t->n > 0)
		memset(t->slots, 0, t->n_slots * sizeof *t->slots);
	t->n = 0;
}

static bool hashtab_grow(struct drg_hashtab *t, size_t n_slots)
{
	assert((n_slots & (n_slots - 1)) == 0 && 2 * t->n <= n_slots); /* a free slot ends each search */
	uint64_t *slots = slots_new(n_slots);
	if (slots == NULL)
		return false;
	for (size_t i = 0; i < t->n_slots; i++) {
		size_t at = (t->slots[i] >> 32) & (n_slots - 1);
		while (t->slots[i] != 0 && slots[at] != 0)
			at = (at + 1) & (n_slots - 1);
		if (t->slots[i] != 0)
			slots[at] = t->slots[i];
	}
	slots_free(t->slots, t->n_slots);
	t->slots = slots;
	t->n_slots = n_slots;
	return true;
}

bool drg_hashtab_reserve(struct drg_hashtab *t, size_t more)
{
	size_t n_slots = t->n_slots > 0 ? t->n_slots : FIRST_SLOTS;
	while (n_slots < 2 * (t->n + more))
		n_slots *= 2;
	return n_slots == t->n_slots || hashtab_grow(t, n_slots);
}
