#include "sheet/sheet.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sheet/sheet_priv.h"
#include "text/utf8.h"

/* ---- a row --------------------------------------------------------------------------------------------- */

static void line_clear(struct sheet_line *l)
{
	drg_buf_clear(&l->texts);
	l->n = 0;
	l->swallows = l->stray = false;
}

int drg_sheet_line_cell(struct sheet_line *l, unsigned column, size_t at, enum drg_cell_form form)
{
	assert(at <= l->texts.n);
	if (column >= DRG_SHEET_COLUMNS_MAX || column < l->n || l->texts.n - at > DRG_SHEET_CELL_MAX)
		return DRG_ELIMIT;
	while (l->n < column) {
		l->places[l->n].at = at;
		l->places[l->n].n = 0;
		l->places[l->n].number = NAN;
		l->places[l->n++].form = DRG_CELL_TEXT;
	}
	l->places[column].at = at;
	l->places[column].n = l->texts.n - at;
	l->places[column].form = form;
	l->places[column].number = NAN;
	l->n = column + 1;
	return DRG_OK;
}

/* A carriage return, also one that was escaped ("_x000D_", "&#13;"), ends a line. @return the bytes left. */
static size_t plain_line_ends(char *p, size_t n)
{
	size_t to = 0;
	if (memchr(p, '\r', n) == NULL)
		return n;
	for (size_t i = 0; i < n; i++)
		if (p[i] != '\r')
			p[to++] = p[i];
		else if (i + 1 == n || p[i + 1] != '\n')
			p[to++] = '\n';
	return to;
}

/* Texts move while they grow, so cells are pointed at them when the row is whole. */
static void line_finish(struct sheet_line *l)
{
	unsigned last = 0;
	for (unsigned i = 0; i < l->n; i++) {
		size_t n = l->places[i].n;
		assert(l->places[i].at + n <= l->texts.n);
		struct drg_str s = drg_str("", 0);
		if (n > 0) {
			char *text = l->texts.p + l->places[i].at;
			s = drg_utf8_trim(drg_str(text, plain_line_ends(text, n)));
		}
		/* "\N" is how databases write that there is nothing; lists are made of their dumps. */
		l->cells[i].text = drg_str_eq(s, DRG_STR("\\N")) ? drg_str("", 0) : s;
		l->cells[i].form = l->places[i].form;
		l->cells[i].number = l->places[i].number;
		if (l->cells[i].text.n > 0)
			last = i + 1;
	}
	l->n = last;
}

int drg_sheet_next(struct drg_sheet *s, struct drg_sheet_row *ret, struct drg_err *reterr)
{
	uint64_t line;
	struct drg_err e;
	do {
		line_clear(&s->line);
		int rc = s->ops->next(s, &line, reterr);
		if (rc != DRG_OK)
			return rc;
		if (drg_sheet_spend_row(&s->budget, &e) != DRG_OK)
			return drg_sheet_fail(s, &e, reterr);
		if (s->line.texts.rc == DRG_ENOMEM)
			return drg_fail_memory(reterr);
		line_finish(&s->line);
	} while (s->line.n == 0);
	*ret = (struct drg_sheet_row){ s->line.cells, s->line.n, line, s->line.swallows, s->line.stray };
	return DRG_OK;
}

/* ---- open and close ------------------------------------------------------------------------------------ */

int drg_sheet_fail(const struct drg_sheet *s, const struct drg_err *e, struct drg_err *reterr)
{
	return drg_fail(reterr, e->code, drg_reason_find(e->reason), e->field, "%s: %s", s->path, e->message);
}

int drg_sheet_init(struct drg_sheet *s, const struct sheet_ops *ops, const char *path,
                   const struct drg_sheet_options *o, struct drg_err *reterr)
{
	assert(ops->next != NULL && ops->close != NULL && s->path == NULL);
	s->ops = ops;
	s->budget = (struct sheet_budget){ .stop = o->stop };
	drg_buf_init(&s->line.texts, (size_t)DRG_SHEET_CELL_MAX * 8);
	s->path = strdup(path);
	return s->path != NULL ? DRG_OK : drg_fail_memory(reterr);
}

/* The first bytes of a file. */
static int look_at(const char *path, char *buf, size_t cap, size_t *ret_n, struct drg_err *reterr)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, buf, cap) : -1;
	int saved = errno;
	if (fd >= 0)
		close(fd);
	if (n < 0)
		return drg_fail(reterr, drg_rc_from_errno(saved), NULL, NULL, "cannot read %s: %s", path,
		                strerror(saved));
	*ret_n = (size_t)n;
	return DRG_OK;
}

