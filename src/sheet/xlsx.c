/* The cells of a sheet of an .xlsx file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sheet/sheet_priv.h"
#include "sheet/workbook.h"
#include "text/json.h"

enum cell_type { TYPE_NUMBER, TYPE_SHARED, TYPE_TEXT, TYPE_BOOL, TYPE_ERROR };

struct xlsx_sheet {
	struct drg_sheet head;
	struct workbook book;
	struct sheet_budget opened; /* what was spent once the workbook was open */
	struct xml_part *part; /* NULL: no sheet was chosen */
	uint64_t row;
	/* the cell that is being read */
	unsigned column;
	unsigned next; /* the column of a cell that does not say its own */
	enum cell_type type;
	uint64_t style;
	bool in_value, in_inline, in_phonetic, formula, valued;
	struct drg_buf value;
	bool row_ended;
};

static void xlsx_close(struct drg_sheet *s)
{
	struct xlsx_sheet *x = (struct xlsx_sheet *)s;
	drg_xml_part_close(x->part);
	drg_workbook_close(&x->book);
	drg_buf_done(&x->value);
	free(x);
}

/* ---- values -------------------------------------------------------------------------------------------- */

/* Days since 1899-12-30 (or 1904-01-01) as a date, with the time of day where there is one. */
static bool write_date(const struct xlsx_sheet *x, double days, struct drg_buf *out)
{
	struct tm tm;
	char text[40] = "";
	days += x->book.date1904 ? 1462 : 0;
	if (days < 0 || days > 2958466)
		return false; /* Excel shows no date either */
	time_t t = (time_t)llround((days - 25569) * 86400);
	if (gmtime_r(&t, &tm) == NULL)
		return false;
	strftime(text, sizeof text, t % 86400 == 0 ? "%Y-%m-%d" : "%Y-%m-%dT%H:%M:%S", &tm);
	drg_buf_str(out, drg_str_c(text));
	return true;
}

/* What was typed: 1100 for 1100.0, 36.85 for 36.850000000000001. */
static enum drg_cell_form write_number(const struct xlsx_sheet *x, struct drg_str text, struct drg_buf *out)
{
	char copy[64], *end;
	struct style style = drg_workbook_style(&x->book, x->style);
	snprintf(copy, sizeof copy, "%.*s", (int)(text.n < 63 ? text.n : 63), text.p);
	double d = strtod(copy, &end);
	if (text.n == 0 || text.n > 60 || *end != '\0' || !isfinite(d)) {
		drg_buf_str(out, text);
		return DRG_CELL_TEXT;
	}
	if (style.class == STYLE_DATE && write_date(x, d, out))
		return DRG_CELL_DATE;
	if (d == floor(d) && fabs(d) < 1e15)
		drg_buf_printf(out, "%0*.0f", style.class == STYLE_ZEROS ? style.zeros : 1, d);
	else
		drg_buf_printf(out, "%.15g", d);
	return DRG_CELL_NUMBER;
}

/* A cell of a few bytes may have a text of a megabyte. */
static int write_shared(struct xlsx_sheet *x, struct drg_buf *out, struct drg_err *reterr)
{
	struct drg_str s;
	if (!drg_workbook_string(&x->book, strtoull(x->value.p, NULL, 10), &s))
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL,
		                "the workbook is damaged: row %llu names a text that is not there",
		                (unsigned long long)x->row);
	drg_buf_str(out, s);
	return drg_sheet_spend(&x->head.budget, s.n, reterr);
}

