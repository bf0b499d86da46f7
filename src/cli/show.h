/* src/cli/show.h
 * Records on standard output as a table for people, as CSV, or as lines of the interchange format. */
#pragma once
#include "model/record.h"
#include "sheet/table_out.h"

enum drg_show_format { DRG_SHOW_TABLE, DRG_SHOW_NDJSON, DRG_SHOW_CSV };
/** Names of the formats, for an option. */
extern const char *const drg_show_formats[];

/** A column of the table. */
struct drg_show_column {
	enum drg_field field;
	int width; /**< of the table, in characters; longer texts push the rest aside */
};

struct drg_show_view {
	enum drg_show_format format;
	const struct drg_type *type;
	enum drg_kind kind; /**< CSV has the fields of this kind; DRG_KIND_NONE: of every kind */
	const struct drg_show_column *columns; /**< of the table */
	size_t n_columns;
	/** Title of a last column of the table and of `out`, whose texts come from outside; NULL: there is none. */
	const char *extra;
	/** CSV goes here, with a column `was` behind; NULL: to standard output. */
	struct drg_table_out *out;
};

/** The titles, where the format has any. */
void drg_show_header(const struct drg_show_view *v);
void drg_show_record(const struct drg_show_view *v, const struct drg_record *r);
/** With the text of the extra column. */
void drg_show_record_with(const struct drg_show_view *v, const struct drg_record *r, const char *extra);
