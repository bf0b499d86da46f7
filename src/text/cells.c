#include "text/cells.h"

#include <assert.h>

#include "text/utf8.h"

const char *const drg_quote_names[DRG_QUOTES] = {
	[DRG_QUOTE_DOUBLE] = "double",
	[DRG_QUOTE_BACKSLASH] = "backslash",
	[DRG_QUOTE_NONE] = "none",
	[DRG_QUOTE_DUMP] = "dump",
};

enum drg_quote drg_quote_by_name(struct drg_str name)
{
	for (unsigned i = DRG_QUOTE_DOUBLE; i < DRG_QUOTES; i++)
		if (drg_str_eq(name, drg_str_c(drg_quote_names[i])))
			return (enum drg_quote)i;
	return DRG_QUOTE_UNKNOWN;
}

static bool cells_quotes(const struct drg_cells *c)
{
	return c->quote != DRG_QUOTE_NONE && c->quote != DRG_QUOTE_DUMP;
}

/* Return the quote that begins a cell, or the quote that ends it. */
static char cells_mark(const struct drg_cells *c, bool begins)
{
	const char mark = begins ? c->open : c->close;
	return mark != '\0' ? mark : '"';
}

static bool cells_escapes(const struct drg_cells *c)
{
	return c->quote == DRG_QUOTE_BACKSLASH || c->quote == DRG_QUOTE_DUMP;
}

/* How many bytes from @p s on, one at least, are the cell's text whatever follows them. */
static size_t cells_run(const struct drg_cells *c, struct drg_str s)
{
	const size_t room = c->max > 0 ? c->max - c->n + 1 : s.n, most = room < s.n ? room : s.n;
	const char quote = cells_quotes(c) ? cells_mark(c, c->in != CELLS_QUOTED) : '\n',
	           escape = cells_escapes(c) ? '\\' : '\n';
	size_t n = 1;
	while (n < most && c->in != CELLS_BEGIN && s.p[n] != quote && s.p[n] != '\n' &&
	       s.p[n] != c->separator && s.p[n] != escape)
		n++;
	return n;
}

static void cells_take_back(struct drg_cells *c, size_t n, struct drg_buf *texts)
{
	assert(n <= c->n && (texts->rc != DRG_OK || n <= texts->n));
	c->n -= n;
	if (texts->rc == DRG_OK)
		texts->n -= n;
}

/* Write what a backslash and this byte mean: PostgreSQL writes letters, MySQL the byte itself. "\N" stays as
 * it is: it stands for a missing value (sheet/sheet.c). */
static void cells_escaped(struct drg_cells *c, char b, struct drg_buf *texts)
{
	static const char letters[] = "tnrbfv", means[] = "\t\n\r\b\f\v";
	const char *letter = b != '\0' ? strchr(letters, b) : NULL;
	const bool itself = b == '\\' || b == '"' || b == '\'' || b == '\n' || b == '\r' ||
	                    b == c->separator || b == cells_mark(c, false);
	c->escaped = false;
	if (letter == NULL && !itself) {
		drg_buf_char(texts, '\\');
		c->n++;
	}
	drg_buf_char(texts, letter != NULL ? means[letter - letters] : b);
	c->n++;
}

/* Behind a quote within quotes comes what ends no cell: the quote is text, and so are the blanks behind it. */
static void cells_stray_quote(struct drg_cells *c, struct drg_buf *texts)
{
	drg_buf_char(texts, cells_mark(c, false));
	if (texts->rc == DRG_OK && c->blanks > 0) {
		char *at = texts->p + texts->n - 1 - c->blanks;
		memmove(at + 1, at, c->blanks);
		*at = cells_mark(c, false);
	}
	c->n++;
	c->within |= DRG_CELLS_STRAY_QUOTE;
	c->in = CELLS_QUOTED;
}

/* Do the last @p n bytes of the cell show nothing? */
static bool cells_unseen(size_t n, const struct drg_buf *texts)
{
	return texts->rc == DRG_OK && texts->n >= n &&
	       drg_utf8_trim(drg_str(texts->p + texts->n - n, n)).n == 0;
}

