#include "load/plan.h"

#include <stdlib.h>

#include "load/columns.h"
#include "model/key.h"

/* ---- stored profiles ----------------------------------------------------------------------------------- */

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

/* ---- the header row ------------------------------------------------------------------------------------ */

struct header_search {
	const struct drg_profiles *stored;
	const struct drg_plan_wishes *w;
	enum drg_kind kind; /* of a proposal */
	/* stored, of that kind: a proposal begins with how its files are written; NULL: none is */
	const struct drg_profile *before;
	const struct drg_profile *opened_as; /* encoding, sheet and separator are its; NULL: recognised */
	struct drg_arena folded; /* of the row that is looked at */
	struct drg_column cells[DRG_SHEET_COLUMNS_MAX]; /* likewise */
	unsigned n_cells;
	int rc; /* of comparing names */
	unsigned best_points;
	unsigned best; /* of the kept rows */
	const struct drg_profile *profile; /* stored, with all of its columns in the best row */
};

/* Which of these columns is called so; -1: none. @param rc  Becomes DRG_ENOMEM where that could not be told. */
static int column_among(const struct drg_column *columns, unsigned n, struct drg_str name, int *rc)
{
	struct drg_column wanted;
	struct drg_arena arena;
	int found = -1;
	drg_arena_init(&arena, SIZE_MAX);
	int made = drg_column_make(name, &arena, &wanted, NULL);
	for (unsigned i = 0; i < n && made == DRG_OK && found < 0; i++)
		if (drg_column_same(&columns[i], &wanted))
			found = (int)i;
	*rc = made != DRG_OK ? made : *rc;
	drg_arena_done(&arena);
	return found;
}

static bool row_has(struct header_search *s, struct drg_str column)
{
	return column_among(s->cells, s->n_cells, column, &s->rc) >= 0;
}

/* Columns of the profile that the row has; all of them count for more than any guess. */
static unsigned profile_points(struct header_search *s, const struct drg_profile *p)
{
	unsigned n = 0;
	for (unsigned i = 0; i < p->n_columns; i++)
		n += row_has(s, p->columns[i].column);
	return n == p->n_columns && n > 0 ? n * 1000 : n;
}

static unsigned names_points(struct header_search *s, enum drg_kind kind)
{
	unsigned n = 0;
	for (unsigned i = 0; i < s->n_cells; i++)
		n += drg_column_field(kind, &s->cells[i]) != NULL;
	for (const char *const *m = s->w->map; m != NULL && *m != NULL; m++) {
		struct drg_str column = drg_str_c(*m), field;
		drg_str_split(&column, '=', &field);
		n += column.p != NULL && column.n > 0 && row_has(s, column) ? 10 : 0;
	}
	return n;
}

static bool profile_wanted(const struct drg_plan_wishes *w, const struct drg_profile *p)
{
	return !w->anew && (w->kind == DRG_KIND_NONE || w->kind == p->kind);
}

/* Each name is folded once. */
static int fold_row(const struct drg_sheet_row *row, struct drg_arena *arena, struct drg_column *ret,
                    struct drg_err *reterr)
{
	int rc = DRG_OK;
	for (unsigned i = 0; i < row->n && rc == DRG_OK; i++)
		rc = drg_column_make(row->cells[i].text, arena, &ret[i], reterr);
	return rc;
}

