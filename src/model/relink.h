/* src/model/relink.h
 * Change the dict ids that a record refers to: after a merge, by redirects, and back. */
#pragma once
#include "model/record.h"

/** The id to refer to instead of @p id; the same to leave it. Asked in the order of drg_record_refs(). */
typedef int64_t drg_relink_fn(void *ctx, enum drg_kind kind, int64_t id);

/**
 * Ask @p fn for every dict id that @p r refers to, those inside hotel content included.
 * @param arena        Holds texts that were rewritten.
 * @param ret_changed  Has @p r changed?
 * @return DRG_OK, DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_record_relink(struct drg_record *r, drg_relink_fn *fn, void *ctx, struct drg_arena *arena,
                      bool *ret_changed);
