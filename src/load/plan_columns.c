/* Binds the columns of a file to fields. */
#include "load/parts.h"
#include "load/plan_priv.h"

/* ---- columns ------------------------------------------------------------------------------------------- */

static int column_named(struct drg_plan *p, struct drg_str name)
{
	return drg_plan_column_among(p->header, p->n_columns, name, &p->rc);
}

static void add_header(const struct drg_plan *p, struct drg_buf *names)
{
	for (unsigned i = 0; i < p->n_columns; i++)
		drg_buf_printf(names, "%s%.*s", i > 0 ? ", " : "", DRG_STR_ARG(p->header[i].name));
}

/* Fail with all columns of the profile that the file lacks, and advice. */
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

/* A list of names knows its records by them, if the user says so. */
static int fail_no_ids(const struct drg_plan *p, struct drg_err *reterr)
{
	const struct drg_profile_column *name = drg_profile_column_of(&p->profile, DRG_F_NAME);
	struct drg_str column = name != NULL ? name->column : DRG_STR("COLUMN");
	struct drg_buf names;
	drg_buf_init(&names, 240);
	add_header(p, &names);
	const enum drg_kind other = drg_columns_other_kind(p->header, p->n_columns, p->profile.kind);
	int rc = other != DRG_KIND_NONE
	                 ? drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_column), NULL,
	                            "%s:%llu: no column is the id of a %s; the columns look like a list of "
	                            "%s records: add --kind %s; the file has %.*s",
	                            p->path, (unsigned long long)p->header_line,
	                            drg_kind_name(p->profile.kind), drg_kind_name(other),
	                            drg_kind_name(other), (int)names.n, names.p)
	                 : drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_column), NULL,
	                            "%s:%llu: no column is the supplier's id: name it with --map "
	                            "id=COLUMN; if the list has no ids, --map \"id=%.*s\" takes its names "
	                            "as ids; the file has %.*s",
	                            p->path, (unsigned long long)p->header_line,
	                            DRG_STR_ARG(column.n <= 60 ? column : DRG_STR("COLUMN")), (int)names.n,
	                            names.p);
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

/* Did the user say that no column feeds the field? */
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

/* May a column feed this field, beside those that it feeds already? The columns of the profile so far are of
 * this header. */
static bool plan_is_free(struct drg_plan *p, unsigned column, const struct drg_field_def *f)
{
	for (unsigned k = 0; k < p->profile.n_columns; k++) {
		const struct drg_profile_column *c = &p->profile.columns[k];
		if (c->field != f && drg_plan_column_among(&p->header[column], 1, c->column, &p->rc) == 0 &&
		    !drg_column_may_feed(p->profile.kind, &p->header[column], c->field, f))
			return false;
	}
	return true;
}

static bool plan_feeds_nothing(struct drg_plan *p, unsigned column)
{
	for (unsigned k = 0; k < p->profile.n_columns; k++)
		if (drg_plan_column_among(&p->header[column], 1, p->profile.columns[k].column, &p->rc) == 0)
			return false;
	return true;
}

static void bind_if_free(struct drg_plan *p, const struct drg_plan_wishes *w, unsigned i,
                         const struct drg_field_def *f)
{
	if (drg_profile_column_of(&p->profile, f->field) == NULL && !plan_leaves_out(w, f) &&
	    plan_is_free(p, i, f))
		drg_profile_bind(&p->profile, f, p->header[i].name);
}

/* Find the kinds that the rows also describe: those with an id and a name. */
static void propose_also(struct drg_profile *p)
{
	for (size_t i = 0; i < DRG_KIND_PARENTS; i++)
		if (drg_profile_column_of(p, drg_kind_parents[i].id) != NULL &&
		    drg_profile_column_of(p, drg_kind_parents[i].source_name) != NULL)
			p->also |= 1U << drg_kind_parents[i].kind;
}

/* Begin a proposal with the known properties of such files, without columns (decision P7). @param base  The
 * stored profile; NULL: none. */
