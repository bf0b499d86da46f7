/* src/load/plan_priv.h
 * Shared by the files that make a plan. */
#pragma once
#include "load/plan.h"

struct header_search {
	const struct drg_profiles *stored;
	const struct drg_plan_wishes *w;
	enum drg_kind kind; /* kind of a proposal */
	/* stored profile of that kind, with which a proposal begins; NULL: none */
	const struct drg_profile *before;
	/* profile that gives encoding, sheet and separator; NULL: they are recognised */
	const struct drg_profile *opened_as;
	struct drg_arena folded; /* memory for the present row */
	struct drg_column cells[DRG_SHEET_COLUMNS_MAX]; /* cells of that row, folded */
	unsigned n_cells;
	int rc; /* code of comparing names */
	unsigned nth; /* number of the sheet, as in struct drg_sheet_options */
	unsigned at; /* of several chosen sheets, as in struct drg_sheet_options */
	bool opened; /* the sheet that was tried last could be opened */
	unsigned best_points;
	unsigned best; /* index of the best header row among the kept rows, its last one if it has two */
	bool best_two; /* the row before it is a part of the header too */
	const struct drg_profile *profile; /* stored profile whose columns the best row has all; NULL: none */
};

/** Find a name among the columns; -1: none has it. @param rc  Becomes DRG_ENOMEM if memory is short. */
int drg_plan_column_among(const struct drg_column *columns, unsigned n, struct drg_str name, int *rc);
/** May the wishes mean this stored profile? */
bool drg_plan_profile_wanted(const struct drg_plan_wishes *w, const struct drg_profile *p);

/** The only profile that the wishes may mean; NULL: there are none or several. */
const struct drg_profile *drg_plan_likely(const struct drg_profiles *stored, const struct drg_plan_wishes *w);

/** Read and keep the first rows of the file. */
DRG_MUSTCHECK
int drg_plan_keep_rows(struct drg_plan *p, struct drg_arena *arena, struct drg_err *reterr);
/** Find the header among these rows: one row, or two of which the upper one names groups of columns. Rows
 * above it are titles and dates.
 * @return DRG_OK; DRG_EINVAL: no row looks like a header; DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_plan_find_header(struct drg_plan *p, struct header_search *s, struct drg_arena *arena,
                         struct drg_err *reterr);

/** Once the header is found: choose the profile, stored or proposed, and bind columns to fields. */
DRG_MUSTCHECK
int drg_plan_take_profile(struct drg_plan *p, const struct header_search *s, struct drg_err *reterr);
