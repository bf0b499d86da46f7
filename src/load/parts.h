/* src/load/parts.h
 * Cells with two values, and rows that are not records: forms that people write into lists for people
 * (decision P10). */
#pragma once
#include "load/plan.h"

/** Cut a cell into its two parts: "36.775, 31.376" if it has coordinates, else "HB / Half board".
 * @return false: it has one part. */
bool drg_cell_split_pair(struct drg_str cell, bool degrees, struct drg_str ret[2]);
/** Read a point that says itself which number is which: WKT ("POINT (31.376 36.775)", with an SRID too),
 * GeoJSON, {"lat": 36.775, "lng": 31.376}.
 * @param ret  The latitude, the longitude. @return false: it is not a point. */
bool drg_cell_point(struct drg_str cell, struct drg_str ret[2]);
/** Such a point, or two precise numbers? */
bool drg_cell_is_place(struct drg_str cell);
/** Is a cell with coordinates one number or two whole ones? "36,86" may be either. */
bool drg_cell_is_vague_pair(struct drg_str cell);
/** Read degrees with a sign for them or for the side of the globe: 36°46'30"N, N 36.775, 36,775°.
 * @param latitude  North or south, else east or west; in Turkish too. @return false: they are not degrees. */
bool drg_cell_degrees(struct drg_str cell, bool latitude, double *ret);

/** Why a row of data is not a record: a total, a note, the header once more; NULL: it may be a record. */
const char *drg_row_oddity(const struct drg_plan *p, const struct drg_sheet_row *row);