static struct drg_profile propose_from(const struct header_search *s, const struct drg_profile *base)
{
	struct drg_profile f = { .kind = base != NULL ? base->kind : s->kind };
	if (base != NULL) {
		f.lang = base->lang;
		f.decimal = base->decimal;
		f.country = base->country;
		f.category = base->category;
		f.complete = base->complete;
	}
	if (base != NULL && s->opened_as == base) {
		f.encoding = base->encoding;
		f.separator = base->separator;
		f.quote = base->quote;
		f.sheet = base->sheet;
	}
	return f;
}

/* Keep the accepted columns that the file still has, unless the user said otherwise. */
static void keep_accepted(struct drg_plan *p, const struct drg_plan_wishes *w, const struct drg_profile *base)
{
	for (unsigned k = 0; base != NULL && k < base->n_columns; k++) {
		int i = column_named(p, base->columns[k].column);
		if (i >= 0)
			bind_if_free(p, w, (unsigned)i, base->columns[k].field);
	}
}

static bool was_ignored(struct drg_plan *p, const struct drg_profile *base, unsigned column)
{
	for (unsigned k = 0; base != NULL && k < base->n_ignored; k++)
		if (drg_plan_column_among(&p->header[column], 1, base->ignored[k], &p->rc) == 0)
			return true;
	return false;
}

/* Propose the columns whose names have this rank. */
static void propose_names(struct drg_plan *p, const struct drg_plan_wishes *w, const struct drg_profile *base,
                          unsigned rank)
{
	const struct drg_field_def *both[2];
	for (unsigned i = 0; i < p->n_columns; i++) {
		unsigned is = 0;
		(void)drg_column_field(p->profile.kind, &p->header[i], &is);
		unsigned n = is == rank ? drg_column_fields(p->profile.kind, &p->header[i], both) : 0;
		if (n > 0 && was_ignored(p, base, i))
			continue;
		for (unsigned k = 0; k < n; k++)
			bind_if_free(p, w, i, both[k]);
	}
}

/* Propose columns of points; such a column can have any name: "the_geom", "Location". */
static void propose_places(struct drg_plan *p, const struct drg_plan_wishes *w,
                           const struct drg_profile *base)
{
	const struct drg_field_def *lat = drg_profile_field(p->profile.kind, DRG_STR("lat")),
	                           *lng = drg_profile_field(p->profile.kind, DRG_STR("lng"));
	for (unsigned i = 0; i < p->n_columns && lat != NULL; i++) {
		unsigned places = 0, others = 0;
		if (drg_profile_column_of(&p->profile, DRG_F_LAT) != NULL ||
		    drg_profile_column_of(&p->profile, DRG_F_LNG) != NULL)
			return;
		for (unsigned k = p->next_kept; k < p->n_kept; k++) {
			struct drg_str s = i < p->kept[k].n ? p->kept[k].cells[i].text : drg_str("", 0);
			places += drg_cell_is_place(s);
			others += s.n > 0 && !drg_cell_is_place(s);
		}
		if (places > 0 && others == 0 && p->header[i].name.n > 0 && plan_feeds_nothing(p, i) &&
		    !was_ignored(p, base, i)) {
			bind_if_free(p, w, i, lat);
			bind_if_free(p, w, i, lng);
		}
	}
}

/* Is one code in the first rows that of cities with different names? Then it is a wider one, of an airport or a
 * destination. */
static bool is_code_of_several(struct drg_plan *p, unsigned code, unsigned name, struct drg_arena *arena)
{
	struct drg_column names[DRG_PLAN_KEPT];
	for (unsigned k = p->next_kept; k < p->n_kept; k++) {
		const struct drg_sheet_row *row = &p->kept[k];
		if (code >= row->n || name >= row->n ||
		    drg_column_make(row->cells[name].text, arena, &names[k], NULL) != DRG_OK)
			names[k] = (struct drg_column){ .says = 0 };
		for (unsigned i = p->next_kept; i < k && names[k].key.n > 0; i++)
			if (names[i].key.n > 0 && row->cells[code].text.n > 0 &&
			    drg_str_eq(p->kept[i].cells[code].text, row->cells[code].text) &&
			    !drg_str_eq(names[i].key, names[k].key))
				return true;
	}
	return false;
}

/* A code is not the city's id if cities share it, or if it is called that of something wider: "destination
 * code" beside "city". What the user named, or accepted before, stays. */
