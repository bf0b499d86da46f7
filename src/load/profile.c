#include "load/profile.h"

#include "load/columns.h"
#include "text/json.h"
#include "text/json_scan.h"
#include "text/lang.h"
#include "text/utf8.h"

const struct drg_field_def *drg_profile_field(enum drg_kind kind, struct drg_str wire)
{
	const struct drg_type *t = &drg_types[DRG_TYPE_SOURCE];
	for (unsigned i = 0; i < t->n_fields; i++) {
		const struct drg_field_def *f = &t->fields[i];
		if (drg_field_applies(f, kind) && f->field != DRG_F_KIND && f->field != DRG_F_ADAPTER_ID &&
		    drg_str_eq(wire, drg_str_c(f->wire)))
			return f;
	}
	return NULL;
}

bool drg_profile_of_codes(enum drg_kind kind)
{
	const enum drg_kind_comparison compared = drg_kind_compared(kind);
	return compared != DRG_COMPARED_HOTELS && compared != DRG_COMPARED_PLACES;
}

const struct drg_profile_column *drg_profile_column_of(const struct drg_profile *p, enum drg_field field)
{
	for (unsigned i = 0; i < p->n_columns; i++)
		if (p->columns[i].field->field == field)
			return &p->columns[i];
	return NULL;
}

bool drg_profile_bind(struct drg_profile *p, const struct drg_field_def *field, struct drg_str column)
{
	unsigned i = 0;
	while (i < p->n_columns && p->columns[i].field != field)
		i++;
	if (i == DRG_PROFILE_COLUMNS_MAX)
		return false;
	p->columns[i] = (struct drg_profile_column){ field, column };
	p->n_columns += i == p->n_columns;
	return true;
}

void drg_profile_unbind(struct drg_profile *p, const struct drg_field_def *field)
{
	unsigned n = 0;
	for (unsigned i = 0; i < p->n_columns; i++)
		if (p->columns[i].field != field)
			p->columns[n++] = p->columns[i];
	p->n_columns = n;
}

int drg_profile_check_shared(const struct drg_profile *p, struct drg_err *reterr)
{
	struct drg_column columns[DRG_PROFILE_COLUMNS_MAX];
	struct drg_arena arena;
	int rc = drg_columns_open(reterr);
	drg_arena_init(&arena, SIZE_MAX);
	for (unsigned k = 0; k < p->n_columns && rc == DRG_OK; k++) {
		const struct drg_field_def *f = p->columns[k].field;
		rc = drg_column_make(p->columns[k].column, &arena, &columns[k], reterr);
		for (unsigned j = 0; j < k && rc == DRG_OK; j++)
			if (drg_column_same(&columns[j], &columns[k]) &&
			    !drg_column_may_feed(p->kind, &columns[k], p->columns[j].field, f))
				rc = drg_fail(reterr, DRG_EINVAL, DRG_R(bad_list), "map",
				              "--map: the column %.*s cannot feed both %s and %s",
				              DRG_STR_ARG(p->columns[k].column), p->columns[j].field->wire,
				              f->wire);
	}
	drg_arena_done(&arena);
	return rc;
}

int drg_profile_check_values(const struct drg_profile *p, struct drg_err *reterr)
{
	const struct {
		const char *name, *wire;
		struct drg_str value;
	} all[] = { { "country", "country_name", p->country }, { "category", "category_name", p->category } };
	for (size_t i = 0; i < DRG_ARRAY_LEN(all); i++) {
		if (all[i].value.n > 0 && drg_profile_field(p->kind, drg_str_c(all[i].wire)) == NULL)
			return drg_fail(reterr, DRG_EINVAL, DRG_R(bad_value), all[i].name,
			                "--%s: a %s has no %s", all[i].name, drg_kind_name(p->kind),
			                all[i].name);
		if (all[i].value.n > DRG_PROFILE_VALUE_MAX || drg_utf8_has_control(all[i].value))
			return drg_fail(
			        reterr, DRG_EINVAL, DRG_R(bad_value), all[i].name,
			        "--%s: expected a name of at most %d bytes without control characters",
			        all[i].name, DRG_PROFILE_VALUE_MAX);
	}
	return DRG_OK;
}

