#include "load/plan.h"

#include <stdlib.h>

#include "load/columns.h"
#include "model/key.h"

/* ---- stored profiles -------------------------------------------------------------------------------------- */

struct profiles_loading {
	struct drg_profiles *to;
	struct drg_arena *arena;
	struct drg_err *err;
};

static int load_profile(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct profiles_loading *x = ctx;
	(void)m;
	if (x->to->n == DRG_PLAN_PROFILES_MAX)
		return DRG_OK;
	struct drg_str data = drg_arena_str(x->arena, r->v[DRG_F_DATA].s);
	if (data.p == NULL)
		return drg_fail_memory(x->err);
	return drg_profile_read(drg_record_kind(r), data, x->arena, &x->to->list[x->to->n++], x->err);
}

int drg_profiles_load(struct drg_store *s, int64_t adapter, struct drg_arena *arena, struct drg_profiles *ret,
                      struct drg_err *reterr)
{
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_PROFILE], .adapter = adapter };
	struct profiles_loading x = { ret, arena, reterr };
	ret->n = 0;
	return drg_store_scan(s, &f, load_profile, &x, NULL, reterr);
}

/* ---- the header row --------------------------------------------------------------------------------------- */

static bool row_has(const struct drg_sheet_row *row, struct drg_str column)
{
	for (unsigned i = 0; i < row->n; i++)
		if (drg_column_eq(row->cells[i].text, column))
			return true;
	return false;
}

/* Columns of the profile that the row has; all of them count for more than any guess. */
static unsigned profile_points(const struct drg_profile *p, const struct drg_sheet_row *row)
{
	unsigned n = 0;
	for (unsigned i = 0; i < p->n_columns; i++)
		n += row_has(row, p->columns[i].column);
	return n == p->n_columns && n > 0 ? n * 1000 : n;
}

static unsigned names_points(const struct drg_plan_wishes *w, enum drg_kind kind,
                             const struct drg_sheet_row *row)
{
	unsigned n = 0;
	for (unsigned i = 0; i < row->n; i++)
		n += drg_column_field(kind, row->cells[i].text) != NULL;
	for (const char *const *m = w->map; m != NULL && *m != NULL; m++) {
		struct drg_str column = drg_str_c(*m), field;
		drg_str_split(&column, '=', &field);
		n += column.p != NULL && row_has(row, column) ? 10 : 0;
	}
	return n;
}

struct header_search {
	const struct drg_profiles *stored;
	const struct drg_plan_wishes *w;
	unsigned best_points;
	unsigned best; /* of the kept rows */
	const struct drg_profile *profile; /* stored, with all of its columns in the best row */
};

static bool profile_wanted(const struct drg_plan_wishes *w, const struct drg_profile *p)
{
	return !w->anew && (w->kind == DRG_KIND_NONE || w->kind == p->kind);
}

static void look_at_row(struct header_search *s, const struct drg_plan *plan, unsigned number)
{
	const struct drg_sheet_row *row = &plan->kept[number];
	enum drg_kind kind = s->w->kind != DRG_KIND_NONE ? s->w->kind : DRG_KIND_HOTEL;
	unsigned points = names_points(s->w, kind, row);
	const struct drg_profile *found = NULL;
	for (unsigned i = 0; i < s->stored->n; i++) {
		const struct drg_profile *p = &s->stored->list[i];
		unsigned n = profile_wanted(s->w, p) ? profile_points(p, row) : 0;
		if (n >= 1000 && n > points)
			found = p;
		points = n > points ? n : points;
	}
	if (points <= s->best_points)
		return;
	s->best_points = points;
	s->best = number;
	s->profile = found;
}

