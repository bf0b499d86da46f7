#include "model/csv.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/ndjson.h"
#include "text/cells.h"
#include "text/json.h"
#include "text/json_scan.h"
#include "text/lang.h"
#include "text/utf8.h"

/* A row becomes the NDJSON line that it means, and the reader of those applies the rules. */

enum { COLUMNS_MAX = 1024, BINDINGS_MAX = 256, LINE_MAX_BYTES = 64 * 1024 * 1024 };

/* A field of the target and the column that feeds it. Names have one for each language. */
struct binding {
	const struct drg_field_def *field;
	char lang[DRG_LANG_MAX + 1]; /* of DRG_V_NAMES, else "" */
	unsigned column;
};

struct drg_csv {
	const struct drg_type *type;
	enum drg_kind kind;
	int64_t adapter;
	char separator;
	char lang[DRG_LANG_MAX + 1]; /* of plain names; "" when not given */
	unsigned n_columns, n_bindings;
	struct binding bindings[BINDINGS_MAX];
	struct drg_str columns[COLUMNS_MAX]; /* in the arena */
	struct drg_arena arena;
	struct drg_buf line; /* the row as NDJSON */
};

/* ---- messages ------------------------------------------------------------------------------------------ */

/* "... expected one of COLUMNS, found FOUND" */
static int fail_column(struct drg_csv *c, const struct drg_reason *reason, const char *field,
                       const char *expected, struct drg_str found, struct drg_err *reterr)
{
	struct drg_buf b;
	drg_buf_init(&b, 512);
	for (unsigned i = 0; i < c->n_columns; i++)
		drg_buf_printf(&b, "%s%.*s", i == 0 ? "" : ", ", DRG_STR_ARG(c->columns[i]));
	int rc = drg_fail(reterr, DRG_EINVAL, reason, field, "expected %s, found %.*s (columns: %.*s)",
	                  expected, DRG_STR_ARG(found), (int)b.n, b.p);
	drg_buf_done(&b);
	return rc;
}

static int fail_field(struct drg_csv *c, struct drg_str found, struct drg_err *reterr)
{
	struct drg_buf b;
	drg_buf_init(&b, 512);
	for (unsigned i = 0; i < c->type->n_fields; i++)
		if (drg_field_applies(&c->type->fields[i], c->kind))
			drg_buf_printf(&b, "%s%s", i == 0 ? "" : ", ", c->type->fields[i].wire);
	int rc = drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_field), NULL,
	                  "expected one of the fields %.*s, found %.*s", (int)b.n, b.p, DRG_STR_ARG(found));
	drg_buf_done(&b);
	return rc;
}

/* ---- the target and its columns ------------------------------------------------------------------------ */

static int read_target(struct drg_csv *c, const char *target, struct drg_err *reterr)
{
	struct drg_str kind = drg_str_c(target), name;
	drg_str_split(&kind, ':', &name);
	c->type = drg_type_by_name(name);
	c->kind = kind.p != NULL ? drg_kind_by_name(kind) : DRG_KIND_NONE;
	if (c->type == NULL || c->type->internal)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_type), NULL,
		                "expected a type such as source:hotel, dict:country or direction, found %s",
		                target);
	if (c->type->kinds != 0 && !drg_kind_in(c->type->kinds, c->kind))
		return drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_kind), NULL,
		                "expected a kind behind the type, such as %s:hotel, found %s", c->type->name,
		                target);
	if (c->type->kinds == 0 && kind.p != NULL)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_kind), NULL,
		                "expected %s without a kind, found %s", c->type->name, target);
	return DRG_OK;
}

char drg_csv_separator(const struct drg_csv_options *opt)
{
	return opt->separator != '\0' ? opt->separator : ',';
}

