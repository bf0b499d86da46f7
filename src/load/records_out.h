/* src/load/records_out.h
 * Writes the records of a supplier as a table for people, with the columns of `dragoman map list --output`;
 * `dragoman map load` reads it back. Memory does not grow with the table. */
#pragma once
#include "store/store.h"

struct drg_records_out {
	int64_t adapter;
	enum drg_kind kind; /**< DRG_KIND_NONE: every kind, with the fields of all */
	const char *path; /**< overwritten if it exists */
	bool workbook; /**< false: CSV, in which no cell is a formula (decision P6) */
	bool (*over)(void *ctx); /**< called now and then: does nobody want the table any more? */
	void *ctx;
};

/** Write the table.
 * @return DRG_OK; DRG_ESTOPPED: over() returned true; DRG_ELIMIT: too many rows for a workbook; DRG_EFULL,
 *         DRG_EIO with the reason not_stored: the file cannot be written; errors of the store. */
DRG_MUSTCHECK
int drg_records_out(struct drg_store *s, const struct drg_records_out *o, struct drg_err *reterr);

/** The error of a file that cannot be written, of drg_table_out's code. @return @p rc */
int drg_records_unwritten(int rc, struct drg_err *reterr);
