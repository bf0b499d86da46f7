#include "cli/show.h"

#include <assert.h>

#include "model/ndjson.h"
#include "text/json.h"

/* ---- columns ------------------------------------------------------------------------------------------- */

static void show_add_field(struct drg_show_view *v, unsigned *n, const struct drg_field_def *f, int width)
{
	assert(*n < DRG_LISTING_COLUMNS_MAX - 8);
	v->fields[*n] = f;
	v->titles[(*n)++] = (struct drg_listing_column){ f->wire, width };
}

static unsigned show_choose_fields(struct drg_show_view *v, bool table)
{
	unsigned n = 0;
	for (size_t i = 0; table && i < v->n_columns; i++)
		show_add_field(v, &n, drg_field_of(v->type, v->columns[i].field), v->columns[i].width);
	for (unsigned i = 0; !table && i < v->type->n_fields; i++)
		if (v->kind == DRG_KIND_NONE || drg_field_applies(&v->type->fields[i], v->kind))
			show_add_field(v, &n, &v->type->fields[i],
			               drg_field_is_amount(&v->type->fields[i]) ? -1 : 0);
	v->n_fields = n;
	return n;
}

int drg_show_open(struct drg_cli *cli, struct drg_show_view *v)
{
	const struct drg_listing_choice c = drg_listing_choose(cli);
	unsigned n = show_choose_fields(v, c.format == DRG_LISTING_TABLE);
	v->shows_was = v->was && c.is_file;
	v->shows_extra = v->extra != NULL && (c.is_file || c.format == DRG_LISTING_TABLE);
	if (v->shows_was)
		v->titles[n++] = (struct drg_listing_column){ "was", 0 };
	for (size_t i = 0; v->shows_extra && v->extra[i].name != NULL; i++)
		v->titles[n++] = v->extra[i];
	return drg_listing_open(cli, v->titles, n, &v->listing);
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

static void show_real(struct drg_listing *l, double d)
{
	struct drg_buf b;
	drg_buf_init(&b, 64);
	drg_json_real(&b, d);
	drg_listing_number(l, drg_buf_view(&b));
	drg_buf_done(&b);
}

static void show_field(struct drg_listing *l, const struct drg_record *r, const struct drg_field_def *f)
{
	const union drg_value *v = drg_record_value(r, f);
	if (!drg_record_has_value(r, f))
		drg_listing_none(l);
	else if (drg_value_is_text(f->vtype))
		drg_listing_text(l, v->s);
	else if (f->vtype == DRG_V_REAL)
		show_real(l, v->d);
	else if (f->vtype == DRG_V_ENUM)
		drg_listing_text(l, drg_str_c(f->words[v->i]));
	else if (f->vtype == DRG_V_BOOL)
		drg_listing_text(l, drg_str_c(v->i != 0 ? "true" : "false"));
	else
		drg_listing_int(l, v->i);
}

static int show_line(struct drg_show_view *v, const struct drg_record *r)
{
	struct drg_buf line;
	drg_buf_init(&line, SIZE_MAX);
	drg_ndjson_write(r, &line);
	int rc = line.rc == DRG_OK ? drg_listing_line(&v->listing, drg_buf_view(&line)) : DRG_ENOMEM;
	drg_buf_done(&line);
	return rc;
}

int drg_show_record_with(struct drg_show_view *v, const struct drg_record *r, const struct drg_str *extra)
{
	if (v->listing.format == DRG_LISTING_NDJSON)
		return show_line(v, r);
	for (unsigned i = 0; i < v->n_fields; i++)
		show_field(&v->listing, r, v->fields[i]);
	if (v->shows_was)
		show_field(&v->listing, r, drg_field_of(v->type, DRG_F_DICT_ID));
	for (size_t i = 0; v->shows_extra && v->extra[i].name != NULL; i++)
		drg_listing_text(&v->listing, extra[i]);
	return drg_listing_row(&v->listing);
}
