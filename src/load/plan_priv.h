/* src/load/plan_priv.h
 * What the files that make a plan share. */
#pragma once
#include "load/plan.h"

struct header_search {
	const struct drg_profiles *stored;
	const struct drg_plan_wishes *w;
	enum drg_kind kind; /* of a proposal */
	const struct drg_profile *before; /* stored, of that kind: a proposal begins with it; NULL: none is */
	const struct drg_profile *opened_as; /* encoding, sheet and separator are its; NULL: recognised */
	struct drg_arena folded; /* of the row that is looked at */
	struct drg_column cells[DRG_SHEET_COLUMNS_MAX]; /* likewise */
	unsigned n_cells;
	int rc; /* of comparing names */
	unsigned nth; /* the sheet, as of struct drg_sheet_options */
	bool opened; /* the sheet that was tried last could be */
	unsigned best_points;
	unsigned best; /* of the kept rows: the last of the header */
	bool best_two; /* the row before it is a part of the header too */
	const struct drg_profile *profile; /* stored, with all of its columns in the best row */
};

/** Which of these columns is called so; -1: none. @param rc  Becomes DRG_ENOMEM if memory is short. */
int drg_plan_column_among(const struct drg_column *columns, unsigned n, struct drg_str name, int *rc);
/** May the stored profile be meant? */
bool drg_plan_profile_wanted(const struct drg_plan_wishes *w, const struct drg_profile *p);

/** The only one that may be; NULL: there is none, or several are. */
const struct drg_profile *drg_plan_likely(const struct drg_profiles *stored, const struct drg_plan_wishes *w);

/** Keep the first rows of the file. */
DRG_MUSTCHECK
int drg_plan_keep_rows(struct drg_plan *p, struct drg_arena *arena, struct drg_err *reterr);
/** Find the header among them: a row, or two of which the upper one names groups of columns. What is above it
 * are titles and dates.
 * @return DRG_OK; DRG_EINVAL: none looks like one; DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_plan_find_header(struct drg_plan *p, struct header_search *s, struct drg_arena *arena,
                         struct drg_err *reterr);

/** Once the header is found: the profile, stored or proposed, and which column feeds what. */
DRG_MUSTCHECK
int drg_plan_take_profile(struct drg_plan *p, const struct header_search *s, struct drg_err *reterr);
