/* src/base/timers.h
 * The deadlines of one loop: a wheel of slots of 50 ms, so that setting one costs the same however many there
 * are. A deadline that is more than a turn away waits in its slot until its turn. One thread uses it. */
#pragma once
#include <stdint.h>

/** In what has a deadline; all zero: not set. */
struct drg_timer {
	struct drg_timer **back, *next; /**< back == NULL: not set */
	int64_t due_ns; /**< of drg_clock_ns() */
};

enum { DRG_TIMER_SLOTS = 512, DRG_TICK_MS = 50 };
#define DRG_NEVER INT64_MAX

struct drg_timers {
	struct drg_timer *slots[DRG_TIMER_SLOTS];
	int64_t tick; /**< the slots of ticks before it were looked at */
	int64_t next_ns; /**< nothing is due before; DRG_NEVER: nothing is set */
};

void drg_timers_init(struct drg_timers *t, int64_t now_ns);
/** Set it, or move it; 0 <= @p due_ns < DRG_NEVER. */
void drg_timer_set(struct drg_timers *t, struct drg_timer *timer, int64_t due_ns);
/** Fine where it is not set. */
void drg_timer_stop(struct drg_timer *timer);
/** Take out one that is due; NULL: there is none, and next_ns says when to ask again. */
struct drg_timer *drg_timers_due(struct drg_timers *t, int64_t now_ns);