static int read_options(struct drg_csv *c, const struct drg_csv_options *opt, struct drg_err *reterr)
{
	c->adapter = opt->adapter;
	c->separator = drg_csv_separator(opt);
	if (opt->lang == NULL)
		return DRG_OK;
	if (!drg_lang_valid(drg_str_c(opt->lang)))
		return drg_fail(reterr, DRG_EINVAL, DRG_R(invalid_format), "lang",
		                "expected a language tag such as uk or pt-br, found %s", opt->lang);
	drg_lang_normal(drg_str_c(opt->lang), c->lang);
	return DRG_OK;
}

static int read_header(struct drg_csv *c, struct drg_str header, struct drg_err *reterr)
{
	if (!drg_utf8_valid(header, NULL))
		return drg_fail(reterr, DRG_EINVAL, DRG_R(invalid_utf8), NULL,
		                "expected UTF-8, found other bytes");
	int rc = drg_cells_split(header, c->separator, &c->arena, c->columns, COLUMNS_MAX, &c->n_columns,
	                         reterr);
	for (unsigned i = 0; i < c->n_columns; i++)
		c->columns[i] = drg_str_trim(c->columns[i]);
	return rc;
}

/* The field, and for names the language, that "name", "name.uk" or "city_id" means here; a NULL field for
 * none. */
static struct binding binding_named(const struct drg_csv *c, struct drg_str name)
{
	struct binding b = { 0 };
	struct drg_str lang = name, wire;
	drg_str_split(&lang, '.', &wire);
	for (unsigned i = 0; i < c->type->n_fields && b.field == NULL; i++) {
		const struct drg_field_def *f = &c->type->fields[i];
		if (drg_field_applies(f, c->kind) && f->field != DRG_F_KIND &&
		    drg_str_eq(wire, drg_str_c(f->wire)))
			b.field = f;
	}
	bool names = b.field != NULL && b.field->vtype == DRG_V_NAMES;
	if (lang.p != NULL && names && drg_lang_valid(lang))
		drg_lang_normal(lang, b.lang);
	else if (lang.p != NULL)
		b.field = NULL;
	else if (names)
		snprintf(b.lang, sizeof b.lang, "%s", c->lang[0] != '\0' ? c->lang : "en");
	return b;
}

static bool is_bound(const struct drg_csv *c, const struct binding *b)
{
	if (b->field->field == DRG_F_ADAPTER_ID && c->adapter != 0)
		return true;
	for (unsigned i = 0; i < c->n_bindings; i++)
		if (c->bindings[i].field == b->field && strcmp(c->bindings[i].lang, b->lang) == 0)
			return true;
	return false;
}

static int bind(struct drg_csv *c, struct binding b, unsigned column, struct drg_err *reterr)
{
	assert(column < COLUMNS_MAX);
	if (is_bound(c, &b))
		return fail_column(c, DRG_R(duplicate_column), b.field->wire, "one column for the field",
		                   DRG_STR("two"), reterr);
	if (c->n_bindings == BINDINGS_MAX)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(too_many_columns), NULL,
		                "expected at most %d columns with data, found more", BINDINGS_MAX);
	b.column = column;
	c->bindings[c->n_bindings++] = b;
	return DRG_OK;
}

/* One "field=Column". */
static int bind_pair(struct drg_csv *c, const char *pair, struct drg_err *reterr)
{
	struct drg_str column = drg_str_c(pair), name;
	drg_str_split(&column, '=', &name);
	if (column.p == NULL)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(invalid_format), NULL,
		                "expected field=Column, found %s", pair);
	struct binding b = binding_named(c, name);
	if (b.field == NULL)
		return fail_field(c, name, reterr);
	unsigned i = 0;
	while (i < c->n_columns && !drg_str_eq(c->columns[i], column))
		i++;
	if (i == c->n_columns)
		return fail_column(c, DRG_R(unknown_column), b.field->wire, "a column of the header", column,
		                   reterr);
	return bind(c, b, i, reterr);
}