static int keep_row(struct drg_plan *p, const struct drg_sheet_row *row, struct drg_arena *arena,
                    struct drg_err *reterr)
{
	struct drg_cell *cells = drg_arena_calloc(arena, row->n, sizeof *cells);
	if (cells == NULL)
		return drg_fail_memory(reterr);
	for (unsigned i = 0; i < row->n; i++) {
		cells[i] = (struct drg_cell){ drg_arena_str(arena, row->cells[i].text), row->cells[i].form };
		if (cells[i].text.p == NULL)
			return drg_fail_memory(reterr);
	}
	p->kept[p->n_kept++] = (struct drg_sheet_row){ cells, row->n, row->line };
	return DRG_OK;
}

static int keep_rows(struct drg_plan *p, struct drg_arena *arena, struct drg_err *reterr)
{
	struct drg_sheet_row row;
	int rc = DRG_OK;
	p->n_kept = 0;
	while (p->n_kept < DRG_PLAN_KEPT && rc == DRG_OK) {
		rc = drg_sheet_next(p->sheet, &row, reterr);
		if (rc == DRG_OK)
			rc = keep_row(p, &row, arena, reterr);
	}
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* Above a header stand titles and dates. */
static int find_header(struct drg_plan *p, struct header_search *s, struct drg_err *reterr)
{
	for (unsigned i = 0; i < p->n_kept; i++)
		look_at_row(s, p, i);
	if (s->best_points < 2)
		return drg_fail(
		        reterr, DRG_EINVAL, NULL, NULL,
		        "%s: no row among the first %d looks like a header: expected names such as Code and "
		        "Name; --map id=COLUMN --map name=COLUMN names them",
		        p->path, DRG_PLAN_KEPT);
	const struct drg_sheet_row *row = &p->kept[s->best];
	p->next_kept = s->best + 1;
	p->header_line = row->line;
	p->n_columns = row->n;
	for (unsigned i = 0; i < row->n; i++)
		p->header[i] = row->cells[i].text;
	return DRG_OK;
}

int drg_plan_next(struct drg_plan *p, struct drg_sheet_row *ret, struct drg_err *reterr)
{
	if (p->next_kept == p->n_kept)
		return drg_sheet_next(p->sheet, ret, reterr);
	*ret = p->kept[p->next_kept++];
	return DRG_OK;
}

/* ---- columns ---------------------------------------------------------------------------------------------- */

static int column_named(const struct drg_plan *p, struct drg_str name)
{
	for (unsigned i = 0; i < p->n_columns; i++)
		if (drg_column_eq(p->header[i], name))
			return (int)i;
	return -1;
}

static int fail_columns(const struct drg_plan *p, struct drg_str wanted, const char *by,
                        struct drg_err *reterr)
{
	struct drg_buf names;
	drg_buf_init(&names, 360);
	for (unsigned i = 0; i < p->n_columns; i++)
		drg_buf_printf(&names, "%s%.*s", i > 0 ? ", " : "", DRG_STR_ARG(p->header[i]));
	int rc = drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_column), NULL,
	                  "%s:%llu: %s names the column %.*s, and the file has %.*s", p->path,
	                  (unsigned long long)p->header_line, by, DRG_STR_ARG(wanted), (int)names.n, names.p);
	drg_buf_done(&names);
	return rc;
}

static int map_one(struct drg_plan *p, const char *pair, struct drg_err *reterr)
{
	struct drg_str column = drg_str_c(pair), wire;
	drg_str_split(&column, '=', &wire);
	const struct drg_field_def *f = drg_profile_field(p->profile.kind, wire);
	if (column.p == NULL || f == NULL)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_field), "map",
		                "--map: expected FIELD=COLUMN with a field of a %s, found %s",
		                drg_kind_name(p->profile.kind), pair);
	int i = column_named(p, column);
	if (i < 0)
		return fail_columns(p, column, "--map", reterr);
	return drg_profile_bind(&p->profile, f, p->header[i]) ? DRG_OK : drg_fail_memory(reterr);
}

static int map_all(struct drg_plan *p, const struct drg_plan_wishes *w, struct drg_err *reterr)
{
	int rc = DRG_OK;
	for (const char *const *m = w->map; m != NULL && *m != NULL && rc == DRG_OK; m++)
		rc = map_one(p, *m, reterr);
	return rc;
}

