#include "sheet/table_out.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unicode/utf8.h>

#include "sheet/harmless.h"
#include "sheet/libxlsxwriter.h"
#include "sheet/sheet.h"
#include "text/utf8.h"

struct drg_table_out {
	char *path;
	char separator;
	FILE *csv;
	lxw_workbook *book;
	lxw_worksheet *sheet;
	uint32_t rows;
	uint64_t amounts; /* columns, a bit for each */
	unsigned n; /* columns */
	uint8_t widths[DRG_SHEET_COLUMNS_MAX]; /* of the longest cell, in characters */
	const char *const *offered; /* NULL: nothing */
	unsigned offered_in;
	lxw_format *bold;
	bool too_many, failed;
};

static bool ends_in_xlsx(const char *path)
{
	size_t n = strlen(path);
	return n > 5 && strcmp(path + n - 5, ".xlsx") == 0;
}

static bool open_book(struct drg_table_out *t)
{
	lxw_workbook_options o = { .constant_memory = LXW_TRUE };
	t->book = workbook_new_opt(t->path, &o);
	t->sheet = t->book != NULL ? workbook_add_worksheet(t->book, NULL) : NULL;
	if (t->sheet == NULL) {
		if (t->book != NULL)
			lxw_workbook_free(t->book);
		return false;
	}
	worksheet_freeze_panes(t->sheet, 1, 0);
	t->bold = workbook_add_format(t->book);
	if (t->bold != NULL)
		format_set_bold(t->bold);
	return true;
}

static int table_out_begin(const char *path, bool workbook, bool excel, char separator,
                           struct drg_table_out **ret, struct drg_err *reterr)
{
	int rc = workbook ? drg_library_load(DRG_LIBRARY_XLSXWRITER, reterr) : DRG_OK;
	struct drg_table_out *t = rc == DRG_OK ? calloc(1, sizeof *t) : NULL;
	if (t == NULL)
		return rc != DRG_OK ? rc : drg_fail_memory(reterr);
	bool ok = true;
	t->path = strdup(path);
	t->separator = separator != '\0' ? separator : ',';
	errno = 0;
	if (t->path != NULL && workbook)
		ok = open_book(t);
	else if (t->path != NULL)
		t->csv = strcmp(path, "-") == 0 ? stdout : fopen(path, "we");
	if (t->path == NULL || !ok || (t->csv == NULL && t->book == NULL)) {
		int e = errno;
		free(t->path);
		free(t);
		return drg_fail(reterr, drg_rc_from_errno(e), NULL, NULL, "cannot write %s: %s", path,
		                strerror(e));
	}
	if (t->csv != NULL && excel)
		fputs("\xef\xbb\xbf", t->csv);
	*ret = t;
	return DRG_OK;
}

int drg_table_out_open(const char *path, bool excel, char separator, struct drg_table_out **ret,
                       struct drg_err *reterr)
{
	return table_out_begin(path, ends_in_xlsx(path), excel, separator, ret, reterr);
}

int drg_table_out_open_as(const char *path, bool workbook, struct drg_table_out **ret, struct drg_err *reterr)
{
	return table_out_begin(path, workbook, true, ',', ret, reterr);
}

void drg_table_out_amounts(struct drg_table_out *t, uint64_t columns)
{
	t->amounts = columns;
}

void drg_table_out_offer(struct drg_table_out *t, unsigned column, const char *const *words)
{
	t->offered = words;
	t->offered_in = column;
}

/* Excel has room for so many characters of UTF-16 in a cell, each of three bytes at most; pairs have four. */
enum { CELL_CHARACTERS = 32767, CELL_BYTES = CELL_CHARACTERS * 3 };

/* May XML 1.0 have the character? A workbook with another one cannot be read at all. */
static bool cell_allows(UChar32 c)
{
	return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c != 0xfffe && c != 0xffff);
}

/* Copy what fits. U+FFFD stands for what is forbidden, whatever the store has. @return how many bytes */
static size_t cell_copy(struct drg_str s, char ret[static CELL_BYTES + 1])
{
	static const char replacement[] = "\xef\xbf\xbd";
	const uint8_t *p = (const uint8_t *)s.p;
	size_t n = 0, units = 0;
	for (size_t at = 0, from = 0; at < s.n; from = at) {
		UChar32 c;
		U8_NEXT(p, at, s.n, c);
		units += c > 0xffff ? 2 : 1;
		if (units > CELL_CHARACTERS)
			break;
		const struct drg_str out =
		        cell_allows(c) ? drg_str(s.p + from, at - from) : drg_str(replacement, 3);
		assert(n + out.n <= CELL_BYTES);
		memcpy(ret + n, out.p, out.n);
		n += out.n;
	}
	ret[n] = '\0';
	return n;
}

