/* src/catalog/air/set_priv.h
 * Sets of places as one bit for each number. */
#pragma once
#include <assert.h>
#include "catalog/air/index_priv.h"

struct drg_air_set {
	uint64_t *bits; /**< undefined until `used` is set */
	size_t words;
	bool used; /**< a bit may be set */
};

static inline bool drg_air_set_new(struct drg_air_set *s, uint32_t places, struct drg_arena *arena)
{
	s->words = places / 64 + 1;
	s->used = false;
	s->bits = drg_arena_alloc(arena, s->words * sizeof *s->bits);
	return s->bits != NULL;
}

static inline void drg_air_set_clear(struct drg_air_set *s)
{
	s->used = false;
}

/** Clear the bits of an unused set. Call this before bits are read or set one by one. */
static inline void drg_air_set_start(struct drg_air_set *s)
{
	if (!s->used)
		memset(s->bits, 0, s->words * sizeof *s->bits);
	s->used = true;
}

static inline void drg_air_set_add(struct drg_air_set *s, uint32_t place)
{
	drg_air_set_start(s);
	s->bits[place / 64] |= UINT64_C(1) << place % 64;
}

/** @param s  In use. */
static inline bool drg_air_set_has(const struct drg_air_set *s, uint32_t place)
{
	return (s->bits[place / 64] >> place % 64 & 1) != 0;
}

/** Add the places of some texts. */
static inline void drg_air_set_add_texts(struct drg_air_set *s, const struct drg_air_terms *t,
                                         struct drg_air_range r)
{
	assert(r.lo <= r.hi && r.hi <= t->n);
	if (r.lo == r.hi)
		return;
	drg_air_set_start(s);
	for (uint32_t i = t->first[r.lo], end = t->first[r.hi]; i < end; i++) {
		uint32_t place = drg_air_place_of(t->place[i]);
		s->bits[place / 64] |= UINT64_C(1) << place % 64;
	}
}

/** Add the places of some texts to @p any, and those that have them in one of @p scripts to @p own too. */
static inline void drg_air_set_add_scripts(struct drg_air_set *own, struct drg_air_set *any,
                                           const struct drg_air_terms *t, struct drg_air_range r,
                                           unsigned scripts)
{
	assert(r.lo <= r.hi && r.hi <= t->n);
	if (r.lo == r.hi)
		return;
	drg_air_set_start(own);
	drg_air_set_start(any);
	for (uint32_t i = t->first[r.lo], end = t->first[r.hi]; i < end; i++) {
		uint32_t place = drg_air_place_of(t->place[i]);
		uint64_t has = (drg_air_scripts_of(t->place[i]) & scripts) != 0;
		any->bits[place / 64] |= UINT64_C(1) << place % 64;
		own->bits[place / 64] |= has << place % 64;
	}
}

/** Keep the places that are in both. @return false: none is. */
static inline bool drg_air_set_and(struct drg_air_set *s, const struct drg_air_set *other)
{
	assert(s->words == other->words);
	uint64_t any = 0;
	if (!other->used)
		drg_air_set_clear(s);
	for (size_t i = 0; s->used && i < s->words; i++)
		any |= s->bits[i] &= other->bits[i];
	s->used = any != 0;
	return s->used;
}

static inline void drg_air_set_or(struct drg_air_set *s, const struct drg_air_set *other)
{
	assert(s->words == other->words);
	if (!other->used)
		return;
	if (!s->used)
		memcpy(s->bits, other->bits, s->words * sizeof *s->bits);
	for (size_t i = 0; s->used && i < s->words; i++)
		s->bits[i] |= other->bits[i];
	s->used = true;
}

/** The first place from @p from on that is in @p s and not in @p without (in use); s->words * 64: none. */
static inline size_t drg_air_set_next(const struct drg_air_set *s, const struct drg_air_set *without,
                                      size_t from)
{
	size_t w = s->used ? from / 64 : s->words;
	uint64_t mask = ~UINT64_C(0) << from % 64;
	for (; w < s->words; w++, mask = ~UINT64_C(0)) {
		uint64_t bits = s->bits[w] & ~without->bits[w] & mask;
		if (bits != 0)
			return w * 64 + (size_t)__builtin_ctzll(bits);
	}
	return s->words * 64;
}
