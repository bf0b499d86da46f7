/* src/admin/export.h
 * Writes the store as NDJSON, in canonical order: the same data gives the same bytes. API keys are not part
 * of it. */
#pragma once
#include "base/tempfile.h"
#include "store/store.h"

/** Called now and then with the number of records written so far. */
typedef void drg_export_progress_fn(void *ctx, uint64_t records);

/**
 * Write the records that pass the filter, from one snapshot.
 * @param fd           The output; the caller ignores SIGPIPE.
 * @param aside        For an output that its reader may take slowly, such as a pipe: what was read is kept
 *                     here, and written when the snapshot is over. NULL: it is written at once.
 * @param progress     May be NULL.
 * @param ret_records  May be NULL.
 * @return DRG_OK; DRG_EFULL, DRG_EIO: the output failed, or is a pipe without a reader; errors of the store.
 */
DRG_MUSTCHECK
int drg_export(struct drg_store *s, const struct drg_filter *f, int fd, struct drg_tempfile *aside,
               drg_export_progress_fn *progress, void *ctx, uint64_t *ret_records, struct drg_err *reterr);
