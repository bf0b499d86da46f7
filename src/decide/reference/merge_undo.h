/* src/decide/reference/merge_undo.h
 * Merges that meet: a record that was merged away refers to another that was, or comes back and does. So that
 * each can be split in any order, what the redirects remember is kept in step. */
#pragma once
#include "model/relink.h"
#include "decide/reference/merge_priv.h"

/**
 * A record came back and refers to what @p id, which it named, was merged into: the split of that is to take
 * it along.
 * @param r  The record that came back.
 */
DRG_MUSTCHECK
int drg_merge_undo_extend(struct drg_merging *x, const struct drg_record *r, enum drg_kind kind, int64_t id,
                          struct drg_err *reterr);

/**
 * Change the references of a record that was merged away, in the undo of its redirect. Nothing happens where
 * there is no redirect, or none that can be split.
 * @param ret_changed  Has it changed?
 */
DRG_MUSTCHECK
int drg_merge_undo_relink(struct drg_merging *x, enum drg_kind kind, int64_t id, drg_relink_fn *fn, void *ctx,
                          bool *ret_changed, struct drg_err *reterr);
