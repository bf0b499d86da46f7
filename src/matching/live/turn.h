/* src/matching/live/turn.h
 * Whose turn it is to match new records: one server of a store has the right (store/matching.h), which a
 * thread renews while it works. */
#pragma once
#include "server/writer.h"
#include "store/matching.h"

struct drg_match_turn;

/** @param w  Must outlive it. */
DRG_MUSTCHECK
int drg_turn_start(struct drg_writer *w, struct drg_match_turn **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_turn_stop(struct drg_match_turn *x);
/** The number of this server. */
int64_t drg_turn_holder(const struct drg_match_turn *x);

enum drg_turn_of {
	DRG_TURN_MINE, /**< and stays so until drg_turn_rest() */
	DRG_TURN_OTHERS, /**< who does it, or will soon */
	DRG_TURN_DONE /**< what is behind the place is matched */
};
/**
 * There is something to match.
 * @param s      To look.
 * @param place  Behind which it stands.
 * @param ret_place  The store's: behind @p place if it is done.
 */
DRG_MUSTCHECK
int drg_turn_ask(struct drg_match_turn *x, struct drg_store *s, const struct drg_feed_place *place,
                 enum drg_turn_of *ret, struct drg_feed_place *ret_place, struct drg_err *reterr);
/** It is done, or left. */
void drg_turn_rest(struct drg_match_turn *x);
