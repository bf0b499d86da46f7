/* src/curate/suggest.h
 * What the matcher says of records that it does not map, kept for the queue (store/suggestions.h). */
#pragma once
#include "curate/automap.h"
#include "store/suggestions.h"

enum { DRG_SUGGEST_ROOM = 512 };

/** The dict ids of a suggestion, the best first. @return how many; at most @p max. */
struct drg_suggested {
	int64_t dict_id;
	double bits;
	bool compared; /**< the levels are known: of hotels */
	uint8_t level[DRG_CMP_COUNT]; /**< by enum drg_comparison: what the bits are made of */
};
unsigned drg_suggest_ranked(struct drg_str ranked, struct drg_suggested *ret, unsigned max);

/** A suggestion of the matcher's result. @param room  Holds what is not borrowed from @p r; DRG_SUGGEST_ROOM bytes. */
struct drg_suggestion drg_suggest_of(const struct drg_automap_result *r, char *room);

/** A decision: keep some, in place of what was said of the same records before. */
struct drg_suggest_slice {
	const struct drg_suggestion *v;
	size_t n;
	bool forget; /**< first those of this kind of the adapter that are gone, or about which a person has decided */
	const struct drg_supplier *read; /**< with `forget`: the records that there were */
	int64_t adapter;
	enum drg_kind kind;
	int64_t since; /**< as in struct drg_automap_slice: what others did after it is looked at; -1: not known */
};
DRG_MUSTCHECK
int drg_suggest_keep(void *slice, struct drg_txn *t, struct drg_err *reterr);

/**
 * A mapping was taken back, so the source is a question again: with what the matcher last said of it, or, if that is not known, with
 * what it was mapped to.
 * @param was  Its dict id; NULL: what it was mapped to is gone, or about to go.
 */
DRG_MUSTCHECK
int drg_suggest_again(struct drg_txn *t, const struct drg_record *source, const int64_t *was,
                      struct drg_err *reterr);

/** A dict record is no suggestion for a source any more. It is kept out of sight, for the case that this is taken back. */
DRG_MUSTCHECK
int drg_suggest_without(struct drg_txn *t, int64_t adapter, enum drg_kind kind, struct drg_str id,
                        int64_t dict_id, struct drg_err *reterr);
/** It is one again, with the bits that it had. What the matcher has not looked at stays without a suggestion. */
DRG_MUSTCHECK
int drg_suggest_with(struct drg_txn *t, int64_t adapter, enum drg_kind kind, struct drg_str id,
                     int64_t dict_id, struct drg_err *reterr);