static void leave_out_shared_codes(struct drg_plan *p, const struct drg_plan_wishes *w,
                                   const struct drg_profile *base)
{
	const struct drg_profile_column *id = drg_profile_column_of(&p->profile, DRG_F_SRC_CITY_ID),
	                                *name = drg_profile_column_of(&p->profile, DRG_F_CITY_NAME);
	struct drg_arena arena;
	if (id == NULL || name == NULL ||
	    (base != NULL && drg_profile_column_of(base, DRG_F_SRC_CITY_ID) != NULL))
		return;
	for (const char *const *m = w->map; m != NULL && *m != NULL; m++)
		if (drg_str_begins(drg_str_c(*m), "city_id="))
			return;
	const int code = column_named(p, id->column), named = column_named(p, name->column);
	unsigned ranks[2] = { 0, 0 };
	if (code < 0 || named < 0 || code == named)
		return;
	(void)drg_column_field(p->profile.kind, &p->header[code], &ranks[0]);
	(void)drg_column_field(p->profile.kind, &p->header[named], &ranks[1]);
	drg_arena_init(&arena, SIZE_MAX);
	if (ranks[0] > ranks[1] || is_code_of_several(p, (unsigned)code, (unsigned)named, &arena))
		drg_profile_unbind(&p->profile, id->field);
	drg_arena_done(&arena);
}

/* Without their columns of minutes and seconds, whole degrees can be a hundred kilometres off. Columns
 * that the user named, or accepted earlier, stay. */
static void leave_out_degrees(struct drg_plan *p, const struct drg_plan_wishes *w,
                              const struct drg_profile *base)
{
	static const char *const wires[] = { "lat", "lng" };
	p->minutes = false;
	for (unsigned i = 0; i < p->n_columns; i++)
		p->minutes |= drg_column_is_minutes(&p->header[i]);
	for (unsigned i = 0; i < DRG_ARRAY_LEN(wires) && p->minutes; i++) {
		const struct drg_field_def *f = drg_profile_field(p->profile.kind, drg_str_c(wires[i]));
		bool named = base != NULL && f != NULL && drg_profile_column_of(base, f->field) != NULL;
		for (const char *const *m = w->map; m != NULL && *m != NULL; m++)
			named |= drg_str_begins(drg_str_c(*m), wires[i]) && (*m)[3] == '=';
		if (f != NULL && !named)
			drg_profile_unbind(&p->profile, f);
		p->minutes &= !named;
	}
}

/* Use the currency codes as ids if a list of currencies has no other ids. */
static void take_codes_as_ids(struct drg_plan *p, const struct drg_plan_wishes *w)
{
	const struct drg_profile_column *code = drg_profile_column_of(&p->profile, DRG_F_ISO_CODE);
	const int i = code != NULL ? column_named(p, code->column) : -1;
	if (i >= 0)
		bind_if_free(p, w, (unsigned)i, drg_profile_field(p->profile.kind, DRG_STR("id")));
}

static void ignore_the_rest(struct drg_plan *p)
{
	struct drg_profile *f = &p->profile;
	for (unsigned i = 0; i < p->n_columns && f->n_ignored < DRG_PROFILE_IGNORED_MAX; i++)
		if (plan_feeds_nothing(p, i))
			f->ignored[f->n_ignored++] = p->header[i].name;
}

static int plan_propose(struct drg_plan *p, const struct header_search *s, const struct drg_profile *base,
                        struct drg_err *reterr)
{
	p->profile = propose_from(s, base);
	int rc = plan_map_all(p, s->w, reterr);
	if (rc == DRG_OK)
		rc = drg_profile_check_shared(&p->profile, reterr);
	if (rc != DRG_OK)
		return rc;
	keep_accepted(p, s->w, base);
	for (unsigned rank = 0; rank < DRG_COLUMN_RANKS; rank++)
		propose_names(p, s->w, base, rank);
	propose_places(p, s->w, base);
	leave_out_shared_codes(p, s->w, base);
	leave_out_degrees(p, s->w, base);
	take_codes_as_ids(p, s->w);
	ignore_the_rest(p);
	propose_also(&p->profile);
	return p->rc == DRG_OK ? DRG_OK : drg_fail_memory(reterr);
}