/* The sort of a file without a list that can be read, by its first bytes; NULL: it may have one. Systems call
 * a page .xls, because Excel opens it. */
static const char *other_sort(struct drg_str s)
{
	if (drg_str_begins(s, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"))
		return "encrypted, or a workbook of Excel 97 (.xls): open it in Excel and save it as .xlsx "
		       "without a password";
	if (drg_str_begins(s, "%PDF-"))
		return "a PDF: ask for a workbook or a CSV file";
	if (drg_str_begins(s, "\xef\xbb\xbf"))
		s = drg_str(s.p + 3, s.n - 3);
	while (s.n > 0 && s.p[0] != '\0' && strchr(" \t\r\n", s.p[0]) != NULL)
		s = drg_str(s.p + 1, s.n - 1);
	if (drg_str_begins(s, "{\\rtf"))
		return "a document (RTF): open it in Excel and save its table as .xlsx";
	if (drg_str_begins(s, "{\"") || drg_str_begins(s, "[{"))
		return "JSON: ask for a workbook or a CSV file; 'dragoman import' reads NDJSON in its "
		       "own format";
	if (s.n > 1 && s.p[0] == '<' && s.p[1] != '\0' && strchr("!?HThtMm", s.p[1]) != NULL)
		return "a page (HTML or XML), whatever its name says: open it in Excel and save it as .xlsx";
	return NULL;
}

int drg_sheet_open(const char *path, const struct drg_sheet_options *o, struct drg_sheet **ret,
                   struct drg_err *reterr)
{
	char head[64];
	struct drg_str begin = { head, 0 };
	int rc = look_at(path, head, sizeof head, &begin.n, reterr);
	if (rc != DRG_OK)
		return rc;
	if (begin.n == 0)
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL, "%s: the file is empty", path);
	const char *other = other_sort(begin);
	if (other != NULL)
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL, "%s is %s", path, other);
	if (drg_str_begins(begin, "PK\3\4"))
		return drg_sheet_open_workbook(path, o, ret, reterr);
	return drg_sheet_open_text(path, o, ret, reterr);
}

int drg_sheet_choose(struct drg_sheet *s, const struct drg_sheet_options *o, struct drg_err *reterr)
{
	assert(s->ops->choose != NULL);
	return s->ops->choose(s, o, reterr);
}

const char *drg_sheet_name(const struct drg_sheet *s, unsigned number, bool *ret_hidden)
{
	return s->ops->name != NULL ? s->ops->name(s, number, ret_hidden) : NULL;
}

int drg_sheet_count(struct drg_sheet *s, unsigned number, uint64_t most, uint64_t *ret,
                    struct drg_err *reterr)
{
	struct drg_sheet_row row;
	assert(s->ops->take != NULL);
	*ret = 0;
	int rc = s->ops->take(s, number, reterr);
	while (rc == DRG_OK && *ret < most && (rc = drg_sheet_next(s, &row, reterr)) == DRG_OK)
		++*ret;
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

void drg_sheet_close(struct drg_sheet *s)
{
	if (s == NULL)
		return;
	drg_buf_done(&s->line.texts);
	free(s->path);
	s->path = NULL;
	s->ops->close(s);
}

const struct drg_sheet_about *drg_sheet_about(const struct drg_sheet *s)
{
	return &s->about;
}

const char *drg_separator_name(uint32_t separator, char ret[DRG_SEPARATOR_NAME])
{
	static const struct {
		char separator;
		const char *name;
	} names[] = { { ',', "comma" }, { ';', "semicolon" }, { '\t', "tab" }, { '|', "bar" },
		      { '^', "caret" }, { '~', "tilde" },     { ':', "colon" } };
	char c[4];
	for (size_t i = 0; i < DRG_ARRAY_LEN(names); i++)
		if (separator == (unsigned char)names[i].separator)
			return names[i].name;
	if (separator <= ' ' || (separator >= 0x7f && separator < 0xa0))
		snprintf(ret, DRG_SEPARATOR_NAME, "U+%04X", (unsigned)separator & 0xffff);
	else
		snprintf(ret, DRG_SEPARATOR_NAME, "%.*s", (int)drg_utf8_put(separator, c), c);
	return ret;
}
