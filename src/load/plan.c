#include "load/plan.h"

#include <string.h>

#include "load/plan_priv.h"

/* ---- stored profiles ----------------------------------------------------------------------------------- */

int drg_profiles_load(struct drg_store *s, int64_t adapter, struct drg_arena *arena, struct drg_profiles *ret,
                      struct drg_err *reterr)
{
	struct drg_rows rows;
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_PROFILE], .adapter = adapter };
	ret->n = 0;
	drg_rows_scan(&rows, s, &f, reterr);
	while (ret->n < DRG_PLAN_PROFILES_MAX && drg_rows_next(&rows)) {
		const struct drg_record *r = &rows.row.r;
		struct drg_str data = drg_arena_str(arena, r->v[DRG_F_DATA].s);
		rows.rc = data.p != NULL ? drg_profile_read(drg_record_kind(r), data, arena,
		                                            &ret->list[ret->n++], reterr)
		                         : drg_fail_memory(reterr);
	}
	return drg_rows_end(&rows);
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

int drg_plan_next(struct drg_plan *p, struct drg_sheet_row *ret, struct drg_err *reterr)
{
	if (p->next_kept == p->n_kept)
		return drg_sheet_next(p->sheet, ret, reterr);
	*ret = p->kept[p->next_kept++];
	return DRG_OK;
}

unsigned drg_plan_feeds(const struct drg_plan *p, unsigned column, const char *ret[2])
{
	unsigned n = 0;
	for (unsigned k = 0; k < p->profile.n_columns && n < 2; k++)
		if (p->at[k] == column)
			ret[n++] = p->profile.columns[k].field->wire;
	return n;
}

/* ---- opening ------------------------------------------------------------------------------------------- */

/* The kind of a proposal: that of the wishes; else, if columns are named, that of the only stored profile;
 * else hotel. */
static enum drg_kind proposed_kind(const struct drg_profiles *stored, const struct drg_plan_wishes *w)
{
	if (w->kind != DRG_KIND_NONE)
		return w->kind;
	return w->anew && stored->n == 1 ? stored->list[0].kind : DRG_KIND_HOTEL;
}

static const struct drg_profile *stored_of(const struct drg_profiles *stored, enum drg_kind kind)
{
	for (unsigned i = 0; i < stored->n; i++)
		if (stored->list[i].kind == kind)
			return &stored->list[i];
	return NULL;
}

static const char *chosen(const char *wish, struct drg_str stored)
{
	return wish != NULL ? wish : stored.n > 0 ? stored.p : NULL;
}

static int open_sheet(struct drg_plan *p, const struct header_search *s, struct drg_arena *arena,
                      struct drg_err *reterr)
{
	static const struct drg_profile none = { .kind = DRG_KIND_NONE };
	const struct drg_profile *f = s->opened_as != NULL ? s->opened_as : &none;
	const struct drg_plan_wishes *w = s->w;
	const struct drg_sheet_options o = {
		.encoding = chosen(w->encoding, drg_arena_str(arena, f->encoding)),
		.sheet = chosen(w->sheet, drg_arena_str(arena, f->sheet)),
		.nth = s->nth,
		.at = s->at,
		.separator = w->separator != 0 ? w->separator : f->separator,
		.quote = w->quote != DRG_QUOTE_UNKNOWN ? w->quote : f->quote,
		.stop = p->stop,
	};
	if (p->sheet != NULL && drg_sheet_about(p->sheet)->workbook)
		return drg_sheet_choose(p->sheet, &o, reterr);
	drg_sheet_close(p->sheet);
	p->sheet = NULL;
	return drg_sheet_open(p->path, &o, &p->sheet, reterr);
}

static int open_and_find(struct drg_plan *p, const struct drg_profile *f, struct drg_arena *arena,
                         struct header_search *s, struct drg_err *reterr)
{
	s->opened_as = f;
	s->best_points = s->best = 0;
	s->best_two = false;
	s->profile = NULL;
	/* If all sheets are read, the ones in front of the first with a header are notes. */
	for (s->at = 0;; s->at++) {
		int rc = open_sheet(p, s, arena, reterr);
		s->opened = rc == DRG_OK;
		if (rc == DRG_OK)
			rc = drg_plan_keep_rows(p, arena, reterr);
		if (rc != DRG_OK)
			return rc;
		rc = drg_plan_find_header(p, s, arena, reterr);
		const struct drg_sheet_about *a = drg_sheet_about(p->sheet);
		p->headless = rc == DRG_EINVAL;
		if (!p->headless || !a->all || s->at + 1 >= a->n_chosen)
			return rc;
	}
}

/* Choose the sheet of a workbook: the only one that has a known header; the others have notes and
 * instructions. Only one sheet's rows are kept at a time. A sheet that cannot be opened ends the search:
 * later ones cannot be opened either. */
