/* src/catalog/quoted_priv.h
 * Texts inside canonical JSON that this process wrote. They are cut out with their escapes, without parsing. */
#pragma once
#include <stdbool.h>
#include "base/arena.h"
#include "base/compiler.h"
#include "base/str.h"

/** Move @p rest behind its next quoted text. @param ret  The text between the quotes, with its escapes. */
bool drg_quoted_next(struct drg_str *rest, struct drg_str *ret);

/** Resolve the escapes of @p escaped; the text is in @p arena if there are any. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_unescape(struct drg_str escaped, struct drg_arena *arena, struct drg_str *ret);
