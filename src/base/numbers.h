/* src/base/numbers.h
 * Values numbered as they come, from 1: for marks of few bits. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "base/hashtab.h"

/** Zero-initialise. */
struct drg_numbers {
	int64_t *values; /**< the one with the number 1 first */
	size_t n, cap;
	struct drg_hashtab table;
};

void drg_numbers_done(struct drg_numbers *s);
/** The number of a value; 0: it has none. */
uint64_t drg_numbers_find(const struct drg_numbers *s, int64_t value);
/** It gets one unless it has. @return 0: there is no memory. */
uint64_t drg_numbers_add(struct drg_numbers *s, int64_t value);
