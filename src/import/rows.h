/* src/import/rows.h
 * Reads the rows of an import's files, one after the other: lines of NDJSON, or rows of CSV, which may have
 * several lines. Blank rows are left out. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "model/csv.h"

/** The most bytes of a row. A longer one is an error, and is never in memory as a whole. */
#define DRG_ROW_MAX ((size_t)8 << 20)

struct drg_import_rows;

struct drg_import_row {
	struct drg_str text; /**< borrowed until the next call; empty if too_long */
	uint32_t file; /**< index in the list of files */
	uint64_t line; /**< number of its first line, from 1 */
	bool too_long;
};

/**
 * @param files  Paths, "-" is standard input. They are checked here, so that a wrong path is reported before
 * the work.
 * @param csv    NULL: NDJSON. Both are borrowed until drg_import_rows_close().
 * @return DRG_OK; DRG_ENOENT, DRG_EIO with the path in the message; DRG_EUSAGE: "-" twice.
 */
DRG_MUSTCHECK
int drg_import_rows_open(const char *const *files, size_t n_files, const struct drg_csv_options *csv,
                         struct drg_import_rows **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_import_rows_close(struct drg_import_rows *r);

/** Get the next row. @return DRG_OK; DRG_ENOENT behind the last row; errors with the path in the message. */
DRG_MUSTCHECK
int drg_import_rows_next(struct drg_import_rows *r, struct drg_import_row *ret, struct drg_err *reterr);

/** CSV: the header row of a file of which rows were read; valid until drg_import_rows_close(), from any
 * thread. */
struct drg_str drg_import_rows_header(const struct drg_import_rows *r, uint32_t file);

/** Bytes read so far, and bytes of all files (0: not known), for progress. */
uint64_t drg_import_rows_bytes_read(const struct drg_import_rows *r);
uint64_t drg_import_rows_bytes_total(const struct drg_import_rows *r);
