/* src/access/key_rate.h
 * Counts requests of a key in a second (decision E30): a bucket that holds those of a second and fills evenly,
 * kept as one number, the time when it is full again. From any thread, without a lock. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/**
 * Take one request out of it.
 * @param rate        0 at first; another limit may come at any time.
 * @param per_second  1 to DRG_KEY_RATE_MAX.
 * @param now_ns      drg_clock_ns().
 * @param ret_left    How many are left at this moment, also where there are none.
 * @return was there one? If not, there is within a second.
 */
bool drg_key_rate_take(_Atomic int64_t *rate, int64_t per_second, int64_t now_ns, int64_t *ret_left);
/** How many there are. */
int64_t drg_key_rate_left(const _Atomic int64_t *rate, int64_t per_second, int64_t now_ns);