/* Bind the columns: --adapter and --map go before the columns' names. */
static int bind_header(struct drg_csv *c, struct drg_err *reterr)
{
	bool bound[COLUMNS_MAX] = { false };
	for (unsigned i = 0; i < c->n_bindings; i++)
		bound[c->bindings[i].column] = true;
	for (unsigned i = 0; i < c->n_columns; i++) {
		struct binding b = binding_named(c, c->columns[i]);
		bound[i] |= b.field == NULL || is_bound(c, &b);
	}
	for (unsigned i = 0; i < c->n_columns; i++) {
		int rc = bound[i] ? DRG_OK : bind(c, binding_named(c, c->columns[i]), i, reterr);
		if (rc != DRG_OK)
			return rc;
	}
	return DRG_OK;
}

/* Better to be told once than in every row. */
static int csv_check_required(struct drg_csv *c, struct drg_err *reterr)
{
	for (unsigned i = 0; i < c->type->n_fields; i++) {
		const struct drg_field_def *f = &c->type->fields[i];
		bool needed =
		        (f->flags & (DRG_FF_ID | DRG_FF_REQUIRED)) != 0 && drg_field_applies(f, c->kind);
		bool fed = f->field == DRG_F_KIND || (f->field == DRG_F_ADAPTER_ID && c->adapter != 0);
		for (unsigned k = 0; k < c->n_bindings && !fed; k++)
			fed = c->bindings[k].field == f;
		char expected[64];
		snprintf(expected, sizeof expected, "a column for the field %s", f->wire);
		if (needed && !fed)
			return fail_column(c, DRG_R(missing_column), f->wire, expected, DRG_STR("none"),
			                   reterr);
	}
	return DRG_OK;
}

static int csv_prepare(struct drg_csv *c, const struct drg_csv_options *opt, struct drg_str header,
                       struct drg_err *reterr)
{
	int rc = read_target(c, opt->target, reterr);
	if (rc == DRG_OK)
		rc = read_options(c, opt, reterr);
	if (rc == DRG_OK)
		rc = read_header(c, header, reterr);
	for (const char *const *pair = opt->map; pair != NULL && *pair != NULL && rc == DRG_OK; pair++)
		rc = bind_pair(c, *pair, reterr);
	if (rc == DRG_OK)
		rc = bind_header(c, reterr);
	if (rc == DRG_OK)
		rc = csv_check_required(c, reterr);
	return rc;
}

int drg_csv_open(const struct drg_csv_options *opt, struct drg_str header, struct drg_csv **ret,
                 struct drg_err *reterr)
{
	struct drg_csv *c = calloc(1, sizeof *c);
	if (c == NULL)
		return drg_fail_memory(reterr);
	drg_arena_init(&c->arena, SIZE_MAX);
	drg_buf_init(&c->line, LINE_MAX_BYTES);
	int rc = csv_prepare(c, opt, header, reterr);
	if (rc != DRG_OK) {
		drg_csv_close(c);
		return rc;
	}
	*ret = c;
	return DRG_OK;
}

