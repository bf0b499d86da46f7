/* src/api/gather.h
 * Stored records copied into the arena of a request. */
#pragma once
#include "store/store.h"

/** A list that grows in an arena. */
struct drg_copied {
	struct drg_arena *arena;
	size_t max; /**< no more are taken */
	bool more; /**< there were more */
	size_t n;
	struct drg_record_at {
		struct drg_record r;
		int64_t seq; /**< of its last change */
	} * v; /**< room for `max` from drg_copied_init() on */
};

/** @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_copied_init(struct drg_copied *g, struct drg_arena *arena, size_t max);
/** A drg_row_fn (struct drg_copied). Ends the reading with DRG_ELIMIT at one more than `max`. */
int drg_copied_take(void *gathered, const struct drg_record *r, const struct drg_row_meta *m);
/** Turn the return code of a reading into DRG_OK if drg_copied_take() has ended the reading. */
int drg_copied_rc(const struct drg_copied *g, int rc);

/** The stored record with this identity, and its seq. @return DRG_OK; DRG_ENOENT, and ret->r.type is NULL; or
 * an error. */
DRG_MUSTCHECK
int drg_gather_one(struct drg_store *s, const struct drg_record *key, struct drg_arena *arena,
                   struct drg_record_at *ret, struct drg_err *reterr);
