/* src/admin/export.h
 * The store as NDJSON, in canonical order: the same data gives the same bytes. API keys are not part of it. */
#pragma once
#include "store/store.h"

/** Told now and then how many records were written. */
typedef void drg_export_progress_fn(void *ctx, uint64_t records);

/**
 * Write what the filter wants, from one snapshot.
 * @param fd           Where to; SIGPIPE is ignored by the caller.
 * @param progress     May be NULL.
 * @param ret_records  May be NULL.
 * @return DRG_OK; DRG_EFULL, DRG_EIO: it could not be written (a pipe whose reader has gone included); errors
 *         of the store.
 */
DRG_MUSTCHECK
int drg_export(struct drg_store *s, const struct drg_filter *f, int fd, drg_export_progress_fn *progress,
               void *ctx, uint64_t *ret_records, struct drg_err *reterr);
