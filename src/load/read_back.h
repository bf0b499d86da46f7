/* src/load/read_back.h
 * Lists of ours that people filled in in a spreadsheet: files with named columns, row by row. */
#pragma once
#include "model/model.h"
#include "sheet/sheet.h"

enum { DRG_READ_BACK_COLUMNS = 8 };

/** What a command asks, and what it tells. */
struct drg_read_back {
	const char *const *files;
	size_t n_files;
	const char *name; /**< what the batch says that it came from; NULL: the first file */
	struct drg_str by, why; /**< empty: not said */
	bool dry_run;
	/** Told of each row that is refused, and why; may be NULL. */
	void (*refused)(void *ctx, const char *file, uint64_t line, const char *why);
	void *ctx;

	/* The result. */
	uint64_t rows, n_refused;
	uint64_t same; /**< rows that change nothing */
	int64_t batch; /**< 0: nothing changed that a batch can take back */

	/* While it is read. */
	const char *file;
	uint64_t line; /**< of the row; `row` or `end` may set it */
	const struct drg_sheet_row *row; /**< NULL: not known any more */
	int at[DRG_READ_BACK_COLUMNS]; /**< where a column stands; -1: the file has none */
};

/** A sort of list. */
struct drg_read_back_form {
	const char *const *columns; /**< names; adapter_id, kind and id are the first three */
	unsigned n_columns,
	        n_wanted; /**< at most DRG_READ_BACK_COLUMNS; so many of the first must be there */
	const char
	        *expected; /**< "the columns ... and decision, as 'match queue --output FILE' writes them" */
	/** A row below the header; what it borrows is valid for the call. @return DRG_OK; anything else ends
	 * the reading. */
	int (*row)(void *ctx, const struct drg_sheet_row *row, struct drg_err *reterr);
	int (*end)(void *ctx,
	           struct drg_err *reterr); /**< behind the last row of a file; NULL: nothing is to be done */
};

/** @return DRG_OK; DRG_EINVAL: a file cannot be read, or lacks a column; what `row` and `end` return. */
DRG_MUSTCHECK
int drg_read_back(struct drg_read_back *b, const struct drg_read_back_form *form, void *ctx,
                  struct drg_err *reterr);

/** What the batch says that it came from. */
const char *drg_read_back_name(const struct drg_read_back *b);
/** The cell of a row in a column; empty: there is none. */
struct drg_str drg_read_back_cell(const struct drg_read_back *b, const struct drg_sheet_row *row,
                                  unsigned column);
/** Whose row it is, by the first three columns. @return NULL, or what is wrong with it. */
const char *drg_read_back_source(const struct drg_read_back *b, const struct drg_sheet_row *row,
                                 int64_t *ret_adapter, enum drg_kind *ret_kind, struct drg_str *ret_id);
/** Refuse the row at `line`; the others go on. */
void drg_read_back_refuse(struct drg_read_back *b, const char *why);
