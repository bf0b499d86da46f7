#include "load/seen.h"

#include <assert.h>
#include <stdlib.h>

#include "base/hash.h"

void drg_seen_done(struct drg_seen *s)
{
	free(s->slots);
	*s = (struct drg_seen){ .n = 0 };
}

static uint64_t seen_hash(unsigned kind, struct drg_str id)
{
	uint64_t h = drg_hash(id.p, id.n, kind + 1);
	return h != 0 ? h : 1;
}

/* Find the slot of a hash, or the free slot where it belongs. */
static size_t seen_slot(const struct drg_seen *s, uint64_t hash)
{
	size_t i = (size_t)hash & (s->cap - 1);
	while (s->slots[i].hash != 0 && s->slots[i].hash != hash)
		i = (i + 1) & (s->cap - 1);
	return i;
}

static bool seen_grow(struct drg_seen *s)
{
	struct drg_seen bigger = { NULL, s->n, s->cap > 0 ? s->cap * 2 : 1024 };
	bigger.slots = calloc(bigger.cap, sizeof *bigger.slots);
	if (bigger.slots == NULL)
		return false;
	for (size_t i = 0; i < s->cap; i++)
		if (s->slots[i].hash != 0)
			bigger.slots[seen_slot(&bigger, s->slots[i].hash)] = s->slots[i];
	free(s->slots);
	*s = bigger;
	return true;
}

enum drg_seen_result drg_seen_add(struct drg_seen *s, unsigned kind, struct drg_str id)
{
	uint64_t hash = seen_hash(kind, id);
	if (s->n * 2 >= s->cap && !seen_grow(s))
		return DRG_SEEN_NO_MEMORY;
	size_t i = seen_slot(s, hash);
	if (s->slots[i].hash == hash)
		return DRG_SEEN_BEFORE;
	s->slots[i].hash = hash;
	s->n++;
	return DRG_SEEN_NEW;
}

uint64_t *drg_seen_note(const struct drg_seen *s, unsigned kind, struct drg_str id)
{
	assert(drg_seen_has(s, kind, id));
	return &s->slots[seen_slot(s, seen_hash(kind, id))].note;
}

bool drg_seen_has(const struct drg_seen *s, unsigned kind, struct drg_str id)
{
	return s->cap > 0 && s->slots[seen_slot(s, seen_hash(kind, id))].hash != 0;
}
