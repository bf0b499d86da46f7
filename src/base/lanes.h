/* src/base/lanes.h
 * A queue in which nobody is kept waiting by somebody else's many jobs: a lane for each owner, and the lanes
 * take turns. Not locked: its user does that. Allocates nothing. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/compiler.h"

/** What is queued. Embedded in the user's own struct. */
struct drg_lane_item {
	struct drg_lane_item *next;
	int64_t owner; /**< the number of an API key; 0: the server's own */
};

enum { DRG_LANES = 256 };

/** Owners share a lane where their numbers are equal modulo DRG_LANES. */
struct drg_lanes {
	size_t max; /**< items that wait or are worked on, of all owners */
	size_t max_each; /**< of one lane; the server's own items count only for `max` */
	size_t max_at_work; /**< of one lane, at one time */
	size_t n; /**< waiting or worked on */
	unsigned turn;
	struct drg_lane {
		struct drg_lane_item *first, *last;
		size_t n, at_work;
	} lane[DRG_LANES];
};

/** Limits that are 0 are none. */
void drg_lanes_init(struct drg_lanes *q, size_t max, size_t max_each, size_t max_at_work);
/** @return DRG_OK; DRG_EBUSY: the queue is full; DRG_ELIMIT: this owner has its share. */
DRG_MUSTCHECK
int drg_lanes_put(struct drg_lanes *q, struct drg_lane_item *item);
/** The next item to work on, or NULL. Each is followed by drg_lanes_done(). */
struct drg_lane_item *drg_lanes_take(struct drg_lanes *q);
/** An item of @p owner is no longer worked on. */
void drg_lanes_done(struct drg_lanes *q, int64_t owner);
