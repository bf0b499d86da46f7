#include "match/tally.h"

#include <assert.h>
#include "base/hash.h"
#include "base/pages.h"

void drg_tally_init(struct drg_tally *t)
{
	*t = (struct drg_tally){ .slots = NULL };
}

void drg_tally_done(struct drg_tally *t)
{
	drg_pages_free(t->slots, t->n_slots * sizeof *t->slots);
	drg_tally_init(t);
}

static struct drg_tally_slot *tally_slot(const struct drg_tally *t, uint64_t key)
{
	assert(t->n_slots > 0 && t->used < t->n_slots);
	size_t i = drg_hash(&key, sizeof key, 0) & (t->n_slots - 1);
	while (t->slots[i].key != 0 && t->slots[i].key != key)
		i = (i + 1) & (t->n_slots - 1);
	return &t->slots[i];
}

static int tally_grow(struct drg_tally *t)
{
	struct drg_tally more = { .n_slots = t->n_slots > 0 ? t->n_slots * 2 : 1024, .used = t->used };
	more.slots = drg_pages_new(more.n_slots * sizeof *more.slots, true);
	if (more.slots == NULL)
		return DRG_ENOMEM;
	for (size_t i = 0; i < t->n_slots; i++)
		if (t->slots[i].key != 0)
			*tally_slot(&more, t->slots[i].key) = t->slots[i];
	drg_pages_free(t->slots, t->n_slots * sizeof *t->slots);
	*t = more;
	return DRG_OK;
}

int drg_tally_add(struct drg_tally *t, uint64_t key)
{
	assert(key != 0);
	if ((t->used + 1) * 2 > t->n_slots && tally_grow(t) != DRG_OK)
		return DRG_ENOMEM;
	struct drg_tally_slot *slot = tally_slot(t, key);
	t->used += slot->key == 0;
	slot->key = key;
	slot->n++;
	return DRG_OK;
}

uint32_t drg_tally_get(const struct drg_tally *t, uint64_t key)
{
	return t->n_slots > 0 ? tally_slot(t, key)->n : 0;
}
