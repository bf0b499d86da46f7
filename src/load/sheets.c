/* Several sheets of a workbook as one list: the first is opened like a file, the others by name, and they must
 * have its columns. The report names the sheets that were not read. */
#include <stdio.h>
#include <string.h>

#include "load/load_priv.h"

/* Most sheets of one list: the workbook is opened for each. */
enum { SHEETS_READ_MAX = 64 };

static const char *file_name(const struct load_run *l)
{
	return (l->o->names != NULL ? l->o->names : l->o->files)[l->next_file - 1];
}

/* Note the present sheet as read. */
static int add_read(struct load_run *l, struct drg_err *reterr)
{
	const struct drg_sheet_about *a = drg_sheet_about(l->plan.sheet);
	const char *name = drg_arena_str(&l->plans, drg_str_c(a->sheet)).p;
	if (name == NULL)
		return drg_fail_memory(reterr);
	l->sheets_read[l->n_sheets_read++] = (struct load_sheet_read){ name, 0 };
	l->label[0] = '\0';
	if (l->n_sheets > 0)
		snprintf(l->label, sizeof l->label, "%s, sheet %s", file_name(l), name);
	return DRG_OK;
}

/* The sheets behind the first one that was opened. */
static int list_rest(struct load_run *l, const char *wanted, struct drg_err *reterr)
{
	const struct drg_sheet_about a = *drg_sheet_about(l->plan.sheet);
	struct drg_sheet_options o = { .sheet = wanted, .stop = l->o->stop_reading };
	struct drg_sheet *s = NULL;
	if (a.n_chosen > SHEETS_READ_MAX)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(list_too_large), "sheet",
		                "expected at most %d sheets of one list, found %u: name fewer",
		                SHEETS_READ_MAX, a.n_chosen);
	l->sheets_read = drg_arena_calloc(&l->plans, a.n_chosen, sizeof *l->sheets_read);
	l->sheets = drg_arena_calloc(&l->plans, a.n_chosen, sizeof *l->sheets);
	if (l->sheets_read == NULL || l->sheets == NULL)
		return drg_fail_memory(reterr);
	if (a.n_chosen < 2)
		return DRG_OK;
	bool behind = false;
	int rc = drg_sheet_open(l->plan.path, &o, &s, reterr);
	for (o.at = 0; o.at < a.n_chosen && rc == DRG_OK; o.at++) {
		rc = drg_sheet_choose(s, &o, reterr);
		if (rc == DRG_OK && behind)
			l->sheets[l->n_sheets++] =
			        drg_arena_str(&l->plans, drg_str_c(drg_sheet_about(s)->sheet)).p;
		if (rc == DRG_OK && behind && l->sheets[l->n_sheets - 1] == NULL)
			rc = drg_fail_memory(reterr);
		behind |= rc == DRG_OK && strcmp(drg_sheet_about(s)->sheet, a.sheet) == 0;
	}
	drg_sheet_close(s);
	return rc;
}

/* Does each field come from a column of the same name? A stored profile has what it needs, or it is refused. */
static bool same_columns(const struct drg_profile *a, const struct drg_profile *b)
{
	bool same = a->kind == b->kind && a->n_columns == b->n_columns;
	for (unsigned i = 0; i < a->n_columns && same; i++) {
		const struct drg_profile_column *other = drg_profile_column_of(b, a->columns[i].field->field);
		same = other != NULL && drg_str_eq(a->columns[i].column, other->column);
	}
	return same;
}

/* Find a sheet that was read; NULL: it was not. */
static const struct load_sheet_read *find_read(const struct load_run *l, const char *name)
{
	for (unsigned k = 0; k < l->n_sheets_read; k++)
		if (strcmp(l->sheets_read[k].name, name) == 0)
			return &l->sheets_read[k];
	return NULL;
}

/* Only a dry run counts the rows of unread sheets; otherwise it is enough to know that there are rows. A
 * hidden sheet can be a leftover of the supplier, or the list itself. */
