/* src/decide/reference/merge_referrers.h
 * What refers to a dict record, set aside before any of it is changed. */
#pragma once
#include "store/store.h"

/**
 * Append to @p out (records of drg_record_pack()) what refers to a dict record: sources and redirects, and if
 * @p dict_side everything else as well, what is inside hotel content included.
 */
DRG_MUSTCHECK
int drg_referrers_collect(struct drg_store *s, enum drg_kind kind, int64_t id, bool dict_side,
                          struct drg_buf *out, struct drg_err *reterr);

/** The record is the callee's to change; its texts are those of the buffer. */
typedef int drg_referrer_fn(void *ctx, struct drg_record *r, struct drg_err *reterr);
/** Give them one by one. */
DRG_MUSTCHECK
int drg_referrers_each(const struct drg_buf *referrers, drg_referrer_fn *fn, void *ctx,
                       struct drg_err *reterr);
