#include "load/records_out.h"

#include <stdio.h>

#include "model/key.h"
#include "model/names.h"
#include "sheet/table_out.h"
#include "text/json.h"

enum { RECORDS_COLUMNS = 64, RECORDS_LOOK = 1024, RECORDS_ROOM = 1 << 20 };

struct records_writing {
	const struct drg_records_out *o;
	struct drg_store *s;
	struct drg_table_out *out;
	const struct drg_field_def *fields[RECORDS_COLUMNS];
	unsigned n_fields;
	struct drg_str cells[RECORDS_COLUMNS + 2];
	struct drg_arena arena; /* memory for one row */
	uint64_t rows;
	struct drg_err *err;
};

/* ---- cells --------------------------------------------------------------------------------------------- */

static struct drg_str records_real(struct records_writing *w, double d)
{
	struct drg_buf b;
	drg_buf_init(&b, 64);
	drg_json_real(&b, d);
	struct drg_str text = drg_arena_str(&w->arena, drg_buf_view(&b));
	drg_buf_done(&b);
	return text;
}

static struct drg_str records_int(struct records_writing *w, int64_t i)
{
	char text[DRG_I64_TEXT];
	return drg_arena_str(&w->arena, drg_str(text, drg_i64_text(i, text)));
}

static struct drg_str records_cell(struct records_writing *w, const struct drg_record *r,
                                   const struct drg_field_def *f)
{
	const union drg_value *v = drg_record_value(r, f);
	if (!drg_record_has_value(r, f))
		return drg_str("", 0);
	if (drg_value_is_text(f->vtype))
		return v->s;
	switch (f->vtype) {
	case DRG_V_REAL: return records_real(w, v->d);
	case DRG_V_ENUM: return drg_str_c(f->words[v->i]);
	case DRG_V_BOOL: return v->i != 0 ? DRG_STR("true") : DRG_STR("false");
	default: return records_int(w, v->i);
	}
}

/* Find the name of the dict record that a record is mapped to, if it exists. */
static int records_dict_name(struct records_writing *w, const struct drg_record *r)
{
	struct drg_rows rows;
	struct drg_record key;
	struct drg_str *cell = &w->cells[w->n_fields + 1], name;
	*cell = drg_str("", 0);
	if (!drg_record_has(r, DRG_F_DICT_ID))
		return DRG_OK;
	drg_key_dict(&key, drg_record_kind(r), r->v[DRG_F_DICT_ID].i);
	drg_rows_get(&rows, w->s, &key, w->err);
	if (drg_rows_next(&rows) && (drg_main_name(&rows.row.r, &w->arena, &name) != DRG_OK ||
	                             (*cell = drg_arena_str(&w->arena, name)).p == NULL))
		rows.rc = drg_fail_memory(w->err);
	int rc = drg_rows_end(&rows);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

static int records_row(struct records_writing *w, const struct drg_record *r)
{
	if (drg_record_find_unknown_enum(r) != NULL)
		return DRG_OK;
	if (++w->rows % RECORDS_LOOK == 0 && w->o->over(w->o->ctx))
		return DRG_ESTOPPED;
	if (w->o->workbook && w->rows == DRG_TABLE_OUT_ROWS_MAX)
		return drg_fail(
		        w->err, DRG_ELIMIT, DRG_R(too_many_elements), "format",
		        "format: a workbook has room for %d rows, and there are more: take csv, or one kind",
		        DRG_TABLE_OUT_ROWS_MAX);
	drg_arena_reset(&w->arena);
	for (unsigned i = 0; i < w->n_fields; i++)
		w->cells[i] = records_cell(w, r, w->fields[i]);
	w->cells[w->n_fields] = records_cell(w, r, drg_field_of(r->type, DRG_F_DICT_ID));
	int rc = records_dict_name(w, r);
	if (rc == DRG_OK)
		drg_table_out_row(w->out, w->cells, w->n_fields + 2);
	return rc;
}

static void records_titles(struct records_writing *w)
{
	const struct drg_type *t = &drg_types[DRG_TYPE_SOURCE];
	uint64_t numbers = 0;
	for (unsigned i = 0; i < t->n_fields; i++)
		if (w->o->kind == DRG_KIND_NONE || drg_field_applies(&t->fields[i], w->o->kind)) {
			numbers |= (uint64_t)drg_field_is_amount(&t->fields[i]) << w->n_fields;
			w->fields[w->n_fields] = &t->fields[i];
			w->cells[w->n_fields++] = drg_str_c(t->fields[i].wire);
		}
	w->cells[w->n_fields] = DRG_STR("was");
	w->cells[w->n_fields + 1] = DRG_STR("dict_name");
	drg_table_out_row(w->out, w->cells, w->n_fields + 2);
	drg_table_out_amounts(w->out, numbers);
}

/* The file could not be written. The store has not failed, and the errors of writing have no reason of their
 * own: add not_stored. */
int drg_records_unwritten(int rc, struct drg_err *reterr)
{
	return drg_fail(reterr, rc, rc == DRG_EFULL || rc == DRG_EIO ? DRG_R(not_stored) : NULL, NULL,
	                "the file cannot be written: %s", drg_rc_text(rc));
}

int drg_records_out(struct drg_store *s, const struct drg_records_out *o, struct drg_err *reterr)
{
	struct drg_rows rows;
	struct records_writing w = { .o = o, .s = s, .err = reterr };
	struct drg_err closing;
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_SOURCE],
		                      .adapter = o->adapter,
		                      .one_kind = o->kind != DRG_KIND_NONE,
		                      .kind = o->kind };
	int rc = drg_table_out_open_as(o->path, o->workbook, &w.out, &closing);
	if (rc != DRG_OK)
		return drg_records_unwritten(rc, reterr);
	drg_arena_init(&w.arena, RECORDS_ROOM);
	records_titles(&w);
	for (drg_rows_scan(&rows, s, &f, reterr); drg_rows_next(&rows);)
		rows.rc = records_row(&w, &rows.row.r);
	rc = drg_rows_end(&rows);
	int closed = drg_table_out_close(w.out, &closing);
	drg_arena_done(&w.arena);
	if (rc == DRG_OK && closed != DRG_OK)
		return drg_records_unwritten(closed, reterr);
	return rc;
}
