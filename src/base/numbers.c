#include "base/numbers.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/hash.h"

void drg_numbers_done(struct drg_numbers *s)
{
	free(s->values);
	free(s->slots);
	*s = (struct drg_numbers){ .n = 0 };
}

/* Its slot, or the free one where it belongs. */
static uint32_t *numbers_slot(const struct drg_numbers *s, int64_t value)
{
	size_t at = drg_hash(&value, sizeof value, 0) & (s->n_slots - 1);
	while (s->slots[at] != 0 && s->values[s->slots[at] - 1] != value)
		at = (at + 1) & (s->n_slots - 1);
	return &s->slots[at];
}

/* Twice as many slots as values, and room for one of these. */
static bool numbers_grow(struct drg_numbers *s)
{
	const size_t n_slots = s->n_slots > 0 ? s->n_slots * 2 : 16;
	int64_t *values = realloc(s->values, n_slots / 2 * sizeof *values);
	s->values = values != NULL ? values : s->values;
	uint32_t *slots = values != NULL ? calloc(n_slots, sizeof *slots) : NULL;
	if (slots == NULL)
		return false;
	free(s->slots);
	s->slots = slots;
	s->n_slots = n_slots;
	for (size_t i = 0; i < s->n; i++)
		*numbers_slot(s, s->values[i]) = (uint32_t)i + 1;
	return true;
}

uint64_t drg_numbers_find(const struct drg_numbers *s, int64_t value)
{
	return s->n > 0 ? *numbers_slot(s, value) : 0;
}

uint64_t drg_numbers_add(struct drg_numbers *s, int64_t value)
{
	uint64_t number = drg_numbers_find(s, value);
	if (number > 0)
		return number;
	if (s->n == s->n_slots / 2 && !numbers_grow(s))
		return 0;
	s->values[s->n] = value;
	*numbers_slot(s, value) = (uint32_t)++s->n;
	return s->n;
}
