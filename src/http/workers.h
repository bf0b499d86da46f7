/* src/http/workers.h
 * Threads for requests that take long: those with a large body. On an http thread a few milliseconds of work are a few
 * milliseconds in which all of its other connections wait. They run at a lower priority (nice 10): where cores are
 * short, small requests come first. Keys take turns, and one has all but one of the threads at most. */
#pragma once
#include "base/err.h"
#include "base/lanes.h"

struct drg_workers;

/** @param work  Called on a thread for each item that was put. */
DRG_MUSTCHECK
int drg_workers_start(unsigned threads, void (*work)(struct drg_lane_item *item), struct drg_workers **ret,
                      struct drg_err *reterr);
/** Nothing is put any more, and all that was put is done. NULL is fine. */
void drg_workers_stop(struct drg_workers *w);
/** From any thread. @p item stays where it is until it is worked on. */
void drg_workers_put(struct drg_workers *w, struct drg_lane_item *item);
