/* Finds the header among the first rows of a file. */
#include "load/column_words.h"
#include "load/plan_priv.h"

int drg_plan_column_among(const struct drg_column *columns, unsigned n, struct drg_str name, int *rc)
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

bool drg_plan_profile_wanted(const struct drg_plan_wishes *w, const struct drg_profile *p)
{
	return w->kind == DRG_KIND_NONE || w->kind == p->kind;
}

/* Encoding and separator must be known before the columns are: take them from the wishes, or from the only
 * profile that can be meant. */
const struct drg_profile *drg_plan_likely(const struct drg_profiles *stored, const struct drg_plan_wishes *w)
{
	const struct drg_profile *found = NULL;
	for (unsigned i = 0; i < stored->n; i++) {
		if (!drg_plan_profile_wanted(w, &stored->list[i]))
			continue;
		if (found != NULL)
			return NULL;
		found = &stored->list[i];
	}
	return found;
}

/* ---- the first rows ------------------------------------------------------------------------------------ */

/* Fail because the first rows have more bytes than a header with its titles. */
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
		cells[i] = (struct drg_cell){ drg_arena_str(arena, row->cells[i].text), row->cells[i].form,
			                      row->cells[i].number };
		if (cells[i].text.p == NULL)
			return drg_fail_memory(reterr);
	}
	p->kept[p->n_kept++] = (struct drg_sheet_row){ cells, row->n, row->line, row->swallows, row->stray };
	return DRG_OK;
}

int drg_plan_keep_rows(struct drg_plan *p, struct drg_arena *arena, struct drg_err *reterr)
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

/* ---- names of columns ---------------------------------------------------------------------------------- */

/* Fold each name of a row once. */
static int fold_row(const struct drg_sheet_row *row, struct drg_arena *arena, struct drg_column *ret,
                    struct drg_err *reterr)
{
	int rc = DRG_OK;
	for (unsigned i = 0; i < row->n && rc == DRG_OK; i++)
		rc = drg_column_make(row->cells[i].text, arena, &ret[i], reterr);
	return rc;
}

static bool known_anywhere(const struct drg_column *c)
{
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++)
		if (drg_kind_is_source(k) && drg_column_field((enum drg_kind)k, c, NULL) != NULL)
			return true;
	return false;
}

static struct drg_str cell_text(const struct drg_sheet_row *row, unsigned i)
{
	return i < row->n ? row->cells[i].text : drg_str("", 0);
}

/* "Country" over "Code" say more together than "Code" does. Over a name such as "Latitude" the group is only a
 * title. */
static bool says_enough(const struct drg_column *alone)
{
	const uint64_t part = DRG_COL_ID | DRG_COL_NAME | DRG_COL_NUMBER;
	return (alone->says & (DRG_COL_WHAT | DRG_COL_SUBJECTS) & ~part) != 0 &&
	       alone->says != (DRG_COL_CATEGORY | DRG_COL_FEWER);
}

/* No known name is longer: without this limit a title of a megabyte would be copied for each column. */
enum { TWO_CELLS_MAX = 256 };

static int fold_two_cells(struct drg_str group, struct drg_str name, struct drg_arena *arena,
                          struct drg_column *ret, struct drg_err *reterr)
{
	struct drg_column alone;
	if (group.n + 1 + name.n > TWO_CELLS_MAX)
		return drg_column_make(name, arena, ret, reterr);
	char *text = drg_arena_alloc(arena, group.n + name.n + 1);
	if (text == NULL)
		return drg_fail_memory(reterr);
	memcpy(text, group.p, group.n);
	text[group.n] = ' ';
	memcpy(text + group.n + 1, name.p, name.n);
	int rc = drg_column_make(drg_str(text, group.n + 1 + name.n), arena, ret, reterr);
	if (rc == DRG_OK)
		rc = drg_column_make(name, arena, &alone, reterr);
	if (rc == DRG_OK && known_anywhere(&alone) && (!known_anywhere(ret) || says_enough(&alone)))
		*ret = alone;
	return rc;
}

