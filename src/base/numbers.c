#include "base/numbers.h"

#include <stdlib.h>

#include "base/hash.h"

void drg_numbers_done(struct drg_numbers *s)
{
	free(s->values);
	drg_hashtab_done(&s->table);
	*s = (struct drg_numbers){ .n = 0 };
}

static bool numbers_reserve(struct drg_numbers *s)
{
	const size_t cap = s->n < s->cap ? s->cap : 2 * s->cap + 8;
	int64_t *values = cap > s->cap ? realloc(s->values, cap * sizeof *values) : s->values;
	if (values == NULL)
		return false;
	s->values = values;
	s->cap = cap;
	return drg_hashtab_reserve(&s->table, 1);
}

static uint32_t numbers_at(const struct drg_numbers *s, int64_t value, uint64_t *ret_hash, size_t *ret_at)
{
	uint32_t i;
	*ret_hash = drg_hash(&value, sizeof value, 0);
	DRG_HASHTAB_FIND(i, &s->table, *ret_hash, *ret_at, s->values[i] == value);
	return i;
}

uint64_t drg_numbers_find(const struct drg_numbers *s, int64_t value)
{
	uint64_t hash;
	size_t at;
	uint32_t i = numbers_at(s, value, &hash, &at);
	return i != DRG_HASHTAB_NONE ? i + UINT64_C(1) : 0;
}

uint64_t drg_numbers_add(struct drg_numbers *s, int64_t value)
{
	uint64_t hash;
	size_t at;
	if (!numbers_reserve(s))
		return 0;
	uint32_t i = numbers_at(s, value, &hash, &at);
	if (i != DRG_HASHTAB_NONE)
		return i + UINT64_C(1);
	s->values[s->n] = value;
	drg_hashtab_put(&s->table, hash, at, (uint32_t)s->n++);
	return s->n;
}
