/* src/decide/suggest.h
 * What the matcher says of records that it does not map, kept for the queue (store/suggestions.h). */
#pragma once
#include "match/hotels.h"
#include "store/suggestions.h"
#include "store/txn_run.h"

enum { DRG_SUGGEST_ROOM = 512 };

/** The dict ids of a suggestion, the best first. @return how many; at most @p max. */
struct drg_suggested {
	int64_t dict_id;
	double bits;
	bool compared; /**< the levels are known: of hotels */
	uint8_t level[DRG_CMP_COUNT]; /**< by enum drg_comparison: what the bits are made of */
};
unsigned drg_suggest_ranked(struct drg_str ranked, struct drg_suggested *ret, unsigned max);
/** Write one behind the others. @param room  DRG_SUGGEST_ROOM bytes, @p at of them used. @return its end; what
 * has no room is left out */
size_t drg_suggest_rank(char *room, size_t at, const struct drg_suggested *s);

/**
 * A mapping was taken back, so the source is a question again: with what the matcher last said of it, or, if
 * that is not known, with what it was mapped to.
 * @param was  Its dict id; NULL: what it was mapped to is gone, or about to go.
 */
DRG_MUSTCHECK
int drg_suggest_again(struct drg_txn *t, const struct drg_record *source, const int64_t *was,
                      struct drg_err *reterr);

/** A dict record is no suggestion for a source any more. It is kept out of sight, for the case that this is
 * taken back. */
DRG_MUSTCHECK
int drg_suggest_without(struct drg_txn *t, int64_t adapter, enum drg_kind kind, struct drg_str id,
                        int64_t dict_id, struct drg_err *reterr);
/** It is one again, with the bits that it had. What the matcher has not looked at stays without a
 * suggestion. */
DRG_MUSTCHECK
int drg_suggest_with(struct drg_txn *t, int64_t adapter, enum drg_kind kind, struct drg_str id,
                     int64_t dict_id, struct drg_err *reterr);
