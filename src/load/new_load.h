/* src/load/new_load.h
 * Proposals of new records that were filled in in a spreadsheet (`dragoman match new --output`), read back. */
#pragma once
#include "load/read_back.h"
#include "matching/propose/accept.h"

struct drg_new_load {
	struct drg_read_back list; /**< only its files are asked for */
	struct drg_new_accept *accept; /**< by, why, refused: given; the result too */
};

/**
 * Columns: cluster, adapter_id, kind, id, and decision: new, or nothing. What has one number in one file and
 * is `new` becomes one record, also where it is a single row. Other columns are for people.
 * @return DRG_OK, also where some were refused; DRG_EINVAL: a file cannot be read, lacks a column, or has a
 *         row that is wrong: then nothing of it is made; DRG_EBUSY: an import runs; errors of the store.
 */
DRG_MUSTCHECK
int drg_new_load(struct drg_store *s, struct drg_new_load *m, struct drg_err *reterr);
