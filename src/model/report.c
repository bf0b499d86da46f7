#include "model/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "text/stamp.h"

static int suppliers_compare(const void *key, const void *row)
{
	int64_t id = *(const int64_t *)key, other = ((const struct drg_report_supplier *)row)->id;
	return id < other ? -1 : id > other;
}

struct drg_report_supplier drg_suppliers_find(const struct drg_suppliers *s, int64_t id,
                                              char number[static DRG_I64_TEXT])
{
	const struct drg_report_supplier *one =
	        s->n > 0 ? bsearch(&id, s->v, s->n, sizeof *s->v, suppliers_compare) : NULL;
	if (one != NULL)
		return *one;
	return (struct drg_report_supplier){ .id = id, .code = { number, drg_i64_text(id, number) } };
}

union report_value {
	int64_t number;
	struct drg_str text;
	const char *word;
};

/* Find the value of a row. @param own  Holds it if it is a field of a record. */
static const void *report_at(const struct drg_report_column *c, const void *row, union report_value *own)
{
	const void *at = (const char *)row + c->offset;
	if ((c->flags & DRG_REPORT_STORED) == 0)
		return at;
	const struct drg_record *r = *(const struct drg_record *const *)at;
	if (c->type == DRG_REPORT_INT)
		own->number = drg_record_i(r, c->field, INT64_MIN);
	else if (c->type == DRG_REPORT_TEXT)
		own->text = drg_record_s(r, c->field);
	else
		own->word = drg_record_has(r, c->field) ? c->words[drg_record_i(r, c->field, 0)] : NULL;
	return own;
}

/* The value of a column that is a text; empty: null. */
static struct drg_str report_text(const struct drg_report_column *c, const void *at,
                                  char time[static DRG_STAMP_TEXT])
{
	enum { DATE_CHARS = 10 };
	const int64_t *number = at;
	switch (c->type) {
	case DRG_REPORT_TEXT: return *(const struct drg_str *)at;
	case DRG_REPORT_WORD: return drg_str_c(*(const char *const *)at);
	case DRG_REPORT_KIND: return drg_str_c(drg_kind_name(*(const enum drg_kind *)at));
	case DRG_REPORT_TIME:
		return *number != INT64_MIN ? drg_str(time, drg_stamp_text(*number, time)) : drg_str("", 0);
	case DRG_REPORT_DAY:
		if (*number == INT64_MIN)
			return drg_str("", 0);
		drg_stamp_text(*number * DRG_DAY_US, time);
		return drg_str(time, DATE_CHARS);
	default: return drg_str("", 0);
	}
}

/* ---- JSON ------------------------------------------------------------------------------------------------ */

static void report_json_ids(struct drg_jw *w, struct drg_str ids)
{
	struct drg_str one;
	if (ids.p == NULL) {
		drg_jw_null(w);
		return;
	}
	drg_jw_array(w);
	while (ids.n > 0 && drg_str_split(&ids, ',', &one))
		drg_jw_raw(w, drg_str_trim(one));
	drg_jw_array_end(w);
}

static void report_json_member(struct drg_jw *w, const struct drg_report_column *c, const void *row)
{
	union report_value own;
	const void *at = report_at(c, row, &own);
	const struct drg_report_supplier *supplier = at;
	const int64_t *number = at;
	char time[DRG_STAMP_TEXT];
	switch (c->type) {
	case DRG_REPORT_INT: drg_jw_member_i64_or_null(w, c->name, *number != INT64_MIN, *number); break;
	case DRG_REPORT_REAL: drg_jw_member_real(w, c->name, *(const double *)at); break;
	case DRG_REPORT_TENTHS:
		drg_jw_member_real(w, c->name, *number != INT64_MIN ? (double)*number / 10 : NAN);
		break;
	case DRG_REPORT_BOOL: drg_jw_member_bool(w, c->name, *(const bool *)at); break;
	case DRG_REPORT_SUPPLIER:
		drg_jw_member_i64(w, "adapter_id", supplier->id);
		drg_jw_member_str_or_null(w, "adapter", supplier->name);
		break;
	case DRG_REPORT_SUPPLIERS:
		drg_jw_key(w, c->name);
		report_json_ids(w, ((const struct drg_report_suppliers *)at)->ids);
		break;
	default: drg_jw_member_str_or_null(w, c->name, report_text(c, at, time)); break;
	}
}

void drg_report_json(struct drg_jw *w, const struct drg_report *report, const void *row, unsigned skip)
{
	drg_jw_object(w);
	for (const struct drg_report_column *c = report->columns; c->name != NULL; c++)
		if ((c->flags & skip) == 0)
			report_json_member(w, c, row);
	drg_jw_object_end(w);
}

/* ---- tables ---------------------------------------------------------------------------------------------- */

/* "7,9" as codes. */
static void report_codes(struct drg_buf *b, const struct drg_report_suppliers *list)
{
	struct drg_str rest = list->ids, one;
	char number[DRG_I64_TEXT];
	int64_t id;
	for (size_t before = b->n; rest.n > 0 && drg_str_split(&rest, ',', &one);) {
		if (!drg_str_to_i64(drg_str_trim(one), &id))
			continue;
		if (b->n > before)
			drg_buf_char(b, ',');
		drg_buf_str(b, drg_suppliers_find(list->all, id, number).code);
	}
}

bool drg_report_cell(struct drg_buf *b, const struct drg_report_column *c, const void *row)
{
	union report_value own;
	const void *at = report_at(c, row, &own);
	const int64_t *number = at;
	const size_t before = b->n;
	char time[DRG_STAMP_TEXT];
	switch (c->type) {
	case DRG_REPORT_INT:
		if (*number != INT64_MIN)
			drg_buf_i64(b, *number);
		break;
	case DRG_REPORT_REAL:
		if (!isnan(*(const double *)at))
			drg_buf_printf(b, "%.4f", *(const double *)at);
		break;
	case DRG_REPORT_TENTHS:
		if (*number != INT64_MIN)
			drg_buf_printf(b, "%" PRId64 ".%" PRId64, *number / 10, *number % 10);
		break;
	case DRG_REPORT_BOOL: drg_buf_str(b, *(const bool *)at ? DRG_STR("yes") : DRG_STR("no")); break;
	case DRG_REPORT_SUPPLIER: drg_buf_str(b, ((const struct drg_report_supplier *)at)->code); break;
	case DRG_REPORT_SUPPLIERS: report_codes(b, at); break;
	default: drg_buf_str(b, report_text(c, at, time)); break;
	}
	if (b->n == before)
		drg_buf_str(b, drg_str_c(c->none));
	return b->n > before;
}
