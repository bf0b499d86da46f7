/* src/cli/show.h
 * Records as a listing: a table for people has a choice of columns, CSV and workbooks have every field,
 * NDJSON is that of the interchange format. */
#pragma once
#include "cli/listing.h"
#include "model/record.h"

/** A column of the table. */
struct drg_show_column {
	enum drg_field field;
	int width; /**< of the table, in characters; longer texts push the rest aside */
};

struct drg_show_view {
	const struct drg_type *type;
	enum drg_kind kind; /**< CSV has the fields of this kind; DRG_KIND_NONE: of every kind */
	const struct drg_show_column *columns; /**< of the table */
	size_t n_columns;
	/** Further columns of the table and of files, whose cells come from outside; up to one without a
	 * title; NULL: none. */
	const struct drg_listing_column *extra;
	/** files have the mapping of a record once more, so that reading one back shows what changed */
	bool was;

	/* its own */
	struct drg_listing listing;
	struct drg_listing_column titles[DRG_LISTING_COLUMNS_MAX];
	const struct drg_field_def *fields[DRG_LISTING_COLUMNS_MAX];
	unsigned n_fields;
	bool shows_was, shows_extra;
};

/** Fill in the first block, then this: opens the listing as the options say. @return as drg_listing_open(). */
DRG_MUSTCHECK
int drg_show_open(struct drg_cli *cli, struct drg_show_view *v);
/** With the cells of the extra columns; those whose p is NULL are empty. */
DRG_MUSTCHECK
int drg_show_record_with(struct drg_show_view *v, const struct drg_record *r, const struct drg_str *extra);
