/* src/base/clock.h
 * Time: a clock that only goes forward, for durations; the wall clock, for stamps that people read. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"

#define DRG_SECOND_NS INT64_C(1000000000)
#define DRG_DAY_US (86400 * INT64_C(1000000))

/** Nanoseconds since an arbitrary start; never goes back. */
int64_t drg_clock_ns(void);

/** Microseconds since 1970 UTC. */
int64_t drg_wall_us(void);

/** Room for drg_wall_text(). */
#define DRG_WALL_TEXT 32

/** "2026-11-20T22:30:00.123Z" into @p buf (DRG_WALL_TEXT bytes). */
void drg_wall_text(int64_t wall_us, char *buf);

/**
 * For tests: both clocks are ahead of the system's by the nanoseconds in @p ahead_ns, which the test raises;
 * drg_cond_wait() notices. So an hour passes at once, and no test depends on the machine's pace.
 * @param ahead_ns  Borrowed for as long as the clocks are used; NULL: the system's clocks. Set it before
 *                  other threads are started.
 */
void drg_clock_set_ahead(const _Atomic int64_t *ahead_ns);
/** For tests: the clocks show the times in @p now_ns and @p wall_ns, so no time passes until the test changes
 * them; the wall clock may jump. */
void drg_clock_set_fixed(const _Atomic int64_t *now_ns, const _Atomic int64_t *wall_ns);
/** Microseconds by which drg_wall_us() is ahead of the system's clock; 0 except in tests. For callers that
 * use the clock of another machine. */
int64_t drg_clock_ahead_us(void);
/** Has a test set the clock? */
bool drg_clock_is_simulated(void);
