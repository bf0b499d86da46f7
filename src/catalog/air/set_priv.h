/* src/catalog/air/set_priv.h
 * Sets of places as one bit for each number. */
#pragma once
#include "catalog/air/index_priv.h"

struct drg_air_set {
	uint64_t *bits;
	size_t words;
};

static inline bool drg_air_set_new(struct drg_air_set *s, uint32_t places, struct drg_arena *arena)
{
	s->words = places / 64 + 1;
	s->bits = drg_arena_calloc(arena, s->words, sizeof *s->bits);
	return s->bits != NULL;
}

static inline void drg_air_set_clear(struct drg_air_set *s)
{
	memset(s->bits, 0, s->words * sizeof *s->bits);
}

static inline void drg_air_set_add(struct drg_air_set *s, uint32_t place)
{
	s->bits[place / 64] |= UINT64_C(1) << place % 64;
}

static inline bool drg_air_set_has(const struct drg_air_set *s, uint32_t place)
{
	return (s->bits[place / 64] >> place % 64 & 1) != 0;
}

/** The places of some texts. */
static inline void drg_air_set_add_texts(struct drg_air_set *s, const struct drg_air_terms *t,
                                         struct drg_air_range r)
{
	for (uint32_t i = t->first[r.lo], end = t->first[r.hi]; i < end; i++)
		drg_air_set_add(s, t->place[i]);
}

/** Keep what is in both. @return false: nothing is. */
static inline bool drg_air_set_and(struct drg_air_set *s, const struct drg_air_set *other)
{
	uint64_t any = 0;
	for (size_t i = 0; i < s->words; i++)
		any |= s->bits[i] &= other->bits[i];
	return any != 0;
}

static inline void drg_air_set_or(struct drg_air_set *s, const struct drg_air_set *other)
{
	for (size_t i = 0; i < s->words; i++)
		s->bits[i] |= other->bits[i];
}

/** The first place from @p from on that is in @p s and not in @p without; s->words * 64 when there is none. */
static inline size_t drg_air_set_next(const struct drg_air_set *s, const struct drg_air_set *without,
                                      size_t from)
{
	size_t w = from / 64;
	uint64_t mask = ~UINT64_C(0) << from % 64;
	for (; w < s->words; w++, mask = ~UINT64_C(0)) {
		uint64_t bits = s->bits[w] & ~without->bits[w] & mask;
		if (bits != 0)
			return w * 64 + (size_t)__builtin_ctzll(bits);
	}
	return s->words * 64;
}
