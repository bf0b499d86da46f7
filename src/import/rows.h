/* src/import/rows.h
 * The rows of the files of an import, one after the other: lines of NDJSON, or rows of CSV, which may go over
 * several lines. Blank ones are left out. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "model/csv.h"

/** Longest row, in bytes: one more is an error, and is never held in memory. */
#define DRG_ROW_MAX ((size_t)8 << 20)

struct drg_rows;

struct drg_row {
	struct drg_str text; /**< borrowed until the next call; empty when too_long */
	uint32_t file; /**< index in the list of files */
	uint64_t line; /**< its first line, from 1 */
	bool too_long;
};

/**
 * @param files  Paths, "-" is standard input. Looked at here, so that a wrong one is reported before the work.
 * @param csv    NULL: NDJSON. Both are borrowed until drg_rows_close().
 * @return DRG_OK; DRG_ENOENT, DRG_EIO with the path in the message; DRG_EUSAGE: "-" twice.
 */
DRG_MUSTCHECK
int drg_rows_open(const char *const *files, size_t n_files, const struct drg_csv_options *csv,
                  struct drg_rows **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_rows_close(struct drg_rows *r);

/** @return DRG_OK; DRG_ENOENT behind the last row; errors with the path in the message. */
DRG_MUSTCHECK
int drg_rows_next(struct drg_rows *r, struct drg_row *ret, struct drg_err *reterr);

/** CSV: the header row of a file from which rows have come; valid until drg_rows_close(), from any thread. */
struct drg_str drg_rows_header(const struct drg_rows *r, uint32_t file);

/** Bytes read, and bytes of all files together (0: not known), for progress. */
uint64_t drg_rows_done(const struct drg_rows *r);
uint64_t drg_rows_total(const struct drg_rows *r);
