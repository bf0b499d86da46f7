/* src/load/read_back.h
 * Reads lists of ours that people filled in in a spreadsheet: files with named columns, row by row. */
#pragma once
#include "model/model.h"
#include "sheet/sheet.h"

enum { DRG_READ_BACK_COLUMNS = 8, DRG_READ_BACK_TOLD = 1000 };

/** The request of a command, and the result. */
struct drg_read_back {
	const char *const *files;
	size_t n_files;
	const char *name; /**< the origin named in the batch; NULL: the first file */
	const char *encoding; /**< of text files, as in struct drg_sheet_options; NULL: recognised */
	struct drg_str by, why; /**< empty: unknown */
	bool dry_run;
	/** Called for each row that is refused, with the reason, up to DRG_READ_BACK_TOLD; may be NULL. */
	void (*refused)(void *ctx, const char *file, uint64_t line, const char *why);
	void *ctx;

	/* The result. */
	uint64_t rows, n_refused;
	uint64_t same; /**< rows that change nothing */
	int64_t batch; /**< 0: nothing changed that undoing a batch could reverse */

	/* Valid while a file is read. */
	const char *file;
	uint64_t line; /**< line of the row; `row` or `end` may set it */
	const struct drg_sheet_row *row; /**< NULL: the row is no longer in memory */
	int at[DRG_READ_BACK_COLUMNS]; /**< place of each column; -1: the file lacks it */
};

/** A sort of list. */
struct drg_read_back_form {
	const char *const *columns; /**< names of the columns; the first three are adapter_id, kind and id */
	unsigned n_columns, n_wanted; /**< at most DRG_READ_BACK_COLUMNS; the first n_wanted must be there */
	const char
	        *expected; /**< "the columns ... and decision, as 'match queue --output FILE' writes them" */
	/** Called for each row below the header; the row is borrowed for the call. @return DRG_OK; anything
	 * else ends the reading. */
	int (*row)(void *ctx, const struct drg_sheet_row *row, struct drg_err *reterr);
	int (*end)(void *ctx,
	           struct drg_err *reterr); /**< called after the last row of a file; NULL: nothing to do */
};

/** Read the files. @return DRG_OK; DRG_EINVAL: a file cannot be read, or lacks a column; as `row` and
 * `end`. */
DRG_MUSTCHECK
int drg_read_back(struct drg_read_back *b, const struct drg_read_back_form *form, void *ctx,
                  struct drg_err *reterr);

/** The origin named in the batch. */
const char *drg_read_back_name(const struct drg_read_back *b);
/** The cell of a row in a column; empty if there is none. */
struct drg_str drg_read_back_cell(const struct drg_read_back *b, const struct drg_sheet_row *row,
                                  unsigned column);
/** Read the source of a row from the first three columns. @return NULL, or the fault. */
const char *drg_read_back_source(const struct drg_read_back *b, const struct drg_sheet_row *row,
                                 int64_t *ret_adapter, enum drg_kind *ret_kind, struct drg_str *ret_id);
/** Refuse the row at `line`; other rows continue. */
void drg_read_back_refuse(struct drg_read_back *b, const char *why);
/** Likewise, where `row` is another one by now. */
void drg_read_back_refuse_source(struct drg_read_back *b, struct drg_str kind, struct drg_str id,
                                 const char *why);
