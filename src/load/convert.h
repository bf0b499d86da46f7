/* src/load/convert.h
 * A row of a list to the record that it means. Cells are read as people write them: decimal commas,
 * thousands, words for yes and no in several languages. Every bad cell of a row is told. */
#pragma once
#include "load/plan.h"

struct drg_converted {
	struct drg_record r; /**< a source: what the columns of the profile say; nothing else is in it */
	struct drg_str reasons; /**< "lat: expected ..., found ...; name: ..."; empty: the row is good */
	const char *skipped; /**< why it is no record: a group's title, a total; NULL: it is one */
	bool idless; /**< a record, as it has a name, but nobody knows which: its id is empty */
	bool lone; /**< it has an id and nothing else: a title too, unless the id is known */
	struct drg_str warning; /**< coordinates that cannot be, and are left out; empty: none */
	uint64_t
	        /** a bit for each field for which the row says nothing, though the file has a column */
	        unsaid;
};

/**
 * @param arena  Owns the texts of @p ret that are not the row's own, which are borrowed.
 * @return DRG_OK, also for a bad row; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_convert_row(const struct drg_plan *p, int64_t adapter, const struct drg_sheet_row *row,
                    struct drg_arena *arena, struct drg_converted *ret, struct drg_err *reterr);

/** The record of another kind that a row brings along (struct drg_profile, `also`). @return false: it brings
 * none. */
bool drg_convert_also(const struct drg_record *row, enum drg_kind kind, struct drg_record *ret);
