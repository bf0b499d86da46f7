/* src/base/lanes.h
 * A fair queue: each owner has a lane and the lanes take turns, so one owner's many jobs do not delay another
 * owner's. Not locked: the user of the queue does that. Allocates nothing. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/compiler.h"

/** An item of the queue. Embedded in the user's own struct. */
struct drg_lane_item {
	struct drg_lane_item *next;
	int64_t owner; /**< the number of an API key; 0: the server itself */
};

enum { DRG_LANES = 256 };

/** Owners whose numbers are equal modulo DRG_LANES share a lane. */
struct drg_lanes {
	size_t max; /**< largest number of items that wait or are worked on, of all owners */
	size_t max_each; /**< the same for one lane; the server's own items count only for `max` */
	size_t max_at_work; /**< how many items of one lane are worked on at the same time */
	size_t n; /**< items that wait or are worked on */
	unsigned turn;
	struct drg_lane {
		struct drg_lane_item *first, *last;
		size_t n, at_work;
	} lane[DRG_LANES];
};

/** Set the limits; 0: no limit. */
void drg_lanes_init(struct drg_lanes *q, size_t max, size_t max_each, size_t max_at_work);
/** Queue an item. @return DRG_OK; DRG_EBUSY: the queue is full; DRG_ELIMIT: this owner has its share. */
DRG_MUSTCHECK
int drg_lanes_put(struct drg_lanes *q, struct drg_lane_item *item);
/** Take the next item to work on, or NULL. Call drg_lanes_finish() after each. */
struct drg_lane_item *drg_lanes_take(struct drg_lanes *q);
/** The work on an item of @p owner has ended. */
void drg_lanes_finish(struct drg_lanes *q, int64_t owner);