/* Combine "Country" over "Code" and "Name". An empty upper cell belongs to the group on its left, whose cells
 * are merged. */
static int fold_two(const struct drg_sheet_row *upper, const struct drg_sheet_row *lower,
                    struct drg_arena *arena, struct drg_column *ret, unsigned *ret_n, struct drg_err *reterr)
{
	struct drg_str group = drg_str("", 0);
	int rc = DRG_OK;
	*ret_n = upper->n > lower->n ? upper->n : lower->n;
	for (unsigned i = 0; i < *ret_n && rc == DRG_OK; i++) {
		struct drg_str above = cell_text(upper, i), name = cell_text(lower, i);
		group = above.n > 0 ? above : group;
		if (name.n > 0 && group.n > 0)
			rc = fold_two_cells(group, name, arena, &ret[i], reterr);
		else
			rc = drg_column_make(name.n > 0 ? name : above, arena, &ret[i], reterr);
	}
	return rc;
}

/* ---- how much a row is like a header ------------------------------------------------------------------- */

static bool row_has(struct header_search *s, struct drg_str column)
{
	return drg_plan_column_among(s->cells, s->n_cells, column, &s->rc) >= 0;
}

/* Count the columns of the profile that the row has; all of them together outweigh any guess. */
static unsigned profile_points(struct header_search *s, const struct drg_profile *p)
{
	unsigned n = 0;
	for (unsigned i = 0; i < p->n_columns; i++)
		n += row_has(s, p->columns[i].column);
	return n == p->n_columns && n > 0 ? n * 1000 : n;
}

/* Count the fields that the row names, and the columns that the user has named. */
static unsigned names_points(struct header_search *s, enum drg_kind kind)
{
	uint64_t fields = 0;
	unsigned n = 0;
	for (unsigned i = 0; i < s->n_cells; i++) {
		const struct drg_field_def *both[2];
		for (unsigned k = drg_column_fields(kind, &s->cells[i], both); k > 0; k--)
			fields |= drg_field_bit(both[k - 1]->field);
	}
	for (const char *const *m = s->w->map; m != NULL && *m != NULL; m++) {
		struct drg_str column = drg_str_c(*m), field;
		drg_str_split(&column, '=', &field);
		n += column.p != NULL && column.n > 0 && row_has(s, column) ? 10 : 0;
	}
	return n + (unsigned)__builtin_popcountll(fields);
}

static void look_at_row(struct header_search *s, unsigned number, bool two)
{
	unsigned points = names_points(s, s->kind);
	const struct drg_profile *found = NULL;
	for (unsigned i = 0; i < s->stored->n; i++) {
		const struct drg_profile *p = &s->stored->list[i];
		unsigned n = drg_plan_profile_wanted(s->w, p) ? profile_points(s, p) : 0;
		if (n >= 1000 && n > points)
			found = p;
		points = n > points ? n : points;
	}
	if (points <= s->best_points)
		return;
	s->best_points = points;
	s->best = number;
	s->best_two = two;
	s->profile = found;
}

/* No name is known: choose the first of the rows with the most cells. */
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

static int look_at_one(const struct drg_plan *p, struct header_search *s, unsigned i, struct drg_err *reterr)
{
	s->n_cells = p->kept[i].n;
	drg_arena_reset(&s->folded);
	int rc = fold_row(&p->kept[i], &s->folded, s->cells, reterr);
	if (rc == DRG_OK)
		look_at_row(s, i, false);
	return rc;
}

/* Try a row, the next one, then both as one header. Both must be better than either alone, since the upper
 * row may be a title. */
