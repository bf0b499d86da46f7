/* src/base/clock.h
 * Time: a clock that only goes forward, for durations; the wall clock, for stamps that people read. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/** Nanoseconds since an arbitrary start; never goes back. */
int64_t drg_clock_ns(void);

/** Microseconds since 1970 UTC. */
int64_t drg_wall_us(void);

/** Room for drg_wall_text(). */
#define DRG_WALL_TEXT 32

/** "2026-11-20T22:30:00.123Z" into @p buf (DRG_WALL_TEXT bytes). */
void drg_wall_text(int64_t wall_us, char *buf);