static void look_at_row(struct header_search *s, unsigned number)
{
	unsigned points = names_points(s, s->kind);
	const struct drg_profile *found = NULL;
	for (unsigned i = 0; i < s->stored->n; i++) {
		const struct drg_profile *p = &s->stored->list[i];
		unsigned n = profile_wanted(s->w, p) ? profile_points(s, p) : 0;
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

/* More than any header with its titles has. */
static int plan_fail_kept(const struct drg_plan *p, struct drg_err *reterr)
{
	return drg_fail(reterr, DRG_EINVAL, DRG_R(list_too_large), NULL,
	                "%s: expected at most %d MiB in the first %d rows, found more", p->path,
	                DRG_PLAN_KEPT_MAX >> 20, DRG_PLAN_KEPT);
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
	const size_t before = arena->used;
	struct drg_sheet_row row;
	int rc = DRG_OK;
	p->n_kept = 0;
	while (p->n_kept < DRG_PLAN_KEPT && rc == DRG_OK) {
		rc = drg_sheet_next(p->sheet, &row, reterr);
		if (rc == DRG_OK)
			rc = keep_row(p, &row, arena, reterr);
		if (rc == DRG_OK && arena->used - before > DRG_PLAN_KEPT_MAX)
			rc = plan_fail_kept(p, reterr);
	}
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* No name is known: the first of the rows that have most cells. */
static bool find_any_header(const struct drg_plan *p, struct header_search *s)
{
	unsigned most = 1;
	for (unsigned i = 0; i < p->n_kept; i++) {
		unsigned cells = 0;
		for (unsigned k = 0; k < p->kept[i].n; k++)
			cells += p->kept[i].cells[k].text.n > 0;
		if (cells > most) {
			most = cells;
			s->best = i;
		}
	}
	return most > 1;
}

/* Above a header stand titles and dates. */
static int find_header(struct drg_plan *p, struct header_search *s, struct drg_arena *arena,
                       struct drg_err *reterr)
{
	int rc = DRG_OK;
	for (unsigned i = 0; i < p->n_kept && rc == DRG_OK; i++) {
		s->n_cells = p->kept[i].n;
		drg_arena_reset(&s->folded);
		rc = fold_row(&p->kept[i], &s->folded, s->cells, reterr);
		if (rc == DRG_OK)
			look_at_row(s, i);
		if (s->rc != DRG_OK)
			rc = drg_fail_memory(reterr);
	}
	if (rc != DRG_OK)
		return rc;
	if (s->best_points < 2 && !(s->w->look && find_any_header(p, s)))
		return drg_fail(
		        reterr, DRG_EINVAL, NULL, NULL,
		        "%s: no row among the first %d looks like a header: expected names such as Code and "
		        "Name; --map id=COLUMN --map name=COLUMN names them",
		        p->path, DRG_PLAN_KEPT);
	const struct drg_sheet_row *row = &p->kept[s->best];
	p->next_kept = s->best + 1;
	p->header_line = row->line;
	p->n_columns = row->n;
	return fold_row(row, arena, p->header, reterr);
}

int drg_plan_next(struct drg_plan *p, struct drg_sheet_row *ret, struct drg_err *reterr)
{
	if (p->next_kept == p->n_kept)
		return drg_sheet_next(p->sheet, ret, reterr);
	*ret = p->kept[p->next_kept++];
	return DRG_OK;
}

/* ---- columns ------------------------------------------------------------------------------------------- */

static int column_named(struct drg_plan *p, struct drg_str name)
{
	return column_among(p->header, p->n_columns, name, &p->rc);
}

static void add_header(const struct drg_plan *p, struct drg_buf *names)
{
	for (unsigned i = 0; i < p->n_columns; i++)
		drg_buf_printf(names, "%s%.*s", i > 0 ? ", " : "", DRG_STR_ARG(p->header[i].name));
}

/* All columns of the profile that are not in the file, and what to do. */
static int fail_missing(struct drg_plan *p, struct drg_err *reterr)
{
	struct drg_buf missing, names;
	drg_buf_init(&missing, 200);
	drg_buf_init(&names, 200);
	for (unsigned k = 0; k < p->profile.n_columns; k++) {
		const struct drg_profile_column *c = &p->profile.columns[k];
		if (column_named(p, c->column) < 0)
			drg_buf_printf(&missing, "%sthe column %.*s (%s)", missing.n > 0 ? ", " : "",
			               DRG_STR_ARG(c->column), c->field->wire);
	}
	add_header(p, &names);
	int rc = drg_fail(
	        reterr, DRG_EINVAL, DRG_R(unknown_column), NULL,
	        "%s:%llu: the profile names %.*s, and the file has %.*s; if that is how its lists of %s "
	        "records look now, --map FIELD=COLUMN --accept makes a new profile",
	        p->path, (unsigned long long)p->header_line, (int)missing.n, missing.p, (int)names.n, names.p,
	        drg_kind_name(p->profile.kind));
	drg_buf_done(&missing);
	drg_buf_done(&names);
	return rc;
}

static int fail_columns(const struct drg_plan *p, struct drg_str wanted, const char *by,
                        struct drg_err *reterr)
{
	struct drg_buf names;
	drg_buf_init(&names, 360);
	add_header(p, &names);
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
	if (column.n == 0) {
		drg_profile_unbind(&p->profile, f);
		return DRG_OK;
	}
	int i = column_named(p, column);
	if (i < 0)
		return p->rc != DRG_OK ? drg_fail_memory(reterr) : fail_columns(p, column, "--map", reterr);
	return drg_profile_bind(&p->profile, f, p->header[i].name) ? DRG_OK : drg_fail_memory(reterr);
}

static int plan_map_all(struct drg_plan *p, const struct drg_plan_wishes *w, struct drg_err *reterr)
{
	int rc = DRG_OK;
	for (const char *const *m = w->map; m != NULL && *m != NULL && rc == DRG_OK; m++)
		rc = map_one(p, *m, reterr);
	return rc;
}

/* Did the user say that no column feeds it? */
static bool plan_leaves_out(const struct drg_plan_wishes *w, const struct drg_field_def *f)
{
	for (const char *const *m = w->map; m != NULL && *m != NULL; m++) {
		struct drg_str column = drg_str_c(*m), wire;
		if (drg_str_split(&column, '=', &wire) && column.p != NULL && column.n == 0 &&
		    drg_str_eq(wire, drg_str_c(f->wire)))
			return true;
	}
	return false;
}

/* Does the profile feed something from it? What it has so far comes from this header. */
static bool plan_is_mapped(struct drg_plan *p, unsigned column)
{
	for (unsigned k = 0; k < p->profile.n_columns; k++)
		if (column_among(&p->header[column], 1, p->profile.columns[k].column, &p->rc) == 0)
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

/* What files of this kind were so far, besides their columns (decision P7). */
static struct drg_profile propose_from(const struct header_search *s)
{
	struct drg_profile f = { .kind = s->kind };
	if (s->before != NULL) {
		f.lang = s->before->lang;
		f.decimal = s->before->decimal;
		f.complete = s->before->complete;
	}
	if (s->before != NULL && s->opened_as == s->before) {
		f.encoding = s->before->encoding;
		f.separator = s->before->separator;
		f.sheet = s->before->sheet;
	}
	return f;
}

static int plan_propose(struct drg_plan *p, const struct header_search *s, struct drg_err *reterr)
{
	const struct drg_plan_wishes *w = s->w;
	p->proposed = true;
	p->profile = propose_from(s);
	int rc = plan_map_all(p, w, reterr);
	for (unsigned i = 0; i < p->n_columns && rc == DRG_OK; i++) {
		const struct drg_column *c = &p->header[i];
		const struct drg_field_def *f = drg_column_field(p->profile.kind, c);
		if (f != NULL && !plan_is_mapped(p, i) && !plan_leaves_out(w, f) &&
		    drg_profile_column_of(&p->profile, f->field) == NULL)
			drg_profile_bind(&p->profile, f, c->name);
		else if (!plan_is_mapped(p, i))
			p->profile.ignored[p->profile.n_ignored++ % DRG_PROFILE_IGNORED_MAX] = c->name;
	}
	if (p->profile.n_ignored > DRG_PROFILE_IGNORED_MAX)
		p->profile.n_ignored = DRG_PROFILE_IGNORED_MAX;
	propose_also(&p->profile);
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

/* All that are called so. */
static void ignore_column(struct drg_plan *p, struct drg_str name)
{
	for (unsigned i = 0, n = p->n_columns; i < n; i++) {
		int found = column_among(p->header + i, n - i, name, &p->rc);
		if (found < 0)
			return;
		i += (unsigned)found;
		p->bound[i] = DRG_COLUMN_IGNORED;
	}
}

static int bind_columns(struct drg_plan *p, struct drg_err *reterr)
{
	for (unsigned i = 0; i < p->n_columns; i++) {
		/* The second is what a file of rejects has beside its own columns. */
		bool ignored = p->header[i].name.n == 0 ||
		               drg_str_eq(p->header[i].name, DRG_STR("rejected because"));
		p->bound[i] = ignored ? DRG_COLUMN_IGNORED : DRG_COLUMN_UNREAD;
	}
	for (unsigned k = 0; k < p->profile.n_ignored && !p->proposed; k++)
		ignore_column(p, p->profile.ignored[k]);
	for (unsigned k = 0; k < p->profile.n_columns; k++) {
		int i = column_named(p, p->profile.columns[k].column);
		if (i < 0)
			return p->rc != DRG_OK ? drg_fail_memory(reterr) : fail_missing(p, reterr);
		p->bound[i] = (int)k;
	}
	return p->rc == DRG_OK ? DRG_OK : drg_fail_memory(reterr);
}

/* ---- opening ------------------------------------------------------------------------------------------- */

/* How the file is written has to be known before its columns are: by the wishes, or by the only profile that
 * can be meant. */
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

/* As what a file is proposed: as the wishes say; by columns that are named for the only sort there is, as
 * that. */
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
		.stop = p->stop,
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
		rc = plan_map_all(p, w, reterr);
	else if (missed == NULL)
		rc = plan_propose(p, s, reterr);
	if (rc == DRG_OK && !w->look && drg_profile_column_of(&p->profile, DRG_F_SOURCE_ID) == NULL)
		rc = fail_columns(p, DRG_STR("with the supplier's id (--map id=COLUMN)"), "nothing", reterr);
	if (rc == DRG_OK)
		rc = bind_columns(p, reterr);
	if (rc == DRG_OK)
		take_wishes(p, w);
	return rc;
}

static int open_and_find(struct drg_plan *p, const struct drg_profile *f, const struct drg_plan_wishes *w,
                         struct drg_arena *arena, struct header_search *s, struct drg_err *reterr)
{
	s->opened_as = f;
	s->best_points = s->best = 0;
	s->profile = NULL;
	int rc = open_sheet(p, f, w, arena, reterr);
	if (rc == DRG_OK)
		rc = keep_rows(p, arena, reterr);
	return rc == DRG_OK ? find_header(p, s, arena, reterr) : rc;
}

/* As it is remembered. A file that is proposed may be written in another way now. */
static int open_first(struct drg_plan *p, struct drg_arena *arena, struct header_search *s,
                      struct drg_err *reterr)
{
	const struct drg_profile *f = s->w->anew ? s->before : likely(s->stored, s->w);
	int rc = open_and_find(p, f, s->w, arena, s, reterr);
	if (rc != DRG_EINVAL || !s->w->anew || f == NULL ||
	    (f->encoding.n == 0 && f->sheet.n == 0 && f->separator == '\0'))
		return rc;
	return open_and_find(p, NULL, s->w, arena, s, reterr);
}

int drg_plan_open(const char *path, const atomic_bool *stop, const struct drg_profiles *stored,
                  const struct drg_plan_wishes *w, struct drg_arena *arena, struct drg_plan *ret,
                  struct drg_err *reterr)
{
	struct header_search s = { .stored = stored, .w = w, .kind = proposed_kind(stored, w) };
	s.before = stored_of(stored, s.kind);
	*ret = (struct drg_plan){ .path = path, .stop = stop };
	drg_arena_init(&s.folded, SIZE_MAX);
	int rc = drg_columns_open(reterr);
	if (rc == DRG_OK)
		rc = open_first(ret, arena, &s, reterr);
	if (rc == DRG_OK && s.profile != NULL && s.profile != s.opened_as)
		rc = open_and_find(ret, s.profile, w, arena, &s, reterr);
	if (rc == DRG_OK)
		rc = plan_profile(ret, &s, w, reterr);
	drg_arena_done(&s.folded);
	if (rc != DRG_OK)
		drg_plan_close(ret);
	return rc;
}

void drg_plan_close(struct drg_plan *p)
{
	drg_sheet_close(p->sheet);
	p->sheet = NULL;
}
