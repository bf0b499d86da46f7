/* src/load/new_load.h
 * Reads back proposals of new records that people filled in in a spreadsheet (`dragoman match new
 * --output`). */
#pragma once
#include "load/read_back.h"
#include "matching/propose/accept.h"

struct drg_new_load {
	struct drg_read_back list; /**< only its files, encoding and refused are used; it counts bad rows */
	struct drg_new_accept *accept; /**< the caller sets by, why, refused; it has the result too */
};

/**
 * Columns: cluster, adapter_id, kind, id, and decision: new, or empty. The rows of one file that have the
 * same number and are `new` become one record, also a single row. Other columns are for people.
 * Of a file with a bad row nothing is made: all bad rows are refused.
 * @return DRG_OK, also if some were refused; DRG_EINVAL: a file cannot be read, or lacks a column; DRG_EBUSY:
 *         an import runs; errors of the store.
 */
DRG_MUSTCHECK
int drg_new_load(struct drg_store *s, struct drg_new_load *m, struct drg_err *reterr);