static int xlsx_value(struct xlsx_sheet *x, struct drg_err *reterr)
{
	struct drg_buf *out = &x->head.line.texts;
	drg_buf_char(&x->value, '\0'); /* for strtoull() */
	if (x->value.rc != DRG_OK)
		return drg_fail_memory(reterr);
	struct drg_str v = drg_str(x->value.p, x->value.n - 1);
	enum drg_cell_form form = DRG_CELL_TEXT;
	size_t at = out->n;
	int rc;
	switch (x->type) {
	case TYPE_NUMBER: form = v.n > 0 ? write_number(x, v, out) : DRG_CELL_TEXT; break;
	case TYPE_SHARED:
		rc = write_shared(x, out, reterr);
		if (rc != DRG_OK)
			return rc;
		break;
	case TYPE_BOOL: drg_buf_str(out, drg_str_c(v.n > 0 && v.p[0] == '1' ? "true" : "false")); break;
	case TYPE_ERROR:
	case TYPE_TEXT:
		drg_buf_str(out, v);
		form = x->type == TYPE_ERROR ? DRG_CELL_ERROR : DRG_CELL_TEXT;
		break;
	}
	if (x->formula && !x->valued) {
		drg_buf_str(out, DRG_STR("(a formula without its value)"));
		form = DRG_CELL_ERROR;
	}
	if (drg_sheet_line_cell(&x->head.line, x->column, at, form) != DRG_OK || out->rc == DRG_ELIMIT)
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL,
		                "row %llu: expected cells in order, %d columns and %d bytes at most",
		                (unsigned long long)x->row, DRG_SHEET_COLUMNS_MAX, DRG_SHEET_CELL_MAX);
	return DRG_OK;
}

/* ---- elements ------------------------------------------------------------------------------------------ */

/* "AB12" is column 27; without a reference the next one. */
static unsigned column_of(const struct xlsx_sheet *x, struct drg_str ref)
{
	unsigned c = 0, i = 0;
	while (i < ref.n && i < 4 && ref.p[i] >= 'A' && ref.p[i] <= 'Z')
		c = c * 26 + (unsigned)(ref.p[i++] - 'A' + 1);
	return i > 0 ? c - 1 : x->next;
}

static enum cell_type type_of(struct drg_str t)
{
	/* clang-format off */
	static const struct { const char *word; enum cell_type type; } words[] = {
		{ "s", TYPE_SHARED }, { "str", TYPE_TEXT }, { "inlineStr", TYPE_TEXT }, { "b", TYPE_BOOL },
		{ "e", TYPE_ERROR }, { "d", TYPE_TEXT },
	};
	/* clang-format on */
	for (size_t i = 0; i < DRG_ARRAY_LEN(words); i++)
		if (drg_str_eq(t, drg_str_c(words[i].word)))
			return words[i].type;
	return TYPE_NUMBER;
}

static void begin_cell(struct xlsx_sheet *x, const char **a)
{
	x->column = column_of(x, drg_xml_attribute(a, "r"));
	x->next = x->column + 1;
	x->type = type_of(drg_xml_attribute(a, "t"));
	x->style = strtoull(drg_xml_attribute(a, "s").p, NULL, 10);
	x->formula = x->valued = false;
	drg_buf_clear(&x->value);
}

static int xlsx_start(void *ctx, struct drg_str name, const char **a, struct drg_err *reterr)
{
	struct xlsx_sheet *x = ctx;
	(void)reterr;
	if (drg_str_eq(name, DRG_STR("c"))) {
		begin_cell(x, a);
	} else if (drg_str_eq(name, DRG_STR("v")) || (x->in_inline && drg_str_eq(name, DRG_STR("t")))) {
		x->in_value = true;
	} else if (drg_str_eq(name, DRG_STR("is"))) {
		x->in_inline = true;
	} else if (drg_str_eq(name, DRG_STR("rPh"))) {
		x->in_phonetic = true;
	} else if (drg_str_eq(name, DRG_STR("f"))) {
		x->formula = true;
		x->head.about.formulas++;
	} else if (drg_str_eq(name, DRG_STR("row"))) {
		uint64_t r = strtoull(drg_xml_attribute(a, "r").p, NULL, 10);
		x->row = r > 0 && r <= UINT32_MAX ? r : x->row + 1;
		x->next = 0;
	} else if (drg_str_eq(name, DRG_STR("mergeCell"))) {
		x->head.about.merged++;
	}
	return DRG_OK;
}

