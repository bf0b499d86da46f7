/* synth/loanwords.h
 * The words of hotel names as they are written in Cyrillic: "Lake" is said "Лейк", whatever its letters say. */
#pragma once
#include <stdbool.h>
#include "base/str.h"

/** A word that begins with a capital, in Ukrainian or Russian; p is NULL where it is none of the table. */
struct drg_str drg_synth_loanword(struct drg_str word, bool ukrainian);
