/* src/load/new_load.h
 * Reads back proposals of new records that people filled in in a spreadsheet (`dragoman match new
 * --output`). */
#pragma once
#include "load/read_back.h"
#include "matching/propose/accept.h"

struct drg_new_load {
	struct drg_read_back list; /**< only its files are used */
	struct drg_new_accept *accept; /**< the caller sets by, why, refused; it has the result too */
};

/**
 * Columns: cluster, adapter_id, kind, id, and decision: new, or empty. The rows of one file that have the
 * same number and are `new` become one record, also a single row. Other columns are for people.
 * @return DRG_OK, also if some were refused; DRG_EINVAL: a file cannot be read, lacks a column, or has a bad
 *         row: then nothing of it is made; DRG_EBUSY: an import runs; errors of the store.
 */
DRG_MUSTCHECK
int drg_new_load(struct drg_store *s, struct drg_new_load *m, struct drg_err *reterr);
