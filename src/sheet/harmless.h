/* src/sheet/harmless.h
 * Cells of text files that a spreadsheet would take for a formula (decision P6): an apostrophe before them makes them text, and is taken
 * away where a file is read. */
#pragma once
#include <stdbool.h>
#include "base/str.h"

/** Does it begin, behind any apostrophes, with = + - @, a tab or a carriage return, and is more than that sign and no number? So may
 * only be what a file from elsewhere brought: it is written with one more apostrophe. */
bool drg_cell_is_harmful(struct drg_str cell);
/** A cell as it was before the apostrophe. */
struct drg_str drg_cell_as_it_was(struct drg_str cell);
