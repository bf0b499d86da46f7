/* src/load/profile.h
 * How the files of a supplier look: which column feeds which field, and how the cells are written. Stored as
 * the `data` of a profile record, one for each kind of list that a supplier sends (docs/interchange.md has
 * its members). */
#pragma once
#include "model/record.h"

enum { DRG_PROFILE_COLUMNS_MAX = 64, DRG_PROFILE_IGNORED_MAX = 256 };

struct drg_profile_column {
	const struct drg_field_def *field; /**< of a source */
	struct drg_str column; /**< as in the header row */
};

struct drg_profile {
	enum drg_kind kind; /**< of the record that each row is */
	struct drg_profile_column columns[DRG_PROFILE_COLUMNS_MAX];
	unsigned n_columns;
	struct drg_str ignored[DRG_PROFILE_IGNORED_MAX]; /**< columns that are known to be of no use */
	unsigned n_ignored;
	struct drg_str encoding, sheet, lang; /**< empty: recognised; "en" */
	char separator; /**< 0: recognised */
	char decimal; /**< '.' or ','; 0: either, where a number can be read in one way only */
	unsigned also; /**< a bit for each kind that the rows bring along */
	bool complete; /**< a file is all there is: what it lacks is gone */
};

/**
 * Read the `data` of a profile.
 * @param arena  Owns the texts of @p ret.
 * @return DRG_OK; DRG_EINVAL: with the member at fault; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_profile_read(enum drg_kind kind, struct drg_str data, struct drg_arena *arena,
                     struct drg_profile *ret, struct drg_err *reterr);
/** Append it as such data. */
void drg_profile_write(const struct drg_profile *p, struct drg_buf *out);

/** A field of a source that a column can feed, by its wire name; NULL: there is none of this kind. */
const struct drg_field_def *drg_profile_field(enum drg_kind kind, struct drg_str wire);
/** The column of a field; NULL: it has none. */
const struct drg_profile_column *drg_profile_column_of(const struct drg_profile *p, enum drg_field field);
/** Let @p column feed the field, in place of what fed it. @return false: there are too many. */
bool drg_profile_bind(struct drg_profile *p, const struct drg_field_def *field, struct drg_str column);
/** No column feeds it any more. */
void drg_profile_unbind(struct drg_profile *p, const struct drg_field_def *field);
