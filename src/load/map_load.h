/* src/load/map_load.h
 * Reads back a list of mappings that people filled in in a spreadsheet (`dragoman map list --output`), as one
 * batch. */
#pragma once
#include "load/read_back.h"
#include "store/store.h"

struct drg_map_load {
	struct drg_read_back list;
	uint64_t mapped, cleared;
};

/**
 * Columns: adapter_id, kind, id, dict_id; and `was`, the mapping when the list was made. With `was`, a row
 * whose mapping has changed since is refused, and an empty dict_id clears the mapping. Without `was`, an
 * empty dict_id leaves it unchanged. Other columns are for people. Rows that are refused do not affect
 * others.
 * @return DRG_OK, also if rows were refused; DRG_EINVAL: a file cannot be read, or lacks a column; DRG_EBUSY:
 *         an import runs; errors of the store.
 */
DRG_MUSTCHECK
int drg_map_load(struct drg_store *s, struct drg_map_load *m, struct drg_err *reterr);
