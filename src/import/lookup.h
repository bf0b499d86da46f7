/* src/import/lookup.h
 * Looks up supplier hotels that are not part of the import, for the comparing step. The ident of a hotel is a
 * hash, so its name must be read from a record of the import. Many are looked up at once, in the order of the
 * spool: in the order of hashes each would unpack a block of its own. */
#pragma once
#include "import/holders.h"
#include "import/spool.h"

struct drg_lookup {
	uint64_t at; /**< a record of the import: one that refers to the hotel, or that removes it */
	struct drg_ident ident;
	/** true: the import removes the hotel: find its content in the store; false: is the hotel stored? */
	bool removed;
};

/** Called for a hotel that is referred to and not stored. */
typedef int drg_lookup_missing_fn(void *ctx, struct drg_ident ident, struct drg_err *reterr);

/** Its user fills in the members; pointers are borrowed. */
struct drg_lookups {
	struct drg_store *store;
	struct drg_spool *spool;
	struct drg_holders *holders;
	drg_lookup_missing_fn *missing;
	void *ctx;
	struct drg_buf list; /**< call drg_buf_init() before, and drg_buf_done() at the end */
};

/** Note a hotel. A quarter of a million notes are looked up at once. */
DRG_MUSTCHECK
int drg_lookups_add(struct drg_lookups *l, const struct drg_lookup *one, struct drg_err *reterr);
/** Look up the hotels that are still noted. */
DRG_MUSTCHECK
int drg_lookups_flush(struct drg_lookups *l, struct drg_err *reterr);
