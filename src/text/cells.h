/* src/text/cells.h
 * Rows of CSV (RFC 4180): cells with or without quotes, "" for a quote inside quotes, newlines inside quotes. */
#pragma once
#include "base/arena.h"
#include "base/err.h"

/** Is this text a whole row, or do its quotes go on in the next line? */
bool drg_cells_complete(struct drg_str text, char separator);

/**
 * Cut a whole row into its cells.
 * @param row   Without its last newline.
 * @param ret   Room for @p max texts; they are in the arena.
 * @return DRG_OK; DRG_EINVAL: more than @p max cells, or quotes that do not end; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_cells_split(struct drg_str row, char separator, struct drg_arena *a, struct drg_str *ret,
                    unsigned max, unsigned *ret_n, struct drg_err *reterr);
