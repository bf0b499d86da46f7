/* src/names/find.h
 * Finds records by their names, in any language, typed in its own letters or in Latin ones: "kyiv" finds
 * "Київ". */
#pragma once
#include "names/index.h"

enum { DRG_FIND_MAX = 1000 };

struct drg_find {
	struct drg_str text;
	bool sources; /**< find suppliers' records; false: records of the common reference */
	bool one_kind;
	enum drg_kind kind;
	int64_t adapter; /**< of sources; 0: all */
	int64_t country; /**< of dict records: the id of their country; 0: all */
	unsigned limit; /**< at most DRG_FIND_MAX */
	const struct drg_name_index *names; /**< the index of these records */
};

/** Called with a found record, borrowed for the call. @param name  The name that fits best. */
typedef int drg_find_fn(void *ctx, const struct drg_record *r, struct drg_str name);

/**
 * Call @p fn for the records found: first those whose name equals the text, then those whose name begins with
 * it, then those in whose name a word begins with it.
 * @return DRG_OK; DRG_EINVAL: the text has no letters or digits; errors of the store.
 */
DRG_MUSTCHECK
int drg_find_each(struct drg_store *s, const struct drg_find *f, drg_find_fn *fn, void *ctx,
                  struct drg_err *reterr);
