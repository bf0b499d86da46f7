/* src/base/pool.h
 * Threads that work on what is queued, the lanes of its owners in turn (base/lanes.h). */
#pragma once
#include "base/err.h"
#include "base/lanes.h"

struct drg_pool;

struct drg_pool_options {
	unsigned threads; /**< at least 1 */
	size_t max, max_each, max_at_work; /**< of the queue, see drg_lanes_init() */
	bool background; /**< let other threads go first where cores are short (nice 10) */
	/** On thread number @p thread, from 0. The item may be gone after it, if there is no `ended`. */
	void (*work)(void *ctx, unsigned thread, struct drg_lane_item *item);
	/** On the same thread, when the item's place in the queue is free again; or NULL. The item may be gone
	 * after it. */
	void (*ended)(struct drg_lane_item *item);
	/** Now and then while thread number @p thread has nothing to do, or NULL. @return whether to call it
	 * again before there was something. */
	bool (*idle)(void *ctx, unsigned thread);
	unsigned idle_ms; /**< how often */
	void *ctx;
};

/** @return DRG_OK or DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_pool_start(const struct drg_pool_options *o, struct drg_pool **ret, struct drg_err *reterr);
/** Do what is queued, end the threads. Nobody puts anything any more. NULL is fine. */
void drg_pool_stop(struct drg_pool *p);
/** From any thread. @p item stays where it is until it was worked on. @return as drg_lanes_put(). */
DRG_MUSTCHECK
int drg_pool_put(struct drg_pool *p, struct drg_lane_item *item);
