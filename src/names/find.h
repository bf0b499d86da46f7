/* src/names/find.h
 * Records by what they are called, in any language, with or without its letters: "kyiv" finds "Київ". */
#pragma once
#include "names/index.h"

enum { DRG_FIND_MAX = 1000 };

struct drg_find {
	struct drg_str text;
	bool sources; /**< suppliers' records; else the common reference */
	bool one_kind;
	enum drg_kind kind;
	int64_t adapter; /**< of sources; 0: all */
	int64_t country; /**< of dict records: its number; 0: all */
	unsigned limit; /**< at most DRG_FIND_MAX */
	const struct drg_name_index *names; /**< of what is looked for */
};

/** One that was found; borrowed for the call. @param name  The one that fits best. */
typedef int drg_find_fn(void *ctx, const struct drg_record *r, struct drg_str name);

/**
 * Those that are called so first, then those whose name begins so, then those in which a word does.
 * @return DRG_OK; DRG_EINVAL: the text has no letters or digits; errors of the store.
 */
DRG_MUSTCHECK
int drg_find_each(struct drg_store *s, const struct drg_find *f, drg_find_fn *fn, void *ctx,
                  struct drg_err *reterr);
