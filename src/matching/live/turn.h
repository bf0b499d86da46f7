/* src/matching/live/turn.h
 * Decides which server of a store matches new records: one has the right (store/matching.h), and a thread
 * renews it while it works. */
#pragma once
#include "server/writer.h"
#include "store/matching.h"

struct drg_match_turn;

/** @param w  Must outlive it. */
DRG_MUSTCHECK
int drg_turn_start(struct drg_writer *w, struct drg_match_turn **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_turn_stop(struct drg_match_turn *x);
/** The number of this server, under which it holds the right. */
int64_t drg_turn_holder(const struct drg_match_turn *x);

enum drg_turn_of {
	DRG_TURN_MINE, /**< this server, until drg_turn_release() */
	DRG_TURN_OTHERS, /**< another server matches the records, or will soon */
	DRG_TURN_DONE /**< the records behind the place are matched already */
};
/**
 * Ask whose turn it is, because there is something to match.
 * @param s      To read the stored place.
 * @param place  The records are behind this place.
 * @param ret_place  The stored place: behind @p place if it is done.
 */
DRG_MUSTCHECK
int drg_turn_ask(struct drg_match_turn *x, struct drg_store *s, const struct drg_feed_place *place,
                 enum drg_turn_of *ret, struct drg_feed_place *ret_place, struct drg_err *reterr);
/** Give up the right: the work is done or left. */
void drg_turn_release(struct drg_match_turn *x);
