/* src/catalog/quoted_priv.h
 * Texts inside canonical JSON that this process wrote: taken with their escapes, without parsing. */
#pragma once
#include <stdbool.h>
#include "base/arena.h"
#include "base/compiler.h"
#include "base/str.h"

/** Cut @p rest behind its next quoted text. @param ret  What stands between the quotes, escapes in place. */
bool drg_quoted_next(struct drg_str *rest, struct drg_str *ret);

/** The text that @p escaped stands for, in @p arena if it has escapes. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_unescape(struct drg_str escaped, struct drg_arena *arena, struct drg_str *ret);
