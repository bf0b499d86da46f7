/* src/admin/row_sum.h
 * Compares two sets of rows, in whatever order they come: by their number, and by the sums of two hashes of
 * each row. */
#pragma once
#include "base/str.h"

/** Zero at the start. */
struct drg_row_sum {
	uint64_t n, sum[2];
};

/** Add a row. @param row  Bytes of the row; other rows have other bytes. */
void drg_row_sum_add(struct drg_row_sum *d, struct drg_str row);
bool drg_row_sum_same(const struct drg_row_sum *a, const struct drg_row_sum *b);
