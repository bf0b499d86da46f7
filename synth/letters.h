/* synth/letters.h
 * Letters of the Latin and Cyrillic alphabets of Europe: capital forms and forms without marks. */
#pragma once
#include <stdint.h>
#include "base/buf.h"

/** The first code point of valid UTF-8 that is not empty. @return its length in bytes. */
size_t drg_letter_next(struct drg_str s, uint32_t *ret);
/** Append a code point. */
void drg_letter_put(struct drg_buf *out, uint32_t cp);
/** The capital letter, or @p cp itself. */
uint32_t drg_letter_upper(uint32_t cp);
/** A Latin letter with a mark, a joined one or a typographic sign in one or two plain characters into @p ret:
 * "é", "ł", "ß". @return how many; 0 when @p cp is none of these. */
size_t drg_letter_plain(uint32_t cp, char ret[static 2]);
