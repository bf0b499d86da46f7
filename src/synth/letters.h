/* src/synth/letters.h
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
/** A Latin letter with a mark, or a joined one: "é", "ł", "ß"? */
bool drg_letter_is_marked(uint32_t cp);
/** Such a letter in one or two of the 26 into @p ret. @return how many. */
size_t drg_letter_plain(uint32_t cp, char ret[static 2]);
