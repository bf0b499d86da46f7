/* src/cli/store_looks.h
 * Warnings about a healthy store: that others can read its files, or that it was restored to an earlier
 * state. */
#pragma once
#include "store/store.h"

typedef void drg_store_warn_fn(const char *text);

/**
 * Tell of files of a store in SQLite that others than their owner can read, and of a snapshot that has later
 * commits than the store: then copies of the data may have them too.
 * @param snapshot  Its path; NULL: where a server has it unless it is told otherwise.
 */
void drg_store_warn(const char *store_url, const char *snapshot, const struct drg_clock *clock,
                    drg_store_warn_fn *tell);
