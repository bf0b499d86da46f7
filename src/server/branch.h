/* src/server/branch.h
 * One number for a branch of a store. Cursors of the change feed (F5) and data versions (D1) contain it. */
#pragma once
#include "base/data_version.h"
#include "store/store.h"

/** The number of a branch of a store; it differs from that of any other branch, of this store or another. */
uint64_t drg_history_of(const char *epoch, int64_t branch);

/** The data version of a commit. */
struct drg_data_version drg_version_of(const struct drg_clock *commit);
