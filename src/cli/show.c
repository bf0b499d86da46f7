#include "cli/show.h"

#include <stdio.h>

#include "model/ndjson.h"
#include "text/json.h"
#include "text/utf8.h"

const char *const drg_show_formats[] = { "table", "ndjson", "csv", NULL };

/* The plain text of a field, appended to @p out; nothing where it is absent. */
static void field_text(const struct drg_record *r, const struct drg_field_def *f, struct drg_buf *out)
{
	if (!drg_record_has(r, f->field))
		return;
	const union drg_value *v = &r->v[f->field];
	if (drg_value_is_text(f->vtype))
		drg_buf_str(out, v->s);
	else if (f->vtype == DRG_V_REAL)
		drg_json_real(out, v->d);
	else if (f->vtype == DRG_V_ENUM)
		drg_buf_str(out, drg_str_c(f->words[v->i]));
	else if (f->vtype == DRG_V_BOOL)
		drg_buf_str(out, drg_str_c(v->i != 0 ? "true" : "false"));
	else
		drg_buf_i64(out, v->i);
}

/* ---- a table ---------------------------------------------------------------------------------------------- */

static void table_cell(struct drg_str text, const struct drg_show_column *c, bool last)
{
	size_t n = drg_utf8_count(text);
	size_t pad = last || n >= (size_t)c->width ? 0 : (size_t)c->width - n;
	printf("%.*s%*s%s", DRG_STR_ARG(text), (int)pad, "", last ? "\n" : "  ");
}

static void table_row(const struct drg_show_view *v, const struct drg_record *r, const char *extra)
{
	struct drg_buf b;
	drg_buf_init(&b, SIZE_MAX);
	for (size_t i = 0; i < v->n_columns; i++) {
		const struct drg_field_def *f = drg_field_of(v->type, v->columns[i].field);
		drg_buf_clear(&b);
		if (r == NULL)
			drg_buf_str(&b, drg_str_c(f->wire));
		else if (drg_record_has(r, f->field))
			field_text(r, f, &b);
		else
			drg_buf_char(&b, '-');
		/* One row is one line. */
		for (size_t k = 0; k < b.n; k++)
			if (b.p[k] == '\n' || b.p[k] == '\t')
				b.p[k] = ' ';
		table_cell(drg_buf_view(&b), &v->columns[i], i + 1 == v->n_columns && v->extra == NULL);
	}
	if (v->extra != NULL)
		printf("%s\n", r == NULL ? v->extra : extra);
	drg_buf_done(&b);
}

/* ---- CSV -------------------------------------------------------------------------------------------------- */

static void csv_cell(struct drg_str text)
{
	bool quoted = false;
	for (size_t i = 0; i < text.n && !quoted; i++)
		quoted = strchr(",\"\r\n", text.p[i]) != NULL;
	if (!quoted) {
		fwrite(text.p, 1, text.n, stdout);
		return;
	}
	putchar('"');
	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] == '"')
			putchar('"');
		putchar(text.p[i]);
	}
	putchar('"');
}

/* The same for a file: cells of text, and once more what it is mapped to, so that who reads it back sees what changed. */
static void out_row(const struct drg_show_view *v, const struct drg_record *r, const char *extra)
{
	struct drg_str cells[DRG_F_COUNT + 2];
	struct drg_buf all;
	size_t ends[DRG_F_COUNT + 1];
	unsigned n = 0, dict = 0;
	drg_buf_init(&all, SIZE_MAX);
	for (unsigned i = 0; i < v->type->n_fields; i++) {
		const struct drg_field_def *f = &v->type->fields[i];
		if (v->kind != DRG_KIND_NONE && !drg_field_applies(f, v->kind))
			continue;
		if (r == NULL)
			drg_buf_str(&all, drg_str_c(f->wire));
		else
			field_text(r, f, &all);
		dict = f->field == DRG_F_DICT_ID ? n : dict;
		ends[n++] = all.n;
	}
	for (unsigned i = 0; i < n; i++) {
		size_t begin = i > 0 ? ends[i - 1] : 0;
		cells[i] = drg_str(all.p + begin, ends[i] - begin);
	}
	cells[n] = r == NULL ? DRG_STR("was") : cells[dict];
	if (v->extra != NULL)
		cells[++n] = drg_str_c(r == NULL ? v->extra : extra);
	drg_table_out_row(v->out, cells, n + 1);
	drg_buf_done(&all);
}

static void csv_row(const struct drg_show_view *v, const struct drg_record *r)
{
	struct drg_buf b;
	bool first = true;
	drg_buf_init(&b, SIZE_MAX);
	for (unsigned i = 0; i < v->type->n_fields; i++) {
		const struct drg_field_def *f = &v->type->fields[i];
		if (v->kind != DRG_KIND_NONE && !drg_field_applies(f, v->kind))
			continue;
		drg_buf_clear(&b);
		if (r == NULL)
			drg_buf_str(&b, drg_str_c(f->wire));
		else
			field_text(r, f, &b);
		if (!first)
			putchar(',');
		first = false;
		csv_cell(drg_buf_view(&b));
	}
	drg_buf_done(&b);
	fputs("\r\n", stdout);
}

/* ---- all -------------------------------------------------------------------------------------------------- */

void drg_show_header(const struct drg_show_view *v)
{
	if (v->out != NULL)
		out_row(v, NULL, NULL);
	else if (v->format == DRG_SHOW_TABLE)
		table_row(v, NULL, NULL);
	else if (v->format == DRG_SHOW_CSV)
		csv_row(v, NULL);
}

void drg_show_record(const struct drg_show_view *v, const struct drg_record *r)
{
	drg_show_record_with(v, r, "");
}

void drg_show_record_with(const struct drg_show_view *v, const struct drg_record *r, const char *extra)
{
	if (v->out != NULL) {
		out_row(v, r, extra);
	} else if (v->format == DRG_SHOW_TABLE) {
		table_row(v, r, extra);
	} else if (v->format == DRG_SHOW_CSV) {
		csv_row(v, r);
	} else {
		struct drg_buf line;
		drg_buf_init(&line, SIZE_MAX);
		drg_ndjson_write(r, &line);
		fwrite(line.p, 1, line.n, stdout);
		drg_buf_done(&line);
	}
}
