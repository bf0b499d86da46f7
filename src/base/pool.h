/* src/base/pool.h
 * Threads that work on a queue; the lanes of the owners take turns (base/lanes.h). */
#pragma once
#include "base/err.h"
#include "base/lanes.h"

struct drg_pool;

struct drg_pool_options {
	unsigned threads; /**< at least 1 */
	size_t max, max_each, max_at_work; /**< limits of the queue, see drg_lanes_init() */
	bool background; /**< let other threads go first if cores are short (nice 10) */
	/** Work on an item, on thread number @p thread, from 0. If there is no `ended`, the item may be freed
	 * in it. */
	void (*work)(void *ctx, unsigned thread, struct drg_lane_item *item);
	/** Called on the same thread when the item's place in the queue is free again; or NULL. The item may
	 * be freed in it. */
	void (*ended)(struct drg_lane_item *item);
	/** Called now and then while thread number @p thread has nothing to do; or NULL. @return whether to
	 * call it again before the next item. */
	bool (*idle)(void *ctx, unsigned thread);
	unsigned idle_ms; /**< how often `idle` is called */
	void *ctx;
};

/** @return DRG_OK or DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_pool_start(const struct drg_pool_options *o, struct drg_pool **ret, struct drg_err *reterr);
/** Work on the items that are queued, then end the threads. Nobody may submit any more. NULL is fine. */
void drg_pool_stop(struct drg_pool *p);
/** Submit an item. From any thread. @p item stays where it is until the work on it has ended. @return as
 * drg_lanes_put(). */
DRG_MUSTCHECK
int drg_pool_put(struct drg_pool *p, struct drg_lane_item *item);
