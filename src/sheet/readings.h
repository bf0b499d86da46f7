/* src/sheet/readings.h
 * The likely encoding of a text, among encodings other than Unicode's: it is read in each of them, and scored
 * by whether words come of it that languages have. */
#pragma once
#include "sheet/encoding.h"

/**
 * Choose the encoding of a text that is not UTF-8.
 * @return DRG_OK: it is Cyrillic in windows-1251, which nothing else looks like; DRG_EINVAL: to be said by the
 *         user; the message has the three likeliest readings of its names; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_readings_choose(struct drg_str sample, struct drg_encoding *ret, struct drg_err *reterr);
