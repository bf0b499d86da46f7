/* src/base/bound.h
 * Binary search in sorted places where bsearch() does not serve: it finds the first of several equal places,
 * or the place where a new one belongs. */
#pragma once
#include <stddef.h>

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
