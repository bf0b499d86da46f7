/* src/admin/row_sum.h
 * Are two heaps of rows the same, in whatever order they come? Their number, and sums of two hashes of each,
 * tell. */
#pragma once
#include "base/str.h"

/** Zero at the start. */
struct drg_row_sum {
	uint64_t n, sum[2];
};

/** Add a row, as bytes that only equal rows have. */
void drg_row_sum_add(struct drg_row_sum *d, struct drg_str row);
bool drg_row_sum_same(const struct drg_row_sum *a, const struct drg_row_sum *b);
