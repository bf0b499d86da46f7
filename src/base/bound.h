/* src/base/bound.h
 * Search in arrays where bsearch() does not serve: in sorted ones for the first of several equal places, or the
 * place where a new one belongs; in short lists of ids for an id. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Set @p ret to the first of @p n places for which @p before, an expression of the place @p i, is false. */
#define DRG_BOUND(ret, n, i, before)                                                                         \
	do {                                                                                                 \
		size_t low_ = 0, high_ = (n);                                                                \
		while (low_ < high_) {                                                                       \
			const size_t i = low_ + (high_ - low_) / 2;                                          \
			if (before)                                                                          \
				low_ = i + 1;                                                                \
			else                                                                                 \
				high_ = i;                                                                   \
		}                                                                                            \
		(ret) = low_;                                                                                \
	} while (0)

/** Is @p id one of the @p n ids? They may be in any order. */
static inline bool drg_id_is_among(int64_t id, const int64_t *ids, size_t n)
{
	bool found = false;
	for (size_t i = 0; i < n && !found; i++)
		found = ids[i] == id;
	return found;
}
