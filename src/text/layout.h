/* src/text/layout.h
 * What was meant where a text was typed on the wrong keyboard layout: Russian and Ukrainian against QWERTY. */
#pragma once
#include "base/arena.h"

enum { DRG_LAYOUTS_MAX = 2 };

/**
 * Guess the text that the same keys give on the other layout: Latin letters read as Russian and as Ukrainian
 * ("vjcrdf" is "москва"), Cyrillic ones as Latin ("дщтвщт" is "london"). A text with both, with neither, or
 * with letters of other scripts was not typed on the wrong one.
 * @param typed  Valid UTF-8.
 * @param ret  DRG_LAYOUTS_MAX texts in small letters, in @p arena.
 * @return how many: 0, 1 or 2 (also 0 when memory is exhausted).
 */
unsigned drg_layout_guesses(struct drg_str typed, struct drg_arena *arena, struct drg_str *ret);
