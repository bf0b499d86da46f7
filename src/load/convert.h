/* src/load/convert.h
 * Converts a row of a list to a record. Cells are read as people write them: decimal commas, thousands, words
 * for yes and no in several languages. Every bad cell of a row is reported. */
#pragma once
#include "load/plan.h"

struct drg_converted {
	struct drg_record r; /**< a source with the fields of the profile's columns only */
	struct drg_str reasons; /**< "lat: expected ..., found ...; name: ..."; empty: the row is good */
	const char *skipped; /**< why the row is not a record: a group's title, a total; NULL: it is a
	                      * record */
	bool idless; /**< the row is a record, since it has a name, but its id is empty */
	bool swallows; /**< a cell of it has perhaps taken other rows in */
	bool lone; /**< the row has only an id: it is a title too, unless the id is known */
	struct drg_str
	        warning; /**< bad coordinates, which are left out, and what may be wrong; empty: none */
	bool placeless; /**< its coordinates were bad, and are left out */
	uint64_t
	        /** fields that the row leaves open although the file has a column, a bit each */
	        unsaid;
};

/**
 * Convert a row.
 * @param arena  Owns the texts of @p ret that are not borrowed from the row.
 * @return DRG_OK, also for a bad row; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_convert_row(const struct drg_plan *p, int64_t adapter, const struct drg_sheet_row *row,
                    struct drg_arena *arena, struct drg_converted *ret, struct drg_err *reterr);

/** Name the damage if a program has turned an id of column @p k into a number or a date: "a number with
 * thousands separators" for 6.553, "a number with decimals" for 6553.0, "a date" for 3-May. NULL: none, or
 * the other ids prove that ids of this form are right. */
const char *drg_convert_spoilt(const struct drg_plan *p, unsigned k, struct drg_str id);

/** Read the latitude and longitude of a row, whatever their size. @param exchanged  The latitude is where the
 * longitude should be. @return false: it has no two numbers. */
bool drg_convert_degrees(const struct drg_plan *p, const struct drg_sheet_row *row, bool exchanged,
                         double ret[2]);

/** Make the record of another kind that a row also describes (struct drg_profile, `also`). @return false: it
 * describes none. */
bool drg_convert_also(const struct drg_record *row, enum drg_kind kind, struct drg_record *ret);