static int xlsx_text(void *ctx, struct drg_str text, struct drg_err *reterr)
{
	struct xlsx_sheet *x = ctx;
	if (!x->in_value || x->in_phonetic)
		return DRG_OK;
	x->valued = true;
	drg_buf_str(&x->value, text);
	if (x->value.rc == DRG_ENOMEM)
		return drg_fail_memory(reterr);
	if (x->value.rc == DRG_OK && x->value.n <= DRG_SHEET_CELL_MAX)
		return DRG_OK;
	return drg_fail(reterr, DRG_EINVAL, NULL, NULL,
	                "row %llu: expected a cell of at most %d bytes, found more",
	                (unsigned long long)x->row, DRG_SHEET_CELL_MAX);
}

static int xlsx_end(void *ctx, struct drg_str name, struct drg_err *reterr)
{
	struct xlsx_sheet *x = ctx;
	if (drg_str_eq(name, DRG_STR("c")))
		return x->valued || x->formula ? xlsx_value(x, reterr) : DRG_OK;
	if (drg_str_eq(name, DRG_STR("v")) || drg_str_eq(name, DRG_STR("t")))
		x->in_value = false;
	else if (drg_str_eq(name, DRG_STR("is")))
		x->in_inline = false;
	else if (drg_str_eq(name, DRG_STR("rPh")))
		x->in_phonetic = false;
	else if (drg_str_eq(name, DRG_STR("row"))) {
		x->row_ended = true;
		drg_xml_part_pause(x->part);
	}
	return DRG_OK;
}

static int xlsx_next(struct drg_sheet *s, uint64_t *ret_line, struct drg_err *reterr)
{
	struct xlsx_sheet *x = (struct xlsx_sheet *)s;
	struct drg_err e;
	x->row_ended = false;
	int rc = x->part != NULL ? drg_xml_part_read(x->part, &e) : DRG_ENOENT;
	*ret_line = x->row;
	if (rc == DRG_OK || rc == DRG_ENOENT)
		return rc;
	return drg_sheet_fail(s, &e, reterr);
}

/* ---- which sheet --------------------------------------------------------------------------------------- */

static int xlsx_take(struct xlsx_sheet *x, unsigned number, struct drg_err *reterr)
{
	static const struct xml_part_calls calls = { xlsx_start, xlsx_end, xlsx_text };
	const struct workbook_sheet *s = &x->book.sheets[number];
	drg_xml_part_close(x->part);
	x->part = NULL;
	x->row = 0;
	x->in_value = x->in_inline = x->in_phonetic = false; /* as where the sheet before was damaged */
	x->head.about.formulas = x->head.about.merged = 0;
	x->head.budget.rows = 0;
	snprintf(x->head.about.sheet, sizeof x->head.about.sheet, "%s", s->name);
	struct drg_err e;
	int rc = drg_xml_part_open(x->book.zip, s->part, &calls, x, &x->head.budget, &x->part, &e);
	if (rc == DRG_ENOENT)
		drg_fail(&e, DRG_EINVAL, NULL, NULL, "the workbook is damaged: its sheet %s is not in it",
		         s->name);
	return rc == DRG_OK ? rc : drg_sheet_fail(&x->head, &e, reterr);
}

