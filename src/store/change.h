/* src/store/change.h
 * The effect of putting a record where a row is stored: which fields are kept, what counts as a change of the
 * data or of the mapping, and which seqs the row then has. Independent of engines: an engine loads the row,
 * and writes the result. */
#pragma once
#include "store/store.h"

/** The seqs of a row that is stored for the first time. */
void drg_change_first(const struct drg_record *r, int64_t seq, struct drg_row_meta *ret);

/** The row to write in place of a stored one. */
struct drg_row_change {
	enum drg_put_result
	        result; /**< DRG_PUT_SAME: nothing is to be written, and the rest is the stored row */
	struct drg_record next; /**< borrows its texts from the stored row and from the record that is put */
	struct drg_row_meta meta;
};

/**
 * Put a record where a row of its identity is stored, live or as a tombstone.
 * - A field with DRG_FF_KEEP that the record does not mention (neither in `has` nor in `nulls`) keeps its
 *   stored value; every other absent field is cleared. A tombstone has only its identity, so a record that
 *   comes back starts empty.
 * - Nothing changes if all fields, and whether the row is deleted, are as before.
 * - Another dict_id is a change of the mapping, everything else a change of the data. So removing a mapped
 *   source is both.
 * @param seq  The seq of the transaction.
 */
void drg_change_put(const struct drg_record *row, const struct drg_row_meta *meta, const struct drg_record *r,
                    int64_t seq, struct drg_row_change *ret);