void drg_load_tell_sheets(struct load_run *l, struct drg_sheet *s)
{
	const uint64_t most = l->o->dry_run ? UINT64_MAX : 1;
	struct drg_err e;
	const char *name;
	unsigned n = 0, others = 0;
	bool hidden, counting = true;
	while (drg_sheet_name(s, n, &hidden) != NULL)
		n++;
	uint64_t *rows = l->o->sheet != NULL ? drg_arena_calloc(&l->plans, n, sizeof *rows) : NULL;
	for (unsigned i = 0; i < n && rows != NULL && counting; i++)
		if (find_read(l, drg_sheet_name(s, i, &hidden)) == NULL &&
		    (counting = drg_sheet_count(s, i, most, &rows[i], &e) == DRG_OK))
			others += rows[i] > 0;
	for (unsigned i = 0; i < n && rows != NULL && (l->n_sheets_read > 1 || others > 0); i++) {
		name = drg_sheet_name(s, i, &hidden);
		const struct load_sheet_read *read = find_read(l, name);
		if (read != NULL || (l->o->dry_run && rows[i] > 0))
			l->o->sheet(l->o->ctx, file_name(l), name, read != NULL ? read->rows : rows[i],
			            read != NULL, hidden);
	}
}

/* The last sheet is notes, so no sheet is open that could tell of the others: open the first again. */
static void tell_behind_notes(struct load_run *l)
{
	const struct drg_sheet_options o = { .sheet = l->sheets_read[0].name, .stop = l->o->stop_reading };
	struct drg_sheet *s = NULL;
	struct drg_err e;
	if (drg_sheet_open(l->o->files[l->next_file - 1], &o, &s, &e) == DRG_OK)
		drg_load_tell_sheets(l, s);
	drg_sheet_close(s);
}

int drg_load_open_next(struct load_run *l, struct drg_err *reterr)
{
	struct drg_plan_wishes w = l->o->wishes;
	const bool first = l->next_sheet == l->n_sheets;
	if (first) {
		l->next_file++;
		l->n_sheets = l->next_sheet = l->n_sheets_read = 0;
		l->label[0] = '\0';
	} else {
		w.sheet = l->sheets[l->next_sheet++];
		w.kind = l->first.kind;
		snprintf(l->label, sizeof l->label, "%s, sheet %s", file_name(l), w.sheet);
	}
	struct drg_err e;
	int rc = drg_plan_open(l->o->files[l->next_file - 1], l->o->stop_reading, &l->profiles, &w, &l->plans,
	                       &l->plan, &e);
	if (!first && rc == DRG_EINVAL && l->plan.headless && l->skip_headless) {
		if (l->next_sheet == l->n_sheets)
			tell_behind_notes(l);
		return DRG_OK; /* notes; the plan is closed */
	}
	if (rc != DRG_OK && !first)
		return drg_fail(reterr, rc, drg_reason_find(e.reason), e.field, "sheet \"%s\" of %s", w.sheet,
		                e.message);
	if (rc != DRG_OK) {
		if (reterr != NULL)
			*reterr = e;
		return rc;
	}
	const struct drg_sheet_about *a = drg_sheet_about(l->plan.sheet);
	if (first) {
		const struct drg_profile *p = &l->plan.profile;
		const char *wanted = w.sheet != NULL  ? w.sheet
		                     : p->sheet.n > 0 ? drg_arena_str(&l->plans, p->sheet).p
		                                      : NULL;
		l->first = *p;
		l->skip_headless = a->all;
		rc = a->workbook ? list_rest(l, wanted, reterr) : DRG_OK;
	} else if (l->plan.proposed && !same_columns(&l->first, &l->plan.profile)) {
		rc = drg_fail(
		        reterr, DRG_EINVAL, NULL, "sheet",
		        "%s: the sheet \"%s\" has other columns than \"%s\": load it by itself, with --sheet",
		        l->plan.path, a->sheet, l->sheets_read[0].name);
	}
	return rc == DRG_OK && a->workbook ? add_read(l, reterr) : rc;
}
