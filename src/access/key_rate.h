/* src/access/key_rate.h
 * Counts the requests of a key in a second (decision E30). The bucket holds the requests of one second and
 * fills evenly. It is stored as one number: the time when it is full again. From any thread, without a
 * lock. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/**
 * Take one request out of the bucket.
 * @param rate        0 at first; the limit may change at any time.
 * @param per_second  1 to DRG_KEY_RATE_MAX.
 * @param now_ns      drg_clock_ns().
 * @param ret_left    How many requests are left now; set also if it is 0.
 * @return true: there was one. If false, there is one within a second.
 */
bool drg_key_rate_consume(_Atomic int64_t *rate, int64_t per_second, int64_t now_ns, int64_t *ret_left);
/** How many requests the bucket has. */
int64_t drg_key_rate_left(const _Atomic int64_t *rate, int64_t per_second, int64_t now_ns);
