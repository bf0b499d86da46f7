/* src/base/timers.h
 * The deadlines of one loop: a wheel of slots of 50 ms, so setting a deadline costs the same however many
 * there are. A deadline more than one turn of the wheel away waits in its slot until its turn. One thread
 * uses it. */
#pragma once
#include <stdint.h>

/** Embedded in the object that has a deadline; all zero: not set. */
struct drg_timer {
	struct drg_timer **back, *next; /**< back == NULL: not set */
	int64_t due_ns; /**< of drg_clock_ns() */
};

enum { DRG_TIMER_SLOTS = 512, DRG_TICK_MS = 50 };
#define DRG_NEVER INT64_MAX

struct drg_timers {
	struct drg_timer *slots[DRG_TIMER_SLOTS];
	int64_t tick; /**< the slots of earlier ticks were looked at */
	int64_t next_ns; /**< nothing is due before this; DRG_NEVER: no timer is set */
};

void drg_timers_init(struct drg_timers *t, int64_t now_ns);
/** Set or move a timer; 0 <= @p due_ns < DRG_NEVER. */
void drg_timer_set(struct drg_timers *t, struct drg_timer *timer, int64_t due_ns);
/** Stop a timer; fine if it is not set. */
void drg_timer_stop(struct drg_timer *timer);
/** Take out a timer that is due; NULL: none is, and next_ns says when to ask again. */
struct drg_timer *drg_timers_due(struct drg_timers *t, int64_t now_ns);