/* Has it a row with something in it? */
static int xlsx_has_cells(struct xlsx_sheet *x, unsigned number, bool *ret, struct drg_err *reterr)
{
	struct workbook_sheet *s = &x->book.sheets[number];
	struct drg_sheet_row row;
	int rc = DRG_OK;
	if (!s->looked) {
		x->head.budget.searching = true;
		rc = xlsx_take(x, number, reterr);
		if (rc == DRG_OK)
			rc = drg_sheet_next(&x->head, &row, reterr);
		x->head.budget.searching = false;
		s->has_cells = rc == DRG_OK;
		s->looked = rc == DRG_OK || rc == DRG_ENOENT;
	}
	*ret = s->has_cells;
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

static int fail_sheets(const struct xlsx_sheet *x, const char *expected, struct drg_err *reterr)
{
	struct drg_buf names;
	drg_buf_init(&names, 400);
	for (unsigned i = 0; i < x->book.n_sheets; i++)
		drg_buf_printf(&names, "%s\"%s\"", i > 0 ? ", " : "", x->book.sheets[i].name);
	int rc = drg_fail(reterr, DRG_EINVAL, NULL, "sheet", "%s: %s: %.*s", x->head.path, expected,
	                  DRG_STR_ARG(names));
	drg_buf_done(&names);
	return rc;
}

static int xlsx_choose_nth(struct xlsx_sheet *x, unsigned nth, struct drg_err *reterr)
{
	for (unsigned i = 0; i < x->book.n_sheets; i++) {
		bool has = false;
		int rc = x->book.sheets[i].hidden ? DRG_OK : xlsx_has_cells(x, i, &has, reterr);
		if (rc != DRG_OK)
			return rc;
		if (has && --nth == 0)
			return xlsx_take(x, i, reterr);
	}
	return DRG_ENOENT;
}

static int xlsx_choose(struct xlsx_sheet *x, const char *wanted, struct drg_err *reterr)
{
	unsigned found = WORKBOOK_SHEETS_MAX;
	for (unsigned i = 0; i < x->book.n_sheets; i++) {
		const struct workbook_sheet *s = &x->book.sheets[i];
		bool has = wanted != NULL && strcmp(wanted, s->name) == 0;
		int rc = wanted != NULL || s->hidden ? DRG_OK : xlsx_has_cells(x, i, &has, reterr);
		if (rc != DRG_OK)
			return rc;
		if (has && found < WORKBOOK_SHEETS_MAX)
			return fail_sheets(x, "several sheets have cells; say which one by --sheet NAME",
			                   reterr);
		found = has ? i : found;
	}
	if (found == WORKBOOK_SHEETS_MAX)
		return fail_sheets(x, wanted != NULL ? "it has no sheet of this name" : "no sheet has cells",
		                   reterr);
	return xlsx_take(x, found, reterr);
}

/* Each choice may spend as much as the first, but for the search. */
static int xlsx_choose_as(struct drg_sheet *s, const struct drg_sheet_options *o, struct drg_err *reterr)
{
	struct xlsx_sheet *x = (struct xlsx_sheet *)s;
	x->opened.searched = x->head.budget.searched;
	x->head.budget = x->opened;
	int rc = o->nth > 0 && o->sheet == NULL ? xlsx_choose_nth(x, o->nth, reterr)
	                                        : xlsx_choose(x, o->sheet, reterr);
	if (rc != DRG_OK) {
		drg_xml_part_close(x->part);
		x->part = NULL;
	}
	return rc;
}

static const struct sheet_ops xlsx_ops = { xlsx_next, xlsx_close, xlsx_choose_as };

static int xlsx_begin(struct xlsx_sheet *x, const struct drg_sheet_options *o, struct drg_err *reterr)
{
	struct drg_err e;
	int rc = drg_workbook_open(x->head.path, &x->head.budget, &x->book, &e);
	if (rc != DRG_OK)
		return drg_sheet_fail(&x->head, &e, reterr);
	x->opened = x->head.budget;
	return xlsx_choose_as(&x->head, o, reterr);
}

int drg_sheet_open_workbook(const char *path, const struct drg_sheet_options *o, struct drg_sheet **ret,
                            struct drg_err *reterr)
{
	struct xlsx_sheet *x = calloc(1, sizeof *x);
	if (x == NULL)
		return drg_fail_memory(reterr);
	drg_buf_init(&x->value, DRG_SHEET_CELL_MAX + 1); /* and its NUL */
	x->head.about.workbook = true;
	int rc = drg_sheet_init(&x->head, &xlsx_ops, path, o, reterr);
	if (rc == DRG_OK)
		rc = xlsx_begin(x, o, reterr);
	if (rc == DRG_OK)
		*ret = &x->head;
	else
		drg_sheet_close(&x->head);
	return rc;
}
