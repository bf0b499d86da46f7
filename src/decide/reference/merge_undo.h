/* src/decide/reference/merge_undo.h
 * Merges of records that refer to each other. The journals of their redirects are kept consistent, so that
 * the merges can be split in any order. */
#pragma once
#include "model/relink.h"
#include "decide/reference/merge_priv.h"

/**
 * A record came back and refers to the record that @p id, its former reference, was merged into: add it to
 * that merge, so that its split moves it.
 * @param r  The record that came back.
 */
DRG_MUSTCHECK
int drg_merge_undo_extend(struct drg_merging *x, const struct drg_record *r, enum drg_kind kind, int64_t id,
                          struct drg_err *reterr);

/**
 * Change the references of a record that was merged away, in the journal of its redirect. Does nothing if
 * there is no redirect, or none that can be split.
 * @param ret_changed  Has it changed?
 */
DRG_MUSTCHECK
int drg_merge_undo_relink(struct drg_merging *x, enum drg_kind kind, int64_t id, drg_relink_fn *fn, void *ctx,
                          bool *ret_changed, struct drg_err *reterr);
