#include "load/convert.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/value.h"
#include "text/utf8.h"

struct converting {
	const struct drg_plan *p;
	struct drg_arena *arena;
	struct drg_record *r;
	struct drg_buf reasons;
	bool bad_id;
};

static void bad_cell(struct converting *c, const char *field, const char *message)
{
	drg_buf_printf(&c->reasons, "%s%s%s%s", c->reasons.n > 0 ? "; " : "", field,
	               field[0] != '\0' ? ": " : "", message);
}

/* ---- numbers ------------------------------------------------------------------------------------------- */

/* The sign before the decimals: the last of both, the only one that stands once, or what was said. */
static char decimal_of(struct drg_str s, char said)
{
	size_t n[2] = { 0, 0 }, last = 0;
	for (size_t i = 0; i < s.n; i++) {
		n[0] += s.p[i] == '.';
		n[1] += s.p[i] == ',';
		last = s.p[i] == '.' || s.p[i] == ',' ? i : last;
	}
	if (said != '\0' || n[0] + n[1] == 0)
		return said != '\0' ? said : '.';
	if (n[0] > 0 && n[1] > 0)
		return s.p[last];
	return n[0] + n[1] == 1 ? s.p[last] : '\0';
}

/* Three digits and no fourth: what stands before them can only part thousands. */
static bool thousands_follow(struct drg_str s)
{
	size_t n = 0;
	while (n < s.n && s.p[n] >= '0' && s.p[n] <= '9')
		n++;
	return n == 3;
}

/* "1.234,56" by its decimal sign; 0: only if there is one way to read it. */
static bool convert_number(struct drg_str s, char decimal, double *ret)
{
	char plain[64], *end;
	size_t n = 0;
	char point = decimal_of(s, decimal);
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];
		size_t wide = s.n - i >= 2 && memcmp(s.p + i, "\xc2\xa0", 2) == 0 ? 2 : 1;
		bool group = wide == 2 || c == ' ' || c == '\'' || ((c == '.' || c == ',') && c != point);
		if (group && i > 0 && thousands_follow(drg_str(s.p + i + wide, s.n - i - wide))) {
			i += wide - 1;
			continue;
		}
		if (group || n + 1 == sizeof plain)
			return false;
		plain[n++] = c == point ? '.' : c;
	}
	plain[n] = '\0';
	double d = strtod(plain, &end);
	if (n == 0 || *end != '\0' || !isfinite(d) || strspn(plain, "+-0123456789.eE") != n)
		return false;
	*ret = d;
	return true;
}

/* ---- words --------------------------------------------------------------------------------------------- */

static bool read_bool(struct drg_str s, bool *ret)
{
	static const char *const yes[] = { "true", "yes", "y",   "1",    "x",  "+",   "да", "Да",
		                           "ДА",   "так", "Так", "evet", "ja", "oui", "si", "tak" };
	static const char *const no[] = { "false", "no", "n",     "0",     "-",    "нет", "Нет",
		                          "НЕТ",   "ні", "hayır", "hayir", "nein", "non", "nie" };
	for (size_t i = 0; i < DRG_ARRAY_LEN(yes); i++)
		if (drg_str_eq_nocase(s, drg_str_c(yes[i])))
			return *ret = true, true;
	for (size_t i = 0; i < DRG_ARRAY_LEN(no); i++)
		if (drg_str_eq_nocase(s, drg_str_c(no[i])))
			return *ret = false, true;
	return false;
}