/* ---- reading ------------------------------------------------------------------------------------------- */

struct profile_reading {
	struct drg_profile *p;
	struct drg_arena *arena;
	struct drg_err *err;
};

static int bad_member(const struct profile_reading *x, const char *name, const char *expected)
{
	return drg_fail(x->err, DRG_EINVAL, DRG_R(bad_value), name, "profile: %s: expected %s", name,
	                expected);
}

static int read_columns(const struct profile_reading *x, const struct drg_json_item *v)
{
	struct drg_json_walk w;
	struct drg_json_item column;
	struct drg_str name;
	if (v->type != DRG_JSON_OBJECT)
		return bad_member(x, "columns", "an object from field to column");
	drg_json_walk_init(&w, v, x->arena);
	int rc;
	while ((rc = drg_json_walk_next(&w, &name, &column)) == DRG_OK) {
		const struct drg_field_def *f = drg_profile_field(x->p->kind, name);
		if (f == NULL || column.type != DRG_JSON_STRING)
			return bad_member(x, "columns",
			                  "fields of this kind, each with the name of a column");
		if (!drg_profile_bind(x->p, f, column.s))
			return bad_member(x, "columns", "fewer fields");
	}
	return rc == DRG_ENOENT ? DRG_OK : drg_fail_memory(x->err);
}

static int profile_read_list(const struct profile_reading *x, const char *name, const struct drg_json_item *v,
                             bool (*take)(struct drg_profile *p, struct drg_str s))
{
	struct drg_json_walk w;
	struct drg_json_item item;
	int rc;
	if (v->type != DRG_JSON_ARRAY)
		return bad_member(x, name, "an array of texts");
	drg_json_walk_init(&w, v, x->arena);
	while ((rc = drg_json_walk_next(&w, NULL, &item)) == DRG_OK)
		if (item.type != DRG_JSON_STRING || !take(x->p, item.s))
			return bad_member(x, name, "an array of texts that have a meaning here");
	return rc == DRG_ENOENT ? DRG_OK : drg_fail_memory(x->err);
}

static bool take_ignored(struct drg_profile *p, struct drg_str s)
{
	if (p->n_ignored < DRG_PROFILE_IGNORED_MAX)
		p->ignored[p->n_ignored++] = s;
	return true;
}

static bool take_also(struct drg_profile *p, struct drg_str s)
{
	enum drg_kind kind = drg_kind_by_name(s);
	if (!drg_kind_is_source(kind))
		return false;
	p->also |= 1U << kind;
	return true;
}

static int read_member(const struct profile_reading *x, struct drg_str name, const struct drg_json_item *v)
{
	struct drg_profile *p = x->p;
	bool text = v->type == DRG_JSON_STRING;
	if (drg_str_eq(name, DRG_STR("columns")))
		return read_columns(x, v);
	if (drg_str_eq(name, DRG_STR("ignored")))
		return profile_read_list(x, "ignored", v, take_ignored);
	if (drg_str_eq(name, DRG_STR("also")))
		return profile_read_list(x, "also", v, take_also);
	if (drg_str_eq(name, DRG_STR("complete")) && v->type == DRG_JSON_BOOL)
		p->complete = v->b;
	else if (drg_str_eq(name, DRG_STR("exchanged")) && v->type == DRG_JSON_BOOL)
		p->degrees = v->b ? DRG_DEGREES_EXCHANGED : DRG_DEGREES_STRAIGHT;
	else if (drg_str_eq(name, DRG_STR("encoding")) && text)
		p->encoding = v->s;
	else if (drg_str_eq(name, DRG_STR("sheet")) && text)
		p->sheet = v->s;
	else if (drg_str_eq(name, DRG_STR("lang")) && text && drg_lang_valid(v->s))
		p->lang = v->s;
	else if (drg_str_eq(name, DRG_STR("country")) && text)
		p->country = v->s;
	else if (drg_str_eq(name, DRG_STR("category")) && text)
		p->category = v->s;
	else if (drg_str_eq(name, DRG_STR("separator")) && text && drg_utf8_only(v->s) != 0)
		p->separator = drg_utf8_only(v->s);
	else if (drg_str_eq(name, DRG_STR("quote")) && text && drg_quote_by_name(v->s) != DRG_QUOTE_UNKNOWN)
		p->quote = drg_quote_by_name(v->s);
	else if (drg_str_eq(name, DRG_STR("decimal")) && text && v->s.n == 1 &&
	         strchr(".,", v->s.p[0]) != NULL)
		p->decimal = v->s.p[0];
	else
		return drg_fail(
		        x->err, DRG_EINVAL, DRG_R(unknown_field), "data",
		        "profile: expected members such as columns, encoding, separator, quote, decimal, "
		        "lang, country, category, sheet, also, complete, exchanged with their values, "
		        "found %.*s",
		        DRG_STR_ARG(name));
	return DRG_OK;
}

