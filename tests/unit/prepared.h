/* Words that would fill a table from one end if their hash were XXH3 without a secret: each look-up would walk
 * over all of them. The cost is counted in slots, so that a test depends on no clock. */
#pragma once
#include <stdio.h>

#include "base/checksum.h"
#include "base/hashtab.h"
#include "base/str.h"

enum { PREPARED_WORD = 12 };

/** Write the next word after number @p from whose slot is in the first sixteenth of a table of @p n_slots (a
 * power of two), if the hash has this seed. @return its number */
static inline uint64_t prepared_word(uint64_t from, uint64_t seed, size_t n_slots, char ret[PREPARED_WORD])
{
	for (uint64_t number = from + 1;; number++) {
		uint64_t rest = number;
		for (unsigned i = 0; i < PREPARED_WORD - 1; i++, rest /= 26)
			ret[i] = (char)('a' + (rest + i * 7) % 26);
		ret[PREPARED_WORD - 1] = '\0';
		if ((drg_checksum(ret, PREPARED_WORD - 1, seed) >> 32 & (n_slots - 1)) < n_slots / 16)
			return number;
	}
}

/** How many slots a look-up of each number in the table passes over, in all. */
static inline uint64_t slots_passed(const struct drg_hashtab *t)
{
	uint64_t passed = 0;
	for (size_t i = 0; i < t->n_slots; i++)
		if (t->slots[i] != 0)
			passed += (i - (t->slots[i] >> 32)) & (t->n_slots - 1);
	return passed;
}
