/* src/decide/reference/merge_referrers.h
 * Collects the records that refer to a dict record, before any of them is changed. */
#pragma once
#include "store/store.h"

/**
 * Append to @p out (records of drg_record_pack()) the records that refer to a dict record: sources and
 * redirects, and if @p dict_side all others too, also hotel content.
 */
DRG_MUSTCHECK
int drg_referrers_collect(struct drg_store *s, enum drg_kind kind, int64_t id, bool dict_side,
                          struct drg_buf *out, struct drg_err *reterr);

/** The callee may change the record; its texts are borrowed from the buffer. */
typedef int drg_referrer_fn(void *ctx, struct drg_record *r, struct drg_err *reterr);
/** Call fn for each of them. */
DRG_MUSTCHECK
int drg_referrers_each(const struct drg_buf *referrers, drg_referrer_fn *fn, void *ctx,
                       struct drg_err *reterr);