int drg_profile_read(enum drg_kind kind, struct drg_str data, struct drg_arena *arena,
                     struct drg_profile *ret, struct drg_err *reterr)
{
	struct profile_reading x = { ret, arena, reterr };
	struct drg_json_item object, v;
	struct drg_json_walk w;
	struct drg_str name;
	*ret = (struct drg_profile){ .kind = kind };
	int rc = drg_json_scan(data, arena, &object, reterr);
	if (rc == DRG_OK && object.type != DRG_JSON_OBJECT)
		rc = bad_member(&x, "data", "an object");
	if (rc != DRG_OK)
		return rc;
	drg_json_walk_init(&w, &object, arena);
	while ((rc = drg_json_walk_next(&w, &name, &v)) == DRG_OK) {
		rc = read_member(&x, name, &v);
		if (rc != DRG_OK)
			return rc;
	}
	return rc == DRG_ENOENT ? drg_profile_check_values(ret, reterr) : drg_fail_memory(reterr);
}

/* ---- writing ------------------------------------------------------------------------------------------- */

static void write_text(struct drg_jw *w, const char *name, struct drg_str s)
{
	if (s.n == 0)
		return;
	drg_jw_member_str(w, name, s);
}

static void write_lists(struct drg_jw *w, const struct drg_profile *p)
{
	if (p->n_ignored > 0) {
		drg_jw_member_array(w, "ignored");
		for (unsigned i = 0; i < p->n_ignored; i++)
			drg_jw_str(w, p->ignored[i]);
		drg_jw_array_end(w);
	}
	if (p->also != 0) {
		drg_jw_member_array(w, "also");
		for (unsigned k = 0; k < DRG_KIND_COUNT; k++)
			if ((p->also >> k & 1) != 0)
				drg_jw_str(w, drg_str_c(drg_kind_name((enum drg_kind)k)));
		drg_jw_array_end(w);
	}
}

void drg_profile_write(const struct drg_profile *p, struct drg_buf *out)
{
	struct drg_jw w = { .b = out };
	drg_jw_object(&w);
	drg_jw_member_object(&w, "columns");
	for (unsigned i = 0; i < p->n_columns; i++)
		drg_jw_member_str(&w, p->columns[i].field->wire, p->columns[i].column);
	drg_jw_object_end(&w);
	write_lists(&w, p);
	write_text(&w, "encoding", p->encoding);
	char separator[4];
	write_text(&w, "separator",
	           drg_str(separator, p->separator != 0 ? drg_utf8_put(p->separator, separator) : 0));
	if (p->quote != DRG_QUOTE_UNKNOWN)
		write_text(&w, "quote", drg_str_c(drg_quote_names[p->quote]));
	write_text(&w, "decimal", drg_str(&p->decimal, p->decimal != '\0'));
	write_text(&w, "lang", p->lang);
	write_text(&w, "country", p->country);
	write_text(&w, "category", p->category);
	write_text(&w, "sheet", p->sheet);
	if (p->complete)
		drg_jw_member_bool(&w, "complete", true);
	if (p->degrees != DRG_DEGREES_UNKNOWN)
		drg_jw_member_bool(&w, "exchanged", p->degrees == DRG_DEGREES_EXCHANGED);
	drg_jw_object_end(&w);
}
