/* src/base/numbers.h
 * Numbers for values, given in the order in which the values come, from 1: for marks of few bits. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "base/hashtab.h"

/** Zero-initialise. */
struct drg_numbers {
	int64_t *values; /**< the value with the number 1 comes first */
	size_t n, cap;
	struct drg_hashtab table;
};

void drg_numbers_done(struct drg_numbers *s);
/** The number of a value; 0: it has none. */
uint64_t drg_numbers_find(const struct drg_numbers *s, int64_t value);
/** The number of a value; a value without one gets the next number. @return 0: no memory. */
uint64_t drg_numbers_add(struct drg_numbers *s, int64_t value);
