/* src/import/lookup.h
 * What the comparing step wants to know of supplier hotels that are not part of the import. Their ident is a
 * hash, so their name has to be read from a record of the import: many at once, in the order of the spool,
 * because in the order of hashes each would unpack a block of its own. */
#pragma once
#include "import/holders.h"
#include "import/spool.h"

struct drg_lookup {
	uint64_t at; /**< a record of the import: one that refers to it, or that removes it */
	struct drg_ident ident;
	bool removed; /**< which of the two: look for what is stored about it, else whether it is stored */
};

/** Something that is referred to is not stored. */
typedef int drg_lookup_missing_fn(void *ctx, struct drg_ident ident, struct drg_err *reterr);

/** Filled in by its user; what it points to is borrowed. */
struct drg_lookups {
	struct drg_store *store;
	struct drg_spool *spool;
	struct drg_holders *holders;
	drg_lookup_missing_fn *missing;
	void *ctx;
	struct drg_buf list; /**< drg_buf_init() it, and drg_buf_done() at the end */
};

/** Note one. When a quarter of a million have come together they are done. */
DRG_MUSTCHECK
int drg_lookups_add(struct drg_lookups *l, const struct drg_lookup *one, struct drg_err *reterr);
/** Do those that are left. */
DRG_MUSTCHECK
int drg_lookups_flush(struct drg_lookups *l, struct drg_err *reterr);