static int look_at_both(const struct drg_plan *p, struct header_search *s, unsigned i, struct drg_err *reterr)
{
	int rc = look_at_one(p, s, i, reterr);
	if (rc != DRG_OK || i + 1 == p->n_kept)
		return rc;
	rc = look_at_one(p, s, i + 1, reterr);
	if (rc != DRG_OK)
		return rc;
	drg_arena_reset(&s->folded);
	rc = fold_two(&p->kept[i], &p->kept[i + 1], &s->folded, s->cells, &s->n_cells, reterr);
	if (rc == DRG_OK)
		look_at_row(s, i + 1, true);
	return rc;
}

static int take_header(struct drg_plan *p, const struct header_search *s, struct drg_arena *arena,
                       struct drg_err *reterr)
{
	const struct drg_sheet_row *row = &p->kept[s->best];
	p->next_kept = s->best + 1;
	p->header_at = s->best;
	p->header_rows = s->best_two ? 2 : 1;
	p->header_line = row->line;
	p->n_columns = row->n;
	if (s->best_two)
		return fold_two(row - 1, row, arena, p->header, &p->n_columns, reterr);
	return fold_row(row, arena, p->header, reterr);
}

/* ---- a second row -------------------------------------------------------------------------------------- */

static bool same_fields(enum drg_kind kind, const struct drg_column *a, const struct drg_column *b)
{
	const struct drg_field_def *x[2], *y[2];
	unsigned n = drg_column_fields(kind, a, x);
	bool same = n > 0 && n == drg_column_fields(kind, b, y);
	for (unsigned i = 0; i < n && same; i++)
		same = x[i] == y[i];
	return same;
}

/* Does the row of s->cells name the fields of the header in another language? Below names that are not known
 * anything may be. */
static bool is_header_translated(const struct drg_plan *p, const struct header_search *s, enum drg_kind kind)
{
	const struct drg_field_def *both[2];
	unsigned same = 0;
	bool other = false; /* else it is the header once more */
	for (unsigned i = 0; i < s->n_cells; i++) {
		const struct drg_column *above = i < p->n_columns ? &p->header[i] : NULL;
		if (s->cells[i].name.n == 0)
			continue;
		if (above != NULL && above->name.n > 0 && drg_column_fields(kind, above, both) == 0)
			continue;
		if (above == NULL || !same_fields(kind, above, &s->cells[i]))
			return false;
		other |= !drg_column_same(above, &s->cells[i]);
		same++;
	}
	return other && same > 1;
}

/* Do two columns beside each other belong to one group? Its name is in both, or only in the first. */
static bool is_one_group(const struct drg_plan *p, unsigned right)
{
	return right >= p->n_columns || p->header[right].name.n == 0 ||
	       drg_column_same(&p->header[right - 1], &p->header[right]);
}

/* Does the row of s->cells name the columns of groups, and otherwise only names? */
static bool has_names_of_groups(const struct drg_plan *p, const struct header_search *s, enum drg_kind kind)
{
	const struct drg_field_def *both[2];
	unsigned named = 0;
	for (unsigned i = 0; i < s->n_cells; i++) {
		bool grouped =
		        (i > 0 && is_one_group(p, i)) || (i + 1 < s->n_cells && is_one_group(p, i + 1));
		if (s->cells[i].name.n == 0 ||
		    (i < p->n_columns && same_fields(kind, &p->header[i], &s->cells[i])))
			continue;
		if (!grouped || drg_column_fields(kind, &s->cells[i], both) == 0)
			return false;
		named++;
	}
	return named > 1;
}

/* Take both rows as the header, unless fields are lost. */
static int take_groups(struct drg_plan *p, struct header_search *s, struct drg_arena *arena,
                       struct drg_err *reterr)
{
	const struct drg_sheet_row *upper = &p->kept[s->best];
	drg_arena_reset(&s->folded);
	int rc = fold_row(upper, &s->folded, s->cells, reterr);
	s->n_cells = upper->n;
	unsigned alone = names_points(s, s->kind);
	if (rc == DRG_OK)
		rc = fold_two(upper, upper + 1, &s->folded, s->cells, &s->n_cells, reterr);
	if (rc != DRG_OK || names_points(s, s->kind) < alone)
		return rc;
	s->best_points = 0;
	s->profile = NULL;
	look_at_row(s, s->best + 1, true);
	if (s->rc != DRG_OK)
		return drg_fail_memory(reterr);
	return take_header(p, s, arena, reterr);
}