void drg_csv_close(struct drg_csv *c)
{
	if (c == NULL)
		return;
	drg_arena_done(&c->arena);
	drg_buf_done(&c->line);
	free(c);
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

static bool csv_read_bool(struct drg_str s, bool *ret)
{
	/* clang-format off */
	static const struct { const char *word; bool value; } words[] = {
		{ "true", true }, { "yes", true }, { "1", true }, { "false", false }, { "no", false }, { "0",
			false },
	};
	/* clang-format on */
	for (size_t i = 0; i < DRG_ARRAY_LEN(words); i++) {
		if (drg_str_eq_nocase(s, drg_str_c(words[i].word))) {
			*ret = words[i].value;
			return true;
		}
	}
	return false;
}

/* A cell is text by nature. Where the field wants something else and the cell does not look like it, it goes on
 * as text, and the reader says what it expected. */
static void write_cell(struct drg_jw *w, const struct drg_field_def *f, struct drg_str cell,
                       struct drg_arena *a)
{
	struct drg_str s = drg_str_trim(cell);
	struct drg_json_item item;
	int64_t i;
	bool b;
	if (f->vtype == DRG_V_INT && drg_str_to_i64(s, &i))
		drg_jw_i64(w, i);
	else if (f->vtype == DRG_V_BOOL && csv_read_bool(s, &b))
		drg_jw_bool(w, b);
	else if ((f->flags & DRG_FF_NULL) != 0 && drg_str_eq(s, DRG_STR("null")))
		drg_jw_null(w);
	else if ((f->vtype == DRG_V_REAL || f->vtype == DRG_V_JSON || f->vtype == DRG_V_RAW) &&
	         drg_json_scan(s, a, &item, NULL) == DRG_OK)
		drg_jw_raw(w, s);
	else
		drg_jw_str(w, cell);
}

/* The member of one field: its cell, or for names an object of its cells. Empty cells are as if not there. */
static void csv_write_member(const struct drg_csv *c, struct drg_jw *w, const struct drg_field_def *f,
                             const struct drg_str *cells, struct drg_arena *a)
{
	bool names = f->vtype == DRG_V_NAMES, begun = false;
	for (unsigned i = 0; i < c->n_bindings; i++) {
		const struct binding *b = &c->bindings[i];
		if (b->field != f || drg_utf8_is_blank(cells[b->column]))
			continue;
		if (!begun)
			drg_jw_key(w, f->wire);
		if (!begun && names)
			drg_jw_object(w);
		if (names)
			drg_jw_key(w, b->lang);
		begun = true;
		write_cell(w, f, cells[b->column], a);
	}
	if (begun && names)
		drg_jw_object_end(w);
	if (!begun && f->field == DRG_F_ADAPTER_ID && c->adapter != 0)
		drg_jw_member_i64(w, f->wire, c->adapter);
	if (!begun && f->field == DRG_F_LANG && c->lang[0] != '\0')
		drg_jw_member_str(w, f->wire, drg_str_c(c->lang));
}

static void write_line(struct drg_csv *c, const struct drg_str *cells, struct drg_arena *a)
{
	struct drg_jw w = { .b = &c->line };
	drg_buf_clear(&c->line);
	drg_jw_object(&w);
	drg_jw_member_str(&w, "type", drg_str_c(c->type->name));
	if (c->type->kinds != 0)
		drg_jw_member_str(&w, "kind", drg_str_c(drg_kind_name(c->kind)));
	for (unsigned i = 0; i < c->type->n_fields; i++)
		csv_write_member(c, &w, &c->type->fields[i], cells, a);
	drg_jw_object_end(&w);
}

int drg_csv_read(struct drg_csv *c, struct drg_str row, struct drg_arena *arena, struct drg_record *ret,
                 struct drg_err *reterr)
{
	assert(c->type != NULL && c->n_columns > 0 && c->n_columns <= COLUMNS_MAX);
	struct drg_str cells[COLUMNS_MAX];
	unsigned n;
	if (!drg_utf8_valid(row, NULL))
		return drg_fail(reterr, DRG_EINVAL, DRG_R(invalid_utf8), NULL,
		                "expected UTF-8, found other bytes");
	int rc = drg_cells_split(row, c->separator, arena, cells, COLUMNS_MAX, &n, reterr);
	if (rc != DRG_OK)
		return rc;
	if (n != c->n_columns)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(wrong_columns), NULL,
		                "expected %u columns, found %u", c->n_columns, n);
	write_line(c, cells, arena);
	struct drg_str line = drg_arena_str(arena, drg_buf_view(&c->line));
	if (c->line.rc != DRG_OK || line.p == NULL)
		return drg_fail_memory(reterr);
	return drg_ndjson_read(line, arena, ret, reterr);
}
