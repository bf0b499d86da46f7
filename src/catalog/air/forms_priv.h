/* src/catalog/air/forms_priv.h
 * The forms in which a name is found. */
#pragma once
#include "base/arena.h"
#include "base/str.h"

/**
 * Call @p fn with each form of a folded name: as it is and without generic words, and in both with the first
 * word that can be written in several ways in each of them. A form may come twice.
 * @param arena  Has the forms.
 * @param ret_core  The name without generic words; the name if it has no others.
 * @return false: out of memory, after some forms.
 */
DRG_MUSTCHECK
bool drg_air_forms_each(struct drg_arena *arena, struct drg_str name, struct drg_str *ret_core,
                        void (*fn)(void *ctx, struct drg_str form), void *ctx);