static bool is_mapped(const struct drg_plan *p, unsigned column)
{
	for (unsigned k = 0; k < p->profile.n_columns; k++)
		if (drg_column_eq(p->profile.columns[k].column, p->header[column]))
			return true;
	return false;
}

/* Which kinds the rows bring along: those with an id and a name. */
static void propose_also(struct drg_profile *p)
{
	static const struct {
		enum drg_kind kind;
		enum drg_field id, name;
	} pairs[] = { { DRG_KIND_COUNTRY, DRG_F_SRC_COUNTRY_ID, DRG_F_COUNTRY_NAME },
		      { DRG_KIND_CITY, DRG_F_SRC_CITY_ID, DRG_F_CITY_NAME },
		      { DRG_KIND_HOTEL_CATEGORY, DRG_F_SRC_CATEGORY_ID, DRG_F_CATEGORY_NAME } };
	for (size_t i = 0; i < DRG_ARRAY_LEN(pairs); i++)
		if (drg_profile_column_of(p, pairs[i].id) != NULL &&
		    drg_profile_column_of(p, pairs[i].name) != NULL)
			p->also |= 1U << pairs[i].kind;
}

static int propose(struct drg_plan *p, const struct drg_plan_wishes *w, struct drg_err *reterr)
{
	p->proposed = true;
	p->profile = (struct drg_profile){ .kind = w->kind != DRG_KIND_NONE ? w->kind : DRG_KIND_HOTEL };
	int rc = map_all(p, w, reterr);
	for (unsigned i = 0; i < p->n_columns && rc == DRG_OK; i++) {
		const struct drg_field_def *f = drg_column_field(p->profile.kind, p->header[i]);
		if (f != NULL && !is_mapped(p, i) && drg_profile_column_of(&p->profile, f->field) == NULL)
			drg_profile_bind(&p->profile, f, p->header[i]);
		else if (!is_mapped(p, i))
			p->profile.ignored[p->profile.n_ignored++ % DRG_PROFILE_IGNORED_MAX] = p->header[i];
	}
	if (p->profile.n_ignored > DRG_PROFILE_IGNORED_MAX)
		p->profile.n_ignored = DRG_PROFILE_IGNORED_MAX;
	propose_also(&p->profile);
	if (rc == DRG_OK && drg_profile_column_of(&p->profile, DRG_F_SOURCE_ID) == NULL)
		rc = fail_columns(p, DRG_STR("with the supplier's id (--map id=COLUMN)"), "nothing", reterr);
	return rc;
}

static void take_wishes(struct drg_plan *p, const struct drg_plan_wishes *w)
{
	struct drg_profile *f = &p->profile;
	if (w->encoding != NULL)
		f->encoding = drg_str_c(w->encoding);
	if (w->sheet != NULL)
		f->sheet = drg_str_c(w->sheet);
	if (w->lang != NULL)
		f->lang = drg_str_c(w->lang);
	if (w->separator != '\0')
		f->separator = w->separator;
	if (w->decimal != '\0')
		f->decimal = w->decimal;
}

static int bind_columns(struct drg_plan *p, struct drg_err *reterr)
{
	for (unsigned i = 0; i < p->n_columns; i++) {
		p->bound[i] = p->header[i].n == 0 ? DRG_COLUMN_IGNORED : DRG_COLUMN_UNREAD;
		for (unsigned k = 0; k < p->profile.n_ignored && !p->proposed; k++)
			if (drg_column_eq(p->profile.ignored[k], p->header[i]))
				p->bound[i] = DRG_COLUMN_IGNORED;
		/* What a file of rejects has beside its own columns. */
		if (drg_str_eq(p->header[i], DRG_STR("rejected because")))
			p->bound[i] = DRG_COLUMN_IGNORED;
	}
	for (unsigned k = 0; k < p->profile.n_columns; k++) {
		int i = column_named(p, p->profile.columns[k].column);
		if (i < 0)
			return fail_columns(p, p->profile.columns[k].column, "the profile", reterr);
		p->bound[i] = (int)k;
	}
	return DRG_OK;
}