static int open_only_list(struct drg_plan *p, const struct drg_profile *f, struct drg_arena *arena,
                          struct header_search *s, struct drg_err *reterr)
{
	struct drg_err said = *reterr, e;
	struct drg_arena tried;
	unsigned lists = 0, list = 0;
	int rc = DRG_OK;
	drg_arena_init(&tried, SIZE_MAX);
	for (unsigned nth = 1; nth <= DRG_PLAN_SHEETS + 1 && rc == DRG_OK; nth++) {
		drg_arena_reset(&tried);
		s->nth = nth;
		rc = open_and_find(p, f, &tried, s, &e);
		if (rc == DRG_OK && s->best_points > 1) {
			lists++;
			list = nth;
		}
		if (rc == DRG_EINVAL && s->opened)
			rc = DRG_OK; /* this sheet has no header */
	}
	drg_arena_done(&tried);
	s->nth = list;
	if (rc == DRG_ENOENT && lists == 1)
		return open_and_find(p, f, arena, s, reterr);
	s->nth = 0;
	*reterr = rc == DRG_OK || rc == DRG_ENOENT ? said : e;
	return rc == DRG_OK || rc == DRG_ENOENT ? DRG_EINVAL : rc;
}

static int open_as(struct drg_plan *p, const struct drg_profile *f, struct drg_arena *arena,
                   struct header_search *s, struct drg_err *reterr)
{
	int rc = open_and_find(p, f, arena, s, reterr);
	bool several = rc == DRG_EINVAL && strcmp(reterr->field, "sheet") == 0 && s->w->sheet == NULL &&
	               (f == NULL || f->sheet.n == 0);
	return several ? open_only_list(p, f, arena, s, reterr) : rc;
}

/* A supplier may send several kinds of lists, each with its sheet and encoding: choose the profile of which
 * the file has most columns. Only the rows of one try are kept at a time. */
static int open_known(struct drg_plan *p, struct drg_arena *arena, struct header_search *s,
                      struct drg_err *reterr)
{
	const struct drg_profile *only = drg_plan_likely(s->stored, s->w);
	struct drg_arena tried;
	unsigned most = 0;
	int rc = DRG_OK;
	drg_arena_init(&tried, SIZE_MAX);
	for (unsigned i = 0; i < s->stored->n && (only == NULL || most > 0); i++) {
		const struct drg_profile *f = &s->stored->list[i];
		if (!drg_plan_profile_wanted(s->w, f))
			continue;
		drg_arena_reset(&tried);
		rc = open_and_find(p, f, &tried, s, reterr);
		if (rc != DRG_OK && rc != DRG_EINVAL)
			break;
		if (rc == DRG_OK && s->profile == f && s->best_points > most) {
			most = s->best_points;
			only = f;
		}
	}
	drg_arena_done(&tried);
	return rc == DRG_OK || rc == DRG_EINVAL ? open_as(p, only, arena, s, reterr) : rc;
}

/* Open the file as the stored profile says. If a new proposal was asked for and that fails, open it by
 * recognition: the file may have changed its form. */
static int open_first(struct drg_plan *p, struct drg_arena *arena, struct header_search *s,
                      struct drg_err *reterr)
{
	const struct drg_profile *f = s->before;
	if (!s->w->anew)
		return open_known(p, arena, s, reterr);
	int rc = open_as(p, f, arena, s, reterr);
	if (rc != DRG_EINVAL || f == NULL ||
	    (f->encoding.n == 0 && f->sheet.n == 0 && f->separator == 0 && f->quote == DRG_QUOTE_UNKNOWN))
		return rc;
	return open_as(p, NULL, arena, s, reterr);
}

int drg_plan_open(const char *path, const atomic_bool *stop, const struct drg_profiles *stored,
                  const struct drg_plan_wishes *w, struct drg_arena *arena, struct drg_plan *ret,
                  struct drg_err *reterr)
{
	struct header_search s = { .stored = stored, .w = w, .kind = proposed_kind(stored, w) };
	struct drg_err e;
	s.before = stored_of(stored, s.kind);
	*ret = (struct drg_plan){ .path = path, .stop = stop };
	drg_arena_init(&s.folded, SIZE_MAX);
	int rc = drg_columns_open(&e);
	if (rc == DRG_OK)
		rc = open_first(ret, arena, &s, &e);
	if (rc == DRG_OK && s.profile != NULL && s.profile != s.opened_as)
		rc = open_as(ret, s.profile, arena, &s, &e);
	if (rc == DRG_OK)
		rc = drg_plan_take_profile(ret, &s, &e);
	drg_arena_done(&s.folded);
	if (rc != DRG_OK) {
		drg_plan_close(ret);
		*reterr = e;
	}
	return rc;
}

void drg_plan_close(struct drg_plan *p)
{
	drg_sheet_close(p->sheet);
	p->sheet = NULL;
}