/* Cells are text, so that Excel leaves ids alone, except amounts. */
static lxw_error book_cell(struct drg_table_out *t, unsigned column, const char *text)
{
	char *end;
	if (column < 64 && (t->amounts >> column & 1) != 0) {
		double amount = strtod(text, &end);
		if (*end == '\0')
			return worksheet_write_number(t->sheet, t->rows, (lxw_col_t)column, amount, NULL);
	}
	return worksheet_write_string(t->sheet, t->rows, (lxw_col_t)column, text,
	                              t->rows == 0 ? t->bold : NULL);
}

static void book_widen(struct drg_table_out *t, unsigned column, struct drg_str text)
{
	enum { MOST = 60 };
	size_t n = drg_utf8_count(text);
	n = n < MOST ? n : MOST;
	if (column < DRG_SHEET_COLUMNS_MAX && n > t->widths[column])
		t->widths[column] = (uint8_t)n;
}

static void book_row(struct drg_table_out *t, const struct drg_str *cells, unsigned n)
{
	assert(t->sheet != NULL);
	char text[CELL_BYTES + 1];
	if (t->rows == DRG_TABLE_OUT_ROWS_MAX) {
		t->too_many = true;
		return;
	}
	for (unsigned i = 0; i < n; i++) {
		size_t len = cell_copy(cells[i], text);
		if (len == 0)
			continue;
		t->failed |= book_cell(t, i, text) != LXW_NO_ERROR;
		book_widen(t, i, drg_str(text, len));
	}
	t->n = n > t->n ? n : t->n;
	t->rows++;
}

void drg_table_out_row(struct drg_table_out *t, const struct drg_str *cells, unsigned n)
{
	assert((t->book != NULL) != (t->csv != NULL));
	if (t->book != NULL) {
		book_row(t, cells, n);
		return;
	}
	for (unsigned i = 0; i < n; i++) {
		if (i > 0)
			fputc(t->separator, t->csv);
		drg_cell_write(t->csv, cells[i], t->separator, false);
	}
	fputs("\r\n", t->csv);
}

/* A filter has an arrow beside the title, which wants room. */
static void book_finish(struct drg_table_out *t)
{
	enum { ARROW = 3 };
	const lxw_row_t last = t->rows > 1 ? t->rows - 1 : 1;
	for (unsigned i = 0; i < t->n && i < DRG_SHEET_COLUMNS_MAX; i++)
		t->failed |= worksheet_set_column(t->sheet, (lxw_col_t)i, (lxw_col_t)i, t->widths[i] + ARROW,
		                                  NULL) != LXW_NO_ERROR;
	if (t->n > 0)
		t->failed |=
		        worksheet_autofilter(t->sheet, 0, 0, last, (lxw_col_t)(t->n - 1)) != LXW_NO_ERROR;
	lxw_data_validation v = { .validate = LXW_VALIDATION_TYPE_LIST,
		                  .ignore_blank = LXW_VALIDATION_ON,
		                  .dropdown = LXW_VALIDATION_ON,
		                  .show_error = LXW_VALIDATION_OFF,
		                  /* char ** in libxlsxwriter 1.1, const char ** in 1.2: void * suits both. */
		                  .value_list = (void *)(uintptr_t)t->offered };
	if (t->offered != NULL)
		t->failed |= worksheet_data_validation_range(t->sheet, 1, (lxw_col_t)t->offered_in, last,
		                                             (lxw_col_t)t->offered_in, &v) != LXW_NO_ERROR;
}

/** Write the rest of it and close the file; false: not all of it could be written. */
static bool table_out_end(struct drg_table_out *t)
{
	if (t->book != NULL)
		book_finish(t);
	/* libxlsxwriter takes the date from gmtime(), which has one buffer for all threads. */
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	if (t->book != NULL) {
		pthread_mutex_lock(&lock);
		lxw_error e = workbook_close(t->book);
		pthread_mutex_unlock(&lock);
		return e == LXW_NO_ERROR && !t->failed;
	}
	if (t->csv == stdout)
		return fflush(stdout) == 0;
	bool written = ferror(t->csv) == 0;
	return fclose(t->csv) == 0 && written;
}

int drg_table_out_close(struct drg_table_out *t, struct drg_err *reterr)
{
	if (t == NULL)
		return DRG_OK;
	int rc = DRG_OK;
	errno = 0;
	if (!table_out_end(t))
		rc = drg_fail(reterr, drg_rc_from_errno(errno), NULL, NULL, "cannot write %s: %s", t->path,
		              errno != 0 ? strerror(errno) : "it is not writable, or too long texts");
	else if (t->too_many)
		rc = drg_fail(reterr, DRG_ELIMIT, NULL, NULL,
		              "%s: a workbook has room for %d rows, there are more: write .csv", t->path,
		              DRG_TABLE_OUT_ROWS_MAX);
	free(t->path);
	free(t);
	return rc;
}