/* @return whether one of them differs from what is remembered, and is to be remembered with it. */
static bool take_wishes(struct drg_profile *f, const struct drg_plan_wishes *w)
{
	const struct {
		const char *wish;
		struct drg_str *to;
	} values[] = { { w->lang, &f->lang }, { w->country, &f->country }, { w->category, &f->category } };
	bool other = false;
	if (w->encoding != NULL)
		f->encoding = drg_str_c(w->encoding);
	if (w->sheet != NULL)
		f->sheet = drg_str_c(w->sheet);
	if (w->separator != 0)
		f->separator = w->separator;
	if (w->quote != DRG_QUOTE_UNKNOWN)
		f->quote = w->quote;
	if (w->decimal != '\0')
		f->decimal = w->decimal;
	for (size_t i = 0; i < DRG_ARRAY_LEN(values); i++) {
		if (values[i].wish == NULL)
			continue;
		other |= !drg_str_eq(*values[i].to, drg_str_c(values[i].wish));
		*values[i].to = drg_str_c(values[i].wish);
	}
	return other;
}

/* Ignore all columns with this name. */
static void ignore_column(struct drg_plan *p, struct drg_str name)
{
	for (unsigned i = 0, n = p->n_columns; i < n; i++) {
		int found = drg_plan_column_among(p->header + i, n - i, name, &p->rc);
		if (found < 0)
			return;
		i += (unsigned)found;
		p->bound[i] = DRG_COLUMN_IGNORED;
	}
}

static void bind_column(struct drg_plan *p, unsigned k, unsigned i)
{
	const struct drg_field_def *f = p->profile.columns[k].field, *both[2];
	bool shared = p->bound[i] >= 0;
	p->at[k] = i;
	p->part[k] = -1;
	if (shared || drg_column_fields(p->profile.kind, &p->header[i], both) == 2)
		p->part[k] = drg_column_part(p->profile.kind, &p->header[i], f);
	if (shared)
		p->part[p->bound[i]] = drg_column_part(p->profile.kind, &p->header[i],
		                                       p->profile.columns[p->bound[i]].field);
	else
		p->bound[i] = (int)k;
}

static int bind_columns(struct drg_plan *p, struct drg_err *reterr)
{
	for (unsigned i = 0; i < p->n_columns; i++) {
		/* A file of rejects has this column beside its own ones. */
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
		bind_column(p, k, (unsigned)i);
	}
	return p->rc == DRG_OK ? DRG_OK : drg_fail_memory(reterr);
}

/* Named columns are proposed on top of the accepted ones, whether the proposal is stored or only shown: so a
 * load does what was shown. */
static int choose_profile(struct drg_plan *p, const struct header_search *s, struct drg_err *reterr)
{
	const struct drg_profile *missed = drg_plan_likely(s->stored, s->w);
	p->proposed = s->profile == NULL || s->w->look;
	if (s->w->anew)
		return plan_propose(p, s, s->profile != NULL ? s->profile : s->before, reterr);
	if (s->profile == NULL && missed == NULL)
		return plan_propose(p, s, NULL, reterr);
	p->profile = s->profile != NULL ? *s->profile : *missed;
	p->proposed = false;
	return DRG_OK;
}

int drg_plan_take_profile(struct drg_plan *p, const struct header_search *s, struct drg_err *reterr)
{
	const struct drg_plan_wishes *w = s->w;
	int rc = choose_profile(p, s, reterr);
	if (rc == DRG_OK && !w->look && drg_profile_column_of(&p->profile, DRG_F_SOURCE_ID) == NULL)
		rc = fail_no_ids(p, reterr);
	if (rc == DRG_OK)
		rc = bind_columns(p, reterr);
	if (rc != DRG_OK)
		return rc;
	p->looks_like = p->proposed ? drg_columns_other_kind(p->header, p->n_columns, p->profile.kind)
	                            : DRG_KIND_NONE;
	p->wished = take_wishes(&p->profile, w) || w->anew;
	return drg_profile_check_values(&p->profile, reterr);
}
