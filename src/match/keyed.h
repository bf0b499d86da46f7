/* src/match/keyed.h
 * Values by a 64-bit key in one sorted array: add all, sort once, then look up from any thread. */
#pragma once
#include "base/buf.h"

struct drg_keyed {
	uint64_t key;
	int64_t value;
};

/** Sort a buffer of struct drg_keyed by key and value. */
void drg_keyed_sort(struct drg_buf *all);
/** Find the entries of a key, ordered by value. @return @p ret_n of them, borrowed until the buffer changes. */
const struct drg_keyed *drg_keyed_find(const struct drg_buf *all, uint64_t key, size_t *ret_n);
