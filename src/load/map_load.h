/* src/load/map_load.h
 * A list of mappings that was filled in in a spreadsheet (`dragoman map list --output`), read back as one
 * batch. */
#pragma once
#include "load/read_back.h"
#include "store/store.h"

struct drg_map_load {
	struct drg_read_back list;
	uint64_t mapped, cleared;
};

/**
 * Columns: adapter_id, kind, id, dict_id; and `was`, the mapping as it was listed: a row whose mapping is
 * another by now is refused, and an empty dict_id clears it. Without that column an empty dict_id leaves the
 * mapping alone. Other columns are for people. Rows that are refused do not hinder others.
 * @return DRG_OK, also when rows were refused; DRG_EINVAL: a file cannot be read, or lacks a column;
 *         DRG_EBUSY: an import runs; errors of the store.
 */
DRG_MUSTCHECK
int drg_map_load(struct drg_store *s, struct drg_map_load *m, struct drg_err *reterr);
