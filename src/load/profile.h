/* src/load/profile.h
 * The form of a supplier's files: which column feeds which field, and how the cells are written. Stored as
 * the `data` of a profile record, one for each kind of list that a supplier sends (docs/interchange.md has
 * its members). */
#pragma once
#include "model/record.h"
#include "text/cells.h"

enum { DRG_PROFILE_COLUMNS_MAX = 64, DRG_PROFILE_IGNORED_MAX = 256 };

struct drg_profile_column {
	const struct drg_field_def *field; /**< a field of a source */
	struct drg_str column; /**< name as in the header row */
};

/** The order of two coordinates, compared with the order that the columns' names give. */
enum drg_degrees {
	DRG_DEGREES_UNKNOWN, /**< not decided: read as the names say */
	DRG_DEGREES_STRAIGHT,
	DRG_DEGREES_EXCHANGED, /**< the latitude is where the names have the longitude */
};

struct drg_profile {
	enum drg_kind kind; /**< kind of the records in the list */
	struct drg_profile_column columns[DRG_PROFILE_COLUMNS_MAX];
	unsigned n_columns;
	struct drg_str ignored[DRG_PROFILE_IGNORED_MAX]; /**< columns that are known to be useless */
	unsigned n_ignored;
	struct drg_str encoding, sheet, lang; /**< empty: recognised; an empty lang is "en" */
	/** of rows that name none, for a list of one country or of one class; empty: none */
	struct drg_str country, category;
	uint32_t separator; /**< a character; 0: recognised */
	enum drg_quote quote; /**< DRG_QUOTE_UNKNOWN: recognised */
	char decimal; /**< '.' or ','; 0: either, if a number can be read in one way only */
	enum drg_degrees degrees; /**< decided by the values of a whole list (load/degrees.h) */
	unsigned also; /**< kinds that the rows also describe, a bit each */
	bool complete; /**< a file is complete: a record that it lacks is gone */
};

/**
 * Read the `data` of a profile.
 * @param arena  Owns the texts of @p ret.
 * @return DRG_OK; DRG_EINVAL: with the member at fault; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_profile_read(enum drg_kind kind, struct drg_str data, struct drg_arena *arena,
                     struct drg_profile *ret, struct drg_err *reterr);
/** Append a profile in this form. */
void drg_profile_write(const struct drg_profile *p, struct drg_buf *out);

/** Find a field of a source that a column can feed, by its wire name; NULL: this kind has none. */
const struct drg_field_def *drg_profile_field(enum drg_kind kind, struct drg_str wire);
/** The most bytes of the country and the category of a whole list. */
enum { DRG_PROFILE_VALUE_MAX = 256 };
/** Check the country and the category of a whole list: a name or a code, and the kind has such a field.
 * @return DRG_OK, DRG_EINVAL. */
DRG_MUSTCHECK
int drg_profile_check_values(const struct drg_profile *p, struct drg_err *reterr);
/** Are records of this kind known by their code, which is their name where a list has none? */
bool drg_profile_of_codes(enum drg_kind kind);
/** The column that feeds a field; NULL: none. */
const struct drg_profile_column *drg_profile_column_of(const struct drg_profile *p, enum drg_field field);
/** Let @p column feed a field, in place of another column. @return false: there are too many columns. */
bool drg_profile_bind(struct drg_profile *p, const struct drg_field_def *field, struct drg_str column);
/** Let no column feed a field any more. */
void drg_profile_unbind(struct drg_profile *p, const struct drg_field_def *field);
/** Refuse two fields of one column, which the user has named by mistake (decision P7). @return DRG_OK,
 * DRG_EINVAL, DRG_ENOMEM, DRG_EINTERNAL. */
DRG_MUSTCHECK
int drg_profile_check_shared(const struct drg_profile *p, struct drg_err *reterr);