/* Look whether the row below the header is a part of it. */
static int take_second_row(struct drg_plan *p, struct header_search *s, struct drg_arena *arena,
                           struct drg_err *reterr)
{
	const enum drg_kind kind = s->profile != NULL ? s->profile->kind : s->kind;
	const struct drg_sheet_row *below = &p->kept[p->next_kept];
	if (p->header_rows == 2 || p->next_kept == p->n_kept)
		return DRG_OK;
	s->n_cells = below->n;
	drg_arena_reset(&s->folded);
	int rc = fold_row(below, &s->folded, s->cells, reterr);
	if (rc == DRG_OK && has_names_of_groups(p, s, kind))
		return take_groups(p, s, arena, reterr);
	if (rc != DRG_OK || !is_header_translated(p, s, kind))
		return rc;
	p->header_at = p->next_kept++;
	p->header_rows = 2;
	p->header_line = below->line;
	return DRG_OK;
}

/* Has a text file only one column? */
static bool is_unseparated(const struct drg_plan *p)
{
	unsigned n = 0;
	for (unsigned i = 0; i < p->n_kept; i++)
		n = p->kept[i].n > n ? p->kept[i].n : n;
	return n == 1 && !drg_sheet_about(p->sheet)->workbook;
}

/* Find a row that is the header of another kind of list than the expected one. */
static enum drg_kind kind_by_rows(const struct drg_plan *p, struct header_search *s)
{
	enum drg_kind found = DRG_KIND_NONE;
	for (unsigned i = 0; i < p->n_kept && found == DRG_KIND_NONE; i++) {
		drg_arena_reset(&s->folded);
		if (fold_row(&p->kept[i], &s->folded, s->cells, NULL) == DRG_OK)
			found = drg_columns_other_kind(s->cells, p->kept[i].n, s->kind);
	}
	return found;
}

int drg_plan_find_header(struct drg_plan *p, struct header_search *s, struct drg_arena *arena,
                         struct drg_err *reterr)
{
	int rc = DRG_OK;
	for (unsigned i = 0; i < p->n_kept && rc == DRG_OK; i++) {
		rc = look_at_both(p, s, i, reterr);
		if (s->rc != DRG_OK)
			rc = drg_fail_memory(reterr);
	}
	if (rc != DRG_OK)
		return rc;
	unsigned wanted =
	        s->w->kind != DRG_KIND_NONE ? 1 : 2; /* a list of codes has one column that is known */
	const bool known = s->best_points >= wanted || (s->w->look && find_any_header(p, s));
	const enum drg_kind other = known ? DRG_KIND_NONE : kind_by_rows(p, s);
	if (other != DRG_KIND_NONE)
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL,
		                "%s: no row among the first %d is the header of a list of %s records; one "
		                "looks like that of %s records: add --kind %s",
		                p->path, DRG_PLAN_KEPT, drg_kind_name(s->kind), drg_kind_name(other),
		                drg_kind_name(other));
	if (!known)
		return drg_fail(
		        reterr, DRG_EINVAL, NULL, NULL,
		        "%s: no row among the first %d looks like a header: expected names such as Code and "
		        "Name; --map id=COLUMN --map name=COLUMN names them%s",
		        p->path, DRG_PLAN_KEPT,
		        is_unseparated(p)
		                ? "; each row has one cell: --separator CHAR says what separates cells"
		                : "");
	rc = take_header(p, s, arena, reterr);
	return rc == DRG_OK ? take_second_row(p, s, arena, reterr) : rc;
}
