/* src/server/branch.h
 * Histories as one number: what cursors of the change feed (F5) and data versions (D1) name a branch of a store by. */
#pragma once
#include "base/data_version.h"
#include "store/store.h"

/** The number of a branch of a store: unlike any other's, of this store or another. */
uint64_t drg_history_of(const char *epoch, int64_t branch);

/** The data version of a commit. */
struct drg_data_version drg_version_of(const struct drg_clock *commit);
