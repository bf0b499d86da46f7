/* The cells of a sheet of an .xlsx file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sheet/number_format.h"
#include "sheet/sheet_priv.h"
#include "sheet/workbook.h"
#include "text/utf8.h"

enum cell_type { TYPE_NUMBER, TYPE_SHARED, TYPE_TEXT, TYPE_BOOL, TYPE_ERROR, TYPE_DATE };

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
	/* A row goes on in the next <row> of the same number: some programs write one for each cell. So it ends
	 * where another one begins, whose number then waits here; 0: none does. */
	uint64_t row_after;
	bool in_row, hidden, hidden_after;
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

static void write_time(double days, bool elapsed, struct drg_buf *out)
{
	int64_t t = llround(days * 86400);
	int64_t hours = elapsed ? t / 3600 : t / 3600 % 24;
	drg_buf_printf(out, "%02lld:%02d", (long long)hours, (int)(t / 60 % 60));
	if (t % 60 != 0)
		drg_buf_printf(out, ":%02d", (int)(t % 60));
}

/* "AB12" */
static void write_reference(const struct xlsx_sheet *x, struct drg_buf *out)
{
	char letters[8];
	size_t at = sizeof letters;
	for (unsigned c = x->column + 1; c > 0; c = (c - 1) / 26)
		letters[--at] = (char)('A' + (c - 1) % 26);
	drg_buf_printf(out, "%.*s%llu", (int)(sizeof letters - at), letters + at, (unsigned long long)x->row);
}

static enum drg_cell_form write_unshown(const struct xlsx_sheet *x, struct drg_str value, struct drg_str code,
                                        struct drg_buf *out)
{
	drg_buf_lit(out, "(");
	write_reference(x, out);
	drg_buf_printf(out, ": %.*s in the format %.*s)", DRG_STR_ARG(drg_utf8_cut(value, 40)),
	               DRG_STR_ARG(drg_utf8_cut(code, 40)));
	return DRG_CELL_UNSHOWN;
}

/* Write a number as Excel shows it: TR-0017 for 17, and by "General" what was typed: 1100 for 1100.0, 36.85
 * for 36.850000000000001. */
static int write_number(const struct xlsx_sheet *x, struct drg_str text, double *ret_number,
                        enum drg_cell_form *ret_form, struct drg_buf *out, struct drg_err *reterr)
{
	char copy[64], plain[64], *end;
	struct drg_str code;
	text = drg_utf8_trim(text);
	snprintf(copy, sizeof copy, "%.*s", (int)(text.n < 63 ? text.n : 63), text.p);
	const double d = strtod(copy, &end) + 0.0; /* not -0 */
	*ret_form = DRG_CELL_TEXT;
	if (text.n == 0 || text.n > 60 || *end != '\0' || !isfinite(d) || strpbrk(copy, "xX") != NULL) {
		drg_buf_str(out, text);
		return DRG_OK;
	}
	*ret_number = d;
	*ret_form = DRG_CELL_NUMBER;
	if (!drg_workbook_format(&x->book, x->style, &code)) {
		struct drg_buf cell;
		drg_buf_init(&cell, 40);
		write_reference(x, &cell);
		drg_fail(reterr, DRG_EINVAL, NULL, NULL,
		         "the workbook is damaged: the cell %.*s has a style that does not exist: save it "
		         "again",
		         DRG_STR_ARG(cell));
		drg_buf_done(&cell);
		return DRG_EINVAL;
	}
	if (d == floor(d) && fabs(d) < 1e15)
		snprintf(plain, sizeof plain, "%.0f", d);
	else
		snprintf(plain, sizeof plain, "%.15g", d);
	const enum format_shows shows = code.n > 0 ? drg_format_number(code, d, out) : FORMAT_PLAIN;
	switch (shows) {
	case FORMAT_SHOWN: return DRG_OK;
	case FORMAT_PLAIN: break;
	case FORMAT_UNKNOWN: *ret_form = write_unshown(x, drg_str_c(plain), code, out); return DRG_OK;
	case FORMAT_TIME:
	case FORMAT_ELAPSED:
		*ret_form = DRG_CELL_DATE;
		if (d >= 0 && d < 2958466) {
			write_time(d, shows == FORMAT_ELAPSED, out);
			return DRG_OK;
		}
		break;
	case FORMAT_DATE:
		*ret_form = DRG_CELL_DATE;
		if (write_date(x, d, out))
			return DRG_OK;
		break;
	}
	drg_buf_str(out, drg_str_c(plain));
	return DRG_OK;
}

