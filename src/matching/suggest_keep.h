/* src/matching/suggest_keep.h
 * Stores records that the matcher does not map as open questions, with their candidates (decide/suggest.h). */
#pragma once
#include "decide/suggest.h"
#include "matching/automap.h"
#include "matching/automap_supplier.h"

/** Make a suggestion of a matcher's result. @param room  Holds what is not borrowed from @p r;
 * DRG_SUGGEST_ROOM bytes. */
struct drg_suggestion drg_suggest_of(const struct drg_automap_result *r, char *room);

/** For a transaction: stores some suggestions, in place of earlier ones of the same records. */
struct drg_suggest_slice {
	const struct drg_suggestion *v;
	size_t n;
	/** first remove suggestions of records of this adapter and kind that are gone, or that a person has
	 * decided about */
	bool forget;
	const struct drg_supplier *read; /**< with `forget`: the records that exist */
	int64_t adapter;
	enum drg_kind kind;
	/** as in struct drg_automap_slice: changes by others after it are checked; -1: not known */
	int64_t since;
};
DRG_MUSTCHECK
int drg_suggest_write(void *slice, struct drg_txn *t, struct drg_err *reterr);
