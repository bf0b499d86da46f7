/* src/text/stamp.h
 * Points in time as RFC 3339 texts: "2026-11-20T22:30:00.123Z". */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "base/str.h"

/**
 * Any RFC 3339 date-time, whatever its offset, with or without a fraction (what is finer than microseconds is
 * cut).
 * @param ret_us  Microseconds since 1970 UTC; written only on success.
 */
bool drg_stamp_parse(struct drg_str text, int64_t *ret_us);

/**
 * A time as people write it: a date, which is its beginning in UTC, or a date and a time with its zone.
 * @param ret_us  As drg_stamp_parse().
 * @return NULL; else what is wrong with it, in words that go on from the text.
 */
const char *drg_stamp_read(struct drg_str text, int64_t *ret_us);
/**
 * Read a time in the past: as drg_stamp_read(), or by its distance from @p now_us: today, yesterday, a day of
 * the week (the last one that has begun, in UTC), "7d", "12h", "2w".
 */
const char *drg_stamp_read_past(struct drg_str text, int64_t now_us, int64_t *ret_us);

/** Room for drg_stamp_text(), with its NUL. */
#define DRG_STAMP_TEXT 32

/**
 * The one canonical text of a point in time: UTC, milliseconds, or microseconds where milliseconds lose
 * something.
 * @param us  Within the years 0 to 9999, as drg_stamp_parse() gives it.
 * @return its length.
 */
size_t drg_stamp_text(int64_t us, char *buf);

/** "HH:MM:SS", a time of the day? */
bool drg_time_valid(struct drg_str text);