/* Read what ends no cell: text, a quote or a backslash. @return how many bytes of it were read. */
static size_t cells_within(struct drg_cells *c, struct drg_str s, struct drg_buf *texts)
{
	enum { UNSEEN = 16 }; /* bytes before a quote: a byte order mark of a file that was joined */
	const bool begins = c->in == CELLS_BEGIN || c->in == CELLS_TEXT,
	           quote = cells_quotes(c) && *s.p == cells_mark(c, begins);
	size_t n = 1;
	if (c->escaped) {
		cells_escaped(c, *s.p, texts);
	} else if (*s.p == '\\' && cells_escapes(c)) {
		c->in = c->in == CELLS_BEGIN ? CELLS_TEXT : c->in;
		c->escaped = true;
	} else if (quote && c->in == CELLS_QUOTED) {
		c->in = CELLS_QUOTE;
		c->blanks = 0;
	} else if (quote && (c->in == CELLS_BEGIN || (c->in == CELLS_TEXT && c->lenient && c->n <= UNSEEN &&
	                                              cells_unseen(c->n, texts)))) {
		cells_take_back(c, c->n, texts);
		c->in = CELLS_QUOTED;
		c->opened = c->lines + 1;
	} else {
		if (c->in == CELLS_QUOTE && c->blanks == 0)
			c->in = CELLS_QUOTED; /* a second quote: it is text */
		else if (c->in == CELLS_BEGIN && !(c->lenient && (*s.p == ' ' || *s.p == '\t')))
			c->in = CELLS_TEXT;
		if (c->in == CELLS_QUOTED && *s.p == '\n')
			c->within |= DRG_CELLS_NEWLINE;
		if (c->in == CELLS_QUOTED && *s.p == c->separator)
			c->within |= DRG_CELLS_SEPARATOR;
		n = cells_run(c, s);
		drg_buf_add(texts, s.p, n);
		c->n += n;
	}
	return n;
}

/* Read a byte behind a quote within quotes, unless it is a second quote. @return true: the byte may mean
 * nothing, and is kept until it is known whether the cell has ended. */
static bool cells_behind_quote(struct drg_cells *c, char b, struct drg_buf *texts)
{
	if (!c->lenient) {
		c->in = CELLS_TEXT;
		return false;
	}
	if (b == '\n' || b == c->separator) {
		if (c->blanks == 0 || texts->rc != DRG_OK || cells_unseen(c->blanks, texts))
			c->in = CELLS_TEXT;
		else
			cells_stray_quote(c, texts);
		return false;
	}
	if (b == ' ' || b == '\t' || b == '\r' || (unsigned char)b >= 0x80) {
		drg_buf_char(texts, b);
		c->n++;
		c->blanks++;
		return true;
	}
	cells_stray_quote(c, texts);
	return false;
}

enum drg_cells_stop drg_cells_read(struct drg_cells *c, struct drg_str *text, struct drg_buf *texts)
{
	while (text->n > 0) {
		const char b = *text->p;
		size_t n = 1;
		bool blank = c->in == CELLS_QUOTE && (b != cells_mark(c, false) || c->blanks > 0) &&
		             cells_behind_quote(c, b, texts);
		if (b == '\n' && c->lenient && c->n > 0 && texts->rc == DRG_OK &&
		    texts->p[texts->n - 1] == '\r')
			cells_take_back(c, 1, texts);
		const bool ends =
		        c->in != CELLS_QUOTED && !c->escaped && !blank && (b == '\n' || b == c->separator);
		if (!ends && !blank)
			n = cells_within(c, *text, texts);
		c->lines += b == '\n';
		*text = drg_str(text->p + n, text->n - n);
		if (ends) {
			c->in = CELLS_BEGIN;
			c->n = 0;
			return b == '\n' ? DRG_CELLS_ROW : DRG_CELLS_CELL;
		}
		if (c->max > 0 && c->n > c->max)
			return DRG_CELLS_LONG;
	}
	return DRG_CELLS_MORE;
}

bool drg_cells_pass(struct drg_cells *c, struct drg_str text)
{
	struct drg_buf none = { .rc = DRG_ELIMIT };
	while (drg_cells_read(c, &text, &none) != DRG_CELLS_MORE)
		;
	return c->in == CELLS_QUOTED || c->escaped;
}

int drg_cells_split(struct drg_str row, char separator, struct drg_arena *a, struct drg_str *ret,
                    unsigned max, unsigned *ret_n, struct drg_err *reterr)
{
	assert(max > 0 && separator != '"' && separator != '\n');
	struct drg_cells c = { .separator = separator };
	struct drg_buf texts = { .p = drg_arena_alloc(a, row.n + 1), .cap = row.n + 1, .max = row.n + 1 };
	enum drg_cells_stop stop;
	unsigned n = 0;
	if (texts.p == NULL)
		return drg_fail_memory(reterr);
	do {
		const size_t at = texts.n;
		stop = drg_cells_read(&c, &row, &texts);
		if (n == max)
			return drg_fail(reterr, DRG_EINVAL, DRG_R(too_many_columns), NULL,
			                "expected at most %u columns, found more", max);
		ret[n++] = drg_str(texts.p + at, texts.n - at);
	} while (stop != DRG_CELLS_MORE);
	if (c.in == CELLS_QUOTED)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(invalid_csv), NULL,
		                "expected a closing quote, found the end of the row");
	*ret_n = n;
	return DRG_OK;
}