/* "1.10E+03": Excel has put a long number into this form, and its digits are lost. */
static bool is_scientific(struct drg_str s)
{
	size_t i = 0, digits = 0;
	for (; i < s.n && ((s.p[i] >= '0' && s.p[i] <= '9') || s.p[i] == '.' || s.p[i] == ','); i++)
		digits += s.p[i] >= '0' && s.p[i] <= '9';
	if (digits == 0 || i + 2 >= s.n || (s.p[i] != 'E' && s.p[i] != 'e') ||
	    (s.p[i + 1] != '+' && s.p[i + 1] != '-'))
		return false;
	for (i += 2; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return true;
}

/* What is wrong with a cell as an identifier; NULL: nothing. */
static const char *bad_id(const struct drg_cell *cell)
{
	struct drg_str s = cell->text;
	if (cell->form == DRG_CELL_DATE)
		return "expected an id, found a date: Excel made one of it; make the column text and type it "
		       "anew";
	if (is_scientific(s))
		return "expected an id, found a number that Excel has shortened: make the column text";
	if (cell->form == DRG_CELL_NUMBER && (memchr(s.p, '.', s.n) != NULL || s.n > 15))
		return "expected an id, found a number with decimals or more than 15 digits: make the column "
		       "text";
	return NULL;
}

/* ---- cells --------------------------------------------------------------------------------------------- */

static void cell_item(const struct converting *c, const struct drg_field_def *f, struct drg_str s,
                      struct drg_json_item *ret)
{
	double d;
	bool b;
	int64_t i;
	*ret = (struct drg_json_item){ .type = DRG_JSON_STRING, .s = s };
	if (f->vtype == DRG_V_REAL && convert_number(s, c->p->profile.decimal, &d))
		*ret = (struct drg_json_item){ .type = DRG_JSON_REAL, .d = d };
	else if (f->vtype == DRG_V_BOOL && read_bool(s, &b))
		*ret = (struct drg_json_item){ .type = DRG_JSON_BOOL, .b = b };
	else if (f->vtype == DRG_V_INT && drg_str_to_i64(s, &i))
		*ret = (struct drg_json_item){ .type = DRG_JSON_INT, .i = i };
}

static void convert_cell(struct converting *c, const struct drg_field_def *f, const struct drg_cell *cell)
{
	struct drg_json_item item;
	struct drg_err e;
	const char *bad = f->vtype == DRG_V_SRCID ? bad_id(cell) : NULL;
	if (cell->text.n == 0 || drg_utf8_is_blank(cell->text))
		return;
	if (cell->form == DRG_CELL_ERROR)
		bad = "expected a value, found an error of Excel or a formula without its value";
	c->bad_id |= bad != NULL && f->field == DRG_F_SOURCE_ID;
	if (bad != NULL) {
		bad_cell(c, f->wire, bad);
		return;
	}
	if ((f->flags & DRG_FF_NULL) != 0 && drg_str_eq(cell->text, DRG_STR("null"))) {
		c->r->nulls |= UINT64_C(1) << f->field;
		return;
	}
	cell_item(c, f, cell->text, &item);
	if (drg_value_read(f, &item, c->arena, &c->r->v[f->field], &e) == DRG_OK)
		c->r->has |= UINT64_C(1) << f->field;
	else {
		bad_cell(c, f->wire, e.message);
		c->bad_id |= f->field == DRG_F_SOURCE_ID;
	}
}

static void convert_cells(struct converting *c, const struct drg_sheet_row *row)
{
	char text[96];
	for (unsigned i = 0; i < row->n; i++) {
		int b = i < c->p->n_columns ? c->p->bound[i] : DRG_COLUMN_IGNORED;
		if (b >= 0)
			convert_cell(c, c->p->profile.columns[b].field, &row->cells[i]);
	}
	if (row->n > c->p->n_columns) {
		snprintf(text, sizeof text, "expected %u cells as in the header, found %u", c->p->n_columns,
		         row->n);
		bad_cell(c, "", text);
	}
}

int drg_convert_row(const struct drg_plan *p, int64_t adapter, const struct drg_sheet_row *row,
                    struct drg_arena *arena, struct drg_converted *ret, struct drg_err *reterr)
{
	struct converting c = { .p = p, .arena = arena, .r = &ret->r };
	drg_buf_init(&c.reasons, 4096);
	drg_record_init(&ret->r, &drg_types[DRG_TYPE_SOURCE]);
	drg_record_set_i(&ret->r, DRG_F_ADAPTER_ID, adapter);
	drg_record_set_i(&ret->r, DRG_F_KIND, (int64_t)p->profile.kind);
	convert_cells(&c, row);
	if (!drg_record_has(&ret->r, DRG_F_SOURCE_ID) && !c.bad_id)
		bad_cell(&c, "id", "expected the supplier's id, found nothing");
	ret->reasons = c.reasons.n > 0 ? drg_arena_str(arena, drg_buf_view(&c.reasons)) : drg_str("", 0);
	drg_buf_done(&c.reasons);
	return ret->reasons.p != NULL ? DRG_OK : drg_fail_memory(reterr);
}

bool drg_convert_also(const struct drg_record *row, enum drg_kind kind, struct drg_record *ret)
{
	enum drg_field id = kind == DRG_KIND_COUNTRY ? DRG_F_SRC_COUNTRY_ID
	                    : kind == DRG_KIND_CITY  ? DRG_F_SRC_CITY_ID
	                                             : DRG_F_SRC_CATEGORY_ID;
	enum drg_field name = kind == DRG_KIND_COUNTRY ? DRG_F_COUNTRY_NAME
	                      : kind == DRG_KIND_CITY  ? DRG_F_CITY_NAME
	                                               : DRG_F_CATEGORY_NAME;
	if (!drg_record_has(row, id) || !drg_record_has(row, name))
		return false;
	drg_record_init(ret, row->type);
	drg_record_set_i(ret, DRG_F_ADAPTER_ID, row->v[DRG_F_ADAPTER_ID].i);
	drg_record_set_i(ret, DRG_F_KIND, (int64_t)kind);
	drg_record_set_s(ret, DRG_F_SOURCE_ID, row->v[id].s);
	drg_record_set_s(ret, DRG_F_NAME, row->v[name].s);
	for (unsigned i = 0; i < 2 && kind == DRG_KIND_CITY; i++) {
		static const enum drg_field country[] = { DRG_F_SRC_COUNTRY_ID, DRG_F_COUNTRY_NAME };
		if (drg_record_has(row, country[i]))
			drg_record_set_s(ret, country[i], row->v[country[i]].s);
	}
	return true;
}
