/* src/matching/suggest_keep.h
 * What the matcher does not map is kept as a question, with its candidates (decide/suggest.h). */
#pragma once
#include "decide/suggest.h"
#include "matching/automap.h"
#include "matching/automap_supplier.h"

/** A suggestion of the matcher's result. @param room  Holds what is not borrowed from @p r; DRG_SUGGEST_ROOM
 * bytes. */
struct drg_suggestion drg_suggest_of(const struct drg_automap_result *r, char *room);

/** A decision: keep some, in place of what was said of the same records before. */
struct drg_suggest_slice {
	const struct drg_suggestion *v;
	size_t n;
	/** first those of this kind of the adapter that are gone, or about which a person has decided */
	bool forget;
	const struct drg_supplier *read; /**< with `forget`: the records that there were */
	int64_t adapter;
	enum drg_kind kind;
	/** as in struct drg_automap_slice: what others did after it is looked at; -1: not known */
	int64_t since;
};
DRG_MUSTCHECK
int drg_suggest_keep(void *slice, struct drg_txn *t, struct drg_err *reterr);