/* "2021-03-05T00:00:00.000Z" is 2021-03-05, as of dates that are numbers. */
static void write_iso_date(struct drg_str text, struct drg_buf *out)
{
	if (text.n > 10 && text.p[10] == 'T') {
		size_t n = 11 + strspn(text.p + 11, "0:.Z");
		text.n = n >= text.n ? 10 : text.n;
	}
	drg_buf_str(out, text);
}

/* A text whose format adds to it, "TR-"@. */
static int format_text(struct xlsx_sheet *x, size_t at, enum drg_cell_form *ret_form, struct drg_err *reterr)
{
	struct drg_buf *out = &x->head.line.texts, shown;
	struct drg_str code, text = drg_str(out->p + at, out->n - at);
	if (out->rc != DRG_OK || !drg_workbook_format(&x->book, x->style, &code) || code.n == 0 ||
	    text.n == 0)
		return DRG_OK;
	drg_buf_init(&shown, DRG_SHEET_CELL_MAX + 1);
	switch (drg_format_text(code, text, &shown)) {
	case FORMAT_UNKNOWN: *ret_form = write_unshown(x, text, code, &shown); break;
	case FORMAT_SHOWN: break;
	default: drg_buf_done(&shown); return DRG_OK;
	}
	int rc = shown.rc == DRG_ENOMEM ? drg_fail_memory(reterr)
	                                : drg_sheet_spend(&x->head.budget, shown.n, reterr);
	out->n = at;
	drg_buf_str(out, drg_buf_view(&shown));
	if (rc == DRG_OK && shown.rc == DRG_ELIMIT)
		out->rc = DRG_ELIMIT;
	drg_buf_done(&shown);
	return rc;
}

/* A cell of a few bytes may have a text of a megabyte. */
static int write_shared(struct xlsx_sheet *x, struct drg_buf *out, struct drg_err *reterr)
{
	struct drg_str s = drg_utf8_trim(drg_str(x->value.p, x->value.n - 1));
	int64_t number;
	if (s.n == 0)
		return DRG_OK;
	if (!drg_str_to_i64(s, &number) || number < 0 || !drg_workbook_string(&x->book, (uint64_t)number, &s))
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
	double number = NAN;
	int rc = DRG_OK;
	switch (x->type) {
	case TYPE_NUMBER: rc = v.n > 0 ? write_number(x, v, &number, &form, out, reterr) : DRG_OK; break;
	case TYPE_SHARED: rc = write_shared(x, out, reterr); break;
	case TYPE_DATE:
		write_iso_date(v, out);
		form = DRG_CELL_DATE;
		break;
	case TYPE_BOOL: drg_buf_str(out, drg_str_c(v.n > 0 && v.p[0] == '1' ? "true" : "false")); break;
	case TYPE_ERROR:
		drg_buf_str(out, v);
		form = DRG_CELL_ERROR;
		break;
	case TYPE_TEXT:
		v.n = drg_workbook_unescape(x->value.p, v.n);
		drg_buf_str(out, v);
		break;
	}
	if (rc == DRG_OK && (x->type == TYPE_TEXT || x->type == TYPE_SHARED))
		rc = format_text(x, at, &form, reterr);
	if (rc != DRG_OK)
		return rc;
	if (x->formula && !x->valued) {
		drg_buf_str(out, DRG_STR("(a formula without its value)"));
		form = DRG_CELL_ERROR;
	}
	if (drg_sheet_line_cell(&x->head.line, x->column, at, form) != DRG_OK || out->rc == DRG_ELIMIT)
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL,
		                "row %llu: expected cells in order, %d columns and %d bytes at most",
		                (unsigned long long)x->row, DRG_SHEET_COLUMNS_MAX, DRG_SHEET_CELL_MAX);
	x->head.line.places[x->column].number = number;
	return DRG_OK;
}

/* ---- elements ------------------------------------------------------------------------------------------ */

