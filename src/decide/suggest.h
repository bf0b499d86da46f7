/* src/decide/suggest.h
 * The matcher's suggestions for records that it does not map, stored for the queue (store/suggestions.h). */
#pragma once
#include "match/hotels.h"
#include "store/suggestions.h"
#include "store/txn_run.h"

enum { DRG_SUGGEST_ROOM = 512 };

/** The dict ids of a suggestion, the best first. @return how many; at most @p max. */
struct drg_suggested {
	int64_t dict_id;
	double bits;
	bool compared; /**< the levels are known: only for hotels */
	uint8_t level[DRG_CMP_COUNT]; /**< by enum drg_comparison: the levels that make the bits */
};
unsigned drg_suggest_parse(struct drg_str ranked, struct drg_suggested *ret, unsigned max);
/** Append a suggestion. @param room  DRG_SUGGEST_ROOM bytes, @p at of them used. @return its end; a suggestion
 * without room is left out */
size_t drg_suggest_rank(char *room, size_t at, const struct drg_suggested *s);

/**
 * A mapping was undone: make the source an open question again, with the matcher's last suggestions, or, if
 * these are not known, with the dict record of the mapping.
 * @param was  That dict id; NULL: the record is removed, or will be.
 */
DRG_MUSTCHECK
int drg_suggest_reopen(struct drg_txn *t, const struct drg_record *source, const int64_t *was,
                       struct drg_err *reterr);

/** Hide a dict record among the suggestions of a source. It stays stored, for the case that this is
 * undone. */
DRG_MUSTCHECK
int drg_suggest_hide(struct drg_txn *t, int64_t adapter, enum drg_kind kind, struct drg_str id,
                     int64_t dict_id, struct drg_err *reterr);
/** Show a hidden dict record again, with its bits. A source that the matcher has not seen stays without
 * suggestions. */
DRG_MUSTCHECK
int drg_suggest_show(struct drg_txn *t, int64_t adapter, enum drg_kind kind, struct drg_str id,
                     int64_t dict_id, struct drg_err *reterr);
