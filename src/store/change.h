/* src/store/change.h
 * What putting a record does to the row that is stored of it: which fields it keeps, what counts as a change,
 * of the data or of the mapping, and which numbers the row then carries. Free of any engine: an engine loads
 * the row, and writes what comes out of this. */
#pragma once
#include "store/store.h"

/** The numbers of a row that is stored for the first time. */
void drg_change_first(const struct drg_record *r, int64_t seq, struct drg_row_meta *ret);

/** What is to be written in place of a row. */
struct drg_row_change {
	enum drg_put_result
	        result; /**< DRG_PUT_SAME: nothing is to be written, and the rest is the row as it was */
	struct drg_record next; /**< borrows its texts from the row and from what is put */
	struct drg_row_meta meta;
};

/**
 * A record is put where a row of its identity is stored, be that a tombstone.
 * - A field with DRG_FF_KEEP about which the record is silent (neither in `has` nor in `nulls`) stays as it
 *   is; every other absent field is cleared. A tombstone keeps its identity only, so what comes back begins
 *   anew.
 * - Nothing changes if all fields, and being deleted or not, are as before.
 * - Another dict_id is a change of the mapping, everything else one of the data. So the removal of a mapped
 *   source is both.
 * @param seq  Of the transaction.
 */
void drg_change_put(const struct drg_record *row, const struct drg_row_meta *meta, const struct drg_record *r,
                    int64_t seq, struct drg_row_change *ret);