/* "AB12" is column 27, and so are "ab12" and "$AB$12"; without a reference it is the next one. */
static unsigned column_of(const struct xlsx_sheet *x, struct drg_str ref)
{
	unsigned c = 0;
	for (size_t i = ref.n > 0 && ref.p[0] == '$', end = i + 4; i < ref.n && i < end; i++) {
		const char letter = (char)(ref.p[i] & ~32);
		if (letter < 'A' || letter > 'Z')
			break;
		c = c * 26 + (unsigned)(letter - 'A' + 1);
	}
	return c > 0 ? c - 1 : x->next;
}

static enum cell_type type_of(struct drg_str t)
{
	/* clang-format off */
	static const struct { const char *word; enum cell_type type; } words[] = {
		{ "s", TYPE_SHARED }, { "str", TYPE_TEXT }, { "inlineStr", TYPE_TEXT }, { "b", TYPE_BOOL },
		{ "e", TYPE_ERROR }, { "d", TYPE_DATE },
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

static void begin_row(struct xlsx_sheet *x, const char **a)
{
	uint64_t r = strtoull(drg_xml_attribute(a, "r").p, NULL, 10);
	struct drg_str hidden = drg_xml_attribute(a, "hidden");
	r = r > 0 && r <= UINT32_MAX ? r : x->row + 1;
	x->hidden_after = drg_str_eq(hidden, DRG_STR("1")) || drg_str_eq(hidden, DRG_STR("true"));
	if (x->in_row && r == x->row)
		return;
	x->next = 0;
	if (x->in_row) {
		x->row_after = r;
		drg_xml_part_pause(x->part);
	} else {
		x->row = r;
		x->hidden = x->hidden_after;
		x->in_row = true;
	}
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
		begin_row(x, a);
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
	else if (drg_str_eq(name, DRG_STR("sheetData")) && x->in_row)
		drg_xml_part_pause(x->part);
	return DRG_OK;
}

static int xlsx_next(struct drg_sheet *s, uint64_t *ret_line, struct drg_err *reterr)
{
	struct xlsx_sheet *x = (struct xlsx_sheet *)s;
	struct drg_err e;
	x->in_row = x->row_after > 0;
	if (x->in_row) {
		x->row = x->row_after;
		x->hidden = x->hidden_after;
		x->row_after = 0;
	}
	int rc = x->part != NULL ? drg_xml_part_read(x->part, &e) : DRG_ENOENT;
	if (rc == DRG_ENOENT && x->in_row)
		rc = DRG_OK; /* a sheet that ends without </sheetData> */
	*ret_line = x->row;
	x->head.about.hidden += rc == DRG_OK && x->hidden && x->head.line.n > 0;
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
	x->row = x->row_after = 0;
	x->in_row = false;
	x->in_value = x->in_inline = x->in_phonetic = false; /* as where the sheet before was damaged */
	x->head.about.formulas = x->head.about.merged = 0;
	x->head.about.hidden = 0;
	x->head.budget.rows = 0;
	snprintf(x->head.about.sheet, sizeof x->head.about.sheet, "%s", s->name);
	struct drg_err e;
	int rc = drg_workbook_part(&x->book, s->part, &calls, x, &x->part, &e);
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
		drg_buf_printf(&names, "%s\"%s\"%s", i > 0 ? ", " : "", x->book.sheets[i].name,
		               x->book.sheets[i].hidden ? " (hidden)" : "");
	int rc = drg_fail(reterr, DRG_EINVAL, NULL, "sheet", "%s: %s: %.*s", x->head.path, expected,
	                  DRG_STR_ARG(names));
	drg_buf_done(&names);
	return rc;
}

static int fail_no_cells(const struct xlsx_sheet *x, struct drg_err *reterr)
{
	bool hidden = false;
	for (unsigned i = 0; i < x->book.n_sheets; i++)
		hidden |= x->book.sheets[i].hidden;
	return fail_sheets(x,
	                   hidden ? "no visible sheet has cells; --sheet NAME reads a hidden one"
	                          : "no sheet has cells",
	                   reterr);
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

static int xlsx_choose_only(struct xlsx_sheet *x, struct drg_err *reterr)
{
	unsigned found = WORKBOOK_SHEETS_MAX;
	for (unsigned i = 0; i < x->book.n_sheets; i++) {
		bool has = false;
		int rc = x->book.sheets[i].hidden ? DRG_OK : xlsx_has_cells(x, i, &has, reterr);
		if (rc != DRG_OK)
			return rc;
		if (has && found < WORKBOOK_SHEETS_MAX)
			return fail_sheets(x,
			                   "several sheets have cells; say which one by --sheet NAME, or "
			                   "--sheet all",
			                   reterr);
		found = has ? i : found;
	}
	return found < WORKBOOK_SHEETS_MAX ? xlsx_take(x, found, reterr) : fail_no_cells(x, reterr);
}

/* Find a sheet by its name, or by its number among those that people see. @return n_sheets: there is none. */
static unsigned find_sheet(const struct xlsx_sheet *x, struct drg_str wanted)
{
	unsigned i, visible = 0;
	int64_t number;
	for (i = 0; i < x->book.n_sheets; i++)
		if (drg_str_eq(wanted, drg_str_c(x->book.sheets[i].name)))
			return i;
	if (!drg_str_to_i64(wanted, &number) || number < 1)
		return x->book.n_sheets;
	for (i = 0; i < x->book.n_sheets; i++) {
		visible += !x->book.sheets[i].hidden;
		if (!x->book.sheets[i].hidden && visible == number)
			break;
	}
	return i;
}

static int xlsx_choose_named(struct xlsx_sheet *x, const char *wanted, unsigned at, struct drg_err *reterr)
{
	unsigned chosen[WORKBOOK_SHEETS_MAX], n = 0;
	struct drg_str rest = drg_str_c(wanted), part;
	const unsigned whole = find_sheet(x, rest);
	x->head.about.all = whole == x->book.n_sheets && strcmp(wanted, "all") == 0;
	if (x->head.about.all) {
		for (unsigned i = 0; i < x->book.n_sheets; i++) {
			bool has = false;
			int rc = x->book.sheets[i].hidden ? DRG_OK : xlsx_has_cells(x, i, &has, reterr);
			if (rc != DRG_OK)
				return rc;
			if (has)
				chosen[n++] = i;
		}
		if (n == 0)
			return fail_no_cells(x, reterr);
	} else if (whole < x->book.n_sheets) {
		chosen[n++] = whole;
	} else {
		bool taken[WORKBOOK_SHEETS_MAX] = { false };
		while (drg_str_split(&rest, '/', &part)) {
			unsigned i = find_sheet(x, part);
			if (i == x->book.n_sheets)
				return fail_sheets(x, "it has no sheet of this name", reterr);
			if (!taken[i])
				chosen[n++] = i;
			taken[i] = true;
		}
	}
	x->head.about.n_chosen = n;
	return at < n ? xlsx_take(x, chosen[at], reterr) : DRG_ENOENT;
}

/* Each choice may spend as much as the first, except for the search. */
static int xlsx_choose_as(struct drg_sheet *s, const struct drg_sheet_options *o, struct drg_err *reterr)
{
	struct xlsx_sheet *x = (struct xlsx_sheet *)s;
	x->opened.searched = x->head.budget.searched;
	x->head.budget = x->opened;
	x->head.about.n_chosen = 1;
	x->head.about.all = false;
	int rc = o->sheet != NULL ? xlsx_choose_named(x, o->sheet, o->at, reterr)
	         : o->nth > 0     ? xlsx_choose_nth(x, o->nth, reterr)
	                          : xlsx_choose_only(x, reterr);
	if (rc != DRG_OK) {
		drg_xml_part_close(x->part);
		x->part = NULL;
	}
	return rc;
}

static const char *xlsx_name(const struct drg_sheet *s, unsigned number, bool *ret_hidden)
{
	const struct xlsx_sheet *x = (const struct xlsx_sheet *)s;
	if (number >= x->book.n_sheets)
		return NULL;
	*ret_hidden = x->book.sheets[number].hidden;
	return x->book.sheets[number].name;
}

static int xlsx_take_number(struct drg_sheet *s, unsigned number, struct drg_err *reterr)
{
	return xlsx_take((struct xlsx_sheet *)s, number, reterr);
}

static const struct sheet_ops xlsx_ops = {
	.next = xlsx_next,
	.close = xlsx_close,
	.choose = xlsx_choose_as,
	.name = xlsx_name,
	.take = xlsx_take_number,
};

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