/* ---- opening ---------------------------------------------------------------------------------------------- */

/* How the file is written has to be known before its columns are: by the wishes, or by the only profile that can be
 * meant. */
static const struct drg_profile *likely(const struct drg_profiles *stored, const struct drg_plan_wishes *w)
{
	const struct drg_profile *found = NULL;
	for (unsigned i = 0; i < stored->n; i++) {
		if (!profile_wanted(w, &stored->list[i]))
			continue;
		if (found != NULL)
			return NULL;
		found = &stored->list[i];
	}
	return found;
}

static const char *chosen(const char *wish, struct drg_str stored)
{
	return wish != NULL ? wish : stored.n > 0 ? stored.p : NULL;
}

static int open_sheet(struct drg_plan *p, const struct drg_profile *f, const struct drg_plan_wishes *w,
                      struct drg_arena *arena, struct drg_err *reterr)
{
	static const struct drg_profile none = { .kind = DRG_KIND_NONE };
	if (f == NULL)
		f = &none;
	const struct drg_sheet_options o = {
		.encoding = chosen(w->encoding, drg_arena_str(arena, f->encoding)),
		.sheet = chosen(w->sheet, drg_arena_str(arena, f->sheet)),
		.separator = w->separator != '\0' ? w->separator : f->separator,
	};
	drg_sheet_close(p->sheet);
	p->sheet = NULL;
	return drg_sheet_open(p->path, &o, &p->sheet, reterr);
}

static int plan_profile(struct drg_plan *p, const struct header_search *s, const struct drg_plan_wishes *w,
                        struct drg_err *reterr)
{
	const struct drg_profile *missed = likely(s->stored, w);
	int rc = DRG_OK;
	if (s->profile != NULL)
		p->profile = *s->profile;
	else if (missed != NULL)
		p->profile = *missed;
	if (s->profile != NULL)
		rc = map_all(p, w, reterr);
	else if (missed == NULL)
		rc = propose(p, w, reterr);
	if (rc == DRG_OK)
		rc = bind_columns(p, reterr);
	if (rc == DRG_OK)
		take_wishes(p, w);
	return rc;
}

static int open_and_find(struct drg_plan *p, const struct drg_profile *f, const struct drg_plan_wishes *w,
                         struct drg_arena *arena, struct header_search *s, struct drg_err *reterr)
{
	int rc = open_sheet(p, f, w, arena, reterr);
	if (rc == DRG_OK)
		rc = keep_rows(p, arena, reterr);
	return rc == DRG_OK ? find_header(p, s, reterr) : rc;
}

int drg_plan_open(const char *path, const struct drg_profiles *stored, const struct drg_plan_wishes *w,
                  struct drg_arena *arena, struct drg_plan *ret, struct drg_err *reterr)
{
	struct header_search s = { .stored = stored, .w = w };
	const struct drg_profile *first = likely(stored, w);
	*ret = (struct drg_plan){ .path = path };
	int rc = drg_columns_open(reterr);
	if (rc == DRG_OK)
		rc = open_and_find(ret, first, w, arena, &s, reterr);
	const struct drg_profile *found = s.profile;
	if (rc == DRG_OK && found != NULL && found != first) {
		s = (struct header_search){ .stored = stored, .w = w };
		rc = open_and_find(ret, found, w, arena, &s, reterr);
	}
	if (rc == DRG_OK)
		rc = plan_profile(ret, &s, w, reterr);
	if (rc != DRG_OK)
		drg_plan_close(ret);
	return rc;
}

void drg_plan_close(struct drg_plan *p)
{
	drg_sheet_close(p->sheet);
	p->sheet = NULL;
}
