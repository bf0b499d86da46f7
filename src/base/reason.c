#include "base/reason.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#define DEFINED(word, status)                                                                                \
	const struct drg_reason drg_reason_##word = { #word, status, DRG_REASON_NUMBER_##word };
DRG_REASONS(DEFINED)

#define LISTED(word, status) &drg_reason_##word,

static const struct drg_reason *const all[DRG_REASON_COUNT] = { DRG_REASONS(LISTED) };

const struct drg_reason *drg_reason_find(const char *word)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(all) && word[0] != '\0'; i++)
		if (strcmp(all[i]->word, word) == 0)
			return all[i];
	return NULL;
}

const struct drg_reason *drg_reason_at(int number)
{
	assert(number >= 0 && number < DRG_REASON_COUNT);
	return all[number];
}
